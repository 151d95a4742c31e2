"""Products made as they were made before, where that costs nothing.

The search for few operations starts from nothing, so that a small change of the wanted
products may change all of them. Here the definitions that the code had are the start,
and those of the search are taken where they save operations. Where that ends with more
operations than the search found, its definitions are the start, and go back step by
step to what the code had.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from ad_transform.dataclass import dataclass
from ad_transform.derive.factoring.cubes import Cube, Definition

LARGEST = 200
"""Products up to which steps are tried; the work is quadratic in their number."""

_PASSES = 4
"""The greatest number of times that all steps are tried."""

Definitions = Mapping[Cube, Definition]


def settled(
    definitions: Sequence[Definition],
    wanted: Iterable[Cube],
    given: Mapping[Cube, object],
    before: Definitions,
) -> Sequence[Definition]:
    """Definitions of all wanted products, operands first, near to those of `before`.

    They are no more than the ones that are given. Quadratic, but for more than LARGEST
    products: these stay as they are.
    """
    if len(definitions) > LARGEST or len(before) > LARGEST:
        return definitions
    numbers = _Numbers(given)
    goal = _Goal(numbers, wanted, numbers.ways(before))
    found = numbers.ways({d.made: d for d in definitions})
    least = goal.order(found)
    assert least is not None, "a search makes no circle"
    start = goal.climbed({**found, **goal.before}, found)
    if start is None or len(start) > len(least):
        start = goal.climbed(found, goal.before)
    return definitions if start is None else [way.definition for way in start]


@dataclass(frozen=True, slots=True, eq=False)
class _Way:
    """A definition by the numbers of its cubes.

    `needs` are those arguments that are not there; `deed` is the same number for equal
    definitions.
    """

    made: int
    args: tuple[int, ...]
    needs: tuple[int, ...]
    deed: int
    definition: Definition


Ways = Mapping[int, _Way]


class _Numbers:
    """Numbers for cubes, which are looked up far more often than there are cubes."""

    def __init__(self, given: Mapping[Cube, object]) -> None:
        self._given = given
        self._cubes: dict[Cube, int] = {}
        self._deeds: dict[Definition, int] = {}

    def is_there(self, cube: Cube) -> bool:
        """Whether a cube is given or a constant."""
        return not cube.powers or cube in self._given

    def of(self, cube: Cube) -> int:
        """The number of a cube."""
        return self._cubes.setdefault(cube, len(self._cubes))

    def ways(self, definitions: Definitions) -> Ways:
        """Definitions by numbers, in the same order."""
        return {self.of(cube): self._way(d) for cube, d in definitions.items()}

    def _way(self, definition: Definition) -> _Way:
        args = definition.args
        needs = tuple(self.of(a) for a in args if not self.is_there(a))
        deed = self._deeds.setdefault(definition, len(self._deeds))
        made = self.of(definition.made)
        return _Way(made, tuple(map(self.of, args)), needs, deed, definition)


class _Goal:
    """The wanted cubes, and the rank of definitions that make them."""

    def __init__(self, numbers: _Numbers, wanted: Iterable[Cube], before: Ways) -> None:
        missing = (c for c in dict.fromkeys(wanted) if not numbers.is_there(c))
        self._wanted = [numbers.of(cube) for cube in missing]
        self.before = before
        self._deeds = {cube: way.deed for cube, way in before.items()}

    def climbed(self, made: Ways, others: Ways) -> list[_Way] | None:
        """The definitions after all steps to `others` that gain, operands first."""
        order = self.order(made)
        if order is None:
            return None
        rank = self._rank(made, order)
        for _ in range(_PASSES):
            moved = False
            for step in list(_steps(order, others)):
                if _is_taken(made, step):
                    continue
                tried = self._after(made, step, others)
                needed = self._needed(tried, rank[0])
                if needed is None or (better := self._rank(tried, needed)) >= rank:
                    continue
                new = self.order(tried)
                if new is not None:
                    made, order, rank, moved = tried, new, better, True
            if not moved:
                break
        return [made[cube] for cube in order]

    def _after(self, made: Ways, step: Iterable[_Way], others: Ways) -> Ways:
        """The definitions with those of a step, and with the ones that these need."""
        tried = dict(made)
        stack = list(step)
        while stack:
            way = stack.pop()
            tried[way.made] = way
            stack += [others[a] for a in way.needs if a not in tried and a in others]
        return tried

    def _rank(self, made: Ways, needed: Collection[int]) -> tuple[int, int]:
        """The number of operations, then of products that are not made as before."""
        deeds, new = self._deeds, 0
        for cube in needed:
            if deeds.get(cube) != made[cube].deed:
                new += 1
        return len(needed), new

    def _needed(self, made: Ways, most: int) -> set[int] | None:
        """The cubes that are made; None if they are more than `most`, or nothing makes
        one of them.

        Nothing is said of circles, which `order` finds at twice the cost.
        """
        new = needed = set(self._wanted)
        try:
            while new and len(needed) <= most:
                new = set().union(*[made[cube].needs for cube in new])
                new -= needed
                needed |= new
        except KeyError:
            return None
        return needed if len(needed) <= most else None

    def order(self, made: Ways) -> list[int] | None:
        """The cubes that are made, operands first; None if one is made of itself, or of
        a cube that nothing makes.
        """
        order: list[int] = []
        done: dict[int, bool] = {}
        stack = self._wanted[::-1]
        while stack:
            cube = stack[-1]
            known = done.get(cube)
            if known is not None:
                stack.pop()
                if not known:
                    done[cube] = True
                    order.append(cube)
                continue
            way = made.get(cube)
            if way is None:
                return None
            done[cube] = False
            for arg in way.needs[::-1]:
                known = done.get(arg)
                if known is None:
                    stack.append(arg)
                elif not known:
                    return None
        return order


def _is_taken(made: Ways, step: Iterable[_Way]) -> bool:
    """Whether all definitions of a step are among those that are made."""
    for way in step:
        own = made.get(way.made)
        if own is None or own.deed != way.deed:
            return False
    return True


def _steps(order: Sequence[int], others: Ways) -> Iterator[list[_Way]]:
    """Definitions that are taken together: each alone, then those of one operand."""
    users: dict[int, list[_Way]] = {}
    for way in others.values():
        for arg in dict.fromkeys(way.args):
            users.setdefault(arg, []).append(way)
    for cube in reversed(order):
        if cube in others:
            yield [others[cube]]
    for sharing in users.values():
        if len(sharing) > 1:
            yield sharing
