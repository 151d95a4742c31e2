"""Arrays of three axes: the program has them as lists of layers, and sums over their
axes as those of lines and of matrices.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.emit.compiled.wholes.arrays import (
    Indices,
    Whole,
    of_list,
    over_all,
    place,
    size,
)
from ad_transform.emit.compiled.wholes.draft import Draft
from ad_transform.emit.compiled.wholes.elementwise import Value
from ad_transform.emit.compiled.wholes.layouts import in_line
from ad_transform.emit.compiled.wholes.listed import lengths_of
from ad_transform.emit.compiled.wholes.parts import (
    Rule,
    array_of,
    number_of,
    read_whole,
)
from ad_transform.emit.compiled.wholes.rows import EVERY
from ad_transform.ir.nodes import Apply, Operand, Var


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


# fmt: off
RULES: dict[str, Rule] = {
    "line_of_layers": line_of_layers,
    "with_line":      with_line,
    "rows_across":    rows_across,
    "line_along":     line_along,
}
# fmt: on
