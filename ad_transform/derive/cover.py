"""Few products and quotients that make given monomials out of given ones.

Greedy: what one operation makes is made at once, for less it cannot be had. Else that
value is added that most of the rest is one operation away from. This is the extraction
of common cubes of logic synthesis (Brayton & McMullen 1982) with division and signs,
beginning with cubes that cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from operator import itemgetter

from ad_transform.derive.monomials import Monomial, over, raised, whole


@dataclass(frozen=True, slots=True)
class Definition:
    """`made` is op(*args); a monomial without atoms stands for its constant."""

    made: Monomial
    op: str
    args: tuple[Monomial, ...]


LOOKED = 24
"""Of so many values that help most it is found out what they cost."""


def cover(given: Iterable[Monomial], wanted: Iterable[Monomial]) -> list[Definition]:
    """Definitions of all wanted monomials, operands first; some may be of no use.

    Cubic in the number of monomials that share atoms.
    """
    state = _Cover(given)
    for monomial in wanted:
        state.want(monomial)
    while state.open:
        if state.ready:
            state.make(*state.ready.popitem())
        else:
            state.approach()
    return state.definitions


class _Cover:
    """What there is, what is wanted, and which values would help.

    Monomials are filed under their last atom: that is the one that fewest others have.
    """

    def __init__(self, given: Iterable[Monomial]) -> None:
        self.given: dict[Monomial, int] = {}
        self.filed: dict[int, list[Monomial]] = {}
        self.open: dict[Monomial, int] = {}
        self.using: dict[int, dict[Monomial, None]] = {}
        self.ready: dict[Monomial, Definition] = {}
        self.definitions: list[Definition] = []
        self.helped: dict[Monomial, dict[Monomial, Definition]] = {}
        self.heap: list[tuple[int, int, int, Monomial]] = []
        self.serial = 0
        for m in given:
            self._give(m)

    def _give(self, m: Monomial) -> None:
        self.given[m] = m.mask
        self.filed.setdefault(m.powers[-1][0], []).append(m)

    def has(self, m: Monomial) -> bool:
        """Whether it is there; constants always are."""
        return not m.powers or m in self.given

    def want(self, d: Monomial) -> None:
        """Open a monomial, unless it is there or open already."""
        if self.has(d) or d in self.open:
            return
        self.open[d] = d.mask
        for atom, _ in d.powers:
            self.using.setdefault(atom, {})[d] = None
        for missing, definition in self._ways(d):
            self._note(d, missing, definition)

    def _ways(self, d: Monomial) -> Iterator[tuple[Monomial, Definition]]:
        """What is missing to make d with one operation, and how that is done."""
        yield from _from_constants(d)
        mask = d.mask
        for atom, _ in d.powers:
            for a in self.filed.get(atom, ()):
                if not self.given[a] & ~mask:
                    yield from _from_value(d, a)

    def _note(self, d: Monomial, missing: Monomial, definition: Definition) -> None:
        if self.has(missing):
            self.ready.setdefault(d, definition)
            return
        helped = self.helped.setdefault(missing, {})
        helped[d] = definition
        self._push(missing, len(helped))

    def _push(self, missing: Monomial, count: int) -> None:
        self.serial += 1
        entry = -count, missing.operations, self.serial, missing
        heappush(self.heap, entry)

    def make(self, d: Monomial, definition: Definition) -> None:
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
        for e in self.using.get(d.powers[-1][0], ()):
            if not own & ~self.open[e]:
                for missing, how in _from_value(e, d):
                    self._note(e, missing, how)

    def approach(self) -> None:
        """Make, or at least want, the value that helps most."""
        looked: list[tuple[int, int, Monomial, Definition | None]] = []
        while self.heap and len(looked) < LOOKED:
            count, _, _, missing = heappop(self.heap)
            left = sum(d in self.open for d in self.helped.get(missing, ()))
            if not left or missing in self.open:
                continue
            if left < -count:
                self._push(missing, left)
                continue
            how = next((h for m, h in self._ways(missing) if self.has(m)), None)
            cost = 1 if how else missing.operations
            looked.append((left - cost, -missing.operations, missing, how))
        *_, missing, how = max(looked, key=itemgetter(0, 1))  # ties: the first
        for entry in looked:
            if entry[2] is not missing:
                self._push(entry[2], entry[0] + (1 if entry[3] else -entry[1]))
        if how:
            self.make(missing, how)
        else:
            self.want(missing)


def _from_constants(d: Monomial) -> Iterator[tuple[Monomial, Definition]]:
    """What is missing to make d with a constant or a sign, and how."""
    negative = Monomial(-d.constant, d.powers)
    yield negative, Definition(d, "neg", (negative,))
    for sign in (1.0, -1.0):
        constant = Monomial(sign * d.constant, ())
        rest = Monomial(sign, d.powers)
        if abs(d.constant) != 1.0:
            yield rest, Definition(d, "mul", (constant, rest))
        if all(exponent < 0 for _, exponent in d.powers):
            below = Monomial(sign, tuple((a, -e) for a, e in d.powers))
            yield below, Definition(d, "div", (constant, below))


def _from_value(d: Monomial, a: Monomial) -> Iterator[tuple[Monomial, Definition]]:
    """What is missing to make d with a value a that has no other atoms, and how."""
    rest = whole(d, a)
    if rest is not None:
        yield rest, Definition(d, "mul", (a, rest))
    above = raised(d, a)
    if above is not None:
        yield above, Definition(d, "div", (above, a))
    below = _below(d, a)
    if below is not None:
        yield below, Definition(d, "div", (a, below))


def _below(d: Monomial, a: Monomial) -> Monomial | None:
    """What a is to be divided by to give d, if that has no divisors itself."""
    mine = dict(a.powers)
    for atom, exponent in d.powers:
        own = mine.get(atom, 0)
        if own != exponent if exponent > 0 else not exponent <= own <= 0:
            return None
    if any(exponent > 0 and atom not in dict(d.powers) for atom, exponent in a.powers):
        return None
    found = over(a, d)
    return found if found.powers and abs(found.constant) == 1.0 else None
