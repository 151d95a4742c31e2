"""Sums with a 0 are their other part, but for those of the value."""

from __future__ import annotations

import pytest
from programs import program
from support import generate, load

from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.sums.nothing_added import nothing_added
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import verify

SOURCE = """function f primal {primal} nest .
parameter x (%1: float)
parameter k (%2: int)
  %3: bool = gt(%1, 0.5)
  %4: float = branch %3 (%1, %2)
  then (%5: float, %6: int)
    %7: float = {total}
    %8: float = mul(%7, %5)
    give %8
  else (%9: float, %10: int)
    give %9
  give %4
"""
TOTALS = {
    "0 first": "add(0.0, %5)",
    "0 last": "add(%5, 0.0)",
    "no 0": "add(%5, 1.0)",
    "a whole number": "add(0.0, %6)",
}


@pytest.mark.parametrize("name", TOTALS)
def test_a_sum_with_0_is_its_other_part(name: str) -> None:
    before = program(SOURCE.format(primal=0, total=TOTALS[name]))
    made = nothing_added(before, TABLE)
    verify(made)
    assert ("add(" in format_function(made)) == (name in ("no 0", "a whole number"))
    for x in (0.25, 2.0):
        assert evaluate(made, (x, 3)) == evaluate(before, (x, 3))


def test_the_value_keeps_it() -> None:
    before = program(SOURCE.format(primal=1, total=TOTALS["0 first"]))
    assert nothing_added(before, TABLE) is before


@pytest.mark.parametrize(
    "total, is_negated", [("sub(0.0, %5)", True), ("sub(%5, 0.0)", False)]
)
def test_nothing_is_taken_from_a_number_and_none_from_0(
    total: str, is_negated: bool
) -> None:
    before = program(SOURCE.format(primal=0, total=total))
    made = nothing_added(before, TABLE)
    verify(made)
    assert "sub(" not in format_function(made)
    assert ("neg(" in format_function(made)) == is_negated
    for x in (0.25, 2.0):
        assert evaluate(made, (x, 3)) == evaluate(before, (x, 3))


SECANT = """\
# ad: gradient(c)
def f(c, x0, x1):
    for _ in range(9):
        slope = x1**3 - x0**3
        if slope == 0.0:
            break
        x0, x1 = x1, x1 - (x1**3 - c) * (x1 - x0) / slope
    return x1
"""


def test_no_adjoint_is_taken_from_a_0_that_each_trip_begins_with() -> None:
    made = generate(SECANT)
    assert "0.0 - " not in made and "0.0 + " not in made
    assert load(made)["f_grad"](2.0, 1.0, 1.5) == pytest.approx(2.0 ** (-2 / 3) / 3)


SUMS = """\
# ad: {kind}(x)
def f(x: "Vector[n]", k: "Vector[n, int]"):
    totals = {{}}
    for v, i in zip(x, k):
        totals[i] = totals.get(i, 0.0) + v
    return sum(t * t for t in totals.values())
"""


def test_a_new_key_of_a_histogram_has_no_0() -> None:
    made = generate(SUMS.format(kind="gradient"))
    assert "totals_value.append(v)" in made and "totals_value[get_at] += v" in made
    assert "totals_value_bar[get_at] = 0.0" not in made  # it would get back what it was
    assert "totals_value.append(0.0 + v)" in generate(SUMS.format(kind="vjp"))
