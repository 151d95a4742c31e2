"""What nests of loops cost grows as powers of their depth, what long trips cost in
proportion to their length: calls are counted.
"""

from __future__ import annotations

import cProfile

import pytest
from support import run


def calls(source: str, names: frozenset[str] = frozenset()) -> int:
    """How many calls of Python's functions make the output of a source, or of those
    that have some names.
    """
    profile = cProfile.Profile(builtins=False)
    profile.enable()
    result = run(source)
    profile.disable()
    assert result.text is not None, result.diagnostics
    return sum(
        entry.callcount
        for entry in profile.getstats()
        if not names or getattr(entry.code, "co_name", "") in names
    )


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


def branches_in_a_trip(count: int) -> str:
    rows = "".join(
        f"        b = sin(x) - y\n        if b > {k}.5:\n            x = b * x\n"
        f"        else:\n            x = x + y\n"
        for k in range(count)
    )
    return f"""\
from math import sin


# ad: jvp(x)
def f(x: float, y: float, m: int) -> float:
    for i in range(m):
{rows}    return x
"""


def test_a_trip_is_looked_through_as_often_however_long_it_is():
    looks = frozenset({"values_in", "written"})
    short, long = (calls(branches_in_a_trip(n), looks) for n in (6, 12))
    assert long < 2.2 * short  # it was 2.8 times, and 3.1 times from 12 to 24
