# ruff: noqa: F821
"""Problems 1 to 20 of Moré, Garbow & Hillstrom (1981): the number of unknowns is fixed.

Residuals as one writes them down. `START` has the paper's starting points.
"""

import math

import numpy as np


def rosenbrock(x: "Vector[2]"):
    return 10.0 * (x[1] - x[0] ** 2), 1.0 - x[0]


def freudenstein_roth(x: "Vector[2]"):
    a, b = x
    return -13.0 + a + ((5.0 - b) * b - 2.0) * b, -29.0 + a + ((b + 1.0) * b - 14.0) * b


def powell_badly_scaled(x: "Vector[2]"):
    return 1e4 * x[0] * x[1] - 1.0, math.exp(-x[0]) + math.exp(-x[1]) - 1.0001


def brown_badly_scaled(x: "Vector[2]"):
    return x[0] - 1e6, x[1] - 2e-6, x[0] * x[1] - 2.0


def beale(x: "Vector[2]"):
    return [
        y - x[0] * (1.0 - x[1] ** (i + 1)) for i, y in enumerate((1.5, 2.25, 2.625))
    ]


def jennrich_sampson(x: "Vector[2]"):
    f = np.empty(10)
    for i in range(1, 11):
        f[i - 1] = 2.0 + 2.0 * i - (math.exp(i * x[0]) + math.exp(i * x[1]))
    return f


def helical_valley(x: "Vector[3]"):
    theta = math.atan(x[1] / x[0]) / (2.0 * math.pi)
    if x[0] < 0.0:
        theta += 0.5
    return 10.0 * (x[2] - 10.0 * theta), 10.0 * (math.hypot(x[0], x[1]) - 1.0), x[2]


BARD = [
    0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39, 0.37, 0.58, 0.73, 0.96, 1.34, 2.10,
    4.39,
]  # fmt: skip


def bard(x: "Vector[3]"):
    f = []
    for i, y in enumerate(BARD):
        u = i + 1
        v = 16 - u
        f.append(y - (x[0] + u / (v * x[1] + min(u, v) * x[2])))
    return np.array(f)


GAUSSIAN = [0.0009, 0.0044, 0.0175, 0.0540, 0.1295, 0.2420, 0.3521, 0.3989]


def gaussian(x: "Vector[3]"):
    a, b, c = x
    f = []
    for i, y in enumerate(GAUSSIAN + GAUSSIAN[6::-1]):
        t = (7 - i) / 2
        f.append(a * math.exp(-b * (t - c) ** 2 / 2) - y)
    return f


MEYER = (
    34780.0, 28610.0, 23650.0, 19630.0, 16370.0, 13720.0, 11540.0, 9744.0, 8261.0,
    7030.0, 6005.0, 5147.0, 4427.0, 3820.0, 3307.0, 2872.0,
)  # fmt: skip


def meyer(x: "Vector[3]"):
    f = np.zeros(16)
    for i in range(16):
        f[i] = x[0] * math.exp(x[1] / (50 + 5 * i + x[2])) - MEYER[i]
    return f


def gulf(x: "Vector[3]"):
    m = 10
    f = np.zeros(m)
    for i in range(m):
        t = (i + 1) / 100
        y = 25.0 + (-50.0 * math.log(t)) ** (2.0 / 3.0)
        f[i] = math.exp(-(abs(y - x[1]) ** x[2]) / x[0]) - t
    return f


def box(x: "Vector[3]"):
    f = []
    for t in [0.1 * i for i in range(1, 11)]:
        data = math.exp(-t) - math.exp(-10.0 * t)
        f.append(math.exp(-t * x[0]) - math.exp(-t * x[1]) - x[2] * data)
    return f


def powell_singular(x: "Vector[4]"):
    a, b, c, d = x
    third, fourth = (b - 2.0 * c) ** 2, math.sqrt(10.0) * (a - d) ** 2
    return np.array([a + 10.0 * b, math.sqrt(5.0) * (c - d), third, fourth])


def wood(x: "Vector[4]"):
    return np.array(
        [
            10.0 * (x[1] - x[0] ** 2),
            1.0 - x[0],
            math.sqrt(90.0) * (x[3] - x[2] ** 2),
            1.0 - x[2],
            math.sqrt(10.0) * (x[1] + x[3] - 2.0),
            (x[1] - x[3]) / math.sqrt(10.0),
        ]
    )


KOWALIK = np.array(
    [
        0.1957,
        0.1947,
        0.1735,
        0.16,
        0.0844,
        0.0627,
        0.0456,
        0.0342,
        0.0323,
        0.0235,
        0.0246,
    ]
)
OSBORNE = np.array(
    [4.0, 2.0, 1.0, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625]
)


def kowalik_osborne(x: "Vector[4]"):
    u = OSBORNE
    return KOWALIK - x[0] * (u**2 + u * x[1]) / (u**2 + u * x[2] + x[3])


def brown_dennis(x: "Vector[4]"):
    f = np.zeros(20)
    for i in range(20):
        t = (i + 1) / 5
        growth = x[0] + t * x[1] - math.exp(t)
        wave = x[2] + x[3] * math.sin(t) - math.cos(t)
        f[i] = growth**2 + wave**2
    return f


OSBORNE_1 = (
    0.844, 0.908, 0.932, 0.936, 0.925, 0.908, 0.881, 0.850, 0.818, 0.784, 0.751, 0.718,
    0.685, 0.658, 0.628, 0.603, 0.580, 0.558, 0.538, 0.522, 0.506, 0.490, 0.478, 0.467,
    0.457, 0.448, 0.438, 0.431, 0.424, 0.420, 0.414, 0.411, 0.406,
)  # fmt: skip


def osborne_1(x: "Vector[5]"):
    f = np.zeros(len(OSBORNE_1))
    for i, y in enumerate(OSBORNE_1):
        t = 10.0 * i
        f[i] = y - (x[0] + x[1] * math.exp(-t * x[3]) + x[2] * math.exp(-t * x[4]))
    return f


def biggs(x: "Vector[6]"):
    f = []
    for i in range(1, 14):
        t = 0.1 * i
        y = math.exp(-t) - 5.0 * math.exp(-10.0 * t) + 3.0 * math.exp(-4.0 * t)
        model = x[2] * math.exp(-t * x[0]) - x[3] * math.exp(-t * x[1])
        f.append(model + x[5] * math.exp(-t * x[4]) - y)
    return f


OSBORNE_2 = np.array([
    1.366, 1.191, 1.112, 1.013, 0.991, 0.885, 0.831, 0.847, 0.786, 0.725, 0.746, 0.679,
    0.608, 0.655, 0.616, 0.606, 0.602, 0.626, 0.651, 0.724, 0.649, 0.649, 0.694, 0.644,
    0.624, 0.661, 0.612, 0.558, 0.533, 0.495, 0.500, 0.423, 0.395, 0.375, 0.372, 0.391,
    0.396, 0.405, 0.428, 0.429, 0.523, 0.562, 0.607, 0.653, 0.672, 0.708, 0.633, 0.668,
    0.645, 0.632, 0.591, 0.559, 0.597, 0.625, 0.739, 0.710, 0.729, 0.720, 0.636, 0.581,
    0.428, 0.292, 0.162, 0.098, 0.054,
])  # fmt: skip


def osborne_2(x: "Vector[11]"):
    f = np.zeros(65)
    for i in range(65):
        t = i / 10
        model = x[0] * math.exp(-t * x[4])
        for k in range(1, 4):
            model += x[k] * math.exp(-((t - x[k + 7]) ** 2) * x[k + 4])
        f[i] = OSBORNE_2[i] - model
    return f


def watson(x: "Vector[6]"):
    n = len(x)
    f = np.zeros(31)
    for i in range(29):
        t = (i + 1) / 29
        slope = sum(j * x[j] * t ** (j - 1) for j in range(1, n))
        value = sum(x[j] * t**j for j in range(n))
        f[i] = slope - value**2 - 1.0
    f[29], f[30] = x[0], x[1] - x[0] ** 2 - 1.0
    return f


START = {
    "rosenbrock": (-1.2, 1.0),
    "freudenstein_roth": (0.5, -2.0),
    "powell_badly_scaled": (0.0, 1.0),
    "brown_badly_scaled": (1.0, 1.0),
    "beale": (1.0, 1.0),
    "jennrich_sampson": (0.3, 0.4),
    "helical_valley": (-1.0, 0.0, 0.0),
    "bard": (1.0, 1.0, 1.0),
    "gaussian": (0.4, 1.0, 0.0),
    "meyer": (0.02, 4000.0, 250.0),
    "gulf": (5.0, 2.5, 0.15),
    "box": (0.0, 10.0, 20.0),
    "powell_singular": (3.0, -1.0, 0.0, 1.0),
    "wood": (-3.0, -1.0, -3.0, -1.0),
    "kowalik_osborne": (0.25, 0.39, 0.415, 0.39),
    "brown_dennis": (25.0, 5.0, -5.0, -1.0),
    "osborne_1": (0.5, 1.5, -1.0, 0.01, 0.02),
    "biggs": (1.0, 2.0, 1.0, 1.0, 1.0, 1.0),
    "osborne_2": (1.3, 0.65, 0.65, 0.7, 0.6, 3.0, 5.0, 7.0, 2.0, 4.5, 5.5),
    "watson": (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
}
