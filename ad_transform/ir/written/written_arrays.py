"""Operations on arrays of known elements in programs that are written out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ad_transform.ir.nodes import Apply, Literal, Var
from ad_transform.ir.written.written_values import (
    Elements,
    Unwritten,
    Value,
    leaves,
    like,
    made_of,
)

if TYPE_CHECKING:
    from ad_transform.ir.written.written_out import Writer

Rule = Callable[["Writer", Apply, list[Value]], Value]

ELEMENTS = 1_000
"""An array of more is not written out."""


def _index(value: Value, array: Value = None) -> int:
    if not isinstance(value, Literal):
        raise Unwritten("an index that only a run knows", made_of(array))
    return int(value.value)


def _length(value: Value) -> int:
    """The length of an array that is about to be made."""
    length = _index(value)
    bounded(length)
    return length


def _structural(writer: Writer, statement: Apply, args: list[Value]) -> Value:
    """The value of an operation that only moves elements, as its row moves them."""
    op = statement.op
    assert op.layout is not None
    places = range(op.layout.leading, len(args)) if op.name in _INDEXED else ()
    args = [like(a, leaves(a)) for a in args]  # who has the old ones keeps them
    given = [_index(a, args[0]) if k in places else a for k, a in enumerate(args)]
    if op.name in _SIZED:
        given = [args[0], *map(_length, args[1:])]
    try:
        found = op.compute(*given)
    except IndexError:
        raise Unwritten("an index out of range") from None
    if op.name == "set":
        name = _name(statement.out, args[0], given[2:])
        writer.element(given[1], name, statement.out)
    if isinstance(found, list):
        bounded(len(found))
        return Elements(found, made_of(*args) or statement.out)
    return Literal(found) if isinstance(found, int) else found


def _name(array: Var, elements: Value, index: Sequence[int]) -> str:
    """The name of an element, counted from the front: d_2 for d[-1] of three."""
    places: list[str] = []
    for k in index:
        places.append(str(k + len(elements) if k < 0 else k))
        elements = elements[k]
    return "_".join([array.hint, *places]) if array.hint else ""


def bounded(length: int) -> None:
    """Raise Unwritten where an array is too long to be written out."""
    if length > ELEMENTS:
        raise Unwritten(f"an array of more than {ELEMENTS} elements")


def _changed(op: str) -> Rule:
    def rule(writer: Writer, statement: Apply, args: list[Value]) -> Value:
        given, value, *index = args
        array = like(given, leaves(given))
        *outer, last = (_index(place, given) for place in index)
        row = array
        for k in outer:
            row = row[k]
        name = _name(statement.out, given, (*outer, last))
        row[last] = writer.add(statement.out, name, op, row[last], value)
        return array

    return rule


def _total(writer: Writer, statement: Apply, args: list[Value]) -> Value:
    terms = list(leaves(args[0]))
    if not terms:
        return Literal(0.0 if statement.out.type.is_real else 0)
    return writer.add(statement.out, statement.out.hint, "sum", *terms)


def _copied(_: Writer, __: Apply, args: list[Value]) -> Value:
    return like(args[0], leaves(args[0]))


MAKERS = frozenset({"pack", "full", "grid", "block"})
"""Operations that make an array of numbers."""
_INDEXED = frozenset({"get", "set", "size"})
_SIZED = frozenset({"full", "grid", "block"})

OPERATIONS: dict[str, Rule] = {
    **dict.fromkeys(("get", "set", "append", "pop", "pack", "size"), _structural),
    **dict.fromkeys(("full", "grid", "block", "like", "rows_like"), _structural),
    **dict.fromkeys(("copy", "copy_rows"), _copied),
    "add_at": _changed("add"),
    "sub_at": _changed("sub"),
    "sum_of": _total,
}
"""The rules of operations on arrays that are written out."""
