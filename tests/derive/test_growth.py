"""What nests of loops cost grows as powers of their depth: calls are counted."""

from __future__ import annotations

import cProfile

import pytest
from support import run


def calls(source: str) -> int:
    """How many calls of Python's functions make the output of a source."""
    profile = cProfile.Profile(builtins=False)
    profile.enable()
    result = run(source)
    profile.disable()
    assert result.text is not None, result.diagnostics
    return sum(entry.callcount for entry in profile.getstats())


def loops_around_a_sum(count: int) -> str:
    clauses = " ".join(f"for j{k} in range(m)" for k in range(count))
    return f"""\
# ad: gradient(x)
def f(x: float, m: int) -> float:
    return x + sum(x * x {clauses})
"""


def sums_in_sums(count: int) -> str:
    text = "x * x"
    for k in range(count):
        text = f"sum({text} + j{k} * x for j{k} in range(m))"
    return f"""\
# ad: gradient(x)
def f(x: float, m: int) -> float:
    return {text}
"""


@pytest.mark.parametrize("family", [loops_around_a_sum, sums_in_sums])
def test_work_does_not_double_with_each_loop_around(family):
    calls(family(1))  # fills what is made once in a process
    assert calls(family(8)) < 11 * calls(family(4))  # it was 16 times, and 33 times
