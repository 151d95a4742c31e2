"""Shortest face elimination of very small graphs, by search of all stages."""

from __future__ import annotations

from collections import Counter
from typing import TypeAlias

from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.faces import FaceState
from ad_transform.eliminate.steps import EliminateFace, Sequence
from ad_transform.graph.computational import Graph
from ad_transform.graph.linegraph import LineGraph, line_graph

STAGES = 20_000
"""How many stages are looked at by default."""

_Label: TypeAlias = frozenset[tuple[int, ...]]
_Key: TypeAlias = frozenset[tuple[object, object, object]]


class _PathSets:
    """Labels are the sets of paths they are sums of, as tuples of vertices."""

    unit: _Label = frozenset([()])

    def multiply(
        self, out_edge: _Label, in_edge: _Label, u: int, v: int, w: int
    ) -> _Label:
        return frozenset(a + b[1:] for a in in_edge for b in out_edge)

    def add(self, old: _Label, new: _Label, u: int, w: int) -> _Label:
        return old | new


def shortest_faces(graph: Graph, limit: int = STAGES) -> Sequence:
    """A face elimination with the fewest multiplications, without splits.

    Breadth first over stages, as every step costs one; a stage is a line graph whose
    vertices are told apart by the paths they stand for. Raises Dearer if more than
    `limit` stages are met. Naumann & Utke hold that face elimination reaches the
    optimum under the chain rule; splits of vertices are not tried here.
    """
    line = line_graph(graph)
    labels: dict[tuple[int, int], _Label] = {e: frozenset([e]) for e in line.edges}
    start = FaceState(line, labels, _PathSets())
    level: list[tuple[FaceState[_Label], tuple[EliminateFace, ...]]] = [(start, ())]
    met = {_key(start, line)}
    while level:
        following: list[tuple[FaceState[_Label], tuple[EliminateFace, ...]]] = []
        for state, steps in level:
            faces = state.faces()
            if not faces:
                return Sequence(steps)
            for i, j in faces:
                other = state.copy()
                other.eliminate(i, j)
                key = _key(other, line)
                if key not in met:
                    if len(met) == limit:
                        raise Dearer
                    met.add(key)
                    following.append((other, (*steps, EliminateFace(i, j))))
        level = following
    raise AssertionError("elimination always ends")


def _key(state: FaceState[_Label], line: LineGraph) -> _Key:
    """The stage, whatever numbers its vertices have got.

    Vertices with equal labels are told apart by age: that may take one stage for two,
    never two for one.
    """
    ranks: Counter[_Label] = Counter()
    names: dict[int, object] = {i: i for i in range(len(line.edges), line.size)}
    for i in sorted(state.labels):
        names[i] = state.labels[i], ranks[state.labels[i]]
        ranks[state.labels[i]] += 1
    return frozenset(
        (
            names[i],
            frozenset(names[h] for h in state.before[i]),
            frozenset(names[j] for j in state.after[i]),
        )
        for i in state.labels
    )
