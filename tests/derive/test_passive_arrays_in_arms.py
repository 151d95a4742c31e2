"""Whole arrays that do not depend on the independents are read in arms of branches."""

import numpy as np
import pytest

from tests.support import load, load_generated

ARMS = [
    ("s * s * sum(y)", "s**3"),
    ("sum(y)", "s"),
    ("s * y[1] * np.sum(y)", "s**2 * y[0]"),
]


@pytest.mark.parametrize("order", ["forward", "reverse", "auto"])
@pytest.mark.parametrize(("one", "other"), ARMS)
def test_slopes(one: str, other: str, order: str) -> None:
    source = (
        "import numpy as np\n# ad: gradient(s, value=True), hessian(s)\n"
        "def f(x: 'Vector[n]', s: float):\n    y = 2.0 * x\n"
        f"    if s > 3.0:\n        return {one}\n    return {other}\n"
    )
    f, made = load(source)["f"], load_generated(source, order=order)
    x = np.array([1.0, 2.5])
    for s in (2.0, 4.0):
        value, slope = made["f_value_and_grad"](x, s)
        assert value == f(x, s)
        rise = (f(x, s + 1e-4) - f(x, s - 1e-4)) / 2e-4
        assert slope == pytest.approx(rise, rel=1e-7, abs=1e-9)
        bend = (f(x, s + 1e-3) - 2.0 * value + f(x, s - 1e-3)) / 1e-6
        assert made["f_hess"](x, s)[0, 0] == pytest.approx(bend, rel=1e-5, abs=1e-5)
