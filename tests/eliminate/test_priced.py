"""Prices of orders in a search: each is asked for once, and no more than agreed."""

from __future__ import annotations

import pytest

from ad_transform.eliminate import Dearer
from ad_transform.eliminate.anneal import Spent, anneal_priced
from ad_transform.eliminate.bits import BitGraph
from ad_transform.eliminate.priced import Known, Priced
from ad_transform.graph import EdgeClass, Graph

CHAIN = Graph.build(
    5, [0], [4], dict.fromkeys([(k, k + 1) for k in range(4)], EdgeClass.VARIABLE)
)
ORDERS = ([0, 1, 2], [1, 0, 2], [2, 1, 0], [1, 2, 0])  # no two are one trace


class Prices:
    """The price is 10 at first, then less; above the limit it is not told."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, order: object, limit: int | None) -> int:
        self.asked += 1
        if limit is not None and limit < 10:
            raise Dearer
        return 10


def priced(ask: Prices, known: Known, most: int) -> Priced:
    price = Priced(BitGraph.of(CHAIN), ask, known, most)
    price.start(ORDERS[0], 12)
    return price


def test_no_more_is_asked_than_agreed_in_a_second_run_either() -> None:
    ask, known = Prices(), Known()
    for asked, order in enumerate(ORDERS[1:3], 1):
        price = priced(ask, known, 1)
        assert price(order, None) == 10
        assert price(ORDERS[1], None) == 10  # known
        with pytest.raises(Spent):
            price(ORDERS[3], None)
        assert ask.asked == asked


def test_what_was_too_dear_is_asked_again_where_more_is_allowed() -> None:
    ask = Prices()
    price = priced(ask, Known(), 3)
    for limit in (8, 7, 9):
        with pytest.raises(Dearer):
            price(ORDERS[1], limit)
    assert ask.asked == 2
    assert price(ORDERS[1], 10) == price(ORDERS[1], 5) == 10
    assert ask.asked == 3


def test_a_search_ends_where_nothing_is_asked_any_more() -> None:
    met = []

    def price(order: list[int], limit: int | None) -> int:
        met.append(order)
        if len(met) > 3:
            raise Spent
        return 10

    anneal_priced([1, 2, 3], price, 1_000, 0)
    assert len(met) == 4
