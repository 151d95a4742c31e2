"""Lists that may have two names: right where nobody can tell, else refused by place."""

from __future__ import annotations

import pytest
from reading import codes
from support import flat, load, same_bits

from ad_transform.ir.evaluate import evaluate
from ad_transform.read import read

HEAD = "# ad: jvp\ndef f(a: float, b: float, k: int):\n    x = [a, b]\n    y = [b, a]\n"
BRANCH = "if k > 1:\n    y = x\n"


def source(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize(
    "body",
    [
        BRANCH + "y[0] = 5.0\nreturn x",
        BRANCH + "x[0] = 5.0\nreturn y",
        BRANCH + "x[0] = 5.0\nreturn y[0]",
        BRANCH + "y.append(1.0)\nreturn len(x) * a",
        BRANCH + "y.append(1.0)\nfor i in range(len(x)):\n    a += i\nreturn a",
        "for i in range(k):\n    y = x\nx[0] = 5.0\nreturn y[0]",
        "z = x\nfor i in range(k):\n    z, x = x, z\nz[0] += a\nreturn x",
    ],
)
def test_a_change_that_may_be_seen_under_another_name(body: str) -> None:
    assert codes(source(body)) == ["AD124"]


@pytest.mark.parametrize("over", ["x", "enumerate(x)", "zip(x, y)"])
def test_a_list_does_not_grow_while_a_loop_goes_over_it(over: str) -> None:
    body = f"for v in {over}:\n    x.append(a)\nreturn x"
    assert codes(source(body)) == ["AD107"]


@pytest.mark.parametrize(
    "body",
    [
        "y = x\ny += [a, 2.0 * b]\nreturn x",
        "for i in range(k):\n    x += [x[-1] * a, b]\nreturn x",
        "for v in list(x):\n    x.append(v)\nreturn x",
        BRANCH + "y[0] = 5.0\nreturn y",
        BRANCH + "return len(x) * y[0]",
        "for i in range(k):\n    x, y = y, x\nx[0] += a\nreturn x",
        "for i in range(k):\n    x, y = y, x\n    x[0] += a * len(x)\nreturn y",
    ],
)
@pytest.mark.parametrize("k", [0, 1, 3])
def test_a_change_under_its_own_name(body: str, k: int) -> None:
    found = read(source(body).encode(), "model.py")
    assert not found.diagnostics
    want, point = load(source(body))["f"], (0.5, 0.25, k)
    got = evaluate(found.requests[0].function, point)
    assert same_bits(flat(list(got)), flat(want(*point)))


def test_a_list_that_lacks_a_refused_item_is_not_said_to_be_empty() -> None:
    text = """\
# ad: gradient(x)
def f(x: "Vector[n]", y):
    rows = [{"v": t, "k": 1.0} for t in x]
    kept = [r for r in rows if r["v"] > 0.0]
    kept[0]["v"] *= 2.0
    return sum(r["v"] for r in kept) * y
"""
    (found,) = read(text.encode(), "model.py").diagnostics
    assert found.code == "AD124" and found.help and "dict(p)" in found.help
