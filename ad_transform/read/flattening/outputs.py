"""`expand(outputs=[f, g])`: the generated function gives the values of these names."""

from __future__ import annotations

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container
from ad_transform.later import later
from ad_transform.options import nearest
from ad_transform.read.branches import maybe
from ad_transform.read.machine.context import Context
from ad_transform.read.values.frames import made_at
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Special, Value

with later():
    from ad_transform.read.loops import unbound


@dataclass(frozen=True, slots=True)
class Outputs:
    """The names whose values a marked function gives in place of its result; none for
    the result. `span` is that of the mark; `prints` says whether calls of `print` are
    kept.
    """

    names: tuple[str, ...] = ()
    span: Span | None = None
    prints: bool = False


def chosen(flat: Context, outputs: Outputs, returned: Value) -> Value:
    """The values of the names where the function returns, in a tuple if there are
    several; AD103 for a name without a value there.
    """
    span = outputs.span
    assert span is not None
    if returned is Special.REFUSED:
        return returned
    found = [_value(flat, name, span) for name in outputs.names]
    if Special.REFUSED in found:
        return Special.REFUSED
    return found[0] if len(found) == 1 else Group(Container.TUPLE, tuple(found))


def _value(flat: Context, name: str, span: Span) -> Value:
    names = flat.frame.names
    if name in names:
        value = names[name]
        value = made_at(value, span)
        is_open = maybe.is_unbound(value)
        return unbound.read(flat, value, name, span) if is_open else value
    own = [known for known in names if known.isidentifier()]
    message = f"{name!r} has no value where the function returns"
    help_ = nearest(name, own) or f"known: {', '.join(own)}"
    return flat.refuse("AD103", message, span, help_)
