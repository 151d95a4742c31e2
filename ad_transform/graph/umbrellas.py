"""Umbrellas: contractible subgraphs that are scalar functions (Murota & Kubota 1989).

An umbrella is a contractible subgraph with one maximal vertex; a closed umbrella has
one minimal vertex too. All functions look at the reduced graph only.
"""

from __future__ import annotations

from ad_transform.dataclass import dataclass
from ad_transform.graph.computational import Edge, Graph
from ad_transform.graph.contractible import Subgraph
from ad_transform.graph.dominators import ROOT, dominators, post_dominators


@dataclass(frozen=True, slots=True)
class CopyingUmbrella:
    """A maximal umbrella of the graph in which the edges `copied` have been copied.

    `vertices` is the paper's V_k, ascending; `top` is its maximal vertex. `copied` is
    S_k: the edges from outside to vertices of `vertices` that have predecessors inside
    too; then `vertices` and the copies induce the umbrella. `enclosed` are the vertices
    that are interior in it, `interior` all intermediate ones but `top`: those become
    interior if all edges from outside are copied, and cost no more than the copies
    would (research/elimination.md counts these).
    """

    vertices: tuple[int, ...]
    top: int
    copied: tuple[Edge, ...]
    enclosed: tuple[int, ...]
    interior: tuple[int, ...]


def closed_chains(graph: Graph) -> tuple[tuple[int, ...], ...]:
    """The components, of at least two vertices, of the intersection of both trees.

    For any two vertices u < v of a chain there is a closed umbrella from u to v, and
    there are no others (Prop. 4.1: u dominates v and v post-dominates u). Chains are
    disjoint and come by ascending first vertex, but the umbrella of one may lie inside
    that of another. O(edges log size).
    """
    reduced = graph.reduced()
    above, below = dominators(reduced), post_dominators(reduced)
    chains: dict[int, list[int]] = {}
    for u in range(graph.size - 1, -1, -1):
        v = below[u]
        if v >= 0 and above[v] == u:
            chains[u] = chains.pop(v, [v])
            chains[u].append(u)
    return tuple(tuple(reversed(chains[u])) for u in sorted(chains))


def maximal_closed_umbrellas(graph: Graph) -> tuple[Subgraph, ...]:
    """The maximal closed umbrellas, by ascending minimal vertex; they are disjoint.

    These are the umbrellas from the first to the last vertex of those chains that do
    not lie inside another umbrella. A single edge may be one. O(edges log size).
    """
    after = graph.reduced().successors()
    covered = bytearray(graph.size)
    found: list[Subgraph] = []
    for chain in closed_chains(graph):  # an umbrella starts before those inside it
        u, v = chain[0], chain[-1]
        if covered[u]:
            continue
        edges: list[Edge] = []
        inside = [u]
        covered[u] = covered[v] = 1
        for a in inside:  # grows while it is read
            for b in after[a]:
                edges.append((a, b))
                if not covered[b]:
                    covered[b] = 1
                    inside.append(b)
        found.append(Subgraph.spanned(edges))
    return tuple(found)


def maximal_umbrellas(graph: Graph) -> tuple[Subgraph, ...]:
    """The maximal umbrellas of the graph as it is, by descending maximal vertex; they
    are disjoint. A single edge may be one.

    The largest umbrella of a vertex is inside that of a later vertex, or is maximal. At
    most O(size · edges), and linear where umbrellas are small. Source: Murota & Kubota
    1989, Prop. 3.3.
    """
    reduced = graph.reduced()
    before, after = reduced.predecessors(), reduced.successors()
    covered = bytearray(graph.size)
    found: list[Subgraph] = []
    for top in range(graph.size - 1, -1, -1):
        if covered[top] or not before[top]:
            continue
        edges = _largest(top, before, after)
        if edges:
            found.append(Subgraph.spanned(edges))
            for u, v in edges:
                covered[u] = covered[v] = 1
    return tuple(found)


def _largest(top: int, before: list[list[int]], after: list[list[int]]) -> list[Edge]:
    """The edges of the largest umbrella with this maximal vertex, if there is one.

    Its other vertices have all their successors in it, and all their predecessors or
    none.
    """
    inside = {top}
    left: dict[int, int] = {}
    reached = [top]
    for w in reached:  # grows while it is read
        for u in before[w]:
            left[u] = left.get(u, len(after[u])) - 1
            if not left[u]:
                inside.add(u)
                reached.append(u)
    minimal: set[int] = set()
    stack = [w for w in reached if not inside.issuperset(before[w])]
    while stack:
        w = stack.pop()
        if w in minimal:
            continue
        minimal.add(w)
        for u in before[w]:
            if u in inside:
                inside.remove(u)
                stack += [u, *after[u]]
    return [(u, w) for w in inside - minimal for u in before[w]]


def maximal_copying_umbrellas(graph: Graph) -> tuple[CopyingUmbrella, ...]:
    """The maximal umbrellas when variables may be copied, by ascending `top`.

    They partition the live vertices: two vertices belong together if they have the same
    ancestor next to the root of the post-dominator tree (Prop. 4.2, V_k, U_k, S_k).
    Most of them have no interior. O(edges log size).
    """
    reduced = graph.reduced()
    below = post_dominators(reduced)
    top = [-1] * graph.size
    members: dict[int, list[int]] = {}
    for v in range(graph.size - 1, -1, -1):
        if below[v] >= ROOT:
            top[v] = v if below[v] == ROOT else top[below[v]]
            members.setdefault(top[v], []).append(v)
    before = reduced.predecessors()
    return tuple(
        _copying_umbrella(r, members[r][::-1], top, before) for r in sorted(members)
    )


def _copying_umbrella(
    r: int, vertices: list[int], top: list[int], before: list[list[int]]
) -> CopyingUmbrella:
    copied: list[Edge] = []
    enclosed: list[int] = []
    for v in vertices:
        outside = [u for u in before[v] if top[u] != r]
        if len(outside) < len(before[v]):  # some predecessors are inside
            copied += [(u, v) for u in outside]
            if v != r:
                enclosed.append(v)
    interior = tuple(v for v in vertices if before[v] and v != r)
    return CopyingUmbrella(tuple(vertices), r, tuple(copied), tuple(enclosed), interior)


def umbrella_counts(graph: Graph) -> tuple[int, int]:
    """The numbers of closed and of copying umbrellas that have an interior vertex.

    Only these are worth a contraction. Closed ones are counted once per chain, nested
    ones too, copying ones are the maximal ones.
    """
    after = graph.reduced().successors()
    closed = sum(
        1
        for chain in closed_chains(graph)
        if len(chain) > 2 or len(after[chain[0]]) > 1
    )
    copying = sum(1 for each in maximal_copying_umbrellas(graph) if each.interior)
    return closed, copying
