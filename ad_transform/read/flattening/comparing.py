"""Comparisons, and chains of them: `a == b`, `a < b <= c`."""

from __future__ import annotations

from functools import partial
from typing import TypeGuard, cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import STR
from ad_transform.later import later
from ad_transform.read.arrays import array_rows
from ad_transform.read.branches import (
    choices,
    maybe,
)
from ad_transform.read.code import Body
from ad_transform.read.containers import keys
from ad_transform.read.known.grids import is_array
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.fields import home_of, may_be_one
from ad_transform.read.objects import (
    homes,
    objects,
    overloads,
)
from ad_transform.read.values.classes import Class
from ad_transform.read.values.described import describe
from ad_transform.read.values.storage import Array, Distinct
from ad_transform.read.values.structured import Dict, Group, Object
from ad_transform.read.values.values import (
    Draft,
    Maybe,
    Member,
    Number,
    Special,
    Value,
    is_whole,
)

with later():
    from ad_transform.read.calls import calls
    from ad_transform.read.lists import set_algebra

Links = tuple[tuple[Elemental, Body], ...]
"""The links of a chain: each comparison, with the code of its next value."""


_EQUALITIES = ("eq", "ne")


def chain(
    flat: Context, op: Elemental, left: Value, right: Value, links: Links, span: Span
) -> Value:
    """A comparison and those behind it, which are computed while it holds."""
    test = _one(flat, op, left, right, span)
    if not links:
        return test
    (following, body), *rest = links

    def link() -> Value:
        value = flat.run(body)
        return chain(flat, following, right, value, tuple(rest), span)

    return choices.lazily(flat, test, True, link, span)


def is_same(
    flat: Context, left: Value, right: Value, negated: bool, span: Span
) -> Value:
    """`left is right`, of members of an Enum, and of objects where it is known."""
    if Special.REFUSED in (left, right):
        return Special.REFUSED
    shared = flat.module.shared
    if any(isinstance(v, Literal) and v in shared.members for v in (left, right)):
        return _one(flat, TABLE["ne" if negated else "eq"], left, right, span)
    given = [v for v in (left, right) if isinstance(v, Member)]
    mixed = any(isinstance(v, Literal) and v in shared.mixed for v in (left, right))
    if len({v.cases for v in given}) > 1:
        return Literal(negated)
    if given and (mixed or len(given) > 1):
        return _one(flat, TABLE["ne" if negated else "eq"], left, right, span)
    own = _is_same_item(flat, left, right, span)
    if own is not None:
        return flat.operate(TABLE["not"], (own,), span) if negated else own
    found = _is_same(left, right)
    if found is not None:
        return Literal(found is not negated)
    message = f"whether {describe(left)} is {describe(right)} is not known"
    help_ = "compare numbers with `==`; keep in a bool which function was chosen"
    return flat.refuse("AD102", message, span, help_)


def _of_dicts(
    flat: Context, op: Elemental, left: Dict, right: Dict, span: Span
) -> Value:
    """Whether two dicts with known keys have the same ones, with equal values."""
    one, other = (
        dict(zip(map(keys.plain, table.keys), table.items, strict=True))
        for table in (left, right)
    )
    if one.keys() != other.keys():
        return Literal(op.name == "ne")
    values = tuple(one.values()), tuple(other[key] for key in one)
    first, second = (Group(Container.TUPLE, items) for items in values)
    return _one(flat, op, first, second, span)


def _is_same_item(flat: Context, left: Value, right: Value, span: Span) -> Value | None:
    """Whether two values are one object, where one stands in a list."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Maybe) and home_of(one.value) and isinstance(other, Object):
            inside = partial(is_same, flat, one.value, other, False, span)
            return choices.lazily(flat, one.given, True, inside, span)
    if not isinstance(left, Object) or not isinstance(right, Object):
        return None
    if left.of is not right.of or not (home_of(left) or home_of(right)):
        return None
    return homes.same(flat, left, right, span)


def _is_same(left: Value, right: Value) -> bool | None:
    """Whether two values are one object; None where that is not known."""
    if isinstance(left, Class) and isinstance(right, Class):
        return left is right
    if not isinstance(left, Object) or not isinstance(right, Object):
        return None
    one, other = left.identity, right.identity
    if left.of is not right.of:
        return False
    if one is None or other is None:
        return None
    if one is other:
        return True
    is_open = may_be_one(one, other) or may_be_one(other, one)
    return None if is_open else False


def _one(flat: Context, op: Elemental, left: Value, right: Value, span: Span) -> Value:
    """A comparison; None is equal to no number and no text, and may be compared so."""
    own: Value | None = None
    left, right = (homes.as_dict(flat, value, span) for value in (left, right))
    if isinstance(left, Dict) and isinstance(right, Dict) and op.name in _EQUALITIES:
        return _of_dicts(flat, op, left, right, span)
    if isinstance(left, Distinct):
        own = set_algebra.compared(flat, op.name, left, right, span)
    own = own or overloads.compared(flat, op.name, left, right, span)
    if own is not None:
        return own
    if op.name == "ne" and overloads.differs_by_equality(left, right):
        equal = _one(flat, TABLE["eq"], left, right, span)
        return flat.operate(TABLE["not"], (equal,), span)
    if Special.NONE in (left, right) and op.name in _EQUALITIES:
        other = right if left is Special.NONE else left
        if other is Special.NONE or isinstance(other, Object | Group):
            return Literal((other is Special.NONE) is (op.name == "eq"))
        if isinstance(other, Maybe) and not other.unbound:
            return maybe.tested(flat, other, op.name == "ne", span)
    if isinstance(left, Object) and isinstance(right, Object):
        return _of_objects(flat, op, left, right, span)
    if op.name in _EQUALITIES and _are_unlike(left, right):
        return Literal(op.name == "ne")
    pairs = _pairs(left, right) if op.name in _EQUALITIES else None
    if pairs is not None:
        return _all(flat, op, pairs, span)
    if op.name in _EQUALITIES and _are_in_order(left, right):
        even = _even(flat, left, right, span)
        return even if op.name == "eq" else _opposite(flat, even, span)
    if op.name in _STRICT and _are_in_order(left, right):
        assert isinstance(right, Group)
        return ordered(flat, op, left.items, right.items, span)
    open_, other = (left, right) if maybe.is_open(left) else (right, left)
    if (
        op.name in _EQUALITIES
        and isinstance(open_, Maybe)
        and _are_in_order(open_.value, other)
    ):
        inside = partial(_even, flat, open_.value, other, span)
        even = choices.lazily(flat, open_.given, True, inside, span)
        return even if op.name == "eq" else _opposite(flat, even, span)
    if op.name in _EQUALITIES and _is_given(other):
        is_other = op.name == "ne"
        if open_ is Special.NONE:
            return Literal(is_other)
        if isinstance(open_, Maybe):
            given = flat.operate(TABLE["not"], (open_.given,), span)
            test: Value = given if is_other else open_.given
            pair = (open_.value, right) if open_ is left else (left, open_.value)

            def rest() -> Value:
                return flat.operate(op, pair, span)

            return choices.lazily(flat, test, not is_other, rest, span)
    if array_rows.begun(flat, (left, right), span):
        return Special.REFUSED
    if op.name in _EQUALITIES and _are_lists(left, right):
        same = flat.module.elsewhere.library("lists").definitions.define("same")
        even = calls.called_with(flat, same, [left, right], {}, span)
        return even if op.name == "eq" else _opposite(flat, even, span)
    return flat.operate(op, (left, right), span)


def _are_lists(left: Value, right: Value) -> bool:
    """Whether two lists are compared, one of which has a length that a run knows."""
    pair = left, right
    lists = [v for v in pair if isinstance(v, Array) and _is_line(v)]
    others = [v for v in pair if isinstance(v, Group)]
    is_list = all(v.container is Container.LIST for v in others)
    return len(lists) > 0 and len(lists) + len(others) == len(pair) and is_list


def _is_line(array: Array) -> bool:
    return array.cell.container is Container.LIST and len(array.axes) == 1


def _of_objects(
    flat: Context, op: Elemental, left: Object, right: Object, span: Span
) -> Value:
    """`left == right`: those of a dataclass are equal if their fields are, looked at in
    turn, others if they are one object.
    """
    if op.name not in _EQUALITIES:
        if left.of is right.of and left.of.in_order:
            first = in_order(flat, left, span)
            return _one(flat, op, first, in_order(flat, right, span), span)
        return flat.operate(op, (left, right), span)
    names = left.of.compared if left.of is right.of else None
    if names is None:
        return is_same(flat, left, right, op.name == "ne", span)
    pairs = []
    for name in names:
        one, other = (objects.attribute(flat, v, name, span) for v in (left, right))
        assert one is not None and other is not None
        if any(is_array(value) or is_whole(value) for value in (one, other)):
            message = f"the arrays {name!r} of two objects are not compared"
            help_ = "compare numbers of them, or give the class an `__eq__`"
            return flat.refuse("AD107", message, span, help_)
        known = _are_equal(one, other)
        if known is False:
            return Literal(op.name == "ne")
        if known is None:
            pairs.append((one, other))
    return _all(flat, op, pairs, span)


def in_order(flat: Context, value: Value, span: Span) -> Value:
    """The tuple by which an object of a dataclass with `order=True` is put in order;
    any other value as it is.
    """
    if not isinstance(value, Object) or not value.of.in_order:
        return value
    names = value.of.equated or ()
    items = [objects.attribute(flat, value, name, span) for name in names]
    return Group(Container.TUPLE, tuple(item for item in items if item is not None))


def _are_equal(one: Value, other: Value) -> bool | None:
    """Whether two values are equal; None where only a run knows."""
    if isinstance(one, Literal) and isinstance(other, Literal):
        return one.value == other.value
    return True if one is other is Special.NONE else None


def _are_unlike(left: Value, right: Value) -> bool:
    """Whether two values are of kinds that are never equal: a text and a number, or one
    of these and a tuple, a list or an object whose class says nothing of it.
    """
    if _is_given(left) and _is_given(right):
        one, other = cast(Number, left), cast(Number, right)
        return (one.type == STR) is not (other.type == STR)
    one_, other_ = (right, left) if isinstance(left, Draft | Literal) else (left, right)
    if not isinstance(other_, Draft | Literal) or is_whole(other_):
        return False
    is_group = isinstance(one_, Group) and one_.container in _IN_ORDER
    return is_group or isinstance(one_, Object)


def _pairs(left: Value, right: Value) -> list[tuple[Value, Value]] | None:
    """The items of two tuples of whole numbers or texts, such as shapes, else None.

    Tuples of several lengths have a pair that differs.
    """
    match left, right:
        case (
            Group(container=Container.TUPLE, items=items),
            Group(container=Container.TUPLE, items=others),
        ):
            if not all(map(_is_exact, (*items, *others))):
                return None
            if len(items) != len(others):
                return [(Literal(len(items)), Literal(len(others)))]
            return list(zip(items, others, strict=True))
    return None


_STRICT = {"lt": "lt", "le": "lt", "gt": "gt", "ge": "gt"}
_IN_ORDER = (Container.TUPLE, Container.LIST)


def _are_in_order(left: Value, right: Value) -> TypeGuard[Group]:
    """Whether two tuples are compared, or two lists."""
    return (
        isinstance(left, Group)
        and isinstance(right, Group)
        and left.container is right.container
        and left.container in _IN_ORDER
    )


def ordered(
    flat: Context,
    op: Elemental,
    items: tuple[Value, ...],
    others: tuple[Value, ...],
    span: Span,
) -> Value:
    """Whether one tuple is before another, by the first items that are not equal."""
    if not items or not others:
        return Literal(op.compute(len(items), len(others)))
    a, b = items[0], others[0]

    def rest() -> Value:
        return ordered(flat, op, items[1:], others[1:], span)

    if a is b:
        return rest()
    if isinstance(a, Literal) and isinstance(b, Literal) and a.type == b.type == STR:
        return rest() if a == b else Literal(op.compute(a.value, b.value))
    if len(items) == len(others) == 1:
        return _one(flat, op, a, b, span)
    ahead = _one(flat, TABLE[_STRICT[op.name]], a, b, span)

    def behind() -> Value:
        even = _even(flat, a, b, span)
        return choices.lazily(flat, even, True, rest, span)

    return choices.lazily(flat, ahead, False, behind, span)


def _opposite(flat: Context, test: Value, span: Span) -> Value:
    if isinstance(test, Literal):
        return Literal(not test.value)
    return flat.operate(TABLE["not"], (test,), span)


def _even(flat: Context, one: Value, other: Value, span: Span) -> Value:
    """Whether two items are equal, so that those behind them decide."""
    if not _are_in_order(one, other):
        return (
            Literal(True) if one is other else _one(flat, TABLE["eq"], one, other, span)
        )
    assert isinstance(other, Group)
    if len(one.items) != len(other.items):
        return Literal(False)
    test: Value = Literal(True)
    for a, b in zip(one.items, other.items, strict=True):
        link = partial(_even, flat, a, b, span)
        test = choices.lazily(flat, test, True, link, span)
    return test


def _is_exact(value: Value) -> bool:
    """Whether a value is equal to itself, as NaN is not."""
    return _is_given(value) and not cast(Number, value).type.is_real


def _all(
    flat: Context, op: Elemental, pairs: list[tuple[Value, Value]], span: Span
) -> Value:
    """Whether all items are equal, or some are not, looked at in turn."""
    if not pairs:
        return Literal(op.name == "eq")
    (left, right), *others = pairs
    test = _one(flat, op, left, right, span)
    if not others:
        return test
    return choices.lazily(
        flat, test, op.name == "eq", lambda: _all(flat, op, others, span), span
    )


def _is_given(value: Value) -> bool:
    """Whether a value is a number or a text, and surely not None."""
    is_single = isinstance(value, Draft | Literal) and not is_whole(value)
    return is_single and not (isinstance(value, Draft) and value.optional)
