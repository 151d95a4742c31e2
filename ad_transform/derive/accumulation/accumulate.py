"""Accumulation of a Jacobian by one step sequence, into a copy of the builder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import field
from functools import lru_cache
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.accumulation.labels import Constants, Hint, Labels
from ad_transform.derive.accumulation.linearise import Bridge, Linearisation, linearise
from ad_transform.derive.accumulation.outcome import Outcome, Pass, Trail
from ad_transform.derive.factoring.factor import Draft
from ad_transform.derive.factoring.powers import with_halves, with_powers
from ad_transform.derive.factoring.sharing import (
    BINOMIALS,
    MULTIPLES,
    MULTIPLES_OF_LONG,
    NEGATIONS,
    PRODUCTS,
    REMADE,
    REUSED,
    SIGNS,
    SUMS,
    TURNED,
    TURNED_DIFFERENCES,
    Sharing,
)
from ad_transform.derive.factoring.ways import Ways, by_multiples
from ad_transform.eliminate.replay import replay
from ad_transform.eliminate.steps import Sequence as Steps
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.count import count_statements
from ad_transform.ir.nodes import Literal, Operand, Var
from ad_transform.options import WEIGHTS

if TYPE_CHECKING:
    from ad_transform.derive.sweep.context import Callees

Matrix = tuple[tuple[Operand, ...], ...]
Assemble = Callable[[Matrix], tuple[Operand, ...]]


IN_PARTS = SUMS, PRODUCTS, MULTIPLES, NEGATIONS, REUSED, TURNED, SIGNS
"""Sharing in runs that are parts of a whole: an arm, or code beside one. Values that
arms share are made before them, even one that an arm must not divide by."""

OF_TEMPLATES = *IN_PARTS, BINOMIALS
"""Sharing in code that is written into other code."""

SHARES = *OF_TEMPLATES, REMADE

OF_PAIRS = (
    *(MULTIPLES_OF_LONG if sharing is MULTIPLES else sharing for sharing in SHARES),
    TURNED_DIFFERENCES,
)
"""Sharing in code of a symmetric graph: it often has a value and its negative."""


@dataclass(frozen=True, slots=True)
class Task:
    """A Jacobian to accumulate: `rows` over `columns`, or a product with seeds.

    Each of `assemble` makes the results of the function from the entries (with
    `adjoints`, a row for each direction of them; with `tangents`, a column), and the
    cheapest is taken; the first `primal` results are sacred. `weights` are the prices
    of operations by class. `callees` knows the functions that are called in a way that
    a sweep goes through. Values in `perturbed` have a column added to them (see
    `linearise`). If the code is `printed` as it is, ties go to the code nearest to a
    plain order. A symmetric graph is `drawn` beforehand, with quotients in one stage
    and in two, see `symmetric`. Common parts of values are made once in the ways that
    it `shares`, and `ways` are those of `cover`.
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
    printed: bool = False
    callees: Callees | None = None
    shares: tuple[Sharing, ...] = SHARES
    ways: Ways = by_multiples
    drawn: tuple[Linearisation, Linearisation] | None = None


def linearise_task(builder: Builder, task: Task, staged: bool) -> Linearisation:
    """The graph of a task; quotients in two stages if `staged`."""
    if task.drawn is not None:
        return task.drawn[staged]
    return linearise(
        builder.body,
        task.columns,
        task.rows,
        staged=staged,
        tangents=task.tangents,
        adjoints=task.adjoints,
        bridges=task.bridges,
        perturbed=task.perturbed,
        numbers=builder.constants,
    )


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
    labels = Labels(fork, *_hints(linear), constants=constants, room=room)
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
    best = min(outcomes, key=lambda o: o.rank)
    powers = with_halves if task.printed else with_powers
    ends = best, task.shares, labels.indifferent, task.ways, powers
    return Draft(fork, task.primal, *ends)


@lru_cache(maxsize=2)  # a graph is gone through in many orders
def _hints(linear: Linearisation) -> tuple[Hint, Hint]:
    """The hints for labels of a graph, and for their terms."""
    hint = _hint(linear)
    return hint, _hint_of_term(linear, hint)


def _hint(linear: Linearisation) -> Hint:
    """The hint for derivative values: `x_bar`, `y_dot`, `dy_dx`, nothing if unnamed."""
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
    """The names of vertices that no other vertex shares; inputs have theirs."""
    copies = set(linear.targets)  # of results, by the same names
    inputs = set(linear.sources)
    times = Counter(name for v, name in linear.names.items() if v not in copies)
    return {
        v: name for v, name in linear.names.items() if times[name] < 2 or v in inputs
    }


def _hint_of_term(linear: Linearisation, hint: Hint) -> Hint:
    """The hint for the one term of a value that is certain to be complete."""
    leaving = Counter(u for u, _ in linear.graph.edges)
    entering = Counter(w for _, w in linear.graph.edges)
    ends = [t for t in linear.targets if t is not None]
    if _has_seed(linear):  # the terms of y_dot are those that enter y
        leaving[linear.sources[0]] = 1
    elif len(ends) == 1:  # those of x_bar leave x
        entering[ends[0]] = 1
    sources = {u for u, number in leaving.items() if number == 1}
    targets = {w for w, number in entering.items() if number == 1}
    return lambda u, w: hint(u, w) if u in sources and w in targets else ""


def _has_seed(linear: Linearisation) -> bool:
    """Whether the only source is a seed."""
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
