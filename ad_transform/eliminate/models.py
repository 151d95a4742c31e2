"""The cost of eliminating one vertex after another, in bit sets, for searches.

The state of a graph is a list of rows, a row has one bit set per vertex. It depends
only on the set of vertices that are gone, not on their order: so a window of an order
can be changed without regard to the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.bits import BitGraph, eliminate
from ad_transform.graph.computational import Graph

State: TypeAlias = list[list[int]]


@dataclass(frozen=True, slots=True)
class Model:
    """A state, the vertices that are to be eliminated, and the price of each.

    `count` are to be eliminated, the numbers below it. `eliminate(state, v)` changes
    the state and returns the price. `start` is to be copied, not changed.
    """

    count: int
    start: State
    eliminate: Callable[[State, int], int]

    def copy(self) -> State:
        """A fresh copy of the start."""
        return [row.copy() for row in self.start]

    def price(self, order: Iterable[int]) -> int:
        """The price of eliminating the vertices in this order."""
        state = self.copy()
        return sum(self.eliminate(state, v) for v in order)


@dataclass(frozen=True, slots=True)
class Measure:
    """A way to count: the model of a graph, the number of its rows, the price of a
    step.
    """

    model: Callable[[BitGraph, Graph], Model]
    rows: int
    step: Callable[[State, int], int]


def plain_model(bits: BitGraph) -> Model:
    """The plain count, |P(v)| |S(v)|; the rows are predecessors and successors."""
    return Model(bits.count, [list(bits.before), list(bits.after)], plain_step)


def plain_step(state: State, v: int) -> int:
    """Eliminate v from rows of all edges, by target and by source."""
    return eliminate(state[0], state[1], v)


def practical_model(bits: BitGraph, graph: Graph) -> Model:
    """The practical count: multiplications by +1 and -1 are free, constants folded.

    The rows are predecessors and successors by all edges, by those that are not units,
    and by those that are variable. The class of a label is that of its paths: variable
    if one has a variable edge, else constant if there is more than one or one has a
    constant edge; so it does not depend on the order.
    """
    number = {v: i for i, v in enumerate(bits.vertices)}
    state: State = [[0] * len(bits.vertices) for _ in range(6)]
    reduced = graph.reduced()
    for (u, v), cls in zip(reduced.edges, reduced.classes, strict=True):
        for level in range(cls + 1):
            state[2 * level][number[v]] |= 1 << number[u]
            state[2 * level + 1][number[u]] |= 1 << number[v]
    return Model(bits.count, state, practical_step)


def practical_step(state: State, v: int) -> int:
    """Eliminate v from rows of all, of labelled and of variable edges."""
    sources = state[0][v], state[2][v], state[4][v]
    targets = state[1][v], state[3][v], state[5][v]
    ins, varying_ins = sources[1].bit_count(), sources[2].bit_count()
    outs, varying_outs = targets[1].bit_count(), targets[2].bit_count()
    _spread(state[1], state[3], state[5], sources, targets, v)
    _spread(state[0], state[2], state[4], targets, sources, v)
    for row in state:
        row[v] = 0
    return varying_ins * outs + (ins - varying_ins) * varying_outs


def _spread(
    every: list[int],
    labelled: list[int],
    varying: list[int],
    near: tuple[int, int, int],
    far: tuple[int, int, int],
    v: int,
) -> None:
    """Give every neighbour of v on one side edges to all on the other side."""
    keep = ~(1 << v)
    all_far, labelled_far, varying_far = far
    rest, near_labelled, near_varying = near
    while rest:
        low = rest & -rest
        u = low.bit_length() - 1
        rest ^= low
        own = every[u]
        every[u] = (own | all_far) & keep
        if near_varying & low:
            labelled[u] = (labelled[u] | all_far) & keep
            varying[u] = (varying[u] | all_far) & keep
        elif near_labelled & low:
            labelled[u] = (labelled[u] | all_far) & keep
            varying[u] = (varying[u] | varying_far) & keep
        else:  # a sum of two labels is no unit
            labelled[u] = (labelled[u] | labelled_far | own & all_far) & keep
            varying[u] = (varying[u] | varying_far) & keep


PLAIN = Measure(lambda bits, graph: plain_model(bits), 2, plain_step)
PRACTICAL = Measure(practical_model, 6, practical_step)
