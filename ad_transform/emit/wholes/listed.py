"""Arrays made of lists that the program has, of numbers or of rows, and such lists."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.emit.wholes.arrays import (
    Indices,
    Whole,
    made,
    of_list,
    over_all,
    stored,
)
from ad_transform.emit.wholes.draft import EMPTY, ZERO, Draft
from ad_transform.emit.wholes.elementwise import Value
from ad_transform.emit.wholes.parts import Rule, array_of, number_of
from ad_transform.emit.wholes.rows import EVERY
from ad_transform.ir.nodes import Apply, Operand, Var


def of_numbers(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """The array of the numbers in a list."""
    array = number_of(args[0])
    copy = draft.copy(array, statement.out.hint)
    return of_list(copy, array.type.dims, lengths_of(draft, copy))


def of_rows(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """The matrix of the numbers in a list of rows."""
    array = number_of(args[0])

    def at(inside: Draft, indices: Indices) -> Operand:
        return inside.apply("get", array, *indices)

    shape, lengths = statement.out.type.shape, lengths_of(draft, array)
    x = Whole(array.type.kind, shape, lengths, at)
    return stored(draft, x, statement.out.hint)


def lengths_of(draft: Draft, array: Operand) -> tuple[Operand, ...]:
    """The lengths of a list, of the lists in it, and so on: 0 in an empty list."""
    found: list[Operand] = []
    for depth, dim in enumerate(array.type.dims):
        known = draft.length(dim)
        found.append(_measured(draft, array, found, depth) if known is None else known)
    return tuple(found)


def _measured(
    draft: Draft, array: Operand, outer: Sequence[Operand], depth: int
) -> Operand:
    """The length of the first list of some depth."""
    if not depth:
        return draft.size(array)
    length = draft.choice(
        draft.apply("gt", outer[-1], ZERO),
        lambda inside: inside.apply("size", array, *[ZERO] * depth),
        lambda _: ZERO,
    )
    draft.positive.add(length)
    return length


def to_list(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """A list of the elements, or of the rows, which are lists of theirs."""
    return in_lists(draft, array_of(args[0]), statement.out)


def in_lists(draft: Draft, x: Whole, out: Var) -> Operand:
    """The list, of the type of `out`."""
    if len(x.shape) == 1:
        return made(draft, x, out.hint)
    array = Var(out.type, out.hint)
    given = (EMPTY[x.kind], *map(draft.exact, x.lengths))
    op = "grid" if len(x.shape) == 2 else "block"
    draft.body.append(Apply(array, EVERY[op], given))

    def body(inside: Draft, indices: Indices, taken: Indices) -> Sequence[Operand]:
        changed = Var(out.type, out.hint)
        given = (taken[0], x.element(inside, indices), *indices)
        inside.body.append(Apply(changed, EVERY["set"], given))
        return (changed,)

    return over_all(draft, x.lengths, (array,), body)[0]


# fmt: off
RULES: dict[str, Rule] = {
    "of_list": of_numbers,
    "of_places": of_numbers,
    "of_rows": of_rows,
    "of_layers": of_rows,
    "rows_in_list": of_rows,
    "to_list": to_list,
    "to_rows": to_list,
    "layers_of": to_list,
}
# fmt: on
