"""Plain statements: lines that bind names or an element to arithmetic, return or leave
a loop, and branches and loops of nothing else, in LibCST's form.

They are most lines of a long function. LibCST takes 0.1 ms for one, most of it for
white space, which is not used here. So it gets a name for such lines, and their form is
made from CPython's tree when they are compiled: it lacks white space and brackets, and
numbers are not spelt as in the file. The blocks of branches and loops are `BLOCK`,
whatever they hold.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence, Set
from math import isfinite

import libcst as cst

_MOST = 40
"""An expression with no more parts than this is not deep."""

_LARGEST = 10**15
"""Whole numbers below this bound lead to no diagnostic."""

BLOCK = cst.IndentedBlock(())
"""Stands for any block of plain statements: their forms are made one by one."""

# fmt: off
_OPERATORS: dict[type[ast.operator], cst.BaseBinaryOp] = {
    ast.Add: cst.Add(), ast.Sub: cst.Subtract(),
    ast.Mult: cst.Multiply(), ast.Div: cst.Divide(),
}
_IN_PLACE: dict[type[ast.operator], cst.BaseAugOp] = {
    ast.Add: cst.AddAssign(), ast.Sub: cst.SubtractAssign(),
    ast.Mult: cst.MultiplyAssign(), ast.Div: cst.DivideAssign(),
}
_COMPARISONS: dict[type[ast.cmpop], cst.BaseCompOp] = {
    ast.Lt: cst.LessThan(), ast.LtE: cst.LessThanEqual(), ast.Eq: cst.Equal(),
    ast.Gt: cst.GreaterThan(), ast.GtE: cst.GreaterThanEqual(),
    ast.NotEq: cst.NotEqual(),
}
_UNARY: dict[type[ast.unaryop], cst.BaseUnaryOp] = {
    ast.USub: cst.Minus(), ast.Not: cst.Not(),
}
_BOOLEAN: dict[type[ast.boolop], cst.BaseBooleanOp] = {
    ast.And: cst.And(), ast.Or: cst.Or(),
}
# fmt: on

_TIGHT = re.compile(r"[\d.](?:and|or|if|else|in|not)\b|\b[a-z]+[.]\d")
"""A number and a word without a space between, which LibCST may refuse: `return.5`."""


def runs(
    root: ast.FunctionDef, lines: Sequence[str], borders: Set[int]
) -> Iterator[tuple[int, int, int]]:
    """Runs of plain statements in a function: first line, last line and number of each
    run.

    No run crosses one of the `borders`, which are lines where a run may begin. `try`,
    `with` and `match` hold no runs. Linear.
    """
    blocks: list[Sequence[ast.stmt]] = [root.body]
    plain = _plain_in(root, lines)
    while blocks:
        first = last = count = 0
        for statement in blocks.pop():
            at, is_plain = statement.lineno, statement in plain
            if last and not (is_plain and at == last + 1 and at not in borders):
                yield first, last, count
                first = last = count = 0
            if is_plain and (last or not _is_below_comment(at, lines)):
                first, last = first or at, statement.end_lineno or at
                count += 1
            elif isinstance(statement, ast.FunctionDef):
                blocks.append(statement.body)
            elif isinstance(statement, _COMPOUND):
                blocks += (statement.body, statement.orelse)
        if last:
            yield first, last, count


_COMPOUND = (ast.If, ast.For, ast.While)


def _plain_in(root: ast.FunctionDef, lines: Sequence[str]) -> set[ast.stmt]:
    """The plain statements of a function and of the functions inside it."""
    found: list[ast.stmt] = []
    blocks: list[Sequence[ast.stmt]] = [root.body]
    while blocks:
        for statement in blocks.pop():
            found.append(statement)
            if isinstance(statement, ast.FunctionDef):
                blocks.append(statement.body)
            elif isinstance(statement, _COMPOUND):
                blocks += (statement.body, statement.orelse)
    plain: set[ast.stmt] = set()
    for statement in reversed(found):  # inner ones first
        if isinstance(statement, _COMPOUND):
            is_plain = _is_plain_compound(statement, lines, plain)
        else:
            is_plain = _is_plain(statement, lines)
        if is_plain:
            plain.add(statement)
    return plain


def _is_plain(statement: ast.stmt, lines: Sequence[str]) -> bool:
    """Whether a statement is plain and has its line for itself."""
    if statement.lineno != statement.end_lineno or not _is_small(statement):
        return False
    line, end = lines[statement.lineno - 1], statement.end_col_offset
    return (
        line.isascii()
        and "#" not in line
        and not line[: statement.col_offset].strip()
        and not line[end:].strip()
        and not _TIGHT.search(line)
        and not _is_continued(statement.lineno, lines)
    )


def _is_small(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assign(targets=[target], value=value):
            return _is_target(target) and _is_arithmetic(value)
        case ast.AugAssign(target=ast.Name(), op=op, value=value):
            return type(op) in _IN_PLACE and _is_arithmetic(value)
        case ast.Return(value=found):
            return found is None or _is_arithmetic(found)
    return isinstance(statement, ast.Break | ast.Continue | ast.Pass)


def _is_plain_compound(
    statement: ast.If | ast.For | ast.While, lines: Sequence[str], plain: set[ast.stmt]
) -> bool:
    """Whether a branch or a loop has a plain head and plain statements in its blocks,
    with no lines between. A comment behind it may belong to its end.
    """
    if not plain.issuperset(statement.body) or not plain.issuperset(statement.orelse):
        return False
    after = statement.lineno
    for one in statement.body:
        if one.lineno != after + 1:
            return False
        after = one.end_lineno or after
    if statement.orelse:
        after += 1
        if lines[after - 1].strip() != "else:":
            return False
        for one in statement.orelse:
            if one.lineno != after + 1:
                return False
            after = one.end_lineno or after
    return _has_plain_head(statement, lines) and not _is_above_comment(after, lines)


def _has_plain_head(
    statement: ast.If | ast.For | ast.While, lines: Sequence[str]
) -> bool:
    line = lines[statement.lineno - 1]
    if isinstance(statement, ast.For):
        if not isinstance(statement.target, ast.Name):
            return False
        word, head = f"for {statement.target.id} in ", statement.iter
    else:
        word, head = "if ", statement.test
        if isinstance(statement, ast.While):
            word = "while "
    start, end = statement.col_offset, head.end_col_offset or 0
    return (
        head.lineno == head.end_lineno == statement.lineno
        and line.isascii()
        and "#" not in line
        and not line[:start].strip()
        and line[start : head.col_offset] == word
        and line[end:].rstrip() == ":"
        and not _TIGHT.search(line)
        and not _is_continued(statement.lineno, lines)
        and _is_arithmetic(head)
    )


def _is_target(target: ast.expr) -> bool:
    """Whether it is a name, a tuple of names, or an element of a named array."""
    if isinstance(target, ast.Tuple):
        return {type(one) for one in target.elts} == {ast.Name}
    if isinstance(target, ast.Subscript):
        return type(target.value) is ast.Name and _is_arithmetic(target.slice)
    return type(target) is ast.Name


def _is_continued(at: int, lines: Sequence[str]) -> bool:
    """Whether a line continues the one above, `if x:\\`, and is none of its own."""
    return lines[at - 2].endswith("\\")


def _is_below_comment(at: int, lines: Sequence[str]) -> bool:
    """Whether a comment is the next thing above a line."""
    above = (lines[k].lstrip() for k in range(at - 2, -1, -1))
    return next(filter(None, above), "").startswith("#")


def _is_above_comment(at: int, lines: Sequence[str]) -> bool:
    """Whether a comment is the next thing below a line."""
    below = (lines[k].lstrip() for k in range(at, len(lines)))
    return next(filter(None, below), "").startswith("#")


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
            case ast.UnaryOp(op=op, operand=inner) if type(op) in _UNARY:
                parts.append(inner)
            case ast.Compare(ops=[op], comparators=[inner]) if type(op) in _COMPARISONS:
                parts += (part.left, inner)
            case ast.BoolOp():
                parts += part.values
            case ast.IfExp():
                parts += (part.test, part.body, part.orelse)
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


def form(tree: ast.stmt) -> cst.BaseSmallStatement | cst.BaseCompoundStatement:
    """The form of a plain statement."""
    match tree:
        case ast.Assign(targets=[target], value=value):
            bound = cst.AssignTarget(_target(target))
            return cst.Assign((bound,), _expression(value))
        case ast.AugAssign(target=target, op=op, value=value):
            sign = _IN_PLACE[type(op)]
            return cst.AugAssign(_target(target), sign, _expression(value))
        case ast.Return(value=found):
            return cst.Return(None if found is None else _expression(found))
        case ast.Break():
            return cst.Break()
        case ast.Continue():
            return cst.Continue()
        case ast.If(test=test):
            return cst.If(_expression(test), BLOCK, _otherwise(tree))
        case ast.While(test=test):
            return cst.While(_expression(test), BLOCK, _otherwise(tree))
        case ast.For(target=ast.Name(id=name), iter=over):
            arm = _otherwise(tree)
            return cst.For(cst.Name(name), _expression(over), BLOCK, arm)
    assert isinstance(tree, ast.Pass)
    return cst.Pass()


def _otherwise(tree: ast.If | ast.For | ast.While) -> cst.Else | None:
    return cst.Else(BLOCK) if tree.orelse else None


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
        case ast.UnaryOp(op=op, operand=inner):
            return cst.UnaryOperation(_UNARY[type(op)], _expression(inner))
        case ast.Attribute(value=inner, attr=name):
            return cst.Attribute(_expression(inner), cst.Name(name))
        case ast.Subscript():
            return _element(tree)
        case ast.Call():
            args = [cst.Arg(_expression(arg)) for arg in tree.args]
            return cst.Call(_expression(tree.func), args)
    return _test(tree)


def _test(tree: ast.expr) -> cst.BaseExpression:
    match tree:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            compared = cst.ComparisonTarget(_COMPARISONS[type(op)], _expression(right))
            return cst.Comparison(_expression(left), (compared,))
        case ast.BoolOp(op=sign, values=[first, *others]):
            made = _expression(first)
            for other in others:  # LibCST nests a chain to the left
                both = _expression(other)
                made = cst.BooleanOperation(made, _BOOLEAN[type(sign)], both)
            return made
    assert isinstance(tree, ast.IfExp)
    parts = (tree.test, tree.body, tree.orelse)
    test, body, orelse = map(_expression, parts)
    return cst.IfExp(test=test, body=body, orelse=orelse)
