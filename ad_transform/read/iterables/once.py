"""Iterators, which give their items once: `zip`, `enumerate`, `reversed`, `map`,
generators.

A read of a name of one takes the items away from all names: `a = it` hands them on, and
`it` is read no more. Nothing but names holds one, so that nobody reads it unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeGuard

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container
from ad_transform.later import later
from ad_transform.read.machine.context import Context
from ad_transform.read.values.callables import Closure, Partial
from ad_transform.read.values.classes import Class, Style
from ad_transform.read.values.frames import Frame, Promise, Refusal, known_of
from ad_transform.read.values.series import (
    Endless,
    Once,
    Series,
    Stream,
    Yields,
    is_comprehension,
)
from ad_transform.read.values.storage import Array, Deque, Distinct
from ad_transform.read.values.structured import Group, View
from ad_transform.read.values.values import Special, Value

with later():
    from ad_transform.read.arrays import rebinding
    from ad_transform.read.kept.catching import read_outside
    from ad_transform.read.lists import listing
    from ad_transform.read.objects import enumerations
    from ad_transform.read.values.described import describe

FUNCTIONS = frozenset(
    [
        "ad_transform.read.in_python.lists.items",
        "builtins.enumerate",
        "builtins.reversed",
        "builtins.zip",
        "itertools.accumulate",
        "itertools.chain",
        "itertools.combinations",
        "itertools.combinations_with_replacement",
        "itertools.islice",
        "itertools.pairwise",
        "itertools.permutations",
        "itertools.product",
        "itertools.zip_longest",
    ]
)
"""The functions that give one; `map` calls another function where it is read."""

MAP = "builtins.map"

_AS_LIST = "make a list of it at once: `list(...)`"


def given(flat: Context, name: str, values: Sequence[Value], made: Value) -> Value:
    """The result of one of these functions for some values: an iterator over the
    sequence that it has made. Other functions give the sequence.
    """
    if name not in FUNCTIONS or made is Special.REFUSED:
        return made
    said = f"{name.rpartition('.')[2]!r}"
    held = (*values, made)
    return Once(f"what {said} gives", held, lambda: made, len(flat.heap.running))


def is_made(value: Once) -> bool:
    """Whether the items are there by now, as the last of the values held."""
    return value.said in _MADE


def waits(value: Value) -> TypeGuard[Once]:
    """Whether a value makes its items where they are read."""
    return isinstance(value, Once) and not is_made(value)


def holds_generators(value: Value) -> bool:
    """Whether an iterator, or one that it holds, makes items where they are read."""
    if not isinstance(value, Once):
        return False
    return waits(value) or any(map(holds_generators, value.held))


def of(value: Once, held: tuple[Value, ...]) -> Once:
    """The same iterator of other values, the last of which are its items."""
    return replace(value, held=held, read=lambda: held[-1])


def again(value: Once, items: Value) -> Once:
    """The same iterator with its items made."""
    return replace(value, read=lambda: items)


_MADE = frozenset(f"what {name.rpartition('.')[2]!r} gives" for name in FUNCTIONS)


def generator(flat: Context, stream: Stream, made: Callable[[], Value]) -> Value:
    """A generator."""
    return _later(flat, _EXPRESSION, (stream,), made)


def is_expression(value: Once) -> bool:
    """Whether it is a generator, which holds nothing but its stream."""
    return value.said == _EXPRESSION


def is_mapped(value: Once) -> bool:
    """Whether it is an iterator that `map` gives, which holds its arguments."""
    return value.said == _MAPPED


_EXPRESSION, _MAPPED = "a generator", "what 'map' gives"


def without_end(flat: Context, name: str, value: Endless) -> Value:
    """The iterator that a function gives for items without an end."""
    return Once(f"what {name!r} gives", (value,), lambda: value, len(flat.heap.running))


def mapped(flat: Context, values: Sequence[Value], made: Callable[[], Value]) -> Value:
    """The iterator that `map` gives for some values."""
    return _later(flat, _MAPPED, tuple(values), made)


def _later(
    flat: Context, said: str, held: tuple[Value, ...], made: Callable[[], Value]
) -> Value:
    """An iterator that makes its items where they are read, in the function where it
    stands.
    """
    frame = flat.frame

    def read() -> Value:
        outer, flat.frame = flat.frame, frame
        value = made()
        flat.frame = outer
        return value

    return Once(said, held, read, len(flat.heap.running))


def opened(value: Value) -> Value:
    """An iterator as a sequence of its items, a deque as its list, an Enum as its
    members; any other value as it is.
    """
    if isinstance(value, Class) and value.style is Style.CASES:
        return Group(Container.TUPLE, enumerations.members(value))
    if isinstance(value, Deque) and not isinstance(value, Distinct):
        return value.inner
    return value.read() if isinstance(value, Once) else value


def taken(flat: Context, frame: Frame, name: str, value: Once, span: Span) -> Value:
    """The iterator that a name of a frame stands for; no name gives it again."""
    if value.loops < len(flat.heap.running):
        message = f"{name!r} gives its items once, and each trip of a loop reads them"
        return flat.refuse("AD107", message, span, _AS_LIST)
    use_up(flat, frame, value)
    return value


def use_up(flat: Context, frame: Frame, value: Once) -> None:
    """Let no name of a frame give the items again."""
    for name, held in list(frame.names.items()):
        if known_of(held) is value:
            make = partial(_gone, flat, name)
            frame.bind(name, Gone(make, (Special.REFUSED,), None, value))


class Gone(Refusal):
    """A refusal in the place of an iterator whose items somebody has read."""

    __slots__ = ("of",)

    def __init__(
        self,
        make: Callable[[Span], Value],
        parts: tuple[Value, ...],
        made: Value | None,
        of: Once,
    ) -> None:
        super().__init__(make, parts, made)
        self.of = of


def has_names(frame: Frame, value: Once) -> bool:
    """Whether names of a frame have stood for an iterator whose items are read."""
    held = frame.names.values()
    return any(isinstance(one, Gone) and one.of is value for one in held)


def give_back(frame: Frame, value: Once, rest: Value) -> None:
    """Let the names that have stood for an iterator give the items that are left."""
    for name, held in list(frame.names.items()):
        if isinstance(held, Gone) and held.of is value:
            frame.bind(name, rest)


def _gone(flat: Context, name: str, span: Span) -> Value:
    message = f"{name!r} gives its items once, and is read again"
    return flat.refuse("AD107", message, span, _AS_LIST)


def passed(value: Value) -> Value:
    """The rest of a sequence behind the item that a loop has read."""
    if isinstance(value, View):
        return replace(value, keys=value.keys[1:])
    if isinstance(value, Once) and value.said in _IN_STEP:
        return replace(value, held=tuple(map(passed, value.held)))
    return value


_IN_STEP = ("what 'enumerate' gives", "what 'zip' gives")


def kept(flat: Context, value: Value, span: Span) -> Value:
    """A value for a holder that is no name: a comprehension is a list from then on, and
    not one anew at each use.
    """
    if not isinstance(value, Once):
        return listing.listed(flat, value, span)
    message = f"{describe(value)} is not put into something else"
    return flat.refuse("AD107", message, span, _AS_LIST)


def state(flat: Context, value: Value, span: Span) -> list[object]:
    """The values that the items of a generator are made of, as they are by now: where a
    loop changes them, later items are others.
    """
    found_parts = list(parts(value))
    mine = rebinding.bases(flat, found_parts)
    found: list[object] = [sum(bool(mine & c.bases) for c in flat.changes)]
    for part in found_parts:
        one = known_of(part)
        if isinstance(one, Array | Series):
            cells = (one.cell,) if isinstance(one, Array) else one.cells
            found += (flat.heap.read(cell, span) for cell in cells)
        else:
            found.append(part)
    return found


def unless_changed(
    flat: Context, over: Value, before: list[object], found: Value, span: Span
) -> Value:
    """A value made of the items of a generator, refused where making it changes the
    values `before` that the items depend on.
    """
    if before == state(flat, over, span):
        return found
    message = "a loop over a generator changes what its items are made of"
    help_ = "compute the items in the loop, or make a list of them before it"
    return flat.refuse("AD107", message, span, help_)


def parts(value: Value) -> Iterator[Value | Promise | None]:
    """The values that the code of the items reads, and the sequence that a generator
    goes over.
    """
    stack: list[Value | Promise | None] = [value]
    followed: list[Closure] = []
    while stack:
        one = stack.pop()
        named: list[Value | Promise | None] = []
        if isinstance(one, Once):
            stack += one.held
        elif isinstance(one, Stream) and is_comprehension(one):
            continue  # a list, which is made by then
        elif isinstance(one, Stream):
            stack.append(one.over)
            named = _named((one.made.clauses, one.made.element), one.frame)
            yield one.over
        elif isinstance(one, Yields):
            named = [*one.names.values()]
            stack.append(one.closure)
        elif isinstance(one, Partial):
            stack.append(one.function)
        elif isinstance(one, Closure) and not any(one is f for f in followed):
            followed.append(one)
            named = _named(one.code.body, one.around) if one.around else []
        yield from named
        stack += named  # functions among them read values in their turn


def _named(code: object, frame: Frame) -> list[Value | Promise | None]:
    """The values of the names that code reads from a function around it."""
    found: list[Value | Promise | None] = []
    for name, levels in read_outside(code):
        own: Frame | None = frame
        for _ in range(levels - 1):
            own = own.around if own else None
        if own is not None:
            found.append(own.names.get(name))
    return found
