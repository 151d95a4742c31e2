# ruff: noqa
"""Problems of MINPACK-2 and of fluid dynamics, in words of our own."""

import math


def _enthalpy(rho, momentum, energy, gamma):
    velocity = momentum / rho
    pressure = (gamma - 1.0) * (energy - 0.5 * momentum * velocity)
    return velocity, pressure, (energy + pressure) / rho


def roe_flux(rl, ml, el, rr, mr, er):
    """The flux of Roe's approximate Riemann solver for the Euler equations in one
    dimension, states left and right (Roe 1981)."""
    gamma = 1.4
    ul, pl, hl = _enthalpy(rl, ml, el, gamma)
    ur, pr, hr = _enthalpy(rr, mr, er, gamma)
    wl, wr = math.sqrt(rl), math.sqrt(rr)
    w = wl + wr
    u = (wl * ul + wr * ur) / w
    h = (wl * hl + wr * hr) / w
    c2 = (gamma - 1.0) * (h - 0.5 * u * u)
    c = math.sqrt(c2)
    d1, d2, d3 = rr - rl, mr - ml, er - el
    a2 = (gamma - 1.0) / c2 * (d1 * (h - u * u) + u * d2 - d3)
    a1 = 0.5 / c * (d1 * (u + c) - d2 - c * a2)
    a3 = d1 - (a1 + a2)
    s1, s2, s3 = abs(u - c) * a1, abs(u) * a2, abs(u + c) * a3
    f1 = 0.5 * (ml + mr - (s1 + s2 + s3))
    f2 = 0.5 * (ml * ul + pl + mr * ur + pr - (s1 * (u - c) + s2 * u + s3 * (u + c)))
    f3 = 0.5 * (
        ul * (el + pl)
        + ur * (er + pr)
        - (s1 * (h - u * c) + 0.5 * s2 * u * u + s3 * (h + u * c))
    )
    return f1, f2, f3


def exponential_fit(x1, x2, x3, x4, x5, t, y):
    """A residual of the fit of two exponentials to data (MINPACK-2)."""
    return y - (x1 + x2 * math.exp(-t * x4) + x3 * math.exp(-t * x5))


def enzyme(x1, x2, x3, x4, v, y):
    """A residual of Kowalik and Osborne's analysis of an enzyme reaction (MINPACK-2)."""
    return y - x1 * (v * v + x2 * v) / (v * v + x3 * v + x4)


def coating(a1, a2, a3, a4, a5, a6, a7, a8, e1, e2, d1, d2):
    """Two residuals of the coating thickness problem (MINPACK-2)."""
    u, v = d1 + e1, d2 + e2
    return a1 + a2 * u + a3 * v + a4 * u * v, a5 + a6 * u + a7 * v + a8 * u * v


def _chord(last, y):
    h, g = 0.125, 9.81
    return math.sqrt(h * h + (y - last) * (y - last)) / math.sqrt(g * (y + last))


def brachistochrone(y1, y2, y3, y4, y5):
    """Time of descent along chords, by the speed at their middle."""
    return (
        _chord(0.0, y1)
        + _chord(y1, y2)
        + _chord(y2, y3)
        + _chord(y3, y4)
        + _chord(y4, y5)
    )


POINTS = {
    "roe_flux": ((1.0, 0.5, 2.5, 0.6, 0.2, 1.4), (0.7, -0.3, 1.9, 1.1, -0.4, 2.9)),
    "exponential_fit": ((0.4, 1.9, -1.5, 0.13, 0.22, 2.0, 0.9),),
    "enzyme": ((0.19, 0.2, 0.12, 0.13, 4.0, 0.19),),
    "coating": ((-8.0, 13.0, 1.2, 0.2, 0.1, 6.0, 5.5, -5.2, 0.01, 0.02, 0.8, 0.7),),
    "brachistochrone": ((0.4, 0.7, 0.9, 1.1, 1.2),),
}
