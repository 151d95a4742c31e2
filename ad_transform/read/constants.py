"""Module constants: bound once, to an expression of literals and earlier constants.

A name for a function (`sin = math.sin`, `square = lambda x: x * x`) is one, too.

They are evaluated by the rules of IEEE arithmetic alone (`+ - * /`, square roots,
integer powers), so that every machine finds the same value; nothing of the file runs.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from ad_transform.diagnostics import Refusal, Span
from ad_transform.elementals import CONSTANTS
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Container, Literal, Origin
from ad_transform.read.concrete import Concrete, Twin, concrete
from ad_transform.read.expressions import Expressions
from ad_transform.read.machine import Machine
from ad_transform.read.module import Module
from ad_transform.read.names import Binding, Bound
from ad_transform.read.reading import Constant
from ad_transform.read.report import Report
from ad_transform.read.spelling import Rename, lay_out, value_text
from ad_transform.read.statements import is_for_tools
from ad_transform.read.values import (
    Closure,
    Dotted,
    FileFunction,
    Group,
    Number,
    Special,
    Value,
)

_LONGEST = 60
"""Characters of a definition that is copied as text; a longer one becomes a number."""

_COPYABLE = "write it as a number, or compute it inside the function"


def _power(base: Any, exponent: Any) -> Any:
    if type(exponent) is not int or abs(exponent) > 10_000:
        raise ValueError("only whole powers up to 10000")
    return base**exponent


# fmt: off
_FOLDS: dict[str, Callable[..., Any]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul,
    "div": operator.truediv, "floordiv": operator.floordiv, "mod": operator.mod,
    "neg": operator.neg, "pos": operator.pos, "abs": abs, "pow": _power,
    "sqrt": math.sqrt, "float": float, "int": int, "bool": bool,
    "max": max, "min": min,
}
# fmt: on


class Folder(Machine):
    """A machine that computes instead of writing a program down."""

    def __init__(self, module: Module) -> None:
        super().__init__(module, lambda name: Special.REFUSED)

    def apply(self, op: Elemental, args: Sequence[Number], span: Span) -> Value:
        values = [arg.value for arg in args if isinstance(arg, Literal)]
        if op.name not in _FOLDS:
            message = f"{op.name!r} of a constant is not computed here"
            return self.refuse("AD122", message, span, _COPYABLE)
        try:
            result = _FOLDS[op.name](*values)
            fits = isinstance(result, float) or result.bit_length() < 10_000
        except (ArithmeticError, ValueError, TypeError) as error:
            return self.refuse("AD122", f"the constant fails: {error}", span, _COPYABLE)
        if isinstance(result, complex) or not fits:
            return self.refuse("AD122", "the constant is no float", span, _COPYABLE)
        return Literal(result)

    def enter(self, closure: Closure, names: dict[str, Value], span: Span) -> Value:
        message = f"the constant calls {closure.code.name!r}"
        return self.refuse("AD122", message, span, _COPYABLE)


class Constants:
    """Evaluates the constants that something reachable needs, in file order."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.place = {name: at for at, name in enumerate(module.names.bindings)}

    def provide(self, node: ast.stmt) -> None:
        """Make every constant available that a piece of the file may name.

        What is wrong with one (AD122, where it is defined) waits in `module.faults`
        until the constant is used, for the name may be that of a parameter.
        """
        needed: dict[str, Binding] = {}
        queue = [node]
        while queue:
            for name, binding in self.module.named(queue.pop(), Bound.VALUE):
                if name not in needed and name not in self.module.values:
                    needed[name] = binding
                    queue.append(binding.node)
        for name, binding in sorted(needed.items(), key=lambda i: self.place[i[0]]):
            report, self.module.report = self.module.report, Report()
            self.module.values[name] = self._evaluate(name, binding)
            self.module.faults[name] = self.module.report.sorted()
            self.module.report = report

    def _evaluate(self, name: str, binding: Binding) -> Value:
        report, source = self.module.report, self.module.source
        if binding.conditional:
            return Special.REFUSED  # said where it is used
        line = source.lines[binding.span.line - 1]
        if line[: binding.span.column - 1].isspace():
            message = f"{name!r} is defined inside a block"
            report.add("AD122", message, binding.span, "define it at the left margin")
            return Special.REFUSED
        try:
            form = concrete(source, binding.span, binding.node)
        except Refusal as refusal:
            report.extend(refusal.diagnostics)
            return Special.REFUSED
        twin = _defining(form, binding.node, name)
        if twin is None:
            message = f"{name!r} is not defined by a plain assignment"
            report.add("AD122", message, binding.span, f"write `{name} = ...`")
            return Special.REFUSED
        value = evaluated(self.module, form, twin)
        if isinstance(value, Closure | FileFunction | Dotted):
            return value  # `sin = math.sin`, `square = lambda x: x * x`
        if isinstance(value, Group):
            return self._grouped(name, value, binding)
        if not isinstance(value, Literal):
            return self._unfit(name, value, source.span(twin[1]))
        if type(value.value) in (int, float):
            notes = _comments(self.module, binding)
            text = definition_text(self.module, form, twin[0], value)
            self.module.constants[name] = Constant(name, text, notes)
            return Literal(value.value, name, Origin.MODULE)
        return value

    def _grouped(self, name: str, value: Group, binding: Binding) -> Value:
        """A tuple of constants; its items have no name in the output."""
        if value.container is Container.TUPLE and all(map(_is_fixed, value.items)):
            return value
        message = f"{name!r} may change: it is no tuple of numbers"
        self.module.report.add("AD122", message, binding.span, "write a tuple")
        return Special.REFUSED

    def _unfit(self, name: str, value: Value, span: Span) -> Value:
        if value is not Special.REFUSED:
            message = f"{name!r} is no constant"
            self.module.report.add("AD122", message, span, _COPYABLE)
        return Special.REFUSED


def _is_fixed(value: Value) -> bool:
    if isinstance(value, Group):
        is_tuple = value.container is Container.TUPLE
        return is_tuple and all(map(_is_fixed, value.items))
    return isinstance(value, Literal)


def evaluated(module: Module, form: Concrete, twin: Twin) -> Value:
    """The value of a constant expression; REFUSED after a report."""
    return Folder(module).run(Expressions(module, form).compile(*twin))


# --- definitions --------------------------------------------------------------------


def _defining(form: Concrete, tree: ast.stmt, name: str) -> Twin | None:
    """The expression that a statement binds a name to."""
    line = form.body[0]
    assert isinstance(line, cst.SimpleStatementLine)
    node = line.body[0]
    if isinstance(node, cst.AnnAssign) and isinstance(tree, ast.AnnAssign):
        return (node.value, tree.value) if node.value and tree.value else None
    if not isinstance(node, cst.Assign) or not isinstance(tree, ast.Assign):
        return None
    for target in tree.targets:
        found = _matched(target, (form.whole(node.value), tree.value), name)
        if found is not None:
            return found
    return None


def _matched(target: ast.expr, value: Twin, name: str) -> Twin | None:
    """The part of a value that stands at the place of a name in the target."""
    if isinstance(target, ast.Name):
        return value if target.id == name else None
    node, tree = value
    if not isinstance(target, _GROUPS) or not isinstance(tree, _GROUPS):
        return None
    if not isinstance(node, cst.Tuple | cst.List):
        return None
    same = len(target.elts) == len(tree.elts)
    if not same or any(isinstance(e, ast.Starred) for e in (*target.elts, *tree.elts)):
        return None
    for inner, element, item in zip(target.elts, node.elements, tree.elts, strict=True):
        found = _matched(inner, (element.value, item), name)
        if found is not None:
            return found
    return None


_GROUPS = (ast.Tuple, ast.List)


def definition_text(
    module: Module, form: Concrete, node: cst.BaseExpression, value: Literal
) -> str:
    """A definition or default as black writes it, or the number if it cannot be."""

    def rename(name: str) -> str:
        if name in module.constants:
            return name
        qualified = module.names.qualify(name)
        if qualified in CONSTANTS:
            return CONSTANTS[qualified][0] or repr(CONSTANTS[qualified][1])
        return _PRINTED[qualified]

    if not isinstance(node, cst.Tuple):
        node = node.with_changes(lpar=(), rpar=())
    return _copied(form, node, value, rename)


def _copied(
    form: Concrete, node: cst.BaseExpression, value: Literal, rename: Rename
) -> str:
    number = value_text(value.value)
    if form.pieces:
        return number
    try:
        text = lay_out(node, rename)
    except KeyError:
        return number
    return text if len(text) <= _LONGEST else number


_PRINTED = {
    "math.sqrt": "math.sqrt",
    "numpy.sqrt": "math.sqrt",
    "builtins.float": "float",
    "builtins.int": "int",
    "builtins.abs": "abs",
    "builtins.max": "max",
    "builtins.min": "min",
}
"""How functions in definitions are printed."""


def _comments(module: Module, binding: Binding) -> tuple[str, ...]:
    """The comments directly above and behind the definition of a constant."""
    lines, span = module.source.lines, binding.span
    above: list[str] = []
    number = span.line - 1
    if lines[number - 1].startswith("#"):
        floor = _end_of_previous(module, span.line)
        while number > floor and lines[number - 1].startswith("#"):
            above.append(lines[number - 1])
            number -= 1
    behind = lines[span.end_line - 1][span.end_column - 1 :].strip()
    texts = [*reversed(above), *([behind] if behind.startswith("#") else [])]
    stripped = (text.lstrip("#").strip() for text in texts)
    return tuple(text for text in stripped if text and not is_for_tools(text))


def _end_of_previous(module: Module, line: int) -> int:
    """The last line of the statement above a line; comments there are strings."""
    ends = (s.end_lineno or 0 for s in module.source.tree.body if s.lineno < line)
    return max((end for end in ends if end < line), default=0)
