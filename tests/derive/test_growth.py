"""Nothing that is made of a source grows faster than it: counts of calls, not times."""

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
def test_work_is_in_proportion(family):
    first, second, third = (calls(family(count)) for count in (2, 4, 8))
    assert third - second < 6 * (second - first)
