"""Objects of the user's classes: fields, methods and constants; made and made anew."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal, Passing
from ad_transform.read import once
from ad_transform.read.classes import Class, Style
from ad_transform.read.context import Context
from ad_transform.read.described import describe
from ad_transform.read.marks import suggestion
from ad_transform.read.scopes import dotted
from ad_transform.read.values import (
    STRUCTURED,
    Closure,
    Dict,
    Group,
    Method,
    Object,
    Partial,
    Special,
    Value,
    kind_of,
    regroup,
)

Keywords = Mapping[str, Value]

METHODS = frozenset({"_replace", "_asdict"})
"""Methods that every NamedTuple has."""

REPLACE = frozenset({"dataclasses.replace", "copy.replace"})
"""Functions that make an object anew, with some other fields."""

_FLAT = frozenset({"dataclasses.astuple", "dataclasses.asdict"})

OF_OBJECTS = REPLACE | _FLAT
"""Functions of the library that take objects."""


def class_of(value: Value) -> Class | None:
    """The class of an object or NamedTuple; None for any other value."""
    return value.of if isinstance(value, Object | Group) else None


def attribute(flat: Context, value: Value, name: str, span: Span) -> Value | None:
    """`value.name`, of an object or a class; None where the class has no such name."""
    of = value if isinstance(value, Class) else class_of(value)
    assert of is not None
    if of.flaw:
        return _flawed(flat, of, span)
    if isinstance(value, Object) and name in of.names:
        return flat.heap.fields.items(value, span)[of.names.index(name)]
    if isinstance(value, Group) and name in of.names:
        return value.items[of.names.index(name)]
    if of.style is Style.TUPLE and name in METHODS and value is not of:
        return Method(value, name)
    if name == "_fields" and of.style is Style.TUPLE:
        return Group(Container.TUPLE, tuple(map(Literal, of.names)))
    is_field = name in of.names and of.style is not Style.OBJECT
    found = None if is_field else of.owner(name)
    if found is None:
        if of.style is Style.TUPLE and value is not of and name not in of.names:
            return None  # perhaps a method of tuples
        return _missing(flat, of, name, span)
    owner, statement = found
    made = owner.module.definitions.member(owner, name)
    if isinstance(statement, ast.FunctionDef) and isinstance(made, Closure):
        return _bound(flat, made, statement, value, of, span)
    return made


def _flawed(flat: Context, of: Class, span: Span) -> Value:
    message = f"the class {of.name!r} {of.flaw}"
    help_ = "write a plain `@dataclass(frozen=True)` or a NamedTuple"
    return flat.refuse("AD107", message, span, help_)


def _missing(flat: Context, of: Class, name: str, span: Span) -> Value:
    message = f"{of.name!r} has no {name!r} that is known"
    help_ = suggestion(name, of.names)
    if not help_.startswith("did"):
        help_ = "take it as a field, or write a function"
    return flat.refuse("AD102", message, span, help_)


def _bound(
    flat: Context,
    made: Closure,
    statement: ast.FunctionDef,
    value: Value,
    of: Class,
    span: Span,
) -> Value:
    """A function of a class as an object, or the class, hands it out."""
    said = {
        of.module.names.qualify(dotted(decorator))
        for decorator in statement.decorator_list
    }
    if "builtins.staticmethod" in said or (value is of and not said):
        return made
    if "builtins.classmethod" in said:
        return Partial(made, (of,), ())
    if said & PROPERTIES:
        if value is of:
            return _missing(flat, of, statement.name, span)
        return flat.enter(made, {**made.defaults, _first(made): value}, span)
    return Partial(made, (value,), ())


PROPERTIES = frozenset({"builtins.property", "functools.cached_property"})

DECORATORS = PROPERTIES | {"builtins.staticmethod", "builtins.classmethod"}
"""Decorators of methods that are understood."""


def _first(made: Closure) -> str:
    return made.code.formals[0].name if made.code.formals else "self"


# --- new ones -------------------------------------------------------------------------


def construct(
    flat: Context, of: Class, values: Sequence[Value], keywords: Keywords, span: Span
) -> Value:
    """`State(1.0, v=2.0)`; refuses AD106 (arguments) and AD107 (no plain class)."""
    if of.flaw:
        return _flawed(flat, of, span)
    if of.style is Style.SPACE:
        message = f"{of.name!r} is no dataclass and no NamedTuple"
        help_ = "write `@dataclass(frozen=True)` above it, or a NamedTuple"
        return flat.refuse("AD107", message, span, help_)
    if of.barred:
        message = f"an object of {of.name!r} is not made here: the class {of.barred}"
        help_ = "write a plain class, or take the object as a parameter"
        return flat.refuse("AD107", message, span, help_)
    takers = [f.name for f in of.fields if f.passing is not Passing.KEYWORD_ONLY]
    given = dict(zip(takers, values, strict=False))
    fault = _fault(of, takers, values, given, keywords)
    if fault:
        signature = ", ".join(of.names)
        help_ = f"its fields: `{of.name}({signature})`"
        return flat.refuse("AD106", f"{of.name!r} {fault}", span, help_)
    given |= keywords
    items = tuple(
        (
            once.kept(flat, given[f.name], span)
            if f.name in given
            else f.home.definitions.default(of, f)
        )
        for f in of.fields
    )
    if Special.REFUSED in items:
        return Special.REFUSED
    if of.style is Style.DICT:
        return Dict(tuple(map(Literal, of.names)), items)
    return flat.heap.fields.made(of, items)


def _fault(
    of: Class,
    takers: Sequence[str],
    values: Sequence[Value],
    given: Keywords,
    keywords: Keywords,
) -> str:
    """What is wrong with the arguments, or the empty text."""
    if of.style is Style.DICT and values:
        return "takes its keys by name"
    if len(values) > len(takers):
        return f"takes {len(takers)} values, not {len(values)}"
    for name in keywords:
        if name not in of.names:
            return f"has no field {name!r}"
        if name in given:
            return f"got several values for {name!r}"
    known = {**given, **keywords}
    missing = [f.name for f in of.fields if f.name not in known and f.default is None]
    return f"misses {', '.join(map(repr, missing))}" if missing else ""


def made_by(
    flat: Context, name: str, values: Sequence[Value], keywords: Keywords, span: Span
) -> Value | None:
    """What a function of `dataclasses` makes; None where it is given no object."""
    value = values[0] if values else Special.NONE
    of = class_of(value)
    if of is None or not isinstance(value, Object | Group):
        return None
    if name in REPLACE and len(values) == 1:
        return replaced(flat, value, keywords, span)
    if name in _FLAT and isinstance(value, Object) and len(values) == 1:
        if keywords:
            return None
        now = flat.heap.fields.deep(value, span)
        return _taken_apart(now, name.endswith("tuple"))
    return None


def _taken_apart(value: Value, tupled: bool) -> Value:
    """`astuple` or `asdict`: dataclasses inside are taken apart, too."""
    if not isinstance(value, STRUCTURED):
        return value
    kind = kind_of(value)
    if isinstance(value, Object):
        names = value.of.names
        kind = Container.TUPLE if tupled else tuple(map(Literal, names))
    return regroup(kind, tuple(_taken_apart(item, tupled) for item in value.items))


def replaced(
    flat: Context, value: Object | Group, keywords: Keywords, span: Span
) -> Value:
    """An object with some other fields."""
    of = class_of(value)
    assert of is not None
    if of.barred:
        return construct(flat, of, (), {}, span)
    for name in keywords:
        if name not in of.names:
            fields = ", ".join(of.names)
            message = f"{of.name!r} has no field {name!r}"
            return flat.refuse("AD106", message, span, f"its fields: {fields}")
    own, before = flat.heap.fields, value.items
    if isinstance(value, Object):
        before = own.items(value, span)
    named = zip(of.names, before, strict=True)
    items = tuple(keywords.get(name, item) for name, item in named)
    if isinstance(value, Object):
        return own.made(of, items)
    return regroup(kind_of(value), items)


def method(
    flat: Context,
    callee: Method,
    values: Sequence[Value],
    keywords: Keywords,
    span: Span,
) -> Value | None:
    """What a method of a NamedTuple gives; None where it is no such method."""
    of = class_of(callee.of)
    if of is None or callee.name not in METHODS:
        return None
    assert isinstance(callee.of, Group)
    if values or (callee.name == "_asdict" and keywords):
        message = f"{callee.name!r} of {describe(callee.of)} takes no such arguments"
        return flat.refuse("AD106", message, span, "give fields by name")
    if callee.name == "_asdict":
        return Dict(tuple(map(Literal, of.names)), callee.of.items)
    return replaced(flat, callee.of, keywords, span)
