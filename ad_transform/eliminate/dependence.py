"""Elimination dependences: faces that must go before others.

A sequence of steps puts parentheses into every product of Bauer's formula. Two
neighbouring edges of a path, a face, are multiplied directly or behind parentheses:
then the faces inside these go first. A face of the line graph belongs to many paths,
and goes in all of them at once, so it depends on the faces inside the parentheses on
any of them. Without circular dependences, eliminations of faces without splits
do the work of the sequence.

Source: Notes on Jacobian accumulation, section 5, Lemma 2 and Proposition 1.
"""

from __future__ import annotations

from dataclasses import field
from graphlib import CycleError, TopologicalSorter
from typing import TypeAlias

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.replay import replay
from ad_transform.eliminate.steps import Sequence
from ad_transform.graph.computational import Edge, Graph

MOST = 20_000
"""Paths that are multiplied, all products together."""

Face: TypeAlias = tuple[Edge, Edge]
Path: TypeAlias = tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Dependences:
    """Per face the faces that go before it; and a circle of faces, () if there is none.

    Faces stand in the order in which the sequence first multiplies them.
    """

    before: dict[Face, tuple[Face, ...]]
    circle: tuple[Face, ...]

    @property
    def count(self) -> int:
        """The number of pairs of faces of which one depends on the other."""
        return sum(map(len, self.before.values()))


def dependences(graph: Graph, sequence: Sequence, limit: int = MOST) -> Dependences:
    """The dependences of the faces under a sequence of steps.

    Raises Dearer if it multiplies more than `limit` paths, ValueError as `replay` does.
    """
    expressions = _Expressions(limit)
    labels: dict[Edge, _Label] = {edge: {(edge,): None} for edge in graph.edges}
    replay(graph, labels, sequence, expressions)
    before = {face: tuple(inner) for face, inner in expressions.before.items()}
    try:
        TopologicalSorter(before).prepare()
    except CycleError as error:
        return Dependences(before, tuple(error.args[1][1:]))
    return Dependences(before, ())


_Label: TypeAlias = "dict[Path, Face | None]"


@dataclass(slots=True)
class _Expressions:
    """Labels are paths, each with the face that was multiplied last."""

    limit: int
    before: dict[Face, dict[Face, None]] = field(default_factory=dict)

    @property
    def unit(self) -> _Label:
        """The label of a copy: no edge at all."""
        return {(): None}

    def multiply(
        self, out_edge: _Label, in_edge: _Label, u: int, v: int, w: int
    ) -> _Label:
        self.limit -= len(out_edge) * len(in_edge)
        if self.limit < 0:
            raise Dearer
        return {
            first + second: self._joined(first, second, inner, outer)
            for first, inner in in_edge.items()
            for second, outer in out_edge.items()
        }

    def _joined(
        self, first: Path, second: Path, inner: Face | None, outer: Face | None
    ) -> Face | None:
        """The face between two paths; those multiplied last in each go before it."""
        if not first or not second:
            return inner or outer
        face = first[-1], second[0]
        behind = self.before.setdefault(face, {})
        behind.update((last, None) for last in (inner, outer) if last)
        return face

    def add(self, old: _Label, new: _Label, u: int, w: int) -> _Label:
        return old | new
