"""The length of functions that are inlined: beyond some length they are kept."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import field
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass

if TYPE_CHECKING:
    from ad_transform.read.code import Code

OFTEN, LONG = 8, 400
"""Times that a function is written out, and operations that are written out more than
once, from which on it is kept.
"""

LONG_IN_ESTIMATES = 100
"""The same operations where rounding errors are estimated: there each is eight lines,
and in a gradient it is one.
"""

ENOUGH = 2_000
"""Operations that are written out more than once, of an outermost function, from which
on it is kept without a look at the rest of the program.
"""

MORE = 20_000
"""The same of a function inside others."""


class Enough(Exception):
    """A function has been written out so often that it will be kept."""


@dataclass(slots=True)
class Tally:
    """The number of times a function was written out, and the operations of all of
    them.
    """

    calls: int = 0
    operations: int = 0

    @property
    def saved(self) -> int:
        """Operations that are written out more than once."""
        return self.operations - self.operations // max(self.calls, 1)


@dataclass(slots=True)
class Tallies:
    """The tallies of functions. With `ends_early` a function that is ENOUGH is told at
    once. One is `long` from that number of operations on.
    """

    ends_early: bool
    long: int = LONG
    by_code: dict[Code, Tally] = field(default_factory=dict)
    enough: Code | None = None

    def count(
        self, code: Code, operations: int, is_outermost: bool, kept: Set[Code]
    ) -> None:
        """Count a function that was written out. Raises Enough where it is text enough
        to be kept: ENOUGH if it is outermost, else MORE, and then the longest is kept.
        """
        tally = self.by_code.setdefault(code, Tally())
        tally.calls += 1
        tally.operations += operations
        most = ENOUGH if is_outermost else MORE
        if not self.ends_early or tally.saved < most:
            return
        if tally.calls >= OFTEN and code not in kept:
            self.enough = code if is_outermost else self._most(kept)
            raise Enough

    def better_kept(self, kept: Set[Code]) -> frozenset[Code]:
        """The function that is ENOUGH, else the one that is most text if long."""
        found = self._most(kept) if self.enough is None else self.enough
        return frozenset() if found is None else frozenset({found})

    def _most(self, kept: Set[Code]) -> Code | None:
        often = {
            code: tally.saved
            for code, tally in self.by_code.items()
            if tally.calls >= OFTEN and tally.saved >= self.long and code not in kept
        }
        return max(often, key=lambda code: often[code], default=None)
