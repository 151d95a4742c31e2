"""Carries of inner loops, as a first run of the body has found them.

A loop whose carries are found too narrow runs its body again, and so do the loops in
it: a nest would be run 2**depth times. The carries found before are their first guess
then; carries that are wider from the start of a loop are no narrower in it.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass, replace
from ad_transform.diagnostics import Span

if TYPE_CHECKING:
    from ad_transform.read.loops.trip_ends import Types


@dataclass(slots=True)
class Found:
    """The carries that a loop was found to have, and the loops right in its body."""

    span: Span
    types: Types
    inside: Foreseen


@dataclass(slots=True)
class Foreseen:
    """The carries that the loops right in a body were found to have, in the order in
    which they ran: in the run before, and in this one by now.
    """

    before: list[Found] = field(default_factory=list)
    now: list[Found] = field(default_factory=list)
    first: int = 0  # arrays that there are when the body begins to run
    shift: int = 0  # by as many there are more than in the run before

    def begin(self, arrays: int) -> None:
        """Note that the body runs once more, when there are so many `arrays`."""
        self.before, self.now = self.now, []
        self.shift, self.first = arrays - self.first, arrays

    def next(self) -> Found | None:
        """The next loop as the run before found it, if there was one."""
        place = len(self.now)
        return self.before[place] if place < len(self.before) else None

    def guess(self, types: Types) -> Types | None:
        """The types of the carries that a loop inside was found to have, as this run
        numbers arrays; None where one was no plain number.
        """
        is_plain = all(leaf >= 0 for _, leaf in types.wide)
        if not types.wide or not is_plain or types.absent or types.givers:
            return None
        wide = {
            (self._renewed(name), k): type_ for (name, k), type_ in types.wide.items()
        }
        return replace(types, wide=wide, absent={}, givers={})

    def _renewed(self, name: str) -> str:
        """The name of an array that the body makes, as this run of it numbers them."""
        number = int(name[1:-1]) if name.startswith("[") else -1
        is_new = number >= self.first - self.shift
        return f"[{number + self.shift}]" if is_new else name
