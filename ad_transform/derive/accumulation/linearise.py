"""From built statements to a linearised computational graph with lazy labels.

Relies on: the builder's body binds every value once, in order. Establishes: vertices
are numbered topologically; every edge carries the partials of its operation, unformed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from ad_transform.dataclass import dataclass
from ad_transform.derive.accumulation.partials import (
    Partial,
    constant_of,
    own_env,
    partials_of,
    template_of,
    transmits,
)
from ad_transform.graph.computational import EdgeClass, Graph
from ad_transform.ir import nodes
from ad_transform.ir.elemental import Elemental, Form
from ad_transform.ir.nodes import (
    Apply,
    Branch,
    Literal,
    Operand,
    Statement,
    Var,
)
from ad_transform.ir.template import (
    Name,
    parse_template,
)
from ad_transform.ir.types import FLOAT
from ad_transform.ir.typing import is_mixed

Edge = tuple[int, int]


@dataclass(slots=True, eq=False)
class Linearisation:
    """A graph, the partials of its labels, and the names and values of its vertices.

    `sources` and `targets` are the vertices of the columns and rows of the Jacobian; a
    target is None where a row does not depend on any column. `values` has the values of
    the vertices, but for copies, stages and seeds.
    """

    graph: Graph
    partials: dict[Edge, tuple[Partial, ...]]
    sources: tuple[int, ...]
    targets: tuple[int | None, ...]
    names: dict[int, str]
    values: dict[int, Var] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Bridge:
    """Values of a statement with blocks; each with the values that it depends on, and
    its partials by these, which are computed elsewhere.
    """

    rows: tuple[tuple[Var, tuple[tuple[Var, Operand], ...]], ...]


@dataclass(slots=True)
class _Sketch:
    """A graph while it is drawn."""

    size: int = 0
    vertex: dict[Operand, int] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    partials: dict[Edge, tuple[Partial, ...]] = field(default_factory=dict)
    perturbed: Mapping[Operand, Var] = field(default_factory=dict)
    numbers: Mapping[Operand, Literal] = field(default_factory=dict)

    def add(self, var: Var | None = None) -> int:
        number = self.size
        self.size += 1
        if var is not None:
            self.vertex[var] = number
            if var.hint:
                self.names[number] = var.hint
        return number

    def connect(self, u: int, v: int, partial: Partial) -> None:
        self.partials[u, v] = (*self.partials.get((u, v), ()), partial)

    def constant(self, u: int, v: int, value: Operand) -> None:
        self.connect(u, v, Partial(Name("c"), {"c": value}))


def linearise(
    body: Sequence[Statement],
    columns: Sequence[Var],
    rows: Sequence[Operand],
    *,
    staged: bool = False,
    tangents: Sequence[Sequence[Operand]] | None = None,
    adjoints: Sequence[Sequence[Operand]] | None = None,
    bridges: Sequence[tuple[int, Bridge]] = (),
    perturbed: Mapping[Operand, Var] | None = None,
    numbers: Mapping[Operand, Literal] | None = None,
) -> Linearisation:
    """The graph of `rows` over `columns`.

    `tangents` has the tangents of the columns, direction by direction: one vertex a
    direction stands before the columns and carries them on its edges, and these are the
    only sources. `adjoints` has those of the rows likewise: one vertex a direction
    stands behind the rows, and these are the only targets. `bridges` stand for the
    statements of the numbers given with them; other statements with blocks are no part
    of the graph, and those on arrays need bridges. With `staged`, quotients and their
    like are linearised in two stages. A value in `perturbed` has a column of its own
    added to it: its perturbation. Partials take a value in `numbers` for the number
    that it is, those of products and quotients if it is 0 or 1: else they share work
    with the value. Linear.
    """
    sketch = _Sketch(perturbed=perturbed or {}, numbers=numbers or {})
    sources = _begin(sketch, columns, tangents)
    at = dict(bridges)
    for place, statement in enumerate(body):
        if place in at:
            _draw_bridge(sketch, at[place])
        elif isinstance(statement, Apply):
            _draw_apply(sketch, statement, staged)
        elif statement.blocks or _is_inert(statement):
            continue
        elif not sketch.vertex.keys().isdisjoint(statement.inputs):
            raise ValueError(f"cannot linearise {statement.label}")  # a call
    targets = _end(sketch, rows, adjoints, set(sources))
    return _drawn(sketch, sources, targets)


def _begin(
    sketch: _Sketch,
    columns: Sequence[Var],
    tangents: Sequence[Sequence[Operand]] | None,
) -> list[int]:
    if tangents is None:
        return [sketch.add(x) for x in columns]
    sources = [sketch.add() for _ in tangents]
    inputs = [sketch.add(x) for x in columns]
    for source, direction in zip(sources, tangents, strict=True):
        for v, tangent in zip(inputs, direction, strict=True):
            if not is_zero(tangent):
                sketch.constant(source, v, tangent)
    return sources


_FACTORS = Form.PRODUCT, Form.QUOTIENT


def _draw_apply(sketch: _Sketch, statement: Apply, staged: bool) -> None:
    vertex, op, args = sketch.vertex, statement.op, statement.args
    active = [k for k, a in enumerate(args) if a in vertex]
    own_error = sketch.perturbed.get(statement.out)
    if not (active or own_error) or not statement.out.type.is_real:
        return
    if op.layout is not None or is_mixed(op, statement.out.type, args):
        if not any(transmits(statement, k) for k in active):
            return  # of an array it reads the length alone
        # a vertex is a number; arrays are swept
        raise ValueError(f"cannot linearise {op.name}")
    if sketch.numbers:
        args = tuple(_number(sketch.numbers, op, a) for a in args)
    two_stages = bool(staged and op.common and len(active) > 1)
    templates = op.parts if two_stages else partials_of(op, args)
    read = statement.args
    edges = [(vertex[read[k]], k, template_of(op, args, templates, k)) for k in active]
    if not (own_error or any(template for _, _, template in edges)):
        return
    env: dict[str, Any] = {**op.bind(args), "v": statement.out}
    stage = sketch.add() if two_stages else None
    v = sketch.add(statement.out)
    for u, k, template in edges:
        if template is not None:
            own = own_env(op, args, env, k) if op.variadic else env
            sketch.connect(u, v if stage is None else stage, Partial(template, own))
    if stage is not None:
        sketch.connect(stage, v, Partial(parse_template(op.common), env))
    if own_error is not None:
        sketch.constant(vertex[own_error], v, Literal(1.0))


def _number(
    numbers: Mapping[Operand, Literal], op: Elemental, value: Operand
) -> Operand:
    """The number that a value is, for operations whose partials need it."""
    number = numbers.get(value)
    if number is None or (op.form in _FACTORS and number.value not in (0, 1)):
        return value
    return number


def _is_inert(statement: Statement) -> bool:
    """Whether derivatives pass a statement by: a check, a call of known partials, or a
    statement without a real result.
    """
    if not any(out.type.is_real for out in statement.outs):
        return True
    return isinstance(statement, nodes.Call) and statement.inert


def opaque(body: Sequence[Statement]) -> list[tuple[int, Bridge]]:
    """Bridges for a graph that is only looked at. Every real value of a branch, loop or
    call depends on every real one that it reads, by unknown partials. An array is a
    vertex, and another one after every change.
    """
    return [
        (place, _opaque(statement))
        for place, statement in enumerate(body)
        if statement.blocks
        or is_on_arrays(statement)
        or isinstance(statement, nodes.Call)
    ]


def is_on_arrays(statement: Statement) -> bool:
    """Whether it is an operation on arrays: these have transposes, not partials."""
    if not isinstance(statement, Apply):
        return False
    mixed = is_mixed(statement.op, statement.out.type, statement.args)
    return mixed or statement.op.layout is not None


def _opaque(statement: Statement) -> Bridge:
    args: Sequence[Operand] = statement.inputs
    if isinstance(statement, Apply):
        args = [a for k, a in enumerate(args) if transmits(statement, k)]
    elif isinstance(statement, Branch):
        pairs = zip(statement.args, statement.then.params, strict=True)
        args = [a for a, param in pairs if param.type.is_real]
    read = [a for a in args if isinstance(a, Var)]
    real = (out for out in statement.outs if out.type.is_real)
    return Bridge(tuple((out, tuple((a, Var(FLOAT)) for a in read)) for out in real))


def _draw_bridge(sketch: _Sketch, bridge: Bridge) -> None:
    for out, partials in bridge.rows:
        edges = [
            (u, partial)
            for u, partial in partials
            if u in sketch.vertex and not is_zero(partial)
        ]
        if edges:
            v = sketch.add(out)
            for u, partial in edges:
                sketch.constant(sketch.vertex[u], v, partial)


def is_zero(operand: Operand) -> bool:
    """Whether an operand is the number 0, which no edge carries."""
    return isinstance(operand, Literal) and operand.value == 0


def _end(
    sketch: _Sketch,
    rows: Sequence[Operand],
    adjoints: Sequence[Sequence[Operand]] | None,
    sources: set[int],
) -> list[int | None]:
    ends = [sketch.vertex.get(r) for r in rows]
    if adjoints is not None:
        seeds = [sketch.add() for _ in adjoints]
        for target, direction in zip(seeds, adjoints, strict=True):
            for end, adjoint in zip(ends, direction, strict=True):
                if end is not None and not is_zero(adjoint):
                    sketch.constant(end, target, adjoint)
        return list(seeds)
    inner = {u for u, _ in sketch.partials} | sources
    uses = Counter(ends)
    targets: list[int | None] = []
    for end in ends:
        shared = end in inner or uses[end] > 1
        targets.append(_copy(sketch, end) if end is not None and shared else end)
    return targets


def _copy(sketch: _Sketch, end: int) -> int:
    """A vertex of its own for a dependent that is read further."""
    copy = sketch.add()
    if end in sketch.names:
        sketch.names[copy] = sketch.names[end]
    sketch.constant(end, copy, Literal(1.0))
    return copy


def _drawn(
    sketch: _Sketch, sources: list[int], targets: list[int | None]
) -> Linearisation:
    values = {v: k for k, v in sketch.vertex.items() if isinstance(k, Var)}
    return drawn(sketch.partials, sketch.size, sources, targets, sketch.names, values)


def drawn(
    partials: dict[Edge, tuple[Partial, ...]],
    size: int,
    sources: Sequence[int],
    targets: Sequence[int | None],
    names: dict[int, str],
    values: dict[int, Var],
) -> Linearisation:
    """The linearisation of so many vertices with these edges, without those that lead
    to no target.
    """
    edges = {edge: _edge_class(found) for edge, found in partials.items()}
    reached = {v for _, v in edges}
    ends = [t for t in targets if t is not None and t in reached]
    needed = _needed(edges, size, ends, sources)
    kept = {e: c for e, c in edges.items() if e[0] in needed and e[1] in needed}
    graph = Graph.build(size, sources, ends, kept)
    live = tuple(t if t in reached else None for t in targets)
    return Linearisation(graph, partials, tuple(sources), live, names, values)


def _needed(
    edges: Mapping[Edge, EdgeClass], size: int, ends: list[int], sources: Sequence[int]
) -> set[int]:
    predecessors: list[list[int]] = [[] for _ in range(size)]
    for u, v in edges:
        predecessors[v].append(u)
    needed = {*ends, *sources}
    stack = list(ends)
    while stack:
        for u in predecessors[stack.pop()]:
            if u not in needed:
                needed.add(u)
                stack.append(u)
    return needed


def _edge_class(partials: tuple[Partial, ...]) -> EdgeClass:
    return max(map(_partial_class, partials))


def _partial_class(partial: Partial) -> EdgeClass:
    value = constant_of(partial.template, partial.env)
    if value is None:
        return EdgeClass.VARIABLE
    return EdgeClass.UNIT if value in (1, -1) else EdgeClass.CONSTANT
