"""Prices: the weight of operations, as a polynomial in the trips of loops.

An operation in the body of a loop over range(n) runs n times. So the price of a
function with 5 operations outside and 7 in the loop is `5 + 7 n`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import total_ordering

from ad_transform.dataclass import dataclass

NOMINAL = 10
"""Trips that a loop is taken to make where nobody knows before it runs."""

Trips = tuple[str, ...]
"""A product of trip counts, by name in order: ("n", "n") is n squared."""


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Price:
    """A polynomial with whole coefficients; `terms` has no zero ones.

    Prices are compared by their number at `NOMINAL` trips a loop.
    """

    terms: tuple[tuple[Trips, int], ...] = ()

    @classmethod
    def flat(cls, weight: int) -> Price:
        """The price of operations that run once."""
        return cls((((), weight),) if weight else ())

    def __int__(self) -> int:
        return sum(weight * NOMINAL ** len(trips) for trips, weight in self.terms)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Price) and int(self) == int(other)

    def __hash__(self) -> int:
        return hash(int(self))

    def __lt__(self, other: Price) -> bool:
        return int(self) < int(other)

    def __add__(self, other: Price) -> Price:
        if not (self.terms and other.terms):
            return self if self.terms else other
        total: Counter[Trips] = Counter(dict(self.terms))
        total.update(dict(other.terms))
        return Price(tuple(sorted(term for term in total.items() if term[1])))

    def repeated(self, trips: str | int) -> Price:
        """The price of so many trips: a number, or the name of one."""
        if isinstance(trips, int):
            terms = ((names, weight * trips) for names, weight in self.terms)
            return Price(tuple(term for term in terms if term[1]))
        longer = (
            (tuple(sorted((*names, trips))), weight) for names, weight in self.terms
        )
        return Price(tuple(sorted(longer)))

    def __str__(self) -> str:
        """5 + 7 n + 2 n**2."""
        return " + ".join(map(_term, self.terms)) or "0"


def _term(term: tuple[Trips, int]) -> str:
    trips, weight = term
    powers = [f"{n}**{k}" if k > 1 else n for n, k in Counter(trips).items()]
    return " ".join([str(weight), *powers])


def weighed(classes: Mapping[str, int], weights: Mapping[str, int]) -> int:
    """The sum of operation counts, each times the weight of its class."""
    return sum(count * weights[kind] for kind, count in classes.items())
