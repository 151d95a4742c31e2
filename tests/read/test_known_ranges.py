"""A range of known numbers is a tuple of these; others are asked by comparisons."""

from __future__ import annotations

import pytest
from amounts import ANY_ORDER
from support import generate, load

HEAD = "import math\n\n\n# ad: gradient(x)\ndef f(x: float, k: int, n: int):\n    "
BODIES = [
    "return sum(range(5)) * x * x",
    "return max(range(5)) * x + min(range(2, 4)) * x + math.prod(range(1, 5)) * x",
    "u = list(range(5))\n    u[2] = x\n    return u[2] * u[1] * sum(u)",
    "u = list(range(n))\n    u[0] = 3\n    return sum(u) * x + len(u)",
    "order = list(range(4))\n    order[0], order[2] = order[2], order[0]\n    s = 0.0\n"
    "    for i in order:\n        s = s * x + i\n    return s",
    "t = tuple(range(1, 4))\n    return t[1] * x + len(t)",
    "a, b, c = range(3)\n    return a + b * x + c * x * x",
    "u = [*range(3), x]\n    return sum(u) * x",
    "t = range(4)\n    return t[2] * x + len(t) + t[-1] * x * x + range(3)[1:][0] * x",
    "t = range(5)\n    return t[k % 5] * x",
    "return math.hypot(*range(1, 3)) * x",
    "return x if 2 in range(4) else x * x",
    "return x if k in range(n) else x * x",
    "return x if k not in range(2, 9, 3) else x * x",
    "return x if k in range(n, 0, -2) else x * x",
    "return x if k in range(0, n, 2) and k not in range(4) else x * x",
]
STEP = 1e-5


@pytest.mark.parametrize("body", BODIES)
def test_gradients_are_those_of_differences(body: str) -> None:
    source = f"{HEAD}{body}\n"
    f, slope = load(source)["f"], load(generate(source, **ANY_ORDER))["f_grad"]
    for k, n in ((0, 4), (3, 5), (5, 2), (-1, 1), (2, 7)):
        x = 0.7
        wanted = (f(x + STEP, k, n) - f(x - STEP, k, n)) / (2.0 * STEP)
        assert slope(x, k, n) == pytest.approx(wanted, rel=1e-8)


def test_a_range_is_no_list_of_comparisons() -> None:
    text = generate(f"{HEAD}return x if k in range(1000) else x * x\n")
    assert "if 0 <= k < 1000 else" in text


def test_a_range_from_0_subtracts_nothing() -> None:
    text = generate(f"{HEAD}return x if k in range(0, n, 2) else x * x\n")
    assert "k % 2 == 0" in text and "- 0" not in text
