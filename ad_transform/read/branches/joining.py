"""The value behind two arms: one of two values, number by number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import cast

from ad_transform.dataclass import dataclass, replace
from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.elementals.arrays import LIKE, MADE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import STR, Type
from ad_transform.later import later
from ad_transform.read.arrays import long_lists
from ad_transform.read.branches import (
    chosen,
    maybe,
    widening,
)
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import (
    DraftApply,
    DraftChoice,
    DraftStatement,
)
from ad_transform.read.machine.fields import States, are_one, home_of
from ad_transform.read.machine.heap import Moment
from ad_transform.read.rows import row_layouts
from ad_transform.read.values.regrouping import CARRIED, kind_of, regroup
from ad_transform.read.values.series import Range
from ad_transform.read.values.storage import Array, Cell, Deque, Lists, Rows, Stack
from ad_transform.read.values.structured import Dict, Group, Object
from ad_transform.read.values.values import (
    FILLERS,
    Draft,
    Maybe,
    Number,
    Special,
    Value,
    is_whole,
)

with later():
    from ad_transform.read.containers import keyed
    from ad_transform.read.rows import rows


@dataclass(frozen=True, slots=True, eq=False)
class Contents:
    """The contents of cells at the end of an arm, and the values of changed `fields`
    there; its start and end in time, and the depth of its frame, as reads may come from
    another frame.
    """

    held: Callable[[Cell, Span], Value]
    fields: States
    start: int
    end: int
    depth: int

    def __call__(self, cell: Cell, span: Span) -> Value:
        """The contents of a cell."""
        return self.held(cell, span)


def joined(
    flat: Context,
    choice: DraftChoice,
    one: Value,
    other: Value,
    span: Span,
    contents: tuple[Contents, Contents] | None = None,
    moment: Moment | None = None,
) -> Value | None:
    """The value that is `one` behind the first arm and `other` behind the second.

    None if their shapes differ. An end that nobody reads takes any value. `contents`
    are those of cells at the ends of the arms, `moment` is the time behind them.
    """
    if one is other or (isinstance(one, Literal) and one == other):
        return one
    if Special.REFUSED in (one, other):
        return Special.REFUSED
    if Special.UNSET in (one, other):
        return Special.UNSET
    if (one, other) == (Literal(True), Literal(False)):
        return choice.test
    ends = (one, other)
    is_open = any(map(maybe.is_open, ends)) and Special.UNUSED not in ends
    if is_open or any(isinstance(end, Maybe) for end in ends):

        def join(a: Value, b: Value) -> Value | None:
            return joined(flat, choice, a, b, span, contents, moment)

        return maybe.joined(one, other, join)
    if are_one(one, other):
        return one
    if isinstance(one, CARRIED) or isinstance(other, CARRIED):
        return _groups(flat, choice, one, other, span, contents, moment)
    if isinstance(one, Dict) or isinstance(other, Dict):
        return _dicts(flat, choice, one, other, span, contents, moment)
    if isinstance(one, Array) or isinstance(other, Array):
        return _arrays(flat, choice, (one, other), span, contents, moment)
    if chosen.is_function(one) or chosen.is_function(other):
        return chosen.joined(
            choice,
            one,
            other,
            lambda a, b: joined(flat, choice, a, b, span),
            contents[0].depth if contents is not None else flat.frame.depth,
        )
    if isinstance(one, Range) or isinstance(other, Range):
        return _ranges(flat, choice, one, other, span)
    if isinstance(one, Deque) or isinstance(other, Deque):
        return _deques(flat, choice, one, other, span, contents, moment)
    if one is Special.UNUSED or other is Special.UNUSED:
        used = other if one is Special.UNUSED else one
        if not isinstance(used, Draft | Literal):
            return used
        if isinstance(used, Draft) and used.type.shape:
            return _only_whole(flat, choice, used, used is one, span)
        filler = FILLERS[used.type]
        one, other = (filler, used) if one is Special.UNUSED else (used, filler)
    if not isinstance(one, Draft | Literal) or not isinstance(other, Draft | Literal):
        return None
    if (one.type == STR) is not (other.type == STR):
        return None
    if len(one.type.shape) != len(other.type.shape):
        return None
    out = _out(choice, one, other, span)
    if out.type.shape:
        flat.views[out] = tuple(v for v in (one, other) if isinstance(v, Draft))
    if isinstance(one, Draft) and isinstance(other, Draft):
        long_lists.note_choice(flat, one, other, out)
    return out


def _groups(
    flat: Context,
    choice: DraftChoice,
    one: Value,
    other: Value,
    span: Span,
    contents: tuple[Contents, Contents] | None,
    moment: Moment | None,
) -> Value | None:
    like = one if isinstance(one, CARRIED) else other
    assert isinstance(like, CARRIED)
    if home_of(one) or home_of(other):
        return _homes(flat, choice, one, other, span)
    kind, site = kind_of(like), getattr(like, "site", None)
    sides: list[tuple[Value, ...]] = []
    for k, value in enumerate((one, other)):
        if value is Special.UNUSED:
            sides.append((value,) * len(like.items))
        elif isinstance(value, Object) and kind_of(value) == kind:
            states = contents[k].fields if contents else None
            sides.append(flat.heap.fields.items(value, span, states))
        elif not isinstance(value, CARRIED) or kind_of(value) != kind:
            is_array = isinstance(value, Array) or is_whole(value)
            if is_array and isinstance(like, Group):
                flat.refit(like)
            begin_alike(flat, one, other)
            return None
        else:
            sides.append(value.items)
    if len(sides[0]) != len(sides[1]):
        if isinstance(like, Group) and like.container is Container.LIST:
            flat.refit(like)
        return None
    found = _items(flat, choice, zip(*sides, strict=True), span, contents, moment)
    if found is not None and isinstance(like, Object):
        born = contents[1].end if contents else 0
        own = flat.heap.fields.joined(like.of, iter((one, other)), born)
        return Object(like.of, found, own)
    if found is None:
        return None
    made = regroup(kind, found, site)
    if isinstance(made, Group) and made.container is not Container.TUPLE:
        flat.heap.givers[id(made)] = made, one, other
    return made


def _homes(
    flat: Context, choice: DraftChoice, one: Value, other: Value, span: Span
) -> Value | None:
    """The value that is one or another object of a list; None for other values."""
    like = home_of(one) or home_of(other)
    assert like is not None
    places: list[Value] = []
    for value in (one, other):
        home = home_of(value)
        if home is not None and home.is_beside(like):
            places.append(home.place)
        elif value is Special.UNUSED:
            places.append(value)
        else:
            return None
    first, second = places
    place = joined(flat, choice, first, second, span)
    return like.at(place) if isinstance(place, Draft | Literal) else place


def begin_alike(flat: Context, one: Value, other: Value) -> None:
    """Begin again with forms that go together: a list that grows for one of known
    items, rows of a common kind, arrays that two lists share, an object for a dict.
    """
    one, other = maybe.value_of(one), maybe.value_of(other)
    for value, like in ((one, other), (other, one)):
        if isinstance(like, Stack) and isinstance(value, Group):
            flat.refit(value)
        elif isinstance(value, Stack) and isinstance(like, Stack):
            flat.relay(value.site, like.layout if like.layout.shares else value.layout)
        elif isinstance(like, Rows | Lists):
            _begin_as(flat, value, like)
        elif isinstance(value, Group) and not value.items:
            rows.taken_apart(flat, like)
        elif isinstance(value, Dict) and isinstance(like, Object):
            flat.rekey(value) if keyed.is_one(like) else flat.box(value)
        elif isinstance(value, Dict) and isinstance(like, Dict):
            flat.rekey(value, *like.keys)


def _begin_as(flat: Context, value: Value, like: Rows | Lists) -> None:
    """Begin again with a list of rows like those of another one, or of wider ones."""
    if isinstance(value, Rows | Lists):
        wide = row_layouts.joint(value.layout, like.layout)
        if wide is not None and wide != value.layout:
            flat.relay(value.site, wide)
    elif isinstance(value, Group) and not value.items and value.site is not None:
        flat.relay(value.site, like.layout)
    elif isinstance(value, Array) and value.cell.type.dims == (0,):
        flat.relay(value.cell.span, like.layout)
    else:
        rows.taken_apart(flat, value)


def _items(
    flat: Context,
    choice: DraftChoice,
    pairs: Iterable[tuple[Value, Value]],
    span: Span,
    contents: tuple[Contents, Contents] | None,
    moment: Moment | None,
) -> tuple[Value, ...] | None:
    """The value for each pair of ends; None if a pair does not go together."""
    items = [joined(flat, choice, a, b, span, contents, moment) for a, b in pairs]
    found = tuple(item for item in items if item is not None)
    return found if len(found) == len(items) else None


def _dicts(
    flat: Context,
    choice: DraftChoice,
    one: Value,
    other: Value,
    span: Span,
    contents: tuple[Contents, Contents] | None,
    moment: Moment | None,
) -> Value | None:
    """A dict that is one of two, joined entry by entry."""
    like = one if isinstance(one, Dict) else other
    assert isinstance(like, Dict)
    sides: list[tuple[Value, ...]] = []
    for value in (one, other):
        if value is not Special.UNUSED and not like.is_like(value):
            for table in (one, other):
                if isinstance(table, Dict):
                    flat.rekey(table)
            return None
        unused = (Special.UNUSED,) * len(like.items)
        sides.append(value.items if isinstance(value, Dict) else unused)
    found = _items(flat, choice, zip(*sides, strict=True), span, contents, moment)
    identity = like.which(other) if isinstance(other, Dict) else like.identity
    return None if found is None else Dict(like.keys, found, identity)


def _deques(
    flat: Context,
    choice: DraftChoice,
    one: Value,
    other: Value,
    span: Span,
    contents: tuple[Contents, Contents] | None,
    moment: Moment | None,
) -> Value | None:
    """A set or a deque that is one or the other: by their lists."""
    like = one if isinstance(one, Deque) else other
    assert isinstance(like, Deque)
    sides: list[Value] = []
    for value in (one, other):
        if value is not Special.UNUSED and not like.is_like(value):
            return None
        sides.append(value.inner if isinstance(value, Deque) else value)
    inner = joined(flat, choice, sides[0], sides[1], span, contents, moment)
    return None if inner is None else replace(like, inner=inner)


def _arrays(
    flat: Context,
    choice: DraftChoice,
    ends: tuple[Value, Value],
    span: Span,
    contents: tuple[Contents, Contents] | None,
    moment: Moment | None,
) -> Value | None:
    """An array that is one of two: a cell of its own, lent by both."""
    now = Contents(flat.heap.held, flat.heap.fields.names, 0, 0, flat.frame.depth)
    held = contents or (now, now)
    used = [end for end in ends if isinstance(end, Array)]
    if len(used) == 1 and Special.UNUSED in ends:
        return _only(flat, choice, used[0], ends[0] in used, held, span, moment)
    one, other = ends
    if any(map(is_whole, ends)):
        flat.remake(used[0])
    if not isinstance(one, Array) or not isinstance(other, Array):
        return None
    if one.cell is other.cell and one.places == other.places:
        return one
    if one.is_beside(other):
        pairs = zip(one.numbers, other.numbers, strict=True)
        numbers = [joined(flat, choice, a, b, span) for a, b in pairs]
        return one.moved(cast(list[Number], numbers))
    if not one.is_whole or not other.is_whole:
        for end in used:
            flat.remake(end)
        return None
    if one.cell.container is not other.cell.container:
        return None
    found = [
        content(end.cell, span) for content, end in zip(held, (one, other), strict=True)
    ]
    first, second = found
    if not isinstance(first, Draft) or not isinstance(second, Draft):
        return Special.REFUSED
    if widening.joint_or_none(first.type, second.type) is None:
        widen_lists(flat, one.cell, other.cell)
        return None
    return _lent(flat, _out(choice, first, second, span), (one, other), span, moment)


def widen_lists(flat: Context, one: Cell, other: Cell) -> None:
    """Begin again if a list of whole numbers, or an empty one, has to hold floats or
    rows as the other one does.
    """
    axes = {len(cell.type.dims) for cell in (one, other)}
    if one.container is not Container.LIST or len(axes) > 1:
        for cell, like in ((one, other), (other, one)):
            if cell.type.dims == (0,):
                rows.apart(flat, like)
        return
    kinds = [Type(cell.type.kind) for cell in (one, other)]
    if STR in kinds:
        return
    wide = widening.joint(*kinds)
    for cell, kind in zip((one, other), kinds, strict=True):
        if kind != wide:
            flat.widen(cell, wide)


def _only(
    flat: Context,
    choice: DraftChoice,
    end: Array,
    is_first: bool,
    held: tuple[Contents, Contents],
    span: Span,
    moment: Moment | None,
) -> Value | None:
    """An array of one arm, while nobody reads the one of the other arm."""
    if end.cell.key in flat.heap.names:
        return end  # it is from before the arms
    content = held[0 if is_first else 1](end.cell, span)
    if not isinstance(content, Draft) or not end.is_whole:
        return Special.REFUSED
    other = choice.orelse if is_first else choice.then
    there = held[1 if is_first else 0]
    filler = _as_long(flat, other.body, content.type, there, span)
    filler = filler or nothing(other.body, content.type, span)
    pair = (content, filler) if is_first else (filler, content)
    return _lent(flat, _out(choice, *pair, span), (end,), span, moment)


def _lent(
    flat: Context,
    out: Draft,
    ends: Sequence[Array],
    span: Span,
    moment: Moment | None,
) -> Array:
    """The array that is one of those at the ends of the arms, with contents `out`."""
    cells = tuple(end.cell for end in ends)
    where = (cells[0].container, cells[0].span, ())
    made = flat.heap.allocate(out, *where, moment=moment)
    aliases = flat.heap.aliases
    aliases.lend(cells, made.cell)
    for cell in cells:
        aliases.look(cell, span, aliases.born[made.cell])
    return made


def _as_long(
    flat: Context,
    body: list[DraftStatement],
    type_: Type,
    content: Contents,
    span: Span,
) -> Draft | None:
    """A filler of the length of an argument of this type, made at the end of a body: so
    the length of the joined list stays known. None without such an argument.
    """
    for name in flat.frame.names.values():
        if not isinstance(name, Array) or name.cell.type != type_ or not name.is_whole:
            continue
        like = content(name.cell, span)
        if isinstance(like, Draft) and like.type == type_:
            out = Draft(type_, span)
            op = TABLE[LIKE[len(type_.dims)]]
            body.append(DraftApply(out, op, (like, FILLERS[Type(type_.kind)])))
            return out
    return None


def _only_whole(
    flat: Context, choice: DraftChoice, used: Draft, is_first: bool, span: Span
) -> Value:
    """A whole array of one arm, while nobody reads the one of the other arm."""
    body = (choice.orelse if is_first else choice.then).body
    other = unused(flat, body, used.type, span)
    out = _out(choice, *((used, other) if is_first else (other, used)), span)
    flat.views[out] = (used,)
    return out


def unused(flat: Context, body: list[DraftStatement], type_: Type, span: Span) -> Draft:
    """A whole array that nobody reads: an argument of its shape, or an empty one, made
    at the end of a body.
    """
    for given in flat.frame.given:
        if given.type == type_:
            return given
    sizes = (Literal(0),) * len(type_.shape)
    op = TABLE["filled" if len(sizes) == 1 else "filled_rows"]
    out = Draft(Type(type_.kind, (), (0,) * len(sizes)), span)
    body.append(DraftApply(out, op, (FILLERS[Type(type_.kind)], *sizes)))
    return out


def _ranges(
    flat: Context, choice: DraftChoice, one: Value, other: Value, span: Span
) -> Value | None:
    """A range that is one of two, joined end by end."""
    sides: list[tuple[Value, ...]] = []
    for value in (one, other):
        if isinstance(value, Range):
            sides.append((value.start, value.stop, value.step))
        elif value is Special.UNUSED:
            sides.append((value,) * 3)
        else:
            return None
    ends = _items(flat, choice, zip(*sides, strict=True), span, None, None)
    return None if ends is None else Range(*cast("tuple[Number, ...]", ends))


def nothing(body: list[DraftStatement], type_: Type, span: Span) -> Draft:
    """An empty array that nobody reads, made at the end of a body."""
    sizes = (Literal(0),) * len(type_.dims)
    op = TABLE[MADE[len(sizes)]]
    out = Draft(Type(type_.kind, (0,) * len(sizes)), span)
    body.append(DraftApply(out, op, (FILLERS[Type(type_.kind)], *sizes)))
    return out


def _out(choice: DraftChoice, one: Number, other: Number, span: Span) -> Draft:
    """The result of a choice that is `one` or `other`, of the type that holds both."""
    found = choice.joined.get((one, other))
    if found is None:
        type_ = widening.joint(one.type, other.type)
        found = choice.joined[one, other] = Draft(type_, span)
        found.optional = _may_be_none(choice, one, other)
        choice.outs.append(found)
        for arm, number in ((choice.then, one), (choice.orelse, other)):
            arm.results.append(widening.typed(arm.body, number, type_, span))
    return found


def _may_be_none(choice: DraftChoice, one: Number, other: Number) -> bool:
    """Whether a choice may be None; an end that its test finds given is not."""
    told: Number | None = None
    holds = False
    if isinstance(choice.test, Draft) and choice.test.tells is not None:
        told, holds = choice.test.tells
    there = one if holds else other
    return any(
        widening.may_be_none(number) and (number is not told or number is not there)
        for number in (one, other)
    )
