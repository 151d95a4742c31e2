"""Partial eliminations, and products of the Jacobian with vectors over the rest.

An elimination may end early: because its sequence does (`scarcity.fewest_edges`), or
because labels refuse to be composed. The remainder is a smaller graph with the same
Jacobian, and a product with a vector is one sweep over its edges. Source: Griewank &
Vogel 2005; Griewank & Walther 2008, section 3.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import heapify, heappop, heappush
from typing import Generic, Protocol, TypeVar

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.algebra import Algebra
from ad_transform.eliminate.replay import State
from ad_transform.eliminate.steps import Step
from ad_transform.graph.computational import Edge, Graph

L = TypeVar("L")
V = TypeVar("V")
L_contra = TypeVar("L_contra", contravariant=True)


class Products(Protocol[L_contra, V]):
    """The application of labels to vectors."""

    def apply(self, label: L_contra, x: V) -> V:
        """The label times x."""
        ...

    def apply_transposed(self, label: L_contra, y: V) -> V:
        """The transposed label times y."""
        ...

    def plus(self, a: V, b: V) -> V:
        """The sum of two vectors."""
        ...


@dataclass(frozen=True, slots=True)
class Remainder(Generic[L]):
    """The rest of a graph after an elimination: edges with labels, and the refused
    steps.

    `order` has the vertices that have edges, sources before targets. `labels` are
    sorted by edge.
    """

    independents: tuple[int, ...]
    dependents: tuple[int, ...]
    order: tuple[int, ...]
    labels: Mapping[Edge, L]
    refused: tuple[Step, ...]

    @property
    def complete(self) -> bool:
        """Whether no intermediate vertex is left: the labels are the Jacobian."""
        ends = {*self.independents, *self.dependents}
        return ends.issuperset(self.order)


def partial(
    graph: Graph,
    labels: Mapping[Edge, L],
    sequence: Iterable[Step],
    algebra: Algebra[L],
) -> Remainder[L]:
    """The remainder of a sequence that may end early or be refused in parts.

    Raises ValueError as `replay` does, but for intermediate vertices that are left, and
    for a sequence that has steps on faces.
    """
    state = State(graph, labels, algebra)
    state.perform_all(sequence)
    if state.line is not None:
        raise ValueError("an elimination of faces leaves no graph")
    kept = {
        (u, v): row[v] for u, row in sorted(state.rows.items()) for v in sorted(row)
    }
    return Remainder(
        graph.independents,
        graph.dependents,
        _sorted(kept),
        kept,
        tuple(state.refused),
    )


def jvp(
    left: Remainder[L], x_dot: Mapping[int, V], products: Products[L, V]
) -> dict[int, V]:
    """The Jacobian times a vector: the tangents of the dependents by vertex.

    `x_dot` has the tangents of independents; one that is missing is zero. A dependent
    that none of them reaches is missing in the result, as it is zero. Every edge is
    applied at most once. The terms of a sum come by the place of their source.
    """
    tangents = {x: x_dot[x] for x in left.independents if x in x_dot}
    after = _lists(left.labels)
    for u in left.order:
        if u in tangents:
            for v in after.get(u, ()):
                term = products.apply(left.labels[u, v], tangents[u])
                _absorb(tangents, v, term, products)
    return {y: tangents[y] for y in left.dependents if y in tangents}


def vjp(
    left: Remainder[L], y_bar: Mapping[int, V], products: Products[L, V]
) -> dict[int, V]:
    """A vector times the Jacobian: the adjoints of the independents by vertex.

    As `jvp`, from the dependents back.
    """
    adjoints = {y: y_bar[y] for y in left.dependents if y in y_bar}
    before = _lists((v, u) for u, v in left.labels)
    for v in reversed(left.order):
        if v in adjoints:
            for u in before.get(v, ()):
                term = products.apply_transposed(left.labels[u, v], adjoints[v])
                _absorb(adjoints, u, term, products)
    return {x: adjoints[x] for x in left.independents if x in adjoints}


def _absorb(
    vectors: dict[int, V], vertex: int, term: V, products: Products[L, V]
) -> None:
    old = vectors.get(vertex)
    vectors[vertex] = term if old is None else products.plus(old, term)


def _lists(edges: Iterable[Edge]) -> dict[int, list[int]]:
    """The targets by source, in the order of the edges."""
    lists: dict[int, list[int]] = {}
    for u, v in edges:
        lists.setdefault(u, []).append(v)
    return lists


def _sorted(edges: Iterable[Edge]) -> tuple[int, ...]:
    """The vertices with sources before targets; of several the smallest number first.

    Numbers alone are no such order: a copy has a greater one than its successors.
    """
    after = _lists(edges)
    waiting = {v: 0 for u, row in after.items() for v in (u, *row)}
    for row in after.values():
        for v in row:
            waiting[v] += 1
    free = [v for v, count in waiting.items() if not count]
    heapify(free)
    order = []
    while free:
        u = heappop(free)
        order.append(u)
        for v in after.get(u, ()):
            waiting[v] -= 1
            if not waiting[v]:
                heappush(free, v)
    return tuple(order)
