# ruff: noqa
"""Every form of assignment, rebinding and shadowing in straight-line code."""

import math
from math import cos, exp as e, pi, sin as s


def chained(x, y):
    a = b = c = x * y
    a = a + 1.0
    return a * b - c * c * y


def swapped(x, y):
    a, b = x * x, sin_free(y)
    a, b = b, a
    x, y = y, x
    return a / b + x * y * y


def sin_free(t):
    return t + 3.0


def rotated(x, y, z):
    for_all = x, y, z
    a, b, c = for_all
    a, b, c = c, a, b
    (a, b), c = (b * c, c), a
    return a - 2.0 * b + c * c


def augmented(x, y):
    r = x
    r += y * x
    r *= r
    r -= 3.0 * y
    r /= 1.0 + x * x
    r **= 2
    r %= 100.0
    return r


def annotated(x: float, y: float) -> float:
    u: float = x * y
    v: float
    v = u + x
    w: "float" = v * v
    return w - u


def walrus(x, y):
    z = (t := x * y + 1.0) * t + (u := t / x)
    return z * u - t


def rebinding_parameters(x, y):
    x = x * 2.0
    y = x + y
    x = x * y
    y = y * x
    return x - y / 8.0


def same_name_as_function(x, sin):
    cos_x = cos(x)
    cos_y = sin * cos_x
    e_ = e(-cos_y)
    return e_ * s(x) + sin


def shadows_builtin(max, sum):
    abs = max * sum
    min = abs - sum
    return abs * min


def shadows_module(x, y):
    pi = x * y
    return pi * pi + y


def renamed_module(x, y):
    log = math.sqrt
    return log(x * x + y) * math.log(y)


def unused(x, y):
    dead = x / y
    dead = dead * dead
    kept = x + y
    return kept * kept


def long_chain(x):
    a = x * x
    a = a + x
    a = a * x
    a = a - 3.0
    a = a * a
    a = a + x
    a = a * 0.5
    return a


def constants_inside(x):
    A1, A2, A3 = 1.5, -2.0, 0.25
    two = 2
    half = two / 4
    return A1 + x * (A2 + x * (A3 + x * half))


def underscored(x, y):
    _, b = x * y, x - y
    _a = b * b
    __ = _a + 1.0
    return __ * b


def unicode_names(x, β):
    α = x * β
    Δ = α - x
    return Δ * Δ * β


def starred(x, y, z):
    first, *rest = x * y, y * z, z * x
    b, c = rest
    return first * b + c


def list_on_the_way(x, y):
    parts = [x * x, y * y, x * y]
    return parts[0] + 3.0 * parts[1] - parts[-1]


def semicolons(x, y):
    a = x * y; b = a + x  # fmt: skip
    return a * b


def parenthesised(x, y):
    a = x + y + (x * y)  # the sum
    return (((a)) * (a - 1.0))  # fmt: skip


def uses_pi(x):
    return s(pi * x) + cos(2 * math.pi * x) / math.tau


POINTS = {
    "chained": ((1.3, -0.7), (0.25, 4.0)),
    "swapped": ((1.3, -0.7), (2.0, 0.5)),
    "rotated": ((1.3, -0.7, 0.4), (2.0, 5.0, -3.0)),
    "augmented": ((1.3, 0.7), (0.5, 2.5)),
    "annotated": ((1.3, -0.7), (-2.0, 0.125)),
    "walrus": ((1.3, -0.7), (2.0, 3.0)),
    "rebinding_parameters": ((1.3, -0.7), (0.1, 0.2)),
    "same_name_as_function": ((1.3, -0.7), (0.5, 2.0)),
    "shadows_builtin": ((1.3, -0.7), (-3.0, 0.1)),
    "shadows_module": ((1.3, -0.7), (2.0, 9.0)),
    "renamed_module": ((1.3, 0.7), (2.0, 9.0)),
    "unused": ((1.3, -0.7), (2.0, 9.0)),
    "long_chain": ((1.3,), (-0.4,)),
    "constants_inside": ((1.3,), (-4.0,)),
    "underscored": ((1.3, -0.7), (3.0, 2.0)),
    "unicode_names": ((1.3, -0.7), (3.0, 2.0)),
    "starred": ((1.3, -0.7, 2.0), (3.0, 2.0, 1.0)),
    "list_on_the_way": ((1.3, -0.7), (3.0, 2.0)),
    "semicolons": ((1.3, -0.7), (3.0, 2.0)),
    "parenthesised": ((1.3, -0.7), (3.0, 2.0)),
    "uses_pi": ((0.3,), (1.125,)),
}
