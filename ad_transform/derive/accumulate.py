"""Accumulation of a Jacobian by one step sequence, into a copy of the builder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ad_transform.derive.branches import Former
from ad_transform.derive.factoring.cover import quotients, reciprocals
from ad_transform.derive.factoring.extract import extracted
from ad_transform.derive.factoring.polish import polish
from ad_transform.derive.labels import Constants, Hint, Labels
from ad_transform.derive.linearise import Bridge, Linearisation, linearise
from ad_transform.eliminate.replay import Dearer, replay
from ad_transform.eliminate.steps import Sequence as Steps
from ad_transform.ir.blocks import live
from ad_transform.ir.build import Builder
from ad_transform.ir.count import Counts, count_statements
from ad_transform.ir.held import held_body
from ad_transform.ir.nodes import Literal, Operand, Statement, Var
from ad_transform.options import WEIGHTS

Matrix = tuple[tuple[Operand, ...], ...]
Assemble = Callable[[Matrix], tuple[Operand, ...]]


@dataclass(frozen=True, slots=True)
class Task:
    """A Jacobian to accumulate: `rows` over `columns`, or a product with seeds.

    Each of `assemble` makes the results of the function from the entries (with
    `adjoints`, a row for each direction of them; with `tangents`, a column), and the
    cheapest is taken; the first `primal` results are sacred. `weights` say what
    operations cost by class.
    Values in `perturbed` have a column added to them (see `linearise`).
    """

    columns: tuple[Var, ...]
    rows: tuple[Operand, ...]
    assemble: tuple[Assemble, ...]
    primal: int = 0
    tangents: Matrix | None = None
    adjoints: Matrix | None = None
    bridges: tuple[tuple[int, Bridge], ...] = ()
    perturbed: Mapping[Operand, Var] | None = None
    weights: Mapping[str, int] = field(default_factory=lambda: WEIGHTS)


@dataclass(frozen=True, slots=True)
class Trail:
    """How code came about: what was built, its graph, and the steps upon it."""

    builder: Builder
    linear: Linearisation
    sequence: Steps
    constants: Constants


@dataclass(frozen=True, slots=True)
class Pass:
    """The code behind a pass, which changes the code of the pass before."""

    name: str
    body: tuple[Statement, ...]
    results: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Code, what it costs, and the order that gave it.

    Of a derivative of a derivative, `trails` has that of the first one too, in order.
    `rivals` are what other orders gave, by name, where it was found out. `passes` are
    those that made the code, of a straight run.
    """

    body: tuple[Statement, ...]
    results: tuple[Operand, ...]
    counts: Counts
    order: str
    idle: tuple[Var, ...]  # columns that no row depends on
    trails: tuple[Trail, ...] = ()
    weights: Mapping[str, int] = field(default_factory=lambda: WEIGHTS)
    rivals: Mapping[str, Outcome] = field(default_factory=dict, repr=False)
    passes: tuple[Pass, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        held_body(self.body, self.results)

    def after(
        self, name: str, body: tuple[Statement, ...], results: tuple[Operand, ...]
    ) -> Outcome:
        """The outcome behind one more pass."""
        counts, passes = count_statements(body, results), (
            *self.passes,
            Pass(name, body, results),
        )
        return replace(self, body=body, results=results, counts=counts, passes=passes)

    @property
    def price(self) -> int:
        """What the operations cost by their weights, at nominal trips of loops."""
        if self.weights is WEIGHTS and not self.counts.loops:
            return self.counts.total
        return int(self.counts.price(self.weights))

    @property
    def rank(self) -> tuple[int, int]:
        """What outcomes are compared by: their price, then selections."""
        return self.price, self.counts.select


def linearise_task(builder: Builder, task: Task, staged: bool) -> Linearisation:
    """The graph of a task; quotients in two stages if `staged`."""
    return linearise(
        builder.body,
        task.columns,
        task.rows,
        staged=staged,
        tangents=task.tangents,
        adjoints=task.adjoints,
        bridges=task.bridges,
        perturbed=task.perturbed,
    )


@dataclass(frozen=True, slots=True)
class Draft:
    """Accumulated code before it is polished."""

    builder: Builder
    primal: int
    outcome: Outcome

    def polished(self) -> Outcome:
        """The outcome after the last pass, or as it is if it is very long."""
        return self._polished(self.outcome)

    def _polished(self, rough: Outcome) -> Outcome:
        if len(rough.body) >= POLISHED:
            return rough
        body, results = polish(self.builder, rough.body, rough.results, self.primal)
        done = rough.after("polish", body, results)
        # polishing counts operations, whatever they cost
        return rough if rough.price < done.price else done

    def shared(self, outcome: Outcome, limit: float | None = None) -> Outcome:
        """A polished outcome with its products made anew, if that is cheaper.

        Products that are the same by then are factored out once more. Raises Dearer
        where the price is above the limit after the first time.
        """
        if len(outcome.body) >= SHARED:
            return outcome
        while (better := self._shared(outcome)).rank < outcome.rank:
            outcome = better
            if limit is not None and outcome.price > limit:
                raise Dearer
        return outcome

    def _shared(self, outcome: Outcome) -> Outcome:
        candidates = [outcome]
        dear = outcome.weights["div"] > outcome.weights["mul"]
        for ways in (quotients, reciprocals) if dear else (quotients,):
            for body, results in extracted(
                self.builder, outcome.body, outcome.results, self.primal, ways
            ):
                other = outcome.after("share products", body, results)
                candidates += (other, self._polished(other))
        return min(candidates, key=lambda candidate: candidate.rank)


SHARED = 2_000
"""Statements up to which products are made anew."""

POLISHED = 50_000
"""Statements up to which code is polished."""


def perform(
    builder: Builder,
    task: Task,
    linear: Linearisation,
    sequence: Steps,
    *,
    constants: Constants = Constants.AT_ONCE,
    room: int | None = None,
) -> Draft:
    """The code of one sequence, of the cheapest assembly.

    Raises Dearer if more than `room` statements are built.
    """
    fork = builder.fork()
    hint = _hint(linear)
    hints = hint, _hint_of_term(linear, hint)
    labels = Labels(fork, Former(fork), *hints, constants=constants, room=room)
    entries = replay(linear.graph, linear.partials, sequence, labels)

    def entry(u: int, w: int | None) -> Operand:
        if w is None or (u, w) not in entries:
            return Literal(0.0)
        return labels.operand(entries[u, w], u, w)

    matrix = tuple(tuple(entry(u, w) for u in linear.sources) for w in linear.targets)
    idle = _idle(linear, task)
    trails = (Trail(builder, linear, sequence, constants),)
    outcomes = []
    for assemble in task.assemble:
        results = assemble(matrix)
        body = live(tuple(fork.body), results)
        counts = count_statements(body, results)
        passes = (Pass("accumulate", body, results),)
        outcome = Outcome(body, results, counts, "", idle, trails, task.weights)
        outcomes.append(replace(outcome, passes=passes))
    return Draft(fork, task.primal, min(outcomes, key=lambda o: o.rank))


def _hint(linear: Linearisation) -> Hint:
    """Names of derivative values: `x_bar`, `y_dot`, `dy_dx`, nothing if unnamed."""
    names = _clear_names(linear)
    ends = [t for t in linear.targets if t is not None]
    if _has_seed(linear):
        seed = linear.sources[0]
        return lambda u, w: f"{names[w]}_dot" if u == seed and w in names else ""
    if len(ends) == 1:
        end = ends[0]
        return lambda u, w: f"{names[u]}_bar" if w == end and u in names else ""
    return lambda u, w: f"d{names[w]}_d{names[u]}" if u in names and w in names else ""


def _clear_names(linear: Linearisation) -> dict[int, str]:
    """The names of vertices that are no other vertex's too; inputs have theirs."""
    copies = set(linear.targets)  # of results, by the same names
    inputs = set(linear.sources)
    times = Counter(name for v, name in linear.names.items() if v not in copies)
    return {
        v: name for v, name in linear.names.items() if times[name] < 2 or v in inputs
    }


def _hint_of_term(linear: Linearisation, hint: Hint) -> Hint:
    """The hint where a value that has one term is certain to be complete."""
    leaving = Counter(u for u, _ in linear.graph.edges)
    entering = Counter(w for _, w in linear.graph.edges)
    ends = [t for t in linear.targets if t is not None]
    if _has_seed(linear):  # the terms of y_dot are those that enter y
        leaving[linear.sources[0]] = 1
    elif len(ends) == 1:  # those of x_bar leave x
        entering[ends[0]] = 1
    return lambda u, w: hint(u, w) if leaving[u] == entering[w] == 1 else ""


def _has_seed(linear: Linearisation) -> bool:
    """Whether there is one source, and that is a seed."""
    return len(linear.sources) == 1 and linear.sources[0] not in linear.names


def _idle(linear: Linearisation, task: Task) -> tuple[Var, ...]:
    busy = {u for u, _ in linear.graph.edges}
    if task.tangents is not None:
        sources = set(linear.sources)
        busy = {v for u, v in linear.graph.edges if u in sources}
        first = linear.sources[-1] + 1
        return tuple(x for k, x in enumerate(task.columns) if first + k not in busy)
    pairs = zip(task.columns, linear.sources, strict=True)
    return tuple(x for x, u in pairs if u not in busy)
