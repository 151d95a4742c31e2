"""Tangents of arrays that are written part by part have the names of these."""

from __future__ import annotations

import numpy as np
from support import generate, load

SOURCE = """\
import numpy as np


# ad: jvp(y)
def f(y: "Vector[n]", h):
    u = np.zeros(len(y))
    u[0] = y[0] * h
    u[1:] = y[1:] * y[:-1]
    return u


# ad: jvp(y)
def path(y: "Vector[n]", h, steps: int):
    out = np.zeros((steps + 1, len(y)))
    out[0] = y
    for k in range(steps):
        y = y + h * np.sin(y)
        out[k + 1] = y
    return out
"""


def test_tangents_of_written_arrays_are_dots() -> None:
    text = generate(SOURCE)
    assert "u_dot[0] = " in text and "u_dot[1:] = " in text
    assert "out_dot[0] = y_dot" in text and "return out, out_dot" in text
    assert "zeros_" not in text.replace("zeros_like", "")


def test_their_numbers() -> None:
    names, y, y_dot = load(generate(SOURCE)), np.array([0.3, 0.5]), np.array([1.0, 2.0])
    value, slope = names["f_jvp"](y, y_dot, 0.5)
    assert value.tolist() == [0.15, 0.15]
    assert slope.tolist() == [0.5, 0.5 * 1.0 + 0.3 * 2.0]
    value, slope = names["path_jvp"](y, y_dot, 0.5, 1)
    np.testing.assert_array_equal(value, [y, y + 0.5 * np.sin(y)])
    wanted = y_dot + 0.5 * np.cos(y) * y_dot
    np.testing.assert_allclose(slope, [y_dot, wanted], rtol=1e-15)
