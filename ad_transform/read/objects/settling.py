"""Objects and dicts that become items of a list whose items change: see `homes`.

From then on they stand in the list, and so do the names that this arm or trip has given
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Literal
from ad_transform.later import later
from ad_transform.read.arrays import rebinding
from ad_transform.read.machine.aliases import Round
from ad_transform.read.machine.context import Context
from ad_transform.read.objects import homes
from ad_transform.read.objects.homes import Home
from ad_transform.read.syntax.in_python import is_in_python
from ad_transform.read.values.frames import known_of
from ad_transform.read.values.layouts import Row
from ad_transform.read.values.storage import Rows
from ad_transform.read.values.structured import Dict, Object
from ad_transform.read.values.values import Number, Value

with later():
    from ad_transform.read.objects import assigning


def settle(flat: Context, of: Rows, value: Value, place: Number, span: Span) -> None:
    """Let an object that has become an item of a list know that it stands there; AD124
    where another arm or trip has made it, and something has it still.
    """
    if not of.layout.is_live:
        return
    home = Home(flat, homes.whole(of), place)
    if isinstance(value, Dict):
        _settle_dict(flat, value, homes.made(home, of.layout), span)
    elif isinstance(value, Object):
        _settle(flat, value, home, of.layout, span)


def settle_all(flat: Context, of: Rows, items: Sequence[Value], span: Span) -> None:
    """Let the items of a new list know that they stand there; AD124 if two of them are
    one dict.
    """
    for k, item in enumerate(items):
        if of.layout.is_live and isinstance(item, Dict) and _is_among(item, items[:k]):
            message = "two items of this list are one dict, and its entries change"
            flat.refuse("AD124", message, span, "let one of them be a copy: `dict(d)`")
            return
        settle(flat, of, item, Literal(k), span)


def _settle(flat: Context, value: Object, home: Home, layout: Row, span: Span) -> None:
    """Let an object at a path of fields, and those in its fields, know their places."""
    own, fields = value.identity, flat.heap.fields
    if own is None or own.fixed:
        _hand_over(flat, value, home, span)
        return
    for k, inner in enumerate(layout.parts):
        item = fields.item(value, value.of.names[k], span)
        if isinstance(inner, Row) and inner.is_live and isinstance(item, Object):
            _settle(flat, item, replace(home, path=(*home.path, k)), inner, span)
    if own.scope is fields.scope and own.home is None and not own.givers:
        own.home, fields.has_homes = home, True
        return
    kept = [*flat.stack, *_held_outside(flat, ())]
    held = assigning.reached(flat, kept)
    if any(isinstance(one, Object) and one.identity is own for one in held):
        homes.refuse(flat, span)


def _hand_over(flat: Context, value: Object, home: Home, span: Span) -> None:
    """Let names that this arm or trip has given an item of a list whose objects do not
    change stand for the item of the other list from now on. No one may read the first
    list then, which is found out at the end.
    """
    frame = flat.frame
    scope = frame.trail[-1] if frame.trail else frame.names
    held = {n: known_of(v) for n, v in frame.names.items()}
    names = [name for name, one in held.items() if one is value and name in scope]
    others = rebinding.inside([*flat.stack, *rebinding.outside(flat, frame, names)])
    if any(one is value for one in others):
        homes.enliven(flat, value.of)
        homes.refuse(flat, span)
        return
    for name in names:
        frame.bind(name, homes.made(home, home.layout))
    flat.rows_out.handed.append((flat.heap.aliases.tick(), value.of, span))


def refuse_handed(flat: Context) -> None:
    """Begin again for lists whose objects have been put into a list of objects that
    change, and that may be read behind such a change: their objects change, too. AD124
    if that has been tried.
    """
    out, aliases = flat.rows_out, flat.heap.aliases
    for time, of, span in out.handed:
        for look in aliases.looks:
            layout = out.sites.get(look.cell.span)
            if layout is None or layout.kind is not of or layout.is_live:
                continue
            again = [r for r in aliases.rounds if aliases.born[look.cell] < r.start]
            behind = (t for t in out.stored if _follows(time, t, again))
            if any(_follows(t, look.time, again) for t in behind):
                homes.enliven(flat, of)
                homes.refuse(flat, span)
                return


def _follows(one: int, other: int, again: Sequence[Round]) -> bool:
    """Whether an event at one time may come before one at another time, as loops run
    `again`.
    """
    return one < other or any(r.has(one) and r.has(other) for r in again)


def _held_outside(flat: Context, names: Sequence[str]) -> list[rebinding.Held]:
    """All values that can be reached, but for some names of the running function. Of a
    function read from Python text all names are left out: it stores its arguments at
    its end.
    """
    is_read = is_in_python(flat.running[-1].span)
    own = [*flat.frame.names] if is_read else names
    return rebinding.outside(flat, flat.frame, own)


def _settle_dict(flat: Context, value: Dict, own: Object, span: Span) -> None:
    """Let names that this arm or trip has given a dict stand for the item of the list
    that it has become.
    """
    frame = flat.frame
    scope = frame.trail[-1] if frame.trail else frame.names
    held = {n: v for n, v in frame.names.items() if isinstance(v, Dict) and n in scope}
    names = [name for name, one in held.items() if one.identity is value.identity]
    others = rebinding.inside([*flat.stack, *_held_outside(flat, names)])
    if _is_among(value, others):
        message = "a dict that has a name is put into a list, and its entries change"
        flat.refuse("AD124", message, span, "append a copy: `dict(d)`")
        return
    for name in names:
        frame.bind(name, own)


def _is_among(value: Dict, others: Iterable[Value]) -> bool:
    dicts = (one for one in others if isinstance(one, Dict))
    return any(one.may_be(value) or value.may_be(one) for one in dicts)
