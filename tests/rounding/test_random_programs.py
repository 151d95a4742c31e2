"""Estimates of random programs: nothing wrong, and nothing raised.

A few run in the suite, always the same; `AD_TRANSFORM_PROGRAMS=20000` runs so many.
"""

from __future__ import annotations

import os
from itertools import islice

import pytest
from amounts import amount
from rounding.claims import broken, estimators
from rounding.scalar_programs import OPERATIONS, Case, Program, Step, Use, cases

from ad_transform.elementals import TABLE

COUNT = int(os.environ.get("AD_TRANSFORM_PROGRAMS", amount(3, 60)))
BATCH = min(COUNT, 20)


def written(text: str) -> Program:
    """The program of steps such as "mul 1e308 x; sin t0", in x, y, z."""
    lines = [line.split() for line in text.split(";")]
    width = max("xyz".find(word) for line in lines for word in line) + 1
    names = {name: k for k, name in enumerate("xyz"[:width])}
    steps = []
    for k, (op, *words) in enumerate(lines):
        args = (Use(names[w]) if w in names else _literal(w) for w in words)
        steps.append(Step(TABLE[op], tuple(args)))
        names[f"t{k}"] = width + k
    return Program(max(width, 1), tuple(steps))


def _literal(word: str) -> float | int:
    return int(word) if word.lstrip("-").isdigit() else float(word)


def check(found: list[Case]) -> None:
    """No claim is broken at any point of any case, all of them in one file."""
    own = estimators([case.program for case in found])
    for made, case in zip(own, found, strict=True):
        for point in case.points:
            wrong = list(broken(made, case.program, point))
            assert not wrong, (case.program.source("f"), point, wrong)


@pytest.mark.parametrize("batch", range(max(1, COUNT // BATCH)))
def test_no_claim_is_wrong(batch: int) -> None:
    check(list(islice(cases(f"estimates {batch}", 6), BATCH)))


def test_all_elementals_are_drawn() -> None:
    drawn = {s.op.name for c in islice(cases("all", 4), 900) for s in c.program.steps}
    assert drawn == {op.name for op in OPERATIONS}


# fmt: off
SMALLEST: list[tuple[str, tuple[float, ...]]] = [
    # a literal too large to be split
    ("mul 1e308 x",                              (-1.474,)),
    ("mul 1e308 x",                              (2e-173,)),
    # a floored quotient above 2**53 is rounded
    ("add x x; floordiv t0 7.0",                 (-4.8e17,)),
    # literals alone, and what is left of their error is no double
    ("div 1e-3 100",                             (1.0,)),
    ("mul 1e-200 3e-200",                        (1.0,)),
    ("mul -2.9 1e-300; mul 1.0 t0",              (1.0,)),
    ("mul x x; div t0 x",                        (-5e-324,)),
    ("mul 2.0 x; lgamma t0",                     (float("-inf"),)),
    # complex numbers on the way
    ("pow x 0.5; abs t0",                        (-2.0,)),
    ("pow x x; eq t0 x; mul 1.5 t1",             (-2.5,)),
    ("mul 0.1 x; fmod t0 y",                     (float("nan"), 1.0)),
    ("mul 0.1 x; mod y t0",                      (float("nan"), 1.0)),
    # whole numbers of more than 53 bits become floats, or cannot
    ("floor x; add 3 t0; mul 1.0 t1",            (-1.9e295,)),
    ("trunc x; mul t0 t0; gt x t1; mul 1.5 t2",  (1e200,)),
    ("round x; lgamma t0; trunc t1; add t2 t2; sub 4.5 t3", (1e217,)),
    # two overflows are not the same
    ("mul x x; mul 6.0 t0; ne t0 t1; mul 1.5 t2", (9e282,)),
    ("mul 2.0 x; mul 4.0 x; ne t0 t1; mul 1.5 t2", (9e307,)),
    # figures of the table that were too small
    ("dist x y y x; div t0 2.5",                 (-1023.9999999999999, 1.0)),
    ("logaddexp x y",                            (-0.7607397081725095,
                                                  -0.6293858035752723)),
    ("floordiv x y",                             (-2256560997475724.5,
                                                  -0.7758376495377433)),
    ("beta 327652.5 x",                          (0.00403,)),
    ("mul 0.1 x; beta t0 y",                     (1e-307, 0.3)),
    # slopes overflow, or their logarithms would have no argument
    ("mul 0.1 x; mul 0.1 y; fmod t0 t1",         (float("nan"), 0.0)),
    ("mul 0.1 x; digamma t0",                    (-1.9e-253,)),
    ("mul 0.1 x; digamma t0; abs t1; mul 1.0 t2", (1.9e-253,)),
    ("mul 1.5 x; rel_entr t0 y",                 (1.0, float("inf"))),
    ("mul 1.5 x; kl_div t0 y",                   (1e-300, 1e100)),
    # partials that underflow, of values with large adjoints
    ("mul -2.256963163041774e+251 x; neg t0; div x t1; add t0 t2; mul t2 t3; exp t4",
                                                 (-3.3,)),
    ("mul 1.1 x; div 1 t0; mul t1 1e200",        (7.283295647447792e+200,)),
    ("mul 1.1 x; mul 1.3 t0; pow t1 -2; mul t2 1e250", (2.3976910947110993e+120,)),
    # a partial that is a whole number
    ("round x; mul 0.1 x; fma t1 t0 t1; div 1 t2", (2.7,)),
    # beside zeros a relative error has no bound
    ("mul x x; entr t0; div 1 t1",               (0.9999999999995,)),
    ("mul x x; ndtri t0; div 1 t1",              (0.7071067811865475,)),
    ("mul 0.1 x; kl_div t0 y; div 1 t1",         (10.00000000000002, 1.0)),
    # digits of the exact result that are none
    ("exprel x; add t0 1; sub t0 t1",            (-7e-266,)),
    # of the second order, about which nothing is said
    ("mul 0.1 x; log t0; div 1 t1",              (10.000000001,)),
    # a sum whose terms cancel, where Python adds up without compensation
    ("add z -9007199254740992.0; copysign t0 z; logaddexp z t1; atan t2; "
     "sum y t3 t0 t3; div 4.7 t4", (-1.0, 9007199254740992.0, 2.0)),
]
# fmt: on


def test_smallest_cases() -> None:
    check([Case(written(text), (point,)) for text, point in SMALLEST])
