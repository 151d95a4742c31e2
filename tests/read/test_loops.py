"""Loops: what is read computes what Python computes, whatever ends them."""

from __future__ import annotations

from pathlib import Path

import pytest
from reading import agree, function, marked

from ad_transform.ir.nodes import Branch, Scan, While, walk
from ad_transform.read import read

BODIES = (Path(__file__).parent / "loops.txt").read_text().split("\n---\n")
POINTS = [
    (a, b, n) for a in (-0.5, 0.5, 1.5) for b in (0.25, 2.0) for n in (0, 1, 4, 9)
]


@pytest.mark.parametrize("body", BODIES)
def test_agrees_with_python(body: str) -> None:
    agree("import math\n" + marked(body, "x, y, n: int"), *POINTS)


def _loops(body: str) -> list[Scan | While]:
    program = function(marked(body, "x, y, n: int"))
    return [s for s in walk(program.body) if isinstance(s, Scan | While)]


def test_carries_are_what_a_trip_reads_or_what_is_read_behind() -> None:
    body = "a = b = c = d = 0.0\nfor k in range(n):\n    a = x * k\n    b = a + b\n"
    (loop,) = _loops(body + "    c = b\n    d = a\nreturn c")
    assert [carry.hint for carry in loop.outs] == ["b", "c"]


def test_an_int_that_becomes_a_float_is_one_from_the_start() -> None:
    (loop,) = _loops("s = 0\nfor k in range(n):\n    s += x\nreturn s")
    assert str(loop.outs[0].type) == "float"


def test_a_loop_that_may_end_early_is_a_while() -> None:
    assert isinstance(_loops("for k in range(n):\n    y += x\nreturn y")[0], Scan)
    body = "for k in range(n):\n    y += x\n    if y > 3:\n        break\nreturn y"
    assert isinstance(_loops(body)[0], While)


@pytest.mark.parametrize("over", ["(x, y, 1.0)", "range(3)", "[x, 2]"])
def test_few_trips_are_unrolled(over: str) -> None:
    assert not _loops(f"s = 0.0\nfor c in {over}:\n    s += c * x\nreturn s")


def test_deep_nests_take_no_time() -> None:
    head = "".join("    " * k + f"for k{k} in range(n):\n" for k in range(12))
    body = f"s = 0\n{head}{'    ' * 12}s = s + x\nreturn s"
    agree(marked(body, "x, y, n: int"), (0.5, 1.0, 1))


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            "for k in range(n):\n    z = None if x > k else x\nreturn z",
            "'z' is not bound where the loop",
        ),
        (
            "for k in range(n):\n    x = x + z\n    z = x\nreturn x",
            "'z' may be read before the loop has bound it",
        ),
        ("for k in range(x):\n    y = x\nreturn y", "takes whole numbers, not a float"),
        ("for k in range(1, n, 0):\n    y = x\nreturn y", "takes no step of 0"),
        ("for k in x:\n    y = x\nreturn y", "`for` over a float is not supported"),
        ("while True:\n    x = x + 1\nreturn x", "the loop never ends"),
        ("return x * sum(v for v in x)", "a comprehension over a float"),
        ("while y or (z := x) > 1:\n    x = z / 2\nreturn x", "a walrus in a part"),
        (
            "for k in range(n):\n    while (z := x) > 1:\n        x = z / 2\n"
            "    else:\n        break\nreturn x",
            "a walrus in the test of a `while` whose `else` leaves a loop",
        ),
    ],
)
def test_refused(body: str, said: str) -> None:
    found = read(marked(body, "x, y, n: int").encode(), "m.py").diagnostics
    assert said in found[0].message and found[0].help, found


def test_bodies_are_read_once_for_what_is_wrong_in_them() -> None:
    body = "s = 0\nwhile s < 1:\n    s = s + u(x)\nfor k in range(n):\n    s = v(s)\n"
    source = marked(body + "return s", "x, n: int")
    found = read(source.encode(), "m.py").diagnostics
    assert [d.code for d in found] == ["AD103", "AD103"]


def test_what_a_return_in_a_loop_gives_is_a_carry_that_is_there() -> None:
    """No trip chooses it, and one value is not carried twice."""
    body = "while True:\n    x = x / 2 + y\n    if x < 3 * y:\n        return x\n"
    (loop,) = _loops(body)
    assert [carry.hint for carry in loop.outs] == ["x", "left", "trips"]
    assert not any(isinstance(s, Branch) for s in walk(loop.body.body))
