"""The planners by name, and the sizes of graphs up to which they run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Names
from functools import lru_cache
from importlib import import_module

from ad_transform.diagnostics import Diagnostic, Refusal
from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.markowitz import Planner
from ad_transform.eliminate.steps import Sequence
from ad_transform.graph.computational import Graph

# fmt: off
_HOMES = {
    "forward":                   "markowitz",
    "reverse":                   "markowitz",
    "markowitz":                 "markowitz",
    "markowitz-latest":          "markowitz",
    "relative-markowitz":        "markowitz",
    "relative-markowitz-latest": "markowitz",
    "min-edge-growth":           "growth",
    "fewest-edges-first":        "scarcity",
    "single-use-reverse":        "contraction",
    "single-use-forward":        "contraction",
    "closed-umbrellas-first":    "contraction",
    "copying-umbrellas-first":   "contraction",
    "level-chains":              "chains",
    "forward-factorisation":     "factorise",
    "backward-factorisation":    "factorise",
    "greedy-edge":               "growth",
    "exact":                     "exact",
}
_HOMES_OF_SEARCHES = {
    "metagraph":        "metagraph:metagraph_order",
    "faces":            "facesearch:faces_order",
    "d-star":           "dstar:d_star_order",
    "path-lengths":     "pathlengths:path_lengths",
    "linear-first":     "linearities:linear_first",
    "quotient":         "quotients:quotient_order",
    "copied-umbrellas": "contraction:copied_umbrellas",
    "umbrellas-first":  "contraction:umbrellas_first",
}
_HOMES_OF_PAIRS = {
    "edge-pushing":        "pushing",
    "symmetric-markowitz": "pushing",
}
# fmt: on


class _Planners(Mapping[str, Planner]):
    """The planners by name; each is imported when it is first asked for."""

    def __init__(self, homes: Mapping[str, str]) -> None:
        self.homes = homes

    def __getitem__(self, name: str) -> Planner:
        home, _, function = self.homes[name].partition(":")
        module = import_module(f"ad_transform.eliminate.{home}")
        planner: Planner = getattr(module, function or name.replace("-", "_"))
        return planner

    def __iter__(self) -> Iterator[str]:
        return iter(self.homes)

    def __len__(self) -> int:
        return len(self.homes)


ORDERS: Mapping[str, Planner] = _Planners(_HOMES)
"""The planners that finish on every graph."""

SEARCHES: Mapping[str, Planner] = _Planners(_HOMES_OF_SEARCHES)
"""Planners for graphs up to LARGEST: they are there to compare with, see `asked_for`,
and some of them in `derive.race`. They raise Dearer where they give up."""

PAIRED: Mapping[str, Planner] = _Planners(_HOMES_OF_PAIRS)
"""Planners for the symmetric graphs of Hessians: pairs of vertices, see `mirrored`."""

SEARCHED = {"metagraph": "edges", "faces": "faces"}
"""The eliminations that are searched to the end, in the words of `plans.Plan`: that is
a proof."""

LARGE = 10_000
"""Edges from which on `choose` runs only forward, reverse and Markowitz order."""

LARGEST = {
    "min-edge-growth": 3_000,
    "fewest-edges-first": 3_000,
    "level-chains": 1_000,
    "greedy-edge": 300,
    "exact": 3_000,
    "metagraph": 300,
    "faces": 300,
    "d-star": 150,
    "path-lengths": 1_000,
    "linear-first": 10_000,
    "quotient": 10_000,
    "copied-umbrellas": 10_000,
    "umbrellas-first": 10_000,
    "symmetric-markowitz": 50_000,
}
"""Edges above which `choose` leaves a planner out earlier than that: it would take
seconds. Callers of planners should look here too, see `runnable`."""

SCALABLE = ("forward", "reverse", "markowitz-latest", "markowitz")
"""Planners for large graphs; the last is run only if the one before is not named."""


def runnable(names: Names[str], graph: Graph) -> tuple[str, ...]:
    """The named planners that are quick enough for the graph.

    Those of PAIRED are as quick as SCALABLE. If none is, all of SCALABLE, of which at
    least one is, though forward order on a large graph with many independents should be
    given a limit.
    """
    size = len(graph.edges)
    kept = [name for name in names if size <= LARGEST.get(name, size)]
    if size >= LARGE:
        kept = [name for name in kept if name in SCALABLE or name in PAIRED]
        if "markowitz-latest" in kept:
            kept = [name for name in kept if name != "markowitz"]
    return tuple(kept) or SCALABLE


def asked_for(name: str, graph: Graph) -> Sequence:
    """The sequence of the planner that is asked for by name.

    Raises Refusal AD032 where it is one of SEARCHES and the graph is too large for it,
    or one of PAIRED, see `pairs_asked_for`.
    """
    if name in PAIRED:
        raise Refusal(only_of_hessians(name, "this graph is no symmetric one"))
    if name not in SEARCHES:
        return ORDERS[name](graph)
    most, edges = LARGEST[name], len(graph.reduced().edges)
    if edges > most:
        found = f"this one has {edges} edges, more than {most}"
    else:
        try:
            return _searched(name, graph)
        except Dearer:
            found = "this one has too many stages to be searched"
    text = f"the order {name!r} is for small graphs: {found}"
    raise Refusal(Diagnostic("AD032", text, None, _WAY_OUT))


def pairs_asked_for(name: str, graph: Graph) -> Sequence:
    """The sequence of one of PAIRED on a symmetric graph; raises Refusal AD032 where
    that is too large.
    """
    edges = len(graph.edges)
    if edges <= LARGEST.get(name, edges):
        return PAIRED[name](graph)
    found = f"this one has {edges} edges, more than {LARGEST[name]}"
    text = f"the order {name!r} is for small graphs: {found}"
    raise Refusal(Diagnostic("AD032", text, None, "ask for `edge-pushing`"))


def only_of_hessians(name: str, found: str) -> Diagnostic:
    """The error AD032 for one of PAIRED where there is no symmetric graph."""
    text = f"the order {name!r} is for Hessians of straight functions: {found}"
    return Diagnostic("AD032", text, None, f'write `hessian(order="{name}")` above one')


@lru_cache(maxsize=8)
def _searched(name: str, graph: Graph) -> Sequence:
    """The plan of a search, kept: code, figures and pictures of a graph share it."""
    return SEARCHES[name](graph)


_WAY_OUT = "ask for `exact`, or search with `--effort 2`"
