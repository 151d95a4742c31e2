"""Lists of references to objects whose fields are assigned: `parts.sort(key=...)`,
`alive = [p for p in parts if p.x < 1.0]`.

The objects of such a list stand side by side where they have been made, as `homes` has
it, and nothing takes them away from there. The list of the program holds their places,
and so does each other list of some of them: lists of whole numbers, which are put in
order, filtered and handed on as any others.
"""

from __future__ import annotations

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import INT
from ad_transform.later import later
from ad_transform.read.arrays import extents
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.fields import home_of
from ad_transform.read.objects.homes import Home
from ad_transform.read.values.classes import Class
from ad_transform.read.values.layouts import Layout, Listed, Pool, Row
from ad_transform.read.values.series import Series
from ad_transform.read.values.storage import Array, Rows
from ad_transform.read.values.structured import Group, Object
from ad_transform.read.values.values import Draft, Number, Special, Value

with later():
    from ad_transform.read.arrays import arrays
    from ad_transform.read.objects import homes
    from ad_transform.read.rows import rows


def begin(flat: Context, of: Rows) -> None:
    """Begin again with a list of references for a list of objects that change."""
    layout = flat.layouts.get(of.site)
    if isinstance(layout, Row) and layout.is_live and isinstance(layout.kind, Class):
        flat.relay(of.site, replace(layout, is_pooled=True))


def layout(home: Home) -> Row | None:
    """The layout of a list of references to an object of a list, and to others."""
    of = home.layout.kind
    if home.path or not isinstance(of, Class):
        return None
    if not home.rows.layout.is_pooled:
        begin(home.flat, home.rows)
        return None
    return Row(_pool_of(home.rows), (INT,))


def _pool_of(of: Rows) -> Pool:
    return Pool(of.site, of.first.cell.key)


def listed(flat: Context, pool: Rows, span: Span) -> Value:
    """The list of references to all objects of a list that has just been made."""
    count = extents.length(flat, pool.first, span)
    flat.rows_out.pools[_pool_of(pool)] = pool
    at = span._replace(end_column=span.end_column - 1)  # nothing stands there
    places = arrays.gathered(flat, Series(count, lambda k: k), Container.LIST, at)
    if not isinstance(places, Array):
        return places
    return Rows((places,), Row(_pool_of(pool), (INT,)), span)


def _is_there(flat: Context, of: Rows) -> bool:
    """Whether a list can be read here: no loop or arm that has ended made it."""
    cell = of.first.cell
    return flat.heap.cells.get(cell.key) is cell and cell.key in flat.heap.names


def _pool(flat: Context, kind: Pool) -> Rows | None:
    """The objects that references are to; None where they cannot be read."""
    found = flat.rows_out.pools.get(kind)
    return found if found is not None and _is_there(flat, found) else None


def known(flat: Context, layout: Row) -> Row:
    """A layout of references, with the list of the objects where there is one alone."""
    if not isinstance(layout.kind, Pool) or layout.kind.key:
        return layout
    site, pools = layout.kind.site, flat.rows_out.pools.items()
    there = [own for own, of in pools if own.site == site and _is_there(flat, of)]
    return replace(layout, kind=there[0]) if len(there) == 1 else layout


def unknown(layout: Layout) -> Layout:
    """A layout whose references are to objects of a list that has still to be made."""
    if isinstance(layout, Row):
        kind = Pool(layout.kind.site) if isinstance(layout.kind, Pool) else layout.kind
        return replace(layout, kind=kind, parts=tuple(map(unknown, layout.parts)))
    if isinstance(layout, Listed) and layout.of is not None:
        return replace(layout, of=unknown(layout.of))
    return layout


def item(flat: Context, kind: Pool, place: Value, span: Span) -> Value:
    """The object that a reference is to."""
    pool = _pool(flat, kind)
    if pool is None or not isinstance(place, Draft | Literal):
        return _refuse(flat, span)
    if isinstance(place, Draft):
        flat.heap.naturals.add(place)
    return homes.at(flat, pool, place, span)


def row(flat: Context, kind: Pool, value: Value, span: Span) -> Value:
    """A reference to an object, which joins the others where it is a new one."""
    if isinstance(value, Group):
        return value  # nobody looks at it
    pool = _pool(flat, kind)
    if pool is None:
        return _refuse(flat, span)
    home = home_of(value)
    if home is not None and not (home.path or home.rows.cells != pool.cells):
        return Group(Container.TUPLE, (home.place,))
    if home is not None or not isinstance(value, Object):
        return _refuse(flat, span) if home else rows.not_alike(flat, span)
    place: Number = extents.length(flat, pool.first, span)
    rows.append(flat, pool, value, span)
    return Group(Container.TUPLE, (place,))


def _refuse(flat: Context, span: Span) -> Value:
    message = (
        "which list of objects whose fields are assigned this is, only a run knows"
    )
    help_ = "make one list of all objects, in front of loops, branches and other lists"
    flat.refuse("AD124", message, span, help_)
    return Special.REFUSED
