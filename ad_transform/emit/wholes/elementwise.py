"""Operations element by element, and arrays broadcast to one shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ad_transform.dataclass import replace
from ad_transform.emit.wholes.arrays import (
    Indices,
    Whole,
    best_known,
    of_number,
    spread,
)
from ad_transform.emit.wholes.draft import Draft
from ad_transform.ir.elemental import Elemental, Form
from ad_transform.ir.nodes import Apply, Literal, Operand
from ad_transform.ir.typing import broadcast

Value = Whole | Operand


def as_whole(value: Value) -> Whole:
    """A value as an array; a number is its own element."""
    return value if isinstance(value, Whole) else of_number(value)


def common(draft: Draft, arrays: Sequence[Whole]) -> Whole:
    """An array of the common shape of arrays; nobody reads its elements."""
    shape = broadcast([x.shape for x in arrays])
    lengths: list[Operand] = []
    for k in range(-len(shape), 0):
        axes = [(x.shape[k], x.lengths[k]) for x in arrays if len(x.shape) >= -k]
        long = [n for dim, n in axes if dim != 1]
        lengths.append(best_known(draft, long or [n for _, n in axes]))
    return Whole(arrays[0].kind, shape, tuple(lengths), lambda *_: Literal(0))


def by_element(draft: Draft, statement: Apply, args: Sequence[Value]) -> Whole:
    """The operation on each element."""
    made = on_each(draft, statement.op, [as_whole(arg) for arg in args])
    return replace(made, kind=statement.out.type.kind)


def on_each(draft: Draft, op: Elemental, given: Sequence[Whole]) -> Whole:
    """An operation of numpy on each element; the kind is that of the first array."""
    like = common(draft, given)
    each = [spread(x, like) for x in given]

    def at(draft: Draft, indices: Indices) -> Operand:
        return on_numbers(draft, op, [x.element(draft, indices) for x in each])

    def along(draft: Draft, number: Operand) -> Operand:
        return on_numbers(draft, op, [x.numbered(draft, number) for x in each])

    easy = all(x.along is not None for x in each)
    return Whole(like.kind, like.shape, like.lengths, at, along if easy else None)


def on_numbers(draft: Draft, op: Elemental, values: Sequence[Operand]) -> Operand:
    """An operation of numpy on numbers."""
    if op.name == "where":
        test, x, y = values
        return draft.choice(test, lambda _: x, lambda _: y)
    if op.form is Form.POWER and isinstance(values[1], Literal):
        made = _POWERS.get(float(values[1].value))
        if made is not None and values[0].type.is_real:
            return made(draft, values[0])
    return draft.apply(_bounded(op.name, values[-1]), *values)


def _bounded(name: str, bound: Operand) -> str:
    """An operation of numpy by its name in Python where the two agree: a number as
    bound is no NaN, which has to come through.
    """
    is_number = isinstance(bound, Literal) and bound.value == bound.value
    return _IN_PYTHON.get(name, name) if is_number else name


_IN_PYTHON = {"maximum": "max", "minimum": "min"}

_POWERS: Mapping[float, Callable[[Draft, Operand], Operand]] = {
    2.0: lambda draft, x: draft.apply("mul", x, x),
    0.5: lambda draft, x: draft.apply("sqrt", x),
    -1.0: lambda draft, x: draft.apply("div", Literal(1.0), x),
}
"""The powers that numpy computes otherwise."""
