"""Loops and branches in which something is raised, as people write them."""

from __future__ import annotations

import re

import pytest
from amounts import ANY_ORDER
from support import generate, load_generated

SOURCE = """\
# ad: gradient(x)
def f(x: float, kinds: "Vector[n]"):
    s = 0.0
    for kind in kinds:
        if kind == 1.0:
            y = x * x
        elif kind == 2.0:
            y = x * s
        else:
            raise ValueError(f"unknown {kind}")
        if y > 9.0:
            raise OverflowError("large")
        s += y
    return s
"""


def test_a_loop_that_may_raise_goes_over_its_items():
    text = generate(SOURCE, **ANY_ORDER)
    assert "for kind in kinds_list:" in text
    assert "while" not in text


def test_an_arm_that_raises_is_the_last_one():
    raising = r'elif kind == 2\.0:\n +y_2 = .*\n +else:\n +raise ValueError\(f"unknown'
    assert re.search(raising, generate(SOURCE, **ANY_ORDER))


def test_a_guard_inside_an_arm_stays():
    source = SOURCE.replace("elif kind == 2.0:", "elif kind > 0.0:")
    guard = '\n            if x < 0.0:\n                raise ValueError("below")\n'
    arm = source.replace("elif kind > 0.0:\n", f"else:{guard}")
    text = generate(
        re.sub(r"        else:\n +raise.*unknown.*\n", "", arm), **ANY_ORDER
    )
    assert re.search(r'else:\n +if x < 0\.0:\n +raise ValueError\("below"\)', text)


@pytest.mark.parametrize(
    ("kinds", "error"),
    [([1.0, 3.0], ValueError), ([1.0, 1.0, 2.0, 2.0], OverflowError)],
)
def test_what_python_raises_is_raised(kinds, error):
    made = load_generated(SOURCE)["f_grad"]
    assert made(1.5, [1.0, 2.0, 1.0]) == pytest.approx(4.0 * 1.5 + 3.0 * 1.5**2)
    with pytest.raises(error):
        made(2.5, kinds)


TABLE = """\
RATES = {"low": 0.5, "high": 2.0}


# ad: gradient(x)
def f(x: float, kind: str):
    if kind not in RATES:
        raise ValueError(f"unknown {kind}")
    return x * x * RATES[kind]
"""


def test_what_has_been_checked_raises_nothing_else():
    """The dict has the key then."""
    assert generate(TABLE, **ANY_ORDER).count("raise") == 1
    with pytest.raises(ValueError, match="unknown mid"):
        load_generated(TABLE)["f_grad"](3.0, "mid")
    assert load_generated(TABLE)["f_grad"](3.0, "high") == 12.0
