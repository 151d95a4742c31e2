"""Operations counted in generated text, by the classes of CONTRACT.md, rule 25.

Independent of the IR: what a reader would count. A negative literal is no negation, a
call of numpy that makes an array is none of the operations.
"""

from __future__ import annotations

import ast
from collections import Counter

from ad_transform.ir.count import Counts

_BINARY = {
    ast.Add: "add",
    ast.Sub: "add",
    ast.Mult: "mul",
    ast.MatMult: "mul",
    ast.Div: "div",
    ast.FloorDiv: "div",
    ast.Mod: "div",
    ast.Pow: "pow",
    ast.BitAnd: "select",
    ast.BitOr: "select",
    ast.BitXor: "select",
    ast.LShift: "select",
    ast.RShift: "select",
}
_ARRAYS = {"np.array", "numpy.array", "np.zeros", "numpy.zeros"}
_LISTS = {"range", "reversed", "zip"}


_METHODS = frozenset({"append", "pop", "copy", "reverse"})


def counts_of(text: str, name: str) -> Counts:
    """The operations in the function `name` of a generated module."""
    tree = ast.parse(text)
    (function,) = (
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name == name
    )
    tally: Counter[str] = Counter()
    for statement in map(_Guards().visit, function.body):
        for node in ast.walk(statement):
            tally.update(_classes(node))
    return Counts(**tally)


class _Guards(ast.NodeTransformer):
    """`if bad: raise Error(...)` is read as `assert not bad`, not twice not, and what
    has `else: raise Error(...)` as `assert good` in front of it.
    """

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        guards = isinstance(node.body[0], ast.Raise)
        ends = [type(line) for line in node.orelse] == [ast.Raise]
        self.generic_visit(node)
        if ends:
            return [ast.Assert(node.test), *node.body]
        if not guards:
            return node
        test = node.test
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return ast.Assert(test.operand)
        if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotEq):
            return ast.Assert(test)  # `a != b` is not `a == b`
        return ast.Assert(ast.UnaryOp(ast.Not(), test))

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        return ast.Pass()


def _classes(node: ast.AST) -> list[str]:
    match node:
        case ast.BinOp(left=ast.List()):
            return []  # a list is made
        case ast.AugAssign(target=ast.Subscript(), op=operator):
            return [_BINARY[type(operator)]]
        case ast.BinOp(op=operator):
            return [_BINARY[type(operator)]]
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant() | ast.Name(id="inf")):
            return []
        case ast.UnaryOp(op=ast.USub()):
            return ["neg"]
        case ast.UnaryOp(op=ast.Not()) | ast.IfExp():
            return ["select"]
        case ast.Compare(ops=operations):
            return ["select"] * (2 * len(operations) - 1)  # `a < b < c` is an `and`
        case ast.BoolOp(values=values):
            return ["select"] * (len(values) - 1)
        case ast.If(orelse=[ast.Break()]):
            return []  # the end of a loop
        case ast.If():
            return ["select"]
        case ast.Call(func=function):
            called = ast.unparse(function)
            method = isinstance(function, ast.Attribute) and function.attr in _METHODS
            return [] if called in _ARRAYS | _LISTS or method else ["call"]
    return []
