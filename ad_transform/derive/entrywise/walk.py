"""The entries of a Jacobian, appended to lists where the rows come about.

A block is gone through once. Elements that are read of what is differentiated by are
the columns of its own, those of numbers computed from them their partials, by one
elimination for each straight run. Where such a number is stored as an element of a
result, or added to it, as many entries are appended as it has columns. What is stored
over entries ends them: `since` says how many entries there were at that time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace

from ad_transform.dataclass import dataclass
from ad_transform.derive.accumulate import Task
from ad_transform.derive.entrywise.appending import (
    ONE,
    ZERO,
    Appending,
    Growing,
    Operands,
    Same,
    Slopes,
    Unknown,
    is_number,
)
from ad_transform.derive.entrywise.claims import CHANGES, MAKERS, Claims
from ad_transform.derive.request import Request, flat
from ad_transform.derive.sweep.dependence import Dependence
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks import renewed
from ad_transform.ir.build import Builder
from ad_transform.ir.dims import ANY
from ad_transform.ir.free import free
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
)
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.types import FLOAT, INT, Type

MOST = 64
"""Columns that a number may have side by side."""


@dataclass(frozen=True, slots=True)
class Source:
    """What is differentiated by, and the place of its first column."""

    value: Var
    begin: Operand


@dataclass(frozen=True, slots=True)
class _Store:
    """An element of a result that is changed, its row, and whether over entries."""

    change: Apply
    key: int
    row: Operand
    is_over: bool


@dataclass(slots=True, eq=False)
class Walk(Appending):
    """A block while it is gone through; what is in `env` are the operands of the new
    block, and all else is about these.
    """

    request: Request = field(kw_only=True)
    claims: Claims = field(kw_only=True)
    ending: Mapping[Var, int] = field(kw_only=True)
    sources: Mapping[Operand, Source] = field(kw_only=True)
    lengths: dict[int, Operands] = field(default_factory=dict)
    lists: set[Operand] = field(default_factory=set)  # that results claim
    env: dict[Operand, Operand] = field(default_factory=dict)
    waiting: list[Statement] = field(default_factory=list)
    stores: list[_Store] = field(default_factory=list)

    def inside(self) -> Walk:
        """That of a block in it."""
        return replace(
            self,
            growing=self.growing.copy(),
            bounds=self.bounds.inside(),
            env=self.env.copy(),
            slopes=self.slopes.copy(),
            text=self.text.inner(),
            waiting=[],
            stores=[],
        )

    def found(self, sources: Sequence[Source]) -> None:
        """Differentiate by these: lists of which elements are read, and numbers."""
        self.sources = {s.value: s for s in sources if s.value.type.dims}
        for source in sources:
            if not source.value.type.dims:
                self.slopes[source.value] = {source.begin: ONE}

    def of(self, operand: Operand) -> Operand:
        """What an operand is in the new block."""
        return self.env.get(operand, operand)

    # --- a block ----------------------------------------------------------------------

    def block(self, block: Block) -> Operands:
        """Go through a block; its results in the new one. Raises Unknown."""
        body = block.body
        terms = self.claims.terms.get(id(body), ())
        ends = (*block.results, *(term.value for term in terms))
        needed = _needed_after(body, ends)
        for place, statement in enumerate(body):
            self._statement(statement, needed[place])
        values = [self.of(term.value) for term in terms]
        self._flush([v for v in map(self.of, ends) if self._is_active(v)])
        for term, value in zip(terms, values, strict=True):
            if self._is_active(value):
                self.append(term.key, ZERO, value, term.sign)
        return tuple(self.of(result) for result in block.results)

    def _statement(self, statement: Statement, needed: frozenset[Operand]) -> None:
        if isinstance(statement, Apply):
            self._apply(statement)
            return
        is_special = any(self.of(x) in self.sources for x in statement.inputs)
        if isinstance(statement, Scan | Branch) and (
            is_special or self.claims.touched(statement)
        ):
            wanted = {self.of(x) for x in (*needed, *statement.inputs)}
            self._flush([v for v in self._pending() if v in wanted])
            if isinstance(statement, Scan):
                self._scan(statement)
            else:
                self._branch(statement)
            return
        if is_special or any(self.of(x) in self.lists for x in statement.inputs):
            raise Unknown
        outs = tuple(replace(out) for out in statement.outs)
        made = statement.over(self.env).binding(outs).map_blocks(renewed)
        self.env.update(zip(statement.outs, outs, strict=True))
        self.text.body.append(made)
        self._note(made)

    def _note(self, statement: Statement) -> None:
        """Remember a statement that depends on columns."""
        if not any(map(self._is_active, statement.inputs)):
            return
        seeds = {x: 1 for x in statement.inputs if self._is_active(x)}
        masks = Dependence().within([statement], seeds)
        active = [out for out in statement.outs if out.type.is_real and masks.get(out)]
        if active:
            if self._changes(statement):
                raise Unknown
            self.waiting.append(statement)
            self.slopes.update((out, None) for out in active)

    def _changes(self, statement: Statement) -> bool:
        """Whether a statement may change a list that is not made beside it: both what
        it computes and its partials would.
        """
        if isinstance(statement, Apply):
            given = statement.args[:1] if statement.op.consumes else ()
        elif isinstance(statement, Scan):
            given = statement.carries
        else:
            given = statement.inputs
        made = {out for s in self.waiting for out in s.outs}
        return any(x.type.dims and x not in made for x in given)

    def _is_active(self, value: Operand) -> bool:
        return value in self.slopes

    def _pending(self) -> list[Var]:
        """The numbers whose partials are not known yet, in order."""
        outs = (out for s in self.waiting for out in s.outs)
        return [out for out in outs if self._is_active(out)]

    # --- operations -------------------------------------------------------------------

    def _apply(self, statement: Apply) -> None:
        name, out = statement.op.name, statement.out
        key = self.claims.keys.get(out)
        args = tuple(self.of(arg) for arg in statement.args)
        is_list = bool(out.type.dims)
        if key is not None and is_list:
            self._change(statement, key, args)
            return
        made = self.text.keep(
            statement.op, args, out.hint, out.span, out.named, out.notes, out.type
        )
        self.env[out] = made
        self.bounds.note(made, name, args)
        if name == "get" and args[0] in self.sources and not made.type.dims:
            source = self.sources[args[0]]
            place = self.place(args[1:], self.sizes(args[0]))
            column = self.plus(source.begin, place)
            self.slopes[made] = {column: ONE}
            return
        if any(arg in self.sources for arg in args) and out.type.is_real:
            raise Unknown
        if name == "get" and args[0] in self.lists and not made.type.dims:
            self.slopes[made] = {Same(args[0], args[1:]): ONE}
            return
        if name != "size" and any(arg in self.lists for arg in args):
            raise Unknown
        if key is not None:  # a sum of terms, each of which is known
            self.slopes[made] = {Same(made, ()): ONE}
            return
        if isinstance(made, Var) and not self._is_active(made):
            self._note(Apply(made, statement.op, args))

    def _change(self, statement: Apply, key: int, args: Operands) -> None:
        """A list that a result claims: it is made, or an element of it is changed."""
        name, out = statement.op.name, statement.out
        if name in MAKERS:
            self._begin(statement, key, args)
        if any(map(self._is_active, args[2:])):
            raise Unknown
        row = self._row(name, args, key) if name in CHANGES else None
        made = Var(out.type, out.hint, out.span, out.named)
        change = Apply(made, statement.op, args)
        self.text.body.append(change)
        self.env[out] = made
        self.lists.add(made)
        if row is not None:
            self.stores.append(_Store(change, key, row, is_over=out in self.ending))

    def _row(self, name: str, args: Operands, key: int) -> Operand:
        """The row of an element that is changed."""
        if name == "append":
            return self.text.keep(TABLE["size"], args[:1])
        return self.place(args[2:], self.lengths[key])

    def _begin(self, statement: Apply, key: int, args: Operands) -> None:
        """The list that a result is at first."""
        if any(map(self._is_active, args)):
            raise Unknown
        own = self.growing[key]
        held = args[0] in self.sources or args[0] in self.lists
        if statement.op.name == "copy" and held:
            raise Unknown
        if statement.op.name in ("full", "grid"):
            sizes = args[1:]
        else:
            sizes = self.sizes(args[0])
        self.lengths[key] = sizes
        if key in self.ending.values():
            size = sizes[0]
            for more in sizes[1:]:
                size = self.whole("mul", size, more)
            type_ = Type(INT.kind, (ANY,))
            since = self.text.keep(TABLE["full"], (ZERO, size), declared=type_)
            assert isinstance(since, Var)
            self.growing[key] = Growing(own.lists, since)

    # --- entries ----------------------------------------------------------------------

    def _flush(self, more: Iterable[Operand] = ()) -> None:
        """Find the partials of what is stored, and of some numbers, and append the
        entries.
        """
        stored = [store.change.args[1] for store in self.stores]
        wanted = {v: None for v in (*stored, *more) if self.slopes.get(v, 0) is None}
        if wanted:
            self._eliminate(tuple(wanted))
        self.waiting = []
        stores, self.stores = self.stores, []
        for store in stores:
            self._store(store)
        # what nobody asked for may be used no more
        gone = [v for v, slopes in self.slopes.items() if slopes is None]
        for value in gone:
            self.slopes[value] = {Same(value, ()): ONE}

    def _eliminate(self, rows: tuple[Operand, ...]) -> None:
        """The partials of numbers by the columns of what they are computed from."""
        found = free(self.waiting, ())
        columns = tuple(v for v in found if self.slopes.get(v) is not None)
        if any(v.type.dims or v.type.shape for v in (*rows, *columns)):
            raise Unknown
        builder, env = _copied(self.waiting)
        task = Task(columns, tuple(env[row] for row in rows), (flat,), 0)
        outcome = self.request.run(builder, task)
        body = tuple(s if isinstance(s, Apply) else _fresh(s) for s in outcome.body)
        partials = iter(self.text.absorb(body, outcome.results))
        for row in rows:
            slopes: Slopes = {}
            for column in columns:
                partial = next(partials)
                if is_number(partial, 0):
                    continue
                own = self.slopes[column]
                assert own is not None
                for at, slope in own.items():
                    part = self.times(partial, slope)
                    slopes[at] = self.sum(slopes[at], part) if at in slopes else part
            if len(slopes) > MOST:
                raise Unknown
            self.slopes[row] = slopes

    def _store(self, store: _Store) -> None:
        """Append the entries of an element that is stored, or of what is added."""
        name, key = store.change.op.name, store.key
        array, value, *index = store.change.args
        same = Same(array, tuple(index))
        slopes = self.slopes.get(value) or {}
        if name == "set" and is_number(slopes.get(same, ZERO), 1):
            self.append(key, store.row, value, 1, same)
            return
        if store.is_over:
            self.end(key, store.row)
        self.append(key, store.row, value, -1 if name == "sub_at" else 1)

    # --- loops and arms ---------------------------------------------------------------

    def _scan(self, scan: Scan) -> None:
        keys = self.claims.touched(scan)
        inner = self.inside()
        index, *params = scan.body.params
        n, m = len(scan.carries), len(scan.reads)
        own = Var(index.type, index.hint)
        inner.env[index] = own
        start, stop, step = (self.of(x) for x in (scan.start, scan.stop, scan.step))
        inner.bounds.loop(own, start, stop, step)
        inside = tuple(Var(p.type, p.hint) for p in params[:n])
        carried = tuple(self.of(carry) for carry in scan.carries)
        inner.env.update(zip(params[:n], inside, strict=True))
        for param, carry, var in zip(params[:n], carried, inside, strict=True):
            if param in self.claims.keys:
                self._claim(inner, var)
            elif self._is_active(carry) or carry in self.sources:
                raise Unknown
        inner.env.update(
            (p, self.of(x)) for p, x in zip(params[n : n + m], scan.reads, strict=True)
        )
        entries = tuple(self.of(x) for x in scan.entries)
        views = tuple(Var(p.type, p.hint) for p in params[n + m :])
        inner.env.update(zip(params[n + m :], views, strict=True))
        hidden = any(x in self.sources or self._is_active(x) for x in entries)
        if (
            hidden
            or scan.snapshots is not None
            or any(x in self.lists for x in entries)
        ):
            raise Unknown
        before = self.grown(keys)
        lists = tuple(_growing(part) for part in before)
        inner.hold(keys, lists)
        results = inner.block(scan.body)
        for result, out in zip(results, scan.outs, strict=True):
            if out not in self.claims.keys and inner._is_active(result):
                raise Unknown
        ends = (*results[:n], *inner.grown(keys), *results[n:])
        body = tuple(inner.text.body)
        bound = (own, *inside, *lists, *views)
        reads = free(body, ends, bound)
        block = Block((own, *inside, *lists, *reads, *views), body, ends)
        outs = tuple(Var(o.type, o.hint, o.span, o.named) for o in scan.outs)
        after = tuple(_growing(part) for part in before)
        made = Scan(
            (*outs[:n], *after, *outs[n:]),
            *(start, stop, step),
            (*carried, *before),
            reads,
            entries,
            renewed(block),
            scan.backwards,
            scan.snapshots,
        )
        self.text.body.append(made)
        self.env.update(zip(scan.outs, outs, strict=True))
        self.hold(keys, after)
        self._claim_all(scan.outs, outs)

    def _claim(self, walk: Walk, value: Var) -> None:
        """A result claims a value of a walk: the entries of what it holds are known."""
        if value.type.dims:
            walk.lists.add(value)
        else:
            walk.slopes[value] = {Same(value, ()): ONE}

    def _claim_all(self, old: Sequence[Var], new: Sequence[Var]) -> None:
        for out, made in zip(old, new, strict=True):
            if out in self.claims.keys:
                self._claim(self, made)

    def _branch(self, branch: Branch) -> None:
        keys = self.claims.touched(branch)
        test = self.of(branch.test)
        before = self.grown(keys)
        outs = tuple(Var(o.type, o.hint, o.span, o.named) for o in branch.outs)
        after = tuple(_growing(part) for part in before)
        walks, found = [], []
        for block in (branch.then, branch.orelse):
            inner = self.inside()
            over = (self.of(x) for x in branch.args)
            inner.env.update(zip(block.params, over, strict=True))
            found.append(inner.block(block))
            walks.append(inner)
        more: list[Var] = []
        ends = [
            [*results, *inner.grown(keys)]
            for results, inner in zip(found, walks, strict=True)
        ]
        for k, out in enumerate(branch.outs):
            if out not in self.claims.keys:
                sides = [
                    _columns(walk, results[k])
                    for walk, results in zip(walks, found, strict=True)
                ]
                more += self._either(outs[k], sides, ends)
        bodies = [tuple(walk.text.body) for walk in walks]
        pairs = list(zip(bodies, ends, strict=True))
        args = tuple(dict.fromkeys(v for body, end in pairs for v in free(body, end)))
        then, orelse = (renewed(Block(args, body, tuple(end))) for body, end in pairs)
        self.text.body.append(Branch((*outs, *after, *more), test, args, then, orelse))
        self.env.update(zip(branch.outs, outs, strict=True))
        self.hold(keys, after)
        self._claim_all(branch.outs, outs)

    def _either(
        self,
        out: Var,
        sides: Sequence[Sequence[tuple[Operand, Operand]]],
        ends: Sequence[list[Operand]],
    ) -> list[Var]:
        """The columns and partials of what is one number or another, as results of both
        arms; the arm with fewer has partials of 0.
        """
        most = max(map(len, sides))
        if not most:
            return []
        for side, end in zip(sides, ends, strict=True):
            last = side[0][0] if side else ZERO
            rest = [(last, Literal(0.0))] * (most - len(side))
            end.extend(part for pair in (*side, *rest) for part in pair)
        made = [Var(INT if k % 2 == 0 else FLOAT) for k in range(2 * most)]
        self.slopes[out] = dict(zip(made[::2], made[1::2], strict=True))
        return made


def _columns(walk: Walk, value: Operand) -> list[tuple[Operand, Operand]]:
    """The columns of a number that an arm gives, and its partials."""
    found: list[tuple[Operand, Operand]] = []
    for column, slope in (walk.slopes.get(value) or {}).items():
        if isinstance(column, Same):
            raise Unknown
        found.append((column, slope))
    return found


def _growing(part: Var) -> Var:
    return Var(Type(part.type.kind, (ANY,)), part.hint)


def _copied(body: Sequence[Statement]) -> tuple[Builder, dict[Operand, Operand]]:
    """A builder of statements over values of their own, and these."""
    builder, env = Builder(TABLE, LAWS), dict[Operand, Operand]()
    for statement in body:
        outs = tuple(replace(out) for out in statement.outs)
        made = statement.over(env).binding(outs).map_blocks(renewed)
        env.update(zip(statement.outs, outs, strict=True))
        builder.body.append(made)
        if isinstance(made, Apply):
            builder.definition[made.out] = made
    return builder, env


def _fresh(statement: Statement) -> Statement:
    return statement.map_blocks(renewed)


def _needed_after(
    body: Sequence[Statement], results: Operands
) -> list[frozenset[Operand]]:
    """What is read behind each statement of a body."""
    found: list[frozenset[Operand]] = []
    needed = frozenset(results)
    for statement in reversed(body):
        found.append(needed)
        needed |= frozenset(statement.inputs)
    return found[::-1]
