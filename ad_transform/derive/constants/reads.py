"""The readers of arrays and lists: whether one of them may change what it reads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Set

from ad_transform.dataclass import dataclass
from ad_transform.elementals.whole import BY_ELEMENT
from ad_transform.ir.nodes import (
    Apply,
    Branch,
    Function,
    Operand,
    Scan,
    Statement,
    While,
    walk,
)

_MORE = (
    "dot mat_vec vec_mat mat_mat outer own copied pick pick_both length width depth "
    "count sum_all sum_rows sum_columns to_list to_rows layers_of joined interpolated "
    "all_interpolated place_behind place_before places_behind places_before "
    "zeros_like full_like"
)

_READ = BY_ELEMENT.union(_MORE.split(" "))
"""Operations that read an array, whose results share no memory with it."""

_SEEN = frozenset({"turned", "row", "column", "no_row", "no_column", "spread"})
"""Operations whose results share memory with an array, and are read in their turn."""


@dataclass(slots=True)
class Uses:
    """The readers of the values of a function, without arrays that are `known`."""

    readers: defaultdict[Operand, list[Statement]]
    results: frozenset[Operand]  # of all blocks

    @classmethod
    def of(cls, function: Function, known: Set[Operand]) -> Uses:
        readers: defaultdict[Operand, list[Statement]] = defaultdict(list)
        results = set(function.results)
        for statement in walk(function.body):
            results.update(r for block in statement.blocks for r in block.results)
            if known.isdisjoint(statement.outs):
                for value in statement.inputs:
                    readers[value].append(statement)
        return cls(readers, frozenset(results))

    def is_read(self, value: Operand) -> bool:
        """Whether any statement or block reads a value."""
        return value in self.results or bool(self.readers[value])

    def is_only_read(self, value: Operand) -> bool:
        """Whether nothing changes an array or list, or hands it out. Linear: each value
        that shows it is seen once, however many of them a statement reads.
        """
        waiting: list[Operand] = [value]
        seen = {value}
        while waiting:
            value = waiting.pop()
            if value in self.results:
                return False
            for reader in dict.fromkeys(self.readers[value]):
                shown = _shown(reader, value)
                if shown is None:
                    return False
                waiting += [v for v in shown if v not in seen]
                seen.update(shown)
        return True


def _shown(reader: Statement, value: Operand) -> list[Operand] | None:
    """The values that are, for a reader of an array or list, that one or a row of it;
    None if the reader may change it.
    """
    if isinstance(reader, Branch):
        pairs = [zip(reader.args, b.params, strict=True) for b in reader.blocks]
        return [param for arm in pairs for arg, param in arm if arg is value]
    if isinstance(reader, Scan | While):
        return _shown_in(reader, value)
    if not isinstance(reader, Apply):
        return None
    if value.type.dims:
        return _shown_of_list(reader)
    if reader.op.name in _SEEN:
        return [reader.out]
    is_stored = reader.op.consumes and reader.args[0] is not value
    return [] if reader.op.name in _READ or is_stored else None


def _shown_of_list(reader: Apply) -> list[Operand] | None:
    """The row of a list that an operation takes, none where it takes an item."""
    if reader.op.consumes:
        return None
    if not reader.out.type.dims and not reader.out.type.shape:
        return []
    return [reader.out] if reader.op.name == "get" else None


def _shown_in(loop: Scan | While, value: Operand) -> list[Operand] | None:
    """The parameters of a loop's blocks that stand for an array or list which it reads,
    or for a row of it.
    """
    if value in loop.carries:
        return None
    start = loop.first_read
    entries = loop.entries if isinstance(loop, Scan) else ()
    return [
        block.params[start + k]
        for block in loop.blocks
        for k, read in enumerate((*loop.reads, *entries))
        if read is value
    ]
