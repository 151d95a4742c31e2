"""The figures of --explain: the graph as written, and what each order would cost on it.

The graph is the source's own: nothing merged, literals make no edge, an output that
other vertices use gets a copy. For hessian and hvp it is the gradient's.
"""

from __future__ import annotations

from typing import TypedDict

from ad_transform.derive.kinds import Derived
from ad_transform.derive.linearise import linearise
from ad_transform.derive.signature import Independents
from ad_transform.eliminate.counting import count
from ad_transform.eliminate.exact import solve
from ad_transform.eliminate.order import ORDERS
from ad_transform.graph.computational import Graph
from ad_transform.graph.umbrellas import umbrella_counts
from ad_transform.ir.build import live
from ad_transform.ir.nodes import Function
from ad_transform.options import Options


class Chosen(TypedDict):
    """The order kept; bound and proof are known for the plain count only."""

    order: str
    cost: int
    bound: int | None
    proven: bool | None


class Figures(TypedDict):
    """One object of `--explain --output-format json` (design, section 2)."""

    function: str
    kind: str
    independents: int
    dependents: int
    graph: dict[str, int]
    umbrellas: dict[str, int]
    cost: str
    orders: dict[str, int]
    chosen: Chosen
    emitted: dict[str, int]


def raw_graph(function: Function, independents: tuple[str, ...]) -> Graph:
    """The graph of a function as written, dead code left out."""
    columns = Independents.named(function, independents).columns
    body = live(function.body, function.results)
    return linearise(body, columns, function.results).graph


def explain(function: Function, derived: Derived, options: Options) -> Figures:
    """The figures behind a derived function."""
    graph = raw_graph(function, derived.independents)
    orders = {
        name: count(graph, plan(graph)).multiplications for name, plan in ORDERS.items()
    }
    return Figures(
        function=derived.source,
        kind=derived.kind,
        independents=len(graph.independents),
        dependents=len(function.results),
        graph=_sizes(graph),
        umbrellas=_umbrellas(graph),
        cost=options.cost,
        orders=orders,
        chosen=_chosen(derived, options, graph, orders),
        emitted={**derived.counts.classes(), "total": derived.counts.total},
    )


def _sizes(graph: Graph) -> dict[str, int]:
    ends = {*graph.independents, *graph.dependents}
    vertices = {v for edge in graph.edges for v in edge} - ends
    return {"vertices": len(vertices), "edges": len(graph.edges)}


def _umbrellas(graph: Graph) -> dict[str, int]:
    closed, copying = umbrella_counts(graph)
    return {"closed": closed, "copying": copying}


def _chosen(
    derived: Derived, options: Options, graph: Graph, orders: dict[str, int]
) -> Chosen:
    if options.cost == "emitted":
        return Chosen(
            order=derived.order, cost=derived.counts.total, bound=None, proven=None
        )
    name = options.order
    if name == "auto":
        name = min(orders, key=orders.__getitem__)
    solution = solve(graph)
    cost, bound = orders[name], solution.bound
    if options.order == "auto" and solution.cost < cost:
        name, cost = "exact", solution.cost
    return Chosen(order=name, cost=cost, bound=bound, proven=cost == bound)
