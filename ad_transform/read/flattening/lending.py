"""Whole arrays that helpers change for their callers: the callers see the change.

Whole arrays are values, and a change makes another one. A parameter that its function
never binds stands for the array of the caller all the time, so its array at the end is
the one that the names of the caller stand for from then on. While the function runs
nobody reads these names: what it reads of functions around it holds no such array, and
it is given nothing that runs code of the caller.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache

from ad_transform.diagnostics import Span
from ad_transform.later import later
from ad_transform.read.code import (
    Bind,
    Change,
    Clause,
    Code,
    Each,
    Forget,
    Hold,
    Keep,
)
from ad_transform.read.compiling.exits import names_of
from ad_transform.read.machine.context import Context
from ad_transform.read.values.callables import Chosen, Closure, Method, Partial
from ad_transform.read.values.frames import Promise, made_at
from ad_transform.read.values.series import Once, Stream
from ad_transform.read.values.values import Draft, Value, is_whole

with later():
    from ad_transform.read.arrays import (
        rebinding,
        rebound,
    )
    from ad_transform.read.iterables import once

_RUNNING = (Chosen, Closure, Method, Once, Partial, Stream)
"""Values that may read the names of a caller late."""


def lent(
    flat: Context, closure: Closure, names: Mapping[str, Value]
) -> dict[str, Draft]:
    """The whole arrays given that the caller sees changed, by parameter."""
    code = closure.code
    wholes = {name: value for name, value in names.items() if is_whole(value)}
    if not wholes or code.solving or code.passive:
        return {}
    if any(isinstance(v, _RUNNING) for v in rebinding.inside(names.values())):
        return {}
    seen = [one for one in once.parts(closure) if not isinstance(one, Closure)]
    if any(isinstance(one, _RUNNING) for one in rebinding.inside(seen)):
        return {}
    bound, read = _bound(code), rebinding.bases(flat, seen)
    return {
        name: value
        for name, value in wholes.items()
        if name not in bound and not rebinding.bases(flat, (value,)) & read
    }


@cache
def _bound(code: Code) -> frozenset[str]:
    """The names that a function binds, wherever; not those that `z += 1` changes."""
    return frozenset(_names(code.body))


def _names(part: object) -> Iterator[str]:
    if isinstance(part, tuple):
        for before, one in zip((None, *part), part, strict=False):
            if isinstance(one, Bind) and isinstance(before, Change):
                yield from {*names_of(one.targets)} - {before.name}
            else:
                yield from _names(one)
    elif isinstance(part, Bind):
        yield from names_of(part.targets)
    elif isinstance(part, Keep | Hold | Forget):
        yield part.name
    elif is_dataclass(part) and not isinstance(part, type):
        if isinstance(part, Each | Clause):
            yield from names_of((part.target,))
        for field in fields(part):
            yield from _names(getattr(part, field.name))


def give_back(
    flat: Context, given: Mapping[str, Draft], ends: Mapping[str, Value], span: Span
) -> None:
    """Let the names of the running function, which has called one, stand for the arrays
    as they are by now; AD124 where other names may stand for them.
    """
    for old in dict.fromkeys(given.values()):
        now = dict.fromkeys(ends[name] for name, value in given.items() if value is old)
        if list(now) == [old]:
            continue
        new = next(iter(now))
        if len(now) > 1:
            rebinding.refuse_shared(flat, next(iter(given)), span)
        elif isinstance(new, Draft):
            rebound.give_back(flat, old, new, span)


def at_end(names: Mapping[str, Value | Promise], name: str, span: Span) -> Value:
    """The value of a parameter at the end of its function."""
    value = names[name]
    return made_at(value, span)
