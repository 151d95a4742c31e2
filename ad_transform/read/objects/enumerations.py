"""Members of an `Enum`: texts by which they are told apart, `"Mode.OFF"`.

Those of a class that mixes in `int` or `str` are their values.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Literal
from ad_transform.read.machine.context import Context
from ad_transform.read.objects import objects
from ad_transform.read.syntax.scopes import dotted
from ad_transform.read.values.classes import Class, Style, bound
from ad_transform.read.values.described import describe
from ad_transform.read.values.values import Special, Value

AUTO = "enum.auto"

KINDS = {
    "enum.Enum": "",
    "enum.IntEnum": "builtins.int",
    "enum.StrEnum": "builtins.str",
}
"""Bases that make a class an enumeration, and the types of its members besides."""

MIXED = frozenset({"builtins.int", "builtins.str"})
"""Types that a class may mix in."""


def is_one(value: Value) -> bool:
    """Whether a value is a class of members."""
    return isinstance(value, Class) and value.style is Style.CASES


def names_of(of: Class) -> tuple[str, ...]:
    """The members of a class, in order."""
    body = of.node.body if of.node is not None else ()
    found = (name for s in body if isinstance(s, ast.Assign) for name in bound(s))
    return tuple(name for name in found if not name.startswith("_"))


def text_of(of: Class) -> str:
    """The beginning of the texts of members, for each class another one."""
    cases = of.module.shared.cases
    if of not in cases:
        cases.append(of)
    alike = [one for one in cases if one.name == of.name]
    number = alike.index(of) + 1
    return f"{of.name}{f'_{number}' if number > 1 else ''}"


def member(of: Class, name: str) -> Literal:
    """A member as a literal: a text, or its value where the class mixes in a type."""
    if not of.mixed:
        return Literal(f"{text_of(of)}.{name}")
    value = value_of(of, name)
    assert isinstance(value, Literal)
    return value


def value_of(of: Class, name: str) -> Value:
    """The value of a member, a constant of the class."""
    found = of.owner(name)
    assert found is not None
    statement = found[1]
    made = getattr(statement, "value", None)
    if isinstance(made, ast.Call) and _is_auto(of, made):
        if of.mixed == "builtins.str":
            return Literal(name.lower())
        names = names_of(of)
        before = names[: names.index(name)]
        last = value_of(of, before[-1]) if before else Literal(0)
        assert isinstance(last, Literal) and isinstance(last.value, int)
        return Literal(last.value + 1)
    return of.module.definitions.value(of, name)


def _is_auto(of: Class, node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return False
    return of.module.names.qualify(dotted(node.func)) == AUTO


def flaw(of: Class) -> str:
    """Why the members of a class are not known, or the empty text."""
    seen: list[object] = []
    for statement in of.node.body if of.node is not None else ():
        match statement:
            case ast.FunctionDef(name=name) if name.startswith("_"):
                return f"defines `{name}`"
            case ast.FunctionDef() if of.mixed:
                return "mixes methods into numbers or texts"
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if name.startswith("_"):
                    return "has a hidden member"
                if _is_auto(of, value):
                    found = _flaw_of_auto(of, seen)
                    if found:
                        return found
                    seen.append(max((v for v in seen if type(v) is int), default=0) + 1)
                    continue
                if of.mixed and not isinstance(_without_sign(value), ast.Constant):
                    return "has members that are no literals"
                own = (
                    value.value if isinstance(value, ast.Constant) else ast.dump(value)
                )
                if own in seen:  # as Python compares: 1 is True
                    return "has two names of one member"
                seen.append(own)
            case ast.FunctionDef() | ast.Pass() | ast.Expr():
                continue
            case _:
                return "has more than members and methods"
    return ""


def _without_sign(node: ast.expr) -> ast.expr:
    is_negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    return node.operand if is_negative else node  # type: ignore[attr-defined]


def _flaw_of_auto(of: Class, seen: Sequence[object]) -> str:
    """Why `auto()` is not known behind some values: it is one more than the last of
    them, or than the largest, as the version of Python has it.
    """
    if of.mixed == "builtins.str":
        is_lower = of.node is not None and len(of.node.bases) == 1  # StrEnum
        return "" if is_lower else "has `auto()` for a text"
    whole = [v for v in seen if type(v) is int]
    if len(whole) < len(seen) or (whole and whole[-1] < max(whole)):
        return "has `auto()` behind values that are not in order"
    return ""


def attribute(flat: Context, value: Value, name: str, span: Span) -> Value | None:
    """`mode.value` of a member that is known, or a method; None of anything else."""
    if not isinstance(value, Literal):
        return None
    shared = flat.module.shared
    if value in shared.mixed and name == "value":
        return value
    known = shared.members.get(value)
    if known is None:
        return None
    of, own = known
    if name == "value":
        return value_of(of, own)
    if name == "name":
        return Literal(own)
    found = of.owner(name)
    return None if found is None else objects.member(flat, found, name, value, span)


def called(flat: Context, of: Class, values: Sequence[Value], span: Span) -> Value:
    """`Mode(1)`: the member of a value that is known."""
    if Special.REFUSED in values:
        return Special.REFUSED
    for name in names_of(of) if len(values) == 1 else ():
        if value_of(of, name) == values[0] or member(of, name) == values[0]:
            return of.module.definitions.member(of, name)
    shown = describe(values[0]) if len(values) == 1 else "these arguments"
    message = f"which member of {of.name!r} {shown} stands for is not known"
    help_ = f"compare values, or choose: `{of.name}.A if k == 1 else {of.name}.B`"
    return flat.refuse("AD107", message, span, help_)


def members(of: Class) -> tuple[Value, ...]:
    """All members, as loops go over them."""
    return tuple(of.module.definitions.member(of, name) for name in names_of(of))


def item(flat: Context, of: Class, index: Value, span: Span) -> Value:
    """`Mode["OFF"]`."""
    for name in names_of(of):
        if index == Literal(name):
            return of.module.definitions.member(of, name)
    message = f"{of.name!r} has no member that is named so"
    return flat.refuse("AD107", message, span, "name one: `Mode.OFF`")
