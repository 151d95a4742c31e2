"""Searches of kernels, each done once.

Graphs that differ around a kernel alone share its search: those of the steps of a
solver of linear equations are such.
"""

from __future__ import annotations

from functools import lru_cache

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.anneal import anneal
from ad_transform.eliminate.kernel import SMALL, Budget, Search
from ad_transform.eliminate.models import Model, plain_step

KEPT = 256
"""Searches whose answers are kept."""

ANNEALED = 8_000
"""The greatest number of annealing steps before a component is searched, one for every
node that is left: annealing finds the order that the search has to prove."""


@dataclass(frozen=True, slots=True)
class Question:
    """A kernel to search: its sets, the number of its own vertices, divisions of these
    into clusters, and the number of vertices up to which clusters are joined.
    """

    before: tuple[int, ...]
    after: tuple[int, ...]
    count: int
    divisions: tuple[tuple[int, ...], ...]
    most: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The best order that is known, its cost, a bound, and the nodes that are left."""

    order: tuple[int, ...]
    cost: int
    bound: int
    left: int


@lru_cache(maxsize=KEPT)
def searched(
    question: Question, order: tuple[int, ...], cost: int, nodes: int
) -> Answer:
    """The search of a kernel with so many nodes, from an order of it and its cost."""
    known = list(order)
    rows = [[*question.before], [*question.after]]
    if question.count > SMALL:  # annealed from the known order
        model = Model(question.count, rows, plain_step)
        known, cost = anneal(model, known, min(nodes, ANNEALED), seed=1)
    budget, inner = Budget(nodes), (1 << question.count) - 1
    sets = [*question.before], [*question.after], inner
    found, better = Search(*sets, budget, question.divisions, question.most).run(cost)
    if better:
        return Answer(tuple(better), found, found, budget.nodes)
    return Answer(tuple(known), cost, found, budget.nodes)
