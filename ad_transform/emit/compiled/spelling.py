"""Spellings of rows as parts of text, with slots for operands.

Rows spell their operations as expressions in Python. Those hold for compiled languages
too, with the operators and functions that a dialect names. Where such a language means
something else by them, a row has a spelling of its own: under COMPILED, for whole
numbers under WHOLE.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from ad_transform.dataclass import dataclass
from ad_transform.ir.elemental import COMPILED, PYTHON, WHOLE, Elemental

# How tightly an expression binds; an operand that binds less than its slot is put in
# parentheses.
TERNARY, OR, AND, COMPARE, SUM, TERM, UNARY, POWER, ATOM = range(9)


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of an operand: its number, and its least tightness."""

    arg: int
    least: int


Part = str | Slot


@dataclass(frozen=True, slots=True)
class Spelling:
    """A compiled spelling for a fixed number of operands.

    tightness  how tightly the whole binds
    parts      texts and slots in order
    uses       how often each operand is evaluated, as `Piece` has it
    """

    tightness: int
    parts: tuple[Part, ...]
    uses: tuple[int, ...]


Binary = Mapping[type[ast.operator], tuple[str, int, int, int]]


@dataclass(frozen=True, slots=True, eq=False)
class Dialect:
    """The operators and functions of a language.

    binary       by operator: its sign, how tightly it binds, and how tightly its
                 operands on the left and on the right have to
    comparisons  signs
    connectives  the signs of `and`, `or`, `not`
    minus        how tightly a sign binds, and how tightly its operand has to
    functions    the names of functions: "math.sin", "abs", "float" (a conversion)
    conditional  how tightly a choice binds, and its parts: texts, and "test", "then"
                 and "orelse"
    prefix       of the helpers that the file holds
    helpers      their names, without the prefix
    number       a number as text
    several      the texts around any number of them
    """

    binary: Binary
    comparisons: Mapping[type[ast.cmpop], str]
    connectives: tuple[str, str, str]
    minus: tuple[int, int]
    functions: Mapping[str, str]
    conditional: tuple[int, tuple[str, ...]]
    prefix: str
    helpers: frozenset[str]
    number: Callable[[float | int], str]
    several: tuple[str, str]


def _length(x: list[str]) -> str:
    """The length of a vector; of many numbers as Python computes it, with about one
    rounding.
    """
    return f"math.hypot({', '.join(x)})" if len(x) == 2 else _norm(x)


def _norm(x: list[str]) -> str:
    return f"_norm([{', '.join(x)}])" if len(x) > 1 else f"abs({x[0]})"


# fmt: off
_VARIADIC: Mapping[str, Callable[[list[str]], str]] = {
    "hypot":    _length,
    "dist":     lambda x: _distance(x[: len(x) // 2], x[len(x) // 2 :]),
    "sum":      " + ".join,
    "sum_from": " + ".join,
    "sumprod":  lambda x: _exact_sum(x[: len(x) // 2], x[len(x) // 2 :]),
    "both":     " and ".join,
    "either":   " or ".join,
}
# fmt: on
"""Spellings of rows that take any number of operands, or are spelled otherwise than in
Python, by the names of the operands."""


def _distance(p: list[str], q: list[str]) -> str:
    return _norm([f"{x} - {y}" for x, y in zip(p, q, strict=True)])


def _exact_sum(p: list[str], q: list[str]) -> str:
    """The exact sum of products and of their rounding errors; that of an infinite
    product counts as 0.
    """
    pairs = [
        f"{x} * {y}, "
        f"math.fma({x}, {y}, -({x} * {y})) if math.isfinite({x} * {y}) else 0.0"
        for x, y in zip(p, q, strict=True)
    ]
    return f"_fsum(0.0, [{', '.join(pairs)}])"


@cache
def spelled(dialect: Dialect, op: Elemental, count: int, whole: bool) -> Spelling:
    """The spelling of an elemental of numbers; `whole` if these are whole numbers.

    Raises KeyError where the language has no words for it.
    """
    if op.name in _VARIADIC:
        names = [f"x{k}" for k in range(count)]
        operands = {name: k for k, name in enumerate(names)}
        return _compiled(dialect, _VARIADIC[op.name](names), operands, count)
    wanted = (WHOLE, COMPILED, PYTHON) if whole else (COMPILED, PYTHON)
    text = next(op.spellings[key] for key in wanted if key in op.spellings)
    if op.variadic and text.startswith("_"):
        return _packed(dialect, text, op, count)
    if op.parameters[0].startswith("*"):
        raise KeyError(op.name)
    operands = {name: k for k, name in enumerate(op.parameters)}
    return _compiled(dialect, text, operands, count)


def _packed(dialect: Dialect, text: str, op: Elemental, count: int) -> Spelling:
    """The call of a helper that is given groups of numbers, `_total(terms)`."""
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
    name = call.func.id[1:]
    if name not in dialect.helpers:
        raise KeyError(name)
    places = op.bind(tuple(range(count)))
    parts: list[Part] = [f"{dialect.prefix}{name}("]
    for arg in call.args:
        parts.append(", " if len(parts) > 1 else "")
        if isinstance(arg, ast.Constant):
            assert isinstance(arg.value, int | float)
            parts.append(dialect.number(arg.value))
            continue
        group = places[ast.unparse(arg)]
        if isinstance(group, int):
            parts.append(Slot(group, TERNARY))
            continue
        parts.append(dialect.several[0].format(len(group)))
        parts += [*in_commas(group), dialect.several[1]]
    return Spelling(ATOM, merged([*parts, ")"]), (1,) * count)


def in_commas(places: Iterable[int]) -> list[Part]:
    """Operands between commas: `x, y`."""
    return [part for k in places for part in (", ", Slot(k, TERNARY))][1:]


def text_of_tree(dialect: Dialect, tree: ast.expr, least: int) -> str:
    """The text of an expression whose names stand for themselves."""
    compiler = _Compiler(dialect, {})
    compiler.visit(tree, least)
    return "".join(part for part in compiler.parts if isinstance(part, str))


def _compiled(
    dialect: Dialect, text: str, operands: Mapping[str, int], count: int
) -> Spelling:
    compiler = _Compiler(dialect, operands)
    tightness = compiler.visit(ast.parse(text, mode="eval").body, TERNARY)
    uses = tuple(
        1 if compiler.seen.count(k) == 1 and k not in compiler.lazy else 2
        for k in range(count)
    )
    return Spelling(tightness, merged(compiler.parts), uses)


class _Compiler:
    """Walks one spelling; these are ours and shallow, so recursion is fine."""

    def __init__(self, dialect: Dialect, operands: Mapping[str, int]) -> None:
        self.dialect = dialect
        self.operands = operands
        self.parts: list[Part] = []
        self.seen: list[int] = []
        self.lazy: set[int] = set()

    def visit(self, node: ast.expr, least: int) -> int:
        """Append the parts of a node in a place of some tightness; the node's own
        tightness.
        """
        if isinstance(node, ast.Name) and node.id in self.operands:
            arg = self.operands[node.id]
            self.parts.append(Slot(arg, least))
            self.seen.append(arg)
            return ATOM
        start = len(self.parts)
        tightness = self._operation(node)
        if tightness < least:
            self.parts.insert(start, "(")
            self.parts.append(")")
        return tightness

    def sometimes(self, node: ast.expr, least: int) -> int:
        """Append the parts of a node that may not be evaluated; its tightness."""
        start = len(self.seen)
        tightness = self.visit(node, least)
        self.lazy.update(self.seen[start:])
        return tightness

    def _operation(self, node: ast.expr) -> int:
        dialect = self.dialect
        match node:
            case ast.BinOp(op=ast.Pow(), left=x, right=y) if (
                ast.Pow not in dialect.binary
            ):
                return self._called("math.pow", [x, y])
            case ast.BinOp(left=left, op=operator, right=right):
                sign, tight, before, behind = dialect.binary[type(operator)]
                self.visit(left, before)
                self.parts.append(sign)
                self.visit(right, behind)
                return tight
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.parts.append(dialect.connectives[2])
                self.visit(operand, ATOM)
                return UNARY
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.visit(operand, ATOM)
            case ast.UnaryOp(operand=operand):
                tight, inner = dialect.minus
                self.parts.append("-")
                self.visit(operand, inner)
                return tight
            case ast.Compare(left=left, ops=[operation], comparators=[right]):
                self.visit(left, SUM)
                self.parts.append(dialect.comparisons[type(operation)])
                self.visit(right, SUM)
                return COMPARE
            case ast.BoolOp(op=connective, values=[left, right]):
                conjunction = isinstance(connective, ast.And)
                self.visit(left, COMPARE)
                self.parts.append(dialect.connectives[0 if conjunction else 1])
                self.sometimes(right, COMPARE)
                return AND if conjunction else OR
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._conditional(test, body, orelse)
            case ast.Name(id=name):
                self.parts.append(name)
                return ATOM
            case ast.Constant(value=int() | float() as value):
                self.parts.append(dialect.number(value))
                return ATOM
            case ast.List(elts=items):
                return self._listed(items)
            case ast.Call(func=func, args=args):
                return self._called(ast.unparse(func), args)
        raise KeyError(ast.unparse(node))

    def _conditional(self, test: ast.expr, body: ast.expr, orelse: ast.expr) -> int:
        tightness, parts = self.dialect.conditional
        operands = {"test": test, "then": body, "orelse": orelse}
        for part in parts:
            if part in operands:
                least = TERNARY if part == "orelse" or tightness else OR
                visit = self.visit if part == "test" else self.sometimes
                visit(operands[part], least)
            else:
                self.parts.append(part)
        return tightness

    def _listed(self, items: list[ast.expr]) -> int:
        before, behind = self.dialect.several
        self.parts.append(before.format(len(items)))
        for k, item in enumerate(items):
            self.parts.extend([", "] if k else [])
            self.visit(item, TERNARY)
        self.parts.append(behind)
        return ATOM

    def _called(self, name: str, args: list[ast.expr]) -> int:
        dialect = self.dialect
        if name.startswith("_"):
            if name[1:] not in dialect.helpers:
                raise KeyError(name)
            text = f"{dialect.prefix}{name[1:]}("
        else:
            text = dialect.functions[name]
        head, _, tail = text.partition("|")
        is_cast = head.endswith(")")  # (double)x
        self.parts.append(head)
        for k, arg in enumerate(args):
            self.parts.extend([", "] if k else [])
            self.visit(arg, ATOM if is_cast else TERNARY)
        self.parts.append(tail or ("" if is_cast else ")"))
        return UNARY if is_cast else ATOM


def merged(parts: list[Part]) -> tuple[Part, ...]:
    """The parts with neighbouring texts joined."""
    found: list[Part] = []
    for part in parts:
        if isinstance(part, str) and found and isinstance(found[-1], str):
            found[-1] += part
        else:
            found.append(part)
    return tuple(part for part in found if part != "")
