"""Arrays in order: sorted, looked up, interpolated."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.emit.wholes.arrays import Whole, of_list, stored
from ad_transform.emit.wholes.draft import ONE, ZERO, Draft
from ad_transform.emit.wholes.elementwise import Value
from ad_transform.emit.wholes.layouts import in_line
from ad_transform.emit.wholes.parts import (
    Rule,
    array_of,
    number_of,
    read_whole,
)
from ad_transform.ir.nodes import Apply, Literal, Operand
from ad_transform.ir.types import Kind

_HALF, _TWO = Literal(0.5), Literal(2.0)


def argsort(draft: Draft, statement: Apply, args: Sequence[Value]) -> Whole:
    """`np.argsort(x)`"""
    x = stored(draft, array_of(args[0]))
    places = draft.apply("sorting", list_of(x), hint=statement.out.hint)
    draft.owned.add(places)
    return of_list(places, x.shape, x.lengths)


def list_of(x: Whole) -> Operand:
    """The list that holds an array."""
    assert x.stored is not None
    return x.stored


def in_order(draft: Draft, _: Apply, args: Sequence[Value]) -> Whole:
    """`np.sort(x)`"""
    return _sorted(draft, array_of(args[0]))


def _sorted(draft: Draft, x: Whole) -> Whole:
    x = stored(draft, x)
    places = draft.apply("sorting", list_of(x))
    array = list_of(x)

    def along(inside: Draft, k: Operand) -> Operand:
        return inside.apply("read", array, inside.apply("read", places, k))

    return Whole(
        x.kind,
        x.shape,
        x.lengths,
        lambda d, k: along(d, k[0]),
        along,
        is_free=True,
    )


def median(draft: Draft, _: Apply, args: Sequence[Value]) -> Operand:
    """`np.median(x)`: NaN where one is."""
    x = _sorted(draft, in_line(draft, array_of(args[0])))
    (n,) = x.lengths
    last = draft.minus(n, ONE)
    low, high = (
        x.element(draft, (draft.apply("floordiv", k, Literal(2)),)) for k in (last, n)
    )
    middle = draft.apply("div", draft.apply("add", low, high), _TWO)
    return _unless_nan(draft, x, lambda _: middle)


def _unless_nan(draft: Draft, x: Whole, make: Callable[[Draft], Operand]) -> Operand:
    """A number made of sorted ones, among which NaN comes last."""
    largest = x.element(draft, (draft.minus(x.lengths[0], ONE),))
    test = draft.apply("eq", largest, largest)
    return draft.choice(test, make, lambda _: largest)


def quantile(draft: Draft, _: Apply, args: Sequence[Value]) -> Operand:
    """`np.quantile(x, q)`"""
    x, q = _sorted(draft, in_line(draft, array_of(args[0]))), number_of(args[1])
    last = draft.minus(x.lengths[0], ONE)
    place = draft.apply("mul", q, last)
    first = draft.apply("floor", place)
    rest = draft.apply("sub", place, first)
    low = x.element(draft, (first,))
    high = x.element(draft, (draft.least(draft.plus(first, ONE), last),))
    rise = draft.apply("sub", high, low)

    def from_above(inside: Draft) -> Operand:
        left = inside.apply("sub", Literal(1.0), rest)
        return inside.apply("sub", high, inside.apply("mul", rise, left))

    def from_below(inside: Draft) -> Operand:
        return inside.apply("add", low, inside.apply("mul", rise, rest))

    half = draft.apply("ge", rest, _HALF)
    return _unless_nan(draft, x, lambda d: d.choice(half, from_above, from_below))


def looked_up(op: str) -> Rule:
    """`np.searchsorted(p, x, "right")` by "behind", "left" by "before"."""

    def rule(draft: Draft, _: Apply, args: Sequence[Value]) -> Value:
        points = list_of(stored(draft, array_of(args[0])))
        x = args[1]
        if not isinstance(x, Whole):
            return draft.apply(op, points, x)
        return Whole(
            Kind.INT,
            x.shape,
            x.lengths,
            lambda d, k: d.apply(op, points, x.element(d, k)),
        )

    return rule


def interpolated(draft: Draft, _: Apply, args: Sequence[Value]) -> Value:
    """`np.interp(x, p, f)`"""
    x, *others = args
    points, values = (read_whole(draft, array_of(other)) for other in others)
    places = list_of(stored(draft, points))
    last = draft.minus(points.lengths[0], ONE)

    def between(inside: Draft, at: Operand, j: Operand) -> Operand:
        nearer = inside.plus(j, ONE)
        first, second = (values.element(inside, (k,)) for k in (j, nearer))
        left, right = (points.element(inside, (k,)) for k in (j, nearer))
        rise = inside.apply("sub", second, first)
        slope = inside.apply("div", rise, inside.apply("sub", right, left))
        step = inside.apply("mul", slope, inside.apply("sub", at, left))
        return inside.apply("add", step, first)

    def behind(inside: Draft, at: Operand) -> Operand:
        return inside.choice(
            inside.apply("eq", at, at),
            lambda d: values.element(d, (last,)),
            lambda _: at,  # NaN
        )

    def one(inside: Draft, at: Operand) -> Operand:
        j = inside.minus(inside.apply("behind", places, at), ONE)
        return inside.choice(
            inside.apply("lt", j, ZERO),
            lambda d: values.element(d, (ZERO,)),
            lambda d: d.choice(
                d.apply("ge", j, last),
                lambda e: behind(e, at),
                lambda e: between(e, at, j),
            ),
        )

    if not isinstance(x, Whole):
        return one(draft, x)
    return Whole(Kind.FLOAT, x.shape, x.lengths, lambda d, k: one(d, x.element(d, k)))


# fmt: off
RULES: dict[str, Rule] = {
    "argsort":          argsort,
    "ranked":           argsort,
    "in_order":         in_order,
    "median":           median,
    "quantile":         quantile,
    "place_behind":     looked_up("behind"),
    "place_before":     looked_up("before"),
    "places_behind":    looked_up("behind"),
    "places_before":    looked_up("before"),
    "interpolated":     interpolated,
    "all_interpolated": interpolated,
}
# fmt: on
