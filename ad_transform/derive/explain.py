"""The figures of --explain: the graph as written, and the cost of each order.

The graph is the source's own: nothing merged, literals make no edge, an output that
other vertices use gets a copy. For hessian and hvp it is the gradient's. Under
`--cost fma` orders are priced on it, those of a product with a vector on the graph with
its seed, else by the code that each of them would print.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from ad_transform.derive.accumulation.linearise import linearise, opaque
from ad_transform.derive.kinds.kind_rows import KINDS
from ad_transform.derive.kinds.kinds import Derived, derive
from ad_transform.derive.signature import Independents, seeds_of
from ad_transform.derive.structure import NAMES, structure
from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.bounds import LARGE as LARGEST_CUT
from ad_transform.eliminate.bounds import Bounds
from ad_transform.eliminate.choose import Choice
from ad_transform.eliminate.counting import count
from ad_transform.eliminate.dependence import Dependences, dependences
from ad_transform.eliminate.effort import explained
from ad_transform.eliminate.exact import solve
from ad_transform.eliminate.levels import EFFORTS, planners_of
from ad_transform.eliminate.linear.planned import VectorPlan
from ad_transform.eliminate.order import (
    LARGEST,
    ORDERS,
    PAIRED,
    SEARCHED,
    SEARCHES,
    asked_for,
    runnable,
)
from ad_transform.eliminate.packing import packed
from ad_transform.eliminate.plans import Plan, bounded, vertex_order
from ad_transform.graph.computational import Graph
from ad_transform.graph.umbrellas import umbrella_counts
from ad_transform.ir.blocks.live import live
from ad_transform.ir.nodes import Function
from ad_transform.options import Options, weights_of


class Chosen(TypedDict):
    """The order kept; bound and proof are known for the plain count only.

    They speak of what `over` names, see `eliminate.plans.Plan`; `overall` is the bound
    for all eliminations. `dependences` are those of faces on each other, see
    `eliminate.dependence`; None on larger graphs.
    """

    order: str
    cost: int | None
    bound: int | None
    proven: bool | None
    over: str | None
    overall: int | None
    dependences: int | None
    circular: bool | None


class Printed(TypedDict):
    """The origin of the code under `--cost fma`, where graphs have equal expressions
    once: of each pass the edges of its graph, and the multiplications of its sequence.
    """

    order: str
    edges: list[int]
    cost: list[int]


class Counted(TypedDict):
    """The derivative that orders, bound and proof under `--cost fma` speak of, and the
    edges of its graph: the seed of a tangent or an adjoint is a vertex more.
    """

    of: str
    edges: int


class Figures(TypedDict):
    """One object of `--explain --output-format json` (design, section 2)."""

    function: str
    kind: str
    independents: int
    dependents: int
    graph: dict[str, int | None]
    umbrellas: dict[str, int | None]
    structure: dict[str, int | None]
    cost: str
    counted: Counted | None  # under `--cost fma` only
    orders: dict[str, int | None]
    chosen: Chosen
    printed: Printed | None  # under `--cost fma` only
    emitted: dict[str, int | str]
    sweep: int | None  # multiplications of sweeps, where prices are those of matrices


def raw_graph(
    function: Function, independents: tuple[str, ...], kind: str = "jacobian"
) -> Graph:
    """The graph of a function as written, dead code left out; with the seed of a kind
    that is a product with a vector.
    """
    own = Independents.named(function, independents)
    body = live(function.body, function.results)
    bridges, seeds = opaque(body), seeds_of(KINDS[kind].counted, function, own)
    return linearise(
        body, own.columns, function.results, bridges=bridges, **seeds
    ).graph


def explain(function: Function, derived: Derived, options: Options) -> Figures:
    """The figures behind a derived function.

    Estimates of errors have none of the graph: the graph that is eliminated there is
    not the function's own, but has a vertex more for every error. For `expand` it is
    the graph of the emitted code, without orders: each of its operators has some of its
    own.
    """
    if KINDS[derived.kind].estimates:
        return _without_graph(function, derived, options)
    if not KINDS[derived.kind].takes_names:
        return _of_expanded(function, derived, options)
    graph = raw_graph(function, derived.independents)
    if derived.vectors and options.cost != "fma":
        return _of_vectors(function, derived, derived.vectors.plan, options)
    if options.cost == "fma":
        counted = raw_graph(function, derived.independents, derived.kind)
        orders = _plain_counts(derived, options, counted)
    else:
        counted = graph
        priced = _priced(function, derived, options)
        orders = {name: priced.get(name) for name in ORDERS}
        more = (*SEARCHES, *PAIRED)
        orders |= {name: priced[name] for name in more if name in priced}
    return Figures(
        function=derived.source,
        kind=derived.kind,
        independents=len(graph.independents),
        dependents=len(function.results),
        graph=_sizes(graph),
        umbrellas=_umbrellas(graph),
        structure=structure(graph),
        cost=options.cost,
        counted=_counted(derived, options, counted),
        orders=orders,
        chosen=_chosen(derived, options, counted, orders),
        printed=_printed(derived, options),
        emitted=_emitted(derived, options),
        sweep=None,
    )


def _without_graph(function: Function, derived: Derived, options: Options) -> Figures:
    price = int(derived.counts.price(weights_of(options.cost)))
    return Figures(
        function=derived.source,
        kind=derived.kind,
        independents=len(derived.independents),
        dependents=len(function.results),
        graph={"vertices": None, "edges": None},
        umbrellas={"closed": None, "copying": None},
        structure=dict.fromkeys(NAMES),
        cost=options.cost,
        counted=None,
        orders=dict.fromkeys(ORDERS),
        chosen=_unproven(derived.order, price),
        printed=None,
        emitted=_emitted(derived, options),
        sweep=None,
    )


def _of_vectors(
    function: Function, derived: Derived, plan: VectorPlan, options: Options
) -> Figures:
    """The figures of an elimination in matrices: prices are multiplications of their
    elements, at nominal lengths.
    """
    figures = _without_graph(function, derived, options)
    figures["graph"] = _sizes(plan.graph)
    figures["umbrellas"] = _umbrellas(plan.graph)
    figures["structure"] = structure(plan.graph)
    figures["orders"] |= plan.prices
    figures["chosen"] = _unproven(plan.name, plan.price)
    figures["sweep"] = plan.sweep
    return figures


def _of_expanded(function: Function, derived: Derived, options: Options) -> Figures:
    """The figures of a function whose operators are written out."""
    parameters = derived.function.parameters
    real = (p for p in parameters if any(v.type.is_real for v in p.vars))
    graph = raw_graph(derived.function, tuple(p.name for p in real))
    figures = _without_graph(function, derived, options)
    figures["independents"] = len(graph.independents)
    figures["graph"], figures["umbrellas"] = _sizes(graph), _umbrellas(graph)
    figures["structure"] = structure(graph)
    return figures


def _plain_counts(
    derived: Derived, options: Options, graph: Graph
) -> dict[str, int | None]:
    """The plain counts of orders; those of a kind that eliminates nothing are None."""
    if not KINDS[derived.kind].counted:
        return dict.fromkeys(ORDERS)
    tried = tuple(ORDERS)
    if options.order == "auto":  # it is never dearer than what is listed
        tried = planners_of(options.effort, graph)
    orders = {n: _plain_count(graph, n) if n in tried else None for n in ORDERS}
    if options.order in SEARCHES:
        steps = asked_for(options.order, graph)
        orders[options.order] = count(graph, steps).multiplications
    return orders


AFFORDABLE = 100
"""An order is not counted to the end above this many multiplications an edge."""


def _plain_count(graph: Graph, name: str) -> int | None:
    """The plain count of an order on the graph; None if it takes long to find out."""
    if name not in runnable((name,), graph):
        return None
    limit = AFFORDABLE * (len(graph.edges) + 1)
    try:
        return count(graph, ORDERS[name](graph, limit), limit).multiplications
    except Dearer:
        return None


def _priced(
    function: Function, derived: Derived, options: Options
) -> Mapping[str, int]:
    """The prices of the operations that orders would print, for the orders that `auto`
    has finished: no other order is cheaper than its choice.
    """
    if options.order == "auto":
        return derived.rivals
    auto = options.override(order="auto", effort=min(options.effort, 1))
    made = derive(
        function,
        derived.kind,
        derived.independents,
        value=derived.value,
        options=auto,
    )
    price = int(derived.counts.price(weights_of(options.cost)))
    return {**made.rivals, options.order: price}


def _emitted(derived: Derived, options: Options) -> dict[str, int | str]:
    """Operations in the text by class; with loops also those that run, by trips."""
    counts = derived.counts
    found: dict[str, int | str] = {**counts.classes(), "total": counts.total}
    if counts.loops:
        found["runs"] = str(counts.price(weights_of(options.cost)))
    return found


def _sizes(graph: Graph) -> dict[str, int | None]:
    ends = {*graph.independents, *graph.dependents}
    vertices = {v for edge in graph.edges for v in edge} - ends
    return {"vertices": len(vertices), "edges": len(graph.edges)}


def _umbrellas(graph: Graph) -> dict[str, int | None]:
    closed, copying = umbrella_counts(graph)
    return {"closed": closed, "copying": copying}


def _chosen(
    derived: Derived,
    options: Options,
    graph: Graph,
    orders: dict[str, int | None],
) -> Chosen:
    if options.cost != "fma" or not KINDS[derived.kind].counted:
        price = int(derived.counts.price(weights_of(options.cost)))
        return _unproven(derived.order, price)
    if options.order == "auto":
        return _planned(graph, explained(graph, options.effort))
    name, least = options.order, _bounds(graph, min(options.effort, 1))
    cost = orders[name]
    if cost is None:  # it takes too long to find out
        unknown = _unproven(name, None)
        known = least.overall
        return {
            **unknown,
            "bound": known,
            "proven": False,
            "over": "all",
            "overall": known,
        }
    choice = Choice(name, asked_for(name, graph), cost)
    return _planned(graph, bounded(choice, least, SEARCHED.get(name)))


def _printed(derived: Derived, options: Options) -> Printed | None:
    if options.cost != "fma" or not derived.trails:
        return None
    trails = [(t.linear.graph, t.sequence) for t in derived.trails]
    return Printed(
        order=derived.order,
        edges=[len(graph.edges) for graph, _ in trails],
        cost=[count(*trail).multiplications for trail in trails],
    )


def _counted(derived: Derived, options: Options, graph: Graph) -> Counted | None:
    of = KINDS[derived.kind].counted
    if options.cost != "fma" or not of:
        return None
    return Counted(of=of, edges=len(graph.edges))


def _bounds(graph: Graph, effort: int) -> Bounds:
    """The bounds that `auto` knows behind its exact search; effort is 0 or 1."""
    nodes, least = EFFORTS[effort].nodes, Bounds.of(graph)
    if not nodes or len(graph.edges) >= LARGEST_CUT:
        return least
    solution = solve(graph, nodes, None, 10 * nodes)
    least = least.raised(solution.bound, solution.overall)
    if solution.cost == least.overall:
        return least
    order = vertex_order(solution.sequence) or []
    return packed(graph, order, least, EFFORTS[effort].blocks)


def _unproven(order: str, cost: int | None) -> Chosen:
    """An order of which nothing is known but its cost."""
    return Chosen(
        order=order,
        cost=cost,
        bound=None,
        proven=None,
        over=None,
        overall=None,
        dependences=None,
        circular=None,
    )


def _planned(graph: Graph, plan: Plan) -> Chosen:
    found = _dependences(graph, plan)
    return Chosen(
        order=plan.name,
        cost=plan.price,
        bound=plan.bound,
        proven=plan.proven,
        over=plan.over,
        overall=plan.overall,
        dependences=found.count if found else None,
        circular=bool(found.circle) if found else None,
    )


def _dependences(graph: Graph, plan: Plan) -> Dependences | None:
    """The dependences of the faces under a plan; None if there are too many paths."""
    if len(graph.edges) > LARGEST["d-star"]:
        return None
    try:
        return dependences(graph, plan.sequence)
    except Dearer:
        return None
