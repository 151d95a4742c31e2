"""External functions in C and Fortran: declared, and given by another file."""

from __future__ import annotations

from functools import cache
from typing import Any

import in_c
import in_fortran
import pytest
from amounts import NUMBERS
from support import flat, generate, load
from targets import Targets

SOURCE = """
import numpy as np


# ad: external
def g(x, y):
    return x * y * y


def g_jac(x, y):
    return y * y, 2.0 * x * y


# ad: external(shape=[2])
def h(v: "Vector[3]", k: int):
    return np.array([v[0] * v[1], k * v[2]])


def h_vjp(v, k, value, bar):
    return np.array([bar[0] * v[1], bar[0] * v[0], k * bar[1]])


# ad: gradient(x, y, value=True)
def f(x, y):
    a = g(x, y)
    b = h([x, y, a], 2)
    return a * b[0] + b[1]
"""
IN_C = """
double g(double x, double y) { return x * y * y; }
void g_jac(double x, double y, double result[2]) {
    result[0] = y * y;
    result[1] = 2.0 * x * y;
}
void h(const double v[3], int64_t k, double result[2]) {
    result[0] = v[0] * v[1];
    result[1] = (double)k * v[2];
}
void h_vjp(
    const double v[3], int64_t k, const double value[2], const double bar[2],
    double result[3]
) {
    (void)value;
    result[0] = bar[0] * v[1];
    result[1] = bar[0] * v[0];
    result[2] = (double)k * bar[1];
}
"""
IN_FORTRAN = """
function g(x, y) result(v)
  use, intrinsic :: iso_fortran_env, only: dp => real64
  real(dp), intent(in) :: x, y
  real(dp) :: v
  v = x * y * y
end function g

subroutine g_jac(x, y, result)
  use, intrinsic :: iso_fortran_env, only: dp => real64
  real(dp), intent(in) :: x, y
  real(dp), intent(out) :: result(2)
  result = [y * y, 2 * x * y]
end subroutine g_jac

subroutine h(v, k, result)
  use, intrinsic :: iso_fortran_env, only: dp => real64, ip => int64
  real(dp), intent(in) :: v(3)
  integer(ip), intent(in) :: k
  real(dp), intent(out) :: result(2)
  result = [v(1) * v(2), k * v(3)]
end subroutine h

subroutine h_vjp(v, k, value, bar, result)
  use, intrinsic :: iso_fortran_env, only: dp => real64, ip => int64
  real(dp), intent(in) :: v(3), value(2), bar(2)
  integer(ip), intent(in) :: k
  real(dp), intent(out) :: result(3)
  result = [bar(1) * v(2), bar(1) * v(1), k * bar(2)]
end subroutine h_vjp
"""
AT = {"x": 0.75, "y": -1.25}


MADE = Targets(SOURCE)


@cache
def wanted() -> Any:
    """What the same functions give that are looked into."""
    plain = SOURCE.replace("# ad: external\n", "").replace(
        "# ad: external(shape=[2])\n", ""
    )
    own = load(generate(plain, **NUMBERS))["f_value_and_grad"]
    return pytest.approx(flat(own(**AT)), rel=1e-15)


def test_in_c(tmp_path):
    (library,) = in_c.compiled([MADE.text("c") + IN_C], tmp_path, "-O0")
    assert in_c.functions(library, MADE.derived)["f_value_and_grad"](AT) == wanted()


def test_in_fortran(tmp_path):
    library = in_fortran.compiled(MADE.text("fortran") + IN_FORTRAN, tmp_path, "-O0")
    own = in_fortran.functions(library, "model_grad", MADE.derived)
    assert own["f_value_and_grad"](AT) == wanted()
