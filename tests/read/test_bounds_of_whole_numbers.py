"""`np.clip`, `np.maximum` and `np.abs` of whole numbers are what Python's own give."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import NUMBERS
from support import load, load_generated, run

SOURCE = """import numpy as np

AT = np.array([0.0, 1.0, 2.0, 4.0])


# ad: gradient(x, y, value=True)
def f(x: float, y: "Vector[4]", k: int, m: int) -> float:
    i = int(np.clip(np.searchsorted(AT, x) - 1, 0, len(AT) - 2))
    w = (x - AT[i]) / (AT[i + 1] - AT[i])
    s = (1.0 - w) * y[i] + w * y[i + 1] + y[np.clip(m, None, k)] * y[np.fmin(k, 1)]
    for j in range(4):
        s += y[np.minimum(j, k)] * 0.5 ** np.abs(j - m) * x ** np.maximum(k, m)
    return s
"""


@pytest.mark.parametrize("x", [0.25, 1.5, 3.0, 4.5])
@pytest.mark.parametrize("k, m", [(1, 2), (3, 1), (0, 0), (2, 2)])
def test_bounds(x: float, k: int, m: int) -> None:
    f, made = load(SOURCE)["f"], load_generated(SOURCE, **NUMBERS)
    y, step = np.array([0.5, 1.5, -0.75, 1.25]), 2.0**-17
    value, (by_x, by_y) = made["f_value_and_grad"](x, y, k, m)
    rise = f(x + step, y + step, k, m) - f(x - step, y - step, k, m)
    assert value == f(x, y, k, m)
    assert by_x + sum(by_y) == pytest.approx(rise / (2.0 * step), rel=1e-8)


@pytest.mark.parametrize("call", ["maximum(k, b)", "abs(b)", "sign(k)"])
def test_others_are_refused(call: str) -> None:
    head = "import numpy as np\n# ad: gradient(x)\ndef f(x, k: int, b: bool):\n"
    found = run(f"{head}    return x * np.{call}\n").diagnostics
    assert [d.code for d in found] == ["AD107"] and found[0].help
