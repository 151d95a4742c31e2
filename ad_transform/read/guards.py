"""Guards, `if bad: raise ...`, and the assertion that says the same."""

from __future__ import annotations

import ast

_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_LONGEST = 60


def is_guard(tree: ast.If) -> bool:
    """Whether a statement only raises where its test holds."""
    return [type(s) for s in tree.body] == [ast.Raise] and not tree.orelse


def assertion(tree: ast.If) -> str:
    """The assertion that a guard stands for, with its message if that is a text."""
    try:
        text = f"assert {ast.unparse(opposite(tree.test))}"
    except RecursionError:
        return "assert condition, message"
    raised = tree.body[0]
    assert isinstance(raised, ast.Raise)
    match raised.exc:
        case ast.Call(args=[ast.Constant(value=str()) as said]):
            whole = f"{text}, {ast.unparse(said)}"
            return whole if len(whole) <= _LONGEST else f"{text}, ..."
    return text


def opposite(test: ast.expr) -> ast.expr:
    """The condition that holds where a test fails (and no value is NaN)."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return operand
        case ast.Compare(left=left, ops=[op], comparators=rest) if (
            type(op) in _OPPOSITE
        ):
            return ast.Compare(left, [_OPPOSITE[type(op)]()], rest)
        case ast.BoolOp(op=op, values=values):
            other = ast.And() if isinstance(op, ast.Or) else ast.Or()
            return ast.BoolOp(other, [opposite(value) for value in values])
    return ast.UnaryOp(ast.Not(), test)
