"""Values that loops go over."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ad_transform.ir.nodes import node
from ad_transform.read.values.storage import Cell
from ad_transform.read.values.values import Draft, Entity, Number, Value

if TYPE_CHECKING:
    from ad_transform.read.code import Gather
    from ad_transform.read.values.callables import Closure
    from ad_transform.read.values.frames import Frame


@node
class Series(Entity):
    """What a loop goes over: `length` items, of which `item` makes the one at a place.

    An item is made in its trip, so it sees what the trips before have written. `cells`
    are lists that may not grow meanwhile: the length is that before the loop. What is
    `steady` may not change either, nor may whole arrays: an item may be made of what
    they held before the loop.
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
    """Items without an end: a loop over others beside them reads as many of them.

    `source` is the generator that gives them.
    """

    item: Callable[[Number], Value]
    source: Yields


@node
class Stream(Entity):
    """A comprehension of which it is not known how many items it has.

    `over` is what its first clause runs over, `frame` the function around.
    """

    made: Gather
    over: Value
    frame: Frame


@node
class Yields(Entity):
    """What a generator function gives: its code, and its parameters."""

    closure: Closure
    names: dict[str, Value]


@node
class Once(Entity):
    """What gives its items to the first who reads them: `zip(x, y)`, a generator.

    `read` makes a sequence of them, and `held` is what they are made of. `loops` were
    running where it was made.
    """

    said: str
    held: tuple[Value, ...]
    read: Callable[[], Value]
    loops: int
