"""The reference interpreter against what Python computes."""

from __future__ import annotations

import math

import exact
import pytest
from mpmath import mp, mpf
from programs import (
    ARRAYS,
    BRANCHING,
    KEEPING,
    LOOPING,
    PRINTING,
    RECORDING,
    SCANNING,
    STRAIGHT,
    program,
)

from ad_transform.elementals import TABLE, residuals, whole
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.text import format_function


def run(text, *args):
    return evaluate(program(text), args)


def test_a_straight_line():
    assert run(STRAIGHT, 0.3, 0.7) == (math.sin(0.3 * 0.7) - 1.5,)


@pytest.mark.parametrize(("x", "y"), [(3.0, 2.0), (2.5, -9.0)])
def test_a_branch_takes_its_arm(x, y):
    # sqrt(-9) stands in the arm that is not taken
    assert run(BRANCHING, x, y) == (x, x - y)


def test_a_failed_check_raises_with_its_message():
    with pytest.raises(AssertionError, match=r"x is 2\.0 and y is 3\.0"):
        run(BRANCHING, 2.0, 3.0)


def test_what_is_printed(capsys):
    run(PRINTING, 2.0)
    run(PRINTING, 0.5)
    assert capsys.readouterr().out == "big 2.00.5\n\n"


@pytest.mark.parametrize("n", [0, 1, 5])
def test_a_scan_records_and_replays(n):
    powers = [2.0**k for k in range(n)]
    total = 0.0
    for p in reversed(powers):
        total = total * 0.5 + p
    assert run(SCANNING, 2.0, n) == (2.0**n, total)


def test_a_while_counts_its_trips():
    root, trips = run(LOOPING, 2.0)
    assert root == pytest.approx(math.sqrt(2.0), abs=1e-12)
    assert trips == 5


def test_a_while_records_in_the_order_of_its_trips():
    x, a, xs, steps = 2.0, 2.0, [], []
    while abs(x * x - a) > 1e-12:
        xs.append(x)
        steps.append(0.5 * (a / x - x))
        x += steps[-1]
    total, totals = 0.0, []
    for before, step in zip(reversed(xs), reversed(steps), strict=True):
        total = total - before * step + 1.0
        totals.insert(0, total)
    mixed = 0.0
    for one, before in zip(totals, xs, strict=True):
        mixed = mixed * one + before
    assert run(RECORDING, 2.0) == (x, mixed)


def test_arrays_are_consumed_but_never_the_callers():
    x = [1.0, 2.0, 3.0]
    assert run(ARRAYS, x, 5.0) == ([7.0, 2.0, 3.0, 5.0], [5.0, 2.0], x)
    assert run(KEEPING, 2.0, x) == (2.0, 2.0 * x[2])
    assert x == [1.0, 2.0, 3.0]


def test_the_exact_library_knows_every_elemental():
    # those of residuals, and those of sums, are about the rounding of doubles; whole
    # arrays are numpy's
    others = {*residuals.ROWS, *whole.ROWS, TABLE["sum_gap"], TABLE["total_of"]}
    rows = [row for row in TABLE.values() if row not in others]
    assert all(callable(exact.MPMATH(row)) for row in rows)


def test_the_exact_library_fails_loudly():
    stranger = TABLE["sin"].__class__("stranger", (), "float", (), abs, "", "call")
    with pytest.raises(KeyError, match="stranger"):
        exact.MPMATH(stranger)


def test_sixty_digits():
    (result,) = evaluate(program(STRAIGHT), (mpf("0.3"), mpf("0.7")), exact.MPMATH)
    assert abs(result - (mp.sin(mpf("0.21")) - 1.5)) < mpf(10) ** -58


@pytest.mark.parametrize("args", [(), (1.0,), (1.0, 2.0, 3.0)])
def test_a_wrong_number_of_arguments_is_an_error(args):
    with pytest.raises(ValueError, match="zip"):
        run(STRAIGHT, *args)


def test_the_program_is_left_alone():
    function = program(ARRAYS)
    evaluate(function, ([1.0, 2.0, 3.0], 5.0))
    assert format_function(function) == ARRAYS
