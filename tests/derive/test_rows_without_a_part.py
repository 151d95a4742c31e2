"""A row of a Jacobian adds nothing for a read element that it does not depend on."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import ANY_ORDER
from support import generate, load

SOURCE = """# ad: jacobian(y, t)
def f(y: "Vector[{n}]", t: float, k: int, m: int):
    a = y[k] * y[m] * t
    return a, y[k] * t, y[m] * t * t
"""


@pytest.mark.parametrize("n", ["4", "n"])
def test_no_zeros_are_added(n: str) -> None:
    source = SOURCE.format(n=n)
    text = generate(source, **ANY_ORDER)
    assert "+= 0.0" not in text and "] = 0.0" not in text
    plain, made, y = load(source)["f"], load(text)["f_jac"], np.arange(1.0, 5.0)
    for k, m in [(0, 2), (1, 1)]:
        steps = np.vstack([np.eye(4, 5), np.eye(1, 5, 4)]) * 2.0**-17
        ends = [
            [plain(y + s * d[:4], 1.5 + s * d[4], k, m) for s in (1.0, -1.0)]
            for d in steps
        ]
        columns = [(np.array(a) - b) * 2.0**16 for a, b in ends]
        assert made(y, 1.5, k, m) == pytest.approx(np.array(columns).T, rel=1e-7)
