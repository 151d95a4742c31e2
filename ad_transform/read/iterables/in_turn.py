"""Items that change something when they are made, as a function that counts its calls.

Python makes the items of a generator one by one, so that a reader sees the changes of
each. Where all are made at once nothing may change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.read.code import Gather
from ad_transform.read.iterables import (
    gathers,
    generators,
    iterators,
    once,
)
from ad_transform.read.machine.context import Context
from ad_transform.read.values.series import Once, Stream
from ad_transform.read.values.values import Value


def gathered(flat: Context, over: Value, made: Gather) -> Value:
    """The items of a comprehension as a list, or the stream of them. The stream is over
    the generator itself where its items change something, or depend on a value that the
    comprehension changes.
    """
    if not once.waits(over):
        return _beside(flat, over, made)
    saved, before = flat.snapshot(), once.state(flat, over, made.span)
    with flat.module.shared.apart() as report:
        items = once.opened(over)
        is_calm = not isinstance(items, Stream) and not saved.is_changed()
        found = gathers.gather(flat, items, made) if is_calm else items
    is_calm = is_calm and not isinstance(found, Stream)
    if is_calm and before == once.state(flat, over, made.span):
        flat.module.report.extend(report.sorted())
        return found
    flat.restore(saved)
    source = iterators.source(flat, over, made.span)
    assert source is not None
    return Stream(made, source, flat.frame)


def _beside(flat: Context, over: Value, made: Gather) -> Value:
    """The items over an iterator of generators, such as `zip`; refused where the
    comprehension changes a value that the items depend on.
    """
    items = once.opened(over)
    if not once.holds_generators(over):
        return gathers.gather(flat, items, made)
    before = once.state(flat, over, made.span)
    found = gathers.gather(flat, items, made)
    if isinstance(found, Stream):
        return replace(found, over=over)  # a loop over it checks this at its end
    return once.unless_changed(flat, over, before, found, made.span)


def tried(flat: Context, make: Callable[[], Value]) -> Value | None:
    """The value that `make` gives, which reads all items of a generator; None, and all
    is taken back, where they change something that was there.
    """
    saved = flat.snapshot()
    with flat.module.shared.apart() as report:
        value = make()
    if saved.is_changed():
        flat.restore(saved)
        return None
    flat.module.report.extend(report.sorted())
    return value


def mapped(
    flat: Context, values: Sequence[Value], make: Callable[[], Value], span: Span
) -> Value:
    """The items that `map` gives for some values, of which some may be generators."""
    if not any(map(once.waits, values)):
        return make()
    value = tried(flat, make)
    # a loop over a generator beside other items finds out its changes
    if value is None or (len(values) > 2 and isinstance(value, Stream)):
        return generators.stream(flat, iterators.mapped(flat, values, span), span)
    return value


def at_once(
    flat: Context, name: str, make: Callable[[], Value], over: Once, span: Span
) -> Value:
    """The value that a function of Python makes of all items of a generator; refused
    where an item changes something.
    """
    value = tried(flat, make)
    if value is not None:
        return value
    shown = name.removeprefix("builtins.")
    message = f"{shown!r} of {over.said} that changes something is not supported"
    help_ = "make a list of its items before: `list(...)`"
    return flat.refuse("AD107", message, span, help_)
