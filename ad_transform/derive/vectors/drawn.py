"""A straight program over whole arrays as a graph whose labels are linear maps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ad_transform.dataclass import dataclass
from ad_transform.derive.linearise import transmits
from ad_transform.derive.vectors.local import Map, Unknown, local
from ad_transform.derive.vectors.written import Written
from ad_transform.eliminate.linear import FullMaps, Identity, Label
from ad_transform.graph.computational import Edge, EdgeClass, Graph
from ad_transform.ir.dims import Dims
from ad_transform.ir.nodes import Apply, Operand, Statement, Var


@dataclass(frozen=True, slots=True)
class VectorGraph:
    """A graph with dims, the labels of its edges, and the vertices of both ends.

    A target is None where a row does not depend on any column.
    """

    graph: Graph
    labels: dict[Edge, Label[Operand]]
    sources: tuple[int, ...]
    targets: tuple[int | None, ...]


def drawn(
    arrays: Written,
    body: Sequence[Statement],
    columns: Sequence[Var],
    rows: Sequence[Operand],
) -> VectorGraph:
    """The graph of rows over columns; partials are written behind the body.

    Raises Unknown where a statement has blocks or a partial that is no such map.
    """
    vertex: dict[Operand, int] = {}
    dims: dict[int, Dims] = {}
    edges: dict[Edge, list[Map]] = {}

    def add(shape: Dims) -> int:
        if len(shape) > 1 or not arrays.knows(shape):
            raise Unknown
        dims[len(dims)] = shape
        return len(dims) - 1

    if not all(arrays.knows(shape_of(row)) for row in rows):
        raise Unknown
    for column in columns:
        vertex[column] = add(shape_of(column))
    for statement in body:
        active = [k for k, a in enumerate(statement.inputs) if a in vertex]
        if not active or not any(out.type.is_real for out in statement.outs):
            continue
        if not isinstance(statement, Apply):
            raise Unknown
        smooth = [k for k in active if transmits(statement, k)]
        if not smooth:
            continue
        v = vertex[statement.out] = add(shape_of(statement.out))
        for k in smooth:
            edge = vertex[statement.args[k]], v
            edges.setdefault(edge, []).append(local(arrays, statement, k))
    uses = Counter(rows)
    inner = {u for u, _ in edges} | {vertex[c] for c in columns}
    targets: list[int | None] = []
    for row in rows:
        end = vertex.get(row)
        if end is not None and (end in inner or uses[row] > 1):
            copy = add(dims[end])
            edges[end, copy] = [Identity(dims[end])]
            end = copy
        targets.append(end)
    sources = tuple(vertex[column] for column in columns)
    return _graph(len(dims), dims, edges, sources, tuple(targets), arrays)


def shape_of(value: Operand) -> Dims:
    """The dims of a whole array, or of a list: one that nothing reads is one."""
    return value.type.shape or value.type.dims


def _graph(
    size: int,
    dims: dict[int, Dims],
    edges: dict[Edge, list[Map]],
    sources: tuple[int, ...],
    targets: tuple[int | None, ...],
    arrays: Written,
) -> VectorGraph:
    reached = set(sources)
    for u, v in sorted(edges):
        if u in reached:
            reached.add(v)
    ends = tuple(t for t in targets if t in reached and t is not None)
    needed = set(ends)
    for u, v in sorted(edges, key=lambda edge: -edge[1]):
        if v in needed:
            needed.add(u)
    kept = {e: maps for e, maps in edges.items() if needed.issuperset(e)}
    classes = dict.fromkeys(kept, EdgeClass.VARIABLE)
    graph = Graph.build(size, sources, ends, classes, dims)
    algebra = FullMaps(arrays)
    labels: dict[Edge, Label[Operand]] = {}
    for edge, maps in kept.items():
        label: Label[Operand] = ()
        for one in maps:
            label = algebra.add(label, (one,), *edge)
        labels[edge] = label
    return VectorGraph(
        graph, labels, sources, tuple(t if t in ends else None for t in targets)
    )
