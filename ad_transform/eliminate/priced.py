"""Prices of vertex orders in a search, each asked for once for a whole trace."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.bits import BitGraph
from ad_transform.eliminate.traces import Touched, normal

Known = dict[tuple[int, ...], int | None]
"""Prices by the first order of the trace; None where it was above a limit."""


class Priced:
    """The price of an order for `anneal_priced`, which goes on from what keeps to its
    limit.

    `price(order, limit)` is asked for `most` orders that are not `known`; more raise
    Dearer.
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
        self._last = len(known) + most
        self._here: Touched | None = None
        self._paid = 0

    def start(self, order: list[int], paid: int) -> None:
        """Begin at an order with this price."""
        self._known[self._normal(order)] = paid
        self._go(order, paid)

    def __call__(self, order: list[int], limit: int | None) -> int:
        """The price of an order; raises Dearer where it is not found out."""
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
        if same not in self._known:
            if len(self._known) > self._last:
                raise Dearer
            self._known[same] = None
            self._known[same] = self._ask(same, limit)
        paid = self._known[same]
        if paid is None:
            raise Dearer
        return paid

    def _normal(self, order: list[int]) -> tuple[int, ...]:
        return normal(self._bits.before, self._bits.after, order)
