"""The work of the tool grows as the source does: no function walks a program again for
each of its statements.

The lines that each function of the package executes are counted for a program and for
one of twice as many steps. The counts are exact, whatever else the machine does; so a
walk is found that takes no time to speak of yet. Times are in `test_growth_of_time.py`.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from textwrap import dedent, indent
from types import CodeType, FrameType
from typing import Any

import pytest
from support import run

STEPS = 24

MOST = 2.5
"""How many times the lines a function may execute for twice the steps."""

SHARE = 0.01
"""Of all lines: a function that executes fewer is not looked at."""

WINDOWS = "derive/factoring", "eliminate"
"""What works in windows of stated size, and may grow faster until one is full."""

HEAD = """\
from math import cos, sin


def h(a: float, b: float) -> float:
    if a > b:
        return a * b
    return sin(a) + b


"""

STEP: Mapping[str, str] = {
    "branches": """\
        if y > x * y + {k}.0:
            y = sin(y) * x
        else:
            y = y * x + 0.5
        """,
    "loops": """\
        for j in range(m):
            y = sin(y) * x + {k}.0
        """,
    "loops in arms": """\
        if y > {k}.0:
            for j in range(m):
                y = sin(y) * x + {k}.0
        """,
    "arms in loops": """\
        for j in range(m):
            if y > {k}.0:
                y = sin(y) * x
            else:
                y = cos(y) * y * 0.5
        """,
    "loops left": """\
        while y > {k}.5:
            if x * y > 3.0:
                break
            y = y * 0.5 * x
        """,
    "assertions": """\
        assert y > -{k}.0
        y = y * x + sin(y)
        """,
    "exceptions": """\
        if y < -{k}.0:
            raise ValueError("bad")
        y = y * x + sin(y)
        """,
    "straight": """\
        y = y * x + sin(y) * {k}.5
        x = x / (1.0 + y * y)
        """,
    "elements": """\
        for j in range(m):
            v[j] = v[j] * x + {k}.0
        y = y + v[0] * v[1]
        """,
    "choices": """\
        y = sin(y) if x > {k}.5 else x * y
        """,
    "helpers": """\
        y = h(x, y) + {k}.0
        """,
    "lists": """\
        c{k} = [y * j for j in range(m)]
        y = y + max(c{k}) + c{k}[0]
        """,
    "cases": """\
        match m:
            case {k}:
                y = y * x
            case 7:
                x = sin(y)
        """,
}


def program(step: str, steps: int, kind: str) -> str:
    """A marked function of so many steps."""
    body = "".join(indent(dedent(step).format(k=k), "    ") for k in range(steps))
    head = (
        f'# ad: {kind}\ndef f(x: float, y: float, m: int, v: "Vector[p]") -> float:\n'
    )
    return f"{HEAD}{head}{body}    return x * y\n"


def executed(source: str) -> Counter[CodeType]:
    """The lines that each function of the package executes to transform a source."""
    lines: Counter[CodeType] = Counter()

    def count(frame: FrameType, event: str, _: object) -> Any:
        if event == "line":
            lines[frame.f_code] += 1
        return count

    def enter(frame: FrameType, _: str, __: object) -> Any:
        return count if "ad_transform" in frame.f_code.co_filename else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        made = run(source, effort=0)
    finally:
        sys.settrace(before)
    assert made.text is not None, made.diagnostics
    return lines


def check(source: Callable[[int], str], steps: int) -> None:
    run(source(2), effort=0)  # modules are loaded
    small, large = executed(source(steps)), executed(source(2 * steps))
    least = SHARE * large.total()
    again = {
        f"{code.co_filename}, {code.co_name}": count / max(small[code], 1)
        for code, count in large.items()
        if count > least
        and count > MOST * small[code]
        and not any(name in code.co_filename for name in WINDOWS)
    }
    print(f"{large.total() / small.total():.2f} times the lines")
    assert not again
    assert large.total() < MOST * small.total()


@pytest.mark.parametrize("kind", ["gradient(x, y)", "jvp(x, y)", "error"])
@pytest.mark.parametrize("name", STEP)
def test_no_function_walks_a_program_again_and_again(name: str, kind: str) -> None:
    check(lambda steps: program(STEP[name], steps, kind), STEPS)
