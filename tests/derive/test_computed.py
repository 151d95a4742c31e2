"""Constants that only a run knows, in languages whose modules compute none."""

from __future__ import annotations

import pytest
from amounts import ANY_ORDER
from support import flat, generate, load_generated

from ad_transform.diagnostics import Listing
from ad_transform.ir.count import count
from ad_transform.ir.evaluate import evaluate
from ad_transform.options import Options
from ad_transform.run.deriving import derive_all

SOURCE = """\
import math

R = 8.314
LN2 = math.log(2.0)
KT, _ = 0.5 * R * LN2, LN2
PAIR = (math.exp(KT) / R, 2.0)
SAME = LN2


def cube(x, factor=math.sin(1.0)):
    return factor * x**3


BASE = math.cos(0.3)
NEAR = BASE * PAIR[1]
FAR = cube(NEAR)


# ad: gradient(value=True), hessian, error, gradient(name="setting", packed=True)
def f(x, n: int):
    for _ in range(n):
        x = x * 3.0 * KT - PAIR[0] * math.sin(SAME * x)
    return x * LN2 + FAR


# ad: gradient
def g(x, y):
    return KT * x + 2.0 * LN2 * y
"""
AT = {"f": (0.7, 3), "g": (0.7, 0.4)}


def test_functions_compute_them_as_the_module_would():
    python = load_generated(SOURCE)
    for made in derive_all(SOURCE.encode(), "m.py", Options(target="c"), Listing())[1]:
        first, *others = at = AT[made.source]
        given = ([first], *others) if made.vector else at
        wanted = flat(python[made.function.name](*given))
        assert evaluate(made.function, at) == pytest.approx(wanted, rel=1e-15)
        assert made.counts == count(made.function)


@pytest.mark.parametrize("target", ["c", "fortran"])
def test_they_stand_under_their_names(target):
    text = generate(SOURCE, target=target, **ANY_ORDER)
    assert " LN2 = log(2.0" in text and " KT = " in text and "SAME" not in text
    assert "1.386" not in text  # 2.0 * LN2, whose digits the library has to know
