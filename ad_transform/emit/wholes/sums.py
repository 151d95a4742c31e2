"""Sums, products and extremes of all elements; elements made one after another.

Sums are added as numpy adds them: in pairs of halves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.emit.wholes.arrays import (
    Indices,
    Whole,
    of_list,
    over_all,
    size,
    stored,
)
from ad_transform.emit.wholes.draft import ZERO, Draft
from ad_transform.emit.wholes.elementwise import Value
from ad_transform.emit.wholes.layouts import in_line
from ad_transform.emit.wholes.parts import (
    Rule,
    array_of,
)
from ad_transform.ir.nodes import Apply, Literal, Operand, Var
from ad_transform.ir.types import Kind

_ZERO = Literal(0.0)
_NOTHING = Literal(-0.0)  # -0.0 + x is x, also where x is -0.0
LOWEST = {"maximum": Literal(float("-inf")), "minimum": Literal(float("inf"))}
_FARTHEST = {"max": Literal(1 - (1 << 63)), "min": Literal((1 << 63) - 1)}

Term = Callable[[Draft, Operand], Operand]


def summed(draft: Draft, count: Operand, term: Term, start: Operand = _ZERO) -> Operand:
    """The sum of terms, one after another."""
    return draft.loop(
        count,
        (start,),
        lambda d, k, taken: (d.apply("add", taken[0], term(d, k)),),
    )[0]


def sum_all(draft: Draft, _: Apply, args: Sequence[Value]) -> Operand:
    """`np.sum(x)`"""
    return _total(draft, array_of(args[0]))


def _total(draft: Draft, x: Whole) -> Operand:
    count = size(draft, x.lengths)
    if x.kind is not Kind.FLOAT:
        line = in_line(draft, x)
        return summed(draft, count, lambda d, k: line.element(d, (k,)), ZERO)
    array = stored(draft, x).stored
    assert array is not None
    return draft.apply("pairwise", array, ZERO, count)


def average(draft: Draft, _: Apply, args: Sequence[Value]) -> Operand:
    """`np.mean(x)`"""
    x = array_of(args[0])
    total = _total(draft, x)
    lengths = [draft.exact(n) for n in x.lengths]
    return draft.apply("div", total, size(draft, lengths))


def extreme(op: str) -> Rule:
    """`np.max(x)` by "maximum": NaN where one is."""

    def rule(draft: Draft, _: Apply, args: Sequence[Value]) -> Operand:
        return _folded(draft, array_of(args[0]), op, LOWEST[op])

    return rule


def whole_extreme(op: str) -> Rule:
    """The same of whole numbers, by "max" and "min"."""

    def rule(draft: Draft, _: Apply, args: Sequence[Value]) -> Operand:
        return _folded(draft, array_of(args[0]), op, _FARTHEST[op])

    return rule


def folded(op: str, start: Operand) -> Rule:
    """All elements joined by an operation of two."""

    def rule(draft: Draft, _: Apply, args: Sequence[Value]) -> Operand:
        return _folded(draft, array_of(args[0]), op, start)

    return rule


def _folded(draft: Draft, x: Whole, op: str, start: Operand) -> Operand:
    return over_all(
        draft,
        x.lengths,
        (start,),
        lambda d, k, taken: (d.apply(op, taken[0], x.element(d, k)),),
    )[0]


def norm(draft: Draft, _: Apply, args: Sequence[Value]) -> Operand:
    """`np.linalg.norm(x)`"""
    x = array_of(args[0])

    def body(inside: Draft, indices: Indices, taken: Indices) -> Sequence[Operand]:
        one = x.element(inside, indices)
        return (inside.apply("add", taken[0], inside.apply("mul", one, one)),)

    (total,) = over_all(draft, x.lengths, (_ZERO,), body)
    return draft.apply("sqrt", total)


def frobenius(draft: Draft, _: Apply, args: Sequence[Value]) -> Operand:
    """`np.linalg.norm(x, "fro")`"""
    x = array_of(args[0])

    def at(inside: Draft, indices: Indices) -> Operand:
        one = x.element(inside, indices)
        return inside.apply("mul", one, one)

    squares = Whole(Kind.FLOAT, x.shape, x.lengths, at)
    return draft.apply("sqrt", _total(draft, squares))


def trace(draft: Draft, _: Apply, args: Sequence[Value]) -> Operand:
    """`np.trace(x)`"""
    x = array_of(args[0])
    return summed(draft, x.lengths[0], lambda d, k: x.element(d, (k, k)))


def place_of(op: str) -> Rule:
    """`np.argmax(x)` by "gt": the first of the largest."""

    def rule(draft: Draft, _: Apply, args: Sequence[Value]) -> Operand:
        x = in_line(draft, array_of(args[0]))
        return place_among(draft, x.lengths[0], op, lambda d, k: x.element(d, (k,)))

    return rule


def place_among(draft: Draft, count: Operand, op: str, term: Term) -> Operand:
    """The place of the first term that is best, or of the first NaN."""
    start = LOWEST["maximum" if op == "gt" else "minimum"]

    def body(inside: Draft, k: Var, taken: tuple[Var, ...]) -> Sequence[Operand]:
        best, place = taken
        one = term(inside, k)
        is_best = _is_first(inside, inside.apply(op, one, best), one, best)
        return (
            inside.choice(is_best, lambda _: one, lambda _: best),
            inside.choice(is_best, lambda _: k, lambda _: place),
        )

    return draft.loop(count, (start, ZERO), body)[1]


def _is_first(draft: Draft, is_best: Operand, one: Operand, best: Operand) -> Operand:
    """Whether a term is better than those before, or the first NaN."""
    if one.type.kind is not Kind.FLOAT:
        return is_best
    are = (draft.apply("ne", one, one), draft.apply("eq", best, best))
    return draft.apply("either", is_best, draft.apply("both", *are))


def cumulated(op: str) -> Rule:
    """`np.cumsum(x)` by "add", `np.cumprod(x)` by "mul", the largest or smallest so far
    by "maximum" or "minimum".
    """

    def rule(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
        x = in_line(draft, array_of(args[0]))
        start = {"add": _NOTHING, "mul": Literal(1.0), **LOWEST}[op]

        def next_one(inside: Draft, k: Operand, last: Operand) -> Operand:
            return inside.apply(op, last, x.element(inside, (k,)))

        return _chain(draft, statement, x, start, next_one)

    return rule


def recurred(draft: Draft, statement: Apply, args: Sequence[Value]) -> Value:
    """Elements that are each a term plus a factor times the element before."""
    x, terms = map(array_of, args)

    def next_one(inside: Draft, k: Operand, last: Operand) -> Operand:
        product = inside.apply("mul", x.element(inside, (k,)), last)
        return inside.apply("add", terms.element(inside, (k,)), product)

    return _chain(draft, statement, x, _ZERO, next_one)


def _chain(
    draft: Draft,
    statement: Apply,
    x: Whole,
    start: Operand,
    next_one: Callable[[Draft, Operand, Operand], Operand],
) -> Whole:
    zeros = draft.unset(Kind.FLOAT, x.lengths[0], statement.out.hint)

    def body(inside: Draft, k: Var, taken: tuple[Var, ...]) -> Sequence[Operand]:
        array, last = taken
        value = next_one(inside, k, last)
        return inside.changed("store", array, value, k), value

    array, _ = draft.loop(x.lengths[0], (zeros, start), body)
    return of_list(array, statement.out.type.shape, x.lengths)


# fmt: off
RULES: dict[str, Rule] = {
    "sum_all":           sum_all,
    "whole_sum":         sum_all,
    "average":           average,
    "max_all":           extreme("maximum"),
    "min_all":           extreme("minimum"),
    "whole_max":         whole_extreme("max"),
    "whole_min":         whole_extreme("min"),
    "any_of":            folded("either", Literal(False)),
    "all_of":            folded("both", Literal(True)),
    "product_of":        folded("mul", Literal(1.0)),
    "norm":              norm,
    "frobenius":         frobenius,
    "trace":             trace,
    "argmax":            place_of("gt"),
    "argmin":            place_of("lt"),
    "cumulated":         cumulated("add"),
    "cumulated_product": cumulated("mul"),
    "running_max":       cumulated("maximum"),
    "running_min":       cumulated("minimum"),
    "recurred":          recurred,
}
# fmt: on
