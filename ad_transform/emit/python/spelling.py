"""Spellings compiled: from the text of a row to pieces of text with slots for operands.

A slot knows which operands may stand in it without parentheses. Parentheses are the
fewest that Python needs, and those that black adds (`-(x**2)`) or a careful reader
wants (`x ** (y**z)`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from functools import cache

from ad_transform.dataclass import dataclass
from ad_transform.ir.elemental import PYTHON, Elemental

# How tightly an expression binds; an operand that binds less than its slot is put in
# parentheses.
TERNARY, OR, AND, NOT, COMPARE = range(5)
BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, TERM, FACTOR, POWER, ATOM = range(5, 14)


def _at_least(least: int) -> int:
    return sum(1 << k for k in range(least, ATOM + 1))


_ANY = _at_least(TERNARY)
_UNARY = _at_least(FACTOR) & ~(1 << POWER)  # black writes -(x**2)


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of one operand: its number, and a bit for each class that fits bare."""

    arg: int
    bare: int


@dataclass(frozen=True, slots=True)
class Reference:
    """A function or constant: "math.sin", "builtins.abs", "helpers._digamma"."""

    qualified: str


@dataclass(frozen=True, slots=True)
class Colon:
    """A colon of a slice, in two spellings: between names and numbers, and as black
    writes it if one of the slice's operands is an expression.
    """

    bounds: tuple[int, ...]
    loose: str


Part = str | Slot | Reference | Colon


@dataclass(frozen=True, slots=True)
class Spelling:
    """A compiled spelling for a fixed number of operands.

    tightness   the class of the whole
    parts       texts, slots, colons and references in order
    uses        how often each operand is evaluated, as far as one may tell: 2 stands
                for several times or perhaps not at all
    power       whether it is `x ** y`, whose blanks depend on the operands
    """

    tightness: int
    parts: tuple[Part, ...]
    uses: tuple[int, ...]
    power: bool = False

    @property
    def is_call(self) -> bool:
        return self.tightness == ATOM and isinstance(self.parts[0], Reference)


# sign, class, classes that may stand bare to the left and to the right
_BINARY: dict[type[ast.AST], tuple[str, int, int, int]] = {
    ast.BitOr: (" | ", BIT_OR, _at_least(BIT_OR), _at_least(BIT_XOR)),
    ast.BitXor: (" ^ ", BIT_XOR, _at_least(BIT_XOR), _at_least(BIT_AND)),
    ast.BitAnd: (" & ", BIT_AND, _at_least(BIT_AND), _at_least(SHIFT)),
    ast.LShift: (" << ", SHIFT, _at_least(SHIFT), _at_least(SUM)),
    ast.RShift: (" >> ", SHIFT, _at_least(SHIFT), _at_least(SUM)),
    ast.Add: (" + ", SUM, _at_least(SUM), _at_least(TERM)),
    ast.Sub: (" - ", SUM, _at_least(SUM), _at_least(TERM)),
    ast.Mult: (" * ", TERM, _at_least(TERM), _at_least(FACTOR)),
    ast.Div: (" / ", TERM, _at_least(TERM), _at_least(FACTOR)),
    ast.FloorDiv: (" // ", TERM, _at_least(TERM), _at_least(FACTOR)),
    ast.Mod: (" % ", TERM, _at_least(TERM), _at_least(FACTOR)),
    ast.Pow: (" ** ", POWER, _at_least(ATOM), _UNARY),
    ast.MatMult: (" @ ", TERM, _at_least(TERM), _at_least(FACTOR)),
}
_COMPARISONS: dict[type[ast.AST], str] = {
    ast.Lt: " < ",
    ast.LtE: " <= ",
    ast.Gt: " > ",
    ast.GtE: " >= ",
    ast.Eq: " == ",
    ast.NotEq: " != ",
    ast.Is: " is ",
    ast.IsNot: " is not ",
    ast.In: " in ",
    ast.NotIn: " not in ",
}
_BOOLEAN: dict[type[ast.AST], tuple[str, int]] = {
    ast.And: (" and ", AND),
    ast.Or: (" or ", OR),
}
_UNARY_SIGNS: dict[type[ast.AST], tuple[str, int, int]] = {
    ast.USub: ("-", FACTOR, _UNARY),
    ast.UAdd: ("+", FACTOR, _UNARY),
    ast.Not: ("not ", NOT, _at_least(NOT)),
}


Operands = Mapping[str, tuple[int, ...]]


class _Compiler:
    """Walks one spelling; templates are ours and shallow, so recursion is fine."""

    def __init__(self, operands: Operands, starred: set[str]) -> None:
        self.operands = operands
        self.starred = starred
        self.parts: list[Part] = []
        self.seen: list[int] = []
        self.lazy: set[int] = set()

    def statement(self, root: ast.stmt) -> ast.AST:
        """Append the parts of a whole spelling; the expression that it is, if any."""
        match root:
            case ast.Expr(value=value):
                self.visit(value, _ANY)
                return value
            case ast.Assign(
                targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)
            ):
                self._listed("", targets, " = ")
                self._listed("", values, "")
                return root
            case ast.Assign(targets=[target], value=value):
                self.visit(target, _ANY)
                self.parts.append(" = ")
            case ast.AugAssign(target=target, op=operator, value=value):
                self.visit(target, _ANY)
                sign, *_ = _BINARY[type(operator)]
                self.parts.append(f" {sign.strip()}= ")
            case _:
                raise ValueError(f"not a spelling: {ast.unparse(root)}")
        self.visit(value, _ANY)
        return root

    def visit(self, node: ast.expr, bare: int) -> None:
        """Append the parts of `node`, which stands where the classes in `bare` fit."""
        tightness = _tightness(node)
        enclosed = not bare >> tightness & 1
        if enclosed:
            self.parts.append("(")
        if isinstance(node, ast.Name) and node.id in self.operands:
            self._operand(node.id, bare)
        elif tightness < ATOM:
            self._operation(node)
        else:
            self._primary(node)
        if enclosed:
            self.parts.append(")")

    def sometimes(self, node: ast.expr, bare: int) -> None:
        """Append the parts of a node that may not be evaluated."""
        start = len(self.seen)
        self.visit(node, bare)
        self.lazy.update(self.seen[start:])

    def _operation(self, node: ast.expr) -> None:
        match node:
            case ast.UnaryOp(op=op, operand=operand):
                sign, _, fits = _UNARY_SIGNS[type(op)]
                self.parts.append(sign)
                self.visit(operand, fits)
            case ast.BinOp(left=left, op=operator, right=right):
                sign, _, before, behind = _BINARY[type(operator)]
                self.visit(left, before)
                self.parts.append(sign)
                self.visit(right, behind)
            case ast.Compare(
                left=left, ops=[operation, *rest], comparators=[right, *more]
            ):
                self.visit(left, _at_least(SUM))
                self.parts.append(_COMPARISONS[type(operation)])
                self.visit(right, _at_least(SUM))
                for operation, right in zip(rest, more, strict=True):
                    self.parts.append(_COMPARISONS[type(operation)])
                    self.sometimes(right, _at_least(SUM))
            case ast.BoolOp(op=connective, values=values):
                sign, tight = _BOOLEAN[type(connective)]
                first, *others = values
                self.visit(first, _at_least(tight))
                for value in others:
                    self.parts.append(sign)
                    self.sometimes(value, _at_least(tight + 1))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.sometimes(body, _at_least(OR))
                self.parts.append(" if ")
                self.visit(test, _at_least(OR))
                self.parts.append(" else ")
                self.sometimes(orelse, _at_least(TERNARY))
            case _:
                raise ValueError(f"not a spelling: {ast.unparse(node)}")

    def _primary(self, node: ast.expr) -> None:
        match node:
            case ast.Name(id=name):
                space = "helpers" if name.startswith("_") else "builtins"
                self.parts.append(Reference(f"{space}.{name}"))
            case ast.Attribute(value=ast.Name(id="math" | "np" as module), attr=attr):
                self.parts.append(Reference(f"{_MODULES.get(module, module)}.{attr}"))
            case ast.Attribute(value=value, attr=attr):
                self.visit(value, _at_least(ATOM))
                self.parts.append(f".{attr}")
            case ast.Constant(value=value):
                text = f'"{value}"' if isinstance(value, str) else repr(value)
                self.parts.append(text)
            case ast.Call(func=func, args=args, keywords=keywords):
                self.visit(func, _at_least(ATOM))
                self._listed("(", args, "" if keywords else ")")
                for k, keyword in enumerate(keywords):
                    comma = ", " if args or k else ""
                    self._keyword(f"{comma}{keyword.arg}=", keyword.value)
                self.parts += [")"] if keywords else []
            case ast.Tuple(elts=elts):
                self._listed("(", elts, ")")
            case ast.List(elts=elts):
                self._listed("[", elts, "]")
            case ast.Set(elts=elts):
                self._listed("{", elts, "}")
            case ast.Dict(keys=keys, values=values):
                self._entries(zip(keys, values, strict=True))
            case ast.Subscript(value=value, slice=index):
                self.visit(value, _at_least(ATOM))
                self._indices(index)
            case _:
                raise ValueError(f"not a spelling: {ast.unparse(node)}")

    def _keyword(self, head: str, value: ast.expr) -> None:
        """An argument by name: a type, or a value as it is spelled."""
        self.parts.append(head)
        if isinstance(value, ast.Name):
            self.parts.append(Reference(f"builtins.{value.id}"))
        else:
            self.parts.append(_said(value))

    def _operand(self, name: str, bare: int) -> None:
        if name in self.starred:
            self._tuple(self.operands[name])
        else:
            self._slot(self.operands[name][0], bare)

    def _slot(self, arg: int, bare: int) -> None:
        self.parts.append(Slot(arg, bare))
        self.seen.append(arg)

    def _tuple(self, args: tuple[int, ...]) -> None:
        self.parts.append("(")
        self._spread(args)
        self.parts.append(",)" if len(args) == 1 else ")")

    def _spread(self, args: tuple[int, ...]) -> None:
        for k, arg in enumerate(args):
            self.parts.extend([", "] if k else [])
            self._slot(arg, _ANY)

    def _listed(self, opening: str, nodes: list[ast.expr], closing: str) -> None:
        self.parts.append(opening)
        for k, node in enumerate(nodes):
            self.parts.extend([", "] if k else [])
            match node:
                case ast.Starred(value=ast.Name(id=name)) if name in self.starred:
                    self._spread(self.operands[name])
                case ast.Starred(value=value):
                    self.parts.append("*")
                    self.visit(value, _at_least(ATOM))
                case ast.Name(id=name) if name in self.starred and opening == "[":
                    self._spread(self.operands[name])
                case _:
                    self.visit(node, _ANY)
        self.parts.append(closing)

    def _entries(self, pairs: Iterable[tuple[ast.expr | None, ast.expr]]) -> None:
        """The keys and values of a dict."""
        for k, (key, value) in enumerate(pairs):
            assert key is not None
            self.parts.append(", " if k else "{")
            self.visit(key, _ANY)
            self.parts.append(": ")
            self.visit(value, _ANY)
        self.parts.append("}")

    def _indices(self, index: ast.expr) -> None:
        if isinstance(index, ast.Name) and index.id in self.starred:
            for arg in self.operands[index.id]:
                self.parts.append("[")
                self._slot(arg, _ANY)
                self.parts.append("]")
            return
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        self.parts.append("[")
        for k, part in enumerate(parts):
            self.parts.extend([", "] if k else [])
            self._index(part)
        self.parts.append("]")

    def _index(self, node: ast.expr) -> None:
        if not isinstance(node, ast.Slice):
            self.visit(node, _ANY)
            return
        bounds = [node.lower, node.upper, *([node.step] if node.step else [])]
        args = tuple(
            self.operands[n.id][0]
            for n in ast.walk(node)
            if isinstance(n, ast.Name) and n.id in self.operands
        )
        for k, bound in enumerate(bounds):
            if k:
                before = " " if bounds[k - 1] else ""
                self.parts.append(Colon(args, f"{before}:{' ' if bound else ''}"))
            if bound is not None:
                self.visit(bound, _ANY)


_MODULES = {"np": "numpy"}
_TIGHTNESS: dict[type[ast.AST], int] = {ast.IfExp: TERNARY, ast.Compare: COMPARE}


def _tightness(node: ast.expr) -> int:
    match node:
        case ast.BinOp(op=operator):
            return _BINARY[type(operator)][1]
        case ast.UnaryOp(op=op):
            return _UNARY_SIGNS[type(op)][1]
        case ast.BoolOp(op=connective):
            return _BOOLEAN[type(connective)][1]
        case ast.Constant(value=value) if isinstance(value, int | float) and value < 0:
            return FACTOR
    return _TIGHTNESS.get(type(node), ATOM)


def compiled(text: str, operands: Operands, starred: set[str]) -> Spelling:
    """The spelling of a text in the names of operands, some of which are `*starred`."""
    compiler = _Compiler(operands, starred)
    root = compiler.statement(ast.parse(text).body[0])
    uses = tuple(
        1 if compiler.seen.count(arg) == 1 and arg not in compiler.lazy else 2
        for args in operands.values()
        for arg in args
    )
    power = isinstance(root, ast.BinOp) and isinstance(root.op, ast.Pow)
    tightness = _tightness(root) if isinstance(root, ast.expr) else TERNARY
    return Spelling(tightness, _merged(compiler.parts), uses, power)


@cache
def spelled(op: Elemental, count: int) -> Spelling:
    """The spelling of an elemental applied to `count` operands."""
    starred = {p[1:] for p in op.parameters if p.startswith("*")}
    return compiled(op.spelling(PYTHON), operands_of(op, count), starred)


def operands_of(op: Elemental, count: int) -> dict[str, tuple[int, ...]]:
    """The places of `count` operands by the parameters of an elemental."""
    bound = op.bind(tuple(range(count)))
    return {k: v if isinstance(v, tuple) else (v,) for k, v in bound.items()}


def calling(name: str, count: int) -> Spelling:
    """The spelling of a call of a function of the file with so many arguments."""
    parts: list[Part] = [f"{name}("]
    for k in range(count):
        parts += [", ", Slot(k, _ANY)] if k else [Slot(k, _ANY)]
    return Spelling(ATOM, _merged([*parts, ")"]), (1,) * count)


def _merged(parts: list[Part]) -> tuple[Part, ...]:
    """The parts with neighbouring texts joined."""
    merged: list[Part] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        else:
            merged.append(part)
    return tuple(merged)


_ARMS: Operands = {"then": (0,), "test": (1,), "orelse": (2,)}
CONDITIONAL = compiled("then if test else orelse", _ARMS, set())
"""Operands: then, test, orelse."""

CONJUNCTION = compiled("test and then", {"test": (0,), "then": (1,)}, set())
DISJUNCTION = compiled("test or orelse", {"test": (0,), "orelse": (1,)}, set())
CHAINS = {
    (one, other): compiled(
        f"low {one} middle {other} high",
        {"low": (0,), "middle": (1,), "high": (2,)},
        set(),
    )
    for one in ("<", "<=")
    for other in ("<", "<=")
}
"""Two comparisons at once, by their signs."""

_LISTED = {"array": (0,), "value": (1,)}
PRESENT = compiled("value in array", _LISTED, set())
_BESIDE = {"array": (0,), "other": (1,), "value": (2,), "second": (3,)}
PRESENT_BESIDE = compiled("(value, second) in zip(array, other)", _BESIDE, set())
_AMONG = {**_LISTED, "other": (1,), "third": (2,), "value": (3,), "second": (4,)}
PRESENT_AMONG = compiled(
    "(value, second, last) in zip(array, other, third)", {**_AMONG, "last": (5,)}, set()
)
_PAIR = {"array": (0,), "value": (1,), "second": (2,)}
PRESENT_AS_PAIR = compiled("(value, second) in array", _PAIR, set())
PRESENT_AS_THREE = compiled(
    "(value, second, last) in array", {**_PAIR, "last": (3,)}, set()
)


def _said(value: ast.expr) -> str:
    """The argument of a keyword; texts as black writes them."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return f'"{value.value}"'
    return ast.unparse(value)
