"""Runs that are alike but for their values: they are solved once.

A program of many small arms and loop bodies has few kinds of runs. A run is copied over
values of its own, numbered in the order of first sight, whose names are marks with a
number. Runs with the same copy share the code made of that, each with its own values
and names in the place of numbers. So the code of a run does not depend on whether there
was one like it.

A plain number that is only added or subtracted, in values that stay as they are, has no
share in derivatives but for its sign: the copy has a value in its place. So the steps
of Horner's scheme are alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from math import isfinite
from typing import TypeVar

from ad_transform.derive.accumulation.accumulate import Matrix
from ad_transform.derive.sweep.runs import Run, Solved, made_of
from ad_transform.diagnostics import Span
from ad_transform.ir.blocks.blocks import made_again
from ad_transform.ir.elemental import Form
from ad_transform.ir.laws.signs import NEGATIVE, POSITIVE
from ad_transform.ir.nodes import Apply, Literal, Operand, Statement, Var

T = TypeVar("T")

_MARK = "\x1f"  # no name in Python holds it
_MARKED = re.compile(f"{_MARK}(\\d+){_MARK}")


class Pattern:
    """A key that a run shares with those that are alike, and its own values and names.

    Signs that values may have are `known` of some of them, None if none is to be
    learnt. Linear in the run.
    """

    def __init__(self, run: Run, known: Mapping[Var, int] | None) -> None:
        self._run = run
        self._known: Mapping[Var, int] = {} if known is None else known
        self._summands = {} if known is None else _summands(run)
        self._number: dict[Operand, int] = {}
        self._names: dict[str, int] = {}
        self._spans: dict[Span, int] = {}
        self._features: list[object] = []
        self.key = (*self._wiring(), *self._features)

    # --- the key ------------------------------------------------------------------

    def _wiring(self) -> list[object]:
        """The statements and ends of the run, by the numbers of its values."""
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
        numbers = self._number
        number = numbers.get(operand)
        if number is not None:
            return number
        if type(operand) is Var:
            hint, span, known = operand.hint, operand.span, self._known
            self._features += (
                operand.type,
                hint and _order(self._names, hint),
                span and _order(self._spans, span),
                operand.named,
                operand.notes,
                known.get(operand) if known else None,
            )
        elif operand in self._summands:
            self._features.append(self._summands[operand])
        else:
            return _of_literal(operand)
        number = numbers[operand] = len(numbers)
        return number

    # --- the run over values of its own -------------------------------------------

    @cached_property
    def marked(self) -> Mapping[Operand, Var]:
        """Values with marks for names, in the place of the run's values, in order."""
        return {value: self._marked(value) for value in self._number}

    def _marked(self, value: Operand) -> Var:
        if isinstance(value, Literal):
            return Var(value.type)
        hint, span = self._mark(value.hint), self._place(value.span)
        return Var(value.type, hint, span, value.named, value.notes)

    def _mark(self, name: str) -> str:
        return f"{_MARK}{self._names[name]}{_MARK}" if name else ""

    def _place(self, span: Span | None) -> Span | None:
        return None if span is None else Span(0, self._spans[span], 0, 0)

    @property
    def known(self) -> dict[Var, int]:
        """The signs that values of the copy may have."""
        signs: dict[Operand, int] = {}
        signs.update(self._summands.items())
        signs.update(self._known.items())
        return {self.marked[v]: signs[v] for v in self._number if v in signs}

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

    # --- the code for this run ---------------------------------------------------

    def filled(self, marked: Iterable[Var], solved: Solved) -> Solved:
        """The code of a copy of a run with the same key, over the values of this one;
        `marked` are the values of the copy.
        """
        names, spans = [*self._names], [*self._spans]
        env: dict[Operand, Operand] = dict(zip(marked, self._number, strict=True))

        def own(var: Var) -> Var:
            hint = var.hint
            if _MARK in hint:
                hint = _MARKED.sub(lambda mark: names[int(mark[1])], hint)
            span = None if var.span is None else spans[var.span.column]
            return Var(var.type, hint, span, var.named, var.notes)

        added: list[Statement] = []
        for statement in solved.added:
            if type(statement) is Apply:  # nearly always
                out = own(statement.out)
                added.append(Apply(out, statement.op, _over(statement.args, env)))
                env[statement.out] = out
                continue
            added.append(made_again(statement, env, own))
            env.update(zip(statement.outs, added[-1].outs, strict=True))
        return Solved(tuple(added), tuple(_over(row, env) for row in solved.entries))


def _summands(run: Run) -> dict[Literal, int]:
    """The signs of plain numbers that are only added or subtracted where roots are
    made. Such a number stands nowhere else in the run, not even with the other sign.
    """
    if run.perturbed:
        return {}
    found: dict[Literal, int] = {}
    sacred = made_of(run.body, run.roots)
    others = {*run.roots, *run.rows}
    for row in (*(run.tangents or ()), *(run.adjoints or ())):
        others.update(row)
    for statement in run.body:
        numbers = [a for a in statement.args if type(a) is Literal]
        if not numbers:
            continue
        out = statement.out
        is_sum = statement.op.form in _SUMS and out in sacred and not out.type.shape
        sign = _sign(numbers[0])
        if is_sum and len(numbers) == 1 and sign is not None:
            found[numbers[0]] = sign
        else:
            others.update(numbers)
    sizes = {_size(o) for o in others if isinstance(o, Literal)}
    return {each: sign for each, sign in found.items() if _size(each) not in sizes}


def _size(literal: Literal) -> object:
    value = literal.value
    return value if isinstance(value, str) else abs(value)


_SUMS = frozenset({Form.SUM, Form.DIFFERENCE})


def _sign(literal: Literal) -> int | None:
    """The sign of a number without a name. None for any other literal, and for numbers
    that derivatives bring along: a sum with one of them may be there already.
    """
    value = literal.value
    if literal.name or literal.notes or literal.formula or type(value) is not float:
        return None
    if abs(value) in _BROUGHT or not isfinite(value):
        return None
    return NEGATIVE if value < 0.0 else POSITIVE


_BROUGHT = frozenset({0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0})
"""Units, and the factors of small powers and roots."""


def _order(seen: dict[T, int], key: T) -> int:
    """The place of a key in the order of first sight."""
    if key not in seen:
        seen[key] = len(seen)
    return seen[key]


def _of_literal(literal: Literal) -> tuple[object, ...]:
    """All parts of a literal as a key; 0.0 and -0.0 differ."""
    number = type(literal.value), repr(literal.value)
    own = literal.name, literal.origin, literal.notes
    return *number, *own, literal.formula, literal.whole


def _over(
    operands: Iterable[Operand], env: Mapping[Operand, Operand]
) -> tuple[Operand, ...]:
    return tuple([env.get(o, o) for o in operands])


def _each_over(rows: Matrix | None, env: Mapping[Operand, Operand]) -> Matrix | None:
    return None if rows is None else tuple(_over(row, env) for row in rows)
