"""Formulas of the numerical-accuracy literature with their usual input ranges.

Written down anew from the descriptions in the benchmarks of Rosa, FPTaylor, Salsa,
Herbie and from Hamming's book. `BOUNDED` have ranges on which they are well-behaved;
`WIDE` cancel, or run over many orders of magnitude (their ranges are exponents of ten).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

Range = tuple[float, float]
Real = Any
BOUNDED: dict[str, tuple[Callable[..., Any], tuple[Range, ...]]] = {}
WIDE: dict[str, tuple[Callable[..., Any], tuple[Range, ...]]] = {}


def bounded(*ranges: Range) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        BOUNDED[function.__name__] = (function, ranges)
        return function

    return enter


def wide(*ranges: Range) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        WIDE[function.__name__] = (function, ranges)
        return function

    return enter


# --- physics and engineering ----------------------------------------------------------


@bounded((-100.0, 100.0), (20.0, 20000.0), (-30.0, 50.0))
def doppler_slow(u: Real, v: Real, t: Real) -> Real:
    c = 331.4 + 0.6 * t
    return -c * v / ((c + u) * (c + u))


@bounded((-125.0, 125.0), (15.0, 25000.0), (-40.0, 60.0))
def doppler_middle(u: Real, v: Real, t: Real) -> Real:
    c = 331.4 + 0.6 * t
    return -c * v / ((c + u) * (c + u))


@bounded((-30.0, 120.0), (320.0, 20300.0), (-50.0, 30.0))
def doppler_fast(u: Real, v: Real, t: Real) -> Real:
    c = 331.4 + 0.6 * t
    return -c * v / ((c + u) * (c + u))


@bounded((-15.0, 15.0), (-15.0, 15.0), (-15.0, 15.0))
def rigid_body_1(x: Real, y: Real, z: Real) -> Real:
    return -x * y - 2.0 * y * z - x - z


@bounded((-15.0, 15.0), (-15.0, 15.0), (-15.0, 15.0))
def rigid_body_2(x: Real, y: Real, z: Real) -> Real:
    return 2.0 * x * y * z + 3.0 * z * z - y * x * y * z + 3.0 * z * z - y


@bounded((-4.5, -0.3), (0.4, 0.9), (3.8, 7.8))
def turbine_1(v: Real, w: Real, r: Real) -> Real:
    spin = w * w * r * r
    return 3.0 + 2.0 / (r * r) - 0.125 * (3.0 - 2.0 * v) * spin / (1.0 - v) - 4.5


@bounded((-4.5, -0.3), (0.4, 0.9), (3.8, 7.8))
def turbine_2(v: Real, w: Real, r: Real) -> Real:
    return 6.0 * v - 0.5 * v * (w * w * r * r) / (1.0 - v) - 2.5


@bounded((-4.5, -0.3), (0.4, 0.9), (3.8, 7.8))
def turbine_3(v: Real, w: Real, r: Real) -> Real:
    spin = w * w * r * r
    return 3.0 - 2.0 / (r * r) - 0.125 * (1.0 + 2.0 * v) * spin / (1.0 - v) - 0.5


@bounded((-5.0, 5.0), (-20.0, 5.0))
def jet_engine(x: Real, y: Real) -> Real:
    t = 3.0 * x * x + 2.0 * y - x
    d = x * x + 1.0
    s = t / d
    a = 2.0 * x * s * (s - 3.0) + x * x * (4.0 * s - 6.0)
    return x + (
        a * d + 3.0 * x * x * s + x * x * x + x + 3.0 * (3.0 * x * x + 2.0 * y - x) / d
    )


@bounded((0.1, 0.3))
def verhulst(x: Real) -> Real:
    return 4.0 * x / (1.0 + x / 1.11)


@bounded((0.1, 0.3))
def predator_prey(x: Real) -> Real:
    return 4.0 * x * x / (1.0 + (x / 1.11) * (x / 1.11))


@bounded((0.1, 0.5))
def carbon_gas(v: Real) -> Real:
    p, t, a, b, n, k = 3.5e7, 300.0, 0.401, 42.7e-6, 1000.0, 1.3806503e-23
    return (p + a * (n / v) * (n / v)) * (v - n * b) - k * n * t


@bounded(*((4.0, 6.36),) * 6)
def kepler_0(a: Real, b: Real, c: Real, d: Real, e: Real, f: Real) -> Real:
    return b * e + c * f - b * c - e * f + a * (-a + b + c - d + e + f)


@bounded(*((4.0, 6.36),) * 4)
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


@bounded(*((4.0, 6.36),) * 6)
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


@bounded((-5.0, 5.0), (-5.0, 5.0))
def himmelblau(x: Real, y: Real) -> Real:
    p = x * x + y - 11.0
    q = x + y * y - 7.0
    return p * p + q * q


@bounded((-10.0, 10.0), (0.0, 6.28), (-1.57, 1.57))
def on_a_sphere(x: Real, angle: Real, height: Real) -> Real:
    return x + 3.0 * math.sin(height) * math.cos(angle)


@bounded((0.0, 0.4), (0.5, 1.0), (0.0, 3.14), (-3.14, -0.5))
def azimuth(lat1: Real, lat2: Real, lon1: Real, lon2: Real) -> Real:
    d = lon2 - lon1
    top = math.cos(lat2) * math.sin(d)
    side = math.cos(lat1) * math.sin(lat2) - math.sin(lat1) * math.cos(lat2) * math.cos(
        d
    )
    return math.atan(top / side)


@bounded((1.0, 100.0), (1.0, 100.0))
def polar_radius(x: Real, y: Real) -> Real:
    return math.sqrt(x * x + y * y)


@bounded((1.0, 100.0), (1.0, 100.0))
def polar_angle(x: Real, y: Real) -> Real:
    return math.atan(y / x) * (180.0 / 3.14159265359)


@bounded((1.0, 10.0), (0.0, 360.0))
def cartesian_x(r: Real, degrees: Real) -> Real:
    return r * math.cos(degrees * (3.14159265359 / 180.0))


@bounded((1.0, 10.0), (0.0, 360.0))
def cartesian_y(r: Real, degrees: Real) -> Real:
    return r * math.sin(degrees * (3.14159265359 / 180.0))


@bounded((-2.0, 2.0), (-2.0, 2.0))
def pendulum_kick(angle: Real, speed: Real) -> Real:
    middle = angle + 0.005 * speed
    return speed - 0.01 * (9.80665 / 2.0) * math.sin(middle)


@bounded((1.0, 20.0), (1.0, 20.0))
def heat_exchange(hot: Real, cold: Real) -> Real:
    return (hot - cold) / math.log((hot + 25.0) / (cold + 0.5))


@bounded((0.5, 2.0), (0.5, 2.0), (0.1, 1.0))
def lens_maker(r1: Real, r2: Real, d: Real) -> Real:
    n = 1.5168
    return 1.0 / ((n - 1.0) * (1.0 / r1 + 1.0 / r2 - (n - 1.0) * d / (n * r1 * r2)))


@bounded((250.0, 400.0), (0.02, 0.2))
def van_der_waals(t: Real, v: Real) -> Real:
    return 8.314 * t / (v - 3.2e-5) - 0.1378 / (v * v)


@bounded((250.0, 400.0))
def antoine(t: Real) -> Real:
    return math.exp(18.3036 - 3816.44 / (t - 46.13))


@bounded((0.01, 0.3), (1.0e4, 1.0e6))
def haaland(roughness: Real, reynolds: Real) -> Real:
    root = -1.8 * math.log10((roughness / 3.7) ** 1.11 + 6.9 / reynolds)
    return 1.0 / (root * root)


@bounded((0.8, 1.2), (0.8, 1.2), (-0.1, 0.1))
def power_flow(v1: Real, v2: Real, angle: Real) -> Real:
    return v1 * v1 * 1.5 - v1 * v2 * (1.5 * math.cos(angle) + 6.0 * math.sin(angle))


@bounded((80.0, 120.0), (90.0, 110.0), (0.1, 0.5))
def black_scholes_d1(spot: Real, strike: Real, sigma: Real) -> Real:
    return (math.log(spot / strike) + 0.05 + 0.5 * sigma * sigma) / sigma


# --- approximations -------------------------------------------------------------------


@bounded((-1.57079632679, 1.57079632679))
def sine_polynomial(x: Real) -> Real:
    return (
        x
        - (x * x * x) / 6.0
        + (x * x * x * x * x) / 120.0
        - (x * x * x * x * x * x * x) / 5040.0
    )


@bounded((-2.0, 2.0))
def sine_cubic(x: Real) -> Real:
    return 0.954929658551372 * x - 0.12900613773279798 * (x * x * x)


@bounded((0.0, 1.0))
def square_root_series(x: Real) -> Real:
    return (
        1.0 + 0.5 * x - 0.125 * x * x + 0.0625 * x * x * x - 0.0390625 * x * x * x * x
    )


@bounded((0.0, 1.0))
def spline_0(u: Real) -> Real:
    return (1.0 - u) * (1.0 - u) * (1.0 - u) / 6.0


@bounded((0.0, 1.0))
def spline_1(u: Real) -> Real:
    return (3.0 * u * u * u - 6.0 * u * u + 4.0) / 6.0


@bounded((0.0, 1.0))
def spline_2(u: Real) -> Real:
    return (-3.0 * u * u * u + 3.0 * u * u + 3.0 * u + 1.0) / 6.0


@bounded((0.0, 1.0))
def spline_3(u: Real) -> Real:
    return -u * u * u / 6.0


@bounded((-1.0, 1.0))
def exponential_pade(x: Real) -> Real:
    return (12.0 + x * (6.0 + x)) / (12.0 - x * (6.0 - x))


@bounded((-1.0, 1.0))
def chebyshev_7(x: Real) -> Real:
    y = x * x
    return x * (-7.0 + y * (56.0 + y * (-112.0 + y * 64.0)))


@bounded((1.0, 8.0))
def stirling(n: Real) -> Real:
    return math.sqrt(2.0 * math.pi * n) * (n / math.e) ** n * (1.0 + 1.0 / (12.0 * n))


@bounded((-8.0, 8.0))
def log_of_one_plus_exp(x: Real) -> Real:
    return math.log(1.0 + math.exp(x))


@bounded((0.01, 0.5))
def exponential_quotient(x: Real) -> Real:
    return (math.exp(x) - 1.0) / x


@bounded((0.01, 0.5))
def exponential_quotient_by_log(x: Real) -> Real:
    return (math.exp(x) - 1.0) / math.log(math.exp(x))


@bounded((0.001, 9999.0))
def shrinking_quotient(z: Real) -> Real:
    return z / (z + 1.0)


@bounded((1.001, 2.0), (1.001, 2.0))
def product_less_one(x: Real, y: Real) -> Real:
    t = x * y
    return (t - 1.0) / (t * t - 1.0)


@bounded((0.1, 10.0), (-5.0, 5.0))
def root_of_sum(x: Real, y: Real) -> Real:
    return math.sqrt(x + y * y)


@bounded((0.1, 10.0), (-5.0, 5.0))
def sine_of_product(x: Real, y: Real) -> Real:
    return math.sin(x * y)


@bounded((1.0, 2.0), (1.0, 2.0), (1.0, 2.0))
def three_sums(x: Real, y: Real, z: Real) -> Real:
    p, q, r = x + y - z, x - y + z, -x + y + z
    return p + q + r


@bounded(*((0.0, 1.0),) * 6)
def floudas(a: Real, b: Real, c: Real, d: Real, e: Real, f: Real) -> Real:
    return (
        -25.0 * (a - 2.0) ** 2
        - (b - 2.0) ** 2
        - (c - 1.0) ** 2
        - (d - 4.0) ** 2
        - (e - 1.0) ** 2
        - (f - 4.0) ** 2
    )


@bounded((-100.0, 100.0), (-100.0, 100.0), (-100.0, 100.0))
def determinant_3(a: Real, b: Real, c: Real) -> Real:
    return a * (b * c - 9.0) - b * (2.0 * c - 7.0) + c * (6.0 - 0.3 * b)


@bounded(*((4.0, 6.36),) * 6)
def delta_of_simplex(a: Real, b: Real, c: Real, d: Real, e: Real, f: Real) -> Real:
    return (
        a * d * (-a + b + c - d + e + f)
        + b * e * (a - b + c + d - e + f)
        + c * f * (a + b - c + d + e - f)
        - b * c * d
        - a * (c * e + b * f)
        - d * (e * f)
    )


@bounded((1.0, 9.0), (1.0, 9.0), (9.0, 9.9))
def triangle_area(a: Real, b: Real, c: Real) -> Real:
    a, b = a + 9.0, b + 9.0
    s = (a + b + c) / 2.0
    return math.sqrt(s * (s - a) * (s - b) * (s - c))


@bounded((-1.0, 1.0), (-1.0, 1.0))
def rosenbrock(x: Real, y: Real) -> Real:
    return 100.0 * (y - x**2) ** 2 + (1.0 - x) ** 2


@bounded((0.5, 2.0), (0.5, 2.0), (0.5, 2.0))
def harmonic_mean(x: Real, y: Real, z: Real) -> Real:
    return 3.0 / (1.0 / x + 1.0 / y + 1.0 / z)


@bounded((0.1, 1.0), (0.2, 0.9))
def eccentric_anomaly_step(m: Real, e: Real) -> Real:
    guess = m + e * math.sin(m)
    return guess - (guess - e * math.sin(guess) - m) / (1.0 - e * math.cos(guess))


@bounded((0.5, 3.0), (0.5, 3.0))
def newton_cube_root(a: Real, x: Real) -> Real:
    y = (2.0 * x + a / (x * x)) / 3.0
    return (2.0 * y + a / (y * y)) / 3.0


@bounded((-3.0, 3.0))
def gaussian(x: Real) -> Real:
    return math.exp(-x * x / 2.0) / math.sqrt(2.0 * math.pi)


@bounded((0.0, 1.0), (0.0, 1.0), (0.0, 1.0), (0.0, 1.0))
def lorentz_interval(t: Real, x: Real, y: Real, z: Real) -> Real:
    return t * t - x * x - y * y - z * z


@bounded((0.5, 1.5), (0.5, 1.5))
def runge_kutta_step(y: Real, t: Real) -> Real:
    h = 0.1
    k1 = t - y * y
    k2 = (t + h / 2.0) - (y + h / 2.0 * k1) * (y + h / 2.0 * k1)
    k3 = (t + h / 2.0) - (y + h / 2.0 * k2) * (y + h / 2.0 * k2)
    k4 = (t + h) - (y + h * k3) * (y + h * k3)
    return y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


@bounded((1.0, 10.0), (1.0, 10.0), (1.0, 10.0))
def matrix_trace_power(a: Real, b: Real, c: Real) -> Real:
    p, q, r = a * a + b * c, a * b + b * c, c * a + c * c
    return p * a + q * c + r * b


# --- small ones -----------------------------------------------------------------------


@bounded(*((1.0, 2.0),) * 8)
def eight_terms(
    a: Real, b: Real, c: Real, d: Real, e: Real, f: Real, g: Real, h: Real
) -> Real:
    return a + b + c + d + e + f + g + h


@bounded((0.0, 1.0), (-1.0, -0.1))
def sum_over_difference(x: Real, y: Real) -> Real:
    return (x + y) / (x - y)


@bounded((1.0, 4.0), (1.0, 4.0))
def part_of_the_whole(x: Real, y: Real) -> Real:
    return x / (x + y)


@bounded(*((-1e-5, 1.00001),) * 4)
def alternating_four(a: Real, b: Real, c: Real, d: Real) -> Real:
    return a + b - c - d


@bounded(*((-1e-5, 1.00001),) * 4)
def paired_four(a: Real, b: Real, c: Real, d: Real) -> Real:
    return (a + b) - (c + d)


@bounded((0.0, 2.0), (0.0, 3.0))
def floudas_quadratic(x: Real, y: Real) -> Real:
    return -12.0 * x - 7.0 * y + y * y


@bounded((0.0, 3.0), (0.0, 4.0))
def floudas_linear(x: Real, y: Real) -> Real:
    return -x - y


@bounded((1.0, 1e3), (1.0, 1e3), (0.0, 0.1))
def pipe_flow(d: Real, p: Real, mu: Real) -> Real:
    return 3.141592653589793 * p * d * d * d * d / (128.0 * (mu + 1.0))


@bounded((0.0, 300.0), (0.0, 300.0))
def ac_current(t: Real, r: Real) -> Real:
    return 50.0 / (r + 1.0) * math.sin(0.01 * t)


@bounded((40.0, 150.0), (1.2, 2.2))
def body_mass_index(mass: Real, height: Real) -> Real:
    return mass / (height * height)


@bounded((-40.0, 120.0))
def fahrenheit(celsius: Real) -> Real:
    return celsius * 9.0 / 5.0 + 32.0


@bounded((-10.0, 10.0), (-10.0, 10.0), (-10.0, 10.0), (-10.0, 10.0))
def determinant_2(a: Real, b: Real, c: Real, d: Real) -> Real:
    return a * d - b * c


@bounded((0.1, 10.0), (0.1, 10.0))
def parallel_resistors(x: Real, y: Real) -> Real:
    return x * y / (x + y)


@bounded((0.0, 1.0), (-5.0, 5.0), (-5.0, 5.0))
def interpolation(t: Real, a: Real, b: Real) -> Real:
    return a + t * (b - a)


@bounded((0.5, 20.0), (1.0, 10.0))
def free_fall(time: Real, height: Real) -> Real:
    return height - 0.5 * 9.80665 * time * time


@bounded((0.1, 100.0), (0.0, 0.9))
def lorentz_factor(mass: Real, beta: Real) -> Real:
    return mass / math.sqrt(1.0 - beta * beta)


@bounded((100.0, 1000.0), (0.0, 0.1), (1.0, 30.0))
def compound_interest(capital: Real, rate: Real, years: Real) -> Real:
    return capital * (1.0 + rate) ** years


@bounded((0.1, 5.0), (0.1, 5.0), (0.1, 5.0))
def box_diagonal(a: Real, b: Real, c: Real) -> Real:
    return math.sqrt(a * a + b * b + c * c)


@bounded((1.0, 2.0))
def trapeze_integrand(u: Real) -> Real:
    return u / (0.7 * u * u * u - 0.6 * u * u + 0.9 * u - 0.2)


@bounded((-2.0, 2.0), (-2.0, 2.0), (-2.0, 2.0))
def controller_step(error: Real, last: Real, total: Real) -> Real:
    return (
        9.4514 * error + 0.69006 * (total + error * 0.2) + 2.8454 / 0.2 * (error - last)
    )


@bounded((-2.0, 2.0), (-2.0, 2.0), (-2.0, 2.0))
def lead_lag_step(x: Real, y: Real, input_: Real) -> Real:
    return 0.499 * x - 0.05 * y + input_ - 0.001 * x * y


@bounded((0.05, 0.1), (-3.0, 3.0), (-10.0, 10.0))
def odometry_step(speed: Real, angle: Real, x: Real) -> Real:
    return x + speed * math.cos(angle)


@bounded((6.4e6, 4.2e7), (100.0, 5000.0))
def gravity(r: Real, mass: Real) -> Real:
    return 6.674e-11 * 5.972e24 * mass / (r * r)


@bounded((-3.0, 3.0), (-3.0, 3.0), (-3.0, 3.0), (-3.0, 3.0))
def complex_product(a: Real, b: Real, c: Real, d: Real) -> Real:
    return a * d + b * c


@bounded((0.1, 10.0), (0.1, 10.0))
def square_root_step(x: Real, a: Real) -> Real:
    return 0.5 * (x + a / x)


@bounded((2.5, 4.0), (0.0, 1.0))
def logistic_map(r: Real, x: Real) -> Real:
    return r * x * (1.0 - x)


@bounded((0.5, 100.0), (0.5, 30.0))
def kinetic_energy(mass: Real, speed: Real) -> Real:
    return 0.5 * mass * speed * speed


@bounded((1.0, 10.0), (250.0, 350.0), (0.01, 0.1))
def ideal_gas(moles: Real, kelvin: Real, volume: Real) -> Real:
    return moles * 8.31446261815324 * kelvin / volume


@bounded((0.0, 6.28), (-5.0, 5.0), (-5.0, 5.0))
def rotation(angle: Real, x: Real, y: Real) -> Real:
    return math.cos(angle) * x - math.sin(angle) * y


@bounded((0.1, 3.0), (0.1, 3.0), (0.1, 3.0))
def ellipsoid_volume(a: Real, b: Real, c: Real) -> Real:
    return 4.0 / 3.0 * math.pi * a * b * c


@bounded((-5.0, 5.0), (-5.0, 5.0), (-5.0, 5.0), (-5.0, 5.0))
def dot_product(a: Real, b: Real, c: Real, d: Real) -> Real:
    return a * c + b * d


@bounded((0.0, 5.0), (0.1, 2.0))
def decay(time: Real, rate: Real) -> Real:
    return math.exp(-rate * time)


@bounded((1.0, 100.0), (0.1, 10.0))
def pendulum_period(length: Real, gravity_: Real) -> Real:
    return 6.283185307179586 * math.sqrt(length / gravity_)


# --- cancellation ---------------------------------------------------------------------


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
