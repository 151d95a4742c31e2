"""Values that a program uses nonlinearly: where a value without digits divides,
decides, or goes through a function, first order says nothing.

Inputs of branches and loops are followed to their values. A carry is used nonlinearly
if any trip uses it so, or a statement behind the loop. A comparison is none of these:
whether rounding may turn it is found apart (`enclosure.model.doubts`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from ad_transform.derive.rounding.beyond import Made, beyond, exponent, made_in
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Operand,
    Scan,
    Statement,
    While,
)

_DEEPEST = 2
"""Blocks inside blocks that are looked into: deeper ones may use all that comes in."""

_ROUNDS = 8
"""Rounds in which carries of a loop are found; after more, all may be used so."""

_LINEAR = frozenset(
    {Form.SUM, Form.DIFFERENCE, Form.PRODUCT, Form.TOTAL, Form.NEGATION, Form.IDENTITY}
    | {Form.MAGNITUDE, Form.COPIED_SIGN, Form.OFF, Form.WITHIN, Form.ROUNDED}
    | {Form.CALLED, Form.COMPARISON}
)
"""Operations that are linear in each argument, but for kinks and jumps."""


def used_nonlinearly(
    body: Sequence[Statement], outside: Iterable[Operand], depth: int = 0
) -> set[Operand]:
    """The values that a result of a body depends on nonlinearly: in `exp(x) + y` that
    is x. Those `outside` may be used in any way outside. O(statements) for each level
    of loops.
    """
    found = set(outside)
    made = made_in(body)
    for statement in reversed(body):
        if is_root(statement):
            continue  # a residual may have lost its digits
        if isinstance(statement, Branch | Scan | While) and depth < _DEEPEST:
            found.update(_entering(statement, found, depth + 1))
            continue
        if not found.isdisjoint(statement.outs):
            found.update(_needed(statement, made))
        if isinstance(statement, Apply):
            found.update(_nonlinear_in(statement, made))
        else:
            found.update(statement.inputs)
    return found


def _needed(statement: Statement, made: Made) -> Iterable[Operand]:
    """The inputs of a statement that need their digits where its result does: of a sum
    not those that it is compared with, of a comparison none.
    """
    if isinstance(statement, Apply) and statement.op.form is Form.COMPARISON:
        return
    yield from _not_compared(statement, statement.inputs, made)


def _not_compared(
    statement: Statement, inputs: Iterable[Operand], made: Made
) -> Iterable[Operand]:
    """Some inputs of a statement without those that lead to differences beyond it, but
    with the values that need their digits in these.
    """
    apart = beyond(statement, made)
    compared = {one.used for one in apart}
    for each in (inputs, *(one.difference.args for one in apart)):
        yield from (a for a in each if a not in compared)
    for one in apart:
        yield from (*one.factors, *one.divisors)


def leaving(
    holder: Statement, block: Block, found: Set[Operand], depth: int = 1
) -> Sequence[Operand]:
    """The results of a statement's block that may be used nonlinearly outside, if its
    values in `found` are.
    """
    if isinstance(holder, Branch):
        pairs = zip(holder.outs, block.results, strict=True)
        return [result for out, result in pairs if out in found]
    if isinstance(holder, Scan | While):
        return _carried(holder, block, found, depth)
    return block.results


def _carried(
    loop: Scan | While, body: Block, found: Set[Operand], depth: int
) -> Sequence[Operand]:
    """The results of a trip that may be used nonlinearly, by the next trip, too."""
    params = body.params[loop.first_carry : loop.first_read]
    wanted = {k for k in range(len(body.results)) if loop.outs[k] in found}
    if isinstance(loop, While):
        asked = used_nonlinearly(loop.test.body, loop.test.results, depth)
        wanted |= {k for k, _ in enumerate(params) if loop.test.params[k] in asked}
    for _ in range(_ROUNDS):
        results = [body.results[k] for k in sorted(wanted)]
        used = used_nonlinearly(body.body, results, depth)
        more = {k for k, param in enumerate(params) if param in used} - wanted
        if not more:
            return results
        wanted |= more
    return body.results


def _entering(
    statement: Branch | Scan | While, found: Set[Operand], depth: int
) -> Iterable[Operand]:
    """The inputs of a branch or loop that may be used nonlinearly in it or behind."""
    if isinstance(statement, Branch):
        yield statement.test
        for block in statement.blocks:
            yield from _of_params(block, statement.args, statement, found, depth)
        return
    given: Sequence[Operand] = statement.inputs
    if isinstance(statement, Scan):
        start, stop, step, *given = statement.inputs
        yield from (start, stop, step)
        yield from _of_params(statement.body, (start, *given), statement, found, depth)
        return
    yield from _of_params(statement.body, given, statement, found, depth)
    asked = used_nonlinearly(statement.test.body, statement.test.results, depth)
    pairs = zip(statement.test.params, given, strict=True)
    yield from (value for param, value in pairs if param in asked)


def _of_params(
    block: Block,
    given: Sequence[Operand],
    holder: Statement,
    found: Set[Operand],
    depth: int,
) -> Iterable[Operand]:
    """The operands of a block's parameters that it may use nonlinearly."""
    results = leaving(holder, block, found, depth)
    used = used_nonlinearly(block.body, results, depth)
    pairs = zip(block.params, given, strict=True)
    return [value for param, value in pairs if param in used]


def is_root(statement: Statement) -> bool:
    """Whether a statement gives the solution of an equation."""
    return isinstance(statement, Apply) and statement.op.form is Form.SOLVED


def _nonlinear_in(statement: Apply, made: Made) -> Iterable[Operand]:
    """The values that need their digits where an operation is not linear in them."""
    args = statement.args
    if exponent(statement) is not None:
        return _not_compared(statement, args, made)
    if statement.op.layout is not None:
        return ()  # elements are moved, and added up
    match statement.op.form:
        case Form.PRODUCT:
            return args if args[0] is args[1] else ()
        case Form.QUOTIENT:
            return args[1:]
        case form:
            return () if form in _LINEAR else args
