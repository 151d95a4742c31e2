# ruff: noqa: F821
"""Problems 21 to 35 of Moré, Garbow & Hillstrom (1981), of any number of unknowns.

Residuals as one writes them down. `START` has the paper's starting points.
"""

import math

import numpy as np


def extended_rosenbrock(x: "Vector[n]"):
    f = np.zeros(len(x))
    for i in range(0, len(x), 2):
        f[i] = 10.0 * (x[i + 1] - x[i] ** 2)
        f[i + 1] = 1.0 - x[i]
    return f


def extended_powell(x: "Vector[n]"):
    f = np.zeros(len(x))
    for i in range(0, len(x), 4):
        f[i] = x[i] + 10.0 * x[i + 1]
        f[i + 1] = math.sqrt(5.0) * (x[i + 2] - x[i + 3])
        f[i + 2] = (x[i + 1] - 2.0 * x[i + 2]) ** 2
        f[i + 3] = math.sqrt(10.0) * (x[i] - x[i + 3]) ** 2
    return f


def penalty_1(x: "Vector[n]"):
    f = np.append(math.sqrt(1e-5) * (x - 1.0), 0.0)
    f[-1] = x @ x - 0.25
    return f


def penalty_2(x: "Vector[10]"):
    n, a = len(x), math.sqrt(1e-5)
    f = np.zeros(2 * n)
    f[0] = x[0] - 0.2
    for i in range(1, n):
        y = math.exp((i + 1) / 10) + math.exp(i / 10)
        f[i] = a * (math.exp(x[i] / 10.0) + math.exp(x[i - 1] / 10.0) - y)
        f[n + i - 1] = a * (math.exp(x[i] / 10.0) - math.exp(-1.0 / 10.0))
    f[2 * n - 1] = sum((n - j) * x[j] ** 2 for j in range(n)) - 1.0
    return f


def variably_dimensioned(x: "Vector[n]"):
    total = 0.0
    f = []
    for j, xj in enumerate(x):
        f.append(xj - 1.0)
        total += (j + 1) * (xj - 1.0)
    f.append(total)
    f.append(total**2)
    return f


def trigonometric(x: "Vector[n]"):
    n = len(x)
    total = n - sum(math.cos(xj) for xj in x)
    f = np.zeros(n)
    for i in range(n):
        f[i] = total + (i + 1) * (1.0 - math.cos(x[i])) - math.sin(x[i])
    return f


def brown_almost_linear(x: "Vector[n]"):
    n = len(x)
    f = x + np.sum(x) - (n + 1)
    f[n - 1] = np.prod(x) - 1.0
    return f


def discrete_boundary_value(x: "Vector[n]"):
    n = len(x)
    h = 1.0 / (n + 1)
    f = np.zeros(n)
    for i in range(n):
        left = x[i - 1] if i > 0 else 0.0
        right = x[i + 1] if i < n - 1 else 0.0
        t = (i + 1) * h
        f[i] = 2.0 * x[i] - left - right + h**2 * (x[i] + t + 1.0) ** 3 / 2.0
    return f


def discrete_integral_equation(x: "Vector[n]"):
    n = len(x)
    h = 1.0 / (n + 1)
    f = np.zeros(n)
    for i in range(n):
        t = (i + 1) * h
        below, above = 0.0, 0.0
        for j in range(n):
            s = (j + 1) * h
            if j <= i:
                below += s * (x[j] + s + 1.0) ** 3
            else:
                above += (1.0 - s) * (x[j] + s + 1.0) ** 3
        f[i] = x[i] + h * ((1.0 - t) * below + t * above) / 2.0
    return f


def broyden_tridiagonal(x: "Vector[n]"):
    f = (3.0 - 2.0 * x) * x + 1.0
    f[1:] -= x[:-1]
    f[:-1] -= 2.0 * x[1:]
    return f


def broyden_banded(x: "Vector[n]"):
    n = len(x)
    f = np.zeros(n)
    for i in range(n):
        band = 0.0
        for j in range(max(0, i - 5), min(n, i + 2)):
            if j != i:
                band += x[j] * (1.0 + x[j])
        f[i] = x[i] * (2.0 + 5.0 * x[i] ** 2) + 1.0 - band
    return f


def linear_full_rank(x: "Vector[10]"):
    m, n = 20, 10
    mean = 2.0 / m * sum(x)
    return [x[i] - mean - 1.0 if i < n else -mean - 1.0 for i in range(m)]


def linear_rank_1(x: "Vector[10]"):
    total = sum((j + 1) * x[j] for j in range(len(x)))
    return np.array([(i + 1) * total - 1.0 for i in range(20)])


def linear_rank_1_with_zeros(x: "Vector[n]"):
    m = 20
    total = 0.0
    for j in range(1, len(x) - 1):
        total += (j + 1) * x[j]
    f = np.zeros(m)
    for i in range(m):
        f[i] = i * total - 1.0 if 0 < i < m - 1 else -1.0
    return f


def chebyquad(x: "Vector[n]"):
    n = len(x)
    f = np.zeros(n)
    for j in range(n):
        before, now = 1.0, 2.0 * x[j] - 1.0
        factor = 2.0 * now
        for i in range(n):
            f[i] += now / n
            before, now = now, factor * now - before
    for i in range(1, n, 2):
        f[i] += 1.0 / ((i + 1) ** 2 - 1)
    return f


START = {
    "extended_rosenbrock": (-1.2, 1.0) * 5,
    "extended_powell": (3.0, -1.0, 0.0, 1.0) * 3,
    "penalty_1": tuple(1.0 * j for j in range(1, 11)),
    "penalty_2": (0.5,) * 10,
    "variably_dimensioned": tuple(1.0 - j / 10 for j in range(1, 11)),
    "trigonometric": (0.1,) * 10,
    "brown_almost_linear": (0.5,) * 10,
    "discrete_boundary_value": tuple(j / 11 * (j / 11 - 1.0) for j in range(1, 11)),
    "discrete_integral_equation": tuple(j / 11 * (j / 11 - 1.0) for j in range(1, 11)),
    "broyden_tridiagonal": (-1.0,) * 10,
    "broyden_banded": (-1.0,) * 10,
    "linear_full_rank": (1.0,) * 10,
    "linear_rank_1": (1.0,) * 10,
    "linear_rank_1_with_zeros": (1.0,) * 10,
    "chebyquad": tuple(j / 9 for j in range(1, 9)),
}
