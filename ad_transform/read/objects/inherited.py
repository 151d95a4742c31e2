"""`super()`: attributes of the classes behind the one in which a method stands."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.diagnostics import Span
from ad_transform.read.machine.context import Context
from ad_transform.read.objects import objects
from ad_transform.read.values.callables import Method, Super
from ad_transform.read.values.classes import Class, owner_in
from ad_transform.read.values.frames import Promise
from ad_transform.read.values.structured import Object
from ad_transform.read.values.values import Special, Value

SUPER = "builtins.super"

INIT = "__init__"


def above(flat: Context, values: Sequence[Value], span: Span) -> Value:
    """The value of `super()` in the method that is running, or of `super(C, self)`."""
    if len(values) == 2:
        of, value = values
    else:
        of, value = _running(flat)
    fits = isinstance(of, Class) and isinstance(value, Object | Class)
    if not fits or len(values) not in (0, 2):
        message = "`super()` is understood in a method itself"
        help_ = "call it there, and hand on what it gives"
        return flat.refuse("AD107", message, span, help_)
    assert isinstance(of, Class) and isinstance(value, Object | Class)
    line = (value.of if isinstance(value, Object) else value).line
    return Super(line[line.index(of) + 1 :] if of in line else (), value)


def _running(flat: Context) -> tuple[Value, Value]:
    """The class in which the running method stands, and its first argument."""
    code = flat.running[-1]
    if code.owner is None or not code.formals:
        return Special.NONE, Special.NONE
    value = flat.frame.names.get(code.formals[0].name, Special.NONE)
    if isinstance(value, Promise):
        value = value.at(code.span)
    return code.owner, value


def attribute(flat: Context, value: Super, name: str, span: Span) -> Value:
    """`super().name`: a method or a constant, never a field."""
    if name == INIT and (home := value.initialised) is not None and home.generated:
        return Method(value, name)
    found = owner_in(value.above, name)
    if found is not None:
        return objects.member(flat, found, name, value.value, span)
    if name == INIT:
        return Method(value, name)  # that of no class
    message = f"no base has {name!r}"
    if value.above:
        message = f"the base {value.above[0].name!r} has no {name!r}"
    return flat.refuse("AD102", message, span, "define it in a class further up")
