"""Loops that end early: a `while` that is a `for` with `break`.

A `break` is a carry that is true once it has run: the test of the loop begins with
`not left`. A counted loop with a `break` has a counter besides, which its test compares
with the end. Both are seen by their form, whoever made the loop.
"""

from __future__ import annotations

from collections.abc import Set

from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Literal,
    Operand,
    Statement,
    Var,
    While,
    node,
    walk,
)
from ad_transform.ir.types import INT

_FALSE = Literal(False)


@node
class Exit:
    """The flag of a loop, by the place of its carry, and the rest of the test.

    The rest reads `args` of the test's parameters; None where there is no other test.
    """

    flag: int
    rest: Block | None
    args: tuple[Operand, ...]


@node
class Counter:
    """The counter of a loop: range(its start, stop, step), and how it is advanced.

    `stop` is a literal or the place of one of the loop's inputs. `advance` is None
    where a trip reads the next value itself.
    """

    carry: int
    stop: Literal | int
    step: Literal
    advance: Apply | None


def exit_of(loop: While) -> Exit | None:
    """The flag that ends a loop, None where there is none. Linear in its body."""
    first, *others = loop.test.body or (None,)
    if not isinstance(first, Apply) or first.op.name != "not":
        return None
    flag = _place(first.args[0], loop.test.params)
    if flag is None or flag >= len(loop.carries) or loop.carries[flag] != _FALSE:
        return None
    if loop.body.params[flag] in read_in(loop.body):
        return None
    param, (result,) = loop.test.params[flag], loop.test.results
    if not others and result is first.out:
        return Exit(flag, None, ())
    match others:
        case [Branch(outs=(out,), test=test, args=args, then=then, orelse=orelse)]:
            sole = result is out and test is first.out and param not in args
            if sole and not orelse.body and orelse.results == (_FALSE,):
                return Exit(flag, then, args)
    return None


def counter_of(loop: While, left: Exit, used: Set[Operand]) -> Counter | None:
    """The counter of a loop that may end early, None where it does not count.

    `used` are the operands that are read somewhere. Linear in the body of the loop.
    """
    if left.rest is None or len(left.rest.body) != 1:
        return None
    (link,), (result,) = left.rest.body, left.rest.results
    if not isinstance(link, Apply) or link.out is not result:
        return None
    outer = dict(zip(left.rest.params, left.args, strict=True))
    places = [
        _place(outer.get(arg, arg), loop.test.params) if isinstance(arg, Var) else None
        for arg in link.args
    ]
    carry, end = places[0], link.args[-1]
    if link.op.name not in _UP or carry is None or carry >= len(loop.carries):
        return None
    stop = end if isinstance(end, Literal) else places[1]
    if stop is None or (isinstance(stop, int) and stop < len(loop.carries)):
        return None
    if loop.outs[carry] in used or loop.outs[carry].type != INT:
        return None
    advance = _advance(loop, carry)
    if advance is None:
        return None
    step = advance.args[1]
    assert isinstance(step, Literal)
    up = isinstance(step.value, int) and step.value > 0
    if up is not _UP[link.op.name]:
        return None
    is_read = _reads_next(loop.body, loop.body.results[carry])
    return Counter(carry, stop, step, None if is_read else advance)


_UP = {"lt": True, "gt": False}


def _advance(loop: While, carry: int) -> Apply | None:
    """The operation that makes the counter of the next trip."""
    result, param = loop.body.results[carry], loop.body.params[carry]
    maker = next((s for s in loop.body.body if result in s.outs), None)
    match maker:
        case Apply(op=op, args=(one, Literal(value=int(step)))):
            return maker if op.name == "add" and one is param and step != 0 else None
    return None


def _reads_next(block: Block, result: Operand) -> bool:
    """Whether a trip reads the counter of the next one, but to hand it on."""
    inputs = (result in statement.inputs for statement in block.body)
    return block.results.count(result) != 1 or any(inputs)


def _place(operand: Operand, params: tuple[Var, ...]) -> int | None:
    return next((k for k, param in enumerate(params) if param is operand), None)


def read_in(block: Block) -> Set[Operand]:
    """The operands that a block itself reads."""
    return {o for s in block.body for o in s.inputs} | set(block.results)


def used_in(body: tuple[Statement, ...], results: tuple[Operand, ...]) -> Set[Operand]:
    """All operands that are read anywhere in a body, results among them."""
    used: set[Operand] = set(results)
    for statement in walk(body):
        used.update(statement.inputs)
        for block in statement.blocks:
            used.update(block.results)
    return used
