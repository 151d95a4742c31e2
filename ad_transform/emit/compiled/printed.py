"""Helpers of numbers whose text in Python defines them in other languages, too.

The text may hold names that are bound once or again, `if`, `for` over a range,
`return`, `raise`, and expressions as the spellings of rows have them. All numbers are
floats, and where the text raises there is NaN.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Sequence
from functools import cache

from ad_transform.dataclass import dataclass
from ad_transform.elementals.helpers import HELPERS
from ad_transform.emit.compiled.spelling import (
    ATOM,
    TERNARY,
    Dialect,
    text_of_tree,
)

_NAMES = """
small_bound lost share digits_lost up product_center product_radius quotient_center
quotient_radius root_center root_radius image_radius power_radius angle_radius
step_radius undecided sum_lost whole_quotient modulo_radius low high
logit xlog1py log_ratio rel_entr kl_div beta exprel_slope sin_pi sinc sinc_slope
"""
NAMES = frozenset(_NAMES.split())
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
    """`if test:` with the steps of both arms."""

    test: str
    then: tuple[Step, ...]
    orelse: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """`for name in range(start, stop, step):` with a step above 0."""

    name: str
    start: str
    stop: str
    step: str
    body: tuple[Step, ...]


Step = Let | Give | Choose | Repeat


@dataclass(frozen=True, slots=True)
class Helper:
    """A helper: its comment, its parameters, its steps.

    bound  the names that it binds, in order; parameters among them are its own copies
    """

    name: str
    said: str
    parameters: tuple[str, ...]
    bound: tuple[str, ...]
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
    return Helper(name, said, parameters, tuple(dict.fromkeys(_bound(steps))), steps)


def _bound(steps: Sequence[Step]) -> Iterator[str]:
    for step in steps:
        if isinstance(step, Let):
            yield step.name
        elif isinstance(step, Choose):
            yield from _bound((*step.then, *step.orelse))
        elif isinstance(step, Repeat):
            yield from (step.name, *_bound(step.body))


def _steps(
    body: Sequence[ast.stmt], dialect: Dialect, known: set[str]
) -> Iterator[Step]:
    def let(name: str, value: ast.expr) -> Step:
        is_new = name not in known
        known.add(name)
        return Let(name, _text(value, dialect), is_new)

    for statement in body:
        match statement:
            case ast.Return(value=ast.IfExp() as choice) if _is_apart(choice, dialect):
                then = ast.If(choice.test, [ast.Return(choice.body)], [])
                apart = [then, ast.Return(choice.orelse)]
                yield from _steps(apart, dialect, known)
            case ast.Return(value=ast.expr() as value):
                yield Give(_text(value, dialect))
            case ast.Raise():
                yield Give(dialect.number(math.nan))
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value):
                names = [
                    target.id for target in targets if isinstance(target, ast.Name)
                ]
                for name, part in _one_by_one(names, value):
                    yield let(name, part)
            case ast.Assign(targets=[ast.Name(id=name), *others], value=value):
                yield let(name, value)
                for other in others:
                    assert isinstance(other, ast.Name)
                    yield let(other.id, ast.Name(name))
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                yield let(name, ast.BinOp(ast.Name(name), op, value))
            case ast.If(test=test, body=then, orelse=orelse):
                both = (tuple(_steps(arm, dialect, known)) for arm in (then, orelse))
                yield Choose(_text(test, dialect), *both)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(args=args)):
                start, stop, *more = args if len(args) > 1 else (_ZERO, *args)
                first, last = _text(start, dialect), _text(stop, dialect)
                step = _text(more[0] if more else _ONE, dialect)
                inner = tuple(_steps(statement.body, dialect, known | {name}))
                yield Repeat(name, first, last, step, inner)
            case _:
                raise AssertionError(ast.unparse(statement))


_ZERO, _ONE = ast.Constant(0), ast.Constant(1)


def _is_apart(choice: ast.IfExp, dialect: Dialect) -> bool:
    """Whether a choice is made by `if`: the language has a function for it that
    computes both arms, and these divide or call.
    """
    is_eager = dialect.conditional[0] == ATOM
    arms = (node for arm in (choice.body, choice.orelse) for node in ast.walk(arm))
    return is_eager and any(isinstance(node, ast.Div | ast.Call) for node in arms)


def _one_by_one(
    names: Sequence[str], value: ast.expr
) -> Iterator[tuple[str, ast.expr]]:
    """Names and values of one assignment, one by one; a name that is read behind is
    copied first.
    """
    values = _parts(value)
    for k, (name, part) in enumerate(zip(names, values, strict=True)):
        later = (node for value in values[k + 1 :] for node in ast.walk(value))
        if any(isinstance(node, ast.Name) and node.id == name for node in later):
            yield f"new_{name}", part
            yield from _one_by_one(names[k + 1 :], ast.Tuple(list(values[k + 1 :])))
            yield name, ast.Name(f"new_{name}")
            return
        yield name, part


def _parts(value: ast.expr) -> Sequence[ast.expr]:
    """The parts of a tuple, also of one that is chosen."""
    match value:
        case ast.IfExp(test=test, body=body, orelse=orelse):
            both = zip(_parts(body), _parts(orelse), strict=True)
            return [ast.IfExp(test, *arms) for arms in both]
        case ast.Tuple(elts=parts):
            return parts
    raise AssertionError(ast.unparse(value))


def _text(node: ast.expr, dialect: Dialect) -> str:
    return text_of_tree(dialect, _Plain().visit(node), TERNARY)


_NUMBERS = {"inf": math.inf, "nan": math.nan, "pi": math.pi}


class _Plain(ast.NodeTransformer):
    """Rewrites expressions of Python as spellings have them."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        match node:
            case ast.BinOp(ast.Constant(float() as base), ast.Pow(), exponent):
                return ast.Constant(base ** ast.literal_eval(exponent))  # 2.0**-50
        self.generic_visit(node)
        match node:
            case ast.BinOp(x, ast.Mod(), y):
                return _called("_mod", [x, y])
            case ast.BinOp(x, ast.FloorDiv(), y):
                return _called("math.floor", [ast.BinOp(x, ast.Div(), y)])
            case ast.BinOp(x, ast.Pow(), y) if not isinstance(y, ast.Constant):
                return _called("math.pow", [x, y])
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp):
            node.test = ast.Compare(node.test, [ast.NotEq()], [ast.Constant(0.0)])
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return ast.Constant(float(node.value)) if type(node.value) is int else node

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
        value = _NUMBERS.get(node.id)
        return node if value is None else ast.Constant(value)

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
            case ast.Call(func=ast.Name(id="int"), args=args):
                return _called("math.trunc", args)
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
