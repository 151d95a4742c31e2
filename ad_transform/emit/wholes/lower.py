"""Whole numbers that are surely not below some other: indices that need no wrapping."""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.ir.blocks.consumed import handed
from ad_transform.ir.nodes import Apply, Block, Function, Literal, Operand, Scan, Var
from ad_transform.ir.types import Kind


def lower_bounds(function: Function) -> Mapping[Var, int]:
    """The least that whole numbers of a function can be, where that is known."""
    known: dict[Var, int] = {}
    waiting: list[Block] = [function.block]
    while waiting:
        for statement in waiting.pop().body:
            if isinstance(statement, Apply):
                least = _of_apply(statement, known)
                if least is not None:
                    known[statement.out] = least
                continue
            if isinstance(statement, Scan):
                least = _of_index(statement, known)
                if least is not None:
                    known[statement.body.params[0]] = least
            carried = set(getattr(statement, "carries", ()))
            for block in statement.blocks:
                for inner, outer in handed(statement, block):
                    bound = _of(outer, known)
                    if bound is not None and outer not in carried:
                        known[inner] = bound
                waiting.append(block)
    return known


def _of(operand: Operand, known: Mapping[Var, int]) -> int | None:
    if isinstance(operand, Var):
        return known.get(operand)
    value = operand.value
    return value if type(value) is int else None


def _of_index(scan: Scan, known: Mapping[Var, int]) -> int | None:
    if not isinstance(scan.step, Literal) or type(scan.step.value) is not int:
        return None
    if scan.step.value > 0:
        return _of(scan.start, known)
    stop = _of(scan.stop, known)
    return None if stop is None else stop + 1


def _of_apply(statement: Apply, known: Mapping[Var, int]) -> int | None:
    if statement.out.type.kind is not Kind.INT:
        return None
    if statement.op.result == "length":
        return 0
    bounds = [_of(arg, known) for arg in statement.args]
    match statement.op.name, bounds:
        case "add", [int() as x, int() as y]:
            return x + y
        case "sub", [int() as x, _] if isinstance(statement.args[1], Literal):
            assert isinstance(statement.args[1].value, int)
            return x - statement.args[1].value
        case "mul" | "floordiv", [int() as x, int() as y] if x >= 0 and y >= 0:
            return 0
        case "mod", [_, int() as y] if y > 0:
            return 0
    return None
