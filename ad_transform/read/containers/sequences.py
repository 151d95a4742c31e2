"""Tuples and lists of the user as functions are flattened: joined, cut, searched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import cast

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import INT, STR
from ad_transform.later import later
from ad_transform.read.branches.flags import FALSE
from ad_transform.read.code import Body, Call, Compare, Each, Push
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftCheck
from ad_transform.read.values.callables import Dotted
from ad_transform.read.values.classes import Class, Style
from ad_transform.read.values.series import Range
from ad_transform.read.values.storage import Array, Slice
from ad_transform.read.values.structured import Dict, Group
from ad_transform.read.values.values import (
    Draft,
    Member,
    Number,
    Special,
    Value,
    is_text,
    is_whole,
)

with later():
    from ad_transform.read.branches.choices import lazily
    from ad_transform.read.flattening import comparing
    from ad_transform.read.values.described import describe

ITEMS = 100_000
"""The most items of one tuple or list."""

SCALAR = 'say what is an array: `x: "Vector[n]"`, or `# ad: shapes(x=[n])`'
_TEXT = "loop over the places, `for i in range(len(kind)):`, and read `kind[i]`"

Wholes = Mapping[Draft, int]
"""The values of whole numbers that are known while flattening, such as `len(t) - 1`."""

_WHOLE = frozenset({
    "add", "sub", "mul", "floordiv", "mod", "neg", "pos", "int", "max", "min",
})  # fmt: skip


_ORDERED = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})


def whole(value: Value, wholes: Wholes) -> int | None:
    """The value of a known whole number; None for anything else."""
    if isinstance(value, Literal) and type(value.value) in (int, bool):
        return int(value.value)
    return wholes.get(value) if isinstance(value, Draft) else None


def way_out(value: Draft) -> str:
    """The advice for a loop over a value that has no items here."""
    return _TEXT if value.type == STR else SCALAR


def known_items(value: Value, wholes: Wholes) -> tuple[Value, ...] | None:
    """The items of a tuple or list, of a range of known numbers, or the keys of a dict;
    None for anything else.
    """
    if isinstance(value, Group):
        return value.items
    if isinstance(value, Dict):
        return value.keys
    if not isinstance(value, Range):
        return None
    trips = known_range(value, wholes)
    if trips is None or len(trips) > ITEMS:
        return None
    return tuple(map(Literal, trips))


def spelled_out(value: Value, wholes: Wholes) -> Value:
    """A range of known numbers as a tuple of these; any other value as it is."""
    items = known_items(value, wholes) if isinstance(value, Range) else None
    return value if items is None else Group(Container.TUPLE, items)


def known_range(value: Range, wholes: Wholes) -> range | None:
    """A range of known numbers; None for any other."""
    ends = [whole(n, wholes) for n in (value.start, value.stop, value.step)]
    start, stop, step = ends
    if start is None or stop is None or not step:
        return None
    return range(start, stop, step)


def computed(op: Elemental, args: tuple[Number, ...], wholes: Wholes) -> int | None:
    """The result of an operation on known whole numbers; else None."""
    if op.name not in _WHOLE:
        return None
    known = [whole(arg, wholes) for arg in args]
    numbers = [n for n in known if n is not None and abs(n) < 1 << 64]
    if len(numbers) < len(known):
        return None
    try:
        return int(op.compute(*numbers))
    except ZeroDivisionError:
        return None


def literal(op: Elemental, values: Sequence[Value]) -> Literal | None:
    """The result for numbers that stand for something, `i + 1` of the index of a loop
    that is written out or `len(u) - 1` of a known list; None for other values.
    """
    for value in values:
        if not isinstance(value, Literal) or value.type != INT:
            return None
    found = computed(op, cast("tuple[Number, ...]", tuple(values)), {})
    return None if found is None else Literal(found)


@dataclass(slots=True)
class Unroll(Exception):
    """The index of a loop has to be known: the loop is taken back and unrolled."""

    loop: Each


class Unmade(Exception):
    """A loop does not stay a loop: it would need an array for a tuple or list that
    cannot be one, or holds variables while the loop is short.
    """


def is_table(value: Value) -> bool:
    """Whether a value consists of known numbers."""
    if isinstance(value, Group):
        return all(map(is_table, value.items))
    return isinstance(value, Literal)


class Unkept(Exception):
    """A long loop cannot stay one: the function is flattened once more, with the values
    that the loop needed as arrays known item by item again.
    """


def is_even(value: Value) -> bool:
    """Whether it is a number or text, or holds such, or rows of such of one length."""
    if not isinstance(value, Group):
        return isinstance(value, Draft | Literal)
    lengths = {len(i.items) if isinstance(i, Group) else -1 for i in value.items}
    are_alike = len({is_text(item) for item in value.items}) < 2
    return are_alike and len(lengths) < 2 and all(map(is_even, value.items))


def decided(op: Elemental, args: tuple[Number, ...], flat: Context) -> bool | None:
    """The result of a comparison of known numbers or texts; None if one is unknown."""
    if op.name == "not" and isinstance(args[0], Draft) and args[0] in flat.truths:
        return not flat.truths[args[0]]
    if op.name not in _ORDERED:
        return None
    known = [
        one.value if isinstance(one, Literal) else flat.wholes.get(one) for one in args
    ]
    return None if None in known else bool(op.compute(*known))


def joined(
    flat: Context, op: str, values: tuple[Value, ...], wholes: Wholes, span: Span
) -> Value | None:
    """`a + b` and `a * n` of tuples and lists; None for anything else."""
    groups = [v for v in values if isinstance(v, Group)]
    if any(group.container is Container.ARRAY for group in groups):
        return None
    if op == "add" and len(groups) == 2:
        first, second = groups
        if first.container is second.container:
            return _group(flat, first, (*first.items, *second.items), span)
    if op == "mul" and len(groups) == 1 and len(values) == 2:
        (other,) = (v for v in values if v is not groups[0])
        times = whole(other, wholes)
        if times is not None:
            length = len(groups[0].items) * max(times, 0)
            if length > ITEMS:
                return _too_long(flat, span)
            return _group(flat, groups[0], groups[0].items * max(times, 0), span)
    return None


def _group(flat: Context, like: Group, items: tuple[Value, ...], span: Span) -> Value:
    if len(items) > ITEMS:
        return _too_long(flat, span)
    return Group(like.container, items)


def _too_long(flat: Context, span: Span) -> Value:
    message = f"more than {ITEMS} items"
    return flat.refuse("AD004", message, span, "write fewer items")


def item(flat: Context, group: Group, place: int, span: Span) -> Value:
    """`group[place]`."""
    count = len(group.items)
    if not -count <= place < count:
        if flat.protected and count and all(map(_is_number, group.items)):
            said = (f"{group.container.value} index out of range",)
            flat.add(DraftCheck(FALSE, said, (), span, (), "IndexError"))
            return group.items[0]  # nothing reads it
        kind = group.container.value
        items = "item" if count == 1 else "items"
        message = f"the {kind} has {count} {items}, and none at index {place}"
        help_ = f"its indices are 0 to {count - 1}"
        if not count:
            message, help_ = f"the {kind} is empty", "it has no items to take"
        return flat.refuse("AD107", message, span, help_)
    return group.items[place]


def _is_number(value: Value) -> bool:
    return isinstance(value, Draft | Literal) and not value.type.shape


def cut(flat: Context, group: Group, index: Slice, span: Span) -> Value:
    """`group[start:stop:step]` with known bounds; for an array, a view."""
    bounds = (index.start, index.stop, index.step)
    known = [whole(b, flat.wholes) for b in bounds]
    unknown = any(
        n is None and b is not Special.NONE for n, b in zip(known, bounds, strict=True)
    )
    if Special.REFUSED in bounds:
        return Special.REFUSED
    if unknown or known[2] == 0:
        help_ = "write the bounds as numbers"
        return flat.refuse("AD102", "this index is not supported", span, help_)
    site = group.site if group.container is Container.ARRAY else None
    return Group(group.container, group.items[slice(*known)], site)


def contains(
    flat: Context, value: Value, group: Value, negated: bool, span: Span
) -> Value:
    """`value in group`, by comparisons with one item after the other."""
    if Special.REFUSED in (value, group):
        return Special.REFUSED
    texts = [v.value for v in (value, group) if isinstance(v, Literal)]
    if len(texts) == 2 and isinstance(texts[0], str) and isinstance(texts[1], str):
        return Literal((texts[0] in texts[1]) is not negated)
    is_enum = isinstance(group, Class) and group.style is Style.CASES
    if isinstance(value, Member) and is_enum:
        return Literal((value.cases == group) is not negated)
    if is_whole(group) and isinstance(value, Draft | Literal):
        return _within(flat, value, group, negated, span)
    if not isinstance(group, Group):
        help_ = 'write the choices in a tuple: `a in ("x", "y")`'
        if isinstance(group, Array):
            help_ = "ask for one after the other: `any(k == m for m in x)`"
        if isinstance(group, Class) and is_enum:
            help_ = f"ask for one of its members: `a in tuple({group.name})`"
        message = f"`in` of {describe(group)} is not supported"
        return flat.refuse("AD102", message, span, help_)
    found: Value = Literal(False)
    if all(isinstance(v, Literal) for v in (value, *group.items)):
        values = [v.value for v in group.items if isinstance(v, Literal)]
        assert isinstance(value, Literal)
        return Literal((value.value in values) is not negated)
    for k, one in enumerate(group.items):
        test = partial(comparing.chain, flat, TABLE["eq"], value, one, (), span)
        found = lazily(flat, found, False, test, span) if k else test()
    return flat.operate(TABLE["not"], (found,), span) if negated else found


def _within(
    flat: Context, value: Value, array: Value, negated: bool, span: Span
) -> Value:
    """`value in array` of a whole array: `(array == value).any()`, as numpy has it."""
    test: Body = (Push(array), Push(value), Compare(TABLE["eq"], (), span))
    found = flat.run((Push(Dotted("numpy.any")), *test, Call(("",), span)))
    return flat.operate(TABLE["not"], (found,), span) if negated else found
