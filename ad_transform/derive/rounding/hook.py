"""A model of errors as a hook of the reverse sweep (`derive.sweep.hook`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from ad_transform.dataclass import dataclass
from ad_transform.derive.rounding.guards import Conditions, guarded
from ad_transform.derive.rounding.largest_errors import Place
from ad_transform.derive.rounding.model import ZERO, Model, Operands, is_called
from ad_transform.derive.rounding.overflow import grown
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Apply, Block, Call, Operand, Statement, Var

Places = tuple[int, ...]


class Backs(Protocol):
    """The functions for the way back through calls of functions that are called.

    back       the name of the one for the adjoints of the arguments at some places,
               then the totals of a model, if the results at others are used nonlinearly
    places     the places that are asked for in place of some: these, and more
    parameter  the value in the callee of an argument
    """

    def back(
        self, call: Call, model: Model, places: Places, nonlinear: Places
    ) -> str: ...

    def places(self, call: Call, places: Places) -> Places: ...

    def parameter(self, call: Call, place: int) -> Var: ...


@dataclass(frozen=True, slots=True)
class ErrorHook:
    """The hook that perturbs the operations of a block that err, guards partials, and
    adds up by the model.

    `grown` are the values of the block that may have overflowed without an error,
    `called` the functions that it calls.
    """

    model: Model
    conditions: Conditions
    grown: tuple[Var, ...]
    called: Backs

    @classmethod
    def of(
        cls,
        model: Model,
        body: Sequence[Statement],
        inputs: Sequence[Var],
        called: Backs,
        nonlinear: Sequence[Operand] = (),
        weighed: Sequence[Operand] = (),
    ) -> ErrorHook:
        """The hook for a body, given the inputs in error; the values `nonlinear` may be
        used nonlinearly outside, and those `weighed` otherwise than in sums.
        """
        erring: set[Operand] = set()
        for statement in body:
            if not isinstance(statement, Apply) or _errs(model, statement):
                erring.update(statement.outs)
        conditions = Conditions.of(body, inputs, erring, nonlinear, weighed)
        return cls(model, conditions, tuple(grown(body)), called)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the model's totals."""
        return self.model.names

    def perturbs(self, statement: Apply) -> bool:
        """Whether an operation errs."""
        return _errs(self.model, statement)

    def guarded(self, statement: Apply) -> Apply:
        """The operation with partials that never raise."""
        out, args = statement.out, statement.args
        known = self.conditions
        row = guarded(statement.op, args, out in known.nonlinear, out in known.weighed)
        return Apply(out, row, args)

    def inside(
        self, block: Block, columns: Sequence[Var], holder: Statement
    ) -> ErrorHook:
        """The hook for an inner block; its results are used as the block around uses
        the values of its statement.
        """
        results = self.conditions.leaving(holder, block)
        return ErrorHook.of(self.model, block.body, columns, self.called, results)

    @property
    def callees(self) -> Callees:
        """The functions for the way back through the calls of the block."""
        return Callees(self)

    def gathered(
        self,
        builder: Builder,
        seen: Sequence[tuple[Apply, Operand]],
        totals: Sequence[Operands],
    ) -> Operands:
        """The totals of the model."""
        places = [(self.place(s), adjoint) for s, adjoint in seen if adjoint != ZERO]
        found = [pair for pair in places if not is_called(pair[0])]
        brought = self.brought(builder, places)
        return self.model.gathered(builder, found, [*totals, *brought], self.grown)

    def brought(
        self, builder: Builder, places: Iterable[tuple[Place, Operand]]
    ) -> list[Operands]:
        """The totals that the values of calls bring along, for their adjoints."""
        return [
            self.model.scaled(builder, place.args[1:], adjoint)
            for place, adjoint in places
            if is_called(place) and adjoint != ZERO
        ]

    def gathered_at(
        self,
        builder: Builder,
        seen: Sequence[Apply],
        adjoints: Operands,
        env: Mapping[Operand, Operand],
    ) -> Operands:
        """The totals of operations, with values of `env` in the place of their own."""
        pairs = zip(seen, adjoints, strict=True)
        places = [(self.place(s, env), adjoint) for s, adjoint in pairs]
        found = [(p, a) for p, a in places if a != ZERO and not is_called(p)]
        return self.model.gathered(builder, found, self.brought(builder, places), ())

    def scaled(
        self, builder: Builder, totals: Sequence[Operands], adjoints: Operands
    ) -> list[Operands]:
        """Totals for these adjoints, given those for adjoints of 1."""
        return [
            self.model.scaled(builder, own, adjoint)
            for own, adjoint in zip(totals, adjoints, strict=True)
            if adjoint != ZERO
        ]

    def place(self, statement: Apply, env: Mapping[Operand, Operand] = {}) -> Place:
        """An operation at its place, with values of `env` in the place of its own."""
        out, passive = statement.out, self.conditions.passive(statement)
        return Place(
            statement,
            tuple(env.get(a, a) for a in statement.args),
            env.get(out, out),
            out in self.conditions.nonlinear,
            passive,
            tuple(one.over(env) for one in self.conditions.beyond.get(out, ())),
        )


@dataclass(frozen=True, slots=True)
class Callees:
    """The functions for the way back through calls of one block."""

    hook: ErrorHook

    def adjoint(self, call: Call, places: Places) -> str:
        """See `sweep.context.Adjoints`."""
        known = self.hook.conditions.nonlinear
        nonlinear = tuple(k for k, out in enumerate(call.outs) if out in known)
        return self.hook.called.back(call, self.hook.model, places, nonlinear)

    def is_recursive(self, _: Call) -> bool:
        """False: a function that calls itself has partials."""
        return False

    def closed(self, call: Call, places: Places) -> Places:
        """See `Backs`."""
        return self.hook.called.places(call, places)

    def parameter(self, call: Call, place: int) -> Var:
        """See `sweep.context.Adjoints`."""
        return self.hook.called.parameter(call, place)

    def recorded(self, _: Call, __: Places) -> None:
        """None: the values are computed once more."""
        return


def _errs(model: Model, statement: Apply) -> bool:
    """Whether an operation errs; operations on arrays only move numbers about."""
    return statement.op.layout is None and model.errs(statement)
