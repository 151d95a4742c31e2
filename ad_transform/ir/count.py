"""Operation counts by the classes of the contract (rule 25)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields

from ad_transform.ir.nodes import Apply, Branch, Function, Statement, walk


@dataclass(frozen=True, slots=True)
class Counts:
    """Operations as they stand in the text; `total` leaves out select."""

    mul: int = 0
    add: int = 0
    div: int = 0
    pow: int = 0
    call: int = 0
    neg: int = 0
    select: int = 0

    @property
    def total(self) -> int:
        """All operations but comparisons and conditional expressions."""
        return self.mul + self.add + self.div + self.pow + self.call + self.neg

    def classes(self) -> dict[str, int]:
        """The counts by class, zero ones included."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def count_statements(body: tuple[Statement, ...]) -> Counts:
    """Counts of a body, inner blocks once each."""
    tally: Counter[str] = Counter()
    for statement in walk(body):
        if isinstance(statement, Apply):
            tally[statement.op.cost] += 1
        elif isinstance(statement, Branch):
            tally["select"] += 1
    tally.pop("", None)
    return Counts(**tally)


def count(function: Function) -> Counts:
    """Counts of a whole function."""
    return count_statements(function.body)
