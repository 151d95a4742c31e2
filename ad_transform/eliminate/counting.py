"""Counting the operations of a sequence, by replaying it over algebras that count.

Three models: *plain*, the literature's, where every product costs one; *practical*,
where labels +1 and -1 are free and constants are folded; *vector*, where the label of
u -> v is a matrix of d_v rows and d_u columns.
"""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.replay import State, replay
from ad_transform.eliminate.steps import Sequence
from ad_transform.graph.computational import EdgeClass, Graph


@dataclass(frozen=True, slots=True)
class Count:
    """The cost of a sequence: multiplications, additions and fill-in.

    `fill_in` is the number of edges that were made, copies and clones not counted.
    """

    multiplications: int
    additions: int
    fill_in: int


class PlainAlgebra:
    """Every product costs one, every absorption is one addition; labels are None.

    Raises Dearer as soon as more than `limit` multiplications have been counted.
    """

    unit = None

    def __init__(self, limit: int | None = None) -> None:
        self.limit = limit
        self.multiplications = 0
        self.additions = 0

    def multiply(self, out_edge: None, in_edge: None, u: int, v: int, w: int) -> None:
        self.multiplications += 1
        if self.limit is not None and self.multiplications > self.limit:
            raise Dearer

    def add(self, old: None, new: None, u: int, w: int) -> None:
        self.additions += 1

    def count(self) -> Count:
        """The counts so far."""
        return Count(
            self.multiplications, self.additions, self.multiplications - self.additions
        )


class PracticalAlgebra:
    """Labels are edge classes: +1 and -1 cost nothing, constants are folded.

    A product is counted if both factors are not units and one is variable; a sum if one
    term is variable. Raises Dearer as soon as more than `limit` multiplications have
    been counted.
    """

    unit = EdgeClass.UNIT

    def __init__(self, limit: int | None = None) -> None:
        self.limit = limit
        self.multiplications = 0
        self.additions = 0
        self.fill_in = 0

    def multiply(
        self, out_edge: EdgeClass, in_edge: EdgeClass, u: int, v: int, w: int
    ) -> EdgeClass:
        self.fill_in += 1
        if out_edge and in_edge and out_edge + in_edge > 2:
            self.multiplications += 1
            if self.limit is not None and self.multiplications > self.limit:
                raise Dearer
        return out_edge if out_edge > in_edge else in_edge

    def add(self, old: EdgeClass, new: EdgeClass, u: int, w: int) -> EdgeClass:
        self.fill_in -= 1
        if old < EdgeClass.VARIABLE and new < EdgeClass.VARIABLE:
            return EdgeClass.CONSTANT  # 1 + 1 is no unit
        self.additions += 1
        return EdgeClass.VARIABLE

    def count(self) -> Count:
        """The counts so far."""
        return Count(self.multiplications, self.additions, self.fill_in)


class VectorAlgebra:
    """The product of the labels of u -> v -> w costs d_u d_v d_w; labels are None.

    An absorption costs d_u d_w additions. `dimensions` has an entry for every vertex of
    the graph; a copy or clone has that of the vertex it was made from. Source: Naumann
    1999, section 2.5.
    """

    unit = None

    def __init__(self, dimensions: Mapping[int, int], limit: int | None = None) -> None:
        self.dimensions = dimensions
        self.origins: Mapping[int, int] = {}
        self.limit = limit
        self.multiplications = 0
        self.additions = 0
        self.fill_in = 0

    def multiply(self, out_edge: None, in_edge: None, u: int, v: int, w: int) -> None:
        self.fill_in += 1
        self.multiplications += self._of(u) * self._of(v) * self._of(w)
        if self.limit is not None and self.multiplications > self.limit:
            raise Dearer

    def add(self, old: None, new: None, u: int, w: int) -> None:
        self.fill_in -= 1
        self.additions += self._of(u) * self._of(w)

    def watch(self, state: State[None] | None) -> None:
        """Keep the origins of the graph under elimination: the vertex behind each
        clone.
        """
        if state is not None:
            self.origins = state.origins

    def _of(self, vertex: int) -> int:
        return self.dimensions[self.origins.get(vertex, vertex)]

    def count(self) -> Count:
        """The counts so far."""
        return Count(self.multiplications, self.additions, self.fill_in)


def count(graph: Graph, sequence: Sequence, limit: int | None = None) -> Count:
    """The plain count: every edge counts, units and constants too.

    Raises Dearer if there are more than `limit` multiplications, ValueError if the
    sequence does not fit the graph. Source: Naumann 1999, section 3.1.
    """
    plain = PlainAlgebra(limit)
    replay(graph, dict.fromkeys(graph.edges), sequence, plain)
    return plain.count()


def count_practical(
    graph: Graph, sequence: Sequence, limit: int | None = None
) -> Count:
    """The practical count by the edge classes: units free, constants folded.

    Raises as `count` does.
    """
    practical = PracticalAlgebra(limit)
    labels = dict(zip(graph.edges, graph.classes, strict=True))
    replay(graph, labels, sequence, practical)
    return practical.count()


def count_vector(
    graph: Graph,
    sequence: Sequence,
    dimensions: Mapping[int, int] | None = None,
    limit: int | None = None,
) -> Count:
    """The count in general vector mode, where vertex v has `dimensions[v]` components:
    if they are not given, the elements of its dims, nominal where they have names.

    Eliminating v costs d_v (sum of d over P(v)) (sum of d over S(v)), front eliminating
    u -> v costs d_u d_v (sum of d over S(v)), back eliminating it costs d_u d_v (sum of
    d over P(u)). Raises as `count` does. Source: Naumann 1999, section 2.5, OPS.
    """
    if dimensions is None:
        dimensions = dict(enumerate(graph.elements()))
    vector = VectorAlgebra(dimensions, limit)
    replay(graph, dict.fromkeys(graph.edges), sequence, vector)
    return vector.count()


def within(graph: Graph, sequence: Sequence, limit: int | None) -> Sequence:
    """The sequence; raises Dearer where its plain count is above the limit."""
    if limit is not None:
        count(graph, sequence, limit)
    return sequence
