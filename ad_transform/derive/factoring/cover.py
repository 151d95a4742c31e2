"""Few products and quotients that make given monomials out of given ones.

Greedy: a wanted product that one operation makes is made at once, for less it cannot be
had. If there is none, the value is added that brings most of the others within one
operation. This is the extraction
of common cubes of logic synthesis (Brayton & McMullen 1982) with division and signs,
beginning with cubes that cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from operator import attrgetter

from ad_transform.dataclass import dataclass
from ad_transform.derive.factoring.cubes import (
    Cube,
    Definition,
    bits,
    signed_bits,
    trace,
)
from ad_transform.derive.factoring.ways import Found, Ways, from_constants, may_make

LOOKED = 24
"""Candidates that are priced for one choice: those that help most wanted values."""

ROOM = 12_000
"""Budget of the search, in pairs (wanted value, part of it) that are tried."""

OUTLOOK = 6_000
"""Estimated number of these pairs above which the search is not begun."""

ROOM_OF_EACH, OUTLOOK_OF_EACH = 40, 10
"""The same for each monomial of those that are `alike`: code that is made of copies, as
the steps of a method are, takes three to forty a monomial, however long it is.
"""


def cover(
    given: Sequence[Cube], wanted: Sequence[Cube], ways: Ways, alike: bool = False
) -> list[Definition] | None:
    """Definitions of all wanted monomials, operands first; some may be of no use.

    `ways` say how values make others: `quotients` or `reciprocals`. The work is cubic
    in the number of monomials that share atoms: None where it would be above ROOM, or
    of those that are `alike` above ROOM_OF_EACH.
    """
    each = len(given) + len(wanted) if alike else 0
    room = max(ROOM, each * ROOM_OF_EACH)
    state = _Cover(given, ways)
    if state.outlook(wanted) > max(OUTLOOK, each * OUTLOOK_OF_EACH):
        return None
    for monomial in wanted:
        state.want(monomial)
    while state.open:
        if state.spent > room:
            return None
        if state.ready:
            state.make(state.ready.popitem()[1])
        else:
            state.approach()
    return state.definitions


class _Cover:
    """A search for definitions, by given monomials, wanted ones, and helpers.

    `open` are wanted monomials that nothing makes yet. A monomial that is not there
    helps those that it would make by one operation: with x and y given, `x * y` helps
    `x * y * z`. Monomials are filed under their last atom, the one that fewest share,
    so that few are tried for each.
    """

    def __init__(self, given: Iterable[Cube], ways: Ways) -> None:
        self.spent = 0
        self._makes = ways
        self.given: set[Cube] = set()
        self.traces = {0}  # of given monomials; constants always are
        self.filed: dict[int, list[_Given]] = {}
        self.open: dict[Cube, _Open] = {}
        self.using: dict[int, dict[_Open, None]] = {}
        self.ready: dict[_Open, Definition] = {}
        self.definitions: list[Definition] = []
        self.helpers: dict[Cube, _Helper] = {}
        self.heap: list[tuple[int, int, int, _Helper]] = []
        self.serial = 0
        self.asked: dict[Cube, _Asked] = {}
        for m in given:
            self._give(m)

    def _give(self, m: Cube) -> _Given:
        given = m, bits(m), signed_bits(m), trace(m)
        self.given.add(m)
        self.traces.add(given[3])
        self.filed.setdefault(m.powers[-1][0], []).append(given)
        return given

    def outlook(self, wanted: Iterable[Cube]) -> int:
        """The rough number of pairs of a wanted value and a part of it."""
        users: dict[int, int] = {}
        parts = {atom: len(filed) for atom, filed in self.filed.items()}
        for d in wanted:
            for atom, _ in d.powers:
                users[atom] = users.get(atom, 0) + 1
            parts[atom] = parts.get(atom, 0) + 1  # filed under the last one
        return sum(count * parts.get(atom, 0) for atom, count in users.items())

    def _try(self, wanted: _Open, given: _Given) -> None:
        """Note the ways to make a value by one operation on a given one that has no
        other atoms; the work is counted.
        """
        a, _, signed, _ = given
        self.spent += 1
        if may_make(wanted.signed, signed):
            for missing, definition in self._makes(wanted.monomial, a):
                self._note(wanted, missing, definition)

    def has(self, m: Cube) -> bool:
        """Whether a monomial is given or made; constants always are."""
        return not m.powers or m in self.given

    def want(self, d: Cube) -> None:
        """Open a monomial, unless it is made or open already."""
        if self.has(d) or d in self.open:
            return
        wanted = self.open[d] = _Open(d, bits(d), signed_bits(d))
        for missing, definition in from_constants(d):
            self._note(wanted, missing, definition)
        beside = ~wanted.mask
        for atom, _ in d.powers:
            self.using.setdefault(atom, {})[wanted] = None
            for given in self.filed.get(atom, ()):
                if not given[1] & beside:
                    self._try(wanted, given)

    def _note(self, wanted: _Open, missing: Cube, definition: Definition) -> None:
        if not missing.powers or missing in self.given:  # as in `has`
            self.ready.setdefault(wanted, definition)
            return
        helper = self.helpers.get(missing)
        if helper is None:
            helper = self.helpers[missing] = _Helper(missing, missing.operations, {})
        helped = helper.helped
        helped[wanted] = definition
        self.serial += 1  # as `_push`, which takes time
        heappush(self.heap, (-len(helped), helper.operations, self.serial, helper))

    def _push(self, helper: _Helper, count: int) -> None:
        self.serial += 1
        heappush(self.heap, (-count, helper.operations, self.serial, helper))

    def make(self, definition: Definition) -> None:
        """Make a monomial; it may help others."""
        d = definition.made
        self.definitions.append(definition)
        given = self._give(d)
        wanted = self.open.pop(d, None)
        if wanted is not None:
            wanted.stands = False
            self.ready.pop(wanted, None)
            for atom, _ in d.powers:
                del self.using[atom][wanted]
        helper = self.helpers.pop(d, None)
        if helper is not None:
            for e, how in helper.helped.items():
                if e.stands:
                    self.ready.setdefault(e, how)
            helper.helped.clear()
        for e in self.using.get(d.powers[-1][0], ()):
            if not given[1] & ~e.mask:
                self._try(e, given)

    def approach(self) -> None:
        """Make the value that helps most, or at least want it."""
        looked: list[tuple[int, _Helper]] = []
        best: tuple[int, int] | None = None
        chosen, method = None, None
        while self.heap and len(looked) < LOOKED:
            count, operations, _, helper = heappop(self.heap)
            self.spent += len(helper.helped)
            left = sum(map(_STANDS, helper.helped))
            if not left or helper.missing in self.open:
                continue
            if left < -count:
                self._push(helper, left)
                continue
            looked.append((left, helper))
            how = self._at_once(helper.missing)
            gain = left - (1 if how else operations), -operations
            if best is None or gain > best:
                best, chosen, method = gain, helper, how
            if best[0] >= left - 1:
                break
        for left, helper in looked:
            if helper is not chosen:
                self._push(helper, left)
        assert chosen is not None
        if method:
            self.make(method)
        else:
            self.want(chosen.missing)

    def _at_once(self, d: Cube) -> Definition | None:
        """The operation that makes d of given values; None if there is none.

        Asked again, only values given since are tried as a first operand. That is
        enough: an operation on an old and a new value is found from the new one.
        """
        asked = self.asked.get(d)
        if asked is None:
            asked = self.asked[d] = self._question(d)
        own, traces = asked.trace, self.traces
        if own in traces or -own in traces:
            for missing, how in asked.constants:
                if self.has(missing):
                    return how
        beside, signed = ~asked.mask, asked.signed
        for k, (place, start) in enumerate(
            zip(asked.places, asked.looked, strict=True)
        ):
            if start == len(place):
                continue
            for a, mask, its_signed, other in place[start:]:
                if mask & beside:
                    continue
                self.spent += 1
                if traces.isdisjoint((own - other, other - own, own + other)):
                    continue
                if may_make(signed, its_signed):
                    for missing, how in self._makes(d, a):
                        if self.has(missing):
                            return how
            asked.looked[k] = len(place)
        return None

    def _question(self, d: Cube) -> _Asked:
        places = [self.filed.setdefault(atom, []) for atom, _ in d.powers]
        own = bits(d), signed_bits(d), trace(d)
        return _Asked(from_constants(d), *own, places, [0] * len(places))


_Given = tuple[Cube, int, int, int]
"""A value that is there, the bits of its atoms, the signed ones, and its trace."""


@dataclass(slots=True, eq=False)
class _Open:
    """A wanted monomial, the bits of its atoms, the signed ones, and whether it is
    still to be made.
    """

    monomial: Cube
    mask: int
    signed: int
    stands: bool = True


_STANDS = attrgetter("stands")


@dataclass(frozen=True, slots=True, eq=False)
class _Helper:
    """A missing value, its operations, and the ways in which it would make others."""

    missing: Cube
    operations: int
    helped: dict[_Open, Definition]


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """The knowledge from earlier questions for ways to make a value: the ways by
    constants, the bits of its atoms, the signed ones, its trace, the values filed under
    each atom, and the number of those that were tried.
    """

    constants: Found
    mask: int
    signed: int
    trace: int
    places: list[list[_Given]]
    looked: list[int]
