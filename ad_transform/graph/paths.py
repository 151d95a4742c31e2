"""The number and the total length of the paths from independents to dependents.

Computed one by one, the products of Bauer's formula are as many as the paths, and take
about as many multiplications as the paths have edges. Every edge elimination makes the
total length smaller (`ad_transform.eliminate`), so elimination ends.
"""

from __future__ import annotations

from ad_transform.dataclass import dataclass
from ad_transform.graph.computational import Graph


@dataclass(frozen=True, slots=True)
class Paths:
    """Numbers and total lengths of paths, per vertex.

    `above` and `above_length` are about the paths from independents to the vertex
    (n^b and l^b), `below` and `below_length` about those to dependents (n^f and l^f).
    """

    above: tuple[int, ...]
    above_length: tuple[int, ...]
    below: tuple[int, ...]
    below_length: tuple[int, ...]


def paths(graph: Graph) -> Paths:
    """The paths above and below every vertex. O(size + edges) additions of integers
    that may be long. Source: Naumann 1999, section 2.3."""
    up, up_length = [0] * graph.size, [0] * graph.size
    for x in graph.independents:
        up[x] = 1
    for u, v in graph.edges:
        up[v] += up[u]
        up_length[v] += up_length[u] + up[u]
    down, down_length = [0] * graph.size, [0] * graph.size
    for y in graph.dependents:
        down[y] = 1
    for u, v in reversed(graph.edges):
        down[u] += down[v]
        down_length[u] += down_length[v] + down[v]
    return Paths(tuple(up), tuple(up_length), tuple(down), tuple(down_length))


def path_number(graph: Graph) -> int:
    """The number of paths from independents to dependents, N."""
    found = paths(graph)
    return sum(found.above[y] for y in graph.dependents)


def path_length(graph: Graph) -> int:
    """The total number of edges on these paths, L."""
    found = paths(graph)
    return sum(found.above_length[y] for y in graph.dependents)
