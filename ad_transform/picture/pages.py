"""The graphs that are drawn for a derived function, and the text beside them.

By default these are the graphs that the emitted code comes from: merged, simplified
where the value allows it, seeds included; a second derivative has two. Under
`--cost fma` it is the one graph of `--explain`: as written, nothing merged. For
`expand` it is that of the function with its operators written out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.accumulation.labels import Constants
from ad_transform.derive.accumulation.linearise import Linearisation, linearise
from ad_transform.derive.accumulation.outcome import Trail
from ad_transform.derive.kinds.kind_rows import KINDS
from ad_transform.derive.kinds.kinds import Derived
from ad_transform.derive.signature import Independents, seeds_of
from ad_transform.derive.sweep.bridges import bridge_of
from ad_transform.derive.sweep.solve import accumulate
from ad_transform.elementals import TABLE
from ad_transform.eliminate.counting import count
from ad_transform.eliminate.exact import solve
from ad_transform.eliminate.order import ORDERS, PAIRED, runnable
from ad_transform.eliminate.steps import Sequence as Steps
from ad_transform.emit.sentences import enumeration
from ad_transform.graph.computational import Graph
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Apply, Branch, Function, Passing, Statement, Var
from ad_transform.ir.simplify import LAWS
from ad_transform.later import later
from ad_transform.options import Options
from ad_transform.picture.history import History, history
from ad_transform.picture.lives import lived, umbrellas
from ad_transform.picture.model import Page, Role, Vertex
from ad_transform.picture.naming import Called, cast, numbered, rows_of
from ad_transform.picture.numbers import Numbers, numbers, spelled
from ad_transform.picture.structures import structures
from ad_transform.picture.wording import amount

with later():
    from ad_transform.eliminate.effort import planned

Point = Mapping[Var, Any]
"""The values of a function's parameters."""

NOWHERE: Point = {}


def pages(
    function: Function, derived: Derived, options: Options, point: Point = NOWHERE
) -> Iterator[Page]:
    """The pages of a derived function with their steps, in the order of derivation.

    With a point, numbers stand beside values and partials.
    """
    for drawn in _drawn(function, derived, options):
        trail, graph = drawn.trail, drawn.trail.linear.graph
        order = drawn.order
        if drawn.as_written:
            order, sequence = planned(options.order, graph, options.effort)
            trail = replace(trail, sequence=sequence)
        page = _page(replace(drawn, trail=trail, order=order), derived, point)
        yield replace(
            page,
            orders=_orders(graph),
            bound=solve(graph, nodes=0).overall,
            structures=structures(graph, page.names),
        )


def stills(
    function: Function, derived: Derived, options: Options, point: Point = NOWHERE
) -> Iterator[Page]:
    """The same pages without steps; linear."""
    for drawn in _drawn(function, derived, options):
        trail = replace(drawn.trail, sequence=Steps(()))
        yield _page(replace(drawn, trail=trail), derived, point)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The subject of a page: derivation k, or the graph as written."""

    trail: Trail
    called: Called
    order: str
    k: int = 0
    as_written: bool = False


def _drawn(function: Function, derived: Derived, options: Options) -> Iterator[_Drawn]:
    if not derived.trails:  # intervals are swept through, nothing is eliminated
        trail = as_written(function, derived.independents, derived.kind)
        called = _seeded(rows_of(function), trail.linear, derived.kind)
        yield _Drawn(trail, called, "")
    elif options.cost == "fma":
        trail = as_written(function, derived.independents, derived.kind)
        called = _seeded(rows_of(function), trail.linear, derived.kind)
        yield _Drawn(trail, called, "", as_written=True)
    else:
        for k, trail in enumerate(derived.trails):
            yield _Drawn(trail, _called(function, derived, k), derived.order, k)


def as_written(function: Function, independents: tuple[str, ...], kind: str) -> Trail:
    """The graph of `--explain`, without steps; with the seed of a product.

    For an error estimate, which has no independents, all real parameters are taken.
    """
    own = Independents.named(function, independents or real_parameters(function))
    seeds = seeds_of(KINDS[kind].counted, function, own)
    body = live(function.body, function.results)
    builder = holding(body)
    bridges = [
        (place, bridge_of(builder, s, lambda b, t: accumulate(b, t, Options())))
        for place, s in enumerate(body)
        if isinstance(s, Branch)
    ]
    linear = linearise(body, own.columns, function.results, bridges=bridges, **seeds)
    return Trail(builder, linear, Steps(()), Constants.AT_ONCE)


def holding(body: Sequence[Statement]) -> Builder:
    """A builder that holds a body as it stands."""
    builder = Builder(TABLE, LAWS)
    builder.body = list(body)
    for statement in body:
        if isinstance(statement, Apply | Branch):
            builder.definition.update(dict.fromkeys(statement.outs, statement))
    return builder


def real_parameters(function: Function) -> tuple[str, ...]:
    """The parameters with real numbers, through which errors can come in."""
    parameters = (p for p in function.parameters if p.passing is not Passing.MODULE)
    return tuple(p.name for p in parameters if any(v.type.is_real for v in p.vars))


COMPARED = ("forward", "reverse", "markowitz", "closed-umbrellas-first", "exact")
"""Orders whose plain counts stand beside that of the steps."""


def _orders(graph: Graph) -> tuple[tuple[str, int], ...]:
    return tuple(
        (name, count(graph, ORDERS[name](graph)).multiplications)
        for name in COMPARED
        if runnable((name,), graph) == (name,)
    )


# --- names of rows --------------------------------------------------------------------


def _called(function: Function, derived: Derived, k: int) -> Called:
    """The names of the rows and seeds of derivation k."""
    linear = derived.trails[k].linear
    if KINDS[derived.kind].estimates:
        return replace(rows_of(function), perturbed=True)
    called = rows_of(function)
    mirrored = derived.order in PAIRED
    if k or mirrored:
        slopes = numbered(f"{function.name}_slope", len(linear.targets))
        called = Called(slopes, mirrored=mirrored)
    return _seeded(called, linear, derived.kind)


def _seeded(called: Called, linear: Linearisation, kind: str) -> Called:
    """The names with that of the seed, if a graph has one."""
    if len(linear.sources) == 1 and linear.sources[0] not in linear.values:
        return replace(called, seed="tangent", seeded=Role.INPUT)
    ends = [target for target in linear.targets if target is not None]
    if len(ends) == 1 and ends[0] not in linear.values and kind == "vjp":
        return replace(called, seed="adjoint", seeded=Role.OUTPUT)
    return called


# --- a page ---------------------------------------------------------------------------


def _page(drawn: _Drawn, derived: Derived, point: Point) -> Page:
    linear = drawn.trail.linear
    made = cast(drawn.trail, drawn.called)
    past = history(drawn.trail, made.names, made.speller)
    if point:
        known = numbers(made.speller.builder.body, point)
        _number(made.vertices, past, linear, known)
    return Page(
        key=derived.function.name,
        title=_title(drawn, derived),
        caption=_caption(drawn, derived),
        vertices=lived(made.vertices, past),
        arrows=tuple(past.arrows),
        stages=tuple(past.stages),
        umbrellas=umbrellas(linear.graph, past),
        inputs=linear.sources,
        outputs=linear.targets,
    )


def _number(
    vertices: dict[int, Vertex], past: History, linear: Linearisation, known: Numbers
) -> None:
    """Put the numbers at a point beside values and partials."""
    for v, vertex in vertices.items():
        text = spelled(linear.values.get(v), known)
        if text:
            detail = f"{vertex.detail}{text}" if vertex.detail else text[1:]
            vertices[v] = replace(vertex, detail=detail, tip=f"{vertex.tip}{text}")
    for k, (arrow, label) in enumerate(zip(past.arrows, past.labels, strict=True)):
        text = spelled(label, known)
        past.arrows[k] = replace(
            arrow, label=f"{arrow.label}{text}", tip=f"{arrow.tip}{text}"
        )


def _title(drawn: _Drawn, derived: Derived) -> str:
    what = f"{derived.kind} of {derived.source}"
    if KINDS[derived.kind].estimates:
        about = (
            "adjoints of all rounding errors" if derived.trails else "its operations"
        )
        return f"{what}: {about}"
    if derived.independents:
        what += f" with respect to {enumeration(derived.independents)}"
    count = len(derived.trails)
    if count < 2 or drawn.as_written:
        return what
    if count == 2 and KINDS[derived.kind].second:
        return f"{what}, {_ORDINALS[drawn.k]} derivation"
    return f"{what}, graph {drawn.k + 1} of {count}"  # every straight run has one


def _caption(drawn: _Drawn, derived: Derived) -> str:
    live = drawn.trail.linear.graph.reduced()
    is_expanded = not KINDS[derived.kind].takes_names
    emitted = is_expanded or (bool(derived.trails) and not drawn.as_written)
    graph = "the graph of the emitted code" if emitted else "the graph as written"
    sizes = amount(len(live.intermediates()), "intermediate")
    sizes += f", {amount(len(live.edges), 'edge')}"
    return f"{graph}; {sizes}" + (f"; order {drawn.order}" if drawn.order else "")


_ORDINALS = ("first", "second")
