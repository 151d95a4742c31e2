"""`np.round(x, digits)` computes as numpy does: a multiple is rounded, and divided."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support import flat, load, load_generated, run, same_bits

HEAD = "import numpy as np\n# ad: gradient(value=True)\ndef f(x{}):\n    return {}\n"
NUMBERS = [4.35, 2.675, 0.5, 1.5, 2.5, -4.35, 0.05, 0.25, 1.005, 1250.0, 1e-9]
# fmt: off
OF_NUMBERS = [
    "np.round(x, 1) * x", "np.around(x, decimals=2) * x + np.round(x)",
    "np.round(x * 7.0, -1) * x",
]
OF_ARRAYS = [
    "np.sum(np.round(x, 1) * x)", "np.sum(x.round(2) * x) + np.sum(np.around(x, -1))",
    "np.sum(np.round(x, decimals=3)) + np.sum(x)",
]
# fmt: on


@pytest.mark.parametrize("container", ["array", "tuple"])
@pytest.mark.parametrize("result", OF_NUMBERS)
def test_numbers(result: str, container: str) -> None:
    source = HEAD.format("", result)
    own = load(source)["f"]
    made = load_generated(source, container=container)
    for x in NUMBERS:
        value, slope = made["f_value_and_grad"](x)
        assert same_bits(value, float(own(x))) and type(value) is float
        assert slope == pytest.approx(own(x) / x if "+" not in result else _steps(x))
    assert container == "array" or "np" not in made


def _steps(x: float) -> float:
    return float(np.around(x, 2))


@pytest.mark.parametrize("shape", ["Vector[n]", "Matrix[n, n]", "Vector[4]"])
@pytest.mark.parametrize("result", OF_ARRAYS)
def test_arrays(result: str, shape: str) -> None:
    source = HEAD.format(f': "{shape}"', result)
    own, made = load(source)["f"], load_generated(source)["f_value_and_grad"]
    x: Any = np.array([4.35, 2.675, -0.25, 1.005])
    x = x.reshape(2, 2) if "Matrix" in shape else x
    value, slope = made(x)
    assert same_bits(value, float(own(x)))
    digits = {", 1)": np.round(x, 1), "d(2)": np.round(x, 2), "=3": np.ones_like(x)}
    (wanted,) = (v for key, v in digits.items() if key in result)
    assert flat(slope) == flat(wanted)


@pytest.mark.parametrize("digits", ["k", "40"])
def test_other_digits_are_refused(digits: str) -> None:
    source = HEAD.format(', k: "int"', f"np.round(x, {digits}) * x")
    assert [one.code for one in run(source).diagnostics] == ["AD106"]
