"""The reverse sweep of a body: needed values forth, adjoints back.

Adjoints are sums of terms, one for each reader; a term has a number for each direction.
The adjoint of an array is an array that its readers change one after another.
The levels are taken from the last to the first, so all that reads a value has been seen
before its adjoint and its use by the forward statements are settled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from ad_transform.dataclass import dataclass
from ad_transform.derive.accumulation.accumulate import Matrix
from ad_transform.derive.accumulation.linearise import is_zero
from ad_transform.derive.sweep.context import Context
from ad_transform.derive.sweep.hook import (
    Gathering,
    Hook,
    Totals,
    holding,
    nothing,
)
from ad_transform.derive.sweep.levels import Level, in_levels, is_operation
from ad_transform.derive.sweep.order import ordered
from ad_transform.derive.sweep.recomputed import found_again
from ad_transform.derive.sweep.replaced import with_parts
from ad_transform.derive.sweep.runs import Run
from ad_transform.derive.sweep.shaped import Shapes
from ad_transform.derive.sweep.shapes import fitted
from ad_transform.elementals import TABLE
from ad_transform.elementals.arrays import ADDED
from ad_transform.elementals.copies import copy_of
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.dims import ANY
from ad_transform.ir.laws.signs import definitions
from ad_transform.ir.nodes import (
    Apply,
    Literal,
    Operand,
    Statement,
    Var,
    checks,
    checks_inside,
)
from ad_transform.ir.trampoline import Task
from ad_transform.ir.types import FLOAT

Operands = tuple[Operand, ...]
Rule = Callable[["Reverse", Any], Task[None]]
"""The sweep of a statement with blocks: its adjoints are used, its twins entered."""

ZERO = Literal(0.0)


@dataclass(frozen=True, slots=True)
class Asked:
    """A body to sweep: adjoints of `columns`, given those of `rows` by direction.

    `wanted` are the values that are read elsewhere. `mixed` says whether forward
    statements may depend on the adjoints given: then a branch may do both at once. A
    `hook` is handed the adjoints of operations; it adds to `totals`; if these are None,
    the adjoints are only gathered. `lasting` are arrays from outside, and of the
    results, that nothing changes later; `lost` are those from outside that may have
    changed before the statements back. A body `is_repeated` if it is in a loop: loops
    in it run many times.
    """

    body: Sequence[Statement]
    columns: tuple[Var, ...]
    rows: tuple[tuple[Operand, Operands], ...]
    wanted: tuple[Operand, ...]
    directions: int
    mixed: bool
    hook: Hook | None = None
    totals: Totals | None = None
    lasting: Iterable[Operand] = ()
    lost: Iterable[Operand] = ()
    is_repeated: bool = False


@dataclass(frozen=True, slots=True)
class Swept:
    """Statements forth and back, and the adjoints: a row of them for each direction.

    `totals` are those of the hook, `gathering` has the adjoints that it has not seen
    yet.
    """

    forth: tuple[Statement, ...]
    back: tuple[Statement, ...]
    adjoints: Matrix
    totals: Totals
    gathering: Gathering


class Reverse:
    """One body under the reverse sweep."""

    def __init__(self, context: Context, asked: Asked) -> None:
        self.context = context
        self.asked = asked
        seeds: dict[Operand, int] = {c: 1 << k for k, c in enumerate(asked.columns)}
        self.varied = context.dependence.within(asked.body, seeds)
        context.tests.update(definitions(asked.body))
        self.levels = in_levels(asked.body, self.varied)
        self.terms: dict[Operand, list[Operands]] = {}
        self.needed: set[Operand] = set(asked.wanted)
        self.replaced: dict[Statement, Statement | None] = {}
        self.back: list[Statement] = []
        self._parts: dict[Operand, Apply] = {}  # statements back that make arrays
        self.mask = self.levels.mask
        self._consumption = Consumption()
        self._readers: dict[Operand, int] = {}  # masks of the readers of an array
        self._changes: dict[Operand, int] = {}  # bits of changes by new statements
        self._bits = max(self.mask.values(), default=0).bit_length()
        others = [s for s in asked.body if type(s) is not Apply]
        self.checking = {s for s in others if checks(s) or checks_inside(s)}
        start = asked.totals or nothing(asked.hook, asked.directions)
        self.gathering = Gathering(start, [], [])
        self.shapes = Shapes(asked.body, asked.lasting, asked.wanted, asked.lost)
        self.copies: dict[Operand, Var] = {}  # of arrays that change, made forth

    # --- adjoints -----------------------------------------------------------------

    def add(self, value: Operand, term: Operands) -> None:
        """Add a term to a value's adjoint."""
        if value in self.varied and not all(map(is_zero, term)):
            self.terms.setdefault(value, []).append(term)
            self.needed.update(term)  # it may be a forward value

    def adjoint(self, value: Operand) -> Operands:
        """The adjoint of a value by direction, its terms added up."""
        if value.type.dims:
            return self.take(value)
        terms = self.terms.get(value, [])
        if len(terms) == 1 and not value.type.shape and _are_values(terms[0]):
            return terms[0]
        builder = Builder(TABLE, self.context.laws)
        total: list[Operand] = []
        for d in range(self.asked.directions):
            whole: Operand = ZERO
            name = self.context.called(value, d)
            own = [term[d] for term in terms]
            if value.type.shape and len(own) > 1:
                own = with_parts(builder, self._parts, own)
            for k, term in enumerate(own):
                hint = name if k == len(own) - 1 else ""
                whole = builder.apply("add", whole, term, hint=hint)
            total.append(fitted(builder, whole, value))
        self.append(builder.body)
        return tuple(total)

    def handed(self, array: Operand) -> Operands:
        """The adjoint of an array by direction, to be handed on."""
        found = self.adjoint(array)
        self.terms.pop(array, None)
        return found

    def take(self, array: Operand) -> Operands:
        """The adjoint of an array by direction, to be changed or given away.

        An array whose adjoint has no terms yet gets one of zeros.
        """
        terms = self.terms.pop(array, None)
        if terms is None:
            count = range(self.asked.directions)
            return tuple(self.filled(array, ZERO, d) for d in count)
        adjoint, *others = terms
        for term in others:
            pairs = zip(adjoint, term, strict=True)
            adjoint = tuple(self._added(array, *p, d) for d, p in enumerate(pairs))
        return adjoint

    def filled(self, array: Operand, value: Operand, direction: int) -> Operand:
        """An adjoint of an array with one value everywhere."""
        made, out = self.shapes.filled(array, value, self._alike(array))
        for statement in self.shapes.early:
            self.note(statement, statement.outs)
        if made:
            out = self.named(out, array, direction)
            made[-1] = made[-1].binding((out,))
            self.append(made)
        return out

    def _alike(self, array: Operand) -> Operand | None:
        """The adjoint of another array of the same dims; None if there is none."""
        if ANY in array.type.dims:
            return None
        found = (t[0][0] for v, t in self.terms.items() if v.type == array.type)
        return next(found, None)

    def named(self, out: Var, value: Operand, direction: int) -> Var:
        """A derivative of a value under its name."""
        return Var(out.type, self.context.called(value, direction))

    def saved(self, array: Operand) -> Operand:
        """An array as it was before any change: itself if it lasts, else a copy that is
        made forth.
        """
        if array in self.shapes.lasting:
            return array
        if array not in self.copies:
            copy = copy_of(array, before=True)
            self.shapes.early.append(copy)
            self.note(copy, copy.outs)
            self.copies[array] = copy.out
        return self.copies[array]

    @cached_property
    def found_again(self) -> set[Operand]:
        """The whole numbers and elements that both ways find from free values."""
        body, free, lasting = self.asked.body, self.context.free, self.shapes.lasting
        read = {o for s in body for o in s.inputs}
        known = (o for o in read if o in (lasting if o.type.is_array else free))
        return {s.out for s in found_again(body, known)}

    def _added(self, array: Operand, a: Operand, b: Operand, d: int) -> Operand:
        op = TABLE[ADDED[len(array.type.dims)]]
        out = Var(a.type, self.context.called(array, d))
        self.append([Apply(out, op, (a, b))])
        return out

    def append(self, statements: Iterable[Statement]) -> None:
        """Add backward statements; their inputs are needed."""
        for statement in statements:
            self.back.append(statement)
            self.note(statement, statement.outs)
            if type(statement) is Apply and statement.out.type.shape:
                self._parts[statement.out] = statement

    def note(self, statement: Statement, outs: Iterable[Var]) -> None:
        """Note the inputs of a new statement as needed, and the masks of its values.

        A change of an array stands behind all readers so far.
        """
        inputs = statement.inputs
        self.needed.update(inputs)
        mask = self.masked(inputs)
        arrays = [o for o in inputs if type(o) is Var and o.type.dims]
        if arrays:
            for array in self._consumption.by(statement):
                mask |= self._readers.get(array, 0) | self._change(array)
            for array in arrays:
                self._readers[array] = self._readers.get(array, 0) | mask
        for out in outs:
            self.mask[out] = mask

    def keep_checks(self, statement: Statement) -> None:
        """Leave a statement in its place if it checks something."""
        if statement in self.checking:
            self.replaced[statement] = statement
            self.needed.update(statement.inputs)

    def masked(self, operands: Iterable[Operand]) -> int:
        """The swept statements that some values depend on."""
        mask, known = 0, self.mask
        for operand in operands:
            if operand in known:
                mask |= known[operand]
        return mask

    def _change(self, array: Operand) -> int:
        """A bit in the masks of values that stand behind a change of an array."""
        place = self._bits + len(self._changes)
        return self._changes.setdefault(array, 1 << place)

    def others(self, operands: Sequence[Operand], inputs: Sequence[Operand]) -> int:
        """The swept statements on which some values depend and some inputs do not; and
        those changes of arrays among the inputs that come before the values.
        """
        behind = self.masked(operands)
        for operand in operands:
            behind |= self._readers.get(operand, 0)
        changes = [(array, bit) for array, bit in self._changes.items() if behind & bit]
        mask = behind & ~self.masked(inputs)
        for array, bit in changes:
            mask = mask | bit if array in inputs else mask & ~bit
        return mask

    # --- the sweep ----------------------------------------------------------------

    def sweep(self, rules: Mapping[type, Rule]) -> Task[Swept]:
        """Make the statements forth and back; `rules` sweep those with blocks."""
        for row, seed in self.asked.rows:
            self.add(row, seed)
        for place in reversed(range(len(self.levels.levels))):
            level = self.levels.levels[place]
            for statement in reversed(level.swept):
                yield rules[type(statement)](self, statement)
            self._run(level, place)
        adjoints = [self.adjoint(c) for c in self.asked.columns]
        totals = self._totals()
        matrix = _transposed(adjoints, self.asked)
        return Swept(self._forth(), tuple(self.back), matrix, totals, self.gathering)

    def _run(self, level: Level, place: int) -> None:
        operations, hook = level.operations, self.asked.hook
        roots = self._roots(level)
        made = [s for s in operations if s.out in self.varied]
        perturbed: dict[Operand, Var] = {}
        if hook is not None:
            perturbed = {s.out: _column(s) for s in made if hook.perturbs(s)}
            operations = [hook.guarded(s) for s in operations]
            roots = own_order(operations)
        own = {s.out for s in made}
        varied = self.varied
        read = [a for s in made for a in s.args if type(a) is Var and a not in own]
        columns = tuple(dict.fromkeys([a for a in read if a in varied]))
        rows: list[Operand] = []
        seeds: list[Operands] = []
        active = False
        for value in (*own_order(made), *columns):
            for term in self.terms.get(value, ()):
                active = active or value in own
                rows.append(value)
                seeds.append(term)
        if not active or not (columns or perturbed):
            return
        adjoints = tuple(zip(*seeds, strict=True))
        run = Run(
            operations,
            roots,
            columns,
            tuple(rows),
            adjoints=adjoints,
            perturbed=perturbed,
        )
        solved = self.context.solve(run)
        self.append(solved.added)
        for k, column in enumerate(columns, len(perturbed)):
            self.terms.pop(column, None)
            self.add(column, tuple(row[k] for row in solved.entries))
        if hook is not None:
            self._see(level, perturbed, solved.entries)

    def _see(
        self, level: Level, perturbed: Mapping[Operand, Var], entries: Matrix
    ) -> None:
        """Note the adjoints of a run for the hook. It may read all operands of the
        run's operations, so these are needed.
        """
        places = {out: k for k, out in enumerate(perturbed)}
        for statement in level.operations:
            if statement.out in places:
                adjoint = tuple(row[places[statement.out]] for row in entries)
                if not all(map(is_zero, adjoint)):
                    self.gathering.seen.append((statement, adjoint))
                    self.needed.update((statement.out, *adjoint))
        self._need(level)

    def _totals(self) -> Totals:
        """The totals of the hook, which the backward statements add up."""
        hook, gathering = self.asked.hook, self.gathering
        if hook is None or self.asked.totals is None:
            return gathering.totals
        builder = Builder(TABLE, self.context.laws)
        count = holding(builder, (*self.asked.body, *self.back))
        totals = gathering.all(hook, builder)
        added = tuple(builder.body[count:])
        self.append(live(added, tuple(t for own in totals for t in own)))
        return totals

    def _roots(self, level: Level) -> Operands:
        """The values of the run that are read elsewhere; notes the needed inputs."""
        own = dict.fromkeys(own_order(level.operations))
        roots: dict[Operand, None] = {out: None for out in own if out in self.needed}
        roots.update(self._need(level))
        return tuple(r for r in roots if r in own)

    def _need(self, level: Level) -> dict[Operand, None]:
        """Note the inputs that a run needs for its needed values. Returns the inputs of
        its statements that are no operations.
        """
        read: dict[Operand, None] = {}
        # partials may read the operands of operations
        seen: set[Operand] = {a for s in level.operations for a in s.args}
        for statement in reversed(level.run):
            used = not self.needed.isdisjoint(statement.outs)
            if is_operation(statement):
                if used:
                    self.needed.update(statement.inputs)
            elif (
                used
                or statement in self.checking
                or not seen.isdisjoint(statement.outs)
            ):
                self.needed.update(statement.inputs)
                read.update((i, None) for i in statement.inputs)
        return read

    def _forth(self) -> tuple[Statement, ...]:
        kept: list[Statement] = []
        late = {out for s in self.back for out in s.outs}
        for statement in self.asked.body:
            if type(statement) is Apply:  # nearly always
                stays = statement.out in self.needed and statement.out not in late
                if stays and statement not in self.replaced:
                    kept.append(statement)
                    continue
            if not late.isdisjoint(statement.outs):
                continue  # only derivatives read it, and have it polished
            if statement in self.replaced:
                other = self.replaced[statement]
                kept += [other] if other is not None else []
            elif statement in self.checking or not self.needed.isdisjoint(
                statement.outs
            ):
                kept.append(statement)
        early = self.shapes.early
        return ordered((*kept, *early)) if early else tuple(kept)


def _are_values(term: Operands) -> bool:
    """Whether a term is a value in every direction, and no number: sums fold these."""
    return all(type(operand) is Var for operand in term)


def _column(statement: Apply) -> Var:
    """A variable for the perturbation of an operation."""
    return Var(FLOAT, statement.out.hint)


def own_order(made: Sequence[Apply]) -> tuple[Var, ...]:
    """The values of operations, in order."""
    return tuple([s.out for s in made])


def _transposed(adjoints: Sequence[Operands], asked: Asked) -> Matrix:
    return tuple(
        tuple(adjoint[d] for adjoint in adjoints) for d in range(asked.directions)
    )
