"""The engine that performs a step sequence on the labels of a graph.

It knows no arithmetic: labels are multiplied and added by an algebra that the caller
gives. With expressions for labels it writes derivative code, with numbers it evaluates,
with a counter it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import itemgetter
from typing import Any, Generic, TypeVar

from ad_transform.eliminate.algebra import Algebra
from ad_transform.eliminate.steps import (
    BackEliminateEdge,
    Contract,
    CopyVariable,
    EliminateFace,
    EliminatePair,
    EliminateVertex,
    Factorise,
    FrontEliminateEdge,
    Sequence,
    SplitLineVertex,
    SplitVertex,
    Step,
)
from ad_transform.graph.computational import Edge, EdgeClass, Graph
from ad_transform.later import later

with later():
    from ad_transform.eliminate.dstar import d_star
    from ad_transform.eliminate.faces import FaceState
    from ad_transform.eliminate.mirrored import Pair
    from ad_transform.graph.linegraph import LineGraph

L = TypeVar("L")

_first = itemgetter(0)


FAR = 100
"""The number of vertices above w after which the search for other paths is given up."""


def replay(
    graph: Graph,
    labels: Mapping[Edge, L],
    sequence: Sequence,
    algebra: Algebra[L],
) -> dict[Edge, L]:
    """The Jacobian as labels of the edges (independent, dependent) that are left.

    Entries that are structurally zero are absent; the keys come by independent, then by
    dependent number. The order of products and sums is that of `steps`.

    Raises ValueError for a step that does not apply and for a sequence that leaves an
    intermediate vertex; whatever the algebra raises (`Dearer`) goes through. Costs
    O(size + edges) and, per elimination, O(|P| |S|) calls of the algebra.
    """
    state = State(graph, labels, algebra)
    try:
        state.perform_all(sequence)
        return state.jacobian()
    finally:
        state.let_go()


class NoSuchEdge(ValueError):
    """A step names a vertex or an edge that is not there."""


class State(Generic[L]):
    """A graph under elimination: rows of labels by source, predecessor sets by target.

    Invariant: every edge lies on a path from an independent to a dependent; `rows` has
    no empty row and `columns` no empty set. After the first face step there is a line
    graph, `line`, instead.
    """

    def __init__(
        self, graph: Graph, labels: Mapping[Edge, L], algebra: Algebra[L]
    ) -> None:
        self.graph = graph
        self.algebra = algebra
        self._settle = getattr(algebra, "settle", None)
        self._watch = getattr(algebra, "watch", None)
        self._composes = getattr(algebra, "composes", None)
        self._copied = getattr(algebra, "copied", lambda vertex: algebra.unit)
        self.refused: list[Step] = []  # because labels do not compose
        self.rows: dict[int, dict[int, L]] = {}
        self.columns: dict[int, set[int]] = {}
        self.line: FaceState[L] | None = None
        self._ends = frozenset(graph.independents + graph.dependents)
        self._used = graph.size  # every number below is in use, or was
        self.origins: dict[int, int] = {}  # of copies and clones: a vertex of the graph
        live = graph.live()
        for u, v in graph.edges:
            if live[u] and live[v]:
                if (u, v) not in labels:
                    raise ValueError(f"edge {u} -> {v} has no label")
                self.rows.setdefault(u, {})[v] = labels[u, v]
                self.columns.setdefault(v, set()).add(u)
        if self._watch:
            self._watch(self)

    def let_go(self) -> None:
        """End the watch of the algebra: nothing refers to the state any more, and its
        memory is free at once.
        """
        if self._watch:
            self._watch(None)

    def perform_all(self, steps: Iterable[Step]) -> None:
        """Perform the steps in turn.

        A step that needs an edge which a refused step would have made is refused too.
        """
        for step in steps:
            try:
                if type(step) is EliminateVertex and self.line is None:  # mostly
                    self.eliminate_vertex(step.vertex)
                else:
                    self._perform(step)
            except NoSuchEdge:
                if not self.refused:
                    raise
                self.refused.append(step)

    def _perform(self, step: Step) -> None:
        if type(step) in _LINE_PERFORMERS:
            _LINE_PERFORMERS[type(step)](self.faces(), step)
        elif self.line is None:
            _PERFORMERS[type(step)](self, step)
        else:
            raise ValueError(f"no step of a line graph: {step}")

    def faces(self) -> FaceState[L]:
        """The line graph of the remaining graph, made when it is first asked for.

        Raises ValueError if labels may refuse to be composed: a partial elimination of
        faces leaves no graph that products with vectors could use.
        """
        if self._composes:
            raise ValueError("labels that may not compose have no steps on faces")
        if self.line is None:
            labels = {(u, v): x for u, row in self.rows.items() for v, x in row.items()}
            ends = self.graph.independents, self.graph.dependents
            line = LineGraph.of(tuple(sorted(labels)), *ends)
            self.line = FaceState(line, labels, self.algebra)
            self.let_go()
        return self.line

    def is_complete(self, u: int, w: int) -> bool:
        """Whether it is certain that nothing will be added to the label of u -> w.

        It is where no other path leads from u to w; that is not looked for far. While
        v is eliminated, u -> v -> w counts no more, but t -> v -> w does.
        """
        row, ends, columns = self.rows[u], self._ends, self.columns
        for v in row:
            if v != w and v not in ends:
                break
        else:
            return True
        above = [v for v in columns[w] if v not in ends and v != u]
        for v in above:  # grows while it is read
            if v in row or len(above) > FAR:
                return False
            above += [t for t in columns[v] if t not in ends]
        return True

    def jacobian(self) -> dict[Edge, L]:
        """The labels that are left; raises ValueError if an intermediate is."""
        if self.line is not None:
            return self.line.jacobian()
        dependents = frozenset(self.graph.dependents)
        entries: dict[Edge, L] = {}
        for x in self.graph.independents:
            row = self.rows.get(x, {})
            for y in sorted(row):
                if y not in dependents:
                    raise ValueError(f"the sequence leaves the intermediate vertex {y}")
                entries[x, y] = row[y]
        return entries

    def eliminate_vertex(self, v: int) -> None:
        """Eliminate v; nothing is done for a vertex without edges."""
        self._require_intermediate(v)
        sources = self.columns.get(v)
        if sources is None:
            return
        rows, columns = self.rows, self.columns
        multiply, add = self.algebra.multiply, self.algebra.add
        out = list(rows[v].items())
        if self._composes and self._refuses(EliminateVertex(v), sources, v, rows[v]):
            return
        if len(out) > 1:
            out.sort(key=_first)
        settle = self._settle
        if settle and len(sources) > 1:
            out = [(w, settle(label, v, w)) for w, label in out]
        del rows[v]
        for u in sorted(sources):
            row = rows[u]
            in_edge = row.pop(v)
            if settle and len(out) > 1:
                in_edge = settle(in_edge, u, v)
            for w, out_edge in out:
                product = multiply(out_edge, in_edge, u, v, w)
                if w in row:
                    row[w] = add(row[w], product, u, w)
                else:
                    row[w] = product
                    columns[w].add(u)
        for w, _ in out:
            columns[w].remove(v)
        del columns[v]

    def eliminate_pair(self, v: int, image: int) -> None:
        """Eliminate v and its mirror image, see `mirrored`."""
        self._require_intermediate(v)
        self._require_intermediate(image)
        if v in self.columns:
            Pair(self, v, image).eliminate()

    def front_eliminate(self, u: int, v: int) -> None:
        """Replace u -> v by edges from u to the successors of v."""
        self._require_edge(u, v)
        self._require_intermediate(v)
        if self._composes and self._refuses(
            FrontEliminateEdge(u, v), (u,), v, self.rows[v]
        ):
            return
        in_edge = self.rows[u].pop(v)
        self.columns[v].remove(u)
        for w, out_edge in sorted(self.rows[v].items(), key=_first):
            self._join(u, v, w, out_edge, in_edge)
        if not self.columns[v]:
            del self.columns[v]
            for w in self.rows.pop(v):
                self.columns[w].remove(v)

    def back_eliminate(self, u: int, v: int) -> None:
        """Replace u -> v by edges from the predecessors of u to v."""
        self._require_edge(u, v)
        self._require_intermediate(u)
        if self._composes and self._refuses(
            BackEliminateEdge(u, v), self.columns[u], u, (v,)
        ):
            return
        out_edge = self.rows[u].pop(v)
        self.columns[v].remove(u)
        for t in sorted(self.columns[u]):
            self._join(t, u, v, out_edge, self.rows[t][u])
        if not self.rows[u]:
            del self.rows[u]
            for t in self.columns.pop(u):
                del self.rows[t][u]

    def copy_variable(self, u: int, v: int, w: int) -> None:
        """Replace u -> v by u -> w -> v."""
        self._require_edge(u, v)
        self._require_new(w, u)
        self.rows[w] = {v: self.rows[u].pop(v)}
        self.rows[u][w] = self._copied(u)
        self.columns[v].remove(u)
        self.columns[v].add(w)
        self.columns[w] = {u}

    def split_vertex(
        self, v: int, clone: int, sources: tuple[int, ...], targets: tuple[int, ...]
    ) -> None:
        """Move the paths sources x targets from v to a clone."""
        self._require_intermediate(v)
        self._require_new(clone, v)
        row, column = self.rows.get(v, {}), self.columns.get(v, set())
        given, taken = set(sources), set(targets)
        if not (given and taken and given <= column and taken <= row.keys()):
            raise NoSuchEdge(f"vertex {v} has no such edges to split off")
        if given != column and taken != row.keys():
            raise NoSuchEdge(f"splitting vertex {v} leaves no vertex of the same kind")
        self.rows[clone] = {w: row[w] for w in targets}
        self.columns[clone] = given
        for u in sources:
            self.rows[u][clone] = self.rows[u][v]
        for w in targets:
            self.columns[w].add(clone)
        if given == column:
            for w in targets:
                del row[w]
                self.columns[w].remove(v)
        else:
            for u in sources:
                del self.rows[u][v]
                column.remove(u)
        if not row:
            del self.rows[v]
            for u in self.columns.pop(v):
                del self.rows[u][v]

    def factorise(self) -> None:
        """Replace the graph that is left by its Jacobian, by the D* strategy."""
        labels = {(u, v): x for u, row in self.rows.items() for v, x in row.items()}
        ends = self.graph.independents, self.graph.dependents
        classes = dict.fromkeys(sorted(labels), EdgeClass.VARIABLE)
        size = max(self.graph.size, 1 + max(map(max, labels), default=0))
        left = Graph.build(size, *ends, classes)
        self.let_go()
        self.rows, self.columns = {}, {}
        for (x, y), label in sorted(d_star(left, labels, self.algebra).items()):
            self.rows.setdefault(x, {})[y] = label
            self.columns.setdefault(y, set()).add(x)

    def _join(self, u: int, v: int, w: int, out_edge: L, in_edge: L) -> None:
        row = self.rows[u]
        product = self.algebra.multiply(out_edge, in_edge, u, v, w)
        if w in row:
            row[w] = self.algebra.add(row[w], product, u, w)
        else:
            row[w] = product
            self.columns[w].add(u)

    def _refuses(
        self, step: Step, sources: Iterable[int], v: int, targets: Iterable[int]
    ) -> bool:
        """Whether a product of the step has no label; then the step is noted."""
        assert self._composes
        targets = sorted(targets)
        for u in sorted(sources):
            for w in targets:
                if not self._composes(self.rows[v][w], self.rows[u][v], u, v, w):
                    self.refused.append(step)
                    return True
        return False

    def _require_intermediate(self, v: int) -> None:
        if v in self._ends:
            raise ValueError(f"vertex {v} is not intermediate")
        if not (0 <= v < self._used or v in self.origins):
            raise NoSuchEdge(f"there is no vertex {v}")

    def _require_edge(self, u: int, v: int) -> None:
        if v not in self.rows.get(u, {}):
            raise NoSuchEdge(f"there is no edge {u} -> {v}")

    def _require_new(self, w: int, of: int) -> None:
        if w < self._used or w in self.origins:
            raise ValueError(f"the number {w} is in use")
        self.origins[w] = self.origins.get(of, of)


def _contract(state: State[L], step: Contract) -> None:
    for v in reversed(step.interior):
        state.eliminate_vertex(v)


# fmt: off
_PERFORMERS: dict[type, Callable[[State[Any], Any], None]] = {
    EliminateVertex:    lambda s, e: s.eliminate_vertex(e.vertex),
    EliminatePair:      lambda s, e: s.eliminate_pair(e.vertex, e.image),
    FrontEliminateEdge: lambda s, e: s.front_eliminate(e.source, e.target),
    BackEliminateEdge:  lambda s, e: s.back_eliminate(e.source, e.target),
    CopyVariable:       lambda s, e: s.copy_variable(e.source, e.target, e.copy),
    SplitVertex:        lambda s, e: s.split_vertex(
        e.vertex, e.clone, e.predecessors, e.successors),
    Contract:           _contract,
    Factorise:          lambda s, e: s.factorise(),
}
_LINE_PERFORMERS: dict[type, Callable[[FaceState[Any], Any], None]] = {
    EliminateFace:      lambda s, e: s.eliminate(e.source, e.target),
    SplitLineVertex:    lambda s, e: s.split(
        e.vertex, e.clone, set(e.predecessors), set(e.successors)),
}
# fmt: on
