# ruff: noqa
"""Examples of the papers that the project is built on."""

import math


def yoshida_session(x, a):
    """Yoshida 1989, the session of the interactive system."""
    return (a + 1) * math.exp(x) + (a - 1) / (math.exp(x) + 1)


def yoshida_powell(x1, x2, x3, x4):
    """Yoshida 1989, example 2: Powell's function."""
    return (
        (x1 + 10 * x2) ** 2
        + 5 * (x3 - x4) ** 2
        + (x2 - 2 * x3) ** 4
        + 10 * (x1 - x4) ** 4
    )


def naumann_figure_10(x0, x1):
    """Naumann 1999, figure 10."""
    return x0 * math.sin(x1) * math.sin(x1)


def naumann_figure_5(a, b):
    """Naumann 1999, figure 5: edge elimination beats every vertex order."""
    k = a * b
    i = math.sin(k)
    return k * i, i * i, math.exp(i), math.sqrt(2.0 + i), math.cos(i)


def lighthouse(nu, gam, om, t):
    """Griewank & Walther 2008, example 1.1."""
    y1 = nu * math.tan(om * t) / (gam - math.tan(om * t))
    return y1, gam * y1


def baby_example(x1, x2):
    """Griewank & Walther 2008, table 1.2."""
    return (math.sin(x1 / x2) + x1 / x2 - math.exp(x2)) * (x1 / x2 - math.exp(x2))


def umbrella(x, y):
    """An umbrella in the sense of Murota & Kubota 1989: one vertex above two chains."""
    r = math.sqrt(x * x + y * y)
    s = math.sin(r) + math.cos(r) * r
    return s * math.exp(-s)


def bat(x0, x1):
    """Two chains between the same two values, and results of the second."""
    a = x0 * x1
    b = math.sin(a)
    c = math.cos(a)
    d = b * c
    return d * x0, d + x1, math.exp(d)


def cancellation(x, y):
    """What must not be simplified: (x + y) - y and x / x."""
    return ((x + y) - y) * (x / x) * x


POINTS = {
    "yoshida_session": ((0.3, 2.0), (-1.5, 0.5)),
    "yoshida_powell": ((3.0, -1.0, 0.5, 1.0),),
    "naumann_figure_10": ((0.3, 2.0), (-1.5, 0.5)),
    "naumann_figure_5": ((0.3, 2.0), (-1.5, 0.5)),
    "lighthouse": ((1.2, 2.0, 0.5, 0.7),),
    "baby_example": ((1.5, 0.5),),
    "umbrella": ((0.3, 2.0), (-1.5, 0.5)),
    "bat": ((0.3, 2.0), (-1.5, 0.5)),
    "cancellation": ((0.3, 2.0), (-1.5, 0.5)),
}
