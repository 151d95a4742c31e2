"""Second derivatives: the first applied to their own results."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import field, replace
from typing import Any

from ad_transform.dataclass import dataclass
from ad_transform.derive import entries
from ad_transform.derive.accumulate import Matrix, Task
from ad_transform.derive.columns import (
    is_of_run_time,
    named,
    nest_of,
    run_time_matrix,
)
from ad_transform.derive.factoring.sharing import SUMS
from ad_transform.derive.first import gradient_task
from ad_transform.derive.outcome import Outcome
from ad_transform.derive.race import HELD
from ad_transform.derive.request import Derivation, Operands, Request, column
from ad_transform.derive.shapes import shape
from ad_transform.derive.signature import matrix_nest
from ad_transform.derive.sweep.solve import (
    accumulate,
    compete,
    is_straight,
    is_swept,
)
from ad_transform.derive.whole_columns import are_whole
from ad_transform.diagnostics import Refusal
from ad_transform.eliminate.order import PAIRED, only_of_hessians
from ad_transform.eliminate.replay import Dearer
from ad_transform.ir.blocks import renewed
from ad_transform.ir.build import Builder
from ad_transform.ir.count import count_statements
from ad_transform.ir.nodes import (
    Block,
    Call,
    Function,
    Nest,
    Var,
    group,
)
from ad_transform.later import later
from ad_transform.options import Options

with later():
    from ad_transform.derive.entrywise.gradient import of_terms
    from ad_transform.derive.symmetric import draw

ASKED = ("forward", "reverse", "markowitz", "markowitz-latest")
"""Orders that a second derivative is also tried in, both times the same: the cheapest
gradient need not lead to the cheapest Hessian."""

SHORT = 1_000
"""Statements of a function up to which they are tried."""

OF_PRODUCTS = (*ASKED, "path-lengths")
"""The same for products with a vector of functions that are not LONG."""

LONG = 40
"""Statements of a function from which on these are tried in ASKED only: others take
longer."""

BESIDE = "markowitz-latest"
"""The order that the first pass of a longer function is tried in beside its own: where
many terms share values it leads to fewer operations than reverse order does."""

LONGEST = 20_000
"""Statements of a function from which on it is not."""

SHORTEST = 15
"""Statements of a first derivative up to which the same is done with all orders."""


PAIRED_EDGES = 300
"""Edges of a symmetric graph up to which orders of pairs are tried beside others."""

FEW = 3
"""Columns up to which a product with a vector is tried as the Hessian times that."""

FIRST = (SUMS,)
"""What first derivatives share that are differentiated once more: products made one by
one are in the way of those of the second derivative."""


@dataclass(frozen=True, slots=True)
class Passes:
    """Two derivations in a row: the task of the first, that of the second on what the
    first gave, and what the order of both is called. `symmetric` is the task of both
    at once, see there. The orders `asked` are also tried in both passes.
    """

    request: Request
    first: tuple[Builder, Task]
    second: Callable[[Outcome], tuple[Builder, Task]]
    called: Callable[[str, str], str]
    symmetric: Callable[[], tuple[Builder, Task]] | None = None
    asked: tuple[str, ...] = ASKED
    memory: dict[Any, Any] = field(default_factory=dict)
    made: dict[int, tuple[Outcome, tuple[Builder, Task]]] = field(default_factory=dict)

    def over(self, first: Outcome) -> tuple[Builder, Task]:
        """The task of the second derivation; what passes find out serves them all."""
        if id(first) in self.made:
            return self.made[id(first)][1]
        builder, task = self.second(first)
        builder.memory = self.memory
        if HELD in self.memory:
            self.made[id(first)] = first, (builder, task)
        return builder, task

    def after(self, first: Outcome, second: Outcome) -> Outcome:
        """The outcome of both; the first tells which columns are idle."""
        trails = (*first.trails, *second.trails)
        order = self.called(first.order, second.order)
        rivals = {name: self.after(first, made) for name, made in second.rivals.items()}
        return replace(
            second, order=order, idle=first.idle, trails=trails, rivals=rivals
        )


def cheapest(passes: Passes) -> Outcome:
    """The cheapest outcome of both passes; `rivals` took one order both times.

    The first pass is run once for all that is tried on top of it. More effort goes on
    with what less effort gave.
    """
    options = passes.request.options
    builder, task = passes.first
    if options.order in PAIRED:
        return accumulate(*_pairs_of(passes), options)
    blocks = is_swept(builder.body, task.columns)
    if blocks or options.order != "auto" or options.cost == "fma":
        first = accumulate(*passes.first, options)
        return passes.after(first, accumulate(*passes.over(first), options))
    if options.effort > 1:
        passes.memory[HELD] = {}
        builder.memory.setdefault(HELD, {})
    found, rivals = _by_orders(passes)
    if options.effort > 1:
        _search(passes, found)
    _, best = min(found, key=_rank_of_both)
    with suppress(Dearer):
        pairs = _by_pairs(passes, best)
        best = min(best, pairs, key=lambda outcome: outcome.rank)
        rivals = {**rivals, **pairs.rivals}
    return replace(best, rivals=rivals)


def _by_pairs(passes: Passes, best: Outcome) -> Outcome:
    """What the orders of pairs give on the symmetric graph; raises Dearer where that is
    hopeless, or not tried: PAIRED_EDGES, FEW.
    """
    request = passes.request
    long = len(request.function.body) > PAIRED_EDGES
    if not _is_paired(passes) or request.options.effort < 1 or long:
        raise Dearer
    builder, task = _pairs_of(passes)
    assert task.drawn is not None
    many = task.tangents is not None and len(task.columns) > FEW
    if many or len(task.drawn[0].graph.edges) > PAIRED_EDGES:
        raise Dearer
    return compete(builder, task, request.options.override(effort=1), [*PAIRED], best)


def _pairs_of(passes: Passes) -> tuple[Builder, Task]:
    """The task on the symmetric graph; raises Refusal AD032 where there is none."""
    name = passes.request.function.name
    if passes.symmetric is None or not _is_paired(passes):
        found = f"{name!r} has loops, branches, calls or arrays of any length"
        raise Refusal(only_of_hessians(passes.request.options.order, found))
    return passes.symmetric()


def _is_paired(passes: Passes) -> bool:
    """Whether there is a symmetric graph: slopes that a call gives depend on its
    arguments in ways that no second partial of an operation shows.
    """
    builder, task = passes.first
    called = any(isinstance(s, Call) for s in builder.body)
    return (
        passes.symmetric is not None and not called and is_straight(builder.body, task)
    )


_Both = tuple[Outcome, Outcome]
"""What a first pass gave, and the outcome of both."""


def _rank_of_both(both: _Both) -> tuple[int, int]:
    return both[1].rank


def _search(passes: Passes, found: list[_Both]) -> None:
    """Find more at the higher efforts: first passes, and second ones on top of the
    first pass that has led to the cheapest.

    The same first pass is gone on from once, with the highest effort: that does all
    that the lower ones do.
    """
    options = passes.request.options
    goals: dict[object, tuple[Outcome, Options]] = {}
    for effort in range(2, options.effort + 1):
        more = options.override(effort=effort)
        first = accumulate(*passes.first, more)
        if all(_shape(first) != _shape(made) for made, _ in found):
            least = options.override(effort=1)
            second = accumulate(*passes.over(first), least)
            found.append((first, passes.after(first, second)))
        best, _ = min(found, key=_rank_of_both)
        goals[_shape(best)] = best, more
    for first, more in goals.values():
        second = accumulate(*passes.over(first), more)
        found.append((first, passes.after(first, second)))


def _by_orders(passes: Passes) -> tuple[list[_Both], dict[str, Outcome]]:
    """The cheapest on top of the cheapest, and what takes the same order twice."""
    request = passes.request
    options = request.options.override(effort=min(request.options.effort, 1))
    first = accumulate(*passes.first, options)
    if options.effort == 1 and SHORT < len(request.function.body) < LONGEST:
        with suppress(Dearer):
            beside = _first(passes, first, BESIDE)
            first = min(first, beside, key=lambda outcome: outcome.rank)
    both = passes.after(first, accumulate(*passes.over(first), options))
    firsts = {name: made for name, made in first.rivals.items() if _is_short(made)}
    if len(request.function.body) <= SHORT:
        for name in passes.asked:
            with suppress(Dearer):
                firsts[name] = _first(passes, first, name)
    found = [(first, both)]
    rivals: dict[str, Outcome] = {}
    for made, twice, more in _shapes(firsts, first):
        known = both.rivals if made is first else {}
        new = [name for name in {**twice, **more} if name not in known]
        if new:
            with suppress(Dearer):
                outcome = compete(*passes.over(made), options, new, both)
                after = passes.after(made, outcome)
                found.append((made, after))
                known = {**known, **after.rivals}
        rivals.update((name, known[name]) for name in twice if name in known)
    return found, rivals


def _first(passes: Passes, first: Outcome, name: str) -> Outcome:
    """What an order gives in the first pass; raises Dearer if that is hopeless."""
    if name in first.rivals:
        return first.rivals[name]
    return compete(*passes.first, passes.request.options, (name,), first)


def _is_short(outcome: Outcome) -> bool:
    return len(outcome.body) <= SHORTEST


_PLAIN = ("reverse", "forward")  # all that is tried without effort


_Names = dict[str, None]


def _shapes(
    firsts: dict[str, Outcome], best: Outcome
) -> list[tuple[Outcome, _Names, _Names]]:
    """First derivatives that differ, the orders that gave them, and others to try.

    Those of _PLAIN are tried on the cheaper one of them, as without effort.
    """
    shapes: dict[object, tuple[Outcome, _Names, _Names]] = {}
    shapes[_shape(best)] = (best, {}, {})
    for name, made in firsts.items():
        shapes.setdefault(_shape(made), (made, {}, {}))[1][name] = None
    plain = [firsts[name] for name in _PLAIN if name in firsts]
    if plain:
        cheaper = min(plain, key=lambda outcome: outcome.rank)
        shapes[_shape(cheaper)][2].update(dict.fromkeys(_PLAIN))
    return list(shapes.values())


def _shape(outcome: Outcome) -> tuple[object, ...]:
    return shape(outcome.body, outcome.results)


# --- the kinds ---------------------------------------------------------------------


def hessian(r: Request) -> Derivation:
    """The Hessian, one triangle computed: the Jacobian of the gradient."""
    r = r.earlier
    n, count = len(r.independents.columns), len(r.primal)
    if is_of_run_time(r.independents.columns):
        return run_time_hessian(r)
    rows = lambda f: _rows(r, f)  # noqa: E731
    passes = Passes(r, _gradient_task(r), rows, lambda _, o: o, lambda: _paired_rows(r))
    outcome = cheapest(passes)
    nest = matrix_nest(n, n, r.options.container)
    if r.value:
        nest = group((r.function.nest, r.independents.nest, nest))
    hints = entries.partials(entries.adjoints(r.columns), r.columns)
    return r.finish(outcome, nest, (), count, hints), outcome


def _gradient_task(r: Request) -> tuple[Builder, Task]:
    """The task of a gradient that is differentiated once more."""
    builder, task = gradient_task(r)
    return builder, replace(task, shares=FIRST)


def run_time_hessian(r: Request) -> Derivation:
    """The Hessian by arrays whose lengths only a run knows."""
    if r.options.order in PAIRED:
        found = f"{r.function.name!r} has arrays of any length"
        raise Refusal(only_of_hessians(r.options.order, found))
    count = len(r.primal)
    gradient = _gradient(r, accumulate(*gradient_task(r), r.options))
    ends = (*gradient.results, *r.independents.columns)
    if r.sparse and not are_whole(ends):
        outcome = _beside(r, gradient)
    else:
        kept = len(gradient.results) if r.value else 0
        outcome = run_time_matrix(r, gradient, kept, count, symmetric=True)
    nest = nest_of(r)
    if r.value:
        nest = group((r.function.nest, r.independents.nest, nest))
    return r.finish(outcome, nest, (), count, named(r, "")), outcome


def _beside(r: Request, gradient: Function) -> Outcome:
    """The value and the gradient if they are asked for, and the entries of the Hessian:
    these are made of a gradient that records nothing, where there is one.
    """
    alone = replace(r, value=False)
    slopes = of_terms(alone)
    if slopes is None:
        slopes = _gradient(alone, accumulate(*gradient_task(alone), r.options))
    entries = run_time_matrix(alone, slopes, 0, 0, symmetric=True)
    if not r.value:
        return entries
    builder, kept = r.copied(gradient, len(r.primal))
    body = (*(s.map_blocks(renewed) for s in builder.body), *entries.body)
    results = (*kept, *entries.results)
    counts = count_statements(body, results)
    return replace(entries, body=body, results=results, counts=counts)


def _gradient(r: Request, first: Outcome) -> Function:
    """The gradient, with the value if that is asked for."""
    nest = r.independents.nest
    if r.value:
        nest = group((r.function.nest, nest))
    return r.finish(first, nest, (), len(r.primal), entries.adjoints(r.columns))


def _slopes(r: Request, first: Outcome) -> tuple[Builder, Operands]:
    """The gradient copied into a builder, and its results after the value's."""
    return r.copied(_gradient(r, first), len(r.primal))


def _rows(r: Request, first: Outcome) -> tuple[Builder, Task]:
    count = len(r.primal)
    builder, results = _slopes(r, first)
    kept = results if r.value else ()
    lower, upper = (
        lambda m: (*kept, *symmetric(m, max)),
        lambda m: (*kept, *symmetric(m, min)),
    )
    slopes = results[count:]
    ends = r.independents.columns, slopes
    return builder, Task(*ends, (lower, upper), count, callees=r.callees)


def _paired_rows(r: Request) -> tuple[Builder, Task]:
    """The task of `_rows` on the symmetric graph, both passes at once."""
    builder, kept, found = _symmetric(r, ())
    triangle = (lambda m: (*kept, *symmetric(m, max)),)
    return builder, replace(found, assemble=triangle)


def _paired_column(r: Request, tangents: tuple[Var, ...]) -> tuple[Builder, Task]:
    """The task of `_forward` on the symmetric graph, both passes at once."""
    builder, kept, found = _symmetric(r, tangents)
    product = (lambda m: (*kept, *column(m)),)
    return builder, replace(found, assemble=product, tangents=(tangents,))


def _symmetric(r: Request, tangents: tuple[Var, ...]) -> tuple[Builder, Operands, Task]:
    """The symmetric graph drawn as a task, and the value and gradient if asked for."""
    columns, count = r.independents.columns, len(r.primal)
    builder, (row,) = r.copied(r.function, count)
    drawn = draw(builder, columns, row, tangents)
    kept = (row, *drawn.slopes) if r.value else ()
    task = Task(columns, drawn.slopes, (), count, drawn=drawn.graphs, callees=r.callees)
    return builder, kept, task


def symmetric(matrix: Matrix, pick: Callable[[int, int], int]) -> Operands:
    """All entries from one triangle, so that the other equals it bit for bit.

    `pick` gives the row to take an entry from, of the row and the column.
    """
    n = len(matrix)
    return tuple(
        matrix[pick(i, j)][i + j - pick(i, j)] for i in range(n) for j in range(n)
    )


def hvp(r: Request) -> Derivation:
    """The Hessian times tangents, forward over reverse or reverse over forward."""
    seeds = r.independents.seeds()
    tangents = tuple(v for s in seeds for v in s.vars)
    if r.last and _repeats_levels(r):
        makes = [_reverse_over_forward]  # the only way that may take records
    else:
        r = r.earlier
        makes = [_forward_over_reverse]
        if not any(v.type.dims for v in tangents):
            # lists of lists have tangents, but no adjoints
            makes.append(_reverse_over_forward)
    ways: list[Outcome] = []
    refused: list[Refusal] = []
    for make in makes:  # users may give the derivatives that one way asks for
        try:
            ways.append(cheapest(make(r, tangents)))
        except Refusal as refusal:
            refused.append(refusal)
    if not ways:
        raise refused[0]
    outcome = min(ways, key=lambda o: o.rank)
    rivals = {
        name: min((way.rivals[name] for way in ways), key=lambda o: o.rank)
        for name in ways[0].rivals
        if all(name in way.rivals for way in ways)
    }
    outcome = replace(outcome, rivals=rivals)
    nest = r.independents.nest
    if r.value:
        nest = group((r.function.nest, nest, nest))
    hints = entries.tangents(entries.adjoints(r.columns))
    return r.finish(outcome, nest, seeds, len(r.primal), hints), outcome


def _repeats_levels(r: Request) -> bool:
    """Whether a gradient without records computes values again at every level."""
    if not any(r.calls.is_recursive(f.name) for f in r.calls.used(r.function)):
        return False
    first = accumulate(*_gradient_task(r.earlier), r.options)
    return r.calls.repeats_levels(_gradient(r, first))


def _forward_over_reverse(r: Request, tangents: tuple[Var, ...]) -> Passes:
    pairs = lambda: _paired_column(r, tangents)  # noqa: E731
    second = lambda f: _forward(r, f, tangents)  # noqa: E731
    return Passes(r, _gradient_task(r), second, _over, pairs, _asked(r))


def _reverse_over_forward(r: Request, tangents: tuple[Var, ...]) -> Passes:
    task = _tangent_task(r.earlier, tangents)
    second = lambda f: _reverse(r, f, tangents)  # noqa: E731
    return Passes(r, task, second, _over, asked=_asked(r))


def _asked(r: Request) -> tuple[str, ...]:
    return OF_PRODUCTS if len(r.function.body) < LONG else ASKED


def _over(first: str, second: str) -> str:
    return f"{second} over {first}"


def _forward(
    r: Request, first: Outcome, tangents: tuple[Var, ...]
) -> tuple[Builder, Task]:
    """The product of the gradient's Jacobian with tangents."""
    count = len(r.primal)
    builder, results = _slopes(r, first)
    kept = results if r.value else ()
    return builder, Task(
        r.independents.columns,
        results[count:],
        (lambda m: (*kept, *column(m)),),
        count,
        tangents=(tangents,),
        callees=r.callees,
    )


def _tangent_task(r: Request, tangents: tuple[Var, ...]) -> tuple[Builder, Task]:
    columns, count = r.independents.columns, len(r.primal)
    builder, rows = r.copied(r.function, count)
    kept = rows[:count]
    return builder, Task(
        columns,
        rows,
        (lambda m: (*kept, *column(m)),),
        count,
        tangents=(tangents,),
        callees=r.callees,
        shares=FIRST,
    )


def _reverse(
    r: Request, first: Outcome, tangents: tuple[Var, ...]
) -> tuple[Builder, Task]:
    """The gradient of the tangent."""
    columns, count = r.independents.columns, len(r.primal)
    values = (*(v for p in r.function.parameters for v in p.vars), *tangents)
    block = Block(values, first.body, first.results)
    tangent = Function(r.name, (), block, Nest(), count)
    builder, results = r.copied(tangent, count)
    # the derivative of the tangent by its seeds is the gradient
    both = (*tangents, *columns) if r.value else columns
    return builder, Task(
        both,
        results[count:],
        (lambda m: (*results[:count], *m[0]),),
        count,
        callees=r.callees,
    )
