"""The vectors that lists of layers are made of; arithmetic reads these vectors.

At the head of a trip a list is taken as it was before the loop. If a trip turns out to
change it after it was read as a vector, the loop is read once more.
"""

from __future__ import annotations

from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.read.values.values import Draft


@dataclass(slots=True)
class Lines:
    """The vectors by the contents of cells; `before` has the contents before a loop for
    those at the head of its trips.

    The `layers` of a vector are the array of three axes.
    """

    made: dict[Draft, Draft] = field(default_factory=dict)
    layers: dict[Draft, Draft] = field(default_factory=dict)
    before: dict[Draft, Draft] = field(default_factory=dict)
    read: set[Draft] = field(default_factory=set)

    def enter(self, content: Draft, line: Draft) -> None:
        """Note the vector that a list is made of."""
        self.made[content] = line

    def of(self, content: Draft) -> Draft | None:
        """The vector that a list is made of, to be read; None without one."""
        line = self.made.get(content)
        one: Draft | None = content
        while line is not None and one is not None:
            self.read.add(one)
            one = self.before.get(one)
        return line

    def carry(self, head: Draft, start: Draft) -> None:
        """Take a list at the head of a trip as it was before the loop."""
        if start in self.made:
            self.made[head], self.before[head] = self.made[start], start

    def drop(self, head: Draft) -> bool:
        """Let a list differ from trip to trip; True if it was read as the one before
        the loop.
        """
        return self.made.pop(head, None) is not None and head in self.read
