"""Conditional expressions, `u if c else v`, `u and v`: one value is computed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import BOOL, FLOAT, INT, STR, Type
from ad_transform.later import later
from ad_transform.read.arrays import extents
from ad_transform.read.branches import (
    joining,
    maybe,
)
from ad_transform.read.branches.flags import CHOSEN
from ad_transform.read.branches.ways import Way, run_apart
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import (
    DraftAnd,
    DraftArm,
    DraftChoice,
    DraftStatement,
)
from ad_transform.read.values.classes import Class
from ad_transform.read.values.described import describe, either
from ad_transform.read.values.frames import made_at
from ad_transform.read.values.series import Once, Range
from ad_transform.read.values.storage import Array, Deque, Lists, Rows, Stack
from ad_transform.read.values.structured import Dict, Group, Object
from ad_transform.read.values.values import Draft, Maybe, Number, Special, Value

with later():
    from ad_transform.read.branches.merged import join
    from ad_transform.read.containers import keyed, sequences
    from ad_transform.read.iterables import iterables
    from ad_transform.read.objects import overloads

Arm = tuple[list[DraftStatement], Value]
"""The statements of an arm, and its value."""


def lazily(
    flat: Context,
    test: Value,
    conjunction: bool,
    rest: Callable[[], Value],
    span: Span,
) -> Value:
    """`test and rest`; the statements of the rest stand in a block of their own.

    Operands that are no truth values are chosen from, as Python does.
    """
    sign = "and" if conjunction else "or"
    decided = truth(flat, test, f"`{sign}`", span)
    if isinstance(decided, Literal):
        return rest() if (decided == Literal(True)) is conjunction else test
    first = _arm(flat, rest, (decided, conjunction), span)
    value = first.value
    if first.changes:
        second = _arm(flat, lambda: test, (decided, not conjunction), span)
        return _changed(flat, decided, _in_order(first, second, conjunction), span)
    body = first.way.body
    if Special.REFUSED in (test, value):
        return Special.REFUSED
    if _is_truth(test) and _is_truth(value):
        if isinstance(value, Literal) and not body:
            return test if (value == Literal(True)) is conjunction else value
        out = Draft(BOOL, span)
        test, value = cast(Number, test), cast(Number, value)
        flat.add(DraftAnd(out, test, conjunction, body, value))
        maybe.both(flat, out, conjunction, test, value)
        return out
    arms = [(body, value), ([], test)]
    return _chosen(
        flat,
        decided,
        arms[0 if conjunction else 1],
        arms[1 if conjunction else 0],
        f"`{sign}`",
        span,
    )


def _is_truth(value: Value) -> bool:
    return isinstance(value, Draft | Literal) and value.type == BOOL


def choose(
    flat: Context,
    test: Value,
    then: Callable[[], Value],
    orelse: Callable[[], Value],
    what: str,
    span: Span,
    *,
    eager: bool = False,
) -> Value:
    """`then() if test else orelse()`: only one of them runs.

    Both are read if the test is refused; with `eager`, Python computes both.
    """
    known = truth(flat, test, what, span)
    if isinstance(known, Literal):
        return then() if known.value else orelse()
    if eager:
        arms = _unchanging_arm(flat, then, span), _unchanging_arm(flat, orelse, span)
        return _chosen(flat, known, *arms, what, span, eager)
    first = _arm(flat, then, (known, True), span)
    second = _arm(flat, orelse, (known, False), span)
    if first.changes or second.changes:
        return _changed(flat, known, (first, second), span)
    one, other = (first.way.body, first.value), (second.way.body, second.value)
    return _chosen(flat, known, one, other, what, span)


@dataclass(frozen=True, slots=True, eq=False)
class LazyWay:
    """An arm that may not run: its value, and whether it changes arrays or objects from
    before.
    """

    way: Way
    value: Value
    changes: bool


def _arm(
    flat: Context, run: Callable[[], Value], where: tuple[Value, bool], span: Span
) -> LazyWay:
    def here() -> Value:
        maybe.learn(flat, *where)
        return run()

    return lazy_way(flat, here, span)


def lazy_way(flat: Context, run: Callable[[], Value], span: Span) -> LazyWay:
    """An arm that may not run, run apart."""
    heap, frame = flat.heap, flat.frame
    fields, start = heap.fields, heap.fields.tick()
    found: list[tuple[Value, bool]] = []

    def here() -> None:
        value = run()
        kept = fields.trail[-1]
        changes = (
            any(old is not None for old in heap.trail[-1].values())
            or any(fields.owners[key].born < start for key in kept)
            or bool(frame.trail[-1])
        )
        if kept and not changes:
            value = fields.deep(value, span)
        frame.bind(CHOSEN, value)
        found.append((value, changes))

    way = run_apart(flat, here)
    return LazyWay(way, *found[0])


def _in_order(
    first: LazyWay, second: LazyWay, conjunction: bool
) -> tuple[LazyWay, LazyWay]:
    return (first, second) if conjunction else (second, first)


def _changed(
    flat: Context, test: Value, arms: tuple[LazyWay, LazyWay], span: Span
) -> Value:
    """The value behind two arms that change something, joined as behind an `if`."""
    join(flat, test, arms[0].way, arms[1].way, span, ())
    found = flat.frame.names[CHOSEN]
    value = made_at(found, span)
    flat.frame.restore({CHOSEN: None})
    return value


def _unchanging_arm(flat: Context, run: Callable[[], Value], span: Span) -> Arm:
    message = "an array is changed in an expression that may not run"
    return unchanging(flat, run, (message, "write an `if` statement"), span)


def unchanging(
    flat: Context, run: Callable[[], Value], said: tuple[str, str], span: Span
) -> Arm:
    """A block that must not change arrays; AD107 with this message if it does."""
    heap, lazy = flat.heap, flat.frame.lazy
    fields, start = heap.fields, heap.fields.tick()
    heap.trail.append({})
    fields.trail.append({})
    lazy.append(said)
    body, value = flat.block(run)
    lazy.pop()
    before, kept = heap.trail.pop(), fields.trail.pop()
    if any(old is not None for old in before.values()):
        value = flat.refuse("AD107", said[0], span, said[1])
    elif any(fields.owners[key].born < start for key in kept):
        message = said[0].replace("array", "object")
        value = flat.refuse("AD107", message, span, said[1])
    elif kept:
        value = fields.deep(value, span)
    heap.restore(before)
    fields.restore(kept)
    return body, value


def _chosen(
    flat: Context,
    test: Value,
    first: Arm,
    second: Arm,
    what: str,
    span: Span,
    eager: bool = False,
) -> Value:
    """The value of one of two arms that have run."""
    values = (first[1], second[1])
    if not isinstance(test, Draft) or Special.REFUSED in values:
        return Special.REFUSED
    arms = DraftArm(first[0]), DraftArm(second[0])
    choice = DraftChoice(test, *arms, eager=eager)
    flat.add(choice)
    found = joining.joined(flat, choice, *values, span)
    if found is None:
        message = f"{what} of {either(values)} is not supported"
        help_ = "choose between numbers, or tuples of one length"
        return flat.refuse("AD107", message, span, way_out(values) or help_)
    return found


def way_out(values: Sequence[Value]) -> str | None:
    """The way to make an array and a list, an iterator, or a class one of two values of
    a choice; None for others.
    """
    if any(isinstance(value, Once) for value in values):
        return "make each a list, `list(zip(x, y))`, or a range, `range(n, -1, -1)`"
    classes = [value.name for value in values if isinstance(value, Class)]
    if len(classes) == len(values) > 1:
        return f"make and use the object in each arm: `{classes[0]}(...).f(x)`"
    kinds = {_container(value) for value in values}
    if Container.ARRAY in kinds and kinds & {Container.LIST, Container.TUPLE}:
        return "make both arrays, `np.array([u, v])`, or both lists, `list(x)`"
    return None


def _container(value: Value) -> Container | None:
    if isinstance(value, Array):
        return value.cell.container
    if isinstance(value, Group):
        return value.container
    return Container.ARRAY if isinstance(value, Draft) and value.type.shape else None


def truth(flat: Context, test: Value, what: str, span: Span) -> Value:
    """A test as a truth value, a Literal if it is known; refused after a report."""
    if isinstance(test, Deque):
        return truth(flat, test.inner, what, span)
    if isinstance(test, Dict):
        return Literal(bool(test.keys))
    if isinstance(test, Object) and keyed.is_one(test):
        return truth(flat, keyed.items(flat, test, span), what, span)
    if isinstance(test, Maybe):
        inside = partial(truth, flat, what=what, span=span)
        return maybe.where_given(flat, test, inside, span)
    own = overloads.truth(flat, test, what, span)
    if own is not None:
        return own
    if isinstance(test, Literal):
        return Literal(bool(test.value))
    if isinstance(test, Group) and test.container is not Container.ARRAY:
        return Literal(bool(test.items))
    if test is Special.NONE:
        return Literal(False)
    if isinstance(test, Range):
        return _has_numbers(flat, test, span)
    if isinstance(test, Rows | Lists):
        return truth(flat, test.first, what, span)
    if isinstance(test, Stack):
        return truth(flat, test.marks[0], what, span)
    if isinstance(test, Array) and test.cell.container is not Container.ARRAY:
        size = extents.length(flat, test, span)
        if isinstance(size, Literal):
            return Literal(int(size.value) > 0)
        return flat.operate(TABLE["gt"], (size, Literal(0)), span)
    if isinstance(test, Draft) and not test.type.shape:
        if test in flat.truths:
            return Literal(flat.truths[test])
        if test.type == BOOL:
            return test
        if test.optional:
            return _truth_of_given(flat, test, span)
        return _is_not_empty(flat, test, span)
    if test is not Special.REFUSED:
        message = f"{what} on {describe(test)} is not supported"
        is_array = isinstance(test, Group | Array | Draft)
        help_ = "write `np.all(...)` or `np.any(...)`" if is_array else _COMPARE
        flat.refuse("AD107", message, span, help_)
    return Special.REFUSED


def _has_numbers(flat: Context, test: Range, span: Span) -> Value:
    known = sequences.known_range(test, flat.wholes)
    if known is not None:
        return Literal(bool(known))
    over = iterables.series_of(flat, test, span)
    if over is None:
        message = f"whether {describe(test)} has numbers, only a run knows"
        return flat.refuse("AD107", message, span, _COMPARE)
    return flat.operate(TABLE["gt"], (over.length, Literal(0)), span)


def _is_not_empty(flat: Context, value: Draft, span: Span) -> Value:
    empty = Literal(_EMPTY[value.type])
    return flat.apply(TABLE["ne"], (value, empty), span)


_EMPTY: dict[Type, float | int | str] = {FLOAT: 0.0, INT: 0, STR: ""}
"""The value that is false as a condition, by type."""


def _truth_of_given(flat: Context, value: Draft, span: Span) -> Value:
    """`value is not None and value != 0`; a text is compared with the empty one."""
    value.asked = True
    given = cast(Draft, flat.apply(TABLE["is_given"], (value,), span))
    given.tells = value, True
    body, holds = flat.block(lambda: _is_not_empty(flat, value, span))
    out = Draft(BOOL, span)
    flat.add(DraftAnd(out, given, True, body, cast(Number, holds)))
    return out


_COMPARE = 'write a comparison, `kind == "call"`'
