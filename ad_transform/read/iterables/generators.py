"""Generator functions: loops over their items run their code around the loop's own.

Whoever else reads a generator gets the items one by one where these are known, and a
list that grows by them elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.code import (
    Attribute,
    Body,
    Call,
    Clause,
    Code,
    Collect,
    Drop,
    Each,
    Gather,
    Give,
    Hold,
    Instruction,
    Load,
    Operate,
    Pack,
    Push,
    Target,
)
from ad_transform.read.compiling.pasting import (
    Paste,
    Unpasted,
    is_endless,
    pasted,
    renamed,
)
from ad_transform.read.iterables import once
from ad_transform.read.machine.context import Context
from ad_transform.read.values.callables import Closure
from ad_transform.read.values.frames import Frame, made_at
from ad_transform.read.values.series import Endless, Once, Stream, Yields
from ad_transform.read.values.storage import Array, Lists, Rows, Stack
from ad_transform.read.values.structured import Group, Object
from ad_transform.read.values.values import Special, Value

with later():
    from ad_transform.read.calls import calls
    from ad_transform.read.iterables import streams
    from ad_transform.read.lists import listing
    from ad_transform.read.objects import objects

DEPTH = 20
"""Loops over generators that may be running inside one another."""

_ITEM = "<item>"
_HELP = "append to a list, and return it"


class _Open(Exception):
    """Only a run knows the items."""


def made(
    flat: Context, closure: Closure, names: Mapping[str, Value], span: Span
) -> Value:
    """The generator that a call of a generator function gives."""
    if closure.code.passive:
        message = f"the generator {closure.code.name!r} is not to have derivatives"
        help_ = "mark what computes the values that it gives"
        return flat.refuse("AD102", message, span, help_)
    found = stream(flat, Yields(closure, dict(names)), span)
    return once.generator(flat, found, lambda: found)


def stream(flat: Context, source: Yields, span: Span) -> Stream:
    """The stream of the items of a generator, as they are."""
    clause = Clause(Target(span, _ITEM), (), ())
    item: Body = (Load(_ITEM, 0, span),)
    return Stream(Gather((clause,), item, span, True), source, flat.frame)


def of(value: Value) -> Yields | None:
    """The generator whose items are those of a stream, as they are; None of any other
    value.
    """
    if isinstance(value, Yields):
        return value
    if not isinstance(value, Stream) or not isinstance(value.over, Yields):
        return None
    match value.made:
        case Gather(clauses=(Clause(tests=()),), element=(Load(name="<item>"),)):
            return value.over
    return None


def iterated(flat: Context, value: Value, span: Span) -> Value:
    """The iterator of an object whose class defines `__iter__`; any other value as it
    is.
    """
    of_ = objects.class_of(value)
    if of_ is None or not isinstance(value, Object) or of_.owner("__iter__") is None:
        return value
    method = objects.attribute(flat, value, "__iter__", span)
    assert method is not None
    return calls.called_with(flat, method, [], {}, span)


def numbered(flat: Context, value: Once, start: Value, span: Span) -> Value:
    """`enumerate` of a generator, as a generator that counts."""
    count, given, item = (f"<{name}>" for name in ("count", "items", "one"))
    body: Body = (
        Load(count, 0, span),
        Load(item, 0, span),
        Pack(Container.TUPLE, (False, False), span),
        Give(span),
        Load(count, 0, span),
        Push(Literal(1)),
        Operate(TABLE["add"], 2, span),
        Hold(count),
    )
    target = Target(span, item)
    loop = Each(target, body, (), span, (item, count), False, False)
    code = Code("enumerate", (), (Load(given, 0, span), loop), span, gives=True)
    return made(flat, Closure(code, None, {}), {given: value, count: start}, span)


def is_one(value: Value) -> bool:
    """Whether a value is a generator that a function gives, or has no end."""
    if not isinstance(value, Once):
        return False
    return any(isinstance(held, Endless) or of(held) for held in value.held)


def asks_objects(value: Value) -> bool:
    """Whether the items of a generator depend on an object, which may change."""
    if not isinstance(value, Once):
        return False
    return any(isinstance(p, Object) for p in once.parts(value))


def run(flat: Context, source: Yields, loop: Each) -> None:
    """`for target in source: ...`"""
    code = source.closure.code
    if loop.snapshots or loop.solving:
        message = "a mark above a loop over a generator is not supported"
        flat.refuse("AD102", message, loop.span, "put it above the generator's loop")
        return
    if len(flat.giving) >= DEPTH:
        message = f"more than {DEPTH} generators run inside one another"
        flat.refuse("AD120", message, loop.span, _HELP)
        return
    frame, prefix = flat.frame, f"{code.name}{len(flat.giving)}@"
    try:
        body = _pasted(flat, source.closure, loop, prefix)
    except Unpasted:
        message = "`yield` in a `try` is not supported"
        flat.refuse("AD101", message, code.span, _HELP)
        return
    for name, value in source.names.items():
        frame.bind(f"{prefix}{name}", value)
    flat.giving.append(code)
    flat.perform(body)
    flat.giving.pop()
    for name in [name for name in frame.names if name.startswith(prefix)]:
        del frame.names[name]


def _pasted(flat: Context, closure: Closure, loop: Each, prefix: str) -> Body:
    """The code of a generator around the body of a loop; the same object each time."""
    code, around = closure.code, closure.around
    distance = _distance(flat.frame, around)
    known = flat.module.shared.pasted
    key = (id(code), id(loop), prefix, distance)
    if key in known:
        return known[key][-1]

    def outer(load: Load, depth: int) -> Instruction:
        level = load.up - depth - 1
        if distance is not None:
            return replace(load, up=depth + distance + level)
        frame = around
        for _ in range(level):
            frame = frame.around if frame else None
        value = frame.names.get(load.name) if frame else None
        value = made_at(value, load.span)
        return Push(Special.REFUSED if value is None else value)

    own = renamed(code.body, lambda name: f"{prefix}{name}", outer)
    made = Paste(loop, f"{prefix}<over>", f"{prefix}<left>")
    body = pasted(own, made)
    if distance is not None or around is None:
        known[key] = (code, loop, body)
    return body


def _distance(frame: Frame, around: Frame | None) -> int | None:
    """The number of functions from one outwards to another; None where this is not
    around it.
    """
    own: Frame | None = frame
    count = 0
    while own is not None:
        if own is around:
            return count
        own, count = own.around, count + 1
    return None


def listed(flat: Context, stream: Stream) -> Value:
    """The items of a comprehension over a generator: a list."""
    source = cast(Yields, stream.over)
    if is_endless(source.closure.code.body):
        message = f"{source.closure.code.name!r} may give values for ever"
        help_ = "loop over it, and leave the loop with `break`"
        return flat.refuse("AD102", message, stream.made.span, help_)
    known = _known(flat, stream)
    return _grown(flat, stream) if known is None else known


def _known(flat: Context, stream: Stream) -> Value | None:
    """The items where none of them stands in a block that may not run."""
    saved, depth = flat.snapshot(), len(flat.outer)
    items: list[Value] = []

    def take(value: Value) -> None:
        if len(flat.outer) != depth:
            raise _Open
        items.append(once.kept(flat, value, stream.made.span))

    body = (*stream.made.element, Collect(take))
    try:
        with flat.module.shared.apart() as report:
            streams.looped(flat, stream, body)
    except _Open:
        flat.restore(saved)
        return None
    flat.module.report.extend(report.sorted())
    return Group(Container.LIST, tuple(items))


def _grown(flat: Context, stream: Stream) -> Value:
    """A list that grows by each item."""
    site = stream.made.span
    found = listing.begun(flat, site)
    if isinstance(found, Array | Rows | Lists | Stack):
        put: Body = (Push(found), Attribute("append", site))
        body = (*put, *stream.made.element, Call(("",), site), Drop())
        streams.looped(flat, stream, body)
    return found
