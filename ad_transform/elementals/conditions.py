"""Templates with a condition, infinite where it does not hold, for guards and curves.

`above("x")("1 / x")` is `(1 / x) if x > 1e-290 else 1e999`.
"""

from __future__ import annotations

from collections.abc import Callable

INF = "1e999"

TINY = "1e-290"
"""Below it, products may have lost digits to underflow."""

LARGE = "1e10"
"""Arguments up to it carry errors far below a period of sin."""

Condition = Callable[[str], str]


def above(x: str, least: str = TINY) -> Condition:
    """The condition that x is greater than `least`."""
    return lambda partial: f"({partial}) if {x} > {least} else {INF}"


def away(x: str, least: str = TINY) -> Condition:
    """The condition that x is farther from 0 than `least`."""
    test = f"True if {x} > {least} else {x} < -{least}"
    return lambda partial: f"({partial}) if ({test}) else {INF}"


def within(x: str, most: str = LARGE) -> Condition:
    """The condition that x is nearer to 0 than `most`."""
    test = f"{x} < {most} if {x} > -{most} else False"
    return lambda partial: f"({partial}) if ({test}) else {INF}"


def both(one: Condition, other: Condition) -> Condition:
    """The condition that both of two hold; the other one is tested second."""
    return lambda partial: one(f"({other(partial)})")


def near(turn: str, limit: str) -> str:
    """The turn of a curve where the argument moves by less than the limit."""
    return f"({turn}) if d < {limit} else {INF}"


def only_if(test: str, template: str) -> str:
    """The template guarded by a test: infinite where the test fails."""
    return f"({template}) if ({test}) else {INF}"
