"""Two terms that several sums have in common up to a factor are made once."""

from __future__ import annotations

import math

import pytest
from mpmath import mp, mpf
from support import generate, load
from test_operands import EXACT, counts, read, values

from ad_transform.derive.factoring.sharing import BINOMIALS
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.simplify import LAWS

# fmt: off
MADE_ONCE = [  # values of w, x, y, z, and the operations that are left
    ("w*x-w*y*z; z*x-y*z*z",             4, "x - y * z, times w and times z"),
    ("2*w/z-2*x*w/z; 2*y/z-x*(2*y/z)",   5, "1 - x, with the quotient in parts"),
    ("w*x+10*w*y; z*x+10*z*y",           4, "x + 10 * y"),
    ("w*x-3*w*y+1/z; 6*z*y-2*z*x+w",     8, "a multiple, with the other sign"),
    ("w*x-w*y; z*x+z*y",                 6, "x - y is not x + y"),
    ("w*x+w*y; z*x+2*z*y",               7, "x + 2 * y is no multiple of x + y"),
    ("w*x/x+w*y; z*x/x+z*y",             8, "what cancels is left alone"),
    ("1e-200*w*x+w*y; 1e-200*z*x+z*y",   8, "numbers that take values to 0"),
]
# fmt: on


@pytest.mark.parametrize(("formulas", "left", "why"), MADE_ONCE)
def test_common_binomials_are_made_once(formulas, left, why):
    before, after = counts(BINOMIALS, formulas)
    assert after.total == left, why
    assert after.total <= before.total


def test_what_the_value_needs_is_left_as_it_is():
    given = read("w*x-w*y*z; z*x-y*z*z")
    assert BINOMIALS.share(Builder(TABLE, LAWS), *given, 2) == given
    body, results = BINOMIALS.share(Builder(TABLE, LAWS), *given, 1)
    assert results[0] is given[1][0]
    assert values(body, results, EXACT) == values(*given, EXACT)


@pytest.mark.parametrize("number", ["0.0", "1e400", "-1e400"])
@pytest.mark.parametrize("sign", "*/")
def test_what_numbers_take_out_of_range_is_left_as_it_is(number, sign):
    given = read(f"w*x{sign}{number}+w*y; z*x{sign}{number}+z*y")
    assert BINOMIALS.share(Builder(TABLE, LAWS), *given, 0) == given


BREIT_WIGNER = """
# ad: gradient(value=True)
def resonance(e: float, m: float, g: float) -> float:
    d = e * e - m * m
    return g * g * m * m / (d * d + m * m * g * g)
"""


def test_slopes_of_a_quotient_share_what_both_parts_have():
    """n and d have m * m * g * g in common: slopes hold `1 - n / d`."""
    text = generate(BREIT_WIGNER)
    assert "Operations: 24 " in text
    made = load(text)["resonance_value_and_grad"]
    with mp.workdps(40):
        for point in [(1.3, 1.2, 0.3), (1e-160, 2.0, 0.5), (3e70, 1e70, 1e68)]:
            e, m, g = map(mpf, point)
            below = (e * e - m * m) ** 2 + m * m * g * g
            slope = 2 * m * m * g * (1 - m * m * g * g / below) / below
            found = made(*point)[1][2]
            assert math.isclose(found, slope, rel_tol=1e-13, abs_tol=1e-300)
