"""The code of a generator function around the body of the loop over its items.

Where the generator gives a value the loop makes its trip: `for q in orbit(x): body` is
the code of `orbit` with `q = value` and the body in the place of each `yield value`.
All of it runs in the frame of the loop, where a name `x` of the generator is `orbit@x`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any, cast

from ad_transform.dataclass import dataclass, replace
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.code import (
    Attempt,
    Bind,
    Body,
    Change,
    Define,
    Drop,
    Each,
    Forget,
    Fork,
    Gather,
    Give,
    Hold,
    Instruction,
    Keep,
    Leave,
    Load,
    Push,
    Repeat,
    Skip,
    Target,
)
from ad_transform.read.compiling.exits import (
    LOOPS,
    breaks,
    fork,
    in_order,
    looping,
    skips,
    ways_of,
    within,
)
from ad_transform.read.values.structured import Group

_ONCE = Push(Group(Container.TUPLE, (Literal(0),)))
"""The items of a loop of one trip; `break` and `continue` leave its body."""


class Unpasted(Exception):
    """A `yield` stands where a loop cannot make its trip."""


@dataclass(frozen=True, slots=True)
class Paste:
    """A loop over the items of a generator.

    `over` is the flag for a generator that has returned, `left` that for a loop that
    its own `break` has left.
    """

    loop: Each
    over: str
    left: str

    @property
    def span(self) -> Span:
        return self.loop.span


def pasted(code: Body, made: Paste) -> Body:
    """The code of a generator, with a trip of the loop for each value that it gives."""
    loop = made.loop
    body = _broken(loop.body, made) if loop.orelse else loop.body
    trip: Body = (Bind((loop.target,)), *body)
    if skips(body) and not _fits(code, body):
        raised: Body = (Push(Literal(True)), Hold(made.over))
        once = looping(_of_one_trip(_turned(body, raised), made.span))
        after = _left(made) if breaks(body) else ()
        trip = (Bind((loop.target,)), _ONCE, once, *after)
    found = _around(code, made, trip, False)
    if skips(found):
        found = (_ONCE, looping(_of_one_trip(found, made.span)))
    start: Body = (Push(Literal(False)), Hold(made.over))
    if loop.orelse:
        start = (*start, Push(Literal(False)), Hold(made.left))
        end = fork(Fork((), (), made.span), (), loop.orelse)
        found = (*found, Load(made.left, 0, made.span), end)
    return (*start, *found)


def _of_one_trip(body: Body, span: Span) -> Each:
    return Each(Target(span), body, (), span, (), False, False)


def _left(made: Paste) -> Body:
    """`break` if the generator has returned."""
    leaving: Body = (Skip(True, made.span),)
    return (Load(made.over, 0, made.span), fork(Fork((), (), made.span), leaving, ()))


def _broken(body: Body, made: Paste) -> Body:
    """The body of a loop, with a flag set in front of each `break`."""
    return _turned(body, (Push(Literal(True)), Hold(made.left)))


def _turned(body: Body, before: Body) -> Body:
    """A body with other code in front of each `break` of the loop around it."""
    turn = partial(_turned, before=before)
    found: list[Instruction] = []
    for i in body:
        if isinstance(i, Skip) and i.breaks:
            found += before
        found.append(within(i, turn, lambda inner: inner))
    return tuple(found)


def _fits(code: Body, body: Body) -> bool:
    """Whether `break` and `continue` mean the same in the loop of the generator."""
    loop = code[-1] if code else None
    if not isinstance(loop, LOOPS) or loop.orelse or gives(code[:-1]):
        return False
    *before, last = loop.body
    if isinstance(last, Give) and not gives(tuple(before)):
        return True
    only_breaks = not any(not i.breaks for i in _skips_of(body))
    return only_breaks and not any(gives(inner.body) for inner in _loops_of(loop.body))


def _skips_of(body: Body) -> list[Skip]:
    found: list[Skip] = []
    for i in body:
        if isinstance(i, Skip):
            found.append(i)
        elif isinstance(i, Fork | Attempt):
            found += (skip for way in ways_of(i) for skip in _skips_of(way))
        elif isinstance(i, LOOPS):
            found += _skips_of(i.orelse)
    return found


def _loops_of(body: Body) -> list[Each | Repeat]:
    found: list[Each | Repeat] = []
    for i in body:
        if isinstance(i, LOOPS):
            found.append(i)
        elif isinstance(i, Fork | Attempt):
            found += (loop for way in ways_of(i) for loop in _loops_of(way))
    return found


def gives(body: Body) -> bool:
    """Whether a `yield` stands in a body."""
    return any(
        isinstance(i, Give)
        or (isinstance(i, Fork | Attempt) and any(map(gives, ways_of(i))))
        or (isinstance(i, LOOPS) and (gives(i.body) or gives(i.orelse)))
        for i in body
    )


def is_endless(body: Body) -> bool:
    """Whether a generator may give values without end: one of its loops is `while
    True`.
    """
    return any(
        (isinstance(loop, Repeat) and _is_true(loop.test)) or is_endless(loop.body)
        for loop in _loops_of(body)
    )


def _is_true(test: Body) -> bool:
    match test:
        case (Push(value=Literal(value=True)),):
            return True
    return False


def _around(code: Body, made: Paste, trip: Body, inside: bool) -> Body:
    """Code with a trip in place of each `yield`, and an end in place of each `return`;
    it may be `inside` a loop.
    """
    parts: list[Body] = []
    part: list[Instruction] = []

    def arms(body: Body) -> Body:
        return _around(body, made, trip, inside)

    def trips(body: Body) -> Body:
        return _around(body, made, trip, True)

    for place, i in enumerate(code, 1):
        if isinstance(i, Attempt) and gives((i,)):
            raise Unpasted
        if isinstance(i, Give):
            part += trip
        elif isinstance(i, Leave):
            part += (Drop(), Push(Literal(True)), Hold(made.over), Skip(True, i.span))
        else:
            part.append(within(i, arms, trips))
        if not isinstance(i, Give | Fork | Attempt | Each | Repeat):
            continue
        parts.append(tuple(part))
        part = []
        ends = isinstance(i, LOOPS) and _ends(i, trip)
        if ends and (inside or place < len(code)):
            parts.append(_left(made))
    return in_order([*parts, tuple(part)])


def _ends(loop: Each | Repeat, trip: Body) -> bool:
    """Whether the generator may have returned behind a loop."""
    leaves = any(isinstance(i, Hold) for i in trip) or any(
        isinstance(i, Each) and breaks(i.body) for i in trip
    )
    return _returns(loop.body) or (leaves and gives(loop.body))


def _returns(body: Body) -> bool:
    return any(
        isinstance(i, Leave)
        or (isinstance(i, Fork | Attempt) and any(map(_returns, ways_of(i))))
        or (isinstance(i, LOOPS) and (_returns(i.body) or _returns(i.orelse)))
        for i in body
    )


Outer = Callable[[Load, int], Instruction]
"""The instruction for a name of a function around, from the load of it and the number
of functions in between.
"""


def renamed(code: Body, own: Callable[[str], str], outer: Outer) -> Body:
    """Code for another frame, with other names there."""
    return cast(Body, _renamed(code, own, outer, 0))


def _renamed(part: Any, own: Callable[[str], str], outer: Outer, depth: int) -> Any:
    if isinstance(part, tuple):
        return tuple(_renamed(one, own, outer, depth) for one in part)
    if isinstance(part, Load):
        if part.up == depth:
            return replace(part, name=own(part.name))
        return outer(part, depth) if part.up > depth else part
    if not is_dataclass(part) or type(part).__module__ != Load.__module__:
        return part
    inner = depth + isinstance(part, Define | Gather)
    changed = {
        one.name: _renamed(getattr(part, one.name), own, outer, inner)
        for one in fields(part)
        if one.name not in _AS_THEY_ARE
    }
    if depth == 0 and isinstance(part, _NAMING) and part.name:
        changed["name"] = own(part.name)
    if depth == 0 and isinstance(part, LOOPS):
        changed["binds"] = tuple(map(own, part.binds))
    return replace(cast(Any, part), **changed)


_NAMING = (Target, Keep, Hold, Forget, Change)
_AS_THEY_ARE = frozenset({"span", "notes", "name", "binds", "defaults", "formals"})
