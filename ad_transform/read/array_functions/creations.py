"""New arrays: `np.zeros(n)`, `np.array(...)`, `x.copy()`, `list(x)`, `[0.0] * n`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import BOOL, FLOAT, INT, Type
from ad_transform.later import later
from ad_transform.read.array_functions.attributes import known_shape
from ad_transform.read.arrays import (
    array_rows,
    arrays,
    extents,
    packing,
    views,
)
from ad_transform.read.branches import widening
from ad_transform.read.iterables import iterables
from ad_transform.read.known import grids
from ad_transform.read.machine.arguments import Rule, Unfit, Values, expect
from ad_transform.read.machine.context import Context
from ad_transform.read.rows import (
    nested,
    optional_rows,
    rows,
    stacks,
)
from ad_transform.read.values.callables import Dotted
from ad_transform.read.values.described import describe
from ad_transform.read.values.series import Range
from ad_transform.read.values.storage import Array, Lists, Rows, Stack
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import (
    FILLERS,
    Draft,
    Number,
    Special,
    Value,
    is_int,
)
from ad_transform.read.wholes import wholes

with later():
    from ad_transform.read.lists import queues

# fmt: off
_KINDS: dict[str, Type] = {
    "builtins.float": FLOAT, "numpy.float64": FLOAT, "numpy.double": FLOAT,
    "builtins.int":   INT,   "numpy.int64":   INT,
    "builtins.bool":  BOOL,  "numpy.bool_":   BOOL,
}
# fmt: on
_SHAPE = "write a length or a tuple of two: `np.zeros(n)`, `np.zeros((m, n))`"


def _lengths(value: Value) -> tuple[Number, ...]:
    """The lengths in a shape; raises Unfit."""
    items = value.items if isinstance(value, Group) else (value,)
    found = [v for v in items if is_int(v)]
    if len(found) < len(items) or not 1 <= len(found) <= 3:
        raise Unfit(
            f"needs a shape of one to three whole numbers, not {_shown(value)}", _SHAPE
        )
    return tuple(found)


def _shown(value: Value) -> str:
    if isinstance(value, Group):
        return f"{len(value.items)} items"
    return describe(value)


def _kind(values: Values, at: int, default: Type | None = FLOAT) -> Type | None:
    """The type of elements by the argument `dtype`; raises Unfit."""
    given = values[at] if at < len(values) else Special.NONE
    if given is Special.NONE:
        return default
    found = _KINDS.get(given.name) if isinstance(given, Dotted) else None
    if found is None:
        raise Unfit("has a `dtype` other than float, int or bool", "leave it out")
    return found


def _made(
    flat: Context,
    value: Number,
    lengths: Sequence[Number],
    container: Container,
    span: Span,
) -> Value:
    """A new array, a whole one where it has to be."""
    made = packing.full(flat, value, lengths, container, span)
    if not wholes.is_wide(flat, span) or not value.type.is_real:
        flat.made.add(span)
        return made
    return wholes.whole_of(flat, made, span)


def constant(number: float) -> Rule:
    """`np.zeros`, `np.ones`, `np.empty`: `(shape, dtype)`."""

    def rule(flat: Context, values: Values, span: Span) -> Value:
        expect(values, 1, 2)
        kind = _kind(values, 1)
        assert kind is not None
        value = Literal({FLOAT: float, INT: int, BOOL: bool}[kind](number))
        lengths = _lengths(values[0])
        return _made(flat, value, lengths, Container.ARRAY, span)

    return rule


def full(flat: Context, values: Values, span: Span) -> Value:
    """`np.full(shape, value, dtype)`."""
    expect(values, 2, 3)
    given = flat.number(values[1], span)
    if given is None:
        return Special.REFUSED
    kind = _kind(values, 2, None)
    value = _typed(flat, given, kind, span)
    return _made(flat, value, _lengths(values[0]), Container.ARRAY, span)


def _typed(flat: Context, value: Number, kind: Type | None, span: Span) -> Number:
    """A number as an element of a kind; raises Unfit where it would be cut off."""
    wide = widening.joint(value.type, kind or value.type)
    if kind is not None and wide != kind:
        raise Unfit(f"makes whole numbers of {describe(value)}", "leave `dtype` out")
    return widening.typed(flat.statements, value, wide, span)


def like(number: float | None) -> Rule:
    """`np.zeros_like(x)`, and `np.full_like(x, value)` without a number."""

    def rule(flat: Context, values: Values, span: Span) -> Value:
        expect(values, 1 if number is not None else 2, 2)
        model, *rest = values
        if not isinstance(model, Array | Group):
            raise Unfit(f"needs an array, not {describe(model)}")
        kind, shape = FLOAT, _shape_of(flat, model, span)
        if isinstance(model, Array):
            kind = Type(model.cell.type.kind)
        value: Number = FILLERS[kind]
        if number is not None:
            kind = _kind(values, 1, kind) or kind
            value = Literal({FLOAT: float, INT: int, BOOL: bool}[kind](number))
        else:
            given = flat.number(rest[0], span)
            if given is None:
                return Special.REFUSED
            value = _typed(flat, given, kind, span)
        lengths = cast(Sequence[Number], shape.items)
        return _made(flat, value, lengths, Container.ARRAY, span)

    return rule


def _shape_of(flat: Context, model: Array | Group, span: Span) -> Group:
    if isinstance(model, Group):
        return known_shape(model)
    return extents.shape(flat, model, span)


def array(copies: bool) -> Rule:
    """`np.array(items, dtype)`, and `np.asarray`, which makes no copy of an array."""

    def rule(flat: Context, values: Values, span: Span) -> Value:
        expect(values, 1, 2)
        kind = _kind(values, 1, None)
        given = optional_rows.certain(flat, values[0], span)
        if isinstance(given, Range):
            places = wholes.whole_of(flat, given, span)
            return wholes.real(flat, places, span) if kind == FLOAT else places
        if isinstance(given, Array):
            fits = kind is None or kind.kind is given.cell.type.kind
            if not fits and kind == FLOAT:
                return wholes.real(flat, wholes.whole_of(flat, given, span), span)
            if not fits:
                raise Unfit("changes the type of its elements", "leave `dtype` out")
            if given.cell.container is Container.ARRAY:
                return copy(flat, (given,), span) if copies else given
            return _of_list(flat, given, span)
        if isinstance(given, Rows):
            return rows.matrix(flat, given, kind, span)
        if isinstance(given, Stack) and kind in (None, FLOAT):
            return stacks.matrix(flat, given, span)
        if isinstance(given, Group):
            is_one = given.container is Container.ARRAY
            if is_one and kind is not None and _kinds_in(given) == {kind}:
                kind = None
            if is_one and not copies and span not in flat.sites and kind is None:
                return given
            if wholes.is_wide(flat, span) and kind in (None, FLOAT):
                whole = wholes.whole_of(flat, given, span)
                return wholes.real(flat, whole, span) if kind == FLOAT else whole
            if span in flat.sites or kind is not None:
                flat.made.add(span)  # it may have to be a whole one
                return packing.packed(flat, given.items, Container.ARRAY, span, kind)
            return _as_array(given, span)
        raise Unfit(f"needs the elements, not {describe(given)}", "give it a list")

    return rule


def _of_list(flat: Context, given: Array, span: Span) -> Value:
    """The array of a list of run-time length, a whole one where it has to be."""
    if wholes.is_wide(flat, span):
        return wholes.whole_of(flat, given, span)
    flat.made.add(span)
    made = arrays.copied(flat, given, Container.ARRAY, span)
    if isinstance(made, Array) and _is_whole_yet(flat, given):
        flat.rounding.add(made.cell)
    return made


def _is_whole_yet(flat: Context, given: Array) -> bool:
    """Whether a list holds whole numbers here, and floats only later."""
    return flat.sites.get(given.cell.span) == FLOAT and given.cell not in flat.changed


def _kinds_in(group: Group) -> set[Type | None]:
    """The types of the items of an array; None for one that is no number."""
    found: set[Type | None] = set()
    waiting: list[Value] = [group]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Group):
            waiting += value.items
        else:
            found.add(value.type if isinstance(value, Draft | Literal) else None)
    return found


def _as_array(value: Value, span: Span) -> Value:
    """Nested lists whose items are known as an array."""
    if not isinstance(value, Group):
        return value
    items = tuple(_as_array(item, span) for item in value.items)
    return Group(Container.ARRAY, items, span)


def as_lists(value: Value) -> Value:
    """An array whose items are known as nested lists."""
    if not isinstance(value, Group):
        return value
    return Group(Container.LIST, tuple(map(as_lists, value.items)))


def _of_rows(flat: Context, matrix: Array, span: Span) -> Value:
    """`list(A)` of a matrix: a list of arrays."""
    if span in flat.layouts:
        flat.remake(matrix)
        return queues.listed(flat, wholes.whole_of(flat, matrix, span), span)
    found = arrays.copied(flat, matrix, Container.LIST, span)
    flat.displays[span] = Container.LIST
    row = views.at(flat, matrix, Literal(0), span)
    array_rows.note(flat, found, span, stacks.layout_of_all(flat, (row,), span))
    return found


def listed(container: Container) -> Rule:
    """`list(x)` and `tuple(x)` of an array, a list of run-time length or a series."""

    def rule(flat: Context, values: Values, span: Span) -> Value:
        expect(values, 1, 1)
        (given,) = values
        if isinstance(given, Array):
            if len(given.axes) > 1 and container is not Container.LIST:
                if given.cell.container is container:
                    return given  # `tuple(map(tuple, rows))`: it cannot change
                raise Unfit("of a matrix is not supported", "use `x.copy()`")
            if len(given.axes) > 1 and grids.is_array(given):
                return _of_rows(flat, given, span)
            return arrays.copied(flat, given, container, span)
        if isinstance(given, Rows | Lists | Stack) and container is Container.LIST:
            return rows.copied(flat, given, span)
        if isinstance(given, Rows):
            raise Unfit("of a list of rows that grows is not supported", "leave it out")
        is_list = container is Container.LIST
        if is_list and span in flat.layouts:
            return queues.listed(flat, given, span)
        over = iterables.series_of(flat, given, span)
        if over is None:
            raise Unfit("needs a range with a known step", "write a number there")
        found = nested.rows(flat, over, lambda _: None, span) if is_list else None
        return found or arrays.gathered(flat, over, container, span)

    return rule


_copied = listed(Container.LIST)


def as_list(flat: Context, values: Values, span: Span) -> Value:
    """`list(x)`; the rows of a matrix stay the same objects."""
    made = _copied(flat, values, span)
    (given,) = values
    if isinstance(made, Array) and isinstance(given, Array) and len(given.axes) > 1:
        arrays.same_rows(flat, made, given)
    return made


def length(flat: Context, values: Values, span: Span) -> Value:
    """`len(x)`."""
    expect(values, 1, 1)
    (given,) = values
    if isinstance(given, Rows | Lists):
        given = given.first
    if isinstance(given, Stack):
        given = given.marks[0]
    if isinstance(given, Array):
        return extents.count(flat, given, span)
    if isinstance(given, Range):
        return iterables.count(flat, given, span)
    raise Unfit(f"needs a tuple, a list or an array, not {describe(given)}")


def deep_copy(flat: Context, values: Values, span: Span) -> Value:
    """`copy.deepcopy(u)` of a list or an array."""
    expect(values, 1, 1)
    (given,) = values
    if isinstance(given, Rows | Lists):
        return rows.deep_copy(flat, given, span)
    if isinstance(given, Array) and not wholes.is_wide(flat, span):
        flat.made.add(span)
        return arrays.copied(flat, given, given.cell.container, span)
    return copy(flat, values, span)


def copy(flat: Context, values: Values, span: Span) -> Value:
    """`np.copy(x)`, `x.copy()`."""
    expect(values, 1, 1)
    (given,) = values
    if isinstance(given, Rows | Lists | Stack):
        return rows.copied(flat, given, span)
    if wholes.is_wide(flat, span):
        whole = wholes.whole_of(flat, given, span)
        return wholes.apply(flat, "copied", whole, span=span)
    if isinstance(given, Array):
        flat.made.add(span)
        return arrays.shallow(flat, given, span)
    if isinstance(given, Group):
        return given
    raise Unfit(f"needs an array, not {describe(given)}")
