"""Arrays of three axes: the program has them as lists of layers, and sums over their
axes as those of lines and of matrices.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.emit.wholes.arrays import (
    Indices,
    Whole,
    of_list,
    over_all,
    place,
    size,
)
from ad_transform.emit.wholes.draft import EMPTY, Draft
from ad_transform.emit.wholes.elementwise import Value
from ad_transform.emit.wholes.layouts import in_line, laid
from ad_transform.emit.wholes.listed import lengths_of
from ad_transform.emit.wholes.parts import (
    Rule,
    array_of,
    number_of,
    read_whole,
)
from ad_transform.emit.wholes.rows import EVERY
from ad_transform.ir.nodes import Apply, Literal, Operand, Var

_ZERO = Literal(0.0)


def line_of_layers(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`np.array(x).ravel()`"""
    layers = number_of(args[0])
    lengths = lengths_of(draft, layers)
    count = size(draft, lengths)

    def body(inside: Draft, indices: Indices, taken: Indices) -> Sequence[Operand]:
        one = inside.apply("get", layers, *indices)
        return (
            inside.changed("store", taken[0], one, place(inside, indices, lengths)),
        )

    start = draft.unset(layers.type.kind, count, statement.out.hint)
    (array,) = over_all(draft, lengths, (start,), body)
    return of_list(array, statement.out.type.shape, (count,))


def with_line(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """Layers with the numbers of a line added, one after the other."""
    layers, line = number_of(args[0]), read_whole(draft, array_of(args[1]))
    lengths, out = lengths_of(draft, layers), statement.out
    start = Var(out.type, out.hint)
    draft.body.append(Apply(start, EVERY["copy_layers"], (layers,)))

    def body(inside: Draft, indices: Indices, taken: Indices) -> Sequence[Operand]:
        one = line.element(inside, (place(inside, indices, lengths),))
        changed = Var(out.type, out.hint)
        given = (taken[0], one, *indices)
        inside.body.append(Apply(changed, EVERY["add_at"], given))
        return (changed,)

    return over_all(draft, lengths, (start,), body)[0]


def rows_across(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """A line of i layers of j rows of p elements, as i * p rows of j."""
    x = in_line(draft, read_whole(draft, array_of(args[0])))
    i, j, p = map(number_of, args[1:])

    def at(inside: Draft, indices: Indices) -> Operand:
        row, column = indices
        layer, element = (inside.once(op, row, p) for op in ("floordiv", "mod"))
        number = place(inside, (layer, column, element), (i, j, p))
        return x.element(inside, (number,))

    return Whole(x.kind, statement.out.type.shape, (draft.times(i, p), j), at)


def line_along(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """The line that such rows were made of."""
    x = in_line(draft, read_whole(draft, array_of(args[0])))
    i, j, p = map(number_of, args[1:])

    def at(inside: Draft, indices: Indices) -> Operand:
        row, element = (inside.once(op, indices[0], p) for op in ("floordiv", "mod"))
        layer, column = (inside.once(op, row, j) for op in ("floordiv", "mod"))
        return x.element(inside, (place(inside, (layer, element, column), (i, p, j)),))

    return Whole(x.kind, statement.out.type.shape, (size(draft, (i, j, p)),), at)


def stretched(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """Each of i runs of p elements, j times."""
    x = in_line(draft, read_whole(draft, array_of(args[0])))
    i, j, p = map(number_of, args[1:])

    def at(inside: Draft, indices: Indices) -> Operand:
        run = inside.once("floordiv", indices[0], size(inside, (j, p)))
        element = inside.once("mod", indices[0], p)
        return x.element(inside, (place(inside, (run, element), (i, p)),))

    return Whole(x.kind, statement.out.type.shape, (size(draft, (i, j, p)),), at)


def sum_between(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """Sums over the rows of i layers of j rows of p elements."""
    x = in_line(draft, read_whole(draft, array_of(args[0])))
    every = tuple(map(number_of, args[1:]))
    i, _, p = every
    count = size(draft, (i, p))
    zeros = draft.filled(_ZERO, count, statement.out.hint)

    def body(inside: Draft, indices: Indices, taken: Indices) -> Sequence[Operand]:
        one = x.element(inside, (place(inside, indices, every),))
        at = place(inside, (indices[0], indices[2]), (i, p))
        return (inside.changed("gain", taken[0], one, at),)

    (array,) = over_all(draft, every, (zeros,), body)
    return of_list(array, statement.out.type.shape, (count,))


def axes_swapped(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """i layers of j rows of p elements, their rows as columns."""
    x, i, j, p = args
    return line_along(draft, statement, (x, i, p, j))


def layer_products(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """Products of matrices, layer by layer."""
    x, y = (in_line(draft, read_whole(draft, array_of(a))) for a in args[:2])
    i, j, p, q = map(number_of, args[2:])
    count = size(draft, (i, j, q))
    zeros = draft.filled(_ZERO, count, statement.out.hint)

    def body(inside: Draft, indices: Indices, taken: Indices) -> Sequence[Operand]:
        layer, row, k, column = indices
        left = x.element(inside, (place(inside, (layer, row, k), (i, j, p)),))
        right = y.element(inside, (place(inside, (layer, k, column), (i, p, q)),))
        one = inside.apply("mul", left, right)
        at = place(inside, (layer, row, column), (i, j, q))
        return (inside.changed("gain", taken[0], one, at),)

    (array,) = over_all(draft, (i, j, p, q), (zeros,), body)
    return of_list(array, statement.out.type.shape, (count,))


def to_layers(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`x.reshape((layers, rows, columns)).tolist()`"""
    x = in_line(draft, read_whole(draft, array_of(args[0])))
    lengths, out = tuple(map(number_of, args[1:])), statement.out
    start = Var(out.type, out.hint)
    draft.body.append(Apply(start, EVERY["block"], (EMPTY[x.kind], *lengths)))

    def body(inside: Draft, indices: Indices, taken: Indices) -> Sequence[Operand]:
        one = x.element(inside, (place(inside, indices, lengths),))
        changed = Var(out.type, out.hint)
        inside.body.append(Apply(changed, EVERY["set"], (taken[0], one, *indices)))
        return (changed,)

    return over_all(draft, lengths, (start,), body)[0]


def layered(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """`x.reshape((layers, rows, columns))`"""
    x, lengths = in_line(draft, array_of(args[0])), tuple(map(number_of, args[1:]))
    return laid(draft, x, statement.out.type.shape, lengths)


# fmt: off
RULES: dict[str, Rule] = {
    "line_of_layers": line_of_layers,
    "with_line":      with_line,
    "rows_across":    rows_across,
    "line_along":     line_along,
    "stretched":      stretched,
    "sum_between":    sum_between,
    "axes_swapped":   axes_swapped,
    "layer_products": layer_products,
    "to_layers":      to_layers,
    "layered":        layered,
}
# fmt: on
