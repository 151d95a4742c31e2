"""Return types of functions that call themselves, guessed and tried one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import pairwise, product

from ad_transform.ir.nodes import Container
from ad_transform.ir.types import Type
from ad_transform.read.code import (
    Attempt,
    Body,
    Code,
    Each,
    Fork,
    Leave,
    Load,
    Pack,
    Push,
    Repeat,
)
from ad_transform.read.compiling.exits import ways_of
from ad_transform.read.kept import changing
from ad_transform.read.kept.given_shapes import Held, Same, Shape
from ad_transform.read.values.values import Special

_WIDE = 3
"""Results of which each may be something else, numbers and arrays mixed."""


def guesses(code: Code, leaf: Type, given: Mapping[str, Shape]) -> Iterator[Shape]:
    """The shapes that a function may return: a number, an array like one that it is
    given, or one that it is given and changes; or as many of them as stand behind a
    `return`.
    """
    ends = list(_ends(code))
    names = {end.name for end in ends if isinstance(end, Load) and not end.up}
    own = {name: shape for name, shape in given.items() if _is_array(shape)}
    if all(end == Push(Special.NONE) for end in ends):
        yield Special.NONE
        return
    if len(names) == 1 and names <= set(own) and _are_names(ends):
        yield from (own[name] for name in names)
        yield from _same(given, names)
        return
    lists = [Held(Container.LIST, a.type, a.span) for a in own.values() if _is_list(a)]
    tuples = list(_tuples(ends))
    same = _same(given, set(given) if tuples else names)
    bases = list(dict.fromkeys((leaf, *own.values(), *lists, *same)))
    for base in bases:
        yield base
        for container, width in tuples:
            yield (container, *(base,) * width)
    for container, width in tuples:
        mixed = product(bases, repeat=width) if width <= _WIDE else ()
        yield from ((container, *items) for items in mixed if len(set(items)) > 1)


def _same(given: Mapping[str, Shape], names: Set[str]) -> Iterator[Same]:
    """The arrays that are given by some names, as they are returned when changed."""
    place = 0
    for name, shape in given.items():
        count = len(list(changing.types_given((shape,))))
        if name in names:
            yield from map(Same, range(place, place + count))
        place += count


def _are_names(ends: Iterable[object]) -> bool:
    return all(isinstance(end, Load) for end in ends)


def _is_list(shape: Shape) -> bool:
    return type(shape) is Held


def _is_array(shape: Shape) -> bool:
    is_whole = isinstance(shape, Type) and bool(shape.shape)
    return is_whole or isinstance(shape, Held)


def _tuples(ends: Iterable[object]) -> Iterator[tuple[Container, int]]:
    """The tuples and lists that stand behind a `return`, of each length one."""
    seen: set[int] = set()
    for end in ends:
        if isinstance(end, Pack):
            width = len(end.starred)
            if width not in seen:
                seen.add(width)
                yield end.container, width


def _ends(code: Code) -> Iterator[object]:
    """The instructions that make the values behind a `return`."""
    bodies: list[Body] = [code.body]
    while bodies:
        body = bodies.pop()
        yield from (one for one, after in pairwise(body) if isinstance(after, Leave))
        for one in body:
            match one:
                case Fork() | Attempt():
                    bodies += ways_of(one)
                case Each(body=inner, orelse=orelse):
                    bodies += (inner, orelse)
                case Repeat(body=inner, orelse=orelse):
                    bodies += (inner, orelse)
