# ruff: noqa
"""Functions under every import spelling, numpy's names on scalars included."""

import math
import math as m
import numpy as np
import numpy
from math import atan2 as angle, log1p, sqrt
from numpy import arctan2, log as ln


def aliases(x, y):
    return m.sin(x) * math.cos(y) + sqrt(x * x + y * y) + angle(y, x)


def numpy_names(x, y):
    return np.sin(x) * numpy.cos(y) + np.sqrt(x * x + y * y) + arctan2(y, x)


def numpy_inverse(x):
    return np.arcsin(x) + 2.0 * np.arccos(x) * np.arctan(x) - np.arctanh(x / 2.0)


def numpy_hyperbolic(x):
    return np.sinh(x) * np.tanh(x) - np.cosh(x) + np.arcsinh(x) + np.arccosh(x + 3.0)


def numpy_powers(x, y):
    return np.square(x) * np.power(y, 3) + np.reciprocal(x) + np.cbrt(y)


def numpy_logs(x):
    return ln(x) * np.log2(x) - np.log10(x) * np.log1p(x) + np.expm1(x) * np.exp2(x)


def numpy_arithmetic(x, y):
    return np.add(x, y) * np.subtract(x, y) / np.multiply(x, np.negative(y))


def numpy_constants(x):
    return np.pi * x * x + np.e * x + np.exp(np.float64(2.0) * x)


def numpy_extremes(x, y):
    return np.maximum(x, y) * x + np.minimum(x, y * y) + np.clip(x, -0.5, 10.0)


def numpy_angles(x):
    return np.deg2rad(x) * np.rad2deg(x) + np.hypot(x, 2.0) + np.degrees(x)


def cotangent(x):
    return 1.0 / math.tan(x) + 1 / m.tan(2.0 * x)


def logarithms(x, b):
    return math.log(x, b) + math.log(x, 10) + log1p(x) + math.log2(x) * math.log10(b)


def cubes(x):
    return math.cbrt(x) * math.exp2(x) + m.expm1(x)


def errors(x):
    return math.erf(x) * math.erfc(x / 2.0) + math.exp(-x * x)


def gammas(x):
    return math.gamma(x) / 10.0 + math.lgamma(x) * x


def lengths(x, y, z):
    return math.hypot(x, y, z) * math.hypot(x) + math.dist((x, y), (y, z))


def sums(x, y, z):
    return math.fsum([x, y * y, z]) * math.prod((x, y, z)) + sum([x, y, 3.0 * z])


def sum_with_start(x, y):
    return sum((x, y, x * y), 2.0) * sum([x * x, y])


def products(x, y):
    return math.prod([x, y, x], start=2.0) * x


def extremes(x, y, z):
    return max(x, y) * min(y, z) + max(x, y, z) - min([x, y * z, z]) + abs(x - y)


def absolute(x, y):
    return abs(x * y) + math.fabs(y) * x - abs(-3.0) * x


def signs(x, y):
    return math.copysign(x, y) * x + math.fmod(x * 7.0, y) + math.remainder(x, y)


def modulus(x, y):
    return (x * x) % y + x % 0.75 + x // y * x


def steps(x):
    return math.floor(x) * x + math.ceil(x) * x * x - math.trunc(x) + round(x) * x


def decimals(x, n: int):
    return round(x, 1) * x + round(x, n) * x * x - round(x * x, -1) * x


def angles(x):
    return math.degrees(math.sin(x)) + math.radians(x) * x


def powers(x, y):
    return x**y + pow(x, 3) + pow(x, y) * math.pow(y, x) + x**-2 + x**0.5 + 2.0**x


def powers_of_a_sum(x):
    return (x + 1.0) ** 7 - (x - 2.0) ** 2 + (x * x) ** 1.5 + x**4 / 4 + x**0 + x**1


def half_powers(x):
    return x**0.5 * x**-0.5 + x**1.5 - x**2.5 + x**-1.5 + x**0.25


def casts(x, n: int):
    return float(n) * x + float(x) * x


def unary(x, y):
    return -x * +y - -x + -(-y) * -(x * -y)


POINTS = {
    "aliases": ((1.3, -0.7), (3.0, 2.0)),
    "numpy_names": ((1.3, -0.7), (3.0, 2.0)),
    "numpy_inverse": ((0.3,), (-0.7,)),
    "numpy_hyperbolic": ((1.3,), (-0.7,)),
    "numpy_powers": ((1.3, 0.7), (3.0, -2.0)),
    "numpy_logs": ((1.3,), (0.7,)),
    "numpy_arithmetic": ((1.3, -0.7), (3.0, 2.0)),
    "numpy_constants": ((1.3,), (-0.7,)),
    "numpy_extremes": ((1.3, -0.7), (3.0, 2.0)),
    "numpy_angles": ((1.3,), (-0.7,)),
    "cotangent": ((1.3,), (-0.7,)),
    "logarithms": ((1.3, 3.0), (0.7, 0.5)),
    "cubes": ((1.3,), (-0.7,)),
    "errors": ((1.3,), (-0.7,)),
    "gammas": ((1.3,), (2.7,), (-1.4,)),
    "lengths": ((1.3, -0.7, 0.4), (3.0, 2.0, -1.0)),
    "sums": ((1.3, -0.7, 0.4), (3.0, 2.0, 1.0)),
    "sum_with_start": ((1.3, -0.7), (3.0, 2.0)),
    "products": ((1.3, -0.7), (3.0, 2.0)),
    "extremes": ((1.3, -0.7, 0.4), (3.0, 2.0, 1.0), (-1.0, 2.0, -3.0)),
    "absolute": ((1.3, -0.7), (-3.0, 2.0)),
    "signs": ((1.3, -0.7), (-3.0, 0.8)),
    "modulus": ((1.3, 0.7), (-3.1, -0.8)),
    "steps": ((1.3,), (-0.7,)),
    "decimals": ((1.234, 2), (-17.68, 1)),
    "angles": ((1.3,), (-0.7,)),
    "powers": ((1.3, 0.7), (2.5, 1.5)),
    "powers_of_a_sum": ((1.3,), (-0.7,)),
    "half_powers": ((1.3,), (4.7,)),
    "casts": ((1.3, 3), (-0.7, -2)),
    "unary": ((1.3, -0.7), (3.0, 2.0)),
}
