"""Ways out of a body: what stands behind a statement that may leave.

Where one arm of an `if` surely leaves, what stands behind it goes into the other arm,
so that a guard becomes `if ...: ... else: ...`. Where an arm may both leave and fall
through, a flag tells which, and what stands behind runs under the flag: the text stays
linear. Only an end of a few operations is written once more for every way to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ad_transform.read.code import (
    Body,
    Fail,
    Fork,
    Instruction,
    Leave,
    Load,
    Operate,
    Pack,
    Push,
)

# Names of a frame that no source can bind: what is known of the way out.
AWAY = "<away>"  # whether the statements behind are passed over
RESULT = "<result>"  # what the function has returned

FLAGS = {AWAY: "left"}
"""Names of truth values, with what they are called in the output."""


LEAVING = (Leave, Fail)


def falls(body: Body) -> int:
    """The number of ways through a body that go on behind it; joined ones are one."""
    if any(isinstance(i, LEAVING) for i in body):
        return 0
    last = body[-1] if body else None
    return last.falls if isinstance(last, Fork) else 1


def may_leave(body: Body) -> bool:
    """Whether some way through a body does not go on behind it."""
    return any(
        isinstance(i, LEAVING) or (isinstance(i, Fork) and i.exits) for i in body
    )


def fork(like: Fork, then: Body, orelse: Body) -> Fork:
    """A fork with other arms."""
    exits = may_leave(then) or may_leave(orelse)
    ways = falls(then) + falls(orelse) if exits else 1
    return replace(like, then=then, orelse=orelse, falls=ways, exits=exits)


def in_order(parts: Sequence[Body]) -> Body:
    """The bodies of statements one behind the other. Linear.

    What stands behind a fork that may leave goes into the one arm that falls through,
    if there is only one.
    """
    behind: list[Instruction] = []  # in reverse
    for part in reversed(parts):
        last = part[-1] if part else None
        if isinstance(last, Fork) and last.exits:
            behind = list(reversed(_attached(part, tuple(reversed(behind)))))
        else:
            behind += reversed(part)
    return tuple(reversed(behind))


def _attached(body: Body, rest: Body) -> Body:
    last = body[-1] if body else None
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


def _is_short(body: Body) -> bool:
    """Whether a body is no longer in the text than the flags it would take."""
    plain = all(isinstance(i, _PLAIN) for i in body)
    return plain and len(body) <= _SHORT and falls(body) == 0


_SHORT = 8
_PLAIN = (Push, Load, Operate, Pack, Leave)
