"""A body whose statements come in another order: some go in front of others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from math import inf

from ad_transform.dataclass import dataclass
from ad_transform.ir.nodes import Apply, Operand, Statement

_Key = tuple[int, int, int]


@dataclass(slots=True)
class Ordered:
    """The statements of a body by their first place, None for those that are gone;
    their order, and the makers of values.
    """

    body: Sequence[Statement]
    now: list[Statement | None] = field(init=False)
    made: dict[Operand, int] = field(init=False)
    _order: list[_Key] = field(init=False)

    def __post_init__(self) -> None:
        self.now = list(self.body)
        self._order = [(k, 1, 0) for k in range(len(self.body))]
        self.made = {out: k for k, s in enumerate(self.body) for out in s.outs}

    def is_behind(self, one: int, other: int) -> bool:
        """Whether a statement comes behind another one."""
        return self._order[one] > self._order[other]

    def sorted(self, places: Iterable[int]) -> list[int]:
        """Places in the order of their statements."""
        return sorted(places, key=self._order.__getitem__)

    def ahead(
        self, operands: Iterable[Operand], place: int, most: float = inf
    ) -> list[int] | None:
        """The statements that have to go in front of a place for operands to be known
        there; None where one of them cannot, or they are more than `most`. They change
        no array.
        """
        found: dict[int, None] = {}
        waiting = list(operands)
        while waiting:
            maker = self.made.get(waiting.pop())
            if maker is None or maker in found or self.is_behind(place, maker):
                continue
            statement = self.now[maker]
            if not isinstance(statement, Apply) or statement.op.consumes:
                return None
            if len(found) >= most:
                return None
            found[maker] = None
            waiting += statement.args
        return list(found)

    def move(self, statements: Iterable[int], place: int) -> None:
        """Let statements come in front of a place that has not moved."""
        for one in statements:
            self._order[one] = (place, 0, one)

    def statements(self) -> Sequence[Statement]:
        """The statements in their order."""
        order = sorted(range(len(self.now)), key=self._order.__getitem__)
        return [s for s in (self.now[k] for k in order) if s is not None]
