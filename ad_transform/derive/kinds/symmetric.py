"""The symmetric graph of a gradient: the function, its mirror image, and between them
one edge for each pair of values whose product bends the function.

Vertices are the active values v of the function and, for each, its mirror image, the
adjoint of v, in reverse order: the image of vertex v is size - 1 - v. An edge u -> v
carries the partial of v by u, and so does its image, from the image of v to that of u.
An edge from u to the image of t carries the second partials of all values that are made
of u and t, times their adjoints; its image leads from t to the image of u and has the
same label. The Jacobian of this graph is the Hessian.

Sources: Gower & Mello 2012, A new framework for the computation of Hessians; Bhowmick &
Hovland 2008, A polynomial-time algorithm for detecting directed axial symmetry in
Hessian computational graphs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from ad_transform.dataclass import dataclass
from ad_transform.derive.accumulation.accumulate import OF_TEMPLATES, Task
from ad_transform.derive.accumulation.labels import UNIT, EdgeLabel, Labels
from ad_transform.derive.accumulation.linearise import (
    Edge,
    Linearisation,
    drawn,
    linearise,
)
from ad_transform.derive.accumulation.partials import Partial, partial_of, transmits
from ad_transform.derive.sweep.solve import accumulate
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Apply, Literal, Operand, Statement, Var
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.template import Call, Name
from ad_transform.ir.types import Type
from ad_transform.options import Options

_BENT = Call("mul", (Name("adjoint"), Name("second")))


@dataclass(frozen=True, slots=True)
class Symmetric:
    """The graph, with quotients in one stage and in two, and the gradient's entries as
    values of the builder.
    """

    graphs: tuple[Linearisation, Linearisation]
    slopes: tuple[Operand, ...]


def draw(
    builder: Builder,
    columns: Sequence[Var],
    row: Operand,
    tangents: Sequence[Operand] = (),
) -> Symmetric:
    """The symmetric graph of a straight function; adjoints and second partials of
    operations are added to the builder.

    With `tangents` of the columns vertex 0 is a seed, the only source, and its image
    is not there. Linear, but for second partials of operations of many arguments.
    """
    body = tuple(builder.body)
    plain, staged = (
        linearise(body, columns, (row,), staged=two_stages, numbers=builder.constants)
        for two_stages in (False, True)
    )
    first, slopes = _drawn(builder, body, plain, tangents)
    if staged.graph.size == plain.graph.size:
        return Symmetric((first, first), slopes)
    return Symmetric((first, _drawn(builder, body, staged, tangents)[0]), slopes)


def _drawn(
    builder: Builder,
    body: Sequence[Statement],
    plain: Linearisation,
    tangents: Sequence[Operand],
) -> tuple[Linearisation, tuple[Operand, ...]]:
    """The graph of a function and its image, and the gradient."""
    adjoints = _adjoints(builder, plain)
    place = _places(plain, adjoints, 1 if tangents else 0)
    size = 2 * len(place) + (2 if tangents else 0)
    last = size - 1
    partials: dict[Edge, tuple[Partial, ...]] = {}
    for u, v in plain.graph.edges:
        if u in place and v in place:
            a, b = place[u], place[v]
            partials[a, b] = partials[last - b, last - a] = plain.partials[u, v]
    for u, t, partial in _bends(builder, body, plain, adjoints):
        a, b = place[u], last - place[t]
        partials[a, b] = (*partials.get((a, b), ()), partial)
        partials[last - b, last - a] = partials[a, b]
    inputs = [place[v] for v in plain.sources]
    for a, tangent in zip(inputs, tangents, strict=False):
        partials[0, a] = (Partial(Name("c"), {"c": tangent}),)
    names = {k: plain.names[v] for v, k in place.items() if v in plain.names}
    names |= {last - k: f"{name}_bar" for k, name in names.items()}
    values = {place[v]: x for v, x in plain.values.items() if v in place}
    sources = [0] if tangents else inputs
    targets = [last - a for a in inputs]
    linear = drawn(partials, size, sources, targets, names, values)
    return linear, tuple(adjoints.get(v, Literal(0.0)) for v in plain.sources)


def _places(
    plain: Linearisation, adjoints: Mapping[int, Operand], first: int
) -> dict[int, int]:
    """New numbers for the inputs and the vertices between them and the result."""
    inner = (v for v in sorted(adjoints) if v not in plain.targets)
    kept = dict.fromkeys((*plain.sources, *inner))
    return {v: k for k, v in enumerate(kept, first)}


def _adjoints(builder: Builder, plain: Linearisation) -> dict[int, Operand]:
    """The adjoints of all values on the way to the result, in the builder."""
    (end,) = plain.targets
    if end is None:
        return {}
    live = plain.graph.live()
    names = plain.names
    labels = Labels(builder, lambda u, w: f"{names[u]}_bar" if u in names else "")
    into = plain.graph.predecessors()
    sums: dict[int, EdgeLabel] = {end: UNIT}
    adjoints: dict[int, Operand] = {}
    for v in range(end, -1, -1):
        if not live[v]:
            continue
        adjoints[v] = labels.operand(sums[v], v, end)
        for u in into[v]:
            if live[u]:
                term = labels.multiply(sums[v], plain.partials[u, v], u, v, end)
                sums[u] = labels.add(sums[u], term, u, end) if u in sums else term
    return adjoints


def _bends(
    builder: Builder,
    body: Sequence[Statement],
    plain: Linearisation,
    adjoints: Mapping[int, Operand],
) -> Iterator[tuple[int, int, Partial]]:
    """The second partials of every operation, each pair of arguments once."""
    number = {x: v for v, x in plain.values.items() if v in adjoints}
    for statement in body:
        if not isinstance(statement, Apply):
            continue
        v = number.get(statement.out)
        if v is None:
            continue
        for x, y, second in _seconds(builder, statement, number):
            env = {"adjoint": adjoints[v], "second": second}
            yield number[x], number[y], Partial(_BENT, env)


def _seconds(
    builder: Builder, statement: Apply, active: dict[Var, int]
) -> list[tuple[Var, Var, Operand]]:
    """The second partials of an operation, not 0, by its active arguments."""
    distinct = list(dict.fromkeys(a for a in statement.args if isinstance(a, Var)))
    args = tuple(distinct.index(a) if isinstance(a, Var) else a for a in statement.args)
    kinds = tuple((x.type, x in active) for x in distinct)
    spelled = repr([a for a in args if isinstance(a, Literal)])  # 2 is not 2.0
    template = _template(statement.op, statement.out.type, args, kinds, spelled)
    env: dict[Operand, Operand] = dict(
        zip(template.params, (*distinct, statement.out), strict=True)
    )
    for made in template.body:
        if isinstance(made, Apply):
            read = (env.get(a, a) for a in made.args)
            env[made.out] = builder.apply(made.op.name, *read)
        else:
            builder.simplify(made, env)
    return [
        (distinct[j], distinct[k], env.get(value, value))
        for j, k, value in template.entries
    ]


@dataclass(frozen=True, slots=True)
class _Template:
    """The second partials of an operation, as code over its arguments and its value."""

    params: tuple[Var, ...]
    body: tuple[Statement, ...]
    entries: tuple[tuple[int, int, Operand], ...]


@lru_cache(maxsize=1_000)
def _template(
    op: Elemental,
    result: Type,
    args: tuple[int | Literal, ...],
    kinds: tuple[tuple[Type, bool], ...],
    spelled: str,
) -> _Template:
    """The template of an operation. `args` has literals, which are also `spelled`, and
    numbers of variables; `kinds` has their types, and whether they are active.
    """
    builder = Builder(TABLE, LAWS)
    params = [Var(type_) for type_, _ in kinds]
    operands = tuple(params[a] if isinstance(a, int) else a for a in args)
    statement = Apply(Var(result), op, operands)
    builder.adopt(statement)
    columns = [k for k, (_, active) in enumerate(kinds) if active]
    slopes = {}
    for k in columns:
        total: Operand = Literal(0.0)
        for place, a in enumerate(args):
            if a == k and transmits(statement, place):
                partial = partial_of(builder, statement, place)
                total = builder.apply("add", total, partial)
        slopes[k] = total
    rows = tuple(slopes.values())
    variables = tuple(params[k] for k in columns)
    flat = (lambda m: tuple(e for row in m for e in row),)
    task = Task(variables, rows, flat, shares=OF_TEMPLATES)
    outcome = accumulate(builder, task, _PLAIN)
    found = iter(outcome.results)
    entries = []
    for j in columns:
        for k in columns:
            value = next(found)
            if k <= j and not (isinstance(value, Literal) and value.value == 0):
                entries.append((j, k, value))
    body = tuple(s for s in outcome.body if statement.out not in s.outs)
    return _Template((*params, statement.out), body, tuple(entries))


_PLAIN = Options().override(order="reverse", effort=1)
