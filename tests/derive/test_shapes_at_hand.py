"""Tangents that a loop makes of 0 begin as arrays like one from outside its block."""

from __future__ import annotations

import numpy as np
from support import generate, load

TRAJECTORY = """\
import numpy as np


def rate(y, p):
    return y * p[1] + p[0]


# ad: jacobian(y, value=True)
def f(y: "Vector[a]", p: "Vector[b]", h, n: int):
    out = np.zeros((n, len(y)))
    for k in range(n):
        k1 = rate(y, p)
        y = y + h * rate(y + 0.5 * h * k1, p)
        out[k] = y
    return out
"""


def test_the_rows_of_a_trajectory_are_stored_in_the_loop_over_the_columns() -> None:
    y, p, h, n = np.array([0.3, 0.8, -0.5]), np.array([0.7, 0.4]), 0.2, 4
    value, matrix = load(generate(TRAJECTORY))["f_value_and_jac"](y, p, h, n)
    np.testing.assert_array_equal(value, load(TRAJECTORY)["f"](y, p, h, n))
    growth = 1 + h * p[1] * (1 + 0.5 * h * p[1])
    wanted = np.vstack([growth ** (k + 1) * np.eye(3) for k in range(n)])
    np.testing.assert_allclose(matrix, wanted, rtol=1e-14)


def test_in_a_loop_that_ends_by_a_test() -> None:
    source = TRAJECTORY.replace("for k in range(n):", "k = 0\n    while k < n:")
    source = source.replace("= y\n    return", "= y\n        k = k + 1\n    return")
    values = load(generate(source)), load(generate(TRAJECTORY))
    args = ([0.3, 0.8, -0.5], [0.7, 0.4], 0.2, 4)
    one, other = (names["f_value_and_jac"](*args)[1] for names in values)
    np.testing.assert_array_equal(one, other)


def test_in_arms() -> None:
    source = TRAJECTORY.replace("out[k] = y", "if k > 0:\n            out[k] = y")
    args = ([0.3, 0.8, -0.5], [0.7, 0.4], 0.2, 4)
    matrix = load(generate(source))["f_value_and_jac"](*args)[1]
    whole = load(generate(TRAJECTORY))["f_value_and_jac"](*args)[1]
    np.testing.assert_array_equal(matrix[:3], np.zeros((3, 3)))
    np.testing.assert_array_equal(matrix[3:], whole[3:])
