"""Templates: expressions over the parameters of a row, instantiated through a builder.

A template is text in Python's expression syntax (operators, calls of elementals,
literals, `a if test else b`, `a or b`). Only the arm of a conditional that is taken is
evaluated. `*p` in a call stands for all arguments of the starred parameter `p`,
`count_equal(x, ...)` for how many of the others equal the first, `(lambda n: ...)(e)`
for `...` where `n` is `e`, which is evaluated in any case.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Protocol

from ad_transform.dataclass import dataclass
from ad_transform.ir.nodes import Block, Literal, Operand, Var


@dataclass(frozen=True, slots=True)
class Name:
    """A parameter of the row, or `v`, its result; `*p` is all of a starred one."""

    name: str


@dataclass(frozen=True, slots=True)
class Number:
    """A literal."""

    literal: Literal


@dataclass(frozen=True, slots=True)
class Call:
    """An elemental on templates."""

    op: str
    args: tuple[Template, ...]


@dataclass(frozen=True, slots=True)
class Select:
    """`then if test else orelse`, lazily."""

    test: Template
    then: Template
    orelse: Template


@dataclass(frozen=True, slots=True)
class Let:
    """`body` where `name` stands for `value`, evaluated before."""

    name: str
    value: Template
    body: Template


Template = Name | Number | Call | Select | Let

_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.Pow: "pow",
    ast.USub: "neg",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Eq: "eq",
    ast.NotEq: "ne",
}


def _convert(node: ast.expr) -> Template:
    match node:
        case ast.Name(id=name):
            return Name(name)
        case ast.Starred(value=ast.Name(id=name)):
            return Name(f"*{name}")
        case ast.Constant(value=value):
            assert isinstance(value, int | float)
            return Number(Literal(value))
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)):
            assert isinstance(value, int | float)
            return Number(Literal(-value))
        case ast.UnaryOp(op=op, operand=operand):
            return Call(_OPERATORS[type(op)], (_convert(operand),))
        case ast.BinOp(left=left, op=operator, right=right):
            return Call(_OPERATORS[type(operator)], (_convert(left), _convert(right)))
        case ast.Compare(left=left, ops=[comparison], comparators=[right]):
            return Call(_OPERATORS[type(comparison)], (_convert(left), _convert(right)))
        case ast.Call(func=ast.Name(id=name), args=args):
            return Call(name, tuple(map(_convert, args)))
        case ast.Call(func=ast.Lambda(args=given, body=body), args=[value]):
            return Let(given.args[0].arg, _convert(value), _convert(body))
        case ast.BoolOp(op=ast.Or(), values=[left, right]):
            return Select(_convert(left), _TRUE, _convert(right))
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return Select(_convert(test), _convert(body), _convert(orelse))
    raise ValueError(f"not a template: {ast.unparse(node)}")


_TRUE = Number(Literal(True))


@cache
def parse_template(text: str) -> Template:
    """The template that a text stands for; raises ValueError for anything else."""
    return _convert(ast.parse(text, mode="eval").body)


def names(template: Template) -> Iterator[str]:
    """The names of a template in order of appearance, with repetitions."""
    match template:
        case Name(name):
            yield name
        case Call(_, args):
            for arg in args:
                yield from names(arg)
        case Select(test, then, orelse):
            for part in (test, then, orelse):
                yield from names(part)
        case Let(own, value, body):
            yield from names(value)
            yield from (name for name in names(body) if name != own)


class Workshop(Protocol):
    """The methods of a builder that instantiation uses."""

    def apply(self, op: str, *args: Operand) -> Operand: ...

    def branch(
        self, test: Operand, args: tuple[Operand, ...], then: Block, orelse: Block
    ) -> tuple[Operand, ...]: ...

    def inner(self) -> InnerWorkshop: ...


class InnerWorkshop(Workshop, Protocol):
    """A workshop for the block of a branch."""

    def block(self, params: tuple[Var, ...], results: tuple[Operand, ...]) -> Block: ...


Env = Mapping[str, Any]
"""Operands by name; tuples of them by `*name`."""


def instantiate(template: Template, env: Env, workshop: Workshop) -> Operand:
    """The value of a template with its names bound by `env`."""
    if isinstance(template, Call):
        values: list[Operand] = []
        for arg in template.args:
            if type(arg) is Name:
                value = env[arg.name]
                if type(value) is tuple:
                    values += value
                else:
                    values.append(value)
            elif type(arg) is Number:
                values.append(arg.literal)
            else:
                values.append(instantiate(arg, env, workshop))
        if template.op == "count_equal":
            return _count_equal(workshop, *values)
        return workshop.apply(template.op, *values)
    if isinstance(template, Name):
        named: Operand = env[template.name]
        return named
    if isinstance(template, Number):
        return template.literal
    if isinstance(template, Let):
        inner = {**env, template.name: instantiate(template.value, env, workshop)}
        return instantiate(template.body, inner, workshop)
    return _select(template, env, workshop)


def _select(template: Select, env: Env, workshop: Workshop) -> Operand:
    test = instantiate(template.test, env, workshop)
    if isinstance(test, Literal):
        taken = template.then if test.value else template.orelse
        return instantiate(taken, env, workshop)
    if test.type.shape:  # both are computed, and one is taken for each element
        template = _zero_last(template)
        test = instantiate(template.test, env, workshop)
        then = _real(instantiate(template.then, env, workshop))
        orelse = _real(instantiate(template.orelse, env, workshop))
        return workshop.apply("where", test, then, orelse)
    if template.then == _TRUE and any(
        v.type.shape for n in names(template.orelse) for v in _all(env[n])
    ):
        other = instantiate(template.orelse, env, workshop)
        if other.type.shape:  # `a or b`, of a number and of each element
            return workshop.apply("either", test, other)
    used = dict.fromkeys((*names(template.then), *names(template.orelse)))
    held = (v for n in used for v in _all(env[n]))
    outer = dict.fromkeys(v for v in held if isinstance(v, Var))
    arms = [
        _arm(arm, env, tuple(outer), workshop.inner())
        for arm in (template.then, template.orelse)
    ]
    if arms[0].results == arms[1].results and isinstance(arms[0].results[0], Literal):
        return arms[0].results[0]
    return workshop.branch(test, tuple(outer), *arms)[0]


_OR_EQUAL = {"gt": "ge", "lt": "le"}


@cache
def _zero_last(template: Select) -> Select:
    """A choice between three, the last of them 0, as a choice between a choice and 0: a
    factor goes into the first arm, and the other one divides by nothing.

    a if x > y else b if x == y else 0 -> (b if x == y else a) if x >= y else 0
    """
    test, tied = template.test, template.orelse
    if not (isinstance(test, Call) and isinstance(tied, Select)):
        return template
    same, zero = tied.test, tied.orelse
    is_tie = isinstance(same, Call) and same.op == "eq"
    if not (is_tie and test.op in _OR_EQUAL and zero == Number(Literal(0))):
        return template
    assert isinstance(same, Call)
    if set(same.args) != set(test.args):
        return template
    inner = Select(same, tied.then, template.then)
    return Select(Call(_OR_EQUAL[test.op], test.args), inner, zero)


def _count_equal(workshop: Workshop, x: Operand, *others: Operand) -> Operand:
    """The number of others that equal x: a sum of truth values."""
    total, *tests = (workshop.apply("eq", other, x) for other in others)
    for test in tests:
        total = workshop.apply("add", total, test)
    return total


def _all(value: Operand | tuple[Operand, ...]) -> tuple[Operand, ...]:
    return value if isinstance(value, tuple) else (value,)


def _arm(
    arm: Template, env: Env, outer: tuple[Var, ...], workshop: InnerWorkshop
) -> Block:
    params = tuple(Var(v.type, v.hint) for v in outer)
    inside: dict[Operand, Operand] = dict(zip(outer, params, strict=True))
    local = {
        name: (
            tuple(inside.get(v, v) for v in value)
            if isinstance(value, tuple)
            else inside.get(value, value)
        )
        for name, value in env.items()
    }
    result = _real(instantiate(arm, local, workshop))
    return workshop.block(params, (result,))


def _real(value: Operand) -> Operand:
    """A whole number as a float: a partial is one in either arm."""
    if isinstance(value, Literal) and type(value.value) is int:
        return Literal(float(value.value))
    return value
