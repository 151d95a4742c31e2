"""`finally`: its body stands on each way out of its `try`.

If a statement fails, the function raises, and its values are lost: `finally` need not
run. So it is refused inside a `try` whose handlers would go on from there.
"""

from __future__ import annotations

from functools import partial

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.read.code import (
    Attempt,
    Bind,
    Body,
    Closing,
    Instruction,
    Leave,
    Load,
    Skip,
    Target,
)
from ad_transform.read.compiling.exits import (
    attempt,
    falls,
    in_order,
    leaves,
    skips,
    within,
)
from ad_transform.read.compiling.pasting import gives

_RETURNED = "<given back>"
"""The name of the returned value, which is computed before `finally` runs."""


def closed(body: Body, end: Body, span: Span) -> Body | None:
    """A body with its end on each way out; None for an end that leaves by itself, and
    for a generator, whose end may run at any time after its last read.
    """
    if leaves(end) or skips(end) or gives(body):
        return None
    ended = _ended(body, end, False)
    behind = end if falls(ended) else ()
    return (Closing(span), *in_order([ended, behind]))


def _ended(body: Body, end: Body, is_inside: bool) -> Body:
    """A body with the end in front of each `return`, and of each `break` and `continue`
    of a loop around the body; it `is_inside` another loop.
    """
    arms = partial(_ended, end=end, is_inside=is_inside)
    trips = partial(_ended, end=end, is_inside=True)
    found: list[Instruction] = []
    for i in body:
        if isinstance(i, Leave):
            found += (_held(i), *end, Load(_RETURNED, 0, i.span), i)
        elif isinstance(i, Skip) and not is_inside:
            found += (*end, i)
        elif isinstance(i, Attempt):
            found.append(_attempted(i, end, is_inside))
        else:
            found.append(within(i, arms, trips))
    return tuple(found)


def _attempted(made: Attempt, end: Body, is_inside: bool) -> Attempt:
    """A `try` inside; it does not protect the end."""
    arms = partial(_ended, end=end, is_inside=is_inside)
    parts: list[Body] = []
    orelse = made.orelse
    for part in made.parts:
        last = part[-1]
        if isinstance(last, Leave):
            parts.append((*part[:-1], _held(last)))
            orelse = (Load(_RETURNED, 0, last.span), last)
            break
        if isinstance(last, Skip):
            parts += [part[:-1]] if part[:-1] else []
            orelse = (last,)
            break
        parts.append(arms(part))
    handlers = tuple(replace(one, body=arms(one.body)) for one in made.handlers)
    inside = tuple(parts)
    return attempt(replace(made, parts=inside, handlers=handlers, orelse=arms(orelse)))


def _held(leaving: Leave) -> Bind:
    return Bind((Target(leaving.span, _RETURNED),))
