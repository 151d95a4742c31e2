"""Levels of effort: the planners and budgets that each adds to the level below."""

from __future__ import annotations

from ad_transform.dataclass import dataclass, replace
from ad_transform.eliminate.order import LARGE, ORDERS, runnable
from ad_transform.graph.computational import Graph


@dataclass(frozen=True, slots=True)
class Effort:
    """The planners and budgets that one level adds to the level below.

    `names` are planners that are run. `nodes` bounds the exact search and, in stages,
    the proof for edges of small components; clusters may look at ten times as many
    parts. `blocks` are the steps of the bound for any elimination, where one is asked
    for (`packing`).

    There are `runs` runs of annealing, each with a seed. A run makes `steps` steps by
    counts for each model, and a quarter of them by the price itself: it asks for 10 p
    prices at most, and their number times the plain count stays below `work`. The
    search with split vertices makes `clones` steps a run by the plain count, and
    `splits` steps by the price itself, below four times `work`. A graph of p vertices
    and e edges gets at most 40 p² steps, and 400 e with splits.
    """

    names: tuple[str, ...]
    nodes: int
    steps: int
    work: int
    runs: int
    clones: int
    splits: int
    blocks: int


_PORTFOLIO = tuple(
    name for name in ORDERS if name not in ("reverse", "forward", "exact")
)

_PLAIN = Effort((), 0, steps=0, work=0, runs=0, clones=0, splits=0, blocks=0)

# fmt: off
EFFORTS: tuple[Effort, ...] = (
    replace(_PLAIN, names=("reverse", "forward")),
    replace(_PLAIN, names=_PORTFOLIO, nodes=4_000, blocks=2_000),
    Effort((), 40_000, 8_000, 40_000, 2, clones=4_000, splits=0, blocks=20_000),
    Effort((), 200_000, 20_000, 80_000, 4, clones=8_000, splits=6_000, blocks=60_000),
)
# fmt: on


def levels_of(effort: int, graph: Graph) -> tuple[Effort, ...]:
    """The levels to go through; for a large graph the first two in one go, as the first
    choice takes about as long as both."""
    if not 0 <= effort < len(EFFORTS):
        raise ValueError(f"effort is 0 to {len(EFFORTS) - 1}, not {effort}")
    levels = EFFORTS[: effort + 1]
    if effort and len(graph.edges) >= LARGE:
        names = levels[0].names + levels[1].names
        return (replace(levels[1], names=names), *levels[2:])
    return levels


def planners_of(effort: int, graph: Graph) -> tuple[str, ...]:
    """The planners that a choice by the plain count runs."""
    levels = levels_of(effort, graph)
    names = [name for level in levels for name in level.names]
    if any(level.nodes for level in levels):
        names.append("exact")
    return runnable(names, graph)
