"""Branches: what is read computes what Python computes, arm by arm, exit by exit."""

from __future__ import annotations

from pathlib import Path

import pytest
from reading import agree, function, marked, reading

from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Branch, Check, walk
from ad_transform.read import read

POINTS = [(a, b) for a in (-2.5, -0.5, 0.0, 0.5, 1.5, 3.0) for b in (-1.0, 0.25, 2.0)]

BODIES = (Path(__file__).parent / "branches.txt").read_text().split("\n---\n")


@pytest.mark.parametrize("body", BODIES)
def test_agrees_with_python(body: str) -> None:
    agree("import math\n" + marked(body), *POINTS)


@pytest.mark.parametrize("kind", ["call", "put", "straddle"])
def test_a_text_chooses_the_case_at_run_time(kind: str) -> None:
    body = (
        "if kind == 'call':\n    return x - y\nif kind in ('put', 'short'):\n"
        "    return y - x\nreturn abs(x - y)"
    )
    agree(marked(body, "x, y, kind='call'"), *((*p, kind) for p in POINTS))


def test_ten_partial_exits_are_ten_branches() -> None:
    part = "if x > {k}:\n    if y > {k}:\n        return x * {k}\n    y = y + x\n"
    parts = "".join(part.format(k=k) for k in range(10))
    source = marked(parts + "a = x * y\nb = a - x\nc = b * a\nreturn a + b * c")
    agree(source, *((x * 4, y * 4) for x, y in POINTS))
    assert len(_branches(function(source).body)) < 60


def test_a_guard_is_a_check_before_what_follows() -> None:
    body = "if x <= 0:\n    raise ValueError(f'{x} is bad')\nreturn x * y"
    *_, check, _ = function(marked(body)).body
    assert isinstance(check, Check) and check.error == "ValueError"
    with pytest.raises(ValueError, match=r"-1\.0 is bad"):
        evaluate(function(marked(body)), (-1.0, 1.0))


def test_what_no_arm_is_read_for_is_no_branch() -> None:
    body = "if x > 0:\n    t = x\nelse:\n    t = (x, y)\nreturn x"
    assert not _branches(function(marked(body)).body)


@pytest.mark.parametrize(
    "body",
    [
        "if x > 0:\n    return x\n" * 500 + "return y",
        "if x > 9:\n    y = x\n" + "elif y > 3:\n    y = x\n" * 500 + "return y",
        "if x > 0:\n    y = y + x\n" * 500 + "return y",
    ],
)
def test_many_branches_take_no_time(body: str) -> None:
    agree(marked(body), *POINTS[:2])


def test_the_comment_above_an_if_stays() -> None:
    source = marked("# far out\nif x > 9:\n    y = x * x\nreturn y")
    (branch,) = _branches(reading(source).requests[0].function.body)
    assert branch.outs[0].notes == ("far out",)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            "if x > 0:\n    z = y if y > 1 else None\nreturn z",
            "'z' is bound in one arm of an `if` only",
        ),
        ("if x > 0:\n    y = (x, x)\nreturn y", "'y' is a tuple or a float"),
        ("if x > 0:\n    return x", "may come to its end without `return`"),
        ("if x > 0:\n    return x, y\nreturn x", "the result is a tuple or a float"),
        ("if x > 0:\n    return x\nreturn None", "the result is a float or None"),
        ("raise ValueError('never')", "'f' only raises"),
        ("if math:\n    x = y\nreturn x", "`if` on 'math' is not supported"),
        ("if x > 0:\n    raise Mine('a')\nreturn x", "`raise Mine` is not supported"),
        ("if x > 0:\n    raise ValueError(1, 2)\nreturn x", "several arguments"),
        ("if x > 0:\n    raise\nreturn x", "`raise` alone is not supported"),
    ],
)
def test_refused(body: str, said: str) -> None:
    source = "import math\nclass Mine: pass\n" + marked(body)
    found = read(source.encode(), "m.py").diagnostics
    assert [said in d.message for d in found] == [True], found
    assert found[0].help


def test_both_arms_of_a_refused_test_are_read() -> None:
    body = "if math:\n    return u(x)\nelse:\n    return v(x)"
    found = read(("import math\n" + marked(body)).encode(), "m.py").diagnostics
    assert [d.code for d in found] == ["AD107", "AD103", "AD103"]


def _branches(body: object) -> list[Branch]:
    return [s for s in walk(body) if isinstance(s, Branch)]  # type: ignore[arg-type]
