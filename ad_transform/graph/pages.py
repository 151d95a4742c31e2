"""Pages: a graph with several ends as a sum of graphs, each with its own waist.

After Notes on Jacobian accumulation, section 5, steps 1 to 6. The scan has lost the
conditions; these are read from the prose. The Notes draw edges from results to
arguments: their roots are our dependents, their terminals our independents. The
r-degree of a vertex is the number of dependents it leads to, its t-degree the number of
independents that lead to it.

* Step 1, simple chains and blocks, is left to `blocks.simple_parts`.
* Step 2: u is the vertex with the largest r-degree, of several the one nearest to the
  dependents; v is the vertex with the largest t-degree among u and the vertices that
  lead to it, of several the one nearest to the independents.
* Step 3: as long as u or v serves several ends, the paths that run through both go to a
  page of their own. The other paths are those that avoid v, and those that run through
  v but avoid u; both are treated in the same way. So every path is on exactly one page,
  although pages may share edges ("we split all the edges and intermediate vertices").
* Step 4: if no vertex serves several ends, the page is cut up into pairs of ends.
* Step 5, factorisation inside a page, is elimination (`ad_transform.eliminate`).
* Step 6: entries of the same pair of ends on different pages are to be added.
"""

from __future__ import annotations

from ad_transform.dataclass import dataclass
from ad_transform.graph.computational import Edge, Graph

MOST = 10_000
"""Pages after which no page is split any more."""


@dataclass(frozen=True, slots=True)
class Page:
    """The edges of a page, sorted, and the two vertices that all its paths run through.

    `upper` is the u of step 2, next to the dependents, `lower` the v; they may be the
    same, and are None for a page of one pair of ends.
    """

    edges: tuple[Edge, ...]
    lower: int | None
    upper: int | None


def pages(graph: Graph) -> tuple[Page, ...]:
    """The pages of a graph: every path from an independent to a dependent is on exactly
    one of them, so the Jacobian is the sum of the pages' Jacobians.

    The number of pages may grow exponentially and is cut off at MOST.
    O(size · edges / 64) for each.
    """
    found: list[Page] = []
    waiting = [graph.reduced()]
    while waiting:
        page = waiting.pop()
        if not page.edges:
            continue
        waist = _waist(page)
        if waist is None:
            found += _pairs(page)
            continue
        lower, upper = waist
        through = _through(_through(page, lower), upper)
        found.append(Page(through.edges, lower, upper))
        rest = [_without(page, lower), _without(_through(page, lower), upper)]
        if len(found) + len(waiting) < MOST:
            waiting += reversed(rest)
        else:
            found += [Page(each.edges, None, None) for each in rest if each.edges]
    return tuple(found)


def _waist(graph: Graph) -> tuple[int, int] | None:
    """The vertices v and u of step 2, None if neither serves several ends."""
    middle = graph.intermediates()
    if not middle:
        return None
    r_degree, t_degree = _degrees(graph)
    depth, height = [0] * graph.size, [0] * graph.size
    for a, b in graph.edges:
        depth[b] = max(depth[b], depth[a] + 1)
    for a, b in reversed(graph.edges):
        height[a] = max(height[a], height[b] + 1)
    upper = max(middle, key=lambda v: (r_degree[v], -height[v], -v))
    if r_degree[upper] == 1:  # no vertex serves several dependents: look at all
        lower = max(middle, key=lambda v: (t_degree[v], -depth[v], -v))
        return None if t_degree[lower] == 1 else (lower, lower)
    leading = bytearray(graph.size)
    leading[upper] = 1
    for a, b in reversed(graph.edges):
        leading[a] |= leading[b]
    below = [v for v in middle if leading[v]]
    return max(below, key=lambda v: (t_degree[v], -depth[v], -v)), upper


def _degrees(graph: Graph) -> tuple[list[int], list[int]]:
    """The r-degrees and t-degrees of all vertices."""
    below, above = [0] * graph.size, [0] * graph.size
    for i, y in enumerate(graph.dependents):
        below[y] = 1 << i
    for i, x in enumerate(graph.independents):
        above[x] = 1 << i
    for a, b in graph.edges:
        above[b] |= above[a]
    for a, b in reversed(graph.edges):
        below[a] |= below[b]
    return [s.bit_count() for s in below], [s.bit_count() for s in above]


def _pairs(graph: Graph) -> list[Page]:
    """One page for each independent and dependent that are joined.

    Required: every intermediate serves one pair only, so each edge belongs to one.
    """
    first, last = list(range(graph.size)), list(range(graph.size))
    ends = {*graph.independents, *graph.dependents}
    for a, b in graph.edges:
        if b not in ends:
            first[b] = first[a]
    for a, b in reversed(graph.edges):
        if a not in ends:
            last[a] = last[b]
    pairs: dict[Edge, list[Edge]] = {}
    for a, b in graph.edges:
        pairs.setdefault((first[a], last[b]), []).append((a, b))
    return [Page(tuple(edges), None, None) for _, edges in sorted(pairs.items())]


def _kept(graph: Graph, edges: list[Edge]) -> Graph:
    classes = dict(zip(graph.edges, graph.classes, strict=True))
    kept = {edge: classes[edge] for edge in edges}
    return graph.with_edges(kept).reduced()


def _without(graph: Graph, v: int) -> Graph:
    """The paths that avoid v."""
    return _kept(graph, [edge for edge in graph.edges if v not in edge])


def _through(graph: Graph, v: int) -> Graph:
    """The paths through v."""
    leading, led = bytearray(graph.size), bytearray(graph.size)
    leading[v] = led[v] = 1
    for a, b in graph.edges:
        led[b] |= led[a]
    for a, b in reversed(graph.edges):
        leading[a] |= leading[b]
    # an edge that jumps over v joins a vertex above v with one below v
    return _kept(graph, [(a, b) for a, b in graph.edges if leading[b] or led[a]])
