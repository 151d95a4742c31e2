"""Literals that mean decimals: 0.1 is one tenth, and the double beside it is in error.

So is, always, the double beside a whole number of too many bits that meets a float. For
the sweep such a literal is an input with a known error, which blocks read as any other
value; the finished program has the literal back in its places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from typing import TypeAlias

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.rounding.inputs import InputError, Known
from ad_transform.ir.blocks.consumed import handed
from ad_transform.ir.blocks.live import live
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Origin,
    Scan,
    Solve,
    Statement,
    Var,
    While,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import FLOAT, INT

_CONSTANTS = {
    "math.pi": -1.2246467991473532e-16,
    "math.e": -1.4456468917292502e-16,
    "math.tau": -2.4492935982947064e-16,
}
"""The doubles of `math` less the numbers that they are named after."""


ErrorOf: TypeAlias = Callable[[Literal], InputError | None]


def whole_error(literal: Literal) -> Known | None:
    """The double less the whole number that it stands for."""
    value = literal.value
    if not isinstance(value, int) or abs(value) <= 2**53 or abs(value) > 2**1023:
        return None
    return _known(float(int(float(value)) - value))


def decimal_error(literal: Literal) -> Known | None:
    """The double less the decimal that it is the nearest to (its shortest text)."""
    value = literal.value
    if isinstance(value, int):
        return whole_error(literal)
    if not isinstance(value, float) or not isfinite(value):
        return None
    if literal.origin is Origin.LIBRARY:
        return _known(_CONSTANTS.get(literal.name, 0.0))
    return _known(float(Fraction(value) - Fraction(Decimal(repr(value)))))


def _known(error: float) -> Known | None:
    return Known(error) if error else None


@dataclass(frozen=True, slots=True)
class Decimals:
    """A function with variables for its inexact literals, and the errors of these."""

    function: Function
    literals: Mapping[Var, Literal]
    errors: Mapping[Var, InputError]


def exact(function: Function) -> Decimals:
    """The function with a variable for each whole number that is no double."""
    return freed(function, whole_error)


def decimal(function: Function) -> Decimals:
    """The function with a variable for each literal that is not its decimal."""
    return freed(function, decimal_error)


def freed(function: Function, error: ErrorOf) -> Decimals:
    """The function with a variable for each literal that is in error."""
    block, made = bounce(_in_block(function.block, error))
    literals = {var: c for c, var in made.items()}
    errors = {var: e for var, c in literals.items() if (e := error(c)) is not None}
    return Decimals(replace(function, block=block), literals, errors)


_Made = dict[Literal, Var]


def _in_block(block: Block, error: ErrorOf) -> Task[tuple[Block, _Made]]:
    """The block over variables for its literals, and these variables."""
    made: _Made = {}
    wholes = _wholes(block.body)

    def seen(operand: Operand) -> Operand:
        literal = wholes.get(operand, operand)
        if not isinstance(literal, Literal) or error(literal) is None:
            return operand
        return made.setdefault(literal, Var(FLOAT))

    def seen_if_real(operand: Operand) -> Operand:
        return seen(operand) if operand.type.is_real else operand

    body: list[Statement] = []
    for statement in block.body:
        if isinstance(statement, Apply):
            look = seen if _meets_float(statement) else seen_if_real
            args = tuple(map(look, statement.args))
            body.append(Apply(statement.out, statement.op, args))
        elif isinstance(statement, Branch | Scan | While):
            inputs = tuple(map(seen_if_real, statement.inputs))
            found = []
            for inner in statement.blocks:
                found.append((yield _in_block(inner, error)))
            outer = statement.rebuilt(statement.outs, inputs, statement.blocks)
            body.append(_reading(outer, found, made))
        else:
            body.append(statement)
    results = tuple(map(seen_if_real, block.results))
    return Block(block.params, tuple(body), results), made


def _reading(
    statement: Branch | Scan | While, found: list[tuple[Block, _Made]], made: _Made
) -> Statement:
    """A statement that hands its blocks the variables that they read now."""
    literals = dict.fromkeys(c for _, own in found for c in own)
    given = tuple(made.setdefault(c, Var(FLOAT)) for c in literals)
    last = len(statement.entries) if isinstance(statement, Scan) else 0
    blocks = []
    for block, own in found:
        more = (own.get(c) or Var(FLOAT) for c in literals)
        end = len(block.params) - last
        params = (*block.params[:end], *more, *block.params[end:])
        blocks.append(replace(block, params=params))
    match statement:
        case Branch(args=args):
            then, orelse = blocks
            return replace(statement, args=(*args, *given), then=then, orelse=orelse)
        case Scan(reads=reads):
            return replace(statement, reads=(*reads, *given), body=blocks[0])
        case While(reads=reads):
            test, body = blocks
            return replace(statement, reads=(*reads, *given), test=test, body=body)


def _wholes(body: Sequence[Statement]) -> dict[Operand, Literal]:
    """Whole numbers that are computed from literals, such as 10**23."""
    found: dict[Operand, Literal] = {}
    for statement in body:
        if not isinstance(statement, Apply) or statement.op.form not in _WHOLE:
            continue
        args = [found.get(a, a) for a in statement.args]
        values = [a.value for a in args if isinstance(a, Literal)]
        whole = [v for v in values if isinstance(v, int)]
        if len(whole) < len(args) or statement.out.type != INT:
            continue
        power = statement.op.form is Form.POWER
        if not power or 0 <= whole[1] <= 400:  # 10.0**309 is no double
            found[statement.out] = Literal(statement.op.compute(*whole))
    return found


_WHOLE = frozenset({Form.SUM, Form.DIFFERENCE, Form.PRODUCT, Form.NEGATION, Form.POWER})


def _meets_float(statement: Apply) -> bool:
    """Whether whole numbers become floats here: beside floats, not in comparisons."""
    real = any(a.type.is_real for a in statement.args)
    return real and statement.out.type.is_real


_EXACTLY = frozenset({"plus", "minus", "times", "abs", "ulp"})
"""Operations on literals that are carried out here, to the bit."""


def restored(block: Block, literals: Mapping[Var, Literal]) -> Block:
    """The block with its literals back."""
    if not literals:
        return block
    made = bounce(_restored(block, dict(literals.items())))
    return replace(made, body=live(made.body, made.results))


def _restored(block: Block, env: dict[Operand, Operand]) -> Task[Block]:
    body: list[Statement] = []
    for statement in block.body:
        here = statement.over(env)
        if isinstance(here, Apply) and here.op.name in _EXACTLY:
            values = [a.value for a in here.args if isinstance(a, Literal)]
            if len(values) == len(here.args):
                env[here.out] = Literal(here.op.compute(*values))
                continue
        inner = []
        for own in here.blocks:
            inner.append((yield _restored(own, _seen_inside(here, own))))
        body.append(here.rebuilt(here.outs, here.inputs, tuple(inner)))
    results = tuple(env.get(r, r) for r in block.results)
    return Block(block.params, tuple(body), results)


def _seen_inside(statement: Statement, block: Block) -> dict[Operand, Operand]:
    """The literals for parameters of a block that no trip changes, by parameter."""
    if not isinstance(statement, Branch | Scan | While | Solve):
        return {}  # nobody knows how it runs its blocks
    moving: set[Var] = set()
    if isinstance(statement, Scan | While):
        moving.update(block.params[: statement.first_read])
    return {
        param: operand
        for param, operand in handed(statement, block)
        if isinstance(operand, Literal) and param not in moving
    }
