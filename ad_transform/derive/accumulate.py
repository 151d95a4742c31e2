"""Accumulation of a Jacobian: the planner whose code is cheapest to run is kept.

Every candidate (an order, eager or lazy constants, quotients in one stage or two) is
replayed into a copy of the builder and priced by the operations of the code that would
be emitted, dead code removed and shared products counted once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ad_transform.derive.branches import Former
from ad_transform.derive.labels import Labels
from ad_transform.derive.linearise import Linearisation, linearise
from ad_transform.eliminate.choose import choose
from ad_transform.eliminate.order import ORDERS
from ad_transform.eliminate.replay import replay
from ad_transform.eliminate.steps import Sequence as Steps
from ad_transform.ir.build import Builder, live
from ad_transform.ir.count import Counts, count_statements
from ad_transform.ir.nodes import Literal, Operand, Statement, Var

Matrix = tuple[tuple[Operand, ...], ...]
Assemble = Callable[[Matrix], tuple[Operand, ...]]


@dataclass(frozen=True, slots=True)
class Task:
    """A Jacobian to accumulate: `rows` over `columns`, or a product with seeds.

    `assemble` makes the results of the function from the entries (a single row with
    `adjoints`, a single column with `tangents`); the first `primal` results are sacred.
    """

    columns: tuple[Var, ...]
    rows: tuple[Operand, ...]
    assemble: Assemble
    primal: int = 0
    tangents: tuple[Operand, ...] | None = None
    adjoints: tuple[Operand, ...] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The code of the cheapest candidate, and the order that gave it."""

    body: tuple[Statement, ...]
    results: tuple[Operand, ...]
    counts: Counts
    order: str
    idle: tuple[Var, ...]  # columns that no row depends on


LARGE = 2_000
"""Edges from which on only eager constants and one-stage quotients are tried."""


def accumulate(builder: Builder, task: Task, order: str, effort: int) -> Outcome:
    """The cheapest code for a task, by the named order or by all of them (`auto`).

    Ties go to the first candidate. The builder is not changed.
    """
    names = _orders(order, effort)
    best: tuple[int, int, Outcome] | None = None
    for linear, eager in _variants(builder, task):
        outcomes: dict[Steps, Outcome] = {}

        def price(
            sequence: Steps,
            limit: int | None,
            linear: Linearisation = linear,
            eager: bool = eager,
            outcomes: dict[Steps, Outcome] = outcomes,
        ) -> int:
            outcome = _perform(builder, task, linear, sequence, eager)
            outcomes.clear()
            outcomes[sequence] = outcome
            return outcome.counts.total

        choice = choose(linear.graph, names, price)
        outcome = outcomes.get(choice.sequence) or _perform(
            builder, task, linear, choice.sequence, eager
        )
        rank = (outcome.counts.total, outcome.counts.select)
        if best is None or rank < best[:2]:
            named = Outcome(
                outcome.body,
                outcome.results,
                outcome.counts,
                choice.name,
                _idle(linear, task),
            )
            best = (*rank, named)
    assert best is not None
    return best[2]


def _orders(order: str, effort: int) -> Sequence[str]:
    if order != "auto":
        return (order,)
    if effort == 0:
        return ("forward", "reverse")
    first = ("reverse", "forward", "markowitz-latest")  # ties go to the plainest
    return (*first, *(name for name in ORDERS if name not in first))


def _variants(builder: Builder, task: Task) -> Iterator[tuple[Linearisation, bool]]:
    linear = _linearise(builder, task, staged=False)
    yield linear, True
    if len(linear.graph.edges) >= LARGE:
        return
    yield linear, False
    staged = _linearise(builder, task, staged=True)
    if staged.graph.size != linear.graph.size:
        yield staged, True
        yield staged, False


def _linearise(builder: Builder, task: Task, staged: bool) -> Linearisation:
    return linearise(
        builder.body,
        task.columns,
        task.rows,
        staged=staged,
        tangents=task.tangents,
        adjoints=task.adjoints,
    )


def _perform(
    builder: Builder, task: Task, linear: Linearisation, sequence: Steps, eager: bool
) -> Outcome:
    fork = builder.fork()
    labels = Labels(fork, eager, _hints(linear))
    entries = replay(linear.graph, Former(fork).labels(linear), sequence, labels)

    def entry(u: int, w: int | None) -> Operand:
        if w is None or (u, w) not in entries:
            return Literal(0.0)
        return labels.operand(entries[u, w], u, w)

    matrix = tuple(tuple(entry(u, w) for u in linear.sources) for w in linear.targets)
    results = task.assemble(matrix)
    body = live(tuple(fork.body), results)
    return Outcome(body, results, count_statements(body), "", ())


def _hints(linear: Linearisation) -> Callable[[int, int], str]:
    """Names of derivative values: `x_bar`, `y_dot`, `dy_dx`, nothing if unnamed."""
    names = linear.names
    ends = [t for t in linear.targets if t is not None]
    if len(linear.sources) == 1 and linear.sources[0] not in names:
        return lambda u, w: f"{names[w]}_dot" if w in names else ""
    if len(ends) == 1:
        end = ends[0]
        return lambda u, w: f"{names[u]}_bar" if w == end and u in names else ""
    return lambda u, w: f"d{names[w]}_d{names[u]}" if u in names and w in names else ""


def _idle(linear: Linearisation, task: Task) -> tuple[Var, ...]:
    busy = {u for u, _ in linear.graph.edges}
    if task.tangents is not None:
        busy = {v for u, v in linear.graph.edges if u == linear.sources[0]}
        first = linear.sources[0] + 1
        return tuple(x for k, x in enumerate(task.columns) if first + k not in busy)
    pairs = zip(task.columns, linear.sources, strict=True)
    return tuple(x for x, u in pairs if u not in busy)
