"""From LibCST's expressions to postfix code.

No recursion over operands: an expression is expanded from a list of what is still to be
done. Only bodies of their own (lambdas, the lazy part of `and`) are compiled inside one
another, and their nesting is limited.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.code import (
    Attribute,
    Body,
    Call,
    Code,
    Compare,
    Cut,
    Define,
    Instruction,
    Item,
    Keep,
    Lazy,
    Load,
    Operate,
    Pack,
    Push,
)
from ad_transform.read.concrete import Concrete
from ad_transform.read.fence import EXPRESSIONS, OPERATORS, UNKNOWN, Refused
from ad_transform.read.module import Module, in_library
from ad_transform.read.signature import formals_of
from ad_transform.read.source import DEEP
from ad_transform.read.spelling import identifier
from ad_transform.read.values import Dotted, Special, Value

Step = cst.BaseExpression | Instruction
Steps = Sequence[Step]

_NESTING = 50
"""Bodies inside bodies; the machine recurses as deep."""

_BITS = 10_000
"""Longest int; Python itself does not print more than 4300 digits."""

# fmt: off
BINARY: dict[str, str] = {
    "Add": "add", "Subtract": "sub", "Multiply": "mul", "Divide": "div",
    "FloorDivide": "floordiv", "Modulo": "mod", "Power": "pow",
}
_SINGLETONS: dict[str, Value] = {
    "True": Literal(True), "False": Literal(False), "None": Special.NONE,
}
_UNARY: dict[str, str] = {"Minus": "neg", "Plus": "pos", "Not": "not"}
_COMPARISONS: dict[str, str] = {
    "LessThan": "lt", "LessThanEqual": "le", "GreaterThan": "gt",
    "GreaterThanEqual": "ge", "Equal": "eq", "NotEqual": "ne",
}
# fmt: on


class Expressions:
    """Compiles the expressions of one statement of the module.

    `scopes` are the local names of the functions around, innermost last; `places` gives
    those of every function and lambda by where it stands.
    """

    def __init__(
        self,
        module: Module,
        concrete: Concrete,
        places: dict[tuple[int, int], frozenset[str]],
    ) -> None:
        self.module = module
        self.concrete = concrete
        self.places = places
        self.scopes: list[frozenset[str]] = []
        self.nesting = 0
        self.lazy = 0

    def span(self, node: cst.CSTNode) -> Span:
        """Where a node stands."""
        return self.concrete.span(node)

    def compile(self, node: cst.BaseExpression) -> Body:
        """The code of an expression, which leaves one value on the stack."""
        done: list[Instruction] = []
        todo: list[Step] = [node]
        while todo:
            step = todo.pop()
            if isinstance(step, cst.BaseExpression):
                todo.extend(reversed(self._expand(self.concrete.whole(step))))
            else:
                done.append(step)
        return tuple(done)

    def inner(self, make: Callable[[], Body], node: cst.CSTNode) -> Body:
        """The code of a body inside this one; refused where nested too deeply."""
        if self.nesting >= _NESTING:
            self.refuse(Refused("AD004", DEEP.message, DEEP.help), node)
            return (Push(Special.REFUSED),)
        self.nesting += 1
        try:
            return make()
        finally:
            self.nesting -= 1

    def refuse(self, row: Refused, node: cst.CSTNode) -> Steps:
        """Report a row of the fence; what it leaves is known to be refused."""
        self.report(row, self.span(node))
        return (Push(Special.REFUSED),)

    def report(self, row: Refused, span: Span) -> None:
        """Report a row of the fence at a place."""
        self.module.report.add(row.code, row.message, span, row.help)

    def complain(self, code: str, message: str, node: cst.CSTNode, help_: str) -> Steps:
        """Report something that stands in no table."""
        return self.refuse(Refused(code, message, help_), node)

    def is_builtin(self, node: cst.BaseExpression, name: str) -> bool:
        """Whether a callee is a builtin, not something else of that name."""
        if not isinstance(node, cst.Name) or node.value != name:
            return False
        if any(name in scope for scope in self.scopes):
            return False
        return self.module.is_builtin(name)

    # --- expansion ------------------------------------------------------------------

    def _expand(self, node: cst.BaseExpression) -> Steps:
        name = type(node).__name__
        if name in EXPRESSIONS:
            return self._refused(node)
        handler = _EXPAND.get(name)
        return handler(self, node) if handler else self.refuse(UNKNOWN, node)

    def _refused(self, node: cst.BaseExpression) -> Steps:
        if isinstance(node, cst.IfExp):  # what is wrong inside is worth saying too
            for part in (node.test, node.body, node.orelse):
                self.compile(part)
        return self.refuse(EXPRESSIONS[type(node).__name__], node)

    def name(self, node: cst.Name) -> Steps:
        name = identifier(node)
        if name in _SINGLETONS:
            return (Push(_SINGLETONS[name]),)
        for up, scope in enumerate(reversed(self.scopes)):
            if name in scope:
                return (Load(name, up, self.span(node)),)
        return (Push(self.module.resolve(name, self.span(node))),)

    def integer(self, node: cst.Integer) -> Steps:
        value = int(node.value.replace("_", ""), 0)
        if value.bit_length() > _BITS:
            help_ = "write it as a float"
            return self.complain("AD102", "the number is too long", node, help_)
        return (Push(Literal(value)),)

    def float(self, node: cst.Float) -> Steps:
        return (Push(Literal(float(node.value.replace("_", "")))),)

    def string(self, node: cst.SimpleString | cst.ConcatenatedString) -> Steps:
        value = node.evaluated_value
        if isinstance(value, str):
            return (Push(Literal(value)),)
        if isinstance(value, bytes):
            return self.complain("AD102", "bytes are not supported", node, "use a str")
        return self.refuse(EXPRESSIONS["FormattedString"], node)

    def unary(self, node: cst.UnaryOperation) -> Steps:
        operator = type(node.operator).__name__
        operand = self.concrete.whole(node.expression)
        if operator in OPERATORS:
            self.compile(operand)
            return self.refuse(OPERATORS[operator], node)
        if operator != "Not" and isinstance(operand, cst.Integer | cst.Float):
            (push,) = _EXPAND[type(operand).__name__](self, operand)
            return (_signed(push, operator),)
        op = TABLE[_UNARY[operator]]
        return (operand, Operate(op, 1, self.span(node)))

    def binary(self, node: cst.BinaryOperation) -> Steps:
        operator = type(node.operator).__name__
        if operator in OPERATORS:
            self.compile(node.left)
            self.compile(node.right)
            return self.refuse(OPERATORS[operator], node)
        op = TABLE[BINARY[operator]]
        return (node.left, node.right, Operate(op, 2, self.span(node)))

    def boolean(self, node: cst.BooleanOperation) -> Steps:
        conjunction = isinstance(node.operator, cst.And)
        body = self._lazy(node.right)
        return (node.left, Lazy(conjunction, body, self.span(node)))

    def _lazy(self, node: cst.BaseExpression) -> Body:
        self.lazy += 1
        try:
            return self.inner(lambda: self.compile(node), node)
        finally:
            self.lazy -= 1

    def comparison(self, node: cst.Comparison) -> Steps:
        for target in node.comparisons:
            operator = type(target.operator).__name__
            if operator in OPERATORS:
                return self.refuse(OPERATORS[operator], node)
        if len(node.comparisons) > _NESTING:
            help_ = "write several comparisons with `and`"
            return self.complain("AD004", "the chain is too long", node, help_)
        first, *rest = node.comparisons
        links = tuple((_comparison(link), self._lazy(link.comparator)) for link in rest)
        compare = Compare(_comparison(first), links, self.span(node))
        return (node.left, first.comparator, compare)

    def call(self, node: cst.Call) -> Steps:
        steps: list[Step] = [node.func]
        arguments: list[str] = []
        for argument in node.args:
            if argument.star == "**":
                help_ = "write the arguments out"
                return self.complain("AD102", "`**` is not supported", node, help_)
            steps.append(argument.value)
            keyword = argument.keyword
            arguments.append(identifier(keyword) if keyword else argument.star)
        return (*steps, Call(tuple(arguments), self.span(node)))

    def attribute(self, node: cst.Attribute) -> Steps:
        found = self._in_module(node)
        if found is not None:
            return (Push(found),)
        return (node.value, Attribute(identifier(node.attr), self.span(node)))

    def _in_module(self, node: cst.BaseExpression) -> Value | None:
        """What `a.b.c` stands for where `a` is an import of the module."""
        attributes: list[str] = []
        while isinstance(node, cst.Attribute):
            attributes.append(identifier(node.attr))
            node = self.concrete.whole(node.value)
        if not isinstance(node, cst.Name):
            return None
        (step,) = self.name(node)
        if not isinstance(step, Push) or not isinstance(step.value, Dotted):
            return None
        return in_library(".".join((step.value.name, *reversed(attributes))))

    def subscript(self, node: cst.Subscript) -> Steps:
        if len(node.slice) != 1:
            help_ = "arrays are not supported yet: give every element its own parameter"
            message = "an index of several parts is not supported yet"
            return self.complain("AD102", message, node, help_)
        index = node.slice[0].slice
        if isinstance(index, cst.Index) and index.star is None:
            return (node.value, index.value, Item(self.span(node)))
        bounds = _bounds(index) if isinstance(index, cst.Slice) else None
        if bounds is None:
            help_ = "write the bounds as numbers"
            return self.complain("AD102", "this index is not supported", node, help_)
        return (node.value, Cut(bounds, self.span(node)))

    def sequence(self, node: cst.Tuple | cst.List) -> Steps:
        is_tuple = isinstance(node, cst.Tuple)
        container = Container.TUPLE if is_tuple else Container.LIST
        starred = tuple(isinstance(e, cst.StarredElement) for e in node.elements)
        pack = Pack(container, starred, self.span(node))
        return (*(element.value for element in node.elements), pack)

    def walrus(self, node: cst.NamedExpr) -> Steps:
        if self.lazy:
            help_ = "bind the name in a statement of its own"
            message = "a walrus in a part that may not run is not supported"
            return self.complain("AD102", message, node, help_)
        assert isinstance(node.target, cst.Name)
        return (node.value, Keep(identifier(node.target)))

    def function(self, node: cst.Lambda) -> Steps:
        formals, defaults, values = formals_of(self, node.params)
        span = self.span(node)
        self.scopes.append(self.places[span.line, span.column])
        lazy, self.lazy = self.lazy, 0
        body = self.inner(lambda: self.compile(node.body), node)
        self.lazy = lazy
        self.scopes.pop()
        code = Code("<lambda>", formals, body, span)
        return (*values, Define(code, defaults))


def _comparison(target: cst.ComparisonTarget) -> Any:
    return TABLE[_COMPARISONS[type(target.operator).__name__]]


def _signed(push: Step, operator: str) -> Instruction:
    assert isinstance(push, Push)
    if operator == "Plus" or not isinstance(push.value, Literal):
        return push
    value = push.value.value
    assert isinstance(value, int | float)
    return Push(Literal(-value))


def _bounds(node: cst.Slice) -> tuple[int | None, int | None, int | None] | None:
    """The bounds of a slice where they are literals."""
    found: list[int | None] = []
    for bound in (node.lower, node.upper, node.step):
        is_negative = isinstance(bound, cst.UnaryOperation) and isinstance(
            bound.operator, cst.Minus
        )
        part = bound.expression if isinstance(bound, cst.UnaryOperation) else bound
        if part is None:
            found.append(None)
        elif isinstance(part, cst.Integer) and (part is bound or is_negative):
            value = int(part.value.replace("_", ""), 0)
            found.append(-value if is_negative else value)
        else:
            return None
    return (found[0], found[1], found[2]) if found[2] != 0 else None


_EXPAND: dict[str, Callable[[Expressions, Any], Steps]] = {
    "Name": Expressions.name,
    "Integer": Expressions.integer,
    "Float": Expressions.float,
    "SimpleString": Expressions.string,
    "ConcatenatedString": Expressions.string,
    "UnaryOperation": Expressions.unary,
    "BinaryOperation": Expressions.binary,
    "BooleanOperation": Expressions.boolean,
    "Comparison": Expressions.comparison,
    "Call": Expressions.call,
    "Attribute": Expressions.attribute,
    "Subscript": Expressions.subscript,
    "Tuple": Expressions.sequence,
    "List": Expressions.sequence,
    "NamedExpr": Expressions.walrus,
    "Lambda": Expressions.function,
}
