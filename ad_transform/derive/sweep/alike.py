"""Runs that are alike but for their values: what one of them gives is that of all.

A program of many small arms and loop bodies has few kinds of runs. A run is copied over
values of its own, numbered in the order of first sight, whose names are marks with a
number. Runs with the same copy share the code made of that, each with its own values
and names in the place of numbers. So what a run gives does not depend on whether there
was one like it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TypeVar

from ad_transform.derive.accumulate import Matrix
from ad_transform.derive.sweep.runs import Run, Solved
from ad_transform.diagnostics import Span
from ad_transform.ir.blocks import made_again
from ad_transform.ir.nodes import Apply, Literal, Operand, Statement, Var

T = TypeVar("T")

_MARK = "\x1f"  # no name in Python holds it
_MARKED = re.compile(f"{_MARK}(\\d+){_MARK}")


class Pattern:
    """What a run has in common with those that are alike, and what is its own.

    Signs that values may have are `known` of some of them. Linear in the run.
    """

    def __init__(self, run: Run, known: Mapping[Var, int]) -> None:
        self._run = run
        self._signs = known
        self._number: dict[Operand, int] = {}
        self._names: dict[str, int] = {}
        self._spans: dict[Span, int] = {}
        self._values: list[Var] = []
        self._features: list[object] = []
        self.key = (*self._wiring(), *self._features)

    # --- the key ------------------------------------------------------------------

    def _wiring(self) -> list[object]:
        """How the run is made, by the numbers of its values."""
        run, parts, seen = self._run, list[object](), self._seen
        for statement in run.body:
            args = map(seen, statement.args)
            parts += (statement.op, *args, seen(statement.out))
        perturbed = (v for pair in run.perturbed.items() for v in pair)
        for ends in (run.roots, run.columns, run.rows, perturbed):
            parts += ("", *map(seen, ends))
        for seeds in (run.tangents, run.adjoints):
            parts.append(seeds is None)
            for direction in seeds or ():
                parts += ("", *map(seen, direction))
        return parts

    def _seen(self, operand: Operand) -> object:
        if isinstance(operand, Literal):
            return _of_literal(operand)
        number = self._number.get(operand)
        if number is None:
            number = self._number[operand] = len(self._values)
            self._values.append(operand)
            self._features += (
                operand.type,
                operand.hint and _order(self._names, operand.hint),
                operand.span and _order(self._spans, operand.span),
                operand.named,
                operand.notes,
                self._signs.get(operand),
            )
        return number

    # --- the run over values of its own -------------------------------------------

    @cached_property
    def marked(self) -> Mapping[Operand, Var]:
        """Values with marks for the values of the run, in order."""
        return {
            v: Var(v.type, self._mark(v.hint), self._place(v.span), v.named, v.notes)
            for v in self._values
        }

    def _mark(self, name: str) -> str:
        return f"{_MARK}{self._names[name]}{_MARK}" if name else ""

    def _place(self, span: Span | None) -> Span | None:
        return None if span is None else Span(0, self._spans[span], 0, 0)

    @property
    def known(self) -> dict[Var, int]:
        """The signs that values of the copy may have."""
        signs = self._signs
        return {self.marked[v]: signs[v] for v in self._values if v in signs}

    def run(self) -> Run:
        """The run over values with marks."""
        run, env = self._run, self.marked
        return Run(
            [Apply(env[s.out], s.op, _over(s.args, env)) for s in run.body],
            _over(run.roots, env),
            tuple(env[c] for c in run.columns),
            _over(run.rows, env),
            tangents=_each_over(run.tangents, env),
            adjoints=_each_over(run.adjoints, env),
            perturbed={env[v]: env[own] for v, own in run.perturbed.items()},
        )

    # --- what that gives, for this run ----------------------------------------------

    def filled(self, marked: Iterable[Var], solved: Solved) -> Solved:
        """What the copy of a run with the same key gives, over the values of this one;
        `marked` are those of the copy.
        """
        names, spans = [*self._names], [*self._spans]
        env: dict[Operand, Operand] = dict(zip(marked, self._values, strict=True))

        def own(var: Var) -> Var:
            hint = _MARKED.sub(lambda mark: names[int(mark[1])], var.hint)
            span = None if var.span is None else spans[var.span.column]
            return Var(var.type, hint, span, var.named, var.notes)

        added: list[Statement] = []
        for statement in solved.added:
            added.append(made_again(statement, env, own))
            env.update(zip(statement.outs, added[-1].outs, strict=True))
        return Solved(tuple(added), tuple(_over(row, env) for row in solved.entries))


def _order(seen: dict[T, int], key: T) -> int:
    """When a key was seen first."""
    return seen.setdefault(key, len(seen))


def _of_literal(literal: Literal) -> tuple[object, ...]:
    """All that there is of a literal; 0.0 and -0.0 differ."""
    number = type(literal.value), repr(literal.value)
    own = literal.name, literal.origin, literal.notes
    return *number, *own, literal.formula, literal.whole


def _over(
    operands: Iterable[Operand], env: Mapping[Operand, Operand]
) -> tuple[Operand, ...]:
    return tuple(env.get(o, o) for o in operands)


def _each_over(rows: Matrix | None, env: Mapping[Operand, Operand]) -> Matrix | None:
    return None if rows is None else tuple(_over(row, env) for row in rows)
