"""Formulas of engineering, finance and mathematics on ranges where they behave."""

from __future__ import annotations

import math

from rounding.formulas import Real, Table, entry

ENGINEERING: Table = {}
bounded = entry(ENGINEERING)


# --- physics and engineering ----------------------------------------------------------


@bounded((0.0, 0.4), (0.5, 1.0), (0.0, 3.14), (-3.14, -0.5))
def azimuth(lat1: Real, lat2: Real, lon1: Real, lon2: Real) -> Real:
    d = lon2 - lon1
    top = math.cos(lat2) * math.sin(d)
    side = math.cos(lat1) * math.sin(lat2) - math.sin(lat1) * math.cos(lat2) * math.cos(
        d
    )
    return math.atan(top / side)


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


@bounded((1.0, 1e3), (1.0, 1e3), (0.0, 0.1))
def pipe_flow(d: Real, p: Real, mu: Real) -> Real:
    return 3.141592653589793 * p * d * d * d * d / (128.0 * (mu + 1.0))


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
