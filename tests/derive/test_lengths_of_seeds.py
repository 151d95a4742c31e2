"""Seeds of arrays that a run makes: as long along each axis as the arrays."""

import numpy as np
import pytest

from tests.support import load_generated

LIST = "    y = [0.0] * n\n    for i in range(n):\n        y[i] = i * x\n"
GRID = "    y = np.zeros((n, m))\n    for i in range(n):\n        y[i, i] += i * x\n"
OUTER = "    y = np.outer(np.arange(n) * x, np.arange(m) + x)\n"
WHOLE = "    y = np.arange(n) * x\n"
CASES = [
    (LIST, (3,), (2,), "f_bar has length 2, not 3"),
    (WHOLE, (3,), (1,), "f_bar has length 1, not 3"),
    (GRID, (3, 4), (4, 4), "f_bar has length 4, not 3"),
    (GRID, (3, 4), (3, 5), "f_bar has rows of length 5, not 4"),
    (OUTER, (3, 4), (1, 4), "f_bar has length 1, not 3"),
    (OUTER, (3, 4), (3, 1), "f_bar has rows of length 1, not 4"),
]


@pytest.mark.parametrize(("body", "shape", "other", "message"), CASES)
def test_a_seed_of_another_shape_is_refused(
    body: str, shape: tuple[int, ...], other: tuple[int, ...], message: str
) -> None:
    head = "import numpy as np\n# ad: vjp(x)\ndef f(x: float, n: int, m: int):\n"
    f_vjp = load_generated(head + body + "    return y\n")["f_vjp"]
    value, _ = f_vjp(2.0, np.ones(shape), 3, 4)
    assert np.shape(value) == shape
    with pytest.raises(ValueError, match=message):
        f_vjp(2.0, np.ones(other), 3, 4)
