"""What a formula of the corpus is, and how it gets into a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Real = Any
Range = tuple[float, float]


def everywhere(*_: float) -> bool:
    """No more is asked of a point than that it is in the ranges."""
    return True


@dataclass(frozen=True, slots=True)
class Formula:
    """A function, the ranges of its arguments, and what else is asked of them."""

    function: Callable[..., Any]
    ranges: tuple[Range, ...]
    given: Callable[..., bool] = everywhere


Table = dict[str, Formula]


def entry(table: Table) -> Callable[..., Callable[..., Any]]:
    """The decorator that puts a function into a table."""

    def on(
        *ranges: Range, given: Callable[..., bool] = everywhere
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def enter(function: Callable[..., Any]) -> Callable[..., Any]:
            table[function.__name__] = Formula(function, ranges, given)
            return function

        return enter

    return on
