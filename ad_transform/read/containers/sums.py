"""Sums, products, extremes and norms of the items of tuples and lists."""

from __future__ import annotations

import math

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.machine.arguments import (
    Rule,
    Unfit,
    Values,
    equals,
    expect,
    folded,
    given,
    items_of,
    leaves,
    operate,
)
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftApply
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Special, Value, is_int, is_whole


def fold(op: str) -> Rule:
    """`max` and `min`: of several arguments or of one sequence, from the left.

    The last step gets all arguments, for equal ones share the derivative.
    """

    def rule(flat: Context, values: Values, span: Span) -> Value:
        items = values if len(values) > 1 else items_of(values)
        if not items:
            raise Unfit("of nothing has no value", "give it two values or more")
        if len(items) < 3:
            return folded(flat, op, items, span)
        before = folded(flat, op, items[:-1], span)
        last = (before, items[-1], *items[:-1])
        return operate(flat, f"{op}_of", last, span)

    return rule


def extreme(op: str, sharing: str) -> Rule:
    """`numpy.max` and `numpy.min` of all items, however nested.

    A NaN goes through; the last step, which keeps the value, shares the derivative.
    Whole numbers have neither.
    """

    def rule(flat: Context, values: Values, span: Span) -> Value:
        expect(values, 1, 1)
        items = leaves(values)
        if not items:
            raise Unfit("of nothing has no value", "give it two values or more")
        if all(map(is_int, items)):
            return folded(flat, sharing.removesuffix("_of"), items, span)
        found = folded(flat, op, items, span)
        if len(items) < 3 or found is Special.REFUSED:
            return found
        return operate(flat, sharing, (found, items[-1], *items[:-1]), span)

    return rule


def numpy_prod(flat: Context, values: Values, span: Span) -> Value:
    """`numpy.prod` of all items, however nested."""
    expect(values, 1, 1)
    items = leaves(values)
    return folded(flat, "mul", items, span) if items else Literal(1.0)


def python_sum(flat: Context, values: Values, span: Span) -> Value:
    """`sum(items, start)`; tuples and lists are joined."""
    expect(values, 1, 2)
    items = items_of(values)
    start = values[1:]
    if any(isinstance(v, Group) for v in (*items, *start)):
        return _joined(flat, items, start, span)
    if not items:
        return start[0] if start else Literal(0)
    if any(isinstance(v, Array) or is_whole(v) for v in (*items, *start)):
        return _joined(flat, items, start, span)
    return operate(flat, "sum_from" if start else "sum", (*start, *items), span)


def _joined(flat: Context, items: Values, start: Values, span: Span) -> Value:
    """`sum` of tuples, lists or arrays: these are joined, or added."""
    result, *rest = (*start, *items) if start else (Literal(0), *items)
    for item in rest:
        result = operate(flat, "add", (result, item), span)
    return result


def numpy_sum(flat: Context, values: Values, span: Span) -> Value:
    """`numpy.sum`: with eight partial sums from eight items on, as in numpy."""
    expect(values, 1, 1)
    items = leaves(values)
    return _pairwise(flat, items, span) if items else Literal(0.0)


def _pairwise(flat: Context, items: Values, span: Span) -> Value:
    """Halves of whole eights down to 128 items, then eight sums side by side."""

    def add(x: Value, y: Value) -> Value:
        return operate(flat, "add", (x, y), span)

    if len(items) < 8:
        return folded(flat, "add", items, span)
    if len(items) > 128:
        half = len(items) // 2 // 8 * 8
        return add(
            _pairwise(flat, items[:half], span), _pairwise(flat, items[half:], span)
        )
    whole = len(items) // 8 * 8
    r = [folded(flat, "add", items[k:whole:8], span) for k in range(8)]
    total = add(
        add(add(r[0], r[1]), add(r[2], r[3])), add(add(r[4], r[5]), add(r[6], r[7]))
    )
    for item in items[whole:]:
        total = add(total, item)
    return total


def numpy_mean(flat: Context, values: Values, span: Span) -> Value:
    """`numpy.mean`: the sum of `numpy.sum` over the number of items."""
    expect(values, 1, 1)
    items = leaves(values)
    if not items:
        raise Unfit("of nothing has no value", "give it two values or more")
    total = _pairwise(flat, items, span)
    return operate(flat, "div", (total, Literal(float(len(items)))), span)


def python_prod(flat: Context, values: Values, span: Span) -> Value:
    """`math.prod(items, start=...)`, from the left."""
    expect(values, 1, 2)
    items = (*values[1:], *items_of(values))
    return folded(flat, "mul", items, span) if items else Literal(1)


def function_of_one(op: str) -> Rule:
    """A function of one sequence; 0.0 for an empty one."""

    def rule(flat: Context, values: Values, span: Span) -> Value:
        expect(values, 1, 1)
        items = items_of(values)
        return operate(flat, op, items, span) if items else Literal(0.0)

    return rule


def function_of_two(op: str) -> Rule:
    """A function of two sequences of one length."""

    def rule(flat: Context, values: Values, span: Span) -> Value:
        first, second = _two(values)
        return operate(flat, op, (*first, *second), span)

    return rule


def _two(values: Values) -> tuple[Values, Values]:
    expect(values, 2, 2)
    first, second = items_of(values), items_of(values, 1)
    if len(first) != len(second) or not first:
        raise Unfit("needs two sequences of one length", "write `(a, b), (c, d)`")
    return first, second


def dot(flat: Context, values: Values, span: Span) -> Value:
    """The sum of products of two tuples, or the product of two numbers."""
    expect(values, 2, 2)
    if not any(isinstance(v, Group) for v in values):
        return operate(flat, "mul", values, span)
    pairs = zip(*_two(values), strict=True)
    terms = [operate(flat, "mul", pair, span) for pair in pairs]
    return folded(flat, "add", terms, span)


def norm(flat: Context, values: Values, span: Span) -> Value:
    """`numpy.linalg.norm`: Euclid's, or by `ord` a sum or extreme of magnitudes."""
    expect(values, 1, 2)
    items, order = items_of(values), order_of(flat, given(values, 1, 2))
    if any(isinstance(item, Group) for item in items):
        raise Unfit("of a matrix is not supported yet", "write the elements out")
    if not items:
        return Literal(0.0)
    if equals(order, 2):
        return operate(flat, "hypot", items, span)
    sizes = tuple(operate(flat, "abs", (item,), span) for item in items)
    if equals(order, 1):
        return folded(flat, "add", sizes, span)
    for bound, op, sharing in _BOUNDS:
        if equals(order, bound):
            return extreme(op, sharing)(flat, (Group(Container.TUPLE, sizes),), span)
    power = power_of(order)
    powers = tuple(operate(flat, "pow", (size, order), span) for size in sizes)
    root = Literal(1.0 / power)
    return operate(flat, "pow", (_pairwise(flat, powers, span), root), span)


_BOUNDS = ((math.inf, "maximum", "max_of"), (-math.inf, "minimum", "min_of"))


def order_of(flat: Context, order: Value) -> Value:
    """The `ord` of a norm, even if written as `-np.inf`."""
    for made in reversed(flat.statements):
        if isinstance(made, DraftApply) and made.out is order:
            (of,) = made.args if made.op.name == "neg" else (order,)
            is_infinite = isinstance(of, Literal) and of.value == math.inf
            return Literal(-math.inf) if is_infinite else order
    return order


def power_of(order: Value) -> float:
    """The `ord` of a norm that is a root of a sum of powers; raises Unfit."""
    power = order.value if isinstance(order, Literal) else None
    if type(power) not in (int, float) or not 0.0 < abs(float(str(power))) < math.inf:
        raise Unfit("takes a written `ord` but 0, or inf", "write the norm out")
    return float(str(power))


def hypot(flat: Context, values: Values, span: Span) -> Value:
    """`math.hypot` of any number of arguments; of none it is 0."""
    return operate(flat, "hypot", values, span) if values else Literal(0.0)
