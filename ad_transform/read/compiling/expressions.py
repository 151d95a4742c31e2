"""From LibCST's expressions to postfix code: one function for each form."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import libcst as cst

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.code import (
    Attribute,
    Body,
    Call,
    Choose,
    Clause,
    Compare,
    Contains,
    Gather,
    Instruction,
    IsNone,
    Item,
    Keep,
    Lazy,
    Load,
    MakeDict,
    MakeSlice,
    MakeText,
    Operate,
    Pack,
    Push,
    Same,
)
from ad_transform.read.compiling.compiler import NESTING, Compiler, Step, Steps
from ad_transform.read.constants.laying_out import identifier
from ad_transform.read.syntax.concrete import Twin
from ad_transform.read.syntax.fence import EXPRESSIONS, OPERATORS, UNKNOWN
from ad_transform.read.syntax.scopes import dotted
from ad_transform.read.values.callables import Dotted
from ad_transform.read.values.values import Special, Value

with later():
    from ad_transform.read.compiling.said import shown_values

_LARGEST = int(sys.float_info.max)
"""The largest int that a float can approximate."""

# fmt: off
BINARY: dict[str, str] = {
    "Add": "add", "Subtract": "sub", "Multiply": "mul", "Divide": "div",
    "FloorDivide": "floordiv", "Modulo": "mod", "Power": "pow",
}
CALLED: dict[str, str] = {
    "MatrixMultiply": "operator.matmul", "BitAnd": "numpy.bitwise_and",
    "BitOr": "numpy.bitwise_or", "BitXor": "numpy.bitwise_xor",
    "BitInvert": "numpy.invert",
    "RightShift": "operator.rshift", "LeftShift": "operator.lshift",
}
_SINGLETONS: dict[str, Value] = {
    "True": Literal(True), "False": Literal(False), "None": Special.NONE,
}
_IDENTITY = {"Is", "IsNot"}
_MEMBERSHIP = {"In", "NotIn"}
_SIGNS = {"Minus", "Plus"}
_UNARY: dict[str, str] = {"Minus": "neg", "Plus": "pos", "Not": "not"}
_COMPARISONS: dict[str, str] = {
    "LessThan": "lt", "LessThanEqual": "le", "GreaterThan": "gt",
    "GreaterThanEqual": "ge", "Equal": "eq", "NotEqual": "ne",
}
# fmt: on


_Comprehension = cst.ListComp | cst.SetComp | cst.GeneratorExp | cst.DictComp


class Expressions(Compiler):
    """Compiles the expressions of one statement of the module."""

    def expand(self, node: cst.BaseExpression, tree: ast.expr) -> Steps:
        node = self.concrete.whole(node)
        name = type(node).__name__
        if name in EXPRESSIONS:
            return self.refuse(EXPRESSIONS[name], tree)
        handler = _EXPAND.get(name)
        return handler(self, node, tree) if handler else self.refuse(UNKNOWN, tree)

    def comprehension(
        self,
        node: _Comprehension,
        tree: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp,
    ) -> Steps:
        """A comprehension; the value of its first clause is computed outside of it."""
        first = (node.for_in.iter, tree.generators[0].iter)
        if (tree.lineno, tree.col_offset) in self.module.stated.taken:
            span = self.span(tree)  # a sequence of sequences, number by number
            return (first, Attribute("tolist", span), Call((), span))
        names = [n for g in tree.generators for n in ast.walk(g.target)]
        own = Counter(n.id for n in names if isinstance(n, ast.Name))
        for part in _parts(tree):
            own.update(self.own_names(part))
        self.scopes.append(own)
        self.lazy += 1
        level, self.level = self.level, self.lazy
        clauses: list[Clause] = []
        form: cst.CompFor | None = node.for_in
        for generator in tree.generators:
            assert form is not None
            over = () if not clauses else self.inside(form.iter, generator.iter)
            tests = zip(form.ifs, generator.ifs, strict=True)
            bodies = tuple(self.inside(test.test, twin) for test, twin in tests)
            clauses.append(Clause(self.target(generator.target), over, bodies))
            form = form.inner_for_in
        element = self._element(node, tree)
        self.level = level
        self.lazy -= 1
        self.scopes.pop()
        return (
            first,
            Gather(
                tuple(clauses),
                element,
                self.span(tree),
                isinstance(tree, ast.GeneratorExp),
            ),
        )

    def _element(
        self,
        node: _Comprehension,
        tree: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp,
    ) -> Body:
        """The item of a comprehension in each trip; of a dict the pair of key and
        value.
        """
        if isinstance(node, cst.DictComp) and isinstance(tree, ast.DictComp):
            braces = self.span(tree)  # the place of the dict, not of the pair
            inside = braces._replace(column=braces.column + 1)
            pair = Pack(Container.TUPLE, (False, False), inside)
            key = self.inside(node.key, tree.key)
            return (*key, *self.inside(node.value, tree.value), pair)
        assert not isinstance(node, cst.DictComp)
        assert not isinstance(tree, ast.DictComp)
        return self.inside(node.elt, tree.elt)

    def dict_of(self, node: cst.DictComp, tree: ast.DictComp) -> Steps:
        """`{k: v for k, v in ...}`: the dict of the pairs of a comprehension."""
        span = self.span(tree)  # the place of the list of pairs, not of the dict
        made = Call(("",), span._replace(end_column=span.end_column - 1))
        return (Push(Dotted("builtins.dict")), *self.comprehension(node, tree), made)

    def set_made(self, node: cst.SetComp, tree: ast.SetComp) -> Steps:
        """`{v for v in ...}`: the set of the items of a comprehension."""
        span = self.span(tree)
        made = Call(("",), span._replace(end_column=span.end_column - 1))
        return (Push(Dotted("builtins.set")), *self.comprehension(node, tree), made)

    def set_of(self, node: cst.Set, tree: ast.Set) -> Steps:
        """`{1, 2}`: the set of the items of a tuple."""
        plain = tuple(isinstance(item, ast.Starred) for item in tree.elts)
        inner = [e.value if isinstance(e, ast.Starred) else e for e in tree.elts]
        items = zip((e.value for e in node.elements), inner, strict=True)
        span = self.span(tree)
        group = Pack(Container.TUPLE, plain, span._replace(column=span.column + 1))
        return (Push(Dotted("builtins.set")), *items, group, Call(("",), span))

    def conditional(self, node: cst.IfExp, tree: ast.IfExp) -> Steps:
        self.tests.add(tree.test)
        then = self.lazily((node.body, tree.body))
        orelse = self.lazily((node.orelse, tree.orelse))
        return ((node.test, tree.test), Choose(then, orelse, self.span(tree)))

    def name(self, node: cst.Name, tree: ast.expr) -> Body:
        name = identifier(node)
        if name in _SINGLETONS:
            return (Push(_SINGLETONS[name]),)
        return self.called(name, self.span(tree))

    def called(self, name: str, span: Span) -> Body:
        """Code that leaves the value of a name: a local of this function or one around
        it, or a name of the module.
        """
        cell = self.cell(name, span)
        if cell is not None:
            return (*cell, Attribute(name, span))
        for up, scope in enumerate(reversed(self.scopes)):
            if name in scope:
                return (Load(name, up, span),)
        return (Push(self.module.resolve(name, span)),)

    def integer(self, node: cst.Integer, tree: ast.expr) -> Steps:
        value = int(node.value.replace("_", ""), 0)
        if value > _LARGEST:
            help_ = "write it as a float"
            return self.complain("AD102", "the number is too long", tree, help_)
        return (Push(Literal(value)),)

    def float(self, node: cst.Float, tree: ast.expr) -> Steps:
        return (Push(Literal(float(node.value.replace("_", "")))),)

    def string(
        self, node: cst.SimpleString | cst.ConcatenatedString, tree: ast.expr
    ) -> Steps:
        value = node.evaluated_value
        if isinstance(value, str):
            return (Push(Literal(value)),)
        if isinstance(value, bytes):
            return self.complain("AD102", "bytes are not supported", tree, "use a str")
        return self.text(node, tree)

    def text(self, node: cst.BaseExpression, tree: ast.expr) -> Steps:
        """An f-string, or a text with `%` and values."""
        code, message, formats = shown_values(self, (node, tree))
        return (*code, MakeText(message, formats, self.span(tree)))

    def unary(self, node: cst.UnaryOperation, tree: ast.UnaryOp) -> Steps:
        operator = type(node.operator).__name__
        operand = self.concrete.whole(node.expression)
        if operator in OPERATORS:
            self.compile(operand, tree.operand)
            return self.refuse(OPERATORS[operator], tree)
        if operator in _SIGNS and isinstance(operand, cst.Integer | cst.Float):
            (push,) = self.expand(operand, tree.operand)
            return (_signed(push, operator),)
        if operator in CALLED:
            call = Call(("",), self.span(tree))
            return (Push(Dotted(CALLED[operator])), (operand, tree.operand), call)
        if operator == "Not":
            self.tests.add(tree.operand)
        op = TABLE[_UNARY[operator]]
        return ((operand, tree.operand), Operate(op, 1, self.span(tree)))

    def binary(self, node: cst.BinaryOperation, tree: ast.BinOp) -> Steps:
        operator = type(node.operator).__name__
        if operator in OPERATORS:
            self.compile(node.left, tree.left)
            self.compile(node.right, tree.right)
            return self.refuse(OPERATORS[operator], tree)
        operands = (node.left, tree.left), (node.right, tree.right)
        left = tree.left.value if isinstance(tree.left, ast.Constant) else None
        if operator == "Modulo" and isinstance(left, str):
            return self.text(node, tree)
        if operator in CALLED:
            call = Call(("", ""), self.span(tree))
            return (Push(Dotted(CALLED[operator])), *operands, call)
        written = _is_number(tree.left) and _is_number(tree.right)
        op = TABLE[BINARY[operator]]
        return (*operands, Operate(op, 2, self.span(tree), written))

    def boolean(self, node: cst.BooleanOperation, tree: ast.BoolOp) -> Steps:
        conjunction = isinstance(node.operator, cst.And)
        tests = tree in self.tests
        if tests:
            self.tests.update(tree.values)
        first, *rest = _operands(node, tree)
        span = self.span(tree)
        lazies = (Lazy(conjunction, self.lazily(one), span, tests) for one in rest)
        return (first, *lazies)

    def conjuncts(self, node: cst.BaseExpression, tree: ast.expr) -> list[Twin]:
        """The operands of an `and`, which are tested in turn; else the expression
        itself.
        """
        node = self.concrete.whole(node)
        if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
            assert isinstance(node, cst.BooleanOperation)
            return _operands(node, tree)
        return [(node, tree)]

    def comparison(self, node: cst.Comparison, tree: ast.Compare) -> Steps:
        operators = [type(c.operator).__name__ for c in node.comparisons]
        if len(operators) == 1 and operators[0] in _IDENTITY and _is_none(tree):
            same = IsNone(operators[0] == "IsNot", self.span(tree))
            return ((node.left, tree.left), same)
        if len(operators) == 1 and operators[0] in _IDENTITY:
            one = Same(operators[0] == "IsNot", self.span(tree))
            second = (node.comparisons[0].comparator, tree.comparators[0])
            return ((node.left, tree.left), second, one)
        for operator in operators:
            if operator in OPERATORS:
                return self.refuse(OPERATORS[operator], tree)
        if len(operators) == 1 and operators[0] in _MEMBERSHIP:
            within = Contains(operators[0] == "NotIn", self.span(tree))
            second = (node.comparisons[0].comparator, tree.comparators[0])
            return ((node.left, tree.left), second, within)
        if _MEMBERSHIP & set(operators):
            help_ = "write the comparisons with `and`"
            return self.complain(
                "AD102", "`in` in a chain is not supported", tree, help_
            )
        if len(operators) > NESTING:
            help_ = "write several comparisons with `and`"
            return self.complain("AD004", "the chain is too long", tree, help_)
        ops = [TABLE[_COMPARISONS[operator]] for operator in operators]
        forms = (c.comparator for c in node.comparisons)
        second, *others = zip(forms, tree.comparators, strict=True)
        links = zip(ops[1:], map(self.lazily, others), strict=True)
        compare = Compare(ops[0], tuple(links), self.span(tree))
        return ((node.left, tree.left), second, compare)

    def call(self, node: cst.Call, tree: ast.Call) -> Steps:
        steps: list[Step] = [(node.func, tree.func)]
        later: list[Step] = []  # keywords are evaluated behind all others
        names: list[str] = []
        keys: list[str] = []
        plain, keywords = iter(tree.args), iter(tree.keywords)
        for argument in node.args:
            if argument.keyword is not None or argument.star == "**":
                keyword = next(keywords)
                later.append((argument.value, keyword.value))
                keys.append(keyword.arg or "**")
                continue
            inner = next(plain)
            inner = inner.value if isinstance(inner, ast.Starred) else inner
            steps.append((argument.value, inner))
            names.append(argument.star)
        return (*steps, *later, Call((*names, *keys), self.span(tree)))

    def attribute(self, node: cst.Attribute, tree: ast.Attribute) -> Steps:
        found = self._in_module(tree)
        if found is not None:
            return (Push(found),)
        return (
            (node.value, tree.value),
            Attribute(self.attribute_name(tree.attr), self.span(tree)),
        )

    def _in_module(self, tree: ast.Attribute) -> Value | None:
        """The value of `a.b.c` where `a` is an import of the module, else None."""
        first, _, rest = dotted(tree).partition(".")
        local = any(first in scope for scope in self.scopes)
        if local or not self.module.is_import(first):
            return None
        found = self.module.reached(dotted(tree), self.span(tree))
        if found is not None:
            return found
        base = self.module.resolve(first, self.span(tree))
        if not isinstance(base, Dotted):
            return None
        name = rest.rpartition(".")[2]
        return self.module.library(f"{base.name}.{rest}", name, first)

    def subscript(self, node: cst.Subscript, tree: ast.Subscript) -> Steps:
        return (*self.place(node, tree), Item(self.span(tree)))

    def place(self, node: cst.Subscript, tree: ast.Subscript) -> Steps:
        """The group and the index of a subscript, as steps."""
        value = (node.value, tree.value)
        if len(node.slice) == 1:
            return (value, *self._index(node.slice[0].slice, tree.slice))
        assert isinstance(tree.slice, ast.Tuple)
        parts = zip(node.slice, tree.slice.elts, strict=True)
        steps = [step for one, twin in parts for step in self._index(one.slice, twin)]
        plain = (False,) * len(node.slice)
        return (value, *steps, Pack(Container.TUPLE, plain, self.span(tree)))

    def _index(self, index: cst.BaseSlice, tree: ast.expr) -> Steps:
        if isinstance(index, cst.Index):
            inner = tree.value if isinstance(tree, ast.Starred) else tree
            if index.star is not None:
                help_ = "write the indices out"
                return self.complain("AD102", "`*` in an index", tree, help_)
            if isinstance(index.value, cst.Ellipsis):
                return (Push(Special.DOTS),)
            return ((index.value, inner),)
        assert isinstance(index, cst.Slice) and isinstance(tree, ast.Slice)
        forms = (index.lower, index.upper, index.step)
        twins = (tree.lower, tree.upper, tree.step)
        bounds: list[Step] = [
            (
                (form, twin)
                if form is not None and twin is not None
                else Push(Special.NONE)
            )
            for form, twin in zip(forms, twins, strict=True)
        ]
        return (*bounds, MakeSlice())

    def sequence(self, node: cst.Tuple | cst.List, tree: ast.Tuple | ast.List) -> Steps:
        is_tuple = isinstance(node, cst.Tuple)
        container = Container.TUPLE if is_tuple else Container.LIST
        starred = tuple(isinstance(item, ast.Starred) for item in tree.elts)
        inner = [e.value if isinstance(e, ast.Starred) else e for e in tree.elts]
        items = zip((e.value for e in node.elements), inner, strict=True)
        return (*items, Pack(container, starred, self.span(tree)))

    def dictionary(self, node: cst.Dict, tree: ast.Dict) -> Steps:
        steps: list[Step] = []
        pairs = zip(node.elements, tree.keys, tree.values, strict=True)
        for element, key, value in pairs:
            if key is None or not isinstance(element, cst.DictElement):
                steps.append(Push(Special.UNUSED))  # in place of a key: `**`
            else:
                steps.append((element.key, key))
            steps.append((element.value, value))
        return (*steps, MakeDict(len(tree.keys), self.span(tree)))

    def walrus(self, node: cst.NamedExpr, tree: ast.NamedExpr) -> Steps:
        is_own = self.lazy == self.level and tree.target.id in self.scopes[-1]
        if self.lazy and not is_own:
            help_ = "bind the name in a statement of its own"
            message = "a walrus in a part that may not run is not supported"
            return self.complain("AD102", message, tree, help_)
        return ((node.value, tree.value), Keep(tree.target.id, self.span(tree)))

    def function(self, node: cst.Lambda, tree: ast.Lambda) -> Steps:
        def body() -> Body:
            return self.compile(node.body, tree.body)

        return self.function_code("<lambda>", body, tree, node.params)


def _parts(
    tree: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp,
) -> Iterator[ast.expr]:
    """The expressions that a comprehension computes in each trip: conditions, item."""
    for generator in tree.generators:
        yield from generator.ifs
    if isinstance(tree, ast.DictComp):
        yield from (tree.key, tree.value)
    else:
        yield tree.elt


def _operands(node: cst.BooleanOperation, tree: ast.BoolOp) -> list[Twin]:
    """The operands of a chain of `and` or of `or`, which LibCST nests to the left."""
    operands = [node.right]
    left = node.left
    while len(operands) + 1 < len(tree.values):
        assert isinstance(left, cst.BooleanOperation)
        operands.append(left.right)
        left = left.left
    operands.append(left)
    return list(zip(reversed(operands), tree.values, strict=True))


def _is_number(tree: ast.expr) -> bool:
    """Whether an expression is a number as it is written, `24` or `-1`."""
    operand = tree.operand if isinstance(tree, ast.UnaryOp) else tree
    return isinstance(operand, ast.Constant)


def _is_none(tree: ast.Compare) -> bool:
    """Whether the right side of a comparison is None."""
    (right,) = tree.comparators
    return isinstance(right, ast.Constant) and right.value is None


def _signed(push: Step, operator: str) -> Instruction:
    assert isinstance(push, Push)
    if operator == "Plus" or not isinstance(push.value, Literal):
        return push
    value = push.value.value
    assert isinstance(value, int | float)
    return Push(Literal(-value))


_EXPAND: dict[str, Callable[[Expressions, Any, Any], Steps]] = {
    "Name": Expressions.name,
    "Integer": Expressions.integer,
    "Float": Expressions.float,
    "SimpleString": Expressions.string,
    "ConcatenatedString": Expressions.string,
    "FormattedString": Expressions.text,
    "UnaryOperation": Expressions.unary,
    "BinaryOperation": Expressions.binary,
    "BooleanOperation": Expressions.boolean,
    "Comparison": Expressions.comparison,
    "IfExp": Expressions.conditional,
    "Call": Expressions.call,
    "Attribute": Expressions.attribute,
    "Subscript": Expressions.subscript,
    "Tuple": Expressions.sequence,
    "List": Expressions.sequence,
    "Dict": Expressions.dictionary,
    "NamedExpr": Expressions.walrus,
    "Lambda": Expressions.function,
    "ListComp": Expressions.comprehension,
    "GeneratorExp": Expressions.comprehension,
    "DictComp": Expressions.dict_of,
    "SetComp": Expressions.set_made,
    "Set": Expressions.set_of,
}
