"""`~` of whole numbers that are written out: it was read as a plus."""

import pytest
from support import generate, load

HEAD = "K = ~3\nT = (~0, ~5 + 1)\n# ad: gradient(value=True)\n"
EXPRESSIONS = [
    "x * ~2 + y",
    "[x, y, x * y][~0] * [x, y][~1]",
    "x * K + y * T[0] * T[1]",
    "sum(x * i for i in range(~-4)) * y",
    "x * - ~+3 + y * (~5 & 7)",
    "{~0: x, 1: y}[-1] * y",
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_all_bits_are_inverted(expression: str) -> None:
    source = f"{HEAD}def f(x, y):\n    return {expression}\n"
    value, _ = load(generate(source))["f_value_and_grad"](0.75, 1.25)
    assert value == load(source)["f"](0.75, 1.25)
