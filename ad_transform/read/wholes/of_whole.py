"""Functions of numpy on whole arrays of run-time length: the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.arrays.blocks import MOST
from ad_transform.read.known.of_known import bound, is_joined_flat, items_of
from ad_transform.read.layers import (
    layered,
    of_layers,
    whole_layers,
)
from ad_transform.read.machine.arguments import Unfit, whole
from ad_transform.read.machine.context import Context
from ad_transform.read.project.helpers import IN_ROWS
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Special, Value
from ad_transform.read.wholes import (
    diagonals,
    triangular,
    whole_neighbours,
    whole_powers,
)
from ad_transform.read.wholes import whole_layouts as layouts
from ad_transform.read.wholes import whole_orders as orders
from ad_transform.read.wholes import whole_products as products
from ad_transform.read.wholes import whole_shapes as shapes
from ad_transform.read.wholes import whole_sums as sums
from ad_transform.read.wholes.whole_axes import ALONG_LAST
from ad_transform.read.wholes.whole_layouts import Rule, rank
from ad_transform.read.wholes.wholes import (
    agree,
    apply,
    joined,
    length,
    listed,
    operated,
    real,
    require_broadcast,
    shape_text,
    whole_of,
)


def _listed(flat: Context, span: Span, a: Number) -> Value:
    """`x.tolist()`: a list of its own, also where the array is a view."""
    made = listed(flat, a, span)
    if isinstance(made, Array):
        flat.views.pop(made.cell, None)
    return made


def _turned(flat: Context, span: Span, a: Number, axes: Value) -> Value:
    if isinstance(axes, Group):
        order = [whole(k) for k in axes.items]
        if order == [*range(rank(a))]:
            return a
        axes = axes if order != [*range(rank(a))][::-1] else Special.NONE
    if axes is not Special.NONE:
        raise Unfit("takes no such axes here", "write `x.T`")
    if rank(a) < MOST:
        return a
    made = layouts.seen(flat, a, apply(flat, "turned", a, span=span))
    if isinstance(a, Draft) and isinstance(made, Draft):
        flat.turned[made] = a
    return made


def _copied(flat: Context, span: Span, a: Number, dtype: Value = Special.NONE) -> Value:
    """`np.array(a)` and `np.copy(a)`; numbers of another type are new ones."""
    made = layouts.typed(flat, span, a, dtype)
    is_copy = not rank(a) or made.type.kind is not a.type.kind
    return made if is_copy else apply(flat, "copied", made, span=span)


def _backwards(flat: Context, span: Span, m: Number, axis: Value) -> Value:
    def rule(a: Number) -> Number:
        return apply(flat, "backwards", a, span=span)

    axes = (Literal(0), Literal(1)) if axis is Special.NONE else axes_in(axis)
    made: Number = rule(m) if rank(m) == 1 else m
    for one in axes if rank(m) == MOST else ():
        made = sums.along(flat, span, made, one, rule)
    return layouts.seen(flat, m, made)


def axes_in(axis: Value) -> tuple[Value, ...]:
    """The axes of a tuple, or the one that is given."""
    return axis.items if isinstance(axis, Group) else (axis,)


def _concatenated(
    flat: Context, span: Span, parts: Sequence[Number], axis: Value
) -> Value:
    """`np.concatenate`."""
    ranks = {rank(p) for p in parts}
    place = 0 if axis is Special.NONE else whole(axis)
    if len(ranks) != 1 or ranks == {0} or place is None:
        raise Unfit(f"gets {_shown(parts)}", "give it arrays of as many axes")
    if not -rank(parts[0]) <= place < rank(parts[0]):
        raise Unfit(f"has no axis {place} of {rank(parts[0])}", "write another")
    if place % rank(parts[0]):
        turned = [apply(flat, "turned", p, span=span) for p in parts]
        return apply(flat, "turned", joined(flat, turned, span), span=span)
    for part in parts[1:]:
        if rank(part) == MOST:
            agree(flat, parts[0], 1, part, 1, span)
    return joined(flat, parts, span)


def _all_joined(flat: Context, values: Sequence[Value], span: Span) -> Value:
    """`np.concatenate` with `axis=None`: of all elements."""
    parts = [whole_of(flat, item, span) for item in items_of(values[0])]
    wide = layouts.lines(flat, parts, span)
    lines = [cast(Number, layouts.raveled(flat, span, part)) for part in wide]
    return joined(flat, lines, span)


def _joined_as(
    flat: Context, span: Span, parts: Sequence[Number], axis: Value, dtype: Value
) -> Value:
    """`np.concatenate`, perhaps of elements that become floats."""
    typed = [layouts.typed(flat, span, part, dtype) for part in parts]
    return _concatenated(flat, span, typed, axis)


def _shown(parts: Sequence[Number]) -> str:
    return " and ".join(shape_text(p.type.shape) for p in parts) or "nothing"


def _stacked(flat: Context, span: Span, parts: Sequence[Number], axis: Value) -> Value:
    """`np.stack` of vectors."""
    if {rank(p) for p in parts} != {1}:
        raise Unfit(f"gets {_shown(parts)}", "stack vectors of one length")
    require_broadcast(flat, parts, span)
    place = 0 if axis is Special.NONE else whole(axis)
    if place is None or not -MOST <= place < MOST:
        raise Unfit("needs a written axis of two", "write 0, 1, -1 or -2")
    found = joined(flat, [apply(flat, "row", p, span=span) for p in parts], span)
    return apply(flat, "turned", found, span=span) if place % 2 else found


def _hstacked(flat: Context, span: Span, parts: Sequence[Number]) -> Value:
    place = 0 if all(rank(p) < MOST for p in parts) else 1
    wide = layouts.lines(flat, parts, span)
    return _concatenated(flat, span, wide, Literal(place))


def _vstacked(flat: Context, span: Span, parts: Sequence[Number]) -> Value:
    rows = [p if rank(p) == MOST else apply(flat, "row", p, span=span) for p in parts]
    return _concatenated(flat, span, rows, Literal(0))


def _upright(flat: Context, a: Number, span: Span) -> Number:
    """A vector as the only column of a matrix."""
    return apply(flat, "column", a, span=span) if rank(a) == 1 else a


def _columns(flat: Context, span: Span, parts: Sequence[Number]) -> Value:
    """`np.column_stack` of vectors and of matrices, `np.column_stack((A, b))`."""
    if {rank(p) for p in parts} <= {1}:
        return _stacked(flat, span, parts, Literal(1))
    wide = [_upright(flat, p, span) for p in parts]
    return _concatenated(flat, span, wide, Literal(1))


def _typed_anew(flat: Context, span: Span, a: Number, dtype: Value) -> Value:
    """`x.astype(int)`: a copy, of elements of another type perhaps."""
    return _copied(flat, span, a, dtype)


def _each_with_each(name: str) -> Rule:
    """`np.subtract.outer(x, y)` and the like, of two vectors."""

    def rule(flat: Context, span: Span, a: Number, b: Number) -> Value:
        if rank(a) != 1 or rank(b) != 1:
            raise Unfit("needs two vectors", "write `a[:, None] - b`")
        down = _upright(flat, a, span)
        across = apply(flat, "row", b, span=span)
        return operated(flat, TABLE[name], (down, across), span)

    return rule


def _where(flat: Context, span: Span, test: Number, *parts: Number) -> Value:
    """`np.where`, and the places where a test alone holds."""
    if len(parts) != 2:
        if parts:
            raise Unfit("needs a test, and both values or none")
        return orders.true_places(flat, span, test)
    require_broadcast(flat, (test, *parts), span)
    return shapes.chosen(flat, span, test, *parts)


def _clipped(flat: Context, span: Span, a: Number, low: Value, high: Value) -> Value:
    found: Value = a
    for op, bound_ in (("maximum", low), ("minimum", high)):
        if bound_ is not Special.NONE:
            found = operated(flat, TABLE[op], (found, bound_), span)
    return found


def _shape(flat: Context, span: Span, a: Number) -> Value:
    sizes = tuple(length(flat, a, k, span) for k in range(rank(a)))
    return Group(Container.TUPLE, sizes)


def _size(flat: Context, span: Span, a: Number) -> Value:
    return apply(flat, "count", a, span=span) if rank(a) else Literal(1)


def _length(flat: Context, span: Span, a: Number) -> Value:
    return length(flat, a, 0, span)


def _of_floats(flat: Context, value: Value, span: Span) -> Number:
    """A value as a whole array of floats, or the number that it is; raises Unfit."""
    found = whole_of(flat, value, span)
    return real(flat, found, span) if rank(found) else found


_SUM = "@@a axis? keepdims?"
_SPREAD = "@a axis? ddof? keepdims?"

# fmt: off
RULES: Mapping[str, tuple[str, Rule]] = {
    "numpy.sum":     (_SUM, sums.reduced("sum")),
    "numpy.mean":    (_SUM, sums.reduced("average")),
    "numpy.max":     (_SUM, sums.reduced("max")),
    "numpy.min":     (_SUM, sums.reduced("min")),
    "numpy.amax":    (_SUM, sums.reduced("max")),
    "numpy.amin":    (_SUM, sums.reduced("min")),
    "numpy.var":     (_SPREAD, sums.variance),
    "numpy.std":     (_SPREAD, sums.deviation),
    "numpy.linalg.norm": ("@x ord? axis? keepdims?", sums.norm),
    "numpy.dot":     ("@a @b", products.dot),
    "numpy.matmul":  ("@a @b", products.matmul),
    "numpy.inner":   ("@a @b", products.inner),
    "numpy.vdot":    ("@a @b", products.vdot),
    "numpy.outer":   ("@a @b", products.outer),
    "numpy.kron":    ("@a @b", products.kronecker),
    **{f"numpy.{ufunc}.outer": ("@a @b", _each_with_each(op)) for ufunc, op in (
        ("add", "add"), ("subtract", "sub"), ("multiply", "mul"), ("divide", "div"),
        ("maximum", "maximum"), ("minimum", "minimum"), ("hypot", "hypot"))},
    "numpy.linalg.solve": ("@a @b", products.solved),
    "numpy.linalg.inv":   ("@a", layouts.of_square("inverse")),
    "numpy.linalg.det":   ("@a", layouts.of_square("determinant")),
    "numpy.linalg.cholesky":     ("@a", layouts.of_square("cholesky")),
    "numpy.linalg.matrix_power": ("@a n", products.power),
    "numpy.linalg.eigvalsh": ("@a", layouts.of_square("eigenvalues")),
    "numpy.linalg.eigh":  ("@a", products.eigen),
    "numpy.linalg.pinv":  ("@a", products.pseudo_inverse),
    "numpy.linalg.lstsq": ("@a @b rcond?", products.least_squares),
    "scipy.linalg.solve": ("@a @b", products.solved),
    "scipy.linalg.inv":   ("@a", layouts.of_square("inverse")),
    "scipy.linalg.det":   ("@a", layouts.of_square("determinant")),
    "scipy.linalg.cholesky": ("@a lower?", triangular.factor),
    "scipy.linalg.solve_triangular":
        ("@a @b trans? lower?", triangular.solved_triangle),
    "numpy.einsum":    ("subscripts @a @b? @c? @d? @e?", products.einsum),
    "numpy.tensordot": ("@a @b axes?", products.tensordot),
    "numpy.ravel":     ("@@a order?", layouts.raveled),
    "numpy.reshape":   ("@@a shape order?", layouts.reshaped),
    IN_ROWS:           ("@@a rows columns", layouts.in_rows),
    "numpy.moveaxis":  ("@@a source destination", layouts.swapped),
    "numpy.swapaxes":  ("@@a axis1 axis2", layouts.swapped),
    "numpy.diag":      ("@v k?", diagonals.diag),
    "numpy.diagflat":  ("@v k?", diagonals.diagflat),
    "numpy.diagonal":  ("@a offset?", diagonals.diagonal),
    "numpy.trace":     ("@a offset?", diagonals.trace),
    "numpy.tril":      ("@m k?", layouts.triangle("lower", -1)),
    "numpy.triu":      ("@m k?", layouts.triangle("upper", 1)),
    "numpy.roll":      ("@a shift axis?", layouts.rolled),
    "numpy.eye":       ("N M? k? dtype?", layouts.eye),
    "numpy.identity":  ("n", layouts.identity),
    "numpy.linspace":  ("start stop num? endpoint?", layouts.spaced),
    "numpy.zeros_like": ("@@a dtype?", layouts.like(0.0)),
    "numpy.empty_like": ("@@a dtype?", layouts.like(0.0)),
    "numpy.ones_like":  ("@@a dtype?", layouts.like(1.0)),
    "numpy.full_like":  ("@@a fill_value dtype?", layouts.like(None)),
    "numpy.arange":    ("start stop? step? dtype?", layouts.counted_up),
    "numpy.expand_dims": ("@a axis", layouts.expanded),
    "numpy.append":    ("@arr @values", layouts.appended),
    "numpy.ndarray.flatten": ("@@a order?", layouts.flattened),
    "numpy.ndarray.tolist":  ("@@a", _listed),
    "numpy.ndarray.astype":  ("@@a dtype", _typed_anew),
    "numpy.polyval": ("p @x", sums.polynomial),
    "numpy.cumsum":  ("@a axis?", sums.cumulated),
    "numpy.diff":    ("@a n? axis? prepend? append?", sums.differences),
    "numpy.transpose":    ("@@a axes?", _turned),
    "numpy.flip":         ("@@m axis?", _backwards),
    "numpy.copy":         ("@@a", _copied),
    "numpy.array":        ("@@a dtype?", _copied),
    "numpy.asarray":      ("@@a dtype?", layouts.typed),
    "numpy.concatenate":  ("*arrays axis? dtype?", _joined_as),
    "numpy.stack":        ("*arrays axis?", _stacked),
    "numpy.hstack":       ("*tup", _hstacked),
    "numpy.vstack":       ("*tup", _vstacked),
    "numpy.column_stack": ("*tup", _columns),
    **orders.RULES,
    **whole_powers.RULES,
    **whole_neighbours.RULES,
    **shapes.RULES,
    "numpy.where":        ("@@test @@x? @@y?", _where),
    "numpy.clip":         ("@@a a_min? a_max?", _clipped),
    "numpy.shape":        ("@a", _shape),
    "numpy.size":         ("@a", _size),
    "builtins.len":       ("@a", _length),
}
ATTRIBUTES: Mapping[str, Rule] = {
    "T":     lambda flat, span, a: _turned(flat, span, a, Special.NONE),
    "shape": _shape,
    "size":  _size,
    "ndim":  lambda flat, span, a: Literal(rank(a)),
}
METHODS: Mapping[str, str] = {
    name: f"numpy.{name}" for name in (
        "argmax", "argmin", "copy", "cumsum", "diagonal", "dot", "max", "mean", "min",
        "all", "any", "ravel", "reshape", "std", "sum", "swapaxes", "trace",
        "transpose", "var",
        "argsort", "clip", "cumprod", "prod", "ptp", "repeat", "round", "searchsorted",
        "squeeze", "take",
    )
} | {name: f"numpy.ndarray.{name}" for name in ("flatten", "tolist", "astype")}
# fmt: on


_OF_ALL = frozenset(
    f"numpy.{name}" for name in (
        "sum", "mean", "max", "min", "amax", "amin", "std", "var", "prod", "median",
        "ptp", "linalg.norm", "ndarray.flatten",
    )
)  # fmt: skip
"""Functions of all elements, along any axes."""


def is_of_layers(name: str, values: Sequence[Value]) -> bool:
    """Whether a function is one of the elements of an array of three axes."""
    first = values[0] if values else None
    is_one = name in _OF_ALL or name in whole_layers.ALONG
    return is_one and isinstance(first, Array) and len(first.axes) > MOST


def called(
    flat: Context,
    name: str,
    values: Sequence[Value],
    keywords: Mapping[str, Value],
    span: Span,
) -> Value:
    """The result of a function; raises Unfit."""
    words, rule = RULES[name]
    if name in ALONG_LAST and Special.NONE in (*values[1:], keywords.get("axis")):
        raise Unfit("with `axis=None` is not supported", "write `np.sort(x.ravel())`")
    if is_joined_flat(name, values, keywords):
        return _all_joined(flat, values, span)
    given: list[object] = []
    made = of_layers.called(flat, name, values, keywords, span)
    if made is not None:
        return made
    is_of_all = name in _OF_ALL and is_of_layers(name, values)
    if is_of_all and len(values) == 1 and not keywords:
        values = [layered.line_of(flat, cast(Array, values[0]), span)]
    elif name in whole_layers.ALONG and whole_layers.is_of_three(values):
        given_by_word = bound(words, values, keywords)
        lines = whole_layers.lines_of(flat, given_by_word, span)
        return lines.back(called(flat, name, [lines.matrix], lines.keywords, span))
    for word, value in bound(words, values, keywords):
        if word.startswith("@") and word.endswith("?") and value is Special.NONE:
            continue
        if word.startswith("@@"):
            given.append(whole_of(flat, value, span))
        elif word.startswith("@"):
            given.append(_of_floats(flat, value, span))
        elif word.startswith("*"):
            items = items_of(value)
            given.append([whole_of(flat, item, span) for item in items])
        else:
            given.append(value)
    return rule(flat, span, *given)
