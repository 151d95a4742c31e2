"""Cones of zeros: products with a 0 are 0, and sums lose the term. So is a loop whose
trips only add them, or hand them on.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from ad_transform.ir.nodes import (
    Apply,
    Branch,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    checks,
    checks_inside,
)

ZEROS = frozenset({Literal(0.0), Literal(-0.0)})
_CHANGES = frozenset({"add_at", "sub_at"})
_SUMS = _CHANGES | {"sub"}
"""Operations that leave the first operand as it is where the second is 0."""
_DEPTH = 4
"""Branches one in the other that are looked into."""


class Cone:
    """The statements, by place, on values of a branch that are 0 in an arm: their
    results are `linear` values, which are 0 there too, or `sums`, each with its value
    there.
    """

    def __init__(self, zeros: Sequence[Var]) -> None:
        self.linear: set[Operand] = set(zeros)
        self.sums: dict[Operand, Operand] = {}
        self.minuends: list[Operand] = []
        self.places: list[int] = []

    def take(self, place: int, statement: Statement | None) -> bool | None:
        """Whether a statement belongs to it; None where no cone can hold it."""
        read = statement.inputs if statement else ()
        if self.linear.isdisjoint(read):
            return False
        assert statement is not None
        if isinstance(statement, Scan):
            zeros = _zeros_of(statement, self.linear)
            if zeros is None:
                return None
            for out, carry in zip(statement.outs, statement.carries, strict=True):
                if out in zeros:
                    self.linear.add(out)
                else:
                    self._add(out, carry)
            self.places.append(place)
            return True
        is_change = isinstance(statement, Apply) and statement.op.name in _CHANGES
        if not is_change and any(out.type.is_array for out in statement.outs):
            return None  # sums of arrays are new arrays
        if _scales(statement, self.linear, _DEPTH):
            self.linear.update(statement.outs)
        elif not isinstance(statement, Apply):
            return None
        else:
            name, args = statement.op.name, statement.args
            are_linear = [arg in self.linear for arg in args]
            if name == "add":
                self._add(statement.out, args[are_linear.index(False)])
            elif name in _SUMS and are_linear[1] and not are_linear[0]:
                self._add(statement.out, args[0])
                self.minuends += args[: name == "sub"]
            else:
                return None
        self.places.append(place)
        return True

    def _add(self, total: Operand, other: Operand) -> None:
        self.sums[total] = self.sums.get(other, other)


def _zeros_of(loop: Scan, linear: Set[Operand]) -> set[Var] | None:
    """The results of a loop that are 0 where some values are: numbers that are 0 in
    front of it, and stay so. None where its trips change anything else there.
    """
    if loop.stacks or loop.snapshots is not None:
        return None
    if checks(loop) or checks_inside(loop):
        return None
    params = loop.carry_params
    begun = {
        k for k, carry in enumerate(loop.carries) if carry in linear or carry in ZEROS
    }
    read = zip(loop.read_params, loop.reads, strict=True)
    zeros = [*(params[k] for k in begun), *(p for p, o in read if o in linear)]
    cone = Cone(zeros)
    places = enumerate(loop.body.body)
    if any(cone.take(place, statement) is None for place, statement in places):
        return None
    for k, (param, end) in enumerate(zip(params, loop.body.results, strict=False)):
        if k in begun:
            if end not in cone.linear and end not in ZEROS:
                return None
        elif cone.sums.get(end, end) is not param:
            return None
    return {loop.outs[k] for k in begun}


def _is_linear(branch: Branch, linear: Set[Operand], depth: int) -> bool:
    """Whether all results of a branch are 0 where some values are."""
    if not depth or branch.test in linear:
        return False
    for block in branch.blocks:
        inner: set[Operand] = {
            p for p, a in zip(block.params, branch.args, strict=True) if a in linear
        }
        for statement in block.body:
            if inner.isdisjoint(statement.inputs):
                continue
            if not _scales(statement, inner, depth):
                return False
            inner.update(statement.outs)
        if not all(result in inner or result in ZEROS for result in block.results):
            return False
    return True


def _scales(statement: Statement, linear: Set[Operand], depth: int) -> bool:
    """Whether the result of a statement in an arm is 0 where some values are."""
    if isinstance(statement, Branch):
        return _is_linear(statement, linear, depth - 1)
    if not isinstance(statement, Apply):
        return False
    are_linear = [arg in linear for arg in statement.args]
    match statement.op.name:
        case "neg" | "mul":
            return True
        case "div":
            return not are_linear[1]
        case "add" | "sub":
            return all(are_linear)
    return False
