"""The planners by name, and how large a graph they are run on."""

from __future__ import annotations

from ad_transform.eliminate.contraction import (
    closed_umbrellas_first,
    copying_umbrellas_first,
    single_use_forward,
    single_use_reverse,
)
from ad_transform.eliminate.exact import exact
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
    "greedy-edge":               greedy_edge,
    "exact":                     exact,
}
# fmt: on

LARGE = 10_000
"""Edges from which on `choose` runs only forward, reverse and Markowitz order."""

LARGEST = {"min-edge-growth": 3_000, "greedy-edge": 300, "exact": 3_000}
"""Edges above which `choose` leaves a planner out earlier than that."""
