"""Few products and quotients that make given monomials out of given ones.

Greedy: what one operation makes is made at once, for less it cannot be had. Else that
value is added that most of the rest is one operation away from. This is the extraction
of common cubes of logic synthesis (Brayton & McMullen 1982) with division and signs,
beginning with cubes that cost nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from ad_transform.derive.factoring.cubes import (
    Cube,
    Definition,
    bits,
    multiplies,
    over,
    raised,
    whole,
)
from ad_transform.ir.monomial import Monomial

Found = Sequence[tuple[Cube, Definition]]
"""Ways to make a value d by one operation: the operand that is missing, and the
definition of d with it. With a given `x`, `x * y` needs `y`: `(y, mul(x, y))`."""

Ways = Callable[[Cube, Cube], Found]

LOOKED = 24
"""Candidates that are priced for one choice: those that help most wanted values."""

ROOM = 12_000
"""Budget of the search, in pairs (wanted value, part of it) that are tried."""

OUTLOOK = 6_000
"""Estimated number of these pairs above which the search is not begun."""


def cover(
    given: Iterable[Cube], wanted: Iterable[Cube], ways: Ways
) -> list[Definition] | None:
    """Definitions of all wanted monomials, operands first; some may be of no use.

    `ways` say how values make others: `quotients` or `reciprocals`. The work is cubic
    in the number of monomials that share atoms: None where it would be above ROOM.
    """
    state, wanted = _Cover(given, ways), list(wanted)
    if state.outlook(wanted) > OUTLOOK:
        return None
    for monomial in wanted:
        state.want(monomial)
    while state.open:
        if state.spent > ROOM:
            return None
        if state.ready:
            state.make(*state.ready.popitem())
        else:
            state.approach()
    return state.definitions


class _Cover:
    """A search for definitions: what is given, what is wanted, what would help.

    `open` are wanted monomials that nothing makes yet. A monomial that is not there
    helps those that it would make by one operation: with x and y given, `x * y` helps
    `x * y * z`. Monomials are filed under their last atom, the one that fewest share,
    so that few are tried for each.
    """

    def __init__(self, given: Iterable[Cube], ways: Ways) -> None:
        self.spent = 0
        self._makes = ways
        self.given: dict[Cube, int] = {}
        self.filed: dict[int, list[tuple[Cube, int]]] = {}
        self.open: dict[Cube, int] = {}
        self.using: dict[int, dict[Cube, int]] = {}
        self.ready: dict[Cube, Definition] = {}
        self.definitions: list[Definition] = []
        self.helped: dict[Cube, dict[Cube, Definition]] = {}
        self.heap: list[tuple[int, int, int, Cube]] = []
        self.serial = 0
        self.asked: dict[Cube, _Asked] = {}
        self.sizes: dict[Cube, int] = {}
        for m in given:
            self._give(m)

    def _give(self, m: Cube) -> None:
        self.given[m] = mask = bits(m)
        self.filed.setdefault(m.powers[-1][0], []).append((m, mask))

    def outlook(self, wanted: Iterable[Cube]) -> int:
        """About how many pairs there are of a wanted value and a part of it."""
        users: Counter[int] = Counter()
        parts = Counter({atom: len(filed) for atom, filed in self.filed.items()})
        for d in wanted:
            users.update(atom for atom, _ in d.powers)
            parts[d.powers[-1][0]] += 1
        return sum(count * parts[atom] for atom, count in users.items())

    def ways(self, d: Cube, a: Cube) -> Found:
        """The ways to make d by one operation on a; counted as work."""
        self.spent += 1
        return self._makes(d, a)

    def has(self, m: Cube) -> bool:
        """Whether it is there; constants always are."""
        return not m.powers or m in self.given

    def want(self, d: Cube) -> None:
        """Open a monomial, unless it is there or open already."""
        if self.has(d) or d in self.open:
            return
        self.open[d] = mask = bits(d)
        for missing, definition in _from_constants(d):
            self._note(d, missing, definition)
        beside = ~mask
        for atom, _ in d.powers:
            self.using.setdefault(atom, {})[d] = mask
            for a, own in self.filed.get(atom, ()):
                if not own & beside:
                    for missing, definition in self.ways(d, a):
                        self._note(d, missing, definition)

    def _note(self, d: Cube, missing: Cube, definition: Definition) -> None:
        if self.has(missing):
            self.ready.setdefault(d, definition)
            return
        helped = self.helped.setdefault(missing, {})
        helped[d] = definition
        self._push(missing, len(helped))

    def _push(self, missing: Cube, count: int) -> None:
        self.serial += 1
        size = self.sizes.get(missing)
        if size is None:
            size = self.sizes[missing] = missing.operations
        heappush(self.heap, (-count, size, self.serial, missing))

    def make(self, d: Cube, definition: Definition) -> None:
        """Make a monomial; it may help others."""
        self.definitions.append(definition)
        self._give(d)
        self.ready.pop(d, None)
        if self.open.pop(d, None) is not None:
            for atom, _ in d.powers:
                del self.using[atom][d]
        for e, how in self.helped.pop(d, {}).items():
            if e in self.open:
                self.ready.setdefault(e, how)
        own = self.given[d]
        for e, mask in self.using.get(d.powers[-1][0], {}).items():
            if not own & ~mask:
                for missing, how in self.ways(e, d):
                    self._note(e, missing, how)

    def approach(self) -> None:
        """Make, or at least want, the value that helps most."""
        looked: list[tuple[int, Cube]] = []
        best: tuple[int, int] | None = None
        chosen, method = None, None
        while self.heap and len(looked) < LOOKED:
            count, operations, _, missing = heappop(self.heap)
            helped = self.helped.get(missing, {})
            self.spent += len(helped)
            left = sum(d in self.open for d in helped)
            if not left or missing in self.open:
                continue
            looked.append((left, missing))
            if left < -count:
                self._push(*looked.pop()[::-1])
                continue
            how = self._at_once(missing)
            gain = left - (1 if how else operations), -operations
            if best is None or gain > best:
                best, chosen, method = gain, missing, how
            if best[0] >= left - 1:
                break
        for left, missing in looked:
            if missing is not chosen:
                self._push(missing, left)
        assert chosen is not None
        if method:
            self.make(chosen, method)
        else:
            self.want(chosen)

    def _at_once(self, d: Cube) -> Definition | None:
        """The operation that makes d of values that are given; None if none does.

        Asked again, only values given since are tried as a first operand. That is
        enough: an operation on an old and a new value is found from the new one.
        """
        asked = self.asked.get(d)
        if asked is None:
            places = [self.filed.setdefault(atom, []) for atom, _ in d.powers]
            asked = _Asked(_from_constants(d), bits(d), places, [0] * len(places))
            self.asked[d] = asked
        given = self.given
        for missing, how in asked.constants:
            if not missing.powers or missing in given:
                return how
        beside = ~asked.mask
        for k, place in enumerate(asked.places):
            for a, own in place[asked.looked[k] :]:
                if not own & beside:
                    for missing, how in self.ways(d, a):
                        if not missing.powers or missing in given:
                            return how
            asked.looked[k] = len(place)
        return None


class _Asked(NamedTuple):
    """What is known from earlier questions how to make a value: the ways by constants,
    a mask of its atoms, the values filed under each, and how many of these were tried.
    """

    constants: Found
    mask: int
    places: list[list[tuple[Cube, int]]]
    looked: list[int]


def _from_constants(d: Cube) -> Found:
    """The ways to make d by a sign or a constant: `-x` from `x`, `2 * x` from `x`."""
    negative = d.signed(-1)
    found = [(negative, Definition(d, "neg", (negative,)))]
    alone, above = abs(d.constant) == 1.0, multiplies(d)
    if alone and above:
        return found
    for sign in (1.0, -1.0):
        constant: Cube = Monomial(sign * d.constant)
        if not alone:
            rest = Monomial(sign, d.powers)
            found.append((rest, Definition(d, "mul", (constant, rest))))
        if not above:
            divisor = Monomial(sign, d.powers).power(-1)
            found.append((divisor, Definition(d, "div", (constant, divisor))))
    return found


def quotients(d: Cube, a: Cube) -> Found:
    """The ways to make d from a value a that consists of atoms of d: a product with the
    rest, or the quotient of a higher power by a.
    """
    rest = whole(d, a)
    if rest is None:
        above = raised(d, a)
        return [(above, Definition(d, "div", (above, a)))] if above else _NOTHING
    found = [(rest, Definition(d, "mul", (a, rest)))]
    if rest.powers and not multiplies(rest):
        divisor = over(a, d)
        if abs(divisor.constant) == 1.0:
            found.append((divisor, Definition(d, "div", (a, divisor))))
    return found


def reciprocals(d: Cube, a: Cube) -> Found:
    """The same where only constants are divided, for divisions are dear."""
    rest = whole(d, a)
    return _NOTHING if rest is None else [(rest, Definition(d, "mul", (a, rest)))]


_NOTHING: Found = ()
