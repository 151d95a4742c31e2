"""`zip(..., strict=True)` and `min(..., default=v)` of whole arrays and ranges, which
were refused; views of empty arrays, which are as long as copies of them.
"""

import numpy as np
import pytest
from support import generate, load

HEAD = (
    'import numpy as np\n# ad: gradient(value=True)\ndef f(x: "Vector[n]", a: float):\n'
)

BODIES = {
    "arithmetic": "return sum(u * v for u, v in zip(np.sin(x), x * a, strict=True))",
    "slices": (
        "y, s = x * a, 0.0\n"
        "    for u, v in zip(y[:-1], y[1:], strict=True):\n"
        "        s += u * v\n    return s"
    ),
    "a range": (
        "s = 0.0\n    for k, v in zip(range(len(x)), x * a, strict=True):\n"
        "        s += k * v\n    return s"
    ),
    "the least": "return min(x * a, default=a) * max(x * x, default=0.0)",
}
POINTS = [[0.3, -0.7, 1.3], [0.5, 0.25], [0.75], []]


def agrees(source: str, point: list[float]) -> None:
    plain, x, a, h = load(source)["f"], np.array(point), 0.625, 2.0**-20
    value, (by_x, by_a) = load(generate(source))["f_value_and_grad"](x, a)
    assert value == pytest.approx(plain(x.copy(), a), rel=1e-15)
    along, step = np.cos(np.arange(len(x)) + 1.0), 0.5
    rise = plain(x + h * along, a + h * step) - plain(x - h * along, a - h * step)
    slope = np.dot(by_x, along) + by_a * step
    assert slope == pytest.approx(rise / (2.0 * h), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("point", POINTS, ids=len)
@pytest.mark.parametrize("name", BODIES)
def test_whole_arrays_go_side_by_side(name: str, point: list[float]) -> None:
    agrees(f"{HEAD}    {BODIES[name]}\n", point)


def test_lengths_that_differ_are_an_error() -> None:
    body = "y = x * a\n    return sum(u * v for u, v in zip(y, y[1:], strict=True))"
    made = load(generate(f"{HEAD}    {body}\n"))["f_value_and_grad"]
    with pytest.raises(ValueError, match="lengths differ"):
        made([1.0, 2.0], 3.0)


@pytest.mark.parametrize("point", POINTS, ids=len)
def test_elements_of_an_empty_array_move_on(point: list[float]) -> None:
    """It was a ValueError: -1 elements are not 0."""
    body = (
        "y = x.copy()\n    for i in range(1, len(y)):\n        y[i] += a * y[i - 1]\n"
        "    y[:-1] = y[1:]\n    return np.sum(y)"
    )
    agrees(f"{HEAD}    {body}\n", point)
