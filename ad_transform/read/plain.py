"""Plain statements, in LibCST's form: lines that bind names or elements to arithmetic.

They are most lines of a long function. LibCST takes 0.1 ms for one, most of it for
white space, which nobody looks at here. So it gets a name for such lines, and their
form is made of CPython's tree when they are compiled: it lacks white space and
brackets, and numbers are not spelt as in the file.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence, Set
from math import isfinite

import libcst as cst

_MOST = 40
"""Parts of an expression, which is not deep then."""

_LARGEST = 10**15
"""Whole numbers that nothing is said of are smaller."""

# fmt: off
_OPERATORS: dict[type[ast.operator], cst.BaseBinaryOp] = {
    ast.Add: cst.Add(), ast.Sub: cst.Subtract(),
    ast.Mult: cst.Multiply(), ast.Div: cst.Divide(),
}
_IN_PLACE: dict[type[ast.operator], cst.BaseAugOp] = {
    ast.Add: cst.AddAssign(), ast.Sub: cst.SubtractAssign(),
    ast.Mult: cst.MultiplyAssign(), ast.Div: cst.DivideAssign(),
}
# fmt: on


def runs(
    root: ast.FunctionDef, lines: Sequence[str], borders: Set[int]
) -> Iterator[tuple[int, int]]:
    """Runs of plain statements in a function: their first lines and their last ones.

    None goes over one of the `borders`, lines on which one may begin. What stands in
    `try`, `with` and `match` is none. Linear.
    """
    blocks: list[Sequence[ast.stmt]] = [root.body]
    while blocks:
        first = last = 0
        for statement in blocks.pop():
            at = statement.lineno
            plain = _is_plain(statement, lines)
            if last and not (plain and at == last + 1 and at not in borders):
                yield first, last
                first = last = 0
            if plain and (last or not _is_below_comment(at, lines)):
                first, last = first or at, at
            if isinstance(statement, ast.FunctionDef):
                blocks.append(statement.body)
            elif isinstance(statement, ast.If | ast.For | ast.While):
                blocks += (statement.body, statement.orelse)
        if last:
            yield first, last


def _is_plain(statement: ast.stmt, lines: Sequence[str]) -> bool:
    """Whether a statement is such a line, and has it for itself."""
    if isinstance(statement, ast.AugAssign):
        fits = type(statement.op) in _IN_PLACE and type(statement.target) is ast.Name
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        fits = _is_target(statement.targets[0])
    else:
        return False
    if not fits:
        return False
    line, end = lines[statement.lineno - 1], statement.end_col_offset
    return (
        statement.lineno == statement.end_lineno
        and line.isascii()
        and "#" not in line
        and not line[: statement.col_offset].strip()
        and not line[end:].strip()
        and _is_arithmetic(statement.value)
    )


def _is_target(target: ast.expr) -> bool:
    """Whether it is a name, an element of what has a name, or several names."""
    if isinstance(target, ast.Tuple):
        return {type(one) for one in target.elts} == {ast.Name}
    if isinstance(target, ast.Subscript):
        return type(target.value) is ast.Name and _is_arithmetic(target.slice)
    return type(target) is ast.Name


def _is_below_comment(at: int, lines: Sequence[str]) -> bool:
    """Whether a comment stands above a line, and nothing between."""
    above = (lines[k].lstrip() for k in range(at - 2, -1, -1))
    return next(filter(None, above), "").startswith("#")


def _is_arithmetic(value: ast.expr) -> bool:
    parts: list[ast.expr] = [value]
    for part in parts:  # grows while it is read
        match part:
            case ast.Name():
                pass
            case ast.Constant(value=number):
                if not _is_short(number):
                    return False
            case ast.BinOp(op=op) if type(op) in _OPERATORS:
                parts += (part.left, part.right)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                parts.append(inner)
            case ast.Attribute(value=inner):
                parts.append(inner)
            case ast.Subscript(value=inner, slice=index):
                parts += (inner, index)
            case ast.Call(keywords=[]):
                parts += (part.func, *part.args)
            case _:
                return False
        if len(parts) > _MOST:
            return False
    return True


def _is_short(number: object) -> bool:
    if type(number) is int:
        return number < _LARGEST
    return type(number) is float and isfinite(number)


def form(tree: ast.stmt) -> cst.Assign | cst.AugAssign:
    """The form of a plain statement."""
    if isinstance(tree, ast.AugAssign):
        bound, operator = _target(tree.target), _IN_PLACE[type(tree.op)]
        return cst.AugAssign(bound, operator, _expression(tree.value))
    assert isinstance(tree, ast.Assign)
    (target,) = tree.targets
    bound = _target(target)
    return cst.Assign((cst.AssignTarget(bound),), _expression(tree.value))


def _target(tree: ast.expr) -> cst.Name | cst.Subscript | cst.Tuple:
    if isinstance(tree, ast.Name):
        return cst.Name(tree.id)
    if isinstance(tree, ast.Subscript):
        return _element(tree)
    assert isinstance(tree, ast.Tuple)
    names = [cst.Element(_target(one)) for one in tree.elts]
    return cst.Tuple(names, lpar=(), rpar=())


def _element(tree: ast.Subscript) -> cst.Subscript:
    place = cst.SubscriptElement(cst.Index(_expression(tree.slice)))
    return cst.Subscript(_expression(tree.value), (place,))


def _expression(tree: ast.expr) -> cst.BaseExpression:
    match tree:
        case ast.Name(id=name):
            return cst.Name(name)
        case ast.BinOp():
            operator = _OPERATORS[type(tree.op)]
            left, right = _expression(tree.left), _expression(tree.right)
            return cst.BinaryOperation(left, operator, right)
        case ast.Constant(value=float() as number):
            return cst.Float(repr(number))
        case ast.Constant(value=number):
            return cst.Integer(repr(number))
        case ast.UnaryOp(operand=inner):
            return cst.UnaryOperation(cst.Minus(), _expression(inner))
        case ast.Attribute(value=inner, attr=name):
            return cst.Attribute(_expression(inner), cst.Name(name))
        case ast.Subscript():
            return _element(tree)
    assert isinstance(tree, ast.Call)
    args = [cst.Arg(_expression(arg)) for arg in tree.args]
    return cst.Call(_expression(tree.func), args)
