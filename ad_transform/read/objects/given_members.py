"""Members of an `Enum` that a function is given: texts that only a run knows."""

from __future__ import annotations

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import INT, STR
from ad_transform.read.containers import tables
from ad_transform.read.machine.context import Context
from ad_transform.read.objects import (
    enumerations,
    objects,
)
from ad_transform.read.values.classes import Class
from ad_transform.read.values.structured import Dict
from ad_transform.read.values.values import Draft, Member, Value


def given(of: Class, name: str, depth: int, span: Span | None) -> Draft:
    """A member that a function is given as a parameter, or in one."""
    kind = INT if of.mixed == "builtins.int" else STR
    return Member(kind, span, name, depth, cases=of)


def attribute(flat: Context, value: Member, name: str, span: Span) -> Value | None:
    """`mode.value`, `mode.name` or a method; None if there is none of that name."""
    of = value.cases
    assert of is not None
    if name == "value" and of.mixed:
        return value
    if name in ("value", "name"):
        texts = tuple(
            of.module.definitions.member(of, own) for own in enumerations.names_of(of)
        )
        values = tuple(
            enumerations.value_of(of, own) if name == "value" else Literal(own)
            for own in enumerations.names_of(of)
        )
        keys = tuple(text for text in texts if isinstance(text, Literal))
        return tables.item(flat, Dict(keys, values), value, span)
    found = of.owner(name)
    return None if found is None else objects.member(flat, found, name, value, span)
