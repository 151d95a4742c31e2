"""Slopes of powers as rows have them: `x**(y - 1) if x != 0 or y != 0 else 0`."""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.dataclass import dataclass
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Literal,
    Operand,
    Statement,
    Var,
)
from ad_transform.ir.types import FLOAT

Makers = Mapping[Operand, Statement]
Env = Mapping[Operand, Operand]


@dataclass(frozen=True, slots=True)
class Slope:
    """`base ** (exponent - 1)`, or 0 where both are 0; `nonzero` is whether the base is
    not 0, `test` whether not both are. `cost` are its operations.
    """

    out: Var
    base: Operand
    exponent: Operand
    nonzero: Operand
    test: Operand
    cost: int


def slope_of(branch: Branch, makers: Makers) -> Slope | None:
    """A branch as the slope of a power; None if it is none."""
    if len(branch.outs) != 1 or not gives(branch.orelse, 0):
        return None
    found = _lower_power(branch)
    ends = found and _tested(branch.test, makers)
    if not found or not ends or ends[0] is not found:
        return None
    base, exponent, nonzero = ends
    (out,) = branch.outs
    if out.type != FLOAT or base.type != FLOAT or exponent.type != FLOAT:
        return None
    if not _is_one_less(branch, exponent):
        return None
    return Slope(out, base, exponent, nonzero, branch.test, len(branch.then.body))


def gives(block: Block, value: float | bool) -> bool:
    """Whether a block does nothing but give a number."""
    (result,) = block.results if len(block.results) == 1 else (None,)
    is_number = isinstance(result, Literal) and result.value == value
    return is_number and not block.body


def arguments(branch: Branch, block: Block) -> Env:
    """The arguments of a branch, by the parameters of an arm."""
    return dict(zip(block.params, branch.args, strict=True))


def _lower_power(branch: Branch) -> Operand | None:
    """The base of the power that is all of the arm, with its exponent."""
    body, env = branch.then.body, arguments(branch, branch.then)
    last = body[-1] if body else None
    if (
        not 1 <= len(body) <= 2
        or not isinstance(last, Apply)
        or last.op.form is not Form.POWER
        or branch.then.results != (last.out,)
    ):
        return None
    return env.get(last.args[0])


def _is_one_less(branch: Branch, exponent: Operand) -> bool:
    """Whether the exponent in the arm is `exponent - 1`, as it stands."""
    env = arguments(branch, branch.then)
    first, last = branch.then.body[0], branch.then.body[-1]
    return (
        first is not last
        and isinstance(first, Apply)
        and isinstance(last, Apply)
        and first.op.name == "sub"
        and env.get(first.args[0]) is exponent
        and isinstance(first.args[1], Literal)
        and first.args[1].value == 1
        and last.args[1] is first.out
    )


def _tested(test: Operand, makers: Makers) -> tuple[Operand, Operand, Operand] | None:
    """x, y and `x != 0` of a test `x != 0 or y != 0`."""
    either = makers.get(test)
    if not isinstance(either, Branch) or not gives(either.then, True):
        return None
    base = _nonzero(makers.get(either.test))
    env = arguments(either, either.orelse)
    (result,) = either.orelse.results
    if either.orelse.body:
        (*more, last) = either.orelse.body
        inner = _nonzero(last)
        exponent = None if more or inner is None else env.get(inner)
    else:  # made outside
        exponent = _nonzero(makers.get(env.get(result, result)))
    if base is None or exponent is None:
        return None
    return base, exponent, either.test


def _nonzero(statement: Statement | None) -> Operand | None:
    """x of `x != 0`."""
    if not isinstance(statement, Apply) or statement.op.name != "ne":
        return None
    x, y = statement.args
    return x if isinstance(y, Literal) and y.value == 0 else None
