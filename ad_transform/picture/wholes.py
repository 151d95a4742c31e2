"""Graphs whose vertices are whole arrays, and whose labels are linear maps of them.

By default the page shows the graph that the matrices of the emitted code come from,
with its steps. Where derivatives are swept instead, it shows the graph as written,
without steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ad_transform.dataclass import replace
from ad_transform.derive.accumulation.labels import Constants
from ad_transform.derive.accumulation.linearise import Linearisation
from ad_transform.derive.accumulation.outcome import Trail
from ad_transform.derive.kinds.kind_rows import KINDS
from ad_transform.derive.kinds.kinds import Derived
from ad_transform.derive.signature import Independents
from ad_transform.derive.vectors.drawn import (
    VectorGraph,
    VectorTrail,
    composable,
    shape_of,
    sketched,
)
from ad_transform.derive.vectors.local import Map, Opaque, Unknown
from ad_transform.derive.vectors.written import NO_SIZES, Written
from ad_transform.eliminate.linear.planned import Pricing
from ad_transform.eliminate.steps import Sequence as Steps
from ad_transform.emit.sentences import enumeration
from ad_transform.ir.blocks.live import live
from ad_transform.ir.nodes import Function, Operand, Statement, Var
from ad_transform.ir.price import NOMINAL
from ad_transform.options import Options
from ad_transform.picture.history import watched
from ad_transform.picture.lives import lived, umbrellas
from ad_transform.picture.maps import Maps, lengths
from ad_transform.picture.model import Page, Stage, Vertex
from ad_transform.picture.naming import Called, cast, numbered, rows_of
from ad_transform.picture.pages import NOWHERE, Point, holding, real_parameters
from ad_transform.picture.structures import structures
from ad_transform.picture.wording import amount


def whole_pages(
    function: Function, derived: Derived, options: Options, point: Point = NOWHERE
) -> Iterator[Page]:
    """The page of a function of whole arrays, with the steps if there are any."""
    trail = derived.vectors
    if trail is None:
        yield from whole_stills(function, derived, options)
        return
    page = _page(function, derived, trail.arrays, trail.drawn, trail.plan.sequence)
    graph = trail.drawn.graph
    yield replace(
        page,
        stages=_priced(page.stages, trail),
        orders=tuple(trail.plan.prices.items()),
        structures=structures(graph, page.names),
    )


def whole_stills(
    function: Function, derived: Derived, options: Options, point: Point = NOWHERE
) -> Iterator[Page]:
    """The same page without steps; linear."""
    trail = derived.vectors
    arrays, graph = (
        (trail.arrays, trail.drawn) if trail else _as_written(function, derived)
    )
    yield _page(function, derived, arrays, graph, Steps(()))


def _as_written(function: Function, derived: Derived) -> tuple[Written, VectorGraph]:
    names = derived.independents or real_parameters(function)
    columns = Independents.named(function, names).columns
    body = live(function.body, function.results)
    made = [out for statement in body for out in statement.outs]
    arrays = Written(holding(body), (*function.block.params, *made))
    return arrays, sketched(arrays, body, columns, function.results, _any)


def _any(
    arrays: Written, statement: Statement, places: Sequence[int]
) -> Iterator[tuple[Var, Operand, Map]]:
    """The partials of a statement; of unknown form if no other is known."""
    try:
        yield from list(composable(arrays, statement, places))
    except Unknown:
        for out in (out for out in statement.outs if out.type.is_real):
            for arg in dict.fromkeys(statement.inputs[k] for k in places):
                yield out, arg, Opaque(shape_of(arg), shape_of(out))


def _priced(stages: Sequence[Stage], trail: VectorTrail) -> tuple[Stage, ...]:
    """The stages at the prices of their products, and the matrices made last."""
    pricing = Pricing(trail.drawn.graph, trail.drawn.labels, NO_SIZES)
    *prices, last = pricing.each(trail.plan.sequence)
    priced = [
        replace(stage, multiplications=price)
        for stage, price in zip(stages, prices, strict=True)
    ]
    if last:
        text = "write what is left as matrices"
        priced.append(Stage(text, "products of their factors", (), last, 0, 0))
    return tuple(priced)


def _page(
    function: Function,
    derived: Derived,
    arrays: Written,
    drawn: VectorGraph,
    sequence: Steps,
) -> Page:
    graph = drawn.graph
    linear = Linearisation(
        graph, {}, drawn.sources, drawn.targets, {}, {**drawn.values}
    )
    trail = Trail(arrays.builder, linear, sequence, Constants.AT_ONCE)
    made = cast(trail, _called(function, derived))
    script = Maps(arrays.over(made.speller.builder), made.speller)
    past = watched(graph, drawn.labels, sequence, script, made.names)
    what = f"{derived.kind} of {derived.source}"
    if derived.independents:
        what += f" with respect to {enumeration(derived.independents)}"
    return Page(
        key=derived.function.name,
        title=what,
        caption=_caption(derived, drawn),
        vertices=lived(_shaped(made.vertices, drawn), past),
        arrows=tuple(past.arrows),
        stages=tuple(past.stages),
        umbrellas=umbrellas(graph, past),
        inputs=drawn.sources,
        outputs=drawn.targets,
        wholes=True,
    )


def _called(function: Function, derived: Derived) -> Called:
    """The names of the rows; for a second derivative those of the first."""
    if derived.vectors and KINDS[derived.kind].second:
        count = len(derived.vectors.drawn.targets)
        return Called(numbered(f"{function.name}_slope", count))
    return rows_of(function)


def _shaped(vertices: Mapping[int, Vertex], drawn: VectorGraph) -> dict[int, Vertex]:
    """The vertices with their shapes: `tanh [n]`."""
    made = dict(vertices)
    for v, vertex in vertices.items():
        shape = ", ".join(lengths(drawn.graph.dims_of(v)))
        if shape:
            detail = f"{vertex.detail} [{shape}]".lstrip()
            tip = f"{vertex.tip}   shape ({shape})"
            made[v] = replace(vertex, detail=detail, tip=tip)
    return made


def _caption(derived: Derived, drawn: VectorGraph) -> str:
    live = drawn.graph.reduced()
    sizes = amount(len(live.intermediates()), "intermediate")
    sizes += f", {amount(len(live.edges), 'edge')}"
    if derived.vectors is None:
        return f"whole arrays, the graph as written; {sizes}"
    graph = "the graph of the emitted code"
    if KINDS[derived.kind].second:
        graph = "the graph of the gradient"
    plan = derived.vectors.plan
    lengths = f"multiplications at lengths of {NOMINAL}"
    return f"whole arrays, {graph}; {sizes}; order {plan.name}; {lengths}"
