# ruff: noqa
"""Functions with branches that are too large for all kinds and orders."""

import math


def relu_like(x, y):
    if x > 0.0:
        y = y * x
    return y * y


def rate(v, v0, scale):
    u = (v - v0) / scale
    if abs(u) < 1e-6:
        return scale * (1.0 + u / 2.0)
    return scale * u / (1.0 - math.exp(-u))


def hodgkin_huxley(v, m, h, n):
    """Current through a membrane; rates with guards."""
    alpha_m = 0.1 * rate(v, -40.0, 10.0)
    alpha_n = 0.01 * rate(v, -55.0, 10.0)
    sodium = 120.0 * m**3 * h * (v - 50.0)
    potassium = 36.0 * n**4 * (v + 77.0)
    return sodium + potassium + alpha_m * (1.0 - m) + alpha_n * (1.0 - n)


def five_regions(x, a):
    if x < 0.0:
        y = a * x
    elif x < 1.0:
        y = a * x * x
    elif x < 2.0:
        y = a * (2.0 * x - 1.0)
    elif x < 3.0:
        y = a * math.sqrt(x) + x
    else:
        y = math.log(x) * a
    return y * a


def capped_drag(v, rho, area):
    reynolds = rho * abs(v) * 10.0
    if reynolds < 1.0:
        drag = 24.0
    elif reynolds < 1000.0:
        drag = 24.0 / reynolds * (1.0 + 0.15 * reynolds**0.687)
    else:
        drag = 0.44
    force = 0.5 * rho * v * abs(v) * area * drag
    return force if abs(force) < 50.0 else math.copysign(50.0, force)


def partial_exits(x, y):
    if x > 0.0:
        if y > 1.0:
            return x * y * y
        x = x + y
    if y > 0.0:
        if x > 2.0:
            return math.exp(-x) * y
        y = y * x
    z = x * y
    w = z * math.sin(z)
    if w > 0.5:
        if x > 1.0:
            return w * z
        w = w - x
    return w * x + y * z


def ordered(a, b):
    if a > b:
        return b, a
    return a, b


def sorted_pair(x, y, z):
    x, y = ordered(x, y)
    y, z = ordered(y, z)
    x, y = ordered(x, y)
    return x * y**2 * z**3


def nested(x, y):
    s = 0.0
    if x > 0.0:
        if y > 0.0:
            if x > y:
                s = x * math.sin(y)
            else:
                s = y * math.cos(x)
        else:
            s = x * x * y
        s = s + x
    else:
        t = y * y
        s = t - x if t > 1.0 else t * x
    return s * s + y


def counted(x, n: int, flag: bool):
    p = 2
    if n > 2 and flag:
        p = n
    elif not flag:
        x = -x
    return x**p + (n if x > 1.0 else 2) * x


def closures(x, y):
    k = x
    if y > 1.0:
        k = x * y
    power = lambda t: t**2 * k
    if x > 1.0:
        k = k + 1.0
    return power(x) + power(y)


# fmt: off
POINTS = {
    "relu_like": [(1.5, 2.0), (-1.5, 2.0)],
    "hodgkin_huxley": [(-65.0, 0.05, 0.6, 0.32), (-40.0, 0.5, 0.4, 0.6)],
    "five_regions": [(-0.5, 1.5), (0.5, 1.5), (1.5, -2.0), (2.5, 0.5), (4.0, 0.5)],
    "capped_drag": [(0.01, 1.2, 0.5), (3.0, 1.2, 0.5), (200.0, 1.2, 0.01), (90.0, 1.2, 0.5)],
    "partial_exits": [(0.5, 2.0), (1.5, 0.75), (-0.5, 0.25), (-2.0, -1.5), (0.25, -3.0)],
    "sorted_pair": [(3.0, 1.0, 2.0), (0.5, 1.5, 1.25)],
    "nested": [(2.0, 0.5), (0.5, 2.0), (0.5, -2.0), (-0.5, 2.0), (-0.5, 0.25)],
    "counted": [(1.5, 3, True), (0.5, 1, False), (0.75, 1, True)],
    "closures": [(1.5, 2.0), (0.5, 0.25)],
}
# fmt: on
