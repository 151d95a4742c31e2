"""The sweep through branches and loops: adjoints, block by block.

The backward program mirrors the forward one, and gathers a model's terms on the way.
The arms of a branch are run once more, with the adjoints of their results as arguments;
a loop records what enters each trip, and its mirror image runs backwards over that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from ad_transform.derive.primal import copy_primal
from ad_transform.derive.rounding.guards import Conditions, guarded
from ad_transform.derive.rounding.inputs import InputError
from ad_transform.derive.rounding.largest_errors import Place
from ad_transform.derive.rounding.operations import jumps
from ad_transform.diagnostics import Diagnostic, Refusal
from ad_transform.ir.blocks import live, renewed
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Branch,
    Check,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.template import instantiate, parse_template
from ad_transform.ir.types import FLOAT, INT, Type

Operands = tuple[Operand, ...]
Found = Sequence[tuple[Place, Operand]]
"""Operations that err, with their adjoints."""

ZERO = Literal(0.0)


class Gauge(Protocol):
    """A model of errors in programs with blocks: an accumulator of the terms of errors.

    Its state is a tuple of floats that the backward sweep carries along, as a sum is
    carried through a loop. It is `start` at first; `gather` adds the terms of the
    operations of a block, `bring` that of an input, and `finish` turns the state into
    estimates. `errs` says which operations have a term. Of the linear model the state
    is (sum of terms, their norm, largest value).
    """

    @property
    def start(self) -> Operands: ...

    def errs(self, statement: Apply) -> bool: ...

    def gather(self, builder: Builder, held: Operands, found: Found) -> Operands: ...

    def bring(
        self,
        builder: Builder,
        held: Operands,
        value: Operand,
        own: InputError,
        adjoint: Operand,
    ) -> Operands: ...

    def finish(self, builder: Builder, held: Operands) -> Operands: ...


@dataclass(frozen=True, slots=True)
class _Trips:
    """A loop that records what enters its trips, `ends` the range of these.

    `body` is one trip over (index, *carries, *reads).
    """

    loop: Scan | While
    ends: tuple[Operand, Operand, Operand]
    body: Block
    stacks: tuple[Var, ...]
    backwards: bool = False


class Reverse:
    """A program in a builder, and its backward sweep over the same builder."""

    def __init__(self, builder: Builder, gauge: Gauge) -> None:
        self.builder = builder
        self.gauge = gauge
        self.adjoints: dict[Operand, Operand] = {}
        self._trace: list[Apply | Branch | _Trips] = []
        self._conditions = Conditions()

    def forward(self, active: Sequence[Var], nonlinear: Sequence[Operand] = ()) -> None:
        """Take note of the program in the builder; its loops record from now on.

        `active` are the inputs that carry errors; the values `nonlinear` may be used in
        any way outside.
        """
        body, self.builder.body = self.builder.body, []
        erring: set[Operand] = set()
        for statement in body:
            self._record(statement)
            if isinstance(statement, Apply) and self.gauge.errs(statement):
                erring.add(statement.out)
            elif not isinstance(statement, Apply):
                erring.update(statement.outs)
        self._conditions = Conditions.of(body, active, erring, nonlinear)

    def _record(self, statement: Statement) -> None:
        match statement:
            case Scan() | While():
                if _replays(statement):
                    raise Refusal(
                        Diagnostic(
                            "AD031",
                            "the rounding error of a loop over lists is not estimated",
                            None,
                            "carry numbers from trip to trip",
                        )
                    )
                trips = _recording(statement, self.builder.trips())
                self.builder.body.append(trips.loop)
                self._trace.append(trips)
            case _:
                self.builder.body.append(statement)
                if isinstance(statement, Apply | Branch):
                    self._trace.append(statement)

    # --- backwards ----------------------------------------------------------------

    def back(self, results: Operands, seeds: Operands, held: Operands) -> Operands:
        """What the gauge holds at the end; adjoints of the inputs are in `adjoints`."""
        self.adjoints = {}
        for result, seed in zip(results, seeds, strict=True):
            self._add(result, seed)
        found: list[tuple[Place, Operand]] = []
        for statement in reversed(self._trace):
            match statement:
                case Apply():
                    self._apply(statement, found)
                case Branch():
                    held = self._branch(statement, held)
                case _:
                    held = self._loop(statement, held)
        return self.gauge.gather(self.builder, held, found)

    def adjoint(self, value: Operand) -> Operand:
        """The adjoint of a value, 0 where it does not matter."""
        return self.adjoints.get(value, ZERO)

    def _seeds(self, outs: Sequence[Var]) -> Operands:
        return tuple(self.adjoint(out) for out in outs if out.type.is_real)

    def _add(self, value: Operand, term: Operand) -> None:
        if not isinstance(value, Var) or not value.type.is_real or term == ZERO:
            return
        old = self.adjoints.get(value)
        new = term if old is None else self.builder.apply("add", old, term)
        self.adjoints[value] = new

    def _apply(self, statement: Apply, found: list[tuple[Place, Operand]]) -> None:
        out, op, args = statement.out, statement.op, statement.args
        adjoint = self.adjoint(out)
        if adjoint == ZERO or not out.type.is_real:
            return
        conditions = self._conditions
        nonlinear, passive = out in conditions.nonlinear, conditions.passive(statement)
        if self.gauge.errs(statement):
            place = Place(statement, args, out, nonlinear and not passive, passive)
            found.append((place, adjoint))
        row = guarded(op, args, nonlinear)
        bound = op.bind(args)
        for k, argument in enumerate(args):
            if argument not in conditions.active or not argument.type.is_real:
                continue
            template, own = _partial(row.parameters, row.partials, args, k)
            env = {**bound, **own, "v": out}
            slope = instantiate(parse_template(template), env, self.builder)
            self._add(argument, self.builder.apply("mul", adjoint, slope))

    def _branch(self, branch: Branch, held: Operands) -> Operands:
        seeds = self._seeds(branch.outs)
        if all(seed == ZERO for seed in seeds):
            return held
        sides = [
            self._mirrored(arm, seeds, held) for arm in (branch.then, branch.orelse)
        ]
        outs = _floats(len(sides[0].results))
        args = (*branch.args, *seeds, *held)
        self.builder.body.append(Branch(outs, branch.test, args, sides[0], sides[1]))
        return self._taken(branch.args, outs)

    def _mirrored(self, block: Block, seeds: Operands, held: Operands) -> Block:
        """The block run forth and back: it takes seeds and what is held behind its own
        arguments, and gives the adjoints of the real ones and what is held then.
        """
        inner, results = _entered(self.builder, self.gauge, block)
        given, kept = _floats(len(seeds)), _floats(len(held))
        real = tuple(r for r in results[0] if r.type.is_real)
        after = inner.back(real, given, kept)
        params = results[1]
        own = tuple(inner.adjoint(p) for p in params if p.type.is_real)
        body = live(tuple(inner.builder.body), (*own, *after))
        return Block((*params, *given, *kept), body, (*own, *after))

    def _loop(self, trips: _Trips, held: Operands) -> Operands:
        loop = trips.loop
        seeds = self._seeds(loop.outs[: len(loop.carries)])
        if all(seed == ZERO for seed in seeds):
            return held
        reads = [r for r in loop.reads if r.type.is_real]
        carries = (*seeds, *(ZERO for _ in reads), *held)
        outs = _floats(len(carries))
        body = self._trip(trips, len(seeds), len(reads), len(held))
        given = (carries, loop.reads, trips.stacks)
        back = Scan(outs, *trips.ends, *given, body, not trips.backwards)
        self.builder.body.append(back)
        return self._taken((*loop.carries, *loop.reads), outs)

    def _trip(self, trips: _Trips, seeds: int, reads: int, held: int) -> Block:
        """One trip forth and back, over its index, its entries and what is read."""
        loop, count = trips.loop, len(trips.loop.carries)
        mirror = self._mirrored(trips.body, (ZERO,) * seeds, (ZERO,) * held)
        index, *inputs = mirror.params[: 1 + count + len(loop.reads)]
        given = mirror.params[1 + len(inputs) :]
        sums = _floats(reads)
        builder = self.builder.inner()
        builder.body = list(mirror.body)
        totals = [
            builder.apply("add", old, new)
            for old, new in zip(
                sums, mirror.results[seeds : seeds + reads], strict=True
            )
        ]
        results = (*mirror.results[:seeds], *totals, *mirror.results[seeds + reads :])
        params = (index, *given[:seeds], *sums, *given[seeds:])
        return Block(
            (*params, *inputs[count:], *inputs[:count]), tuple(builder.body), results
        )

    def _taken(self, args: Operands, outs: tuple[Var, ...]) -> Operands:
        """What is held; the adjoints before it go to the arguments."""
        real = [a for a in args if a.type.is_real]
        for value, out in zip(real, outs, strict=False):
            self._add(value, out)
        return outs[len(real) :]


def _entered(
    builder: Builder, gauge: Gauge, block: Block
) -> tuple[Reverse, tuple[Operands, tuple[Var, ...]]]:
    """A block copied for a sweep of its own: its results, its parameters."""
    own = renewed(block)
    inner = builder.inner()
    program = Function("", (), own, LEAF, len(own.results))
    env = copy_primal(program, inner)
    results = tuple(env.get(r, r) for r in own.results)
    sweep = Reverse(inner, gauge)
    sweep.forward([p for p in own.params if p.type.is_real], results)
    return sweep, (results, own.params)


def _replays(loop: Scan | While) -> bool:
    """Whether a loop goes over lists or makes some."""
    return bool(loop.stacks or (isinstance(loop, Scan) and loop.entries))


def _recording(loop: Scan | While, trips: str) -> _Trips:
    """The loop with a stack for each carry, of what enters each trip."""
    body, count = renewed(loop.body), len(loop.carries)
    first = 1 if isinstance(loop, Scan) else 0  # the index stands before the carries
    entering = body.params[first : first + count]
    stacks = tuple(
        Var(Type(p.type.kind, (trips, *p.type.dims)), f"{p.hint}_in" if p.hint else "")
        for p in entering
    )
    recorded = Block(body.params, body.body, (*body.results, *entering))
    outs = (*loop.outs[:count], *stacks, *loop.outs[count:])
    made = replace(loop, outs=outs, body=recorded)
    if isinstance(loop, Scan):
        ends = loop.start, loop.stop, loop.step
        return _Trips(made, ends, body, stacks, loop.backwards)
    again = Block((Var(INT, "trip"), *body.params), body.body, body.results)
    return _Trips(made, (Literal(0), loop.trips, Literal(1)), again, stacks)


def _partial(
    parameters: tuple[str, ...], partials: tuple[str, ...], args: Operands, k: int
) -> tuple[str, dict[str, Operand]]:
    """The template of argument k; starred names stand for the elements at its place."""
    starred = [p[1:] for p in parameters if p.startswith("*")]
    plain = len(parameters) - len(starred)
    if k < plain:
        return partials[k], {}
    each = (len(args) - plain) // len(starred)
    which, place = divmod(k - plain, each)
    own = {name: args[plain + i * each + place] for i, name in enumerate(starred)}
    return partials[plain + which], own


def _floats(count: int) -> tuple[Var, ...]:
    return tuple(Var(FLOAT) for _ in range(count))


def deciding(body: Sequence[Statement], results: Operands) -> tuple[Statement, ...]:
    """What the results are made of; what is only checked decides nothing."""
    return live(tuple(s for s in body if not isinstance(s, Check)), results)


def may_jump(function: Function) -> bool:
    """Whether rounding may decide something: a way, a step, a sign."""
    body = deciding(function.body, function.results)
    return any(not isinstance(s, Apply) or jumps(s) for s in body)


def has_blocks(body: Sequence[Statement]) -> bool:
    """Whether a float comes out of a branch or a loop."""
    return any(s.blocks and any(o.type.is_real for o in s.outs) for s in body)
