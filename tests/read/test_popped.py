"""`h.pop(-2)`: items are counted from the end of a list that grows."""

from __future__ import annotations

import pytest
from reading import agree, function
from support import load, load_generated

from ad_transform.ir.evaluate import evaluate
from ad_transform.read import read

HEAD = "# ad: gradient(a, b)\ndef f(a: float, b: float, k: int):\n    h = []\n"
GROW = "    for i in range(k):\n        h.append(a * i + b)\n"
END = "    x = h.pop(-2)\n    return x * h[-1] + sum(h) * len(h)\n"


@pytest.mark.parametrize("place", ["-2", "-3"])
def test_the_item_and_what_is_left_are_those_of_python(place: str) -> None:
    text = HEAD + GROW + END.replace("-2", place)
    agree(text, (0.5, 0.25, 3), (0.3, 0.7, 4))
    by_a, by_b = load_generated(text)["f_grad"](0.3, 0.7, 4)
    model, step = load(text)["f"], 1e-6
    ends = [model(0.3 + h, 0.7, 4) for h in (step, -step)]
    assert by_a == pytest.approx((ends[0] - ends[1]) / (2.0 * step), rel=1e-8)
    ends = [model(0.3, 0.7 + h, 4) for h in (step, -step)]
    assert by_b == pytest.approx((ends[0] - ends[1]) / (2.0 * step), rel=1e-8)


def test_a_list_that_is_too_short_raises_as_in_python() -> None:
    text = HEAD + GROW + END
    with pytest.raises(IndexError):
        load(text)["f"](0.5, 0.25, 1)
    with pytest.raises(IndexError):
        evaluate(function(text), (0.5, 0.25, 1))


def test_what_is_wrong_is_said_where_the_loop_is_read_again() -> None:
    """The list becomes one that shrinks when the second loop has been read."""
    source = "# ad: gradient(x)\ndef f(x: float, y: float, k: int):\n    u = [x]\n"
    source += (
        "    b = y\n    for i in range(k):\n        b = x\n    for j in range(k):\n"
    )
    source += "        b = u.pop()\n        if y < x:\n            b = x * i * q\n"
    (said,) = read((source + "    return b + sum(u)\n").encode(), "m.py").diagnostics
    assert said.code == "AD103" and "'q'" in said.message
