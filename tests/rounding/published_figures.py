"""Formulas that Rosa, FPTaylor and Daisy are measured with, on their ranges.

Straight-line ones, written down anew; what is in several collections stands here once,
and of Salsa's loops the first round. Daisy's train, ten long linear forms, is a table
of its own (`train`): an operation's share of a long sum is small, so the bound is far.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from operator import add
from typing import Any

from rounding.formulas import Real, Table, entry

PUBLISHED: Table = {}
published = entry(PUBLISHED)

# --- Rosa -----------------------------------------------------------------------------


def doppler(u: Real, v: Real, t: Real) -> Real:
    c = 331.4 + 0.6 * t
    return -c * v / ((c + u) * (c + u))


@published((-100.0, 100.0), (20.0, 20000.0), (-30.0, 50.0))
def doppler_1(u: Real, v: Real, t: Real) -> Real:
    return doppler(u, v, t)


@published((-125.0, 125.0), (15.0, 25000.0), (-40.0, 60.0))
def doppler_2(u: Real, v: Real, t: Real) -> Real:
    return doppler(u, v, t)


@published((-30.0, 120.0), (320.0, 20300.0), (-50.0, 30.0))
def doppler_3(u: Real, v: Real, t: Real) -> Real:
    return doppler(u, v, t)


@published((-15.0, 15.0), (-15.0, 15.0), (-15.0, 15.0))
def rigid_body_1(x: Real, y: Real, z: Real) -> Real:
    return -x * y - 2.0 * y * z - x - z


@published((-15.0, 15.0), (-15.0, 15.0), (-15.0, 15.0))
def rigid_body_2(x: Real, y: Real, z: Real) -> Real:
    return 2.0 * x * y * z + 3.0 * z * z - y * x * y * z + 3.0 * z * z - y


@published((-5.0, 5.0), (-20.0, 5.0))
def jet_engine(x: Real, y: Real) -> Real:
    t = 3.0 * x * x + 2.0 * y - x
    s = t / (x * x + 1.0)
    a = 2.0 * x * s * (s - 3.0) + x * x * (4.0 * s - 6.0)
    b = (3.0 * x * x - 2.0 * y - x) / (x * x + 1.0)
    return x + (a * (x * x + 1.0) + 3.0 * x * x * s + x * x * x + x + 3.0 * b)


@published((-4.5, -0.3), (0.4, 0.9), (3.8, 7.8))
def turbine_1(v: Real, w: Real, r: Real) -> Real:
    spin = w * w * r * r
    return 3.0 + 2.0 / (r * r) - 0.125 * (3.0 - 2.0 * v) * spin / (1.0 - v) - 4.5


@published((-4.5, -0.3), (0.4, 0.9), (3.8, 7.8))
def turbine_2(v: Real, w: Real, r: Real) -> Real:
    return 6.0 * v - 0.5 * v * (w * w * r * r) / (1.0 - v) - 2.5


@published((-4.5, -0.3), (0.4, 0.9), (3.8, 7.8))
def turbine_3(v: Real, w: Real, r: Real) -> Real:
    spin = w * w * r * r
    return 3.0 - 2.0 / (r * r) - 0.125 * (1.0 + 2.0 * v) * spin / (1.0 - v) - 0.5


@published((0.1, 0.3))
def verhulst(x: Real) -> Real:
    return 4.0 * x / (1.0 + x / 1.11)


@published((0.1, 0.3))
def predator_prey(x: Real) -> Real:
    return 4.0 * x * x / (1.0 + (x / 1.11) * (x / 1.11))


@published((0.1, 0.5))
def carbon_gas(v: Real) -> Real:
    p, t, a, b, n, k = 3.5e7, 300.0, 0.401, 42.7e-6, 1000.0, 1.3806503e-23
    return (p + a * (n / v) * (n / v)) * (v - n * b) - k * n * t


@published((-1.57079632679, 1.57079632679))
def sine_of_order_7(x: Real) -> Real:
    return (
        x
        - (x * x * x) / 6.0
        + (x * x * x * x * x) / 120.0
        - (x * x * x * x * x * x * x) / 5040.0
    )


@published((-2.0, 2.0))
def sine_of_order_3(x: Real) -> Real:
    return 0.954929658551372 * x - 0.12900613773279798 * (x * x * x)


@published((0.0, 1.0))
def square_root_series(x: Real) -> Real:
    return (
        1.0 + 0.5 * x - 0.125 * x * x + 0.0625 * x * x * x - 0.0390625 * x * x * x * x
    )


def heron(a: Real, b: Real, c: Real) -> Real:
    s = (a + b + c) / 2.0
    return math.sqrt(s * (s - a) * (s - b) * (s - c))


@published((9.0, 9.0), (4.71, 4.89), (4.71, 4.89))
def triangle(a: Real, b: Real, c: Real) -> Real:
    return heron(a, b, c)


def _enter_triangle(k: int) -> None:
    """Triangles of which two sides are longer than the third by 10**-k at least."""

    def is_one(a: float, b: float, c: float) -> bool:
        return min(a + b - c, b + c - a, c + a - b) > 10.0**-k

    def area(a: Real, b: Real, c: Real) -> Real:
        return heron(a, b, c)

    area.__name__ = f"triangle_{k}"
    published(*((1.0, 9.0),) * 3, given=is_one)(area)


for _k in range(1, 13):
    _enter_triangle(_k)


# --- FPTaylor -------------------------------------------------------------------------


@published((0.0, 999.0))
def introduction(t: Real) -> Real:
    return t / (t + 1.0)


@published((1.001, 2.0), (1.001, 2.0))
def section_4(x: Real, y: Real) -> Real:
    t = x * y
    return (t - 1.0) / (t * t - 1.0)


@published((1.0, 2.0), (1.0, 2.0), (1.0, 2.0))
def sum_3(x: Real, y: Real, z: Real) -> Real:
    return (x + y - z) + (y + z - x) + (z + x - y)


@published(*((1.0, 2.0),) * 8)
def sum_8(
    a: Real, b: Real, c: Real, d: Real, e: Real, f: Real, g: Real, h: Real
) -> Real:
    return a + b + c + d + e + f + g + h


@published((0.0, 1.0), (-1.0, -0.1))
def sum_over_difference(x: Real, y: Real) -> Real:
    return (x + y) / (x - y)


@published(*((-1.0, 1.0),) * 3, *((1e-5, 1.0),) * 6)
def quadrature_moment(
    m0: Real,
    m1: Real,
    m2: Real,
    w0: Real,
    w1: Real,
    w2: Real,
    a0: Real,
    a1: Real,
    a2: Real,
) -> Real:
    v2 = (w2 * (0.0 - m2)) * (-3.0 * (1.0 * (a2 / w2) * (a2 / w2)))
    v1 = (w1 * (0.0 - m1)) * (-3.0 * (1.0 * (a1 / w1) * (a1 / w1)))
    v0 = (w0 * (0.0 - m0)) * (-3.0 * (1.0 * (a0 / w0) * (a0 / w0)))
    return 0.0 + (v0 * 1.0 + (v1 * 1.0 + (v2 * 1.0 + 0.0)))


@published((1.00001, 2.0))
def nonlinear_1(x: Real) -> Real:
    return (x - 1.0) / (x * x - 1.0)


@published((1.00001, 2.0))
def nonlinear_2(x: Real) -> Real:
    return 1.0 / (x + 1.0)


@published((-1e-5, 1.00001), *((0.0, 1.0),) * 3)
def sum_4(a: Real, b: Real, c: Real, d: Real) -> Real:
    return a + b + c + d


@published((-1e-5, 1.00001), *((0.0, 1.0),) * 3)
def paired_sum_4(a: Real, b: Real, c: Real, d: Real) -> Real:
    return (a + b) + (c + d)


@published(*((4.0, 6.3504),) * 6)
def delta_4(a: Real, b: Real, c: Real, d: Real, e: Real, f: Real) -> Real:
    return -b * c + a * d + b * e + c * f - e * f + a * (-a + b + c - d + e + f)


@published(*((4.0, 6.3504),) * 6)
def delta(a: Real, b: Real, c: Real, d: Real, e: Real, f: Real) -> Real:
    return (
        a * d * (-a + b + c - d + e + f)
        + b * e * (a - b + c + d - e + f)
        + c * f * (a + b - c + d + e - f)
        + -b * c * d
        + -a * c * e
        + -a * b * f
        + -d * e * f
    )


@published((1.0, 1000.0))
def reciprocal_of_roots(x: Real) -> Real:
    return 1.0 / (math.sqrt(x + 1.0) + math.sqrt(x))


@published((0.01, 0.5))
def exponential_quotient(x: Real) -> Real:
    return (math.exp(x) - 1.0) / x


@published((0.01, 0.5))
def exponential_quotient_by_log(x: Real) -> Real:
    return (math.exp(x) - 1.0) / math.log(math.exp(x))


@published((0.0, 2.0), (0.0, 2.0), given=lambda x, y: x + y <= 2.0)
def floudas_sum(x: Real, y: Real) -> Real:
    return x + y


@published((1.0, 4.0), (1.0, 4.0))
def part_of_the_whole(x: Real, y: Real) -> Real:
    return x / (x + y)


@published((1.0, 100.0), (1.0, 100.0))
def hypotenuse(x: Real, y: Real) -> Real:
    return math.sqrt(x * x + y * y)


@published((-8.0, 8.0))
def log_of_one_plus_exp(x: Real) -> Real:
    return math.log(1.0 + math.exp(x))


@published((0.1, 10.0), (-5.0, 5.0))
def root_of_sum(x: Real, y: Real) -> Real:
    return math.sqrt(x + y * y)


@published((0.1, 10.0), (-5.0, 5.0))
def sine_of_product(x: Real, y: Real) -> Real:
    return math.sin(x * y)


@published((-5.0, 5.0), (-5.0, 5.0))
def himmelblau(x: Real, y: Real) -> Real:
    p = x * x + y - 11.0
    q = x + y * y - 7.0
    return p * p + q * q


def _is_feasible(a: float, b: float, c: float, d: float, e: float, f: float) -> bool:
    return (
        (c - 3.0) * (c - 3.0) + d >= 4.0
        and (e - 3.0) * (e - 3.0) + f >= 4.0
        and 2.0 - a + 3.0 * b >= 0.0
        and 2.0 + a - b >= 0.0
        and 6.0 - a - b >= 0.0
        and a + b >= 2.0
    )


@published(
    *((0.0, 6.0), (0.0, 6.0), (1.0, 5.0), (0.0, 6.0), (0.0, 6.0), (0.0, 10.0)),
    given=_is_feasible,
)
def floudas_1(a: Real, b: Real, c: Real, d: Real, e: Real, f: Real) -> Real:
    return (
        -25.0 * ((a - 2.0) * (a - 2.0))
        - (b - 2.0) * (b - 2.0)
        - (c - 1.0) * (c - 1.0)
        - (d - 4.0) * (d - 4.0)
        - (e - 1.0) * (e - 1.0)
        - (f - 4.0) * (f - 4.0)
    )


@published(
    (0.0, 3.0),
    (0.0, 4.0),
    given=lambda x, y: (
        y <= 2.0 * x**4 - 8.0 * x**3 + 8.0 * x**2
        and y <= 4.0 * x**4 - 32.0 * x**3 + 88.0 * x**2 - 96.0 * x + 36.0
    ),
)
def floudas_2(x: Real, y: Real) -> Real:
    return -x - y


@published((0.0, 2.0), (0.0, 3.0), given=lambda x, y: 2.0 - 2.0 * x**3 * y >= y)
def floudas_3(x: Real, y: Real) -> Real:
    return -12.0 * x - 7.0 * y + y * y


def _hartman(
    weights: tuple[tuple[float, ...], ...], places: tuple[tuple[float, ...], ...]
) -> Callable[..., Any]:
    """The sum of four bells with the heights 1, 1.2, 3 and 3.2, upside down."""

    def bell(
        height: float, weight: tuple[float, ...], place: tuple[float, ...], at: Real
    ) -> Real:
        terms = (
            w * ((x - p) * (x - p)) for x, w, p in zip(at, weight, place, strict=True)
        )
        return height * math.exp(-reduce(add, terms))

    def bells(*at: Real) -> Real:
        heights = (1.0, 1.2, 3.0, 3.2)
        shapes = zip(heights, weights, places, strict=True)
        return -reduce(add, (bell(*shape, at) for shape in shapes))

    return bells


_HARTMAN_3 = _hartman(
    ((3.0, 10.0, 30.0), (0.1, 10.0, 35.0), (3.0, 10.0, 30.0), (0.1, 10.0, 35.0)),
    (
        (0.3689, 0.117, 0.2673),
        (0.4699, 0.4387, 0.747),
        (0.1091, 0.8732, 0.5547),
        (0.03815, 0.5743, 0.8828),
    ),
)
_HARTMAN_6 = _hartman(
    (
        (10.0, 3.0, 17.0, 3.5, 1.7, 8.0),
        (0.05, 10.0, 17.0, 0.1, 8.0, 14.0),
        (3.0, 3.5, 1.7, 10.0, 17.0, 8.0),
        (17.0, 8.0, 0.05, 10.0, 0.1, 14.0),
    ),
    (
        (0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886),
        (0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991),
        (0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.665),
        (0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381),
    ),
)


@published(*((0.0, 1.0),) * 3)
def hartman_3(a: Real, b: Real, c: Real) -> Real:
    return _HARTMAN_3(a, b, c)


@published(*((0.0, 1.0),) * 6)
def hartman_6(a: Real, b: Real, c: Real, d: Real, e: Real, f: Real) -> Real:
    return _HARTMAN_6(a, b, c, d, e, f)


@published(*((4.0, 6.36),) * 6)
def kepler_0(a: Real, b: Real, c: Real, d: Real, e: Real, f: Real) -> Real:
    return b * e + c * f - b * c - e * f + a * (-a + b + c - d + e + f)


@published(*((4.0, 6.36),) * 4)
def kepler_1(a: Real, b: Real, c: Real, d: Real) -> Real:
    return (
        a * d * (-a + b + c - d)
        + b * (a - b + c + d)
        + c * (a + b - c + d)
        - b * c * d
        - a * c
        - a * b
        - d
    )


@published(*((4.0, 6.36),) * 6)
def kepler_2(a: Real, b: Real, c: Real, d: Real, e: Real, f: Real) -> Real:
    return (
        a * d * (-a + b + c - d + e + f)
        + b * e * (a - b + c + d - e + f)
        + c * f * (a + b - c + d + e - f)
        - b * c * d
        - a * c * e
        - a * b * f
        - d * e * f
    )


@published((-10.0, 10.0), (0.0, 10.0), (-1.570796, 1.570796), (-3.14159265, 3.14159265))
def sphere(x: Real, r: Real, latitude: Real, longitude: Real) -> Real:
    return x + r * math.sin(latitude) * math.cos(longitude)


# --- Daisy ----------------------------------------------------------------------------


@published((1.0, 100.0), (1.0, 100.0))
def polar_angle(x: Real, y: Real) -> Real:
    return math.atan(y / x) * (180.0 / 3.14159265359)


@published((1.0, 10.0), (0.0, 360.0))
def cartesian_x(r: Real, degrees: Real) -> Real:
    return r * math.cos(degrees * (3.14159265359 / 180.0))


@published((1.0, 10.0), (0.0, 360.0))
def cartesian_y(r: Real, degrees: Real) -> Real:
    return r * math.sin(degrees * (3.14159265359 / 180.0))


@published((0.0, 300.0), (1.0, 50.0), (1.0, 100.0), (0.001, 0.004), (1.0, 12.0))
def alternating_current(
    time: Real, resistance: Real, frequency: Real, inductance: Real, voltage: Real
) -> Real:
    pi = 3.14159265359
    reactance = 2.0 * pi * frequency * inductance
    squared = resistance * resistance + reactance * reactance
    real = voltage * resistance / squared
    imaginary = -(voltage * reactance) / squared
    peak = math.sqrt(real * real + imaginary * imaginary)
    phase = math.atan(imaginary / real)
    return peak * math.cos(2.0 * pi * frequency * time + phase)


@published(*((-10.0, 10.0),) * 9)
def determinant(
    a: Real,
    b: Real,
    c: Real,
    d: Real,
    e: Real,
    f: Real,
    g: Real,
    h: Real,
    i: Real,
) -> Real:
    return (a * e * i + b * f * g + c * d * h) - (c * e * g + b * d * i + a * f * h)


@published(*((-10.0, 10.0),) * 9)
def determinant_again(
    a: Real,
    b: Real,
    c: Real,
    d: Real,
    e: Real,
    f: Real,
    g: Real,
    h: Real,
    i: Real,
) -> Real:
    return (a * (e * i) + (g * (b * f) + c * (d * h))) - (
        e * (c * g) + (i * (b * d) + a * (f * h))
    )


@published((0.0, 1.0))
def spline_0(u: Real) -> Real:
    return (1.0 - u) * (1.0 - u) * (1.0 - u) / 6.0


@published((0.0, 1.0))
def spline_1(u: Real) -> Real:
    return (3.0 * u * u * u - 6.0 * u * u + 4.0) / 6.0


@published((0.0, 1.0))
def spline_2(u: Real) -> Real:
    return (-3.0 * u * u * u + 3.0 * u * u + 3.0 * u + 1.0) / 6.0


@published((0.0, 1.0))
def spline_3(u: Real) -> Real:
    return -(u * u * u) / 6.0


@published((-2.0, 2.0), (-5.0, 5.0))
def pendulum_angle(t: Real, w: Real) -> Real:
    h, length, g = 0.01, 2.0, 9.80665
    return t + h * (w + h / 2.0 * (-g / length * math.sin(t)))


@published((-2.0, 2.0), (-5.0, 5.0))
def pendulum_speed(t: Real, w: Real) -> Real:
    h, length, g = 0.01, 2.0, 9.80665
    return w + h * (-g / length * math.sin(t + h / 2.0 * w))


@published((-1.57079632679, 1.57079632679))
def analysis_1(x: Real) -> Real:
    s, c = math.sin(x), math.cos(x)
    return s * s * c * c


@published((-1.1, 0.9))
def analysis_2(x: Real) -> Real:
    secant, t = 1.0 / math.cos(x), math.tan(x)
    return secant * secant / (4.0 + t * t)


# --- Salsa, first rounds --------------------------------------------------------------


def _wheels(left: Real, right: Real) -> tuple[Real, Real]:
    a, b = 12.34 * left, 12.34 * right
    return (a + b) * 0.5, (b - a) * 0.1 * 0.5


@published((0.52, 0.53), (0.785398163397, 0.785398163397))
def odometry_x(left: Real, right: Real) -> Real:
    way, angle = _wheels(left, right)
    cosine = 1.0 - angle * angle * 0.5 + angle * angle * angle * angle / 24.0
    return way * cosine


@published((0.52, 0.53), (0.785398163397, 0.785398163397))
def odometry_y(left: Real, right: Real) -> Real:
    way, angle = _wheels(left, right)
    cube = angle * angle * angle
    return way * (angle - cube / 6.0 + cube * angle * angle / 120.0)


@published((4.5, 9.0))
def controller(m: Real) -> Real:
    e = 5.0 - m
    return m + 0.01 * (9.4514 * e + 0.69006 * 0.2 * e + 2.8454 * 5.0 * e)


@published((2.1, 17.9))
def lead_lag(y: Real) -> Real:
    return 564.48 * y + -1280.0 * y


@published((1.11, 2.22))
def trapezoid(u: Real) -> Real:
    h, a = 199.99, 0.25
    b = a + h
    left = u / (0.7 * a * a * a - 0.6 * a * a + 0.9 * a - 0.2)
    right = u / (0.7 * b * b * b - 0.6 * b * b + 0.9 * b - 0.2)
    return (right + left) * 0.5 * h
