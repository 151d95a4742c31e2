"""The body with products made anew, each before its first use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.derive.factoring.cubes import Cube, Definition
from ad_transform.ir.build import Builder, numbers_now
from ad_transform.ir.constants import literal_of
from ad_transform.ir.monomial import Monomial
from ad_transform.ir.nodes import Apply, Literal, Operand, Statement, Var

_Task = Cube | Statement

_ZERO = Literal(0.0)


@dataclass(slots=True)
class Rewriter:
    """The new body: operands are written before their users, so a statement may come
    sooner than it did.

    `loose` are the statements to be left out, `values` their monomials; `given` are the
    values that are there, by monomial, and `makers` the statements that make them.
    """

    fresh: Builder
    loose: Mapping[Operand, Apply]
    values: Mapping[Operand, Cube]
    given: Mapping[Cube, Operand]
    names: Mapping[Cube, Var]
    made: Mapping[Cube, Definition]
    makers: Mapping[Operand, Statement]
    env: dict[Operand, Operand] = field(default_factory=dict)
    built: dict[Cube, Operand] = field(default_factory=dict)
    written: set[int] = field(default_factory=set)

    def write(self, task: _Task) -> None:
        """Write a statement or make a monomial, after everything that it needs."""
        if not isinstance(task, Monomial) and id(task) not in self.written:
            missing = self._missing(task)
            if not missing:  # mostly
                self.written.add(id(task))
                self._copy(task)
                return
        stack = [task]
        while stack:
            task = stack[-1]
            if self._is_done(task):
                stack.pop()
                continue
            missing = self._missing(task)
            if missing:
                stack += missing
                continue
            stack.pop()
            if isinstance(task, Monomial):
                self._define(task)
            else:
                self.written.add(id(task))
                self._copy(task)

    def _is_done(self, task: _Task) -> bool:
        if type(task) is not Monomial:
            return id(task) in self.written
        if not task.powers or task in self.built:
            return True
        given = self.given.get(task)
        if given is None:
            return False
        maker = self.makers.get(given)
        return maker is None or id(maker) in self.written

    def _missing(self, task: _Task) -> list[_Task]:
        """The tasks that come before a task."""
        if isinstance(task, Monomial):
            if task in self.given:
                return [self.makers[self.given[task]]]
            return [m for m in self.made[task].args if not self._is_done(m)]
        missing: list[_Task] = []
        loose, makers, written = self.loose, self.makers, self.written
        for operand in task.inputs:
            if operand in loose:
                value = self.values[operand]
                if not self._is_done(value):
                    missing.append(value)
            elif operand in makers:
                maker = makers[operand]
                if id(maker) not in written:
                    missing.append(maker)
        return missing

    def _copy(self, statement: Statement) -> None:
        if isinstance(statement, Apply):
            args = tuple([self.operand(a) for a in statement.args])
            out = statement.out
            if args != statement.args:
                if self._vanishes(statement.op.name, args):
                    self.env[out] = literal_of(0.0)
                    return
                if numbers_now(statement.args, args) and out.type.is_real:
                    self.env[out] = self._simplified(statement, args)
                    return
                statement = Apply(out, statement.op, args)
            found = self.fresh.adopt(statement)
            if found is not out:
                self.env[out] = found
        else:
            self.env.update((a, self.operand(a)) for a in statement.inputs)
            self.fresh.simplify(statement, self.env)

    def _simplified(self, statement: Apply, args: tuple[Operand, ...]) -> Operand:
        op, out = statement.op.name, statement.out
        return self.fresh.apply(
            op, *args, hint=out.hint, span=out.span, named=out.named, notes=out.notes
        )

    @staticmethod
    def _vanishes(op: str, args: tuple[Operand, ...]) -> bool:
        """Whether a difference is of two products that have become the same."""
        return op == "sub" and args[0] is args[1]

    def operand(self, old: Operand) -> Operand:
        """The new value for an old one that has been made."""
        if old in self.loose:
            return self._get(self.values[old])
        return self.env.get(old, old)

    def _get(self, m: Cube) -> Operand:
        if not m.powers:
            return literal_of(m.constant)
        built = self.built.get(m)
        if built is not None:
            return built
        given = self.given[m]
        return self.env.get(given, given)

    def _define(self, m: Cube) -> None:
        definition = self.made[m]
        op = self.fresh.table[definition.op]
        args = tuple([self._get(a) for a in definition.args])
        if op.commutes and isinstance(args[1], Literal):
            args = args[::-1]  # numbers stand first
        name = self.names.get(m)
        if Literal in map(type, args) and _ZERO in args:
            self.built[m] = self.fresh.apply(definition.op, *args)
        elif name is not None:
            self.built[m] = self.fresh.adopt(Apply(name, op, args))
        else:
            self.built[m] = self.fresh.keep(op, args)
