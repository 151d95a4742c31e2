"""Two derivations in a row: orders of both, and the cheapest outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from typing import Any

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.accumulation.accumulate import Task, linearise_task
from ad_transform.derive.accumulation.outcome import Outcome
from ad_transform.derive.accumulation.race import DRAFTED, HELD, NAMED, Rival, each
from ad_transform.derive.accumulation.shapes import shape
from ad_transform.derive.request import Request
from ad_transform.derive.sweep.solve import (
    accumulate,
    compete,
    is_straight,
    is_swept,
)
from ad_transform.diagnostics import Refusal
from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.order import LARGEST, PAIRED, only_of_hessians
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Call
from ad_transform.options import HIGHEST, Options

ASKED = ("forward", "reverse", "markowitz", "markowitz-latest")
"""Orders that a second derivative is also tried in, both times the same: the cheapest
gradient need not lead to the cheapest Hessian."""

SHORT = 1_000
"""Statements of a function up to which ASKED are tried."""

BESIDE = "markowitz-latest"
"""The order that the first pass of a longer function is tried in beside its own: where
many terms share values it leads to fewer operations than reverse order does."""

LONGEST = 20_000
"""Statements of a function from which on BESIDE is not tried."""

SHORTEST = 17
"""Statements of a first derivative up to which all orders are tried both times."""

SHORTER, NEAR = 40, 1.12
"""Statements up to which orders are tried both times whose second drafts cost at most
NEAR times the draft of the best."""

PAIRED_EDGES = 300
"""Edges of a symmetric graph up to which orders of pairs are tried beside others."""

PAIRED_FIRST = "symmetric-markowitz"
"""The order of pairs that is tried before others on larger symmetric graphs."""

BARELY = 1.05
"""Other orders are finished there if their drafts cost at most so many times as
much."""

FEW = 3
"""Columns up to which a product with a vector is tried as the Hessian times that."""


@dataclass(frozen=True, slots=True)
class Passes:
    """Two derivations in a row: the task of the first, that of the second on its
    outcome, and the name for the orders of both. `symmetric` is the task of both at
    once, see there. The orders `asked` are also tried in both passes.
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
        """The task of the second derivation; its passes share one memory."""
        if id(first) in self.made:
            return self.made[id(first)][1]
        builder, task = self.second(first)
        builder.memory = self.memory
        if HELD in self.memory:
            self.made[id(first)] = first, (builder, task)
        return builder, task

    def after(self, first: Outcome, second: Outcome) -> Outcome:
        """The outcome of both passes; the first tells the idle columns."""
        trails = (*first.trails, *second.trails)
        order = self.called(first.order, second.order)
        rivals = {name: self.after(first, made) for name, made in second.rivals.items()}
        ways = tuple(self.after(first, made) for made in second.ways)
        own = replace(second, order=order, idle=first.idle, trails=trails)
        return replace(own, rivals=rivals, ways=ways)


def cheapest(passes: Passes) -> Outcome:
    """The cheapest outcome of both passes; `rivals` took one order both times.

    The first pass is run once for all second passes on top of it. More effort goes on
    with the outcomes of less effort.
    """
    options = passes.request.options
    builder, task = passes.first
    if options.order in PAIRED:
        return accumulate(*_pairs_of(passes), options)
    blocks = is_swept(builder.body, task.columns)
    if blocks or options.order != "auto" or options.cost == "fma":
        first = accumulate(*passes.first, options)
        outcome = passes.after(first, accumulate(*passes.over(first), options))
        return outcome.beside(()) if blocks else outcome
    if options.effort > 1:
        passes.memory[HELD] = {}
        builder.memory.setdefault(HELD, {})
    pairs, least = _task_of_pairs(passes), options.override(effort=1)
    paired: Outcome | None = None
    rival: Rival | None = None
    if pairs and _edges_of(*pairs) > PAIRED_EDGES:
        paired = compete(*pairs, least, (PAIRED_FIRST,))
        rival = _barely_beaten(paired, pairs[0]) if options.effort == 1 else None
    found, rivals = _by_orders(passes, rival)
    if options.effort > 1:
        _search(passes, found)
    outcomes = [both for _, both in found]
    if pairs and paired is None:
        with suppress(Dearer):
            best = min(outcomes, key=lambda outcome: outcome.rank)
            paired = compete(*pairs, least, [*PAIRED], Rival(best))
    if paired:
        outcomes.append(paired)
        rivals = {**rivals, **paired.rivals}
    if options.effort == HIGHEST:
        named = _named(passes, pairs)
        outcomes += named.values()
        rivals = {**rivals, **named}
    return replace(min(outcomes, key=lambda outcome: outcome.rank), rivals=rivals)


def _barely_beaten(paired: Outcome, builder: Builder) -> Rival:
    """The outcome of pairs, to be beaten by drafts that are BARELY dearer."""
    drafted = builder.memory[DRAFTED][PAIRED_FIRST]
    return Rival(paired, operations=int(BARELY * drafted), times=0.0)


def _task_of_pairs(passes: Passes) -> tuple[Builder, Task] | None:
    """The task on the symmetric graph; None if it is not tried (FEW, LONGEST)."""
    request = passes.request
    tried = request.options.effort > 0 and len(request.function.body) < LONGEST
    if not tried or not _is_paired(passes):
        return None
    builder, task = _pairs_of(passes)
    if task.tangents is not None and len(task.columns) > FEW:
        return None
    is_huge = _edges_of(builder, task) > LARGEST[PAIRED_FIRST]
    return None if is_huge else (builder, task)


def _edges_of(builder: Builder, task: Task) -> int:
    """The edges of a task's graph."""
    return len(linearise_task(builder, task, staged=False).graph.edges)


def _pairs_of(passes: Passes) -> tuple[Builder, Task]:
    """The task on the symmetric graph; raises Refusal AD032 where there is none."""
    name = passes.request.function.name
    if passes.symmetric is None or not _is_paired(passes):
        found = f"{name!r} has loops, branches, calls or arrays of any length"
        raise Refusal(only_of_hessians(passes.request.options.order, found))
    return passes.symmetric()


def _is_paired(passes: Passes) -> bool:
    """Whether there is a symmetric graph. With calls there is none: their slopes depend
    on arguments in ways that no second partial of an operation shows.
    """
    builder, task = passes.first
    called = any(isinstance(s, Call) for s in builder.body)
    return (
        passes.symmetric is not None and not called and is_straight(builder.body, task)
    )


_Both = tuple[Outcome, Outcome]
"""The outcome of a first pass, and that of both."""


def _rank_of_both(both: _Both) -> tuple[int, int]:
    return both[1].rank


def _search(passes: Passes, found: list[_Both]) -> None:
    """Search more at the higher efforts: for first passes, and for second ones on top
    of the first pass behind the cheapest.

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


def _named(passes: Passes, pairs: tuple[Builder, Task] | None) -> dict[str, Outcome]:
    """The outcome of every order that has a name, taken in both passes."""
    least = passes.request.options.override(effort=1)
    made = each(*pairs, least, tuple(PAIRED)) if pairs else {}
    builder, task = passes.first
    if not is_straight(builder.body, task):
        return made
    alike: dict[object, tuple[Outcome, list[str]]] = {}
    for name, first in each(builder, task, least, NAMED).items():
        alike.setdefault(_shape(first), (first, []))[1].append(name)
    for first, names in alike.values():
        for name, second in each(*passes.over(first), least, names).items():
            made[name] = passes.after(first, second)
    return made


def _by_orders(
    passes: Passes, rival: Rival | None
) -> tuple[list[_Both], dict[str, Outcome]]:
    """The cheapest second pass on the cheapest first one, and each order on itself;
    nothing if all orders are hopeless beside a rival.
    """
    request = passes.request
    options = request.options.override(effort=min(request.options.effort, 1))
    first, drafted = _raced(*passes.first, options)
    if options.effort == 1 and SHORT < len(request.function.body) < LONGEST:
        with suppress(Dearer):
            beside = _first(passes, first, BESIDE)
            first = min(first, beside, key=lambda outcome: outcome.rank)
    try:
        second, again = _raced(*passes.over(first), options, rival)
    except Dearer:
        return [], {}
    both = passes.after(first, second)
    firsts = {
        name: made for name, made in first.rivals.items() if len(made.body) <= SHORTER
    }
    if len(request.function.body) <= SHORT:
        for name in passes.asked:
            if name not in first.rivals and _hopeless(drafted, [name], Rival(first)):
                continue
            with suppress(Dearer):
                firsts[name] = _first(passes, first, name)
    found = [(first, both)]
    rivals: dict[str, Outcome] = {}
    for made, twice, more in _shapes(firsts, first):
        known = both.rivals if made is first else {}
        new = [name for name in {**twice, **more} if name not in known]
        rival = _beside(both, made, asked=not twice.keys().isdisjoint(passes.asked))
        if new and not (made is first and _hopeless(again, new, rival)):
            with suppress(Dearer):
                outcome = compete(*passes.over(made), options, new, rival)
                after = passes.after(made, outcome)
                found.append((made, after))
                known = {**known, **after.rivals}
        rivals.update((name, known[name]) for name in twice if name in known)
    return found, rivals


def _raced(
    builder: Builder, task: Task, options: Options, rival: Rival | None = None
) -> tuple[Outcome, Mapping[str, int]]:
    """The cheapest code for a task, and the prices of the orders as drafted.

    Raises Dearer where all of them are hopeless beside a rival.
    """
    builder.memory.pop(DRAFTED, None)
    outcome = compete(builder, task, options, (), rival)
    straight = is_straight(builder.body, task)
    return outcome, builder.memory.get(DRAFTED, {}) if straight else {}


def _beside(both: Outcome, made: Outcome, asked: bool) -> Rival:
    """The rival of an order on top of a first pass; `asked` orders are always tried."""
    if asked or len(made.body) <= SHORTEST:
        return Rival(both)
    return Rival(both, operations=0, times=NEAR)


def _hopeless(drafted: Mapping[str, int], names: Sequence[str], rival: Rival) -> bool:
    """Whether the drafts of some orders are all hopeless beside a rival of theirs."""
    return all(name in drafted and rival.is_hopeless(drafted[name]) for name in names)


def _first(passes: Passes, first: Outcome, name: str) -> Outcome:
    """The outcome of an order in the first pass; raises Dearer if it is hopeless."""
    if name in first.rivals:
        return first.rivals[name]
    return compete(*passes.first, passes.request.options, (name,), Rival(first))


_PLAIN = ("reverse", "forward")  # all that is tried without effort


_Names = dict[str, None]


def _shapes(
    firsts: dict[str, Outcome], best: Outcome
) -> list[tuple[Outcome, _Names, _Names]]:
    """First derivatives that differ, their orders, and other orders to try on them.

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
