"""The line graph of a computational graph: edges become vertices, paths of two edges
become faces.

Every intermediate vertex of the computational graph is a complete bipartite piece of
the line graph; faces can be eliminated one by one, which is one multiplication each.
Source: Naumann 2004; Notes on Jacobian accumulation, section 1.
"""

from __future__ import annotations

from ad_transform.dataclass import dataclass
from ad_transform.graph.computational import Edge, Graph

Face = tuple[int, int]


@dataclass(frozen=True, slots=True)
class LineGraph:
    """The line graph: vertices 0..len(edges)-1 stand for the edges of a reduced graph,
    in their order.

    The next numbers are its independents, in their order, then its dependents: ends,
    which tell edges from different independents apart. `faces` are sorted pairs (i, j)
    where the edge j starts where i ends, and those that join ends with edges.
    """

    edges: tuple[Edge, ...]
    independents: tuple[int, ...]
    dependents: tuple[int, ...]
    faces: tuple[Face, ...]

    @classmethod
    def of(
        cls,
        edges: tuple[Edge, ...],
        independents: tuple[int, ...],
        dependents: tuple[int, ...],
    ) -> LineGraph:
        """The line graph of these edges, each of which is on a path between ends.

        Its size is quadratic in degrees: the sum of |P(v)| |S(v)|, and edges at ends.
        """
        starting: dict[int, list[int]] = {}
        ending: dict[int, list[int]] = {}
        for i, (u, v) in enumerate(edges):
            starting.setdefault(u, []).append(i)
            ending.setdefault(v, []).append(i)
        for number, x in enumerate(independents, len(edges)):
            ending[x] = [number]
        for number, y in enumerate(dependents, len(edges) + len(independents)):
            starting[y] = [number]
        faces = [
            (i, j)
            for v, ins in ending.items()
            for i in ins
            for j in starting.get(v, ())
        ]
        return cls(edges, independents, dependents, tuple(sorted(faces)))

    @property
    def size(self) -> int:
        """The number of vertices; new ones are numbered from here."""
        return len(self.edges) + len(self.independents) + len(self.dependents)

    def intermediate_faces(self) -> tuple[Face, ...]:
        """The faces that join two edges, which elimination removes."""
        count = len(self.edges)
        return tuple(face for face in self.faces if max(face) < count)


def line_graph(graph: Graph) -> LineGraph:
    """The line graph of the reduced graph."""
    reduced = graph.reduced()
    return LineGraph.of(reduced.edges, graph.independents, graph.dependents)
