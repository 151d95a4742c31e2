"""Whole classes of vertices at a time: the order is that of the quotient graph."""

from __future__ import annotations

from ad_transform.eliminate.chains import level_chains
from ad_transform.eliminate.counting import count_vector, within
from ad_transform.eliminate.markowitz import (
    forward,
    markowitz_latest,
    relative_markowitz_latest,
    reverse,
    vertex_sequence,
)
from ad_transform.eliminate.plans import vertex_order
from ad_transform.eliminate.steps import Sequence
from ad_transform.graph.computational import Graph
from ad_transform.graph.quotient import layers, quotient

_PLANNERS = level_chains, markowitz_latest, relative_markowitz_latest, reverse, forward


def quotient_order(graph: Graph, limit: int | None = None) -> Sequence:
    """The layers of the graph in the order that is cheapest on their quotient graph.

    Its vertices are arrays: a product of the local Jacobians of three classes costs the
    product of their sizes. Of five orders the cheapest by that count is taken; in a
    class the latest vertex goes first. Raises Dearer above `limit` multiplications.
    """
    whole = quotient(graph, layers(graph))
    orders = [planner(whole.graph) for planner in _PLANNERS]
    best = min(orders, key=lambda s: count_vector(whole.graph, s).multiplications)
    classes = vertex_order(best)
    assert classes is not None
    order = (v for c in classes for v in reversed(whole.classes[c]))
    return within(graph, vertex_sequence(order), limit)
