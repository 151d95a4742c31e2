"""Attributes by a text that is known: `getattr(p, "rate")`, `hasattr(p, "rate")`."""

from __future__ import annotations

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Literal
from ad_transform.later import later
from ad_transform.read.machine.arguments import Unfit, Values, expect
from ad_transform.read.machine.context import Context
from ad_transform.read.objects import objects
from ad_transform.read.values.callables import Dotted
from ad_transform.read.values.classes import Class, Style
from ad_transform.read.values.values import Draft, Special, Value

with later():
    from ad_transform.read.project.module import in_library

_PLAIN = "write the attribute, `p.rate`"


def getattr_(flat: Context, values: Values, span: Span) -> Value:
    """`getattr(p, name)`, and with a default, of a number or text of an object, or of a
    function of a module.
    """
    expect(values, 2, 3)
    value, name = values[0], _known(values[1])
    if isinstance(value, Dotted) and len(values) == 2:
        return in_library(f"{value.name}.{name}")
    of = _class_of(value)
    if len(values) > 2 and not _has(of, name):
        return values[2]
    found = objects.attribute(flat, value, name, span)
    if found is not Special.REFUSED and not isinstance(found, Draft | Literal):
        raise Unfit("is for numbers and texts of an object", _PLAIN)
    return found


def hasattr_(flat: Context, values: Values, span: Span) -> Value:
    """`hasattr(p, name)` of an object."""
    expect(values, 2, 2)
    return Literal(_has(_class_of(values[0]), _known(values[1])))


def _known(name: Value) -> str:
    if not isinstance(name, Literal) or not isinstance(name.value, str):
        raise Unfit("needs a name that is known", _PLAIN)
    return name.value


def _class_of(value: Value) -> Class:
    of = objects.class_of(value)
    if of is None:
        raise Unfit("needs an object of a class of the project", _PLAIN)
    return of


def _has(of: Class, name: str) -> bool:
    """Whether objects of a class have an attribute; raises Unfit where that may depend
    on their lines.
    """
    if name in of.names or of.owner(name) is not None:
        return True
    if of.style is Style.OBJECT or name.startswith("_"):
        raise Unfit("needs an attribute that the class has", _PLAIN)
    return False
