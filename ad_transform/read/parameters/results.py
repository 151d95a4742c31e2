"""The result of a function: its shape, and its numbers in order."""

from __future__ import annotations

from collections.abc import Callable

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import LEAF, Container, Literal, Maker, Nest
from ad_transform.ir.types import STR
from ad_transform.later import later
from ad_transform.read.report import Report
from ad_transform.read.values.classes import Class
from ad_transform.read.values.storage import Array, Lists, Rows
from ad_transform.read.values.structured import GROUPS, Group, Object
from ad_transform.read.values.values import Draft, Number, Special, Value

with later():
    from ad_transform.read.containers import keyed
    from ad_transform.read.values.described import describe

Asked = tuple[
    Callable[[Value], Value], Callable[[Array], Value], Callable[[Class], Maker]
]

_DEEPEST = 50
"""The most levels of a nested result."""

_LEAVES = 100_000
"""The most numbers in a result; `t = (t, t)` doubles them."""


def shape_of(
    value: Value,
    leaves: list[Number],
    span: Span,
    report: Report,
    asked: Asked,
) -> Nest | None:
    """The shape of a result; its numbers go into `leaves`. None after a report.

    `asked` has three functions: for a value that is not None, for the elements of an
    array, and for the import of a class.

    Codes: AD004 (too large), AD105 (no number).
    """
    return _shape(value, leaves, span, report, asked, 0)


def _shape(
    value: Value,
    leaves: list[Number],
    span: Span,
    report: Report,
    asked: Asked,
    depth: int,
) -> Nest | None:
    certain, held, _ = asked
    value = certain(value)
    if len(leaves) > _LEAVES:
        message = f"the result holds more than {_LEAVES} numbers"
        report.add("AD004", message, span, "return fewer, or arrays later on")
        return None
    if isinstance(value, Draft | Literal) and value.type != STR:
        leaves.append(value)
        return Nest(Container.ARRAY, (LEAF,)) if value.type.shape else LEAF
    if isinstance(value, Array):
        content = held(value)
        if isinstance(content, Draft):
            leaves.append(content)
            return Nest(value.cell.container, (LEAF,))
        return None
    if isinstance(value, GROUPS) and not keyed.is_one(value):
        of = value.of
        if of is not None and (of.flaw or of.barred or of.own):
            message = f"an object of {of.name!r} cannot be a result: "
            message += f"the class {of.flaw or of.barred or of.own}"
            report.add("AD105", message, span, "return its fields, as a tuple")
            return None
        if depth < _DEEPEST:
            return _nested(value, leaves, span, report, asked, depth)
    if value is not Special.REFUSED:
        message = f"{describe(value)} cannot be a result"
        help_ = "return a float, or a tuple or list of floats"
        if isinstance(value, Draft | Literal):
            help_ = "return numbers alone; of `error`, without `report=True`"
        if isinstance(value, Rows | Lists):
            help_ = "return an array of its numbers: `np.array(rows)`"
        report.add("AD105", message, span, help_)
    return None


def _nested(
    value: Group | Object,
    leaves: list[Number],
    span: Span,
    report: Report,
    asked: Asked,
    depth: int,
) -> Nest | None:
    """The shape of a value that holds other results."""
    items: list[Nest] = []
    for inner in value.items:
        item = _shape(inner, leaves, span, report, asked, depth + 1)
        if item is None:
            return None
        items.append(item)
    if value.of is not None:
        return Nest(Container.OBJECT, tuple(items), value.of.names, asked[2](value.of))
    assert isinstance(value, Group)
    return Nest(value.container, tuple(items))
