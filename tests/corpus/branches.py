# ruff: noqa
"""Functions with branches: arms, exits, guards and choices."""

import math


def huber(r, delta):
    if abs(r) <= delta:
        return 0.5 * r * r
    return delta * (abs(r) - 0.5 * delta)


def removable(x):
    """sin(x) / x with a guard at 0."""
    if abs(x) < 1e-4:
        return 1.0 - x * x / 6.0 + x**4 / 120.0
    return math.sin(x) / x


def nasa(t):
    """Heat capacity over R of a gas, two ranges."""
    if t < 200.0 or t > 6000.0:
        raise ValueError(f"{t} is out of range")
    if t <= 1000.0:
        a1, a2, a3, a4 = 3.53, -1.23e-4, -5.03e-7, 2.43e-9
    else:
        a1, a2, a3, a4 = 2.95, 1.40e-3, -4.93e-7, 7.86e-11
    return a1 + t * (a2 + t * (a3 + t * a4))


def many_outs(x, y):
    if x * y > 1.0:
        a, b, c = x, y, x * y
    elif x > y:
        a, b, c = y * y, x / y, 1.0
    else:
        c = x + y
        a, b = c * c, math.exp(c)
    return a * b, (b * c, a)


def option(s, k, kind: str = "call"):
    """The text chooses at run time."""
    if kind == "call":
        intrinsic = s - k
    elif kind == "put":
        intrinsic = k - s
    else:
        raise ValueError("unknown kind")
    if intrinsic < 0.0:
        return 0.1 * math.exp(intrinsic)
    return intrinsic + 0.1


def or_and(x, y):
    if (x > 1.0 and y > 1.0) or x * y < -1.0 or not -2.0 < x < 2.0:
        return x * math.tanh(y)
    return (x if x > y else y) * x


def truth_of_numbers(x, y):
    if x and y > 0.5:
        return x * y
    return (y or 2.0) * x * x


# fmt: off
POINTS = {
    "huber": [(0.3, 1.0), (-2.5, 1.25)],
    "removable": [(0.75,), (2e-5,)],
    "nasa": [(350.0,), (1800.0,)],
    "many_outs": [(2.0, 1.5), (0.75, 0.5), (-1.5, 0.5)],
    "or_and": [(1.5, 1.25), (0.5, 0.25), (0.25, 0.75), (3.0, -0.5)],
    "truth_of_numbers": [(1.5, 0.75), (0.5, 0.25)],
    "option": [(3.0, 2.0, "call"), (3.0, 2.0, "put")],
}
# fmt: on
