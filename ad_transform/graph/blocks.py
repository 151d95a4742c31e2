"""Simple chains and blocks, reference edges, and complex blocks.

After Notes on Jacobian accumulation, section 3. A *chain* is a path whose inner
vertices have one predecessor and one successor each; a *block* is the part between two
vertices u and w if at least two paths that share no inner vertex join them and no inner
vertex has an edge to or from outside. Both can be replaced by one *reference edge* from
u to w, which may make new chains. A part made of edges, chains and blocks in this way
is *simple* (series-parallel); it is an algebraic expression that uses every label once.
A block that is not simple is *complex*.

(The scan has lost the formulas of Definitions 3.1 to 3.3. In 3.3, "every outgoing edge
of the source" is read as: every one that belongs to the block.)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TypeAlias

from ad_transform.dataclass import dataclass
from ad_transform.graph.computational import Edge, Graph
from ad_transform.graph.dominators import dominators, post_dominators


@dataclass(frozen=True, slots=True)
class Chain:
    """Parts one behind the other, at least two, none of which is a chain."""

    source: int
    sink: int
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """Parts side by side, at least two, none of which is a block."""

    source: int
    sink: int
    parts: tuple[Part, ...]


Part: TypeAlias = Edge | Chain | Block
"""An edge of the graph, or the chain or block of a reference edge."""


@dataclass(frozen=True, slots=True)
class ComplexBlock:
    """A block that is not simple: its inner vertices, ascending."""

    source: int
    sink: int
    interior: tuple[int, ...]


def simple_parts(graph: Graph) -> dict[Edge, Part]:
    """The edges left when all simple chains and blocks have been replaced, in order,
    each with the part that it stands for.

    An inner vertex is never an independent or dependent. The result does not depend on
    the order of replacements, but for the order of parts side by side. O(size + edges),
    with a factor log size for nested parts.
    """
    reduced = graph.reduced()
    rows: list[dict[int, _Node]] = [{} for _ in range(graph.size)]
    columns: list[dict[int, None]] = [{} for _ in range(graph.size)]
    for u, v in reduced.edges:
        rows[u][v] = _Node(None, u, v, deque())
        columns[v][u] = None
    waiting = list(reversed(reduced.intermediates()))
    while waiting:
        v = waiting.pop()
        if len(rows[v]) != 1 or len(columns[v]) != 1:
            continue
        (u,), (w,) = columns[v], rows[v]
        node = _joined(Chain, u, w, rows[u].pop(v), rows[v].pop(w))
        del columns[v][u], columns[w][v]
        if w in rows[u]:
            node = _joined(Block, u, w, rows[u][w], node)
            waiting += [x for x in (w, u) if columns[x] and rows[x]]
        rows[u][w] = node
        columns[w][u] = None
    left = [rows[u][w] for u in range(graph.size) for w in sorted(rows[u])]
    return {(node.source, node.sink): _frozen(node) for node in left}


@dataclass(slots=True)
class _Node:
    """A part that may still grow at either end; an edge has no kind."""

    kind: type[Chain] | type[Block] | None
    source: int
    sink: int
    parts: deque[_Node]


def _joined(
    kind: type[Chain] | type[Block], u: int, w: int, first: _Node, second: _Node
) -> _Node:
    """Both parts as one of this kind; the longer list of parts is kept."""
    lists = [
        each.parts if each.kind is kind else deque([each]) for each in (first, second)
    ]
    if len(lists[0]) >= len(lists[1]):
        parts = lists[0]
        parts.extend(lists[1])
    else:
        parts = lists[1]
        parts.extendleft(reversed(lists[0]))
    return _Node(kind, u, w, parts)


def _frozen(node: _Node) -> Part:
    done: list[Part] = []
    waiting: list[tuple[_Node, bool]] = [(node, False)]
    while waiting:
        each, ready = waiting.pop()
        if each.kind is None:
            done.append((each.source, each.sink))
        elif ready:
            start = len(done) - len(each.parts)
            done[start:] = [each.kind(each.source, each.sink, tuple(done[start:]))]
        else:
            waiting.append((each, True))
            waiting += [(part, False) for part in reversed(each.parts)]
    return done[0]


def operations(part: Part) -> tuple[int, int]:
    """The multiplications and additions that a simple part takes."""
    multiplications = additions = 0
    waiting = [part]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Chain):
            multiplications += len(each.parts) - 1
            waiting += each.parts
        elif isinstance(each, Block):
            additions += len(each.parts) - 1
            waiting += each.parts
    return multiplications, additions


def expression(part: Part, name: Callable[[Edge], str]) -> str:
    """The part as a sum of products, from the source to the sink, with parentheses only
    where a sum is a factor."""
    pieces: list[str] = []
    waiting: list[Part | str] = [part]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            pieces.append(each)
        elif isinstance(each, Chain):
            for i, factor in enumerate(reversed(each.parts)):
                if i:
                    waiting.append("*")
                waiting += [")", factor, "("] if isinstance(factor, Block) else [factor]
        elif isinstance(each, Block):
            for i, term in enumerate(reversed(each.parts)):
                if i:
                    waiting.append(" + ")
                waiting.append(term)
        else:
            pieces.append(name(each))
    return "".join(pieces)


def complex_blocks(graph: Graph) -> tuple[ComplexBlock, ...]:
    """The complex blocks, by source, sink and smallest inner vertex.

    Required: the simple parts have been replaced, as every block that is found is taken
    for a complex one. The ends of a smallest block around a vertex are its immediate
    dominator and post-dominator. O(edges) for each pair of these.
    """
    reduced = graph.reduced()
    above, below = dominators(reduced), post_dominators(reduced)
    before, after = reduced.predecessors(), reduced.successors()
    pairs = {(above[v], below[v]) for v in reduced.intermediates()}
    found: list[ComplexBlock] = []
    for u, w in sorted(pairs):
        if u >= 0 and w >= 0:
            found += _between(u, w, before, after)
    return tuple(found)


def _between(
    u: int, w: int, before: list[list[int]], after: list[list[int]]
) -> list[ComplexBlock]:
    """The blocks from u to w: components of the vertices between them that no edge from
    or to the outside touches.
    """
    inner = _spread([u], after, w) & _spread([w], before, u)
    closed = False
    while not closed:
        outside = {
            v
            for v in sorted(inner)
            if any(x not in inner and x != u for x in before[v])
            or any(x not in inner and x != w for x in after[v])
        }
        inner -= outside
        closed = not outside
    blocks: list[ComplexBlock] = []
    while inner:
        part = [min(inner)]
        inner.remove(part[0])
        for v in part:  # grows while it is read
            near = [x for x in before[v] + after[v] if x in inner]
            inner.difference_update(near)
            part += dict.fromkeys(near)
        if len(part) > 1 and not _has_waist(u, w, sorted(part), after):
            blocks.append(ComplexBlock(u, w, tuple(sorted(part))))
    return blocks


def _has_waist(u: int, w: int, part: list[int], after: list[list[int]]) -> bool:
    """Whether some inner vertex is on all paths from u to w over these vertices."""
    above = dict.fromkeys([u, *part, w], 0)
    below = above.copy()
    above[u] = below[w] = 1
    for v in (u, *part):  # ascending, so topological
        for x in after[v]:
            if x in above:
                above[x] += above[v]
    for v in reversed((u, *part)):
        below[v] = sum(below.get(x, 0) for x in after[v])
    direct = w in after[u]
    total = above[w] - direct
    return not direct and any(above[v] * below[v] == total for v in part)


def _spread(start: list[int], onward: list[list[int]], stop: int) -> set[int]:
    """The vertices that edges lead to from `start` without passing `stop`."""
    found: set[int] = set()
    waiting = list(start)
    while waiting:
        for x in onward[waiting.pop()]:
            if x != stop and x not in found:
                found.add(x)
                waiting.append(x)
    return found
