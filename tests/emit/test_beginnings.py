"""What a branch gives to a loop alone has the name of what goes through the loop."""

from __future__ import annotations

from amounts import ANY_ORDER
from support import generate, load

STATES = """
# ad: gradient(x)
def cost(x: "Vector[n]", change: float) -> float:
    a, b = 0.0, change
    for v in x:
        a, b = min(a, b + change) + v * v, min(b, a + change) + (v - 1.0) ** 2
    if a < b:
        return 3.0 * a
    return 2.0 * b
"""


def test_a_loop_goes_on_with_what_the_arms_give():
    text = generate(STATES, **ANY_ORDER)
    before, _ = text.split("for i, ", 1)
    assert "        a_bar = 3.0\n        b_bar = 0.0\n    else:\n" in before
    assert "case_" not in before
    slopes = load(text)["cost_grad"]([0.75, 0.25], 1.0)
    assert list(slopes) == [4.5, 1.5]


SHARED = (
    STATES.replace("return 2.0 * b", "return b")
    .replace("return 3.0 * a", "return a * change")
    .replace("gradient(x)", "gradient")
)


def test_what_is_read_elsewhere_keeps_a_name_of_its_own():
    gradient = load(generate(SHARED, **ANY_ORDER))["cost_grad"]
    slopes, slope = gradient([0.75, 0.25], 1.0)
    assert list(slopes) == [1.5, 0.5] and slope == 0.75**2 + 0.25**2
