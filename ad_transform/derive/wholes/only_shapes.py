"""Arrays read for their shape only are not computed, and known lengths are numbers.

An array that starts as `np.zeros_like(z)`, where z = np.sin(y) is read by nothing else,
starts as `np.zeros_like(y)`; `len(K)` of `K = np.array([1.0, 2.0])` is 2, and one less
is 1.
"""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.derive.wholes.first_shapes import of_first
from ad_transform.elementals.whole import AXES, BY_ELEMENT, LENGTHS
from ad_transform.ir.dims import ANY
from ad_transform.ir.nodes import Apply, Block, Literal, Operand, Scan, Statement

LIKE: Mapping[str, int] = {
    "zeros_beside": 0,
    "zeros_like": 0,
    **dict.fromkeys(LENGTHS, 0),
    "count": 0,
    "full_like": 1,
    "spread": 1,
    "unraveled": 1,
}
"""Operations, and the place of the argument of which they read the shape alone."""


def only_shapes(block: Block) -> Block:
    """The block, and those in it, without arrays whose numbers nobody reads. Linear."""
    read: set[Operand] = set(block.results)
    for statement in reversed(block.body):
        if _alike(statement) is None or not read.isdisjoint(statement.outs):
            read.update(_read(statement))
    there = read.union(*(s.inputs for s in block.body))
    env: dict[Operand, Operand] = {}
    body: list[Statement] = []
    for statement in block.body:
        known = _known_length(statement)
        if known is not None:
            env[statement.outs[0]] = known
            continue
        like = _alike(statement)
        if like is not None and read.isdisjoint(statement.outs):
            env[statement.outs[0]] = env.get(like, like)
            continue
        own = statement.over(env)
        number = _number(own) if own != statement else None
        if number is not None:
            env[statement.outs[0]] = number
            continue
        if isinstance(own, Scan):
            own = of_first(own, there)
        body.append(own.map_blocks(only_shapes) if own.blocks else own)
    return Block(block.params, tuple(body), tuple(env.get(r, r) for r in block.results))


def _known_length(statement: Statement) -> Literal | None:
    """The length of an array along an axis, if its type has it as a number."""
    if not isinstance(statement, Apply) or statement.op.name not in AXES:
        return None
    shape, axis = statement.args[0].type.shape, AXES[statement.op.name]
    size = shape[axis] if axis < len(shape) else ANY
    return Literal(size) if isinstance(size, int) else None


def _number(statement: Statement) -> Literal | None:
    """The value of an operation on known whole numbers; else None."""
    if not isinstance(statement, Apply) or statement.op.name not in _COUNTED:
        return None
    known = [a.value for a in statement.args if isinstance(a, Literal)]
    if len(known) < len(statement.args) or any(type(n) is not int for n in known):
        return None
    return Literal(statement.op.compute(*known))


_COUNTED = frozenset({"add", "sub", "mul", "min", "max"})


def _read(statement: Statement) -> list[Operand]:
    """The values whose numbers a statement reads."""
    inputs = list(statement.inputs)
    if isinstance(statement, Apply) and statement.op.name in LIKE:
        del inputs[LIKE[statement.op.name]]
    return inputs


def _alike(statement: Statement) -> Operand | None:
    """An argument of the type of the value, for an operation element by element."""
    if not isinstance(statement, Apply) or statement.op.name not in BY_ELEMENT:
        return None
    type_ = statement.out.type
    if not type_.shape or ANY in type_.shape:
        return None
    return next((arg for arg in statement.args if arg.type == type_), None)
