"""Values that are computed once more instead of being recorded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ad_transform.dataclass import replace
from ad_transform.derive.sweep.cut import Split
from ad_transform.ir.nodes import Apply, Literal, Operand, Statement, Var
from ad_transform.ir.types import INT, Kind

CHAIN = 2
"""Operations in a row that are done once more: recording takes as long."""

NAMED = 1
"""The same for a value that has a name anyway: to record it takes less time, for it is
only put into a tuple and taken from there.
"""


def recomputed(forth: Sequence[Statement], free: Iterable[Operand]) -> list[Apply]:
    """The operations over free values that cost less than a record, in order.
    Operations on numbers alone will stand in front of the loop.
    """
    length: dict[Operand, int] = dict.fromkeys(free, 0)
    numbers: set[Operand] = set()
    found: list[Apply] = []
    for statement in forth:
        if not isinstance(statement, Apply) or statement.op.linear:
            continue
        if all(isinstance(a, Literal) or a in numbers for a in statement.args):
            numbers.add(statement.out)
            length[statement.out] = 0
            found.append(statement)
            continue
        known = [
            0 if isinstance(a, Literal) else length.get(a, CHAIN)
            for a in statement.args
        ]
        if max(known, default=0) < CHAIN and is_cheap(statement):
            length[statement.out] = 1 + max(known, default=0)
            found.append(statement)
    return found


def found_again(forth: Sequence[Statement], free: Iterable[Operand]) -> list[Apply]:
    """The operations that find places and elements from free values, in order."""
    known = set(free)
    found: list[Apply] = []
    for statement in forth:
        if not isinstance(statement, Apply) or not _finds(statement):
            continue
        if all(isinstance(a, Literal) or a in known for a in statement.args):
            known.add(statement.out)
            found.append(statement)
    return found


def _finds(statement: Apply) -> bool:
    """Whether an operation reads an element, or makes a place of other places."""
    name, type_ = statement.op.name, statement.out.type
    if type_.is_array:
        return False
    return name == "get" or (name in _PLACES and type_.kind is Kind.INT)


_PLACES = frozenset({"add", "sub", "mul"})


def made_in_a_trip(
    forth: Sequence[Statement], free: Iterable[Operand]
) -> list[Statement]:
    """The statements over free values, whatever they cost, in order."""
    known = set(free)
    found: list[Statement] = []
    for statement in forth:
        read = (o for o in statement.inputs if not isinstance(o, Literal))
        if statement.outs and known.issuperset(read):
            known.update(statement.outs)
            found.append(statement)
    return found


def without_records(
    part: Split, forth: Sequence[Statement], free: Iterable[Operand]
) -> tuple[Split, list[Apply]]:
    """The division without records that a few operations make of the others, and these
    operations in order: `1 - x * x` is not recorded beside `x`. A value made again for
    one is there for the next.
    """
    makers = {s.out: s for s in forth if isinstance(s, Apply)}
    place = {s.out: k for k, s in enumerate(makers.values())}
    known: set[Operand] = {*free, *part.saved}
    kept: set[Operand] = {v for v in part.saved if v not in makers}
    again: dict[Apply, None] = {}
    waiting = sorted((v for v in part.saved if v in makers), key=place.__getitem__)
    for value in waiting:
        needed = _operations(value, makers, known)
        if needed is None:
            kept.add(value)
            continue
        again.update(dict.fromkeys(needed))
        known.update(s.out for s in needed)
    order = sorted(again, key=lambda s: place[s.out])
    saved = tuple(v for v in part.saved if v in kept)
    return replace(part, saved=saved), order


def _operations(
    value: Var, makers: Mapping[Var, Apply], known: set[Operand]
) -> list[Apply] | None:
    """The operations that make a value of known ones, if they are cheap and few."""
    found: list[Apply] = []
    most = NAMED if value.named else CHAIN
    waiting: list[Var] = [value]
    while waiting:
        made = makers.get(waiting.pop())
        if made is None or made.op.linear or not is_cheap(made):
            return None
        found.append(made)
        if len(found) > most:
            return None
        waiting += [a for a in made.args if isinstance(a, Var) and a not in known]
    return found


def is_cheap(statement: Apply) -> bool:
    """Whether it is one machine operation, the greater or less of two whole numbers, or
    a whole number made a float.
    """
    name, type_ = statement.op.name, statement.out.type
    if name == "float" or (name in ("max", "min") and type_ == INT):
        return True
    classes = statement.op.classes
    return len(classes) <= 1 and not {"call", "pow"} & {*classes}
