"""The arguments of a library function, taken by position, as its rule needs them.

`Special.NONE` stands for a missing argument.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Literal
from ad_transform.later import later
from ad_transform.read.machine.context import Context
from ad_transform.read.values.structured import Dict, Group
from ad_transform.read.values.values import Special, Value

with later():
    from ad_transform.read.values.described import describe

Values = Sequence[Value]

Rule = Callable[[Context, Values, Span], Value]
"""The value of a call of a library function, from its arguments; raises Unfit."""


class Unfit(Exception):
    """Arguments that a form cannot take."""

    def __init__(self, message: str, help_: str = "see its documentation") -> None:
        super().__init__(message)
        self.help = help_


def misfit(flat: Context, said: str, unfit: Unfit, values: Values, span: Span) -> Value:
    """Report arguments that a function cannot take (AD106); if a part of them has been
    refused, that is why, and nothing is reported.
    """
    if any(Special.REFUSED in leaves(values, at) for at in range(len(values))):
        return Special.REFUSED
    return flat.refuse("AD106", f"{said} {unfit}", span, unfit.help)


def arguments(number: int) -> str:
    """ "1 argument", "2 arguments"."""
    return f"{number} argument" + "s" * (number != 1)


def items_of(values: Values, at: int = 0) -> tuple[Value, ...]:
    """The items of the argument that has to be a tuple, list or dict (its keys)."""
    if at >= len(values):
        raise Unfit("misses an argument")
    value = values[at]
    if isinstance(value, Group):
        return value.items
    if isinstance(value, Dict):
        return value.keys
    help_ = 'say what is an array, `x: "Vector[n]"`, or list numbers, `sum([a, b])`'
    raise Unfit(f"needs a tuple or list, not {describe(value)}", help_)


def leaves(values: Values, at: int = 0) -> list[Value]:
    """The items of a nest of tuples and lists; a number is its own only item."""
    found: list[Value] = []
    stack = [values[at]] if at < len(values) else []
    while stack:
        value = stack.pop()
        if isinstance(value, Group):
            stack += reversed(value.items)
        else:
            found.append(value)
    return found


def expect(values: Values, low: int, high: int) -> None:
    """Raise Unfit unless there are `low` to `high` arguments."""
    if not low <= len(values) <= high:
        wanted = f"{low} or {arguments(high)}" if high > low else arguments(low)
        raise Unfit(f"takes {wanted}, not {len(values)}")


def given(values: Values, at: int, default: float) -> Value:
    """An argument, or its default."""
    if at < len(values) and values[at] is not Special.NONE:
        return values[at]
    return Literal(default)


def equals(value: Value, number: float) -> bool:
    """Whether an argument is this number, written out."""
    return isinstance(value, Literal) and value.value == number


def whole(value: Value) -> int | None:
    """The value of a whole number that is written out; None for any other argument."""
    if isinstance(value, Literal) and type(value.value) is int:
        return value.value
    return None


def holds(value: Value, default: bool) -> bool:
    """Whether an option is True; raises Unfit if it is not written out."""
    if value is Special.NONE:
        return default
    if isinstance(value, Literal) and isinstance(value.value, bool):
        return value.value
    raise Unfit("takes True or False that is written out as an option")


def times(value: Value) -> int:
    """A number of times, 1 by default; raises Unfit."""
    count = 1 if value is Special.NONE else whole(value)
    if count is None or count < 0:
        raise Unfit("needs a written number of times", "write it as a number")
    return count


def operate(flat: Context, op: str, values: Values, span: Span) -> Value:
    """The value of the elemental with this name."""
    return flat.operate(TABLE[op], values, span)


def folded(flat: Context, op: str, items: Values, span: Span) -> Value:
    """`op(op(a, b), c)` for the items a, b, c."""
    result: Value = flat.number(items[0], span) or Special.REFUSED
    for item in items[1:]:
        result = operate(flat, op, (result, item), span)
    return result
