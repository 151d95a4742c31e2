"""Ways out of a body: the statements behind one that may leave.

If one arm of an `if` surely leaves, the statements behind the `if` go into the other
arm, so that a guard becomes `if ...: ... else: ...`. If an arm may both leave and fall
through, a flag tells which, and the statements behind run under the flag: the text
stays linear. Only an end of a few operations is written again for every way to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ad_transform.dataclass import replace
from ad_transform.ir.arms.threaded import DEEP
from ad_transform.ir.nodes import Literal
from ad_transform.read.code import (
    Attempt,
    Bind,
    Body,
    Each,
    Fail,
    FailAgain,
    Forget,
    Fork,
    Hold,
    Instruction,
    Keep,
    Leave,
    Load,
    Operate,
    Pack,
    Push,
    Repeat,
    Skip,
    Target,
)

LEAVING = (Leave, Fail, FailAgain, Skip)
LOOPS: tuple[type[Each], type[Repeat]] = (Each, Repeat)
_TELLING = frozenset({*LEAVING, *LOOPS, Fork, Attempt})
"""Instructions that may leave, or hold some that may: few of a body are one."""


def falls(body: Body) -> int:
    """The number of ways that go on behind a body; joined ways count as one."""
    if any(isinstance(i, LEAVING) or _is_endless(i) for i in body):
        return 0
    last = body[-1] if body else None
    return last.falls if isinstance(last, Fork | Attempt) else 1


def may_leave(body: Body) -> bool:
    """Whether some way through a body does not go on behind it."""
    return any(
        isinstance(i, LEAVING)
        or (isinstance(i, Fork | Attempt) and i.exits)
        or (isinstance(i, LOOPS) and (i.returns or may_leave(i.orelse)))
        for i in body
        if type(i) in _TELLING
    )


def returns(body: Body) -> bool:
    """Whether a `return` or `raise` may end more than the loops inside the body."""
    return any(
        isinstance(i, Leave | Fail | FailAgain)
        or (isinstance(i, Fork | Attempt) and any(map(returns, ways_of(i))))
        or (isinstance(i, LOOPS) and i.returns)
        for i in body
        if type(i) in _TELLING
    )


def leaves(body: Body) -> bool:
    """Whether a `return` stands in the body, or in a loop or arm of it."""
    return any(
        isinstance(i, Leave)
        or (isinstance(i, Fork | Attempt) and any(map(leaves, ways_of(i))))
        or (isinstance(i, LOOPS) and (leaves(i.body) or leaves(i.orelse)))
        for i in body
        if type(i) in _TELLING
    )


def breaks(body: Body) -> bool:
    """Whether a `break` in the body may end the loop around it."""
    return any(
        (isinstance(i, Skip) and i.breaks)
        or (isinstance(i, Fork | Attempt) and any(map(breaks, ways_of(i))))
        or (isinstance(i, LOOPS) and breaks(i.orelse))  # it ends the loop around
        for i in body
        if type(i) in _TELLING
    )


def skips(body: Body) -> bool:
    """Whether a `break` or `continue` in the body may end a trip around it."""
    return any(
        isinstance(i, Skip)
        or (isinstance(i, Fork | Attempt) and any(map(skips, ways_of(i))))
        or (isinstance(i, LOOPS) and skips(i.orelse))
        for i in body
        if type(i) in _TELLING
    )


def raises_again(body: Body) -> bool:
    """Whether a body raises what a handler has caught."""
    return any(
        isinstance(i, FailAgain)
        or (isinstance(i, Fork | Attempt) and any(map(raises_again, ways_of(i))))
        or (isinstance(i, LOOPS) and (raises_again(i.body) or raises_again(i.orelse)))
        for i in body
    )


def ways_of(made: Fork | Attempt) -> tuple[Body, ...]:
    """The bodies of an instruction that may run."""
    if isinstance(made, Fork):
        return made.then, made.orelse
    return (*made.parts, *(one.body for one in made.handlers), made.orelse)


def within(
    i: Instruction, arms: Callable[[Body], Body], trips: Callable[[Body], Body]
) -> Instruction:
    """An instruction with its bodies changed: `arms` for those that run once, `trips`
    for loops.
    """
    match i:
        case Fork():
            return fork(i, arms(i.then), arms(i.orelse))
        case Attempt():
            handlers = tuple(replace(h, body=arms(h.body)) for h in i.handlers)
            parts = tuple(map(arms, i.parts))
            made = replace(i, parts=parts, handlers=handlers, orelse=arms(i.orelse))
            return attempt(made)
        case Each() | Repeat():
            return looping(replace(i, body=trips(i.body), orelse=arms(i.orelse)))
    return i


def looping(loop: Each | Repeat) -> Instruction:
    """A loop with its facts computed anew: names that it binds, ways it ends."""
    own = names_of((loop.target,)) if isinstance(loop, Each) else ()
    binds = tuple(dict.fromkeys((*own, *bound_in(loop.body))))
    returning = returns(loop.body)
    exits = returning or breaks(loop.body)
    returning = returning or returns(loop.orelse)
    if isinstance(loop, Each):
        return replace(loop, binds=binds, exits=exits, returns=returning)
    return replace(loop, binds=binds, returns=returning)


def _is_endless(instruction: Instruction) -> bool:
    """Whether a loop is `while True` without `break`."""
    if not isinstance(instruction, Repeat) or breaks(instruction.body):
        return False
    match instruction.test:
        case (Push(value=Literal(value=True)),):
            return True
    return False


def bound_in(body: Body) -> Iterator[str]:
    """The names that a body may bind, some more than once."""
    for i in body:
        match i:
            case Bind(targets=targets):
                yield from names_of(targets)
            case Keep(name=name) | Hold(name=name) | Forget(name=name):
                yield name
            case Fork() | Attempt():
                for way in ways_of(i):
                    yield from bound_in(way)
            case Each(target=target, body=inner, orelse=orelse):
                yield from names_of((target,))
                yield from bound_in(inner)
                yield from bound_in(orelse)
            case Repeat(body=inner, orelse=orelse):
                yield from bound_in(inner)
                yield from bound_in(orelse)


def names_of(targets: Sequence[Target]) -> Iterator[str]:
    """The names that targets bind."""
    stack = list(reversed(targets))
    while stack:
        target = stack.pop()
        if target.name:
            yield target.name
        stack += reversed(target.items)


def fork(like: Fork, then: Body, orelse: Body) -> Fork:
    """A fork with other arms, and the number of its ways computed anew."""
    exits = may_leave(then) or may_leave(orelse)
    ways = falls(then) + falls(orelse) if exits else 1
    return replace(like, then=then, orelse=orelse, falls=ways, exits=exits)


def attempt(like: Attempt) -> Attempt:
    """A `try` with the number of its ways computed anew."""
    inside = min((falls(part) for part in like.parts), default=1)
    ways = inside and falls(like.orelse)
    ways += sum(falls(one.body) for one in like.handlers)
    exits = any(map(may_leave, ways_of(like)))
    return replace(like, falls=ways if exits else 1, exits=exits)


def in_order(parts: Sequence[Body]) -> Body:
    """The bodies of consecutive statements as one body. Linear.

    The statements behind a fork that may leave go into the arm that falls through, if
    only one does; but no deeper than `DEEP` forks one inside the other.
    """
    behind: list[Instruction] = []  # in reverse
    nested = _nested(parts)
    for k, part in reversed([*enumerate(parts)]):
        last = part[-1] if part else None
        if isinstance(last, Fork | Attempt) and last.exits and k < nested:
            behind = list(reversed(_attached(part, tuple(reversed(behind)))))
        else:
            behind += reversed(part)
    return tuple(reversed(behind))


def _nested(parts: Sequence[Body]) -> int:
    """The number of statements that may take in those behind them. A statement that may
    leave, right behind another one, counts as its `elif`.
    """
    depth, before = 0, False
    for k, part in enumerate(parts):
        last = part[-1] if part else None
        leaves = isinstance(last, Fork) and last.exits and not _only_fails(last)
        depth += leaves and not before
        before = leaves
        if depth > DEEP:
            return k
    return len(parts)


def _only_fails(fork: Fork) -> bool:
    return any(body and isinstance(body[-1], Fail) for body in (fork.then, fork.orelse))


def _attached(body: Body, rest: Body) -> Body:
    last = body[-1] if body else None
    if isinstance(last, Attempt) and last.exits:
        return _behind(body, last, rest)
    if not isinstance(last, Fork) or not last.exits:
        return body if falls(body) == 0 else body + rest
    if not falls(last.then):
        last = fork(last, last.then, _attached(last.orelse, rest))
    elif not falls(last.orelse):
        last = fork(last, _attached(last.then, rest), last.orelse)
    elif _is_short(rest):
        last = fork(last, _attached(last.then, rest), _attached(last.orelse, rest))
    else:
        return body + rest
    return (*body[:-1], last)


def _behind(body: Body, last: Attempt, rest: Body) -> Body:
    """The rest behind a `try`: in its `else` if no handler falls through, in its only
    handler if nothing else falls through.
    """
    if not any(falls(one.body) for one in last.handlers):
        made = attempt(replace(last, orelse=_attached(last.orelse, rest)))
    elif len(last.handlers) == 1 and last.falls == falls(last.handlers[0].body):
        one = last.handlers[0]
        one = replace(one, body=_attached(one.body, rest))
        made = attempt(replace(last, handlers=(one,)))
    else:
        return body + rest
    return (*body[:-1], made)


def _is_short(body: Body) -> bool:
    """Whether a body is no longer, as text, than the flags that it would need."""
    plain = all(isinstance(i, _PLAIN) for i in body)
    return plain and len(body) <= _SHORT and falls(body) == 0


_SHORT = 8
_PLAIN = (Push, Load, Operate, Pack, Leave)
