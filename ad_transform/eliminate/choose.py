"""The choice of a planner by a price that the caller gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Sequence as Names

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.order import LARGE, ORDERS, runnable
from ad_transform.eliminate.steps import Sequence
from ad_transform.graph.computational import Graph
from ad_transform.later import later

with later():
    from ad_transform.eliminate.counting import count

SLACK = 4
"""A plan for a large graph is dropped if its plain count is more than this many times
the smaller one of forward and reverse order; it could take for ever to price."""

Price = Callable[[Sequence, int | None], int]
"""From a sequence to its price; raises Dearer if that is above the limit."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The cheapest of several sequences, the planner's name, and its price."""

    name: str
    sequence: Sequence
    price: int


Plans = Mapping[str, Sequence]
"""The sequences of planners for a graph, by name."""


def choose(
    graph: Graph, names: Names[str], price: Price, plans: Plans | None = None
) -> Choice:
    """The sequence of the named planner that is cheapest; the first wins ties.

    `price(sequence, limit)` is called with the first candidate and no limit, then with
    the greatest price that would still win. Planners that are too slow for the graph
    are left out (`order.runnable`), and those of which there are `plans` are not run.
    Raises ValueError for an unknown name or none.
    """
    known = plans or {}
    for name in names:
        if name not in ORDERS:
            raise ValueError(f"unknown order {name!r}")
    if not names:
        raise ValueError("no order named")
    large = len(graph.edges) >= LARGE
    limit = SLACK * _affordable(graph) if large else None
    best: Choice | None = None
    for name in runnable(names, graph):
        try:
            sequence = known.get(name) or ORDERS[name](graph, limit)
            paid = price(sequence, best.price - 1 if best else None)
        except Dearer:
            continue
        if best is None or paid < best.price:
            best = Choice(name, sequence, paid)
    if best is None:  # the only ones named are far dearer than forward and reverse
        sequence = ORDERS[names[0]](graph)
        best = Choice(names[0], sequence, price(sequence, None))
    return best


def _affordable(graph: Graph) -> int:
    """The plain count of forward or reverse order, less than twice the better one. Both
    get the same limit, which is doubled until one of them keeps to it.

    Forward order on one output and many inputs would otherwise never end.
    """
    limit = len(graph.edges) + 1
    while True:
        for name in ("reverse", "forward"):
            try:
                sequence = ORDERS[name](graph)
                return count(graph, sequence, limit).multiplications
            except Dearer:
                continue
        limit *= 2
