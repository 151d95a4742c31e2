"""The tool's time and its text grow about as fast as the source: there is no cliff.

Each family is a program of a size: levels inside one another, arms, ways out, calls. It
is transformed at two sizes, one twice the other. What is printed is p in size**p, of
time and of text; it is about the size itself for a pass that doubles with each level.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import log

import pytest
from support import run

Lines = list[str]

SMALL = 12
MOST_TIME, MOST_TEXT = 2.6, 2.2
"""Exponents. Most families have 1; where values of each level go through all others, as
what a loop records inside others does, there are as many as the square of the size.

So it is with levels of `if` round which a loop sums up something for each, with ways
out that record at each whatever a trip may record, and with types of lists of lists.
"""

HEAD = """\
from math import cos, sin


"""


def inside(lines: Lines) -> Lines:
    return [f"    {line}" for line in lines]


def levels_of_if(size: int) -> Lines:
    lines = ["y = y * x + 0.5"]
    for k in range(size):
        lines = [
            f"if y > 0.{k}1:",
            *inside(lines),
            "else:",
            f"    y = sin(y) + x * {k}.5",
        ]
    return lines


def levels_of_else(size: int) -> Lines:
    lines = ["y = y * x + 0.5"]
    for k in range(size):
        lines = [
            f"if y * {k}.5 > x:",
            f"    y = sin(y) + {k}.5",
            "else:",
            *inside(lines),
        ]
    return lines


def arms(size: int) -> Lines:
    words = ["if", *["elif"] * (size - 1)]
    rows = [
        (f"{word} y * {k}.5 < x + {k}:", f"    y = sin(y) * x + {k}.5")
        for k, word in enumerate(words)
    ]
    return [line for row in rows for line in row]


def ways_out(size: int) -> Lines:
    rows = [(f"if y > {k}.5:", "    break", f"y = y * x + {k}.5") for k in range(size)]
    return ["while y < 100.0:", *inside([line for row in rows for line in row])]


def early_returns(size: int) -> Lines:
    rows = [
        (f"if y > {k}.5:", f"    return y * {k}.5", "y = sin(y) * x")
        for k in range(size)
    ]
    return [line for row in rows for line in row]


def loops_one_after_another(size: int) -> Lines:
    return ["for j in range(m):", "    y = sin(y) * x"] * size


def branches_one_after_another(size: int) -> Lines:
    return ["if y > x * y + 1.0:", "    y = sin(y)", "else:", "    y = y * x"] * size


def loops_in_arms(size: int) -> Lines:
    lines = ["y = y * x"]
    for k in range(size):
        loop = ["for j in range(m):", f"    y = sin(y) + x * {k}.5"]
        lines = [f"if y > 0.{k}1:", *inside(loop), "else:", *inside(lines)]
    return lines


def carries(size: int) -> Lines:
    starts = [f"v{k} = y * {k}.5" for k in range(size)]
    steps = [f"v{k} = v{k} * x + v{(k + 1) % size}" for k in range(size)]
    return [*starts, "for j in range(m):", *inside(steps), f"y = v{size - 1} * v0"]


def nested_loops(size: int) -> Lines:
    lines = ["y = y * x + sin(y)"]
    for k in range(size // 2):
        lines = [f"for j{k} in range(m):", *inside(["y = cos(y) + x", *lines])]
    return lines


def long_trip(size: int) -> Lines:
    rows = [
        (
            f"b = y * x + {k}.0",
            "if b > 0.25:",
            "    x = b * x",
            "else:",
            "    y = sin(b)",
            "for j in range(m):",
            "    if y * j > x:",
            "        x = x - 0.1 * y",
        )
        for k in range(4 * size)
    ]
    return [line for row in rows for line in row]


FAMILIES: list[Callable[[int], Lines]] = [
    levels_of_if,
    levels_of_else,
    arms,
    ways_out,
    early_returns,
    loops_one_after_another,
    branches_one_after_another,
    loops_in_arms,
    carries,
    nested_loops,
    long_trip,
]


def chain(size: int) -> str:
    """Functions that call the one below twice."""
    text = "def h0(u, v):\n    return u * v + sin(u)\n\n\n"
    for k in range(1, size):
        calls = f"h{k - 1}(u * v, v)", f"h{k - 1}(cos(u), v)"
        text += f"def h{k}(u, v):\n    if u > 1.0:\n        return {calls[0]}\n"
        text += f"    return {calls[1]}\n\n\n"
    return text


def source(body: Lines, kind: str, functions: str = "") -> str:
    lines = ["for i in range(m):", *inside(body), "return y"]
    head = f"# ad: {kind}(x, y)\ndef f(x: float, y: float, m: int) -> float:\n"
    return HEAD + functions + head + "\n".join(inside(lines)) + "\n"


def cost(text: str) -> tuple[float, int]:
    """Seconds of processor time, and letters of the output but for indentation."""
    best = float("inf")
    for _ in range(2):
        start = time.process_time()
        made = run(text).text
        best = min(best, time.process_time() - start)
    assert made is not None
    return best, sum(len(line.lstrip()) for line in made.splitlines())


def check(name: str, small: str, large: str) -> None:
    cost(small)  # modules are loaded
    (t, letters), (u, more) = cost(small), cost(large)
    exponents = log(u / t, 2), log(more / letters, 2)
    print(
        f"{name:44s} time {exponents[0]:5.2f}   text {exponents[1]:5.2f}   {u:6.2f} s"
    )
    assert exponents[0] <= MOST_TIME
    assert exponents[1] <= MOST_TEXT


@pytest.mark.parametrize("kind", ["gradient", "hvp"])
@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.__name__)
def test_there_is_no_cliff(family: Callable[[int], Lines], kind: str) -> None:
    small, large = (source(family(size), kind) for size in (SMALL, 2 * SMALL))
    check(f"{family.__name__}, {kind}", small, large)


def test_calls_that_double_are_kept() -> None:
    small, large = (
        source([f"y = h{size - 1}(y, x)"], "gradient", chain(size))
        for size in (SMALL, 2 * SMALL)
    )
    check("calls that double", small, large)
