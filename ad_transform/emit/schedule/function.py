"""A whole function scheduled: its lines, its results, the names of its values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from types import MappingProxyType

from ad_transform.dataclass import dataclass
from ad_transform.emit.schedule.anchors import RESULT, Parts
from ad_transform.emit.schedule.beforehand import beforehand
from ad_transform.emit.schedule.beginnings import with_beginnings
from ad_transform.emit.schedule.composer import Composer, Habits
from ad_transform.emit.schedule.frame import Frame
from ad_transform.emit.schedule.idle import without_idle
from ad_transform.emit.schedule.items import Items, over_items
from ad_transform.emit.schedule.lines import Line
from ad_transform.emit.schedule.names import Namer, parts
from ad_transform.emit.schedule.owners import part_names
from ad_transform.emit.schedule.parts_below import above_parts
from ad_transform.emit.schedule.pieces import NOTHING, Piece, values_in
from ad_transform.emit.schedule.records import Records, recorded
from ad_transform.emit.schedule.rows import with_rows
from ad_transform.emit.schedule.rules import RULES
from ad_transform.emit.schedule.scheduler import Scheduler
from ad_transform.emit.schedule.scope import Scope
from ad_transform.emit.schedule.uses import count_uses
from ad_transform.emit.schedule.ways_back import told
from ad_transform.emit.width import width
from ad_transform.ir.build import as_float
from ad_transform.ir.loops.ends import unread_at_the_end, without_ends
from ad_transform.ir.nodes import (
    LEAF,
    Function,
    Literal,
    Operand,
    Parameter,
    Statement,
    Var,
    walk,
)
from ad_transform.later import later

with later():
    from ad_transform.emit.schedule.arm_records import with_arm_records

Returned = Callable[[Scheduler, Frame], Sequence[Piece]]
"""A function of a target that makes results of the last frame, with names if it wants.
"""


@dataclass(frozen=True, slots=True)
class Ready:
    """A function that can be scheduled, with facts that hold however wide names are.

    words    the names of values without names of their own
    terms    values that carry the name of the sum that they belong to
    items    the loops that go over items of lists
    records  the records of loops as lists
    brief    lists and counts without the trip that leaves the loop
    uses     the number of uses of each value, 2 where only a name may stand
    """

    function: Function
    words: Mapping[Var, str]
    terms: Set[Var]
    items: Mapping[Statement, Items]
    records: Records
    brief: Set[Var]
    uses: Mapping[Var, int]


def ready(function: Function, habits: Habits, source: Parts | None = None) -> Ready:
    """A function made ready for a target of such habits; linear in its size.

    `source` are the owners of parts of the source that it is derived from.
    """
    brief = unread_at_the_end(function)
    if function.nested:
        function = with_arm_records(function, habits.has_tuples)
    function = without_ends(function)
    terms = parts(function.body)
    words = part_names(function, source, terms)
    function, rows = with_rows(function) if habits.over_items else (function, NOTHING)
    function, records = recorded(with_beginnings(function), habits.is_tuple)
    items = over_items(function, rows) if habits.over_items else {}
    uses = count_uses(function, habits.uses, items)
    return Ready(function, words, terms, items, records, brief, uses)


@dataclass(frozen=True, slots=True)
class Scheduled:
    """A function that is ready to be written.

    lines    its statements
    results  the expressions that it returns
    names    those of all values that the lines bind, and of parameters
    uses     the number of uses of each value, 2 where only a name may stand
    """

    lines: Sequence[Line]
    results: Sequence[Piece]
    names: Mapping[Var, str]
    uses: Mapping[Var, int]
    cramped: bool


def scheduled(
    made: Ready,
    scope: Scope,
    composer: Composer,
    returned: Returned,
    widths: Mapping[Var, int] = MappingProxyType({}),
    endings: frozenset[Statement] = frozenset(),
) -> Scheduled:
    """A function scheduled for a target; linear in its size.

    Widths of names are estimated, but for those that are known, `widths`. It is
    `cramped` where something is split for it is wide. The last arms of `endings` are
    not indented.
    """
    function, uses = made.function, made.uses
    given = _given(function, scope, composer, uses)
    estimate = _Estimate(made, composer.most_names)
    columns = _Known(widths, estimate) if widths else estimate
    loops = made.items, made.records, made.brief
    scheduler = Scheduler(function, composer, uses, columns, RULES, *loops)
    scheduler.endings = endings
    frame = scheduler.run(given, _kept(function))
    results = returned(scheduler, frame)
    frame.lines = beforehand(frame.lines)
    taken = scope.taken() | composer.taken()
    ends, most = values_in(results), composer.most_names
    namer = Namer(frame.lines, ends, given, taken, made.words, made.terms, most)
    names = namer.run()
    lines = above_parts(told(without_idle(frame.lines, names)))
    return Scheduled(lines, results, names, uses, scheduler.cramped)


def returned_operands(function: Function) -> list[Operand]:
    """The operands that a function returns; literals among derivatives are floats."""
    return [
        (
            as_float(result)
            if k >= function.primal and isinstance(result, Literal)
            else result
        )
        for k, result in enumerate(function.results)
    ]


def is_whole(parameter: Parameter) -> bool:
    """Whether a parameter is an array of any length: one value, a list."""
    nest, first = parameter.nest, parameter.vars[:1]
    if nest.is_optional:
        nest, first = nest.items[1], parameter.vars[1:2]
    return nest.items == (LEAF,) and bool(first and first[0].type.is_array)


def _given(
    function: Function, scope: Scope, composer: Composer, uses: Mapping[Var, int]
) -> dict[Var, str]:
    """Names of the parameters' values; those of a structure that are used."""
    given: dict[Var, str] = {}
    for parameter in function.parameters:
        is_leaf, is_member = parameter.nest.is_leaf, bool(parameter.nest.names)
        if is_leaf and (not is_member or uses[parameter.vars[0]]):
            name, *places = parameter.name.split(".")
            given[parameter.vars[0]] = composer.item(name, places) if places else name
    for parameter in function.parameters:
        if parameter.nest.is_leaf:
            continue
        for k, var in enumerate(parameter.vars):
            is_array = is_whole(parameter) and var is parameter.vars[-1]
            if uses[var] and not var.type.dims and is_array:
                given[var] = parameter.name  # the name stands for the array itself
            elif uses[var]:
                wish = var.hint or f"{parameter.name}_{k + 1}"
                if is_array:
                    wish = f"{parameter.name}_list"
                given[var] = scope.claim(wish)
    return given


def _kept(function: Function) -> frozenset[Var]:
    """The value that is nested although it has a name: `return` of just that value."""
    if not function.nest.is_leaf:
        return frozenset()
    result = function.results[0]
    if isinstance(result, Literal) or result.notes:
        return frozenset()
    return frozenset({result})


class _Known:
    """Widths of names, and a guess for values that have none."""

    def __init__(self, widths: Mapping[Var, int], other: Callable[[Var], int]) -> None:
        self.widths, self.other = widths, other

    def __call__(self, var: Var) -> int:
        found = self.widths.get(var)
        return self.other(var) if found is None else found


class _Estimate:
    """A guess at the width of the name that a value will get."""

    def __init__(self, made: Ready, most: float) -> None:
        words, terms, uses = made.words, made.terms, made.uses
        self.words = words
        self.terms = terms
        self.hints: Counter[str] = Counter()
        self._known: dict[str, int] = {}
        shared: Counter[str] = Counter()
        hints = self.hints
        for statement in walk(made.function.body):
            for out in statement.outs:
                if not out.hint or out in terms:
                    word = words.get(out, RESULT)
                    shared[word] = shared.get(word, 0) + (uses[out] > 1)
                else:
                    hints[out.hint] = hints.get(out.hint, 0) + 1
        self.numbered = {word: _widest(word, n) for word, n in shared.items()}
        if shared.total() + self.hints.total() > most:
            few = 1 + len(str(shared.total()))
            self.numbered = dict.fromkeys(self.numbered, few)

    def __call__(self, var: Var) -> int:
        hint = var.hint
        if not hint or var in self.terms:
            word = self.words.get(var, RESULT)
            columns = self.numbered.get(word)
            return width(word) if columns is None else columns
        found = self._known.get(hint)
        if found is None:
            found = self._known[hint] = _widest(hint, self.hints[hint])
        return found


def _widest(name: str, times: int) -> int:
    """The width of the last of so many names with one wish."""
    return width(name) + (1 + len(str(times)) if times > 1 else 0)
