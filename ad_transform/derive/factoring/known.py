"""Passes over code that are run once for all code that computes the same.

Orders of elimination that differ often lead to the same operations, in another order of
statements only. The outcome of a pass for the first such code serves the next. But a
pass may choose the first of equals: so short code is the same only where its statements
stand in the same order, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ad_transform.derive.accumulation.outcome import Outcome
from ad_transform.derive.factoring.twins import Body, Results
from ad_transform.ir.nodes import Apply, Literal, Operand, Statement, Var

SHORT, LONGEST = 250, 8_000
"""Statements up to which code is the same only where it stands in the same order, and
from which on it is not looked at: few orders are finished of so long code.
"""

Memory = dict[Any, Any]
"""The memory of a builder, which its copies share."""

_MADE, _NUMBERS = "made of code that computes the same", "numbers of operations"
"""The keys in the memory for the outcomes of passes, and for the numbers of values."""

_LAST = "the code that was looked at last, and its form"
"""A pass that gains nothing hands its code to the next one."""


def once(
    memory: Memory, task: tuple[object, ...], make: Callable[[Outcome], Outcome]
) -> Callable[[Outcome], Outcome]:
    """The pass `make`, run once for all code that computes the same.

    `task` is all that the pass depends on beside the code. Linear where it is not run.
    Of the LONGEST code it is run each time.
    """
    made: dict[object, tuple[Outcome, Outcome]] = memory.setdefault(_MADE, {})

    def known(outcome: Outcome) -> Outcome:
        if len(outcome.body) >= LONGEST:
            return make(outcome)
        key = (*task, *_form(memory, outcome.body, outcome.results))
        found = made.get(key)
        if found is None:
            found = made[key] = outcome, make(outcome)
        first, after = found
        if after is first:  # the pass left it as it was
            return outcome
        return after if outcome is first else outcome.followed_by(first, after)

    return known


def _form(memory: Memory, body: Body, results: Results) -> tuple[object, ...]:
    """A key, equal for code that computes the same by the same operations under the
    same names. If the statements are many, their order does not matter.
    """
    last = memory.get(_LAST)
    if last is not None and last[0] is body and last[1] is results:
        form: tuple[object, ...] = last[2]
        return form
    is_short = len(body) <= SHORT
    values = _Values(memory.setdefault(_NUMBERS, {}), sides=is_short)
    made = [values.enter(statement) for statement in body]
    if not is_short:
        made.sort()
    form = (*made, None, *map(values.number, results))
    memory[_LAST] = body, results, form
    return form


class _Values:
    """Numbers of values, equal for values that are computed alike.

    `numbers` has all that was met before, in other code as well. With `sides` x + y is
    not computed like y + x.
    """

    def __init__(self, numbers: dict[object, int], *, sides: bool) -> None:
        self._numbers = numbers
        self._sides = sides
        self._own: dict[Operand, int] = {}  # of the values of this code

    def enter(self, statement: Statement) -> tuple[int, ...]:
        """The numbers of the values that a statement computes.

        Statements with blocks are only equal to themselves.
        """
        if type(statement) is not Apply:
            keys = [(k, statement) for k, _ in enumerate(statement.outs)]
            found = tuple(map(self._told_apart, keys))
            self._own.update(zip(statement.outs, found, strict=True))
            return found
        op, out, own, numbers = statement.op, statement.out, self._own, self._numbers
        args = [
            own[a] if type(a) is Var and a in own else self.number(a)
            for a in statement.args
        ]
        if op.commutes and not self._sides:
            args.sort()
        key = (op.name, out.hint, out.named, *args)
        own[out] = found_one = numbers.setdefault(key, len(numbers))
        return (found_one,)

    def number(self, operand: Operand) -> int:
        """The number of a value; it may come from outside."""
        if type(operand) is Literal:
            key = type(operand.value), repr(operand.value), operand.name
            return self._told_apart(key)
        own = self._own.get(operand)
        return self._told_apart(operand) if own is None else own

    def _told_apart(self, key: object) -> int:
        return self._numbers.setdefault(key, len(self._numbers))
