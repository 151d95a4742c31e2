"""Objects of the user's classes: their fields, methods and constants."""

from __future__ import annotations

import ast

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.machine.context import Context
from ad_transform.read.marks.marks import suggestion
from ad_transform.read.syntax.in_python import DICTS
from ad_transform.read.syntax.scopes import dotted
from ad_transform.read.values.callables import Closure, Method, Partial
from ad_transform.read.values.classes import Class, Style, bound
from ad_transform.read.values.structured import Group, Object, Unread
from ad_transform.read.values.values import Special, Value

with later():
    from ad_transform.read.values.described import named

METHODS = frozenset({"_replace", "_asdict"})
"""Methods that every NamedTuple has."""


def class_of(value: Value) -> Class | None:
    """The class of an object or NamedTuple; None for any other value."""
    return value.of if isinstance(value, Object | Group) else None


def attribute(flat: Context, value: Value, name: str, span: Span) -> Value | None:
    """`value.name`, of an object or a class; None where the class has no such name."""
    of = value if isinstance(value, Class) else class_of(value)
    assert of is not None
    if of.flaw:
        return flawed(flat, of, span)
    if isinstance(value, Object) and name in of.names:
        return _field(flat, value, name, span)
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
    return member(flat, found, name, value, span)


def setter(value: Value, name: str) -> Value | None:
    """The function that assigns a property; None where an attribute is none."""
    found = value.of.setter(name) if isinstance(value, Object) else None
    if found is None:
        return None
    owner, _ = found
    return owner.module.definitions.setter(owner, name)


def member(
    flat: Context,
    found: tuple[Class, ast.stmt],
    name: str,
    value: Value,
    span: Span,
) -> Value:
    """A function or constant of a class, as an object or the class hands it out."""
    owner, statement = found
    match statement:
        case ast.Assign(value=ast.Name(id=other)) if other != name:
            inner = owner.owner(other)
            if inner is not None and isinstance(inner[1], ast.FunctionDef):
                return member(flat, inner, other, value, span)  # `__rmul__ = __mul__`
    made = owner.module.definitions.member(owner, name)
    if isinstance(statement, ast.FunctionDef) and isinstance(made, Closure):
        return _bound(flat, made, statement, value, owner, span)
    return made


def _field(flat: Context, value: Object, name: str, span: Span) -> Value:
    """The value of a field; refused where it is not known."""
    found = flat.heap.fields.item(value, name, span)
    if found is Special.UNSET:
        if not value.of.name:  # a name that functions inside bind
            message = f"{name!r} may be read before it is bound"
            return flat.refuse("AD103", message, span, "bind it before")
        message = f"{name!r} of an object of {value.of.name!r} may not be assigned yet"
        return flat.refuse("AD103", message, span, "assign it in `__init__`, always")
    if isinstance(found, Unread) and found.computed:
        message = f"what {name!r} of {value.of.name!r} is, only its methods know"
        help_ = (
            f"make it a property, or annotate it in the class, `{name}: float`, to "
            "take it as a number of its own"
        )
        return flat.refuse("AD107", message, span, help_)
    return found


def flawed(flat: Context, of: Class, span: Span) -> Value:
    """Refuse a class whose statements could not be understood."""
    message = f"the class {of.name!r} {of.flaw}"
    help_ = "write a plain `@dataclass(frozen=True)` or a NamedTuple"
    if of.style is Style.CASES:
        help_ = "write each member with a literal of its own, `OFF = 0`, and no more"
    return flat.refuse("AD107", message, span, help_)


def _missing(flat: Context, of: Class, name: str, span: Span) -> Value:
    message = f"{named(of)} has no {name!r} that is known"
    help_ = suggestion(name, of.names)
    if of.module.source.path == DICTS:
        help_ = "go over its items: `for k, v in d.items():`"
    elif not help_.startswith("did"):
        help_ = "take it as a field, or write a function"
    return flat.refuse("AD102", message, span, help_)


def _bound(
    flat: Context,
    made: Closure,
    statement: ast.FunctionDef,
    value: Value,
    owner: Class,
    span: Span,
) -> Value:
    """A function of a class as an object, or the class, hands it out."""
    is_class = isinstance(value, Class)
    said = {
        owner.module.names.qualify(dotted(decorator))
        for decorator in statement.decorator_list
    }
    if "builtins.staticmethod" in said or (is_class and not said):
        return made
    if "builtins.classmethod" in said:
        return Partial(made, (value if is_class else class_of(value) or owner,), ())
    if isinstance(value, Object) and _is_remembered(owner, statement):
        flat.remembered.append(Remembered(value, statement.name, span))
    if said & PROPERTIES:
        if isinstance(value, Class):
            return _missing(flat, value, statement.name, span)
        return flat.enter(made, {**made.defaults, _first(made): value}, span)
    return Partial(made, (value,), ())


PROPERTIES = frozenset({"builtins.property", "functools.cached_property"})

_REMEMBERING = frozenset(
    {"functools.cached_property", "functools.lru_cache", "functools.cache"}
)


def remembered(of: Class) -> str:
    """A method or property that is computed once for an object; "" without one."""
    for one in of.line:
        for statement in one.node.body if one.node is not None else ():
            if _is_remembered(one, statement):
                return bound(statement)[0]
    return ""


def _is_remembered(of: Class, statement: ast.stmt) -> bool:
    """Whether a function of a class is computed once for an object."""
    if not isinstance(statement, ast.FunctionDef):
        return False
    callees = (
        decorator.func if isinstance(decorator, ast.Call) else decorator
        for decorator in statement.decorator_list
    )
    return any(of.module.names.qualify(dotted(c)) in _REMEMBERING for c in callees)


@dataclass(frozen=True, slots=True)
class Remembered:
    """A property that an object remembers from where it is read on."""

    of: Object
    name: str
    span: Span


DECORATORS = PROPERTIES | {"builtins.staticmethod", "builtins.classmethod"}
"""Decorators of methods that are understood."""


def _first(made: Closure) -> str:
    return made.code.formals[0].name if made.code.formals else "self"
