"""Values that only the derivative of their own operation reads: what they are made of
is computed, too.
"""

from __future__ import annotations

import numpy as np
import pytest
from amounts import NUMBERS
from support import load, load_generated

BODIES = {
    "solve": "np.linalg.solve(A, A @ c) @ np.ones(len(c))",
    "times": "np.linalg.solve(A, 2.0 * A @ c) @ np.ones(3)",
    "of a function": "np.linalg.solve(A, np.exp(A @ c)) @ np.ones(3)",
    "columns": "np.ones(3) @ np.linalg.solve(A, A @ np.outer(c, c)) @ np.ones(3)",
    "inverse": "np.ones(3) @ np.linalg.inv(A @ A) @ np.ones(3)",
    "element": "np.linalg.solve(A, A @ c * c)[1]",
}
A = np.array([[2.5, 0.5, 0.25], [0.125, 3.0, -0.5], [0.75, 0.5, 2.0]])
C, D = np.array([0.5, 1.25, 0.75]), np.outer([0.25, -0.5, 1.0], [1.0, 0.5, -0.25])


@pytest.mark.parametrize("body", BODIES)
def test_what_it_is_made_of_is_computed(body: str) -> None:
    marks = "# ad: gradient(A), hvp(A)"
    head = f'import numpy as np\n{marks}\ndef f(A: "Matrix[n, n]", c: "Vector[n]"):\n'
    source = f"{head}    return {BODIES[body]}\n"
    plain, made = load(source)["f"], load_generated(source, **NUMBERS)
    gradient, product = made["f_grad"], made["f_hvp"]
    step = 2.0**-17
    ahead, behind = A + step * D, A - step * D
    slope = (plain(ahead, C) - plain(behind, C)) / (2.0 * step)
    assert np.sum(gradient(A, C) * D) == pytest.approx(slope, rel=1e-8, abs=1e-8)
    turn = (gradient(ahead, C) - gradient(behind, C)) / (2.0 * step)
    assert product(A, D, C) == pytest.approx(turn, rel=1e-7, abs=1e-8)
