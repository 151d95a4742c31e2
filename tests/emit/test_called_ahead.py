"""Functions that call each other, in C and Fortran."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import in_c
import in_fortran
import pytest
from amounts import ANY_ORDER
from support import flat, load_generated, run

from ad_transform.emit.compiled.flattening import flattened

SOURCE = """
import math


def even(x: float, n: int) -> float:
    if n == 0:
        return x
    return odd(math.sin(x), n - 1) * x


def odd(x: float, n: int) -> float:
    if n == 0:
        return 1.0 + x
    return even(x * 0.5, n - 1) + x


# ad: gradient(x), jvp(x)
def f(x: float, n: int) -> float:
    return even(x, n)


# ad: gradient(u)
def hanoi(u: "Vector[m]", v: "Vector[m]", n: int) -> float:
    return moved(u, v, n)


def moved(u, v, n):
    if n == 0:
        return u @ v
    return turned(v * u[0], u, n - 1) + v[0]


def turned(u, v, n):
    if n == 0:
        return np.sum(u * u * v)
    return moved(v, u * 0.5, n - 1)
"""
SOURCE = SOURCE.replace("import math\n", "import math\n\nimport numpy as np\n")
POINTS: dict[str, dict[str, Any]] = {
    "f_grad": {"x": 0.7, "n": 5},
    "f_jvp": {"x": 0.7, "x_dot": 0.3, "n": 4},
    "hanoi_grad": {"u": [0.3, -0.5], "v": [1.5, 0.25], "n": 3},
}


def _check(own: Any) -> None:
    python = load_generated(SOURCE)
    for name, values in POINTS.items():
        want = flat(python[name](**values))
        assert list(own[name](values)) == pytest.approx(want, rel=1e-12)


def _made(target: str) -> tuple[str, list[Any]]:
    made = run(SOURCE, target=target, **ANY_ORDER)
    assert made.text is not None, made.diagnostics
    return made.text, [flattened(one, target)[0] for one in made.derived]


def test_in_c(tmp_path: Path) -> None:
    text, derived = _made("c")
    assert text.count("static void ad_even_jac(") == 2  # declared, too
    (library,) = in_c.compiled([text], tmp_path)
    _check(in_c.functions(library, derived))


def test_in_fortran(tmp_path: Path) -> None:
    text, derived = _made("fortran")
    library = in_fortran.compiled(text, tmp_path)
    _check(in_fortran.functions(library, "model_grad", derived))
