"""Simulated annealing over vertex orders, with a budget of steps.

A step moves a block of the order to another place. All arithmetic is in integers and
the pseudo-random numbers are our own, so the result is the same everywhere. Naumann
1999, section 4, found the method robust for this problem.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.models import Model, State
from ad_transform.eliminate.randomness import Random

C = TypeVar("C")

HOT = 1
"""The temperature to begin with, in operations."""

REACH = 60
"""The greatest distance that a block is moved."""


class Spent(Dearer):
    """Raised by a price that will not be asked any more: a search ends."""


def allowance(step: int, steps: int, hot: int, random: Random) -> int:
    """The increase of the price that a step may make: Metropolis in integers.

    An increase d passes with probability exp(-d / t), so d may be up to t times an
    exponentially distributed number; t falls linearly from `hot` to 0.
    """
    return hot * (steps - step) * random.exponential() // (steps * 256)


def move(order: list[int], random: Random) -> tuple[int, int, list[int]]:
    """A random change of an order: a window [low, high) and its new content.

    Two neighbouring blocks change places: one of 1 to 8 vertices, short ones more
    often, and one of up to REACH. The order has at least two vertices.
    """
    size = len(order)
    length = min(1 + random.below(1 << random.below(4)), size - 1)
    low = random.below(size - length)
    shift = 1 + random.below(min(size - low - length, REACH))
    high = low + length + shift
    middle = low + length if random.below(2) else high - length
    return low, high, order[middle:high] + order[low:middle]


def anneal(
    model: Model, order: list[int], steps: int, seed: int, hot: int = HOT
) -> tuple[list[int], int]:
    """The cheapest order met in this many steps, and its price; never worse than the
    one given.

    Only the window that a move changes is priced again, which makes a step cost the
    window's length. Memory is `model.count` states.
    """
    walk = _Walk(model, order)
    best, least = order, walk.price
    if len(order) < 2:
        return best, least
    random = Random(seed)
    for step in range(steps):
        low, high, window = move(walk.order, random)
        walk.offer(low, high, window, allowance(step, steps, hot, random))
        if walk.price < least:
            best, least = walk.order.copy(), walk.price
    return best, least


def anneal_priced(
    order: list[int],
    price: Callable[[list[int], int | None], int],
    steps: int,
    seed: int,
    hot: int = HOT,
) -> tuple[list[int], int]:
    """As `anneal`, with any price of whole orders.

    `price(order, limit)` may raise Dearer if the price is above the limit.
    """

    def moved(order: list[int], random: Random) -> list[int]:
        low, high, window = move(order, random)
        return order[:low] + window + order[high:]

    return anneal_any(order, moved, price, steps if len(order) > 1 else 0, seed, hot)


def anneal_any(
    start: C,
    moved: Callable[[C, Random], C | None],
    price: Callable[[C, int | None], int],
    steps: int,
    seed: int,
    hot: int = HOT,
) -> tuple[C, int]:
    """The cheapest candidate met in this many steps, and its price.

    `moved` makes a neighbour of a candidate, None if it finds none.
    `price(candidate, limit)` may raise Dearer if the price is above the limit, and
    Spent where the search is to end.
    """
    candidate = best = start
    least = current = price(start, None)
    random = Random(seed)
    for step in range(steps):
        changed = moved(candidate, random)
        if changed is None:
            continue
        limit = current + allowance(step, steps, hot, random)
        try:
            found = price(changed, limit)
        except Spent:
            break
        except Dearer:
            continue
        if found <= limit:
            candidate, current = changed, found
            if found < least:
                best, least = changed, found
    return best, least


class _Walk:
    """An order with the price of each vertex and the state before it."""

    def __init__(self, model: Model, order: list[int]) -> None:
        self.model = model
        self.order = order.copy()
        self.prices = [0] * len(order)
        self.states: list[State] = [model.start] * len(order)
        self._price(0, order, model.copy())
        self.price = sum(self.prices)

    def offer(self, low: int, high: int, window: list[int], more: int) -> None:
        """Take the new window if it costs at most `more` than the old one."""
        room = sum(self.prices[low:high]) + more
        state = [row.copy() for row in self.states[low]]
        eliminate = self.model.eliminate
        for v in window:
            room -= eliminate(state, v)
            if room < 0:
                return
        self.price += more - room
        self.order[low:high] = window
        self._price(low, window, [row.copy() for row in self.states[low]])

    def _price(self, low: int, window: list[int], state: State) -> None:
        for place, v in enumerate(window, low):
            if place > low:
                self.states[place] = [row.copy() for row in state]
            self.prices[place] = self.model.eliminate(state, v)
