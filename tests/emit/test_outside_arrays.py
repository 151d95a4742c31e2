"""External functions of arrays of run-time length in C and Fortran."""

from __future__ import annotations

import re
from types import ModuleType
from typing import Any

import in_c
import in_fortran
import numpy as np
import pytest
from amounts import NUMBERS
from support import flat, generate, load
from targets import Targets

SOURCE = """
import numpy as np


# ad: external
def scaled(v: "Vector[n]", k: float) -> "Vector[n]":
    return k * v * v


def scaled_vjp(v, k, value, bar):
    return 2.0 * k * v * bar, float(bar @ (v * v))


def scaled_jvp(v, k, v_dot, k_dot):
    return 2.0 * k * v * v_dot + v * v * k_dot


# ad: external
def total(v: "Vector[n]", A: "Matrix[n, m]", p: "Vector[2]"):
    return float(np.sum(v @ A)) * p[0] + p[1]


def total_vjp(v, A, p, value, bar):
    s = float(np.sum(v @ A))
    v_bar = bar * p[0] * np.sum(A, axis=1)
    A_bar = bar * p[0] * np.outer(v, np.ones(A.shape[1]))
    return v_bar, A_bar, np.array([bar * s, bar])


# ad: external
def squared(A: "Matrix[n, m]", k: float) -> "Matrix[n, m]":
    return k * A * A


def squared_vjp(A, k, value, bar):
    return 2.0 * k * A * bar, float(np.sum(A * A * bar))


# ad: external(shape=[2])
def ends(v: "Vector[n]", p: "Vector[2]"):
    return np.array([v[0] * p[0], v[-1] * p[1]])


def ends_vjp(v, p, value, bar):
    v_bar = np.zeros(len(v))
    v_bar[0] += p[0] * bar[0]
    v_bar[-1] += p[1] * bar[1]
    return v_bar, np.array([v[0] * bar[0], v[-1] * bar[1]])


# ad: gradient(x, t)
def e(x: "Vector[n]", t: float):
    a, b = ends(x * t, (t, 2.0))
    return a * b


# ad: gradient(x, t), jvp, vjp
def f(x: "Vector[n]", t: float):
    return np.sum(np.sin(scaled(x * 2.0, t)))


# ad: gradient(x, A, t)
def g(x: "Vector[n]", A: "Matrix[n, m]", t: float):
    return total(x * t, A, (t, 2.0)) * x[0]


# ad: gradient(A, k)
def w(A: "Matrix[n, m]", k: float):
    B = squared(A.T, k)
    return np.sum(np.sin(B[0]) * B[1])
"""
IN_C = """
void scaled(const double *v, int64_t n, double k, double *result) {
    for (int64_t i = 0; i < n; i++) {
        result[i] = k * v[i] * v[i];
    }
}
void scaled_vjp(
    const double *v, int64_t n, double k, const double *value, const double *bar,
    double *v_bar, double *k_bar
) {
    (void)value;
    *k_bar = 0.0;
    for (int64_t i = 0; i < n; i++) {
        v_bar[i] = 2.0 * k * v[i] * bar[i];
        *k_bar += bar[i] * v[i] * v[i];
    }
}
void scaled_jvp(
    const double *v, int64_t n, double k, const double *v_dot, double k_dot,
    double *result
) {
    for (int64_t i = 0; i < n; i++) {
        result[i] = 2.0 * k * v[i] * v_dot[i] + v[i] * v[i] * k_dot;
    }
}
void ends(const double *v, int64_t n, const double p[2], double result[2]) {
    result[0] = v[0] * p[0];
    result[1] = v[n - 1] * p[1];
}
void ends_vjp(
    const double *v, int64_t n, const double p[2], const double value[2],
    const double bar[2], double *v_bar, double p_bar[2]
) {
    (void)value;
    for (int64_t i = 0; i < n; i++) {
        v_bar[i] = 0.0;
    }
    v_bar[0] += p[0] * bar[0];
    v_bar[n - 1] += p[1] * bar[1];
    p_bar[0] = v[0] * bar[0];
    p_bar[1] = v[n - 1] * bar[1];
}
static double sum(const double *v, int64_t n, const double *A, int64_t m) {
    double s = 0.0;
    for (int64_t i = 0; i < n * m; i++) {
        s += v[i / m] * A[i];
    }
    return s;
}
double total(
    const double *v, int64_t n, const double *A, int64_t m, const double p[2]
) {
    return sum(v, n, A, m) * p[0] + p[1];
}
void total_vjp(
    const double *v, int64_t n, const double *A, int64_t m, const double p[2],
    double value, double bar, double *v_bar, double *A_bar, double p_bar_1[2]
) {
    (void)value;
    for (int64_t i = 0; i < n; i++) {
        v_bar[i] = 0.0;
        for (int64_t j = 0; j < m; j++) {
            v_bar[i] += bar * p[0] * A[i * m + j];
            A_bar[i * m + j] = bar * p[0] * v[i];
        }
    }
    p_bar_1[0] = bar * sum(v, n, A, m);
    p_bar_1[1] = bar;
}
void squared(const double *A, int64_t n, int64_t m, double k, double *result) {
    for (int64_t i = 0; i < n * m; i++) {
        result[i] = k * A[i] * A[i];
    }
}
void squared_vjp(
    const double *A, int64_t n, int64_t m, double k, const double *value,
    const double *bar, double *A_bar, double *k_bar
) {
    (void)value;
    *k_bar = 0.0;
    for (int64_t i = 0; i < n * m; i++) {
        A_bar[i] = 2.0 * k * A[i] * bar[i];
        *k_bar += A[i] * A[i] * bar[i];
    }
}
"""
IN_FORTRAN = """
subroutine scaled(v, n, k, result)
  use, intrinsic :: iso_fortran_env, only: dp => real64, ip => int64
  integer(ip), intent(in) :: n
  real(dp), intent(in) :: v(n), k
  real(dp), intent(out) :: result(n)
  result = k * v * v
end subroutine scaled

subroutine scaled_vjp(v, n, k, value, bar, v_bar, k_bar)
  use, intrinsic :: iso_fortran_env, only: dp => real64, ip => int64
  integer(ip), intent(in) :: n
  real(dp), intent(in) :: v(n), k, value(n), bar(n)
  real(dp), intent(out) :: v_bar(n), k_bar
  v_bar = 2 * k * v * bar
  k_bar = sum(bar * v * v)
end subroutine scaled_vjp

subroutine scaled_jvp(v, n, k, v_dot, k_dot, result)
  use, intrinsic :: iso_fortran_env, only: dp => real64, ip => int64
  integer(ip), intent(in) :: n
  real(dp), intent(in) :: v(n), k, v_dot(n), k_dot
  real(dp), intent(out) :: result(n)
  result = 2 * k * v * v_dot + v * v * k_dot
end subroutine scaled_jvp

function total(v, n, A, m, p) result(s)
  use, intrinsic :: iso_fortran_env, only: dp => real64, ip => int64
  integer(ip), intent(in) :: n, m
  real(dp), intent(in) :: v(n), A(n, m), p(2)
  real(dp) :: s
  s = sum(matmul(v, A)) * p(1) + p(2)
end function total

subroutine total_vjp(v, n, A, m, p, value, bar, v_bar, A_bar, p_bar)
  use, intrinsic :: iso_fortran_env, only: dp => real64, ip => int64
  integer(ip), intent(in) :: n, m
  real(dp), intent(in) :: v(n), A(n, m), p(2), value, bar
  real(dp), intent(out) :: v_bar(n), A_bar(n, m), p_bar(2)
  v_bar = bar * p(1) * sum(A, 2)
  A_bar = bar * p(1) * spread(v, 2, m)
  p_bar = [bar * sum(matmul(v, A)), bar]
end subroutine total_vjp

subroutine ends(v, n, p, result)
  use, intrinsic :: iso_fortran_env, only: dp => real64, ip => int64
  integer(ip), intent(in) :: n
  real(dp), intent(in) :: v(n), p(2)
  real(dp), intent(out) :: result(2)
  result = [v(1) * p(1), v(n) * p(2)]
end subroutine ends

subroutine ends_vjp(v, n, p, value, bar, v_bar, p_bar)
  use, intrinsic :: iso_fortran_env, only: dp => real64, ip => int64
  integer(ip), intent(in) :: n
  real(dp), intent(in) :: v(n), p(2), value(2), bar(2)
  real(dp), intent(out) :: v_bar(n), p_bar(2)
  v_bar = 0
  v_bar(1) = v_bar(1) + p(1) * bar(1)
  v_bar(n) = v_bar(n) + p(2) * bar(2)
  p_bar = [v(1) * bar(1), v(n) * bar(2)]
end subroutine ends_vjp

subroutine squared(A, n, m, k, result)
  use, intrinsic :: iso_fortran_env, only: dp => real64, ip => int64
  integer(ip), intent(in) :: n, m
  real(dp), intent(in) :: A(n, m), k
  real(dp), intent(out) :: result(n, m)
  result = k * A * A
end subroutine squared

subroutine squared_vjp(A, n, m, k, value, bar, A_bar, k_bar)
  use, intrinsic :: iso_fortran_env, only: dp => real64, ip => int64
  integer(ip), intent(in) :: n, m
  real(dp), intent(in) :: A(n, m), k, value(n, m), bar(n, m)
  real(dp), intent(out) :: A_bar(n, m), k_bar
  A_bar = 2 * k * A * bar
  k_bar = sum(A * A * bar)
end subroutine squared_vjp
"""
X, A = [0.5, -1.25, 2.0], [[0.3, 0.7], [1.1, -0.4], [0.25, 0.5]]
AT: dict[str, dict[str, Any]] = {
    "e": {"x": X, "t": 0.75},
    "f": {"x": X, "t": 0.75, "x_dot": [1.0, 0.5, -2.0], "t_dot": 0.25, "f_bar": 2.0},
    "g": {"x": X, "A": A, "t": 0.75},
    "w": {"A": A, "k": 1.5},
}


MADE = Targets(SOURCE)


def in_numpy(values: dict[str, Any]) -> dict[str, Any]:
    return {n: np.array(v) if type(v) is list else v for n, v in values.items()}


def check(functions: Any) -> None:
    """See that all give what the same functions give that are looked into."""
    plain = load(generate(re.sub(r"# ad: external.*\n", "", SOURCE), **NUMBERS))
    for one in MADE.derived:
        name = one.function.name
        names = {p.name for p in one.function.parameters}
        values = {n: v for n, v in AT[one.source].items() if n in names}
        wanted = flat(plain[name](**in_numpy(values)))
        assert functions[name](values) == pytest.approx(wanted, rel=1e-13), name


def test_they_are_called_in_python():
    model = ModuleType("model")
    vars(model).update(load(SOURCE))
    own = load(MADE.text("math"), {"model": model})

    def calling(name: str) -> Any:
        return lambda values: flat(own[name](**in_numpy(values)))

    check({one.function.name: calling(one.function.name) for one in MADE.derived})


def test_they_are_called_in_c(tmp_path):
    text = in_c.counted(MADE.text("c")) + IN_C
    (library,) = in_c.compiled([text], tmp_path)
    functions = in_c.functions(library, MADE.flat("c"))
    check(functions)
    for most in range(6):
        library.ad_test_most(most)
        functions["g_grad"](AT["g"])
        assert library.ad_test_live() == 0


def test_they_are_called_in_fortran(tmp_path):
    text = IN_FORTRAN.replace("! ", "") + MADE.text("fortran")
    library = in_fortran.compiled(text, tmp_path)
    check(in_fortran.functions(library, "model_grad", MADE.flat("fortran")))
