"""Operation counts by the classes of the contract (rule 25)."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache

from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Apply, Branch, Function, Statement, walk


@dataclass(frozen=True, slots=True)
class Counts:
    """Operations as they stand in the text; `total` leaves out select."""

    mul: int = 0
    add: int = 0
    div: int = 0
    pow: int = 0
    call: int = 0
    neg: int = 0
    select: int = 0

    @property
    def total(self) -> int:
        """All operations but comparisons and conditional expressions."""
        return self.mul + self.add + self.div + self.pow + self.call + self.neg

    def price(self, weights: Mapping[str, int]) -> int:
        """The sum of all operations, each times the weight of its class."""
        return sum(count * weights[kind] for kind, count in self.classes().items())

    def classes(self) -> dict[str, int]:
        """The counts by class, zero ones included."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "add",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.FloorDiv: "div",
    ast.Mod: "div",
    ast.Pow: "pow",
    ast.USub: "neg",
    ast.Not: "select",
    ast.And: "select",
    ast.Or: "select",
}


@cache
def printed(op: Elemental) -> tuple[tuple[str, int], ...]:
    """The operations in the text of an elemental, by class."""
    tally: Counter[str] = Counter()
    for node in ast.walk(ast.parse(op.spelling or "0", mode="eval")):
        match node:
            case ast.UnaryOp(operand=ast.Constant()):
                pass  # a negative literal
            case ast.BinOp(op=sign) | ast.UnaryOp(op=sign) | ast.BoolOp(op=sign):
                tally[_SIGNS.get(type(sign), "")] += 1
            case ast.Call():
                tally["call"] += 1
            case ast.Compare() | ast.IfExp():
                tally["select"] += 1
    return tuple((kind, times) for kind, times in tally.items() if kind)


def count_statements(body: tuple[Statement, ...]) -> Counts:
    """Counts of a body, inner blocks once each."""
    tally: Counter[str] = Counter()
    for statement in walk(body):
        if isinstance(statement, Apply):
            for kind, times in printed(statement.op):
                tally[kind] += times
        elif isinstance(statement, Branch):
            tally["select"] += 1
    return Counts(**tally)


def count(function: Function) -> Counts:
    """Counts of a whole function."""
    return count_statements(function.body)
