"""Keepers by the way in which functions are inlined.

Where rounding errors are estimated, errors go through all arguments and results but
lists of whole arrays. Where a program is refused so, functions of numbers are kept, and
of others only those that call themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ad_transform.ir.types import Type
from ad_transform.read.calls.tallies import LONG, LONG_IN_ESTIMATES, Tallies
from ad_transform.read.kept.kept import Keeper
from ad_transform.read.reading import IN_ESTIMATES, OF_DERIVATIVES

if TYPE_CHECKING:
    from ad_transform.read.code import Code


class KeeperInEstimates(Keeper):
    """Keeps functions without lists of whole arrays, and those that are `looped`: they
    call themselves.
    """

    def __init__(
        self,
        chosen: frozenset[Code] | None,
        ends_early: bool = False,
        looped: frozenset[Code] = frozenset(),
        long: int = LONG_IN_ESTIMATES,
    ) -> None:
        super().__init__(chosen, ends_early)
        self.tallies = Tallies(ends_early, long)
        self.looped = looped

    def afresh(self, more: frozenset[Code]) -> KeeperInEstimates:
        """See `Keeper`."""
        looped = self.looped | self.endless
        self.begin()
        chosen = None if self.chosen is None else self.chosen | more
        return type(self)(chosen, self.tallies.ends_early, looped, self.tallies.long)

    def recursive(self) -> frozenset[Code]:
        """See `Keeper`."""
        more = self.endless - self.looped
        return frozenset(self.endless) if more else frozenset()

    def instead(self) -> Keeper | None:
        """See `Keeper`."""
        self.begin()
        kept = self.chosen if self.chosen is None else self.looped
        how = self.tallies.ends_early, self.looped, self.tallies.long
        return KeeperOfNumbers(kept, *how)

    def fits(self, code: Code, found: Sequence[Type]) -> bool:
        """See `Keeper`."""
        is_fit = code in self.looped or all(map(self.takes, found))
        if not is_fit:
            self.unfit[code.name] = None
        return is_fit

    def takes(self, type_: Type) -> bool:
        """Whether values of a type may be handed over."""
        return not type_.shape or (not type_.dims and len(type_.shape) <= MOST_AXES)


class KeeperOfNumbers(KeeperInEstimates):
    """Keeps functions of numbers alone, and those that are `looped`."""

    def instead(self) -> Keeper | None:
        """See `Keeper`."""
        return None

    def takes(self, type_: Type) -> bool:
        """See `KeeperInEstimates`."""
        return not type_.is_array


MOST_AXES = 3
"""The axes of an array that lists can hold, see `elementals.whole`."""


def keeper_of(inline: str) -> Keeper:
    """The keeper for the option `inline`, RECURSIVE, or a way of IN_ESTIMATES or
    OF_DERIVATIVES.
    """
    ways = IN_ESTIMATES, OF_DERIVATIVES
    keeps_all = inline in ("never", *(way["never"] for way in ways))
    chosen: frozenset[Code] | None = None if keeps_all else frozenset()
    if any(inline in way.values() for way in ways):
        is_derived = inline in OF_DERIVATIVES.values()
        ends_early = inline in (way["auto"] for way in ways)
        long = LONG if is_derived else LONG_IN_ESTIMATES
        return KeeperInEstimates(chosen, ends_early, long=long)
    return Keeper(chosen, inline == "auto")
