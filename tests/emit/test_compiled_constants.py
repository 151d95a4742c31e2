"""Constants that numpy computes in Python are computed by C and Fortran themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import in_c
import in_fortran
import pytest
from amounts import ANY_ORDER
from support import flat, load_generated, run

SOURCE = """
import math
import numpy as np

BASE = np.array([0.5, 1.5, 2.5])
ROW = np.exp(np.arange(3))
TABLE = np.log(BASE)[::-1]
MATRIX = np.linalg.inv(np.outer(BASE, BASE) + np.exp(np.eye(3)))
TOTAL = np.sum(TABLE * BASE)
TIMES = tuple(math.exp(-k) for k in range(3))


# ad: gradient(x)
def form(x: "Vector[3]") -> float:
    return x @ MATRIX @ x + TOTAL * ROW @ x


# ad: gradient(x)
def at(x: float, i: int) -> float:
    return math.sin(x * TABLE[i]) + ROW[i] * x**2 + TIMES[i]


# ad: gradient(x)
def along(x: "Vector[n]") -> float:
    total = 0.0
    for i in range(len(x)):
        total += TABLE[i % 3] * x[i] ** 2
    return total
"""

POINTS = {
    "form_grad": {"x": [0.3, -1.2, 0.7]},
    "at_grad": {"x": 0.7, "i": 2},
    "along_grad": {"x": [0.3, -1.2, 0.7, 2.0]},
}


def _check(own: Any) -> None:
    python = load_generated(SOURCE)
    for name, values in POINTS.items():
        want = flat(python[name](**values))
        assert list(own[name](values)) == pytest.approx(want, rel=1e-12)


def test_c_finds_the_numbers_of_python(tmp_path: Path) -> None:
    made = run(SOURCE, target="c", **ANY_ORDER)
    assert made.text is not None, made.diagnostics
    (library,) = in_c.compiled([made.text], tmp_path)
    _check(in_c.functions(library, made.derived))


def test_fortran_finds_the_numbers_of_python(tmp_path: Path) -> None:
    made = run(SOURCE, target="fortran", **ANY_ORDER)
    assert made.text is not None, made.diagnostics
    library = in_fortran.compiled(made.text, tmp_path)
    _check(in_fortran.functions(library, "model_grad", made.derived))


@pytest.mark.parametrize("target", ["c", "fortran"])
def test_what_numpy_alone_computes_is_refused(target: str) -> None:
    source = "import numpy as np\nX, W = np.polynomial.legendre.leggauss(3)\n"
    source += "# ad: gradient(a)\ndef f(a: float) -> float:\n    return a * W[1]\n"
    assert [d.code for d in run(source, target=target).diagnostics] == ["AD033"]
