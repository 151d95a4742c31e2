"""Formulas that cancel, or run over many orders of magnitude.

From Hamming's book, Herbie and Rump. The ranges are exponents of ten.
"""

from __future__ import annotations

import math

from rounding.formulas import Real, Table, entry

WIDE: Table = {}
wide = entry(WIDE)


@wide((0.0, 12.0))
def root_difference(x: Real) -> Real:
    return math.sqrt(x + 1.0) - math.sqrt(x)


@wide((-8.0, 0.0), (-8.0, 0.0))
def sine_difference(x: Real, e: Real) -> Real:
    return math.sin(x + e) - math.sin(x)


@wide((-6.0, 0.0))
def versine_over_sine(x: Real) -> Real:
    return (1.0 - math.cos(x)) / math.sin(x)


@wide((0.0, 8.0))
def reciprocal_difference(x: Real) -> Real:
    return 1.0 / (x + 1.0) - 1.0 / x


@wide((0.0, 5.0))
def second_reciprocal_difference(x: Real) -> Real:
    return 1.0 / (x + 1.0) - 2.0 / x + 1.0 / (x - 1.0)


@wide((-10.0, 0.0))
def exponential_less_one(x: Real) -> Real:
    return math.exp(x) - 1.0


@wide((-5.0, 0.0))
def twice_hyperbolic(x: Real) -> Real:
    return math.exp(x) - 2.0 + math.exp(-x)


@wide((0.0, 8.0))
def log_difference(n: Real) -> Real:
    return math.log(n + 1.0) - math.log(n)


@wide((-2.0, 2.0), (2.0, 5.0), (-2.0, 2.0))
def quadratic_plus(a: Real, b: Real, c: Real) -> Real:
    return (-b + math.sqrt(b * b - 4.0 * a * c)) / (2.0 * a)


@wide((-2.0, 2.0), (2.0, 5.0), (-2.0, 2.0))
def quadratic_minus(a: Real, b: Real, c: Real) -> Real:
    return (-b - math.sqrt(b * b - 4.0 * a * c)) / (2.0 * a)


@wide((-6.0, 3.0))
def one_minus_exponential(x: Real) -> Real:
    return (1.0 - math.exp(-2.0 * x)) / (1.0 + math.exp(-2.0 * x))


@wide((0.0, 6.0))
def cube_root_like(x: Real) -> Real:
    return (x + 1.0) ** 0.25 - x**0.25


@wide((0.0, 6.0))
def arc_tangent_difference(x: Real) -> Real:
    return math.atan(x + 1.0) - math.atan(x)


@wide((-6.0, -0.1))
def logarithm_quotient(x: Real) -> Real:
    return math.log(1.0 - x) / math.log(1.0 + x)


@wide((-3.0, 3.0), (-3.0, 3.0))
def complex_root_part(x: Real, y: Real) -> Real:
    return 0.5 * math.sqrt(2.0 * (math.sqrt(x * x + y * y) - x))


@wide((-5.0, 0.0))
def cotangent_less_pole(x: Real) -> Real:
    return 1.0 / x - 1.0 / math.tan(x)


@wide((-3.0, 3.0), (-3.0, 3.0), (-3.0, 3.0))
def variance_by_squares(x: Real, y: Real, z: Real) -> Real:
    return (x * x + y * y + z * z) / 3.0 - ((x + y + z) / 3.0) * ((x + y + z) / 3.0)


@wide((4.0, 5.0), (4.0, 5.0))
def rump(x: Real, y: Real) -> Real:
    return (
        333.75 * y**6
        + x * x * (11.0 * x * x * y * y - y**6 - 121.0 * y**4 - 2.0)
        + 5.5 * y**8
        + x / (2.0 * y)
    )
