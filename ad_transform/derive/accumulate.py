"""Accumulation of a Jacobian: the planner whose code is cheapest to run is kept.

Every candidate (an order, eager or lazy constants, quotients in one stage or two) is
replayed into a copy of the builder and priced by the operations of the code that would
be emitted, dead code removed and shared products counted once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ad_transform.derive.branches import Former
from ad_transform.derive.labels import Labels
from ad_transform.derive.linearise import Linearisation, linearise
from ad_transform.derive.polish import polish
from ad_transform.eliminate.counting import count
from ad_transform.eliminate.order import ORDERS
from ad_transform.eliminate.replay import Dearer, replay
from ad_transform.eliminate.steps import Sequence as Steps
from ad_transform.graph.computational import Graph
from ad_transform.ir.build import Builder, live
from ad_transform.ir.count import Counts, count_statements
from ad_transform.ir.nodes import Literal, Operand, Statement, Var
from ad_transform.options import Options

Matrix = tuple[tuple[Operand, ...], ...]
Assemble = Callable[[Matrix], tuple[Operand, ...]]


@dataclass(frozen=True, slots=True)
class Task:
    """A Jacobian to accumulate: `rows` over `columns`, or a product with seeds.

    `assemble` makes the results of the function from the entries (a single row with
    `adjoints`, a single column with `tangents`); the first `primal` results are sacred.
    Values in `disturbed` have a column added to them (see `linearise`).
    """

    columns: tuple[Var, ...]
    rows: tuple[Operand, ...]
    assemble: Assemble
    primal: int = 0
    tangents: tuple[Operand, ...] | None = None
    adjoints: tuple[Operand, ...] | None = None
    disturbed: Mapping[Operand, Var] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The code of the cheapest candidate, and the order that gave it."""

    body: tuple[Statement, ...]
    results: tuple[Operand, ...]
    counts: Counts
    order: str
    idle: tuple[Var, ...]  # columns that no row depends on


MEDIUM = 600
"""Edges from which on only forward, reverse and Markowitz are priced."""

LARGE = 4_000
"""Edges from which on the plain counts decide which one order is priced, with eager
constants and quotients in one stage."""

POLISHED = 50_000
"""Statements up to which the code is polished."""

_PLAINEST = ("reverse", "forward", "markowitz-latest", "markowitz")  # ties: first

_ABANDON = 4
"""A candidate is dropped once it has built this many times what the best keeps."""


def accumulate(builder: Builder, task: Task, options: Options) -> Outcome:
    """The cheapest code for a task, by the named order or by all of them (`auto`).

    All orders run with eager constants and one-stage quotients; the plainest and the
    best of these run in the other variants too. Ties go to the first candidate. The
    builder is not changed.
    """
    race = _Race(builder, task)
    linear = _linearise(builder, task, staged=False)
    names = _orders(linear, options)
    for name in names:
        race.enter(name, linear, eager=True)
    again = [name for name in names if name in _PLAINEST or name in race.leaders()]
    for variant, eager in _variants(builder, task, linear):
        for name in again:
            race.enter(name, variant, eager)
    assert race.best is not None
    return race.best


class _Race:
    """The candidates of one task; keeps the cheapest seen so far."""

    def __init__(self, builder: Builder, task: Task) -> None:
        self.builder = builder
        self.task = task
        self.best: Outcome | None = None
        self._totals: dict[str, int] = {}
        self._plans: dict[tuple[str, int], Steps] = {}

    def enter(self, name: str, linear: Linearisation, eager: bool) -> None:
        """Price a candidate by the operations emitted; keep it if it is cheaper."""
        best = self.best
        room = None if best is None else _ABANDON * (best.counts.total + 50)
        sequence = self._plan(name, linear.graph)
        try:
            outcome = _perform(self.builder, self.task, linear, sequence, eager, room)
        except Dearer:
            return
        self._totals.setdefault(name, outcome.counts.total)
        if best is None or _rank(outcome) < _rank(best):
            self.best = replace(outcome, order=name)

    def _plan(self, name: str, graph: Graph) -> Steps:
        key = (name, id(graph))  # the graphs of a task outlive its race
        if key not in self._plans:
            self._plans[key] = ORDERS[name](graph)
        return self._plans[key]

    def leaders(self) -> list[str]:
        """The two orders that were cheapest when first tried."""
        return sorted(self._totals, key=self._totals.__getitem__)[:2]


def _rank(outcome: Outcome) -> tuple[int, int]:
    return outcome.counts.total, outcome.counts.select


def _orders(linear: Linearisation, options: Options) -> Sequence[str]:
    if options.order != "auto":
        return (options.order,)
    edges = len(linear.graph.edges)
    if edges >= LARGE:
        return (_for_large(linear),)
    if options.effort == 0:
        return _PLAINEST[:2]
    if options.cost == "fma":
        return (_plainly_cheapest(linear, tuple(ORDERS)),)
    if edges >= MEDIUM:
        return _PLAINEST
    return (*_PLAINEST, *(name for name in ORDERS if name not in _PLAINEST))


def _for_large(linear: Linearisation) -> str:
    """The order with the fewest multiplications in the plain model.

    With one target no order beats reverse by much, with one source none forward.
    """
    if len(linear.graph.dependents) <= 1:
        return "reverse"
    if len(linear.graph.independents) == 1:
        return "forward"
    return _plainly_cheapest(linear, _PLAINEST)


def _plainly_cheapest(linear: Linearisation, names: Sequence[str]) -> str:
    best, fewest = names[0], None
    for name in names:
        try:
            steps = ORDERS[name](linear.graph, fewest)
            total = count(linear.graph, steps, fewest).multiplications
        except Dearer:
            continue
        if fewest is None or total < fewest:
            best, fewest = name, total
    return best


def _variants(
    builder: Builder, task: Task, linear: Linearisation
) -> Iterator[tuple[Linearisation, bool]]:
    """The graphs and policies for constants beside the first, eager on one stage."""
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
        disturbed=task.disturbed,
    )


def _perform(
    builder: Builder,
    task: Task,
    linear: Linearisation,
    sequence: Steps,
    eager: bool,
    room: int | None,
) -> Outcome:
    fork = builder.fork()
    labels = Labels(fork, Former(fork), _hints(linear), eager=eager, room=room)
    entries = replay(linear.graph, linear.recipes, sequence, labels)

    def entry(u: int, w: int | None) -> Operand:
        if w is None or (u, w) not in entries:
            return Literal(0.0)
        return labels.operand(entries[u, w], u, w)

    matrix = tuple(tuple(entry(u, w) for u in linear.sources) for w in linear.targets)
    results = task.assemble(matrix)
    body = live(tuple(fork.body), results)
    if len(body) < POLISHED:
        body, results = polish(fork, body, results, task.primal)
    return Outcome(body, results, count_statements(body), "", _idle(linear, task))


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
