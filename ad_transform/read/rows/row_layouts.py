"""Layouts of rows, place by place, and the layout that holds two."""

from __future__ import annotations

from ad_transform.dataclass import replace
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import BOOL, STR, Type
from ad_transform.later import later
from ad_transform.read.branches import (
    maybe,
    widening,
)
from ad_transform.read.machine.fields import home_of
from ad_transform.read.values.classes import Class
from ad_transform.read.values.layouts import Layout, Listed, Row, RowKind
from ad_transform.read.values.regrouping import UNKNOWN, regroup
from ad_transform.read.values.storage import Array, Lists, Rows
from ad_transform.read.values.structured import (
    STRUCTURED,
    Dict,
    Group,
    Structured,
    is_list,
)
from ad_transform.read.values.values import FILLERS, Draft, Maybe, Special, Value

with later():
    from ad_transform.read.objects import pools


def layout_of(value: Value) -> Layout | None:
    """The types of the numbers in a row, or in a list of any length; None where
    something else is in it.
    """
    if isinstance(value, Draft | Literal):
        return None if value.type.is_array else value.type
    if isinstance(value, Array):
        is_flat = value.cell.container is Container.LIST and len(value.places) == 1
        is_known = is_flat and value.is_whole
        return Listed(Type(value.cell.type.kind)) if is_known else None
    if isinstance(value, Rows | Lists):
        return Listed(replace(value.layout, is_live=False))
    if not isinstance(value, STRUCTURED):
        return None
    home = home_of(value)
    if home is not None and isinstance(home.layout.kind, Class):
        return pools.layout(home)
    if not value.items:
        return Listed(None) if is_list(value) else None
    found = tuple(k for item in value.items if (k := part_of(item)) is not None)
    kind = _row_kind(value)
    if len(found) < len(value.items) or any(_has_class(part, kind) for part in found):
        return None
    return Row(kind, found)


def part_of(value: Value) -> Layout | None:
    """The layout of a part of a row, which may be None."""
    if value is Special.NONE or isinstance(value, Maybe):
        return None if maybe.is_unbound(value) else layout_in(value, NONE_SO_FAR)
    return layout_of(value)


def _has_class(layout: Layout | None, kind: RowKind) -> bool:
    """Whether objects of a class stand in a layout, which would hold themselves."""
    if isinstance(layout, Listed):
        return _has_class(layout.of, kind)
    if not isinstance(layout, Row) or not isinstance(kind, Class):
        return False
    return layout.kind is kind or any(_has_class(part, kind) for part in layout.parts)


def _row_kind(value: Structured) -> RowKind:
    if isinstance(value, Dict):
        return value.keys
    return value.of or value.container if isinstance(value, Group) else value.of


NONE_SO_FAR = Row(Special.NONE, (BOOL,))
"""The layout of rows that may be None, where no value has been given yet."""


def flagged(value: Value, layout: Row) -> Value:
    """A value that may be None, as a row: a flag that says whether it is given, and the
    value.
    """
    is_unknown = isinstance(value, Maybe) and value.value is UNKNOWN
    if is_unknown or value is Special.NONE:
        given = value.given if isinstance(value, Maybe) else Literal(False)
        rest = tuple(_filler(part) for part in layout.parts[1:])
        return Group(Container.TUPLE, (given, *rest))
    if isinstance(value, Maybe):
        return Group(Container.TUPLE, (value.given, value.value))
    return Group(Container.TUPLE, (Literal(True), value))


def layout_in(value: Value, like: Layout | None) -> Layout | None:
    """The layout of a value in a list whose items may be None, or in any other one."""
    if not isinstance(like, Row) or like.kind is not Special.NONE:
        return layout_of(value)
    row = layout_of(flagged(value, like))
    return Row(Special.NONE, row.parts) if isinstance(row, Row) else None


def _filler(layout: Layout) -> Value:
    """A value of a layout that nobody uses."""
    if isinstance(layout, Type):
        return FILLERS[layout]
    if not isinstance(layout, Row):
        return Group(Container.LIST, ())
    return regroup(layout.kind, tuple(_filler(part) for part in layout.parts))


def row_of_numbers(value: Value) -> Row | None:
    """The layout of a tuple that holds numbers alone."""
    layout = layout_of(value) if isinstance(value, Group) else None
    if not isinstance(layout, Row) or layout.kind is not Container.TUPLE:
        return None
    return None if layout.is_nested else layout


def uneven(value: Value) -> Row | None:
    """The layout of a tuple or an object whose parts are no numbers of one type."""
    layout = layout_of(value)
    if not isinstance(layout, Row) or layout.kind in (Container.LIST, Container.ARRAY):
        return None
    is_even = layout.kind is Container.TUPLE and len(set(layout.parts)) == 1
    return None if is_even and not layout.is_nested else layout


def joint_parts(one: Layout, other: Layout) -> Layout | None:
    """The layout that holds parts of two rows, one of which may be None."""
    open_ = [isinstance(p, Row) and p.kind is Special.NONE for p in (one, other)]
    if open_ == [True, False]:
        other = Row(Special.NONE, (BOOL, other))
    elif open_ == [False, True]:
        one = Row(Special.NONE, (BOOL, one))
    return joint(one, other)


def joint(one: Layout, other: Layout) -> Layout | None:
    """The layout that holds the rows of two; None where there is none."""
    if isinstance(one, Type) and isinstance(other, Type):
        are_texts = STR in (one, other)
        return None if are_texts and one != other else widening.joint(one, other)
    if isinstance(one, Listed) or isinstance(other, Listed):
        return _joint_lists(one, other)
    if not isinstance(one, Row) or not isinstance(other, Row) or one.kind != other.kind:
        return None
    if one.kind is Special.NONE and len(one.parts) != len(other.parts):
        return max(one, other, key=lambda row: len(row.parts))
    pairs = zip(one.parts, other.parts, strict=False)
    found = tuple(k for a, b in pairs if (k := joint_parts(a, b)) is not None)
    if not len(found) == len(one.parts) == len(other.parts):
        return _joint_lists(one, other)
    is_live, is_pooled = one.is_live or other.is_live, one.is_pooled or other.is_pooled
    return Row(one.kind, found, is_live, is_pooled)


def has_room(layout: Layout, wide: Layout) -> bool:
    """Whether there is a list for each part of a wider layout: numbers become wider."""
    if isinstance(layout, Row) and isinstance(wide, Row):
        pairs = list(zip(layout.parts, wide.parts, strict=False))
        is_long = len(layout.parts) == len(wide.parts)
        return is_long and all(has_room(*pair) for pair in pairs)
    return isinstance(layout, Row) is isinstance(wide, Row)


def relaid(whole: Layout | None, old: Layout, new: Layout) -> Layout:
    """The layout of a list in which `new` takes the place of `old`: of all of it, or of
    a part inside.
    """
    if whole is None or whole == old:
        return new
    if isinstance(whole, Row):
        parts = tuple(relaid(part, old, new) for part in whole.parts)
        return replace(whole, parts=parts)
    if isinstance(whole, Listed) and whole.of is not None:
        return replace(whole, of=relaid(whole.of, old, new))
    return whole


def _joint_lists(one: Layout, other: Layout) -> Layout | None:
    """The layout of lists of any length that holds the items of both."""
    wide: Layout | None = None
    for layout in (one, other):
        if isinstance(layout, Row) and layout.kind is Container.LIST:
            items = layout.parts
        elif isinstance(layout, Listed):
            items = () if layout.of is None else (layout.of,)
        else:
            return None
        for item in items:
            wide = item if wide is None else joint(wide, item)
            if wide is None:
                return None
    is_live = any(isinstance(one, Listed) and one.is_live for one in (one, other))
    return Listed(wide, is_live)
