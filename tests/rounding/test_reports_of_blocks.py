"""Reports and decimal literals in branches and loops."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from command import Tool, printed
from rounding.test_estimates import near
from support import load_generated

STEPS = """# ad: error(MODEL, literals="decimal")
def f(x: float, n: int):
    for _ in range(n):
        x = x * 0.9 + 0.1 if x < 0.75 else x - 0.3
    return x
"""


def exactly(x: float, n: int) -> Fraction:
    """What the source means, its literals decimals."""
    value = Fraction(x)
    for _ in range(n):
        if value < Fraction(3, 4):
            value = value * Fraction(9, 10) + Fraction(1, 10)
        else:
            value -= Fraction(3, 10)
    return value


def estimated(model: str, x: float, n: int) -> tuple[float, ...]:
    source = STEPS.replace("MODEL", f'model="{model}", name="f_err"')
    found: tuple[float, ...] = load_generated(source)["f_err"](x, n)
    return found


@pytest.mark.parametrize("n", [0, 1, 9])
def test_decimals_in_blocks_are_off_by_what_they_are(n: int) -> None:
    value, error, doubt = estimated("actual", 0.3, n)
    assert doubt == 0.0
    assert error == near(float(Fraction(value) - exactly(0.3, n)), rel=1e-9)


def test_decimals_in_blocks_are_bounded() -> None:
    value, bound, _ = estimated("linear", 0.3, 9)
    _, low, high = estimated("enclosure", 0.3, 9)
    error = Fraction(value) - exactly(0.3, 9)
    assert abs(error) <= bound < 1e-14
    assert Fraction(low) <= -error <= Fraction(high)


TEST = """# ad: error(literals="decimal")
def f(x: float, n: int):
    k = 0.0
    for _ in range(n):
        k = k + x if x < 0.1 else k - x
    return k
"""


def test_a_decimal_that_decides_is_off() -> None:
    """The double beside 0.1 is a little more than a tenth."""
    f_err = load_generated(TEST)["f_err"]
    assert f_err(0.1, 2)[1] == float("inf")
    assert f_err(0.2, 2)[1] < 1e-15


REPORTS = """# ad: error(report=True)
def f(r: float, x: float, n: int):
    for _ in range(n):
        x = r * x * (1.0 - x)
    return x - 0.5


# ad: error(report=True)
def g(r: float, x: float):
    for _ in range(6):
        x = r * x * (1.0 - x)
    return x - 0.5
"""


def shares(report: Any) -> dict[str, tuple[float, float]]:
    """The shares of the bound and of the error, by operation."""
    found: dict[str, tuple[float, float]] = {}
    for _, text, _, bound, actual, _ in report:
        before = found.get(text, (0.0, 0.0))
        found[text] = before[0] + bound, before[1] + actual
    return found


def test_a_place_in_a_loop_has_the_shares_of_all_its_trips() -> None:
    made = load_generated(REPORTS)
    loop = made["f_err"](3.7, 0.3, 6)[-1]
    straight = made["g_err"](3.7, 0.3)[-1]
    assert len(loop) == 4 < len(straight)
    for text, own in shares(straight).items():
        assert shares(loop)[text] == near(own, rel=1e-6, abs=1e-12)
    assert max(row[5] for row in loop) == max(row[5] for row in straight)


LINES = """# ad: error(x)
def f(x: "Vector[n]"):
    s = 0.0
    for v in x:
        s = s + (1.0 + v) - 1.0
    return s
"""


def test_the_line_in_a_loop_that_loses_the_digits(tmp_path: Path) -> None:
    tool = Tool(tmp_path)
    tool.write("m.py", LINES)
    said = printed(tool("m.py", "--explain", "--at", "x=[1e-9, 1e-7]"))
    assert "m.py:5:13 loses the digits: 9.0 cancel" in said and "input x" in said
