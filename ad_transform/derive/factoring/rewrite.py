"""The body with products made anew: each is written before what needs it."""

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


@dataclass(slots=True)
class Rewriter:
    """The new body: what something is made from is written before it, so a statement
    may stand sooner than it did.

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
        """Write a statement or make a monomial, after all it needs."""
        stack = [task]
        while stack:
            task = stack[-1]
            missing = [t for t in self._needs(task) if not self._is_done(t)]
            if missing:
                stack += missing
                continue
            stack.pop()
            if self._is_done(task):
                continue
            if isinstance(task, Monomial):
                self._define(task)
            else:
                self.written.add(id(task))
                self._copy(task)

    def _is_done(self, task: _Task) -> bool:
        if not isinstance(task, Monomial):
            return id(task) in self.written
        if not task.powers or task in self.built:
            return True
        given = self.given.get(task)
        if given is None:
            return False
        maker = self.makers.get(given)
        return maker is None or id(maker) in self.written

    def _needs(self, task: _Task) -> list[_Task]:
        if isinstance(task, Monomial):
            if self._is_done(task):
                return []
            if task in self.given:
                return [self.makers[self.given[task]]]
            return list(self.made[task].args)
        needs: list[_Task] = []
        for operand in task.inputs:
            if operand in self.loose:
                needs.append(self.values[operand])
            elif operand in self.makers:
                needs.append(self.makers[operand])
        return needs

    def _copy(self, statement: Statement) -> None:
        if isinstance(statement, Apply):
            args = tuple(self.operand(a) for a in statement.args)
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
        """Whether products that have become the same are subtracted."""
        return op == "sub" and args[0] is args[1]

    def operand(self, old: Operand) -> Operand:
        """The new value for an old one that has been made."""
        if old in self.loose:
            return self._get(self.values[old])
        return self.env.get(old, old)

    def _get(self, m: Cube) -> Operand:
        if not m.powers:
            return literal_of(m.constant)
        if m in self.built:
            return self.built[m]
        given = self.given[m]
        return self.env.get(given, given)

    def _define(self, m: Cube) -> None:
        definition = self.made[m]
        op = self.fresh.table[definition.op]
        args = tuple(self._get(a) for a in definition.args)
        if op.commutes and isinstance(args[1], Literal):
            args = args[::-1]  # numbers stand first
        name = self.names.get(m)
        if literal_of(0.0) in args:
            self.built[m] = self.fresh.apply(definition.op, *args)
        elif name is not None:
            self.built[m] = self.fresh.adopt(Apply(name, op, args))
        else:
            self.built[m] = self.fresh.keep(op, args)
