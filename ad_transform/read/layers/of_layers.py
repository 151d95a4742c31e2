"""Functions of numpy on arrays of three axes as a whole, and those that make them.

Functions that give one number for each line of elements stand in `whole_layers`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.arrays.blocks import AXES, ONE, Block
from ad_transform.read.layers import layer_moves
from ad_transform.read.machine.arguments import Unfit, whole
from ad_transform.read.machine.context import Context
from ad_transform.read.values.callables import Dotted
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Special, Value, is_whole
from ad_transform.read.wholes import (
    contractions,
    whole_axes,
    whole_powers,
    whole_shapes,
    whole_sums,
)

with later():
    from ad_transform.read.arrays import (
        blocks,
        extents,
    )
    from ad_transform.read.known.of_known import bound, items_of
    from ad_transform.read.layers import layered
    from ad_transform.read.layers.layered import axis_of, block_of, rank_of, value_of
    from ad_transform.read.wholes.contractions import contracted
    from ad_transform.read.wholes.whole_layouts import natural
    from ad_transform.read.wholes.whole_shapes import chosen
    from ad_transform.read.wholes.wholes import apply

Rule = Callable[..., Value]


def called(
    flat: Context,
    name: str,
    values: Sequence[Value],
    keywords: Mapping[str, Value],
    span: Span,
) -> Value | None:
    """The result of a function; None where no array of three axes is. Raises Unfit."""
    if name not in RULES:
        return None
    words, rule = RULES[name]
    least = _LEAST.get(name, AXES)
    several = words.startswith("arrays")  # in a tuple, which is no array itself
    parts = [v for value in values for v in (*_inner(value), *[value][several:])]
    is_wide = name in _BY_SHAPE and _makes_three(name, values, keywords)
    if not is_wide and max(map(rank_of, parts), default=0) < least:
        return None
    given = [value for _, value in bound(words, values, keywords)]
    return rule(flat, span, *given)


def are_meant(name: str, values: Sequence[Value]) -> bool:
    """Whether a list of matrices is made an array of three axes."""
    first = values[0] if values else None
    is_list = isinstance(first, Group) and rank_of(first) == AXES
    return name in ("numpy.array", "numpy.asarray") and is_list and _holds_whole(first)


def _holds_whole(value: Value | None) -> bool:
    inner = value.items if isinstance(value, Group) else ()
    return any(is_whole(item) or _holds_whole(item) for item in inner)


def _inner(value: Value) -> tuple[Value, ...]:
    return tuple(value.items) if isinstance(value, Group) else ()


_LEAST = {"numpy.stack": 2, "numpy.expand_dims": 2, "numpy.dstack": 2}
"""Functions that make arrays of three axes of matrices."""


def _makes_three(
    name: str, values: Sequence[Value], keywords: Mapping[str, Value]
) -> bool:
    shape = [*values[1:2], *keywords.values()]
    return any(isinstance(v, Group) and len(v.items) >= AXES for v in shape)


_BY_SHAPE = frozenset({"numpy.reshape", "numpy.broadcast_to"})


# --- layouts --------------------------------------------------------------------------


def _transposed(flat: Context, span: Span, a: Value, axes: Value) -> Value:
    rank = rank_of(a)
    order = list(range(rank))[::-1]
    if isinstance(axes, Group):
        order = [axis_of(k, rank, 0) for k in axes.items]
    elif axes is not Special.NONE:
        raise Unfit("needs written axes", "write `(0, 2, 1)`")
    if sorted(order) != list(range(rank)):
        raise Unfit("needs each axis once", "write `(0, 2, 1)`")
    return _in_order(flat, a, order, span)


def _in_order(flat: Context, a: Value, order: Sequence[int], span: Span) -> Value:
    made = blocks.turned(flat, block_of(flat, a, span), order, span)
    return layered.lent(flat, a, value_of(flat, made, span), span)


def _swapped(flat: Context, span: Span, a: Value, one: Value, other: Value) -> Value:
    rank = rank_of(a)
    order = list(range(rank))
    i, j = axis_of(one, rank, 0), axis_of(other, rank, 0)
    order[i], order[j] = order[j], order[i]
    return _in_order(flat, a, order, span)


def _moved(flat: Context, span: Span, a: Value, source: Value, to: Value) -> Value:
    rank = rank_of(a)
    order = list(range(rank))
    order.insert(axis_of(to, rank, 0), order.pop(axis_of(source, rank, 0)))
    return _in_order(flat, a, order, span)


def _raveled(flat: Context, span: Span, a: Value) -> Value:
    return layered.lent(flat, a, block_of(flat, a, span).line, span)


def _flattened(flat: Context, span: Span, a: Value) -> Value:
    line = block_of(flat, a, span).line
    return apply(flat, "copied", line, span=span)


def _reshaped(flat: Context, span: Span, a: Value, shape: Value) -> Value:
    block = block_of(flat, a, span)
    items = shape.items if isinstance(shape, Group) else (shape,)
    sizes = [natural(n) for n in items]
    free = [k for k, n in enumerate(sizes) if n == Literal(-1)]
    total = blocks.product(flat, block.sizes, span)
    if len(free) > 1:
        raise Unfit("gets -1 twice", "write one of the lengths")
    if free:
        rest = blocks.product(flat, [n for n in sizes if n != Literal(-1)], span)
        left = extents.number(flat, "floordiv", (total, rest), span)
        sizes[free[0]] = left
        flat.heap.dim(left)
        if isinstance(left, Draft):
            flat.heap.naturals.add(left)
    layered.agree(flat, total, blocks.product(flat, sizes, span), span)
    made = value_of(flat, Block(block.line, tuple(sizes)), span)
    return layered.lent(flat, a, made, span)


def _expanded(flat: Context, span: Span, a: Value, axis: Value) -> Value:
    block = block_of(flat, a, span)
    place = axis_of(axis, block.rank + 1, 0)
    made = value_of(flat, layered.with_axes(block, [place]), span)
    return layered.lent(flat, a, made, span)


def _squeezed(flat: Context, span: Span, a: Value, axis: Value) -> Value:
    block = block_of(flat, a, span)
    ones = [k for k, n in enumerate(block.sizes) if n == ONE]
    gone = ones if axis is Special.NONE else [axis_of(axis, block.rank, 0)]
    if not set(gone) <= set(ones) or not gone:
        raise Unfit("needs an axis of length 1", "write `x[:, 0]`")
    sizes = tuple(n for k, n in enumerate(block.sizes) if k not in gone)
    return layered.lent(flat, a, value_of(flat, Block(block.line, sizes), span), span)


def _broadcast(flat: Context, span: Span, array: Value, shape: Value) -> Value:
    block = block_of(flat, array, span)
    items = shape.items if isinstance(shape, Group) else (shape,)
    sizes = tuple(natural(n) for n in items)
    if len(sizes) < block.rank or not block.rank:
        raise Unfit("needs an array, and as many lengths as it has axes, or more")
    for own, size in zip(block.sizes[::-1], sizes[::-1], strict=False):
        if own != ONE:
            layered.agree(flat, own, size, span)
    line = layered.over(flat, block, sizes, span)
    return value_of(flat, Block(line, sizes), span)


def _copied(flat: Context, span: Span, a: Value) -> Value:
    return value_of(flat, block_of(flat, a, span), span)


def _as_it_is(flat: Context, span: Span, a: Value, dtype: Value) -> Value:
    if dtype not in (Special.NONE, Dotted("builtins.float")):
        raise Unfit("changes the type of its elements", "leave `dtype` out")
    return a


def _shape(flat: Context, span: Span, a: Value) -> Value:
    return Group(Container.TUPLE, block_of(flat, a, span).sizes)


def _size(flat: Context, span: Span, a: Value) -> Value:
    return blocks.product(flat, block_of(flat, a, span).sizes, span)


def _like(number: float | None) -> Rule:
    def rule(flat: Context, span: Span, a: Value, *value: Value) -> Value:
        sizes = block_of(flat, a, span).sizes
        given = value[0] if number is None else Literal(number)
        if not isinstance(given, Draft | Literal) or given.type.shape:
            raise Unfit("needs a number")
        return layered.filled(flat, given, sizes, span)

    return rule


# --- one behind the other -------------------------------------------------------------


def _stacked(flat: Context, span: Span, arrays: Value, axis: Value) -> Value:
    blocks = [block_of(flat, item, span) for item in items_of(arrays)]
    place = axis_of(axis, blocks[0].rank + 1, 0)
    return value_of(flat, layered.stacked(flat, blocks, place, span), span)


def _concatenated(flat: Context, span: Span, arrays: Value, axis: Value) -> Value:
    blocks = [block_of(flat, item, span) for item in items_of(arrays)]
    place = axis_of(axis, blocks[0].rank, 0)
    return value_of(flat, layered.joined(flat, blocks, place, span), span)


def _stacked_along(axis: int) -> Rule:
    """`np.vstack` and `np.hstack`."""
    return lambda flat, span, arrays: _concatenated(flat, span, arrays, Literal(axis))


def _stacked_in_depth(flat: Context, span: Span, arrays: Value) -> Value:
    return _stacked(flat, span, arrays, Literal(2))


# --- products -------------------------------------------------------------------------


def matmul(flat: Context, span: Span, a: Value, b: Value) -> Value:
    """`a @ b`: of matrices, layer by layer."""
    one, other = block_of(flat, a, span), block_of(flat, b, span)
    if not one.rank or not other.rank:
        raise Unfit("needs arrays", "write `*` for a product of numbers")
    pairs = (one, "i" * (one.rank > 2)), (other, "i" * (other.rank > 2))
    (one, first), (other, second) = (_of_one_layer(*pair) for pair in pairs)
    first += "jk" if one.rank - len(first) == 2 else "k"
    second += "kl" if other.rank - len(second) == 2 else "k"
    left = "".join(c for c in dict.fromkeys(first + second) if c != "k")
    left = ("i" if "i" in left else "") + left.replace("i", "")
    made = contracted(flat, [first, second], [one, other], left, span)
    if "i" not in left and AXES in (rank_of(a), rank_of(b)):
        made = layered.with_axes(made, [0])
    return value_of(flat, made, span)


def _dot(flat: Context, span: Span, a: Value, b: Value) -> Value:
    """`np.dot`, over the last axis of one and the last but one of the other."""
    if not rank_of(a) or not rank_of(b):
        return layered.operated(flat, TABLE["mul"], (a, b), span)
    last = Literal(max(rank_of(b) - 2, 0))
    axes = Group(Container.TUPLE, (Literal(rank_of(a) - 1), last))
    return contractions.tensordot(flat, span, a, b, axes)


def _inner_product(flat: Context, span: Span, a: Value, b: Value) -> Value:
    """`np.inner`, over the last axes of both."""
    if not rank_of(a) or not rank_of(b):
        return layered.operated(flat, TABLE["mul"], (a, b), span)
    axes = Group(Container.TUPLE, (Literal(-1), Literal(-1)))
    return contractions.tensordot(flat, span, a, b, axes)


def _of_one_layer(block: Block, label: str) -> tuple[Block, str]:
    """A block without its first axis where that is written as 1."""
    if label and block.sizes[0] == ONE:
        return Block(block.line, block.sizes[1:]), ""
    return block, label


# --- element by element, and along an axis --------------------------------------------


def _where(flat: Context, span: Span, test: Value, x: Value, y: Value) -> Value:
    if Special.NONE in (x, y):
        raise Unfit("needs a test and both values", "write `np.where(test, x, y)`")

    return layered.mapped(
        flat, lambda lines: chosen(flat, span, *lines), (test, x, y), span
    )


def _clipped(flat: Context, span: Span, a: Value, low: Value, high: Value) -> Value:
    found: Value = a
    for op, bound_ in (("maximum", low), ("minimum", high)):
        if bound_ is not Special.NONE:
            found = layered.operated(flat, TABLE[op], (found, bound_), span)
    return found


def _each(rule: Rule) -> Rule:
    """A function of one array element by element."""

    def made(flat: Context, span: Span, a: Value, *rest: Value) -> Value:
        def each(lines: Sequence[Number]) -> Value:
            return rule(flat, span, *lines, *rest)

        return layered.mapped(flat, each, (a,), span)

    return made


def _along(line: Rule, default: int | None = None) -> Rule:
    """A function along an axis that leaves as many elements on it."""

    def rule(flat: Context, span: Span, a: Value, axis: Value) -> Value:
        block = block_of(flat, a, span)
        if axis is Special.NONE and default is None:
            return line(flat, span, block.line, Special.NONE)
        place = axis_of(axis, block.rank, default or 0)
        return value_of(flat, _by_lines(flat, span, line, block, place), span)

    return rule


def _by_lines(flat: Context, span: Span, line: Rule, block: Block, place: int) -> Block:
    """The result of a function of the rows of a matrix, for the lines along an axis."""
    order = [*(k for k in range(block.rank) if k != place), place]
    last = blocks.turned(flat, block, order, span)
    *rest, size = last.sizes
    count = blocks.product(flat, rest, span)
    rows = blocks.rows_of(flat, last.line, count, size, span)
    made = line(flat, span, rows, Literal(1))
    assert isinstance(made, Draft)
    found = Block(apply(flat, "raveled", made, span=span), last.sizes)
    back = [order.index(k) for k in range(block.rank)]
    return blocks.turned(flat, found, back, span)


def _softened(line: Rule) -> Rule:
    """`scipy.special.softmax` and `log_softmax`, of all elements without an axis."""

    def rule(flat: Context, span: Span, x: Value, axis: Value) -> Value:
        if axis is not Special.NONE:
            return _along(line)(flat, span, x, axis)
        block = block_of(flat, x, span)
        made = line(flat, span, block.line, Special.NONE)
        assert isinstance(made, Draft)
        return value_of(flat, Block(made, block.sizes), span)

    return rule


def _differences(flat: Context, span: Span, a: Value, n: Value, axis: Value) -> Value:
    block = block_of(flat, a, span)
    place = axis_of(axis, block.rank, -1)
    count = 1 if n is Special.NONE else whole(n)
    if count is None or count < 0:
        raise Unfit("needs a written number of times")
    made = block
    for _ in range(count):
        less = extents.number(flat, "sub", (made.sizes[place], ONE), span)
        size = extents.at_least_none(flat, extents.known(flat, less), span)
        later, before = (
            blocks.cut(flat, made, place, Literal(k), size, span) for k in (1, 0)
        )
        lines = later.line, before.line
        made = Block(apply(flat, "sub", *lines, span=span), later.sizes)
    return value_of(flat, made, span)


_BY_ELEMENT = frozenset(
    f"numpy.{name}"
    for name in [
        "nan_to_num",
        "floor",
        "ceil",
        "trunc",
        "fix",
        "rint",
        "round",
        "around",
    ]
)

# fmt: off
RULES: Mapping[str, tuple[str, Rule]] = {
    "numpy.transpose":    ("a axes?", _transposed),
    "numpy.swapaxes":     ("a axis1 axis2", _swapped),
    "numpy.moveaxis":     ("a source destination", _moved),
    "numpy.ravel":        ("a", _raveled),
    "numpy.ndarray.flatten": ("a", _flattened),
    "numpy.reshape":      ("a shape", _reshaped),
    "numpy.expand_dims":  ("a axis", _expanded),
    "numpy.squeeze":      ("a axis?", _squeezed),
    "numpy.broadcast_to": ("array shape", _broadcast),
    "numpy.copy":         ("a", _copied),
    "numpy.shape":        ("a", _shape),
    "numpy.size":         ("a", _size),
    "numpy.array":        ("a", _copied),
    "numpy.asarray":      ("a dtype?", _as_it_is),
    "numpy.zeros_like":   ("a", _like(0.0)),
    "numpy.empty_like":   ("a", _like(0.0)),
    "numpy.ones_like":    ("a", _like(1.0)),
    "numpy.full_like":    ("a fill_value", _like(None)),
    "numpy.stack":        ("arrays axis?", _stacked),
    "numpy.dstack":       ("arrays", _stacked_in_depth),
    "numpy.concatenate":  ("arrays axis?", _concatenated),
    "numpy.matmul":       ("a b", matmul),
    "numpy.einsum":       ("subscripts a b? c? d? e?", contractions.einsum),
    "numpy.tensordot":    ("a b axes?", contractions.tensordot),
    "numpy.vstack":       ("arrays", _stacked_along(0)),
    "numpy.hstack":       ("arrays", _stacked_along(1)),
    "numpy.roll":         ("a shift axis?", layer_moves.rolled),
    "numpy.flip":         ("m axis?", layer_moves.flipped),
    "numpy.repeat":       ("a repeats axis?", layer_moves.repeated),
    "numpy.dot":          ("a b", _dot),
    "numpy.inner":        ("a b", _inner_product),
    "numpy.where":        ("test x? y?", _where),
    "numpy.clip":         ("a a_min? a_max?", _clipped),
    **{name: (words.replace("@", ""), _each(rule))
       for name, (words, rule) in whole_shapes.RULES.items() if name in _BY_ELEMENT},
    "numpy.cumsum":       ("a axis?", _along(whole_sums.cumulated)),
    "numpy.cumprod":      ("a axis?", _along(whole_axes.of_line("cumulated_product"))),
    **{f"numpy.{whole}imum.accumulate":
           ("array axis?", _along(whole_axes.of_line(f"running_{whole}")))
       for whole in ("max", "min")},
    "numpy.sort":         ("a axis?", _along(whole_axes.of_lines("in_order"), -1)),
    "numpy.diff":         ("a n? axis?", _differences),
    "scipy.special.softmax":     ("x axis?", _softened(whole_powers.softmax)),
    "scipy.special.log_softmax": ("x axis?", _softened(whole_powers.log_softmax)),
}
# fmt: on
