"""Names, cells and fields behind two arms that changed them.

A name that differs becomes a promise, made when something reads it. Flags are joined at
once, for they decide what runs next."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import InArm
from ad_transform.read.branches import (
    choices,
    joining,
    maybe,
)
from ad_transform.read.branches.fillers import filled, known_before, with_what_is_there
from ad_transform.read.branches.flags import FALSE, FLAGS, RESULT, TRUE, flag_of
from ad_transform.read.branches.ways import Way
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftArm, DraftChoice
from ad_transform.read.machine.naming import named, shown
from ad_transform.read.values.described import one_or_other
from ad_transform.read.values.frames import Frame, Promise, is_of_source, made_at
from ad_transform.read.values.storage import Array, Cell
from ad_transform.read.values.structured import Dict
from ad_transform.read.values.values import Draft, Maybe, Special, Value, is_whole


def join(
    flat: Context,
    test: Value,
    first: Way,
    second: Way,
    span: Span,
    notes: tuple[str, ...],
) -> None:
    """Add the branch to the statements, and join the bindings of its arms."""
    frame = flat.frame
    before = first.before | second.before
    known = test if isinstance(test, Draft) else None
    choice = None
    if known is not None:
        arms = DraftArm(first.body), DraftArm(second.body)
        choice = DraftChoice(known, *arms, notes=notes)
        flat.add(choice)
    contents = (_contents(flat, first), _contents(flat, second))
    _join_cells(flat, choice, first, second)
    _join_fields(flat, choice, first, second, contents)
    ends = [way.is_over(frame) for way in (first, second)]
    for name in before:
        old = frame.names.get(name)
        values = [way.after.get(name, old) for way in (first, second)]
        if name in FLAGS:
            joined = _flag(flat, choice, name, values, span)
            frame.bind(name, joined)
            continue
        stays = name == RESULT or name in frame.lent
        if all(ends) and not stays:
            continue
        if stays:
            values = [Special.UNUSED if v is None else v for v in values]
        else:
            values = [
                Special.UNUSED if over else v
                for v, over in zip(values, ends, strict=True)
            ]
        values = [_settled(v, w) for v, w in zip(values, (first, second), strict=True)]
        frame.bind(name, _promise(flat, choice, name, values, old, contents))


def _settled(value: Value | Promise | None, way: Way) -> Value | Promise | None:
    """A value at the end of an arm, settled by the facts that the arm knows."""
    return maybe.settled(way.known, value) if isinstance(value, Maybe) else value


def _join_cells(
    flat: Context, choice: DraftChoice | None, first: Way, second: Way
) -> None:
    """Join the contents of every cell that one of the arms has written."""
    heap = flat.heap
    for key in first.held | second.held:
        old = heap.names.get(key)
        if old is None:
            continue  # a cell of the arm itself
        values = [way.heap.get(key, old) for way in (first, second)]
        heap.bind(key, _joined_cell(flat, choice, key, values))


def _join_fields(
    flat: Context,
    choice: DraftChoice | None,
    first: Way,
    second: Way,
    contents: tuple[joining.Contents, joining.Contents],
) -> None:
    """Join the values of every field that one of the arms has changed. An object that
    an arm has made is joined where a name stands for it.
    """
    fields = flat.heap.fields
    for key in first.kept | second.kept:
        old = fields.names.get(key)
        if old is None and fields.owners[key].born >= contents[0].start:
            continue
        old = old or fields.first[key]
        values: list[Value | Promise | None] = [
            way.fields.get(key) or old for way in (first, second)
        ]
        name = fields.word(key)
        fields.bind(key, _promise(flat, choice, name, values, old, contents))


def _joined_cell(
    flat: Context,
    choice: DraftChoice | None,
    key: str,
    values: list[Value | Promise | None],
) -> Value | Promise:
    one, other = values
    if one is other and one is not None:
        return one
    hint = flat.heap.cells[key].hint

    def make(span: Span) -> Value:
        ends = [made_at(v, span) for v in values]
        if choice is None or not all(isinstance(end, Draft) for end in ends):
            return Special.REFUSED
        joined = joining.joined(flat, choice, ends[0], ends[1], span)  # type: ignore[arg-type]
        if isinstance(joined, Draft):
            joined.hint = hint
        return Special.REFUSED if joined is None else joined

    return Promise(make, tuple(values))


def _contents(flat: Context, way: Way) -> joining.Contents:
    """The contents of cells at the end of an arm, for questions at any time."""
    heap = flat.heap
    states = {**heap.names, **{k: v for k, v in way.heap.items() if v is not None}}
    count = len(heap.cells)

    def content(cell: Cell, span: Span) -> Value:
        held = heap.then(cell, states, count)
        value = made_at(held, span)
        return Special.REFUSED if value is None else value

    own = {k: v for k, v in way.fields.items() if v is not None}
    kept, now = {**heap.fields.names, **own}, heap.fields.tick()
    return joining.Contents(content, kept, way.start, now, flat.frame.depth)


def _flag(
    flat: Context,
    choice: DraftChoice | None,
    name: str,
    values: list[Value | Promise | None],
    span: Span,
) -> Value:
    """A truth value behind the arms; the test itself if they leave True and False."""
    one, other = map(flag_of, values)
    if choice is None:
        return one if one == other else Special.REFUSED
    test = choice.test
    one, other = (TRUE if one is test else one), (FALSE if other is test else other)
    if (one, other) == (TRUE, FALSE):
        return test
    if (one, other) == (FALSE, TRUE):
        return flat.apply(TABLE["not"], (test,), span)
    joined = joining.joined(flat, choice, one, other, span)
    if isinstance(joined, Draft) and not joined.hint:
        joined.hint = FLAGS[name]
    return Special.REFUSED if joined is None else joined


def _said(
    frame: Frame,
    name: str,
    values: Sequence[Value | Promise | None],
    old: Value | Promise | None,
) -> tuple[str, ...]:
    """The comments in both arms where they only name their results."""
    found: dict[str, tuple[str, ...]] = {}
    for value in values:
        if isinstance(value, Draft) and value.hint and value is not old:
            if value.hint in found:
                return ()  # nothing would tell the arms apart
            found[value.hint] = frame.said.get((name, value), ())
    return tuple(InArm(note, of) for of, notes in found.items() for note in notes)


def _promise(
    flat: Context,
    choice: DraftChoice | None,
    name: str,
    values: list[Value | Promise | None],
    old: Value | Promise | None,
    contents: tuple[joining.Contents, joining.Contents],
) -> Value | Promise:
    """The value of a name behind arms that leave `values`; `old` before them."""
    one, other = values
    if one is other and one is not None:
        return one
    if old is not None and {one, other} == {old, Special.UNUSED}:
        return old  # nobody reads the other one: keep the present one
    frame, moment = flat.frame, flat.heap.now()
    in_loop = frame.loops > 0

    def make(span: Span) -> Value:
        ends = [made_at(v, span) for v in values]
        if choice is None or Special.REFUSED in ends:
            return Special.REFUSED
        if Special.UNSET in ends:
            return Special.UNSET
        is_none = name == RESULT and frame.depth == 1 and Special.NONE in ends
        if None in ends and frame.hazy:
            return Special.REFUSED
        lacks = None in ends
        ends = [Special.UNBOUND if end is None else end for end in ends]
        if Special.UNUSED in ends:
            is_wanted = in_loop or any(map(is_whole, ends))  # arrays have no filler
            before = known_before(old, span) if is_wanted else None
            ends = with_what_is_there(choice, ends, before)
        one, other = ends
        ends = [filled(frame, one, other), filled(frame, other, one)]
        joined = joining.joined(flat, choice, ends[0], ends[1], span, contents, moment)  # type: ignore[arg-type]
        if lacks and (joined is None or not is_of_source(name)):
            message = f"{shown(name)} is bound in one arm of an `if` only"
            help_ = "bind it in the other arm, too, or before the `if`"
            return flat.refuse("AD103", message, span, help_)
        if joined is None or (is_none and isinstance(joined, Maybe)):
            said = one_or_other(ends)  # type: ignore[arg-type]
            message = f"{shown(name)} is {said}, as an `if` decides"
            help_ = "let it be a number in both arms, or tuples of one length"
            mixed = choices.way_out([end for end in ends if end is not None])
            if is_none:
                help_ = (
                    "raise an error where there is no value: `raise ValueError(...)`"
                )
            elif mixed is not None:
                help_ = mixed
            elif any(isinstance(end, Array) for end in ends):
                help_ = "let it be an array of one kind in both arms"
            elif any(isinstance(end, Dict) for end in ends):
                help_ = "let it be a dict of the same keys in both arms"
            return flat.refuse("AD107", message, span, help_)
        is_new = joined is not one and joined is not other
        if Special.UNUSED in (one, other) and is_whole(joined) and is_new:
            flat.views[joined] = tuple(filter(is_whole, (one, other)))
        if is_of_source(name):
            if is_new and isinstance(joined, Draft):
                joined.notes += _said(frame, name, values, old)
            return named(frame, joined, name, ())
        return joined

    return Promise(make, tuple(values))
