"""Values that loops go over."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeGuard

from ad_transform.ir.nodes import node
from ad_transform.read.values.storage import Cell
from ad_transform.read.values.values import Draft, Entity, Number, Value

if TYPE_CHECKING:
    from ad_transform.read.code import Gather
    from ad_transform.read.values.callables import Closure
    from ad_transform.read.values.frames import Frame


@node
class Series(Entity):
    """The items that a loop goes over: `length` of them; `item` makes one from its
    place.

    An item is made in its trip, so it sees the writes of the trips before. `cells` are
    lists that may not grow meanwhile: the length is that before the loop. `steady`
    lists and arrays may not change either: an item may be made of their elements before
    the loop.
    """

    length: Number
    item: Callable[[Number], Value]
    cells: tuple[Cell, ...] = ()
    steady: tuple[Cell | Draft, ...] = ()


@node
class Range(Entity):
    """`range(start, stop, step)`."""

    start: Number
    stop: Number
    step: Number


@node
class Endless(Entity):
    """Items without an end; a loop over other items beside them reads as many.

    `source` is the generator that gives them.
    """

    item: Callable[[Number], Value]
    source: Yields


@node
class Stream(Entity):
    """A comprehension with an unknown number of items.

    `over` is the value that its first clause goes over, `frame` the function around.
    """

    made: Gather
    over: Value
    frame: Frame


def is_comprehension(value: Value) -> TypeGuard[Stream]:
    """Whether it is `[... for ...]`, and no generator."""
    return isinstance(value, Stream) and not value.made.lazy


@node
class Yields(Entity):
    """The items that a call of a generator function gives: its code, its parameters."""

    closure: Closure
    names: dict[str, Value]


@node
class Once(Entity):
    """An iterator, whose items go to its first reader: `zip(x, y)`, a generator.

    `read` makes a sequence of the items, and `held` are the values behind them. `loops`
    is the number of loops that ran where it was made.
    """

    said: str
    held: tuple[Value, ...]
    read: Callable[[], Value]
    loops: int
