"""Functions of which a run chooses one: `g = f1 if flag else f2`, and then `g(x)`.

A call of one is a branch with a call in each arm. What chooses is a truth value; where
an arm has made it, it is handed out of the arm with the function.
"""

from __future__ import annotations

from collections.abc import Callable

from ad_transform.ir.nodes import Literal
from ad_transform.read.drafts import DraftChoice, made
from ad_transform.read.values import (
    Chosen,
    Closure,
    Dotted,
    Draft,
    External,
    FileFunction,
    Number,
    Partial,
    Special,
    Value,
)

Join = Callable[[Number, Number], Value | None]
"""What is one number behind the first arm, and another one behind the second."""


def is_function(value: Value) -> bool:
    """Whether a value is a function, or may be one: a name of a library."""
    return isinstance(
        value, FileFunction | Closure | External | Partial | Dotted | Chosen
    )


def joined(choice: DraftChoice, one: Value, other: Value, join: Join) -> Value | None:
    """The function that is `one` behind the first arm and `other` behind the second;
    None where one of them is no function.
    """
    ends = [_outside(choice, value, join) for value in (one, other)]
    used = [end for end in ends if end is not Special.UNUSED]
    if len(used) == 1 or ends[0] == ends[1]:
        return used[0]
    return Chosen(choice.test, *ends) if all(map(is_function, ends)) else None


def _outside(choice: DraftChoice, value: Value, join: Join) -> Value:
    """A function whose tests are known behind the arms."""
    if not isinstance(value, Chosen):
        return value
    ends = [_outside(choice, end, join) for end in (value.one, value.other)]
    pair: tuple[Number, Number] | None = None
    if value.test in set(made(choice.then.body)):
        pair = value.test, Literal(False)
    elif value.test in set(made(choice.orelse.body)):
        pair = Literal(False), value.test
    test = value.test if pair is None else join(*pair)
    assert isinstance(test, Draft | Literal)
    return Chosen(test, *ends)
