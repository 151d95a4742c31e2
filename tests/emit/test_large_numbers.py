"""Factorials, choices, divisors and powers of numbers that only a run knows."""

from __future__ import annotations

import math
from math import comb, factorial, gcd, isqrt, lcm, perm
from typing import Any

import in_c
import in_fortran
import mpmath
import pytest
from support import flat, generate, load, run
from targets import Targets

SOURCE = """
import math
from math import comb, factorial, gcd, isqrt, lcm, perm

from scipy import special


# ad: gradient(x, value=True), hvp(x), error(x), taylor(x, degree=2)
def series(x: float, n: int):
    s = 0.0
    for k in range(n):
        s += x**k / factorial(k)
    return s


# ad: gradient(x, value=True), hvp(x)
def bernstein(x: float, n: int):
    s = 0.0
    for k in range(n + 1):
        s += comb(n, k) * x**k * (1.0 - x) ** (n - k) * math.cos(k)
    return s


# ad: gradient(x, value=True)
def arms(x: float, n: int):
    c = factorial(n)
    s = 0.0
    for k in range(isqrt(n) + lcm(n, 3, 2) % 3):
        d = comb(n, k) if k % 2 == 0 else k + 1
        if comb(n, gcd(n, 4)) > x:
            s += x * d / c + (factorial(n) * (d - 1) + 2) / factorial(n + 1)
        if c // 7 > 100:
            s = s * x
    return s + perm(n, 2) * x + special.comb(n, 2) / special.factorial(n) * x * x


# ad: gradient(x, value=True)
def powers(x: float, n: int):
    whole = x * 2 ** (1 - n) + x * (n + 1) ** -2 + (-2) ** -1 * x
    return whole + 3**n * x + (-0.5) ** 2 * x


# ad: gradient(x, value=True)
def edges(x: float, n: int):
    if n == 13:
        return x * math.exp(-1000.0)
    if n == 30:
        return x * math.log(math.sin(0.0)) + math.sqrt(-1.0)
    if n == 90:
        return x * (1 / 0) + x / 0 + math.cosh(1000) + 0.0**-1.0
    return x * math.log(3.0)


# ad: jvp(x)
def all_of_them(x: float, n: int, k: int):
    ways = comb(n, k) * x, perm(n, k) * x, factorial(n) * x
    return *ways, gcd(n, -k), lcm(-n, k), isqrt(n)
"""
POINTS = [{"x": x, "n": n} for x in (0.3, 1.25) for n in (0, 1, 4, 13, 30, 90)]
KNOWN = [(n, k) for n in (0, 1, 5, 20, 21, 23, 40, 66, 67, 100) for k in (0, 1, 2, 7)]
MADE = Targets(SOURCE)


@pytest.fixture(scope="module", params=["c", "fortran"])
def functions(request: Any, tmp_path_factory: Any) -> Any:
    """The functions in a language, of arguments by name."""
    folder = tmp_path_factory.mktemp("numbers")
    text = MADE.text(request.param)
    if request.param == "c":
        (library,) = in_c.compiled([in_c.counted(text)], folder)
        return in_c.functions(library, MADE.flat("c"))
    own = in_fortran.compiled(text, folder, "-fcheck=all")
    return in_fortran.functions(own, "model_grad", MADE.flat("fortran"))


@pytest.mark.parametrize("source", ["series", "bernstein", "arms", "powers"])
def test_large_numbers_are_floats_where_floats_are_made_of_them(
    source: str, functions: Any
) -> None:
    own = load(MADE.text("math"))
    for one in MADE.derived:
        name = one.function.name
        for at in POINTS if one.source.endswith(source) else ():
            given = at | ({"x_dot": 0.5} if name.endswith("hvp") else {})
            wanted = flat(own[name](**given))
            near = 1e-3 if name.endswith("err") else 1e-13
            assert functions[name](given) == pytest.approx(wanted, rel=near, abs=1e-14)


@pytest.mark.parametrize("n", [1, 13, 30, 90])
def test_what_no_compiler_computes_is_left_to_the_run(n: int, functions: Any) -> None:
    at = {"x": 0.3, "n": n}
    found = functions["edges_value_and_grad"](at)
    if n in (1, 13):
        own = load(MADE.text("math"))["edges_value_and_grad"]
        assert found == flat(own(**at))
    else:  # Python raises
        assert not any(map(math.isfinite, found))


@pytest.mark.parametrize(("n", "k"), KNOWN)
def test_numbers_are_rounded_once(n: int, k: int, functions: Any) -> None:
    at = {"x": 1.0, "n": n, "k": k, "x_dot": 0.0}
    found = functions["all_of_them_jvp"](at)[:6]
    ways = [float(comb(n, k)), float(perm(n, k)), float(factorial(n))]
    assert found == [*ways, gcd(n, k), lcm(n, k), isqrt(n)]


def test_in_python_they_are_exact() -> None:
    own = load(MADE.text("math"))["series_value_and_grad"]
    value, slope = own(1.5, 40)
    assert value == pytest.approx(float(mpmath.exp(1.5)), rel=1e-15)
    assert slope == pytest.approx(value, rel=1e-15)


def test_roots_of_whole_numbers_are_exact(functions: Any) -> None:
    at = {"x": 1.0, "k": 1, "x_dot": 0.0}
    for root in (1, 2, 94906267, 3037000499):
        for n in (root * root - 1, root * root):
            found = functions["all_of_them_jvp"](at | {"n": n, "k": 0})[5]
            assert found == isqrt(n)


def test_floats_are_refused() -> None:
    source = "import math\n\n\n# ad: gradient\ndef f(x):\n    return math.comb(x, 2)\n"
    (found,) = run(source).diagnostics
    assert found.code == "AD106" and "takes whole numbers" in found.message


def test_written_numbers_are_known() -> None:
    source = (
        "import math\n\n\n# ad: gradient\ndef f(x):\n    return x * math.comb(5, 2)\n"
    )
    assert "return 10" in generate(source)
