"""How much text functions are that are written out: which of them are better kept."""

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

ENOUGH = 2_000
"""Operations that are written out more than once, of a function that no other is
written out around, from which on it is kept without a look at the rest of the program.
"""


class Enough(Exception):
    """A function has been written out so often that it will be kept."""


@dataclass(slots=True)
class Tally:
    """How often a function was written out, and the operations of all times."""

    calls: int = 0
    operations: int = 0

    @property
    def saved(self) -> int:
        """Operations that are written out more than once."""
        return self.operations - self.operations // max(self.calls, 1)


@dataclass(slots=True)
class Tallies:
    """The tallies of functions. With `ends_early` a function that is ENOUGH is told at
    once.
    """

    ends_early: bool
    by_code: dict[Code, Tally] = field(default_factory=dict)
    enough: Code | None = None

    def count(
        self, code: Code, operations: int, is_outermost: bool, kept: Set[Code]
    ) -> None:
        """Count a function that was written out. Raises Enough where it is text enough
        to be kept, but for one inside another: the other is more text.
        """
        tally = self.by_code.setdefault(code, Tally())
        tally.calls += 1
        tally.operations += operations
        if not (is_outermost and self.ends_early and tally.saved >= ENOUGH):
            return
        if tally.calls >= OFTEN and code not in kept:
            self.enough = code
            raise Enough

    def better_kept(self, kept: Set[Code]) -> frozenset[Code]:
        """The function that is ENOUGH, else the one that is most text if LONG."""
        if self.enough is not None:
            return frozenset({self.enough})
        often = {
            code: tally.saved
            for code, tally in self.by_code.items()
            if tally.calls >= OFTEN and tally.saved >= LONG and code not in kept
        }
        most = max(often, key=lambda code: often[code], default=None)
        return frozenset() if most is None else frozenset({most})
