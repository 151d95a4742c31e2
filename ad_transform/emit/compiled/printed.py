"""Helpers of numbers whose text in Python says what they are in other languages, too.

What the text may hold: names that are bound once or again, `if`, `return`, and
expressions as the spellings of rows have them.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Sequence
from functools import cache

from ad_transform.dataclass import dataclass
from ad_transform.elementals.helpers import HELPERS
from ad_transform.emit.compiled.spelling import TERNARY, Dialect, text_of_tree

NAMES = frozenset("""
    small_bound lost share digits_lost up product_center product_radius quotient_center
    quotient_radius root_center root_radius image_radius power_radius angle_radius
    step_radius whole_quotient modulo_radius low high
    """.split())  # noqa: SIM905
"""The helpers that are written so, without the underscore of their names in Python."""


@dataclass(frozen=True, slots=True)
class Let:
    """`name = value`; `is_new` the first time."""

    name: str
    value: str
    is_new: bool


@dataclass(frozen=True, slots=True)
class Give:
    """`return value`"""

    value: str


@dataclass(frozen=True, slots=True)
class Choose:
    """`if test:` with what is done then, and else."""

    test: str
    then: tuple[Step, ...]
    orelse: tuple[Step, ...]


Step = Let | Give | Choose


@dataclass(frozen=True, slots=True)
class Helper:
    """A helper: what is said of it, its parameters, what it does."""

    name: str
    said: str
    parameters: tuple[str, ...]
    steps: tuple[Step, ...]


@cache
def helper(name: str, dialect: Dialect) -> Helper:
    """A helper in the words of a language."""
    (made,) = ast.parse(HELPERS[f"_{name}"]).body
    assert isinstance(made, ast.FunctionDef)
    parameters = tuple(arg.arg for arg in made.args.args)
    first, *body = made.body
    assert isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    steps = tuple(_steps(body, dialect, set(parameters)))
    said = str(first.value.value).partition("\n")[0]
    return Helper(name, said, parameters, steps)


def _steps(
    body: Sequence[ast.stmt], dialect: Dialect, known: set[str]
) -> Iterator[Step]:
    for statement in body:
        match statement:
            case ast.Return(value=ast.expr() as value):
                yield Give(_text(value, dialect))
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                text = _text(value, dialect)
                yield Let(name, text, name not in known)
                known.add(name)
            case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value):
                old = ast.Name(id=target.id)
                yield Let(name, _text(ast.BinOp(old, op, value), dialect), False)
            case ast.If(test=test, body=then, orelse=orelse):
                arms = (tuple(_steps(arm, dialect, known)) for arm in (then, orelse))
                yield Choose(_text(test, dialect), *arms)
            case _:
                raise AssertionError(ast.unparse(statement))


def _text(node: ast.expr, dialect: Dialect) -> str:
    return text_of_tree(dialect, _Plain().visit(node), TERNARY)


class _Plain(ast.NodeTransformer):
    """Makes expressions of Python such as spellings have."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        match node:
            case ast.BinOp(ast.Constant(float() as base), ast.Pow(), exponent):
                return ast.Constant(base ** ast.literal_eval(exponent))  # 2.0**-50
        self.generic_visit(node)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        values = [node.left, *node.comparators]
        pairs = [
            ast.Compare(left, [op], [right])
            for left, op, right in zip(values, node.ops, values[1:], strict=False)
        ]
        return _joined(ast.And(), pairs)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        return _joined(node.op, node.values)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in ("inf", "nan"):
            return ast.Constant(float(node.id))
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name(id="max"), args=[first, *rest]):
                found = first
                for other in rest:
                    found = _called("_larger", [found, other])
                return found
            case ast.Call(
                func=ast.Name(id="float"),
                args=[ast.Call(func=ast.Name(id="round"), args=args)],
            ):
                return _called("math.nearbyint", args)
            case ast.Call(func=ast.Name(id=name)) if hasattr(math, name):
                return _called(f"math.{name}", node.args)
        return node


def _called(name: str, args: list[ast.expr]) -> ast.Call:
    return ast.Call(ast.parse(name, mode="eval").body, args, [])


def _joined(op: ast.boolop, values: Sequence[ast.expr]) -> ast.expr:
    found, *rest = values
    for value in rest:
        found = ast.BoolOp(op, [found, value])
    return found
