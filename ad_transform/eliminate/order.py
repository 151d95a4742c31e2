"""The planners by name, and how large a graph they are run on."""

from __future__ import annotations

from collections.abc import Sequence as Names

from ad_transform.eliminate.chains import level_chains
from ad_transform.eliminate.contraction import (
    closed_umbrellas_first,
    copying_umbrellas_first,
    single_use_forward,
    single_use_reverse,
)
from ad_transform.eliminate.exact import exact
from ad_transform.eliminate.factorise import (
    backward_factorisation,
    forward_factorisation,
)
from ad_transform.eliminate.growth import greedy_edge, min_edge_growth
from ad_transform.eliminate.markowitz import (
    Planner,
    forward,
    markowitz,
    markowitz_latest,
    relative_markowitz,
    relative_markowitz_latest,
    reverse,
)
from ad_transform.graph.computational import Graph

# fmt: off
ORDERS: dict[str, Planner] = {
    "forward":                   forward,
    "reverse":                   reverse,
    "markowitz":                 markowitz,
    "markowitz-latest":          markowitz_latest,
    "relative-markowitz":        relative_markowitz,
    "relative-markowitz-latest": relative_markowitz_latest,
    "min-edge-growth":           min_edge_growth,
    "single-use-reverse":        single_use_reverse,
    "single-use-forward":        single_use_forward,
    "closed-umbrellas-first":    closed_umbrellas_first,
    "copying-umbrellas-first":   copying_umbrellas_first,
    "level-chains":              level_chains,
    "forward-factorisation":     forward_factorisation,
    "backward-factorisation":    backward_factorisation,
    "greedy-edge":               greedy_edge,
    "exact":                     exact,
}
# fmt: on

LARGE = 10_000
"""Edges from which on `choose` runs only forward, reverse and Markowitz order."""

LARGEST = {
    "min-edge-growth": 3_000,
    "level-chains": 1_000,
    "greedy-edge": 300,
    "exact": 3_000,
}
"""Edges above which `choose` leaves a planner out earlier than that: it would take
seconds. Whoever calls planners directly should look here too, see `runnable`."""

SCALABLE = ("forward", "reverse", "markowitz-latest", "markowitz")
"""Planners for large graphs; the last is run only if the one before is not named."""


def runnable(names: Names[str], graph: Graph) -> tuple[str, ...]:
    """Those of the named planners that are quick enough for the graph.

    If none is, all of SCALABLE, of which at least one is, though forward order on a
    large graph with many independents should be given a limit.
    """
    size = len(graph.edges)
    kept = [name for name in names if size <= LARGEST.get(name, size)]
    if size >= LARGE:
        kept = [name for name in kept if name in SCALABLE]
        if "markowitz-latest" in kept:
            kept = [name for name in kept if name != "markowitz"]
    return tuple(kept) or SCALABLE
