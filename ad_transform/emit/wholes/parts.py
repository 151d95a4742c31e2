"""Parts of arrays, read, stored and added to; arrays that are filled."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.elementals import TABLE
from ad_transform.elementals.indexed import OVERLAPPING
from ad_transform.emit.wholes.arrays import (
    Indices,
    Whole,
    made,
    of_list,
    over_all,
    place,
    size,
    spread,
    stored,
)
from ad_transform.emit.wholes.draft import EMPTY, Draft
from ad_transform.emit.wholes.elementwise import Value, as_whole, on_each
from ad_transform.emit.wholes.selections import FORMS, Selection
from ad_transform.ir.dims import ANY
from ad_transform.ir.nodes import Apply, Operand
from ad_transform.ir.types import Kind

Rule = Callable[[Draft, Apply, Sequence[Value]], Value]


def array_of(value: Value) -> Whole:
    """A value that is an array."""
    assert isinstance(value, Whole)
    return value


def number_of(value: Value) -> Operand:
    """A value that is a number, or a list."""
    assert not isinstance(value, Whole)
    return value


def read(form: str) -> Rule:
    """`x[...]`"""

    def rule(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
        x = array_of(args[0])
        part = FORMS[form](draft, x, args[1:])
        if not part.lengths:
            return x.element(draft, part.places(draft, ()))
        shape = statement.out.type.shape
        return Whole(
            x.kind,
            shape,
            part.lengths,
            lambda d, indices: x.element(d, part.places(d, indices)),
            is_free=x.is_free,
        )

    return rule


def changed(form: str, way: str) -> Rule:
    """`array[...] = x` and `array[...] += x`"""

    def rule(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
        array, x = array_of(args[0]), as_whole(args[1])
        return into(draft, array, x, FORMS[form](draft, array, args[2:]), way)

    return rule


def changed_once(form: str, way: str) -> Rule:
    """`array[...] += x` and `array[...] -= x`, where a place may stand twice: it gets
    the last of the sums.
    """

    def rule(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
        array, x = array_of(args[0]), as_whole(args[1])
        part = FORMS[form](draft, array, args[2:])
        old = Whole(
            array.kind,
            (ANY,) * len(part.lengths),
            part.lengths,
            lambda d, indices: array.element(d, part.places(d, indices)),
        )
        new = stored(draft, on_each(draft, TABLE[way], (old, x)))
        return into(draft, array, new, part, "store")

    return rule


def lost(form: str) -> Rule:
    """`array[...] -= x`: x with the other sign is added, to the same bits."""

    def rule(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
        array, x = array_of(args[0]), as_whole(args[1])
        negative = on_each(draft, TABLE["neg"], (x,))
        return into(draft, array, negative, FORMS[form](draft, array, args[2:]), "gain")

    return rule


def into(draft: Draft, array: Whole, x: Whole, part: Selection, way: str) -> Whole:
    """The array with x stored or added at the places of a part."""
    assert array.stored is not None
    axes = len(part.lengths)
    like = Whole(array.kind, ("?",) * axes, part.lengths, array.at)
    each = spread(x, like)

    def body(inside: Draft, indices: Indices, taken: Indices) -> Sequence[Operand]:
        at = place(inside, part.places(inside, indices), array.lengths)
        return (inside.changed(way, taken[0], each.element(inside, indices), at),)

    (found,) = over_all(draft, part.lengths, (array.stored,), body)
    draft.owned.discard(array.stored)
    draft.owned.add(found)
    return of_list(found, array.shape, array.lengths)


def put_in_column(draft: Draft, _: Apply, args: Sequence[Value]) -> Value:
    """`array[first:last, k] = x`"""
    array, x = array_of(args[0]), as_whole(args[1])
    first, last, k = map(number_of, args[2:])
    part = Selection(
        (draft.minus(last, first),), lambda d, at: (d.plus(at[0], first), k)
    )
    return into(draft, array, x, part, "store")


def put_in_row(draft: Draft, _: Apply, args: Sequence[Value]) -> Value:
    """`array[k, first:last] = x`"""
    array, x = array_of(args[0]), as_whole(args[1])
    k, first, last = map(number_of, args[2:])
    part = Selection(
        (draft.minus(last, first),), lambda d, at: (k, d.plus(at[0], first))
    )
    return into(draft, array, x, part, "store")


def put_in_block(draft: Draft, _: Apply, args: Sequence[Value]) -> Value:
    """`array[first:last, start:stop] = x`"""
    array, x = array_of(args[0]), as_whole(args[1])
    first, last, start, stop = map(number_of, args[2:])
    lengths = draft.minus(last, first), draft.minus(stop, start)
    part = Selection(
        lengths, lambda d, at: (d.plus(at[0], first), d.plus(at[1], start))
    )
    return into(draft, array, x, part, "store")


def own(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """A copy of an array, which may be changed."""
    x = array_of(args[0])
    return of_list(made(draft, x, statement.out.hint), x.shape, x.lengths)


def zeros_beside(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """Zeros that may be changed, as many as an array has elements."""
    x = array_of(args[0])
    zeros = draft.filled(EMPTY[Kind.FLOAT], size(draft, x.lengths), statement.out.hint)
    return of_list(zeros, x.shape, x.lengths)


def matrix(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """A matrix of zeros that may be changed."""
    lengths = tuple(map(number_of, args))
    hint = statement.out.hint
    zeros = draft.filled(EMPTY[Kind.FLOAT], size(draft, lengths), hint)
    return of_list(zeros, statement.out.type.shape, lengths)


def taken_over(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """The array itself, which nothing else reads."""
    x = array_of(args[0])
    if x.stored in draft.owned:
        return x
    return own(draft, statement, args)


def as_it_is(_: Draft, __: Apply, args: Sequence[Value]) -> Value:
    """The array: nothing changes it, so no copy is needed."""
    return args[0]


def read_whole(draft: Draft, x: Whole) -> Whole:
    """The array, stored: its elements may be read again and again."""
    return x if x.is_free else stored(draft, x)


# fmt: off
RULES: dict[str, Rule] = {
    **{form: read(form) for form in FORMS},
    **{f"put_{form}": changed(form, "store") for form in FORMS},
    **{f"gained_{form}": changed(form, "gain") for form in FORMS},
    **{f"lost_{form}": lost(form) for form in FORMS},
    **{f"raised_{form}": changed_once(form, "add") for form in OVERLAPPING},
    **{f"lowered_{form}": changed_once(form, "sub") for form in OVERLAPPING},
    "put_in_column": put_in_column,
    "put_in_row":    put_in_row,
    "put_in_block":  put_in_block,
    "whole_at":      read("pick"),
    "truth_at":      read("pick"),
    "whole_at_both": read("pick_both"),
    "truth_at_both": read("pick_both"),
    "own":           own,
    "zeros_beside":  zeros_beside,
    "matrix":        matrix,
    "adopted":       taken_over,
    "done":          as_it_is,
    "copied":        as_it_is,
}
# fmt: on
