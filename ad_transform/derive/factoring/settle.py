"""Products made as they were made before, where that costs nothing.

The search for few operations starts from nothing, so that a small change of what is
wanted may change every product. Here the definitions that the code had are the start,
and those of the search are taken where they save operations. Where that ends with more
operations than the search found, its definitions are the start, and go back step by
step to what the code had.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ad_transform.derive.factoring.cubes import Cube, Definition

LARGEST = 200
"""Products up to which steps are tried; the work is quadratic in their number."""

_PASSES = 4
"""How often all steps are tried at most."""

Definitions = Mapping[Cube, Definition]


def settled(
    definitions: Sequence[Definition],
    wanted: Iterable[Cube],
    given: Mapping[Cube, object],
    before: Definitions,
) -> Sequence[Definition]:
    """Definitions of all that is wanted, operands first, near to those of `before`.

    They are no more than the ones that are given. Quadratic, but for more than LARGEST
    products: these stay as they are.
    """
    if len(definitions) > LARGEST or len(before) > LARGEST:
        return definitions
    found = {d.made: d for d in definitions}
    goal = _Goal(wanted, given, before)
    least = goal.order(found)
    assert least is not None, "a search makes no circle"
    start = goal.climbed({**found, **before}, found)
    if start is not None and len(start) <= len(least):
        return start
    return goal.climbed(found, dict(before)) or definitions


class _Goal:
    """What is wanted of what is given, and what definitions for that are worth."""

    def __init__(
        self,
        wanted: Iterable[Cube],
        given: Mapping[Cube, object],
        before: Definitions,
    ) -> None:
        self._wanted = list(dict.fromkeys(wanted))
        self._given = given
        self._before = before

    def climbed(
        self, made: Definitions, others: Definitions
    ) -> list[Definition] | None:
        """The definitions after all steps to `others` that gain, operands first."""
        order = self.order(made)
        if order is None:
            return None
        rank = self._rank(made, order)
        for _ in range(_PASSES):
            moved = False
            for step in list(_steps(order, others)):
                if all(made.get(d.made) == d for d in step):
                    continue
                tried = self._after(made, step, others)
                new = self.order(tried)
                if new is None or len(new) > len(order):
                    continue
                gained = self._rank(tried, new)
                if gained < rank:
                    made, order, rank, moved = tried, new, gained, True
            if not moved:
                break
        return [made[cube] for cube in order]

    def _after(
        self, made: Definitions, step: Iterable[Definition], others: Definitions
    ) -> Definitions:
        """The definitions with those of a step, and with what they need."""
        tried = dict(made)
        stack = list(step)
        while stack:
            definition = stack.pop()
            tried[definition.made] = definition
            stack += [
                others[a]
                for a in definition.args
                if a not in tried and a in others and not self._is_there(a)
            ]
        return tried

    def _rank(self, made: Definitions, order: Sequence[Cube]) -> tuple[int, int]:
        """Operations, then products that are not made as before."""
        return len(order), sum(made[c] != self._before.get(c) for c in order)

    def _is_there(self, cube: Cube) -> bool:
        return not cube.powers or cube in self._given

    def order(self, made: Definitions) -> list[Cube] | None:
        """What is made, operands first; None where something is made of itself or of
        what nothing makes.
        """
        given = self._given
        order: list[Cube] = []
        done: dict[Cube, bool] = {}
        stack = [c for c in reversed(self._wanted) if not self._is_there(c)]
        while stack:
            cube = stack[-1]
            if cube in done:
                stack.pop()
                if not done[cube]:
                    done[cube] = True
                    order.append(cube)
                continue
            if cube not in made:
                return None
            done[cube] = False
            for arg in reversed(made[cube].args):
                if not arg.powers or arg in given:
                    continue
                if done.get(arg) is False:
                    return None
                if arg not in done:
                    stack.append(arg)
        return order


def _steps(order: Sequence[Cube], others: Definitions) -> Iterator[list[Definition]]:
    """Definitions to be taken at once: one alone, then all that share an operand."""
    users: dict[Cube, list[Definition]] = {}
    for definition in others.values():
        for arg in dict.fromkeys(definition.args):
            users.setdefault(arg, []).append(definition)
    for cube in reversed(order):
        if cube in others:
            yield [others[cube]]
    for sharing in users.values():
        if len(sharing) > 1:
            yield sharing
