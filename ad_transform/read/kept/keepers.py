"""Keepers by the way in which functions are inlined.

Where rounding errors are estimated, functions of numbers are kept, and of others only
those that call themselves: errors do not go through the arrays of a call.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ad_transform.ir.types import Type
from ad_transform.read.calls.tallies import LONG_IN_ESTIMATES, Tallies
from ad_transform.read.kept.kept import Keeper
from ad_transform.read.reading import OF_NUMBERS

if TYPE_CHECKING:
    from ad_transform.read.code import Code


class KeeperOfNumbers(Keeper):
    """Keeps functions of numbers alone, and those that are `looped`: they call
    themselves.
    """

    def __init__(
        self,
        chosen: frozenset[Code] | None,
        ends_early: bool = False,
        looped: frozenset[Code] = frozenset(),
    ) -> None:
        super().__init__(chosen, ends_early)
        self.tallies = Tallies(ends_early, LONG_IN_ESTIMATES)
        self.looped = looped

    def afresh(self, more: frozenset[Code]) -> KeeperOfNumbers:
        """See `Keeper`."""
        looped = self.looped | self.endless
        self.begin()
        chosen = None if self.chosen is None else self.chosen | more
        return KeeperOfNumbers(chosen, self.tallies.ends_early, looped)

    def recursive(self) -> frozenset[Code]:
        """See `Keeper`."""
        more = self.endless - self.looped
        return frozenset(self.endless) if more else frozenset()

    def fits(self, code: Code, found: Sequence[Type]) -> bool:
        """See `Keeper`."""
        is_fit = code in self.looped or not any(t.dims or t.shape for t in found)
        if not is_fit:
            self.unfit[code.name] = None
        return is_fit


def keeper_of(inline: str) -> Keeper:
    """The keeper for the option `inline`, RECURSIVE, or a way of OF_NUMBERS."""
    keeps_all = inline in ("never", OF_NUMBERS["never"])
    chosen: frozenset[Code] | None = None if keeps_all else frozenset()
    if inline in OF_NUMBERS.values():
        return KeeperOfNumbers(chosen, inline == OF_NUMBERS["auto"])
    return Keeper(chosen, inline == "auto")
