"""Values through which no derivative goes: `# ad: passive`."""

from __future__ import annotations

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.elementals.calls import PASSIVE
from ad_transform.read.machine.context import Context
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Value, is_whole


def made_passive(flat: Context, value: Value, span: Span) -> Value:
    """The value as a constant to all derivatives; AD107 for whole arrays."""
    if isinstance(value, Group):
        items = tuple(made_passive(flat, item, span) for item in value.items)
        return replace(value, items=items)
    if isinstance(value, Array) or is_whole(value):
        message = "an array whose elements are not known one by one cannot be passive"
        help_ = "write `# ad: passive` above what computes its elements"
        return flat.refuse("AD107", message, span, help_)
    if isinstance(value, Draft) and value.type.is_real:
        made = flat.apply(PASSIVE, (value,), span)
        if isinstance(made, Draft):
            made.of = value
        return made
    return value
