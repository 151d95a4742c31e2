"""Values in the words of messages."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.syntax.in_python import DICTS
from ad_transform.read.values.callables import (
    Chosen,
    Closure,
    Dotted,
    External,
    FileFunction,
    FileModule,
    Method,
    Partial,
    Super,
)
from ad_transform.read.values.classes import Class, Style
from ad_transform.read.values.series import Endless, Once, Range, Series, Stream
from ad_transform.read.values.storage import (
    Array,
    Deque,
    Distinct,
    Lists,
    Rows,
    Slice,
    Stack,
)
from ad_transform.read.values.structured import Dict, Group, Object, Unread
from ad_transform.read.values.values import Draft, Maybe, Value

_TYPES = {"float": "a float", "int": "an int", "bool": "a bool", "str": "a str"}


_DICTS = {"Entries": "a dict", "Defaults": "a defaultdict", "Counts": "a Counter"}


def named(of: Class) -> str:
    """The name of a class in messages."""
    return _DICTS[of.name] if of.module.source.path == DICTS else repr(of.name)


def describe(value: Value) -> str:
    """A value in the words of messages: "a tuple", "the function 'g'"."""
    match value:
        case Draft(type=type_) if type_.shape:
            return "an array"
        case Draft(type=type_) | Literal(type=type_):
            return _TYPES[type_.kind.value]
        case Object(of=Class(entries=(_, *_)) | Class(style=Style.DICT)):
            return "a dict"
        case Object(of=of) if of.module.source.path == DICTS:
            return named(of)
        case Object(of=of) | Group(of=Class() as of):
            return f"an object of {of.name!r}"
        case Unread(said=said):
            return f"a value of type {said!r}"
        case Class(name=name):
            return f"the class {name!r}"
        case Group(container=container):
            return _held_as(container)
        case Array(cell=cell):
            return _held_as(cell.container)
        case Distinct():
            return "a set"
        case Deque():
            return "a deque"
        case Rows():
            return "a list of rows that grows"
        case Lists():
            return "a list of lists that grows"
        case Stack():
            return "a list of arrays that grows"
        case Method(of=of, name=name):
            return f"the method {name!r} of {describe(of)}"
        case Super():
            return "`super()`"
        case Slice():
            return "a slice"
        case Dict():
            return "a dict"
        case Endless():
            return "what has no end"
        case Series():
            return "a sequence of run-time length"
        case Range():
            return "a range"
        case Once(said=said):
            return said
        case Stream():
            return "a comprehension of unknown length"
        case Dotted(name=name):
            return f"{name.removeprefix('builtins.')!r}"
        case FileModule(module=module):
            return f"the module {module.path!r}"
        case External(closure=Closure(code=code)):
            return f"the function {code.name!r}"
        case FileFunction(name=name):
            return f"the function {name!r}"
        case Closure(code=code):
            return f"the function {code.name!r}"
        case Partial(function=function):
            return describe(function)
        case Maybe(value=value):
            return f"None or {describe(value)}"
        case Chosen(one=one, other=other):
            return f"{describe(one)} or {describe(other)}"
    return "None"


def _held_as(container: Container) -> str:
    article = "an" if container is Container.ARRAY else "a"
    return f"{article} {container.value}"


def either(values: Sequence[Value]) -> str:
    """One of several values in words, each kind once: "a float or None"."""
    said = (part for value in values for part in describe(value).split(" or "))
    return " or ".join(dict.fromkeys(said))


def one_or_other(values: Sequence[Value]) -> str:
    """The same for values that cannot be joined, even if all are of one kind."""
    said = either(values)
    is_kind = said.startswith(("a ", "an ")) and " or " not in said
    return f"{said} of one kind or another" if is_kind else said
