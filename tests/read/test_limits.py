"""Programs that would not come to an end, and those that only look so."""

from __future__ import annotations

import pytest
from reading import agree, codes, marked

from ad_transform.read import read
from ad_transform.read.flattening import inlining

DOUBLING = "def g0(a):\n    return a * a\n" + "".join(
    f"def g{k}(a):\n    return g{k - 1}(a) + g{k - 1}(a)\n" for k in range(1, 40)
)


def test_a_program_too_large_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inlining, "OPERATIONS", 1000)
    found = read((DOUBLING + marked("return g39(x) + g38(x)")).encode(), "m.py")
    assert [d.code for d in found.diagnostics] == ["AD004"]
    assert not found.requests


@pytest.mark.parametrize(
    "source",
    [
        marked(f"return {' + '.join(['f(x, y)'] * 30)}"),
        "def g(x):\n    return h(x) * h(x)\ndef h(x):\n    return g(x) + h(x)\n"
        + marked("return g(x) * h(x)"),
        marked("w = lambda s: s(s)\nreturn w(w)"),
        marked("g = lambda t: g(t)\nreturn g(x)"),
    ],
)
def test_recursion_is_said_once(source: str) -> None:
    assert codes(source) == ["AD120"]


def test_recursion_that_is_written_out_names_the_option() -> None:
    source = "def g(x, n):\n    return x if n == 0 else g(x, n - 1)\n\n\n"
    source += '# ad: gradient(inline="always")\ndef f(x, n: int):\n    return g(x, n)\n'
    (found,) = read(source.encode(), "m.py").diagnostics
    assert found.code == "AD120" and "`inline=always`" in found.help


def test_a_function_may_be_entered_again_through_an_argument() -> None:
    twice = "def twice(f, x):\n    return f(f(x))\n"
    body = "return twice(lambda t: twice(lambda s: s * y, t) + 1.0, x)"
    agree(twice + marked(body), (0.7, -1.3))
