"""Constants that only a run knows, in languages whose modules compute none."""

from __future__ import annotations

import pytest
from support import flat, generate, load

from ad_transform.diagnostics import Listing
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


FAR = cube(PAIR[0])


# ad: gradient(value=True), hessian, error, gradient(name="setting", packed=True)
def f(x, n: int):
    for _ in range(n):
        x = x * 3.0 * KT - PAIR[0] * math.sin(SAME * x)
    return x * LN2 + FAR
"""


def test_functions_compute_them_as_the_module_would():
    python = load(generate(SOURCE))
    for made in derive_all(SOURCE.encode(), "m.py", Options(target="c"), Listing())[1]:
        wanted = flat(
            python[made.function.name](*([0.7], 3) if made.vector else (0.7, 3))
        )
        assert evaluate(made.function, (0.7, 3)) == pytest.approx(wanted, rel=1e-15)


@pytest.mark.parametrize("target", ["c", "fortran"])
def test_they_stand_under_their_names(target):
    text = generate(SOURCE, target=target)
    assert " LN2 = log(2.0" in text and " KT = " in text and "SAME" not in text
