"""First passes for columns: indices of arms are no records, and a length is one."""

from __future__ import annotations

import numpy as np
from amounts import ANY_ORDER
from support import generate, load

DIFFUSION = """
import math
import numpy as np

def rhs(y, p):
    out = np.zeros(len(y))
    for i in range(len(y)):
        left = y[i - 1] if i > 0 else 0.0
        right = y[i + 1] if i + 1 < len(y) else 0.0
        out[i] = p * (left - 2 * y[i] + right) + math.exp(-y[i] * y[i])
    return out

# ad: jacobian(y0)
def solve(y0: "Vector[n]", p: float, h: float, steps: int):
    y = y0
    for _ in range(steps):
        y = y + h * rhs(y + 0.5 * h * rhs(y, p), p)
    return y
"""


def test_what_an_index_gives_is_no_record() -> None:
    text = generate(DIFFUSION, **ANY_ORDER)
    assert "minus_1_list" not in text and "y_length_2" not in text
    assert text.count("exp(") == 2
    plain, made = load(DIFFUSION)["solve"], load(text)["solve_jac"]
    at, rest = np.array([0.25, 0.75, 0.5, 1.0]), (0.5, 0.125, 3)
    matrix = made(at, *rest)
    for k, unit in enumerate(np.eye(4)):
        rise = plain(at + 1e-6 * unit, *rest) - plain(at - 1e-6 * unit, *rest)
        assert np.allclose(matrix[:, k], rise / 2e-6, rtol=0.0, atol=1e-8)
