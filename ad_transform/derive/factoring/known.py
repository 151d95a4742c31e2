"""What was made of code before, for all code that computes the same.

Orders that differ often lead to the same operations, which stand in another order only.
Passes look at these once: what they made is what they make of the others. Of short code
all orders are looked at, for what passes choose among equals may depend on the order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ad_transform.derive.factoring.twins import Body, Results
from ad_transform.derive.outcome import Outcome
from ad_transform.ir.nodes import Apply, Literal, Operand

_NUMBERS, _MADE = "numbers of operations", "made of code that computes the same"

SHORT = 250
"""Statements up to which code is the same only where it stands in the same order."""

Memory = dict[Any, Any]
"""The memory of a builder, which its copies share."""


def once(
    memory: Memory, task: tuple[object, ...], make: Callable[[Outcome], Outcome]
) -> Callable[[Outcome], Outcome]:
    """A pass that is run once for all code that computes the same.

    `task` is all that the pass depends on beside the code. Linear where it is not run.
    """
    made: dict[object, tuple[Outcome, Outcome]] = memory.setdefault(_MADE, {})

    def known(before: Outcome) -> Outcome:
        key = (*task, *_form(memory, before.body, before.results))
        if key not in made:
            made[key] = before, make(before)
        first, after = made[key]
        if first is before:
            return after
        return before if after is first else before.followed_by(first, after)

    return known


def _form(memory: Memory, body: Body, results: Results) -> tuple[object, ...]:
    """Equal for code that computes the same by the same operations under the same
    names, in whatever order its statements stand, if they are not few.

    Statements with blocks are only equal to themselves.
    """
    numbers: dict[object, int] = memory.setdefault(_NUMBERS, {})
    own: dict[Operand, int] = {}
    is_short = len(body) <= SHORT

    def number(operand: Operand) -> int:
        if type(operand) is Literal:
            leaf: object = operand.type, repr(operand.value), operand.name
        elif operand in own:
            return own[operand]
        else:
            leaf = operand
        return numbers.setdefault(leaf, len(numbers))

    for s in body:
        if type(s) is Apply:
            args = [number(a) for a in s.args]
            if s.op.commutes and not is_short:
                args.sort()
            key = (s.op.name, s.out.hint, s.out.named, *args)
            own[s.out] = numbers.setdefault(key, len(numbers))
        else:
            for k, out in enumerate(s.outs):
                own[out] = numbers.setdefault((k, s), len(numbers))
    made = own.values() if is_short else sorted(own.values())
    return (*made, None, *map(number, results))
