# ruff: noqa
"""Test functions of Moré, Garbow & Hillstrom 1981 and of MINPACK-2, their numbers kept."""

import math


def rosenbrock(x, y):
    return (1.0 - x) ** 2 + 100.0 * (y - x**2) ** 2


def rosenbrock4(x1, x2, x3, x4):
    a = 100.0 * (x2 - x1**2) ** 2 + (1.0 - x1) ** 2
    b = 100.0 * (x3 - x2**2) ** 2 + (1.0 - x2) ** 2
    c = 100.0 * (x4 - x3**2) ** 2 + (1.0 - x3) ** 2
    return a + b + c


def freudenstein_roth(x1, x2):
    return (
        -13.0 + x1 + ((5.0 - x2) * x2 - 2.0) * x2,
        -29.0 + x1 + ((x2 + 1.0) * x2 - 14.0) * x2,
    )


def powell_badly_scaled(x1, x2):
    return 1e4 * x1 * x2 - 1.0, math.exp(-x1) + math.exp(-x2) - 1.0001


def brown_badly_scaled(x1, x2):
    return (x1 - 1e6) ** 2 + (x2 - 2e-6) ** 2 + (x1 * x2 - 2.0) ** 2


def beale(x1, x2):
    return (
        (1.5 - x1 * (1.0 - x2)) ** 2
        + (2.25 - x1 * (1.0 - x2**2)) ** 2
        + (2.625 - x1 * (1.0 - x2**3)) ** 2
    )


def helical_valley(x1, x2, x3):
    theta = math.atan2(x2, x1) / (2.0 * math.pi)
    return 10.0 * (x3 - 10.0 * theta), 10.0 * (math.sqrt(x1**2 + x2**2) - 1.0), x3


def box_three(x1, x2, x3):
    t = 0.1
    a = math.exp(-t * x1) - math.exp(-t * x2)
    return a - x3 * (math.exp(-t) - math.exp(-10.0 * t))


def powell_singular(x1, x2, x3, x4):
    return (
        x1 + 10.0 * x2,
        math.sqrt(5.0) * (x3 - x4),
        (x2 - 2.0 * x3) ** 2,
        math.sqrt(10.0) * (x1 - x4) ** 2,
    )


def wood(x1, x2, x3, x4):
    f1 = 10.0 * (x2 - x1**2)
    f2 = 1.0 - x1
    f3 = math.sqrt(90.0) * (x4 - x3**2)
    f4 = 1.0 - x3
    f5 = math.sqrt(10.0) * (x2 + x4 - 2.0)
    f6 = (x2 - x4) / math.sqrt(10.0)
    return f1**2 + f2**2 + f3**2 + f4**2 + f5**2 + f6**2


def gaussian(x1, x2, x3):
    def r(t, y):
        return x1 * math.exp(-x2 * (t - x3) ** 2 / 2.0) - y

    return r(3.5, 0.0009) ** 2 + r(2.0, 0.0540) ** 2 + r(0.5, 0.3521) ** 2


def meyer(x1, x2, x3):
    return x1 * math.exp(x2 / (50.0 + x3)) - 34780.0


def kowalik_osborne(x1, x2, x3, x4):
    u = 0.25
    return 0.1844 - x1 * (u**2 + u * x2) / (u**2 + u * x3 + x4)


def trigonometric3(x1, x2, x3):
    c = 3.0 - math.cos(x1) - math.cos(x2) - math.cos(x3)
    return (
        c + 1.0 * (1.0 - math.cos(x1)) - math.sin(x1),
        c + 2.0 * (1.0 - math.cos(x2)) - math.sin(x2),
        c + 3.0 * (1.0 - math.cos(x3)) - math.sin(x3),
    )


def brown_almost_linear(x1, x2, x3):
    s = x1 + x2 + x3
    return x1 + s - 4.0, x2 + s - 4.0, x1 * x2 * x3 - 1.0


def chebyquad2(x1, x2):
    t1, t2 = 2.0 * x1 - 1.0, 2.0 * x2 - 1.0
    f1 = (t1 + t2) / 2.0
    f2 = (2.0 * t1 * t1 - 1.0 + 2.0 * t2 * t2 - 1.0) / 2.0 + 1.0 / 3.0
    return f1 * f1 + f2 * f2


def himmelblau(x, y):
    return (x**2 + y - 11) ** 2 + (x + y**2 - 7) ** 2


def ackley(x, y):
    a = -20.0 * math.exp(-0.2 * math.sqrt(0.5 * (x**2 + y**2)))
    b = math.exp(0.5 * (math.cos(2 * math.pi * x) + math.cos(2 * math.pi * y)))
    return a - b + math.e + 20


def michalewicz(x, y):
    a = math.sin(x) * math.sin(x**2 / math.pi) ** 20
    return -a - math.sin(y) * math.sin(2 * y**2 / math.pi) ** 20


def speelpenning(x1, x2, x3, x4, x5, x6):
    return x1 * x2 * x3 * x4 * x5 * x6


def flow_in_a_channel(a, b, c, d):
    """A residual of MINPACK-2's collocation of the channel flow."""
    h, r = 0.125, 10.0
    w0 = a + h * (b + h * (c / 2.0 + h * d / 6.0))
    w1 = b + h * (c + h * d / 2.0)
    w2 = c + h * d
    return d - r * (w1 * w2 - w0 * d)


POINTS = {
    "rosenbrock": ((-1.2, 1.0), (0.5, 0.7)),
    "rosenbrock4": ((-1.2, 1.0, 0.3, 0.5),),
    "freudenstein_roth": ((0.5, -2.0), (5.0, 4.5)),
    "powell_badly_scaled": ((0.1, 1.0), (1.1e-5, 9.1)),
    "brown_badly_scaled": ((1.0, 1.0),),
    "beale": ((1.0, 1.2), (2.5, 0.4)),
    "helical_valley": ((-1.0, 0.3, 0.2), (0.5, 2.0, -1.0)),
    "box_three": ((0.1, 10.0, 20.0),),
    "powell_singular": ((3.0, -1.0, 0.5, 1.0),),
    "wood": ((-3.0, -1.0, -3.0, -1.0), (0.5, 0.7, 1.5, 2.0)),
    "gaussian": ((0.4, 1.0, 0.1),),
    "meyer": ((0.02, 4000.0, 250.0),),
    "kowalik_osborne": ((0.25, 0.39, 0.415, 0.39),),
    "trigonometric3": ((0.3, 0.4, 0.5),),
    "brown_almost_linear": ((0.5, 0.6, 0.7),),
    "chebyquad2": ((0.3, 0.6),),
    "himmelblau": ((1.0, 2.0), (-3.1, 0.2)),
    "ackley": ((0.3, -0.4), (1.5, 2.2)),
    "michalewicz": ((1.4, 1.2),),
    "speelpenning": ((1.0, 2.0, 0.5, -1.5, 3.0, 0.7),),
    "flow_in_a_channel": ((0.1, 0.2, 0.3, 0.4),),
}
