"""Whole arrays of run-time length laid out anew, and made: numpy's functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.dims import ANY, Dim
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import BOOL, INT, Kind, Type
from ad_transform.read.arrays import extents
from ad_transform.read.arrays.blocks import MOST
from ad_transform.read.known.known_layouts import by_columns, require_float
from ad_transform.read.machine.arguments import Unfit, holds, whole
from ad_transform.read.machine.context import Context
from ad_transform.read.values.callables import Dotted
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Special, Value, is_int
from ad_transform.read.wholes.wholes import (
    agree,
    apply,
    joined,
    length,
    of_one_kind,
    real,
    shape_text,
)

Rule = Callable[..., Value]


def rank(value: Number) -> int:
    """The number of axes of an array; a number has none."""
    return len(value.type.shape)


def seen(flat: Context, a: Number, made: Value) -> Value:
    """A view of an array: a change of one changes the other."""
    if isinstance(a, Draft) and isinstance(made, Draft) and made is not a:
        flat.views[made] = (a,)
    return made


def natural(value: Value) -> Number:
    """A whole number that is a length; raises Unfit."""
    if is_int(value):
        return value
    raise Unfit("needs a length", "write a whole number, `len(x)` or a parameter")


def dim(flat: Context, size: Number) -> Dim:
    """The dim of a length."""
    return int(size.value) if isinstance(size, Literal) else flat.heap.dim(size)


# --- shapes ---------------------------------------------------------------------------


def raveled(flat: Context, span: Span, a: Number, order: Value = Special.NONE) -> Value:
    """`np.ravel`."""
    a = _by_order(flat, span, a, order)
    return a if rank(a) == 1 else seen(flat, a, apply(flat, "raveled", a, span=span))


def _by_order(flat: Context, span: Span, a: Number, order: Value) -> Number:
    """The array whose elements row by row are those of `a` in an order."""
    if not by_columns(order) or rank(a) < MOST:
        return a
    return apply(flat, "turned", a, span=span)


def flattened(flat: Context, span: Span, a: Number, order: Value) -> Value:
    """`x.flatten()`: a copy."""
    a = _by_order(flat, span, a, order)
    return apply(flat, "copied" if rank(a) == 1 else "raveled", a, span=span)


def in_rows(flat: Context, span: Span, a: Number, rows: Value, columns: Value) -> Value:
    """The matrix whose rows stand one behind the other in an array."""
    return reshaped(flat, span, a, Group(Container.TUPLE, (rows, columns)))


def reshaped(
    flat: Context, span: Span, a: Number, shape: Value, order: Value = Special.NONE
) -> Value:
    """`np.reshape` to one axis or two."""
    sizes = shape.items if isinstance(shape, Group) else (shape,)
    if by_columns(order):
        lines_ = _by_order(flat, span, a, order)
        made = reshaped(flat, span, lines_, Group(Container.TUPLE, sizes[::-1]))
        if len(sizes) < MOST:
            return made
        return seen(flat, a, apply(flat, "turned", cast(Draft, made), span=span))
    if len(sizes) > MOST:
        raise Unfit("gets three lengths or more", "arrays have one axis or two here")
    if [whole(n) for n in sizes] == [-1]:
        return raveled(flat, span, a)
    lengths = [natural(n) for n in sizes]
    line = a if rank(a) == 1 else apply(flat, "raveled", a, span=span)
    if len(lengths) == 1:
        extents.agree(flat, length(flat, line, 0, span), lengths[0], span)
        return seen(flat, a, line)
    known = [-1 if n == Literal(-1) else dim(flat, n) for n in lengths]
    dims = tuple(ANY if n == -1 else n for n in known)
    type_ = Type(line.type.kind, (), dims)
    return seen(flat, a, flat.declare(TABLE["laid_out"], (line, *lengths), type_, span))


def swapped(flat: Context, span: Span, a: Number, one: Value, other: Value) -> Value:
    """`np.swapaxes` of a matrix."""
    places = whole(one), whole(other)
    if rank(a) != MOST or None in places:
        raise Unfit("needs a matrix and two written axes", "write `A.T`")
    if len({p % MOST for p in places if p is not None}) == 1:
        return a
    return seen(flat, a, apply(flat, "turned", a, span=span))


# --- diagonals and triangles ----------------------------------------------------------


def of_square(name: str) -> Callable[[Context, Span, Number], Value]:
    """A function of one square matrix."""

    def rule(flat: Context, span: Span, a: Number) -> Value:
        require_square(flat, a, span)
        return apply(flat, name, a, span=span)

    return rule


def require_square(flat: Context, a: Number, span: Span) -> None:
    """Require a square matrix; raises Unfit, or checks it in the run."""
    if rank(a) != MOST:
        raise Unfit(f"needs a square matrix, not shape {shape_text(a.type.shape)}")
    agree(flat, a, 0, a, 1, span)


def triangle(name: str, only: int) -> Rule:
    """`np.tril` and `np.triu`, with or without the diagonal."""

    def rule(flat: Context, span: Span, m: Number, k: Value) -> Value:
        if rank(m) != MOST:
            raise Unfit("needs a matrix")
        place = 0 if k is Special.NONE else whole(k)
        if place in (0, only):
            return apply(flat, f"{name}_only" if place else name, m, span=span)
        if not isinstance(k, Draft | Literal) or k.type != INT:
            raise Unfit("needs a whole number as `k`")
        return apply(flat, f"{name}_from", m, k, span=span)

    return rule


def rolled(flat: Context, span: Span, a: Number, shift: Value, axis: Value) -> Value:
    """`np.roll`."""
    if isinstance(shift, Group) and isinstance(axis, Group):
        for pair in zip(shift.items, axis.items, strict=False):
            a = cast(Draft, rolled(flat, span, a, *pair))
        return a
    by = shift
    if not isinstance(by, Draft | Literal) or by.type != INT:
        raise Unfit("needs a whole number of places")
    place = None if axis is Special.NONE else whole(axis)
    if rank(a) == 1 and place in (None, 0, -1):
        return apply(flat, "rolled", a, by, span=span)
    if axis is Special.NONE:
        moved = apply(
            flat, "rolled", apply(flat, "raveled", a, span=span), by, span=span
        )
        return apply(flat, "unraveled", moved, a, span=span)
    if place is None or not -MOST <= place < MOST or rank(a) != MOST:
        raise Unfit("of a matrix needs a written axis", "write `axis=0` or `axis=1`")
    return apply(flat, f"rolled_{('rows', 'columns')[place % MOST]}", a, by, span=span)


# --- new arrays -----------------------------------------------------------------------


def filled(flat: Context, span: Span, value: Number, sizes: Sequence[Number]) -> Draft:
    """A new array of equal elements."""
    dims = tuple(dim(flat, n) for n in sizes)
    op = TABLE["filled" if len(sizes) == 1 else "filled_rows"]
    type_ = Type(Kind.FLOAT, (), dims)
    return flat.declare(op, (real(flat, value, span), *sizes), type_, span)


def number(value: Value) -> Number:
    """A value that is a single number; raises Unfit."""
    if not isinstance(value, Draft | Literal) or rank(value):
        raise Unfit("needs a number")
    return value


def require_held(array: Number, value: Value) -> None:
    """Raise Unfit where numpy cuts a number to put it into an array."""
    type_ = number(value).type
    if type_.is_real or (array.type.kind is Kind.BOOL and type_ is not BOOL):
        way_out = "write `1.0 * array` for an array of floats"
        raise Unfit("puts that number into an array of no floats", way_out)


def identity(flat: Context, span: Span, n: Value) -> Value:
    """`np.eye(n)`."""
    size = natural(n)
    dims = (dim(flat, size),) * MOST
    type_ = Type(Kind.FLOAT, (), dims)
    return flat.declare(TABLE["identity"], (Literal(1.0), size, size), type_, span)


def eye(flat: Context, span: Span, n: Value, m: Value, k: Value, dtype: Value) -> Value:
    """`np.eye(n)`."""
    require_float(dtype)
    is_square = m is Special.NONE or extents.same_length(flat, natural(n), natural(m))
    if not is_square or k not in (Special.NONE, Literal(0)):
        help_ = "write `np.diag(np.ones(n - 1), 1)`, or a part of a larger one"
        raise Unfit("of a size that only a run knows has one diagonal", help_)
    return identity(flat, span, n)


def typed(flat: Context, span: Span, a: Number, dtype: Value) -> Number:
    """An array with elements of a type: floats may be made of whole numbers."""
    if dtype is Special.NONE or dtype in _DTYPES[a.type.kind]:
        return a
    if dtype in _DTYPES[Kind.FLOAT]:
        return real(flat, a, span)
    if dtype in _DTYPES[Kind.INT]:
        return apply(flat, "int", a, span=span)
    raise Unfit("changes the type of its elements", "write float or int, or nothing")


_DTYPES: Mapping[Kind, tuple[Value, ...]] = {
    Kind.FLOAT: tuple(map(Dotted, ("builtins.float", "numpy.float64", "numpy.double"))),
    Kind.INT: tuple(map(Dotted, ("builtins.int", "numpy.int64", "numpy.intp"))),
    Kind.BOOL: tuple(map(Dotted, ("builtins.bool", "numpy.bool_", "numpy.bool"))),
}
"""The spellings of the kinds of elements."""


def counted_up(
    flat: Context,
    span: Span,
    start: Value,
    stop: Value,
    step: Value = Special.NONE,
    dtype: Value = Special.NONE,
) -> Value:
    """`np.arange(n)`, `np.arange(m, n)` and `np.arange(m, n, -2)`."""
    first, end = (Literal(0), start) if stop is Special.NONE else (start, stop)
    if any(map(_is_float, (first, end, step))):
        return _of_floats(flat, span, first, end, step, dtype)
    first, end = natural(first), natural(end)
    by = 1 if step is Special.NONE else whole(step)
    if not by:
        raise Unfit("needs a written step", "write `k * np.arange(n)`")
    size = _trips(flat, span, *((first, end) if by > 0 else (end, first)), abs(by))
    type_ = Type(Kind.INT, (), (dim(flat, size),))
    steps: Number = flat.declare(TABLE["counted_up"], (Literal(0), size), type_, span)
    if by == -1:
        steps = apply(flat, "sub", first, steps, span=span)
        return typed(flat, span, steps, dtype)
    if by != 1:
        steps = apply(flat, "mul", steps, Literal(by), span=span)
    if first != Literal(0):
        steps = apply(flat, "add", steps, first, span=span)
    return typed(flat, span, steps, dtype)


def _is_float(value: Value) -> bool:
    return isinstance(value, Draft | Literal) and value.type.is_real


def _of_floats(
    flat: Context, span: Span, start: Value, stop: Value, step: Value, dtype: Value
) -> Value:
    """`np.arange(start, stop, step)` of floats: multiples of the step, as numpy has
    them.
    """
    first, end = (real(flat, number(one), span) for one in (start, stop))
    by = Literal(1.0) if step is Special.NONE else real(flat, number(step), span)
    is_from_0 = first == Literal(0.0)
    size = _steps(flat, first, end, by, span)
    type_ = Type(Kind.INT, (), (dim(flat, size),))
    places = flat.declare(TABLE["counted_up"], (Literal(0), size), type_, span)
    if not is_from_0:
        second = _scalar(flat, "add", first, by, span=span)
        by = _scalar(flat, "sub", second, first, span=span)
    steps = apply(flat, "mul", places, by, span=span)
    if not is_from_0:
        steps = apply(flat, "add", steps, first, span=span)
    return typed(flat, span, steps, dtype)


def _steps(flat: Context, first: Number, end: Number, by: Number, span: Span) -> Number:
    """The number of steps that begin between two numbers; known where all three are
    written.
    """
    if isinstance(by, Literal) and not by.value:
        raise Unfit("needs a step other than 0", "write another step")
    written = [float(n.value) for n in (first, end, by) if isinstance(n, Literal)]
    if len(written) == 3:
        steps = (written[1] - written[0]) / written[2]
        if not math.isfinite(steps):
            raise Unfit("needs a finite number of steps", "write finite numbers")
        return Literal(max(0, math.ceil(steps)))
    gap = end
    if first != Literal(0.0):
        gap = _scalar(flat, "sub", end, first, span=span)
    ratio = _scalar(flat, "div", gap, by, span=span)
    return _scalar(flat, "ceil", ratio, span=span)


def _scalar(flat: Context, op: str, *args: Number, span: Span) -> Number:
    """The value of an operation on numbers, a literal where a constant is folded."""
    made = flat.apply(TABLE[op], args, span)
    if not isinstance(made, Draft | Literal):
        raise Unfit("needs numbers that can be computed", "write other numbers")
    return made


def _trips(flat: Context, span: Span, low: Number, high: Number, by: int) -> Number:
    """The number of steps that begin between two places."""
    size = extents.number(flat, "sub", (high, low), span)
    if by == 1:
        return size
    more = extents.number(flat, "add", (size, Literal(by - 1)), span)
    return extents.number(flat, "floordiv", (more, Literal(by)), span)


def expanded(flat: Context, span: Span, a: Number, axis: Value) -> Value:
    """`np.expand_dims` of a vector."""
    place = whole(axis)
    if rank(a) != 1 or place is None or not -MOST <= place < MOST:
        raise Unfit("needs a vector and a written axis", "write `x[:, None]`")
    return seen(flat, a, apply(flat, ("row", "column")[place % MOST], a, span=span))


def lines(flat: Context, parts: Sequence[Number], span: Span) -> list[Number]:
    """Arrays with numbers among them as vectors, all as floats if one is."""
    if any(part.type.is_real for part in parts):
        parts = of_one_kind(flat, parts, span)
    return [p if rank(p) else apply(flat, "vector", p, span=span) for p in parts]


def appended(flat: Context, span: Span, one: Number, other: Number) -> Value:
    """`np.append` to a vector."""
    parts = lines(flat, (one, other), span)
    if max(map(rank, parts)) > 1:
        raise Unfit("needs vectors", "write `np.concatenate`")
    return joined(flat, parts, span)


def spaced(
    flat: Context,
    span: Span,
    start: Value,
    stop: Value,
    num: Value,
    endpoint: Value = Special.NONE,
) -> Value:
    """`np.linspace`; with `endpoint=False` that of a point more, without its last."""
    size = Literal(50) if num is Special.NONE else natural(num)
    if not holds(endpoint, True):
        more = extents.number(flat, "add", (size, Literal(1)), span)
        longer = cast(Draft, spaced(flat, span, start, stop, more))
        return apply(flat, "sliced_to", longer, size, span=span)
    ends = []
    for end in (start, stop):
        if not isinstance(end, Draft | Literal) or rank(end):
            raise Unfit("needs numbers as its ends")
        ends.append(real(flat, end, span))
    type_ = Type(Kind.FLOAT, (), (dim(flat, size),))
    return flat.declare(TABLE["spaced"], (*ends, size), type_, span)


def _kind_of(a: Number, dtype: Value) -> Kind:
    """The kind of the elements of an array like another; raises Unfit."""
    if dtype is Special.NONE:
        return a.type.kind
    for kind in (Kind.FLOAT, Kind.INT):
        if dtype in _DTYPES[kind]:
            return kind
    raise Unfit("has a `dtype` other than float or int", "leave it out")


def like(number: float | None) -> Rule:
    """`np.zeros_like(x)`, and `np.full_like(x, value)` without a number."""

    def rule(flat: Context, span: Span, a: Number, *rest: Value) -> Value:
        if not rank(a):
            raise Unfit("needs an array")
        *values, dtype = rest
        given = values[0] if number is None else Literal(number)
        if not isinstance(given, Draft | Literal) or rank(given):
            raise Unfit("needs a number")
        kind = _kind_of(a, dtype)
        if kind is not Kind.FLOAT:
            whole_number = given if number is None else Literal(int(number))
            if kind is not Kind.INT or whole_number.type != INT:
                raise Unfit(f"makes {kind.value}s of a float", "give it `dtype=float`")
            none = apply(flat, "no_places", a, span=span)
            is_zero = whole_number == Literal(0)
            return (
                none if is_zero else apply(flat, "add", none, whole_number, span=span)
            )
        sizes = [length(flat, a, k, span) for k in range(rank(a))]
        op = TABLE["filled" if rank(a) == 1 else "filled_rows"]
        type_ = Type(Kind.FLOAT, (), a.type.shape)
        return flat.declare(op, (real(flat, given, span), *sizes), type_, span)

    return rule
