"""A straight program over whole arrays as a graph whose labels are linear maps.

The caller says which partials a statement has: for matrices those that can be composed,
for a picture any.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass
from ad_transform.derive.accumulation.partials import transmits
from ad_transform.derive.vectors.local import Map, Unknown, local
from ad_transform.derive.vectors.written import Written
from ad_transform.eliminate.linear import FullMaps, Identity, Label
from ad_transform.graph.computational import Edge, EdgeClass, Graph
from ad_transform.ir.dims import Dims
from ad_transform.ir.nodes import Apply, Operand, Statement, Var

if TYPE_CHECKING:
    from ad_transform.eliminate.linear.planned import VectorPlan

Partials = Callable[
    [Written, Statement, Sequence[int]], Iterator[tuple[Var, Operand, Map]]
]
"""The partials of a statement, each as a value, an input at one of the places, and a
map."""


@dataclass(frozen=True, slots=True)
class VectorGraph:
    """A graph with dims, the labels of its edges, and the vertices of both ends.

    A target is None where a row does not depend on any column. `values` has the values
    of the vertices, but for copies.
    """

    graph: Graph
    labels: dict[Edge, Label[Operand]]
    sources: tuple[int, ...]
    targets: tuple[int | None, ...]
    values: Mapping[int, Var]


@dataclass(frozen=True, slots=True)
class VectorTrail:
    """The history of matrices: the arrays, and the graph before the first step."""

    arrays: Written
    drawn: VectorGraph
    plan: VectorPlan


def composable(
    arrays: Written, statement: Statement, places: Sequence[int]
) -> Iterator[tuple[Var, Operand, Map]]:
    """The partials that can be composed; raises Unknown for statements with blocks and
    for partials that are no such maps.
    """
    if not isinstance(statement, Apply):
        raise Unknown
    smooth = [k for k in places if transmits(statement, k)]
    if smooth and not _fits(arrays, shape_of(statement.out)):
        raise Unknown
    for k in smooth:
        yield statement.out, statement.args[k], local(arrays, statement, k)


def _fits(arrays: Written, shape: Dims) -> bool:
    """Whether a matrix of so many rows or columns can be written."""
    return len(shape) <= 1 and arrays.knows(shape)


def drawn(
    arrays: Written,
    body: Sequence[Statement],
    columns: Sequence[Var],
    rows: Sequence[Operand],
    partials: Partials = composable,
) -> VectorGraph:
    """The graph of rows over columns; partials are written behind the body.

    Raises Unknown where a statement has blocks or a partial that is no such map.
    """
    ends = all(arrays.knows(shape_of(row)) for row in rows)
    if not ends or not all(_fits(arrays, shape_of(column)) for column in columns):
        raise Unknown
    return sketched(arrays, body, columns, rows, partials)


def sketched(
    arrays: Written,
    body: Sequence[Statement],
    columns: Sequence[Var],
    rows: Sequence[Operand],
    partials: Partials,
) -> VectorGraph:
    """The graph of rows over columns by these partials."""
    vertex: dict[Operand, int] = {}
    dims: dict[int, Dims] = {}
    edges: dict[Edge, list[Map]] = {}

    def add(shape: Dims) -> int:
        dims[len(dims)] = shape
        return len(dims) - 1

    for column in columns:
        vertex[column] = add(shape_of(column))
    for statement in body:
        active = [k for k, a in enumerate(statement.inputs) if a in vertex]
        if not active or not any(out.type.is_real for out in statement.outs):
            continue
        for out, arg, partial in partials(arrays, statement, active):
            if out not in vertex:
                vertex[out] = add(shape_of(out))
            edges.setdefault((vertex[arg], vertex[out]), []).append(partial)
    uses = Counter(rows)
    inner = {u for u, _ in edges} | {vertex[c] for c in columns}
    values = {v: x for x, v in vertex.items() if isinstance(x, Var)}
    targets: list[int | None] = []
    for row in rows:
        end = vertex.get(row)
        if end is not None and (end in inner or uses[row] > 1):
            copy = add(dims[end])
            edges[end, copy] = [Identity(dims[end])]
            end = copy
        targets.append(end)
    sources = tuple(vertex[column] for column in columns)
    graph = _graph(dims, edges, sources, tuple(targets))
    labels = _labels(graph, edges, arrays)
    ends = tuple(t if t in graph.dependents else None for t in targets)
    return VectorGraph(graph, labels, sources, ends, values)


def shape_of(value: Operand) -> Dims:
    """The dims of a whole array, or of a list: an unread list is a whole array."""
    return value.type.shape or value.type.dims


def _graph(
    dims: dict[int, Dims],
    edges: dict[Edge, list[Map]],
    sources: tuple[int, ...],
    targets: tuple[int | None, ...],
) -> Graph:
    """The graph between sources and targets, without targets that no source reaches."""
    reached = set(sources)
    for u, v in sorted(edges):
        if u in reached:
            reached.add(v)
    ends = tuple(t for t in targets if t in reached and t is not None)
    needed = set(ends)
    for u, v in sorted(edges, key=lambda edge: -edge[1]):
        if v in needed:
            needed.add(u)
    kept = [e for e in edges if needed.issuperset(e)]
    classes = dict.fromkeys(kept, EdgeClass.VARIABLE)
    return Graph.build(len(dims), sources, ends, classes, dims)


def _labels(
    graph: Graph, edges: dict[Edge, list[Map]], arrays: Written
) -> dict[Edge, Label[Operand]]:
    """For each edge of the graph the sum of its partials."""
    algebra = FullMaps(arrays)
    labels: dict[Edge, Label[Operand]] = {}
    kept = frozenset(graph.edges)
    for edge in (e for e in edges if e in kept):
        label: Label[Operand] = ()
        for one in edges[edge]:
            label = algebra.add(label, (one,), *edge)
        labels[edge] = label
    return labels
