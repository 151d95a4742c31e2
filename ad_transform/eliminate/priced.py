"""Prices of vertex orders in a search, each asked for once for a whole trace."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.anneal import Spent
from ad_transform.eliminate.bits import BitGraph
from ad_transform.eliminate.traces import Touched, normal

Order = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """Prices, and the greatest limits that were passed, by the first order of the
    trace.
    """

    prices: dict[Order, int] = field(default_factory=dict)
    beaten: dict[Order, int] = field(default_factory=dict)


class Priced:
    """The price of an order for `anneal_priced`, which goes on from each order that
    keeps to its limit.

    `price(order, limit)` is asked `most` times for orders that are not `known`; the
    next time Spent is raised.
    """

    def __init__(
        self,
        bits: BitGraph,
        price: Callable[[Iterable[int], int | None], int],
        known: Known,
        most: int,
    ) -> None:
        self._bits = bits
        self._ask = price
        self._known = known
        self._left = most
        self._here: Touched | None = None
        self._paid = 0

    def start(self, order: list[int], paid: int) -> None:
        """Begin at an order with this price."""
        self._known.prices[self._normal(order)] = paid
        self._go(order, paid)

    def __call__(self, order: list[int], limit: int | None) -> int:
        """The price of an order; may raise Dearer where it is above the limit."""
        like = self._here.moved(order) if self._here else None
        if like is not None:  # most moves change nothing
            self._here = like
            return self._paid
        paid = self._of_another(order, limit)
        if limit is None or paid <= limit:
            self._go(order, paid)
        return paid

    def _go(self, order: list[int], paid: int) -> None:
        self._here = Touched.of(self._bits.before, self._bits.after, order)
        self._paid = paid

    def _of_another(self, order: list[int], limit: int | None) -> int:
        same = self._normal(order)
        known = self._known
        if same in known.prices:
            return known.prices[same]
        if limit is not None and limit <= known.beaten.get(same, -1):
            raise Dearer
        if not self._left:
            raise Spent
        self._left -= 1
        try:
            known.prices[same] = self._ask(same, limit)
        except Dearer:
            if limit is not None:
                known.beaten[same] = limit
            raise
        return known.prices[same]

    def _normal(self, order: list[int]) -> Order:
        return normal(self._bits.before, self._bits.after, order)
