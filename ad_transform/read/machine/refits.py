"""Beginning again: a list or tuple has to be an array from where it is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ad_transform.diagnostics import Span
from ad_transform.ir.dims import ANY
from ad_transform.ir.types import INT, Type
from ad_transform.later import later
from ad_transform.read.arrays.blocks import MOST
from ad_transform.read.containers import sequences
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.fitted import Refit
from ad_transform.read.values.layouts import Layout
from ad_transform.read.values.storage import Array, Cell
from ad_transform.read.values.structured import Dict, Group, Made, OneOf, among
from ad_transform.read.values.values import Value

with later():
    from ad_transform.read.containers import keys
    from ad_transform.read.objects import pools
    from ad_transform.read.rows import row_layouts

if TYPE_CHECKING:
    from ad_transform.read.flattening.flatten import Flattener


def again(flat: Flattener, refit: Refit) -> None:
    """Begin again: at once, or at the end of the function, to find other forms that are
    needed on the way. Until then the value counts as refused.
    """
    fitted = flat.fitted
    if fitted is None or fitted.one_by_one or flat.tried:
        raise refit  # a loop that stays for a try is unrolled for good if it is refused
    fitted.find(refit)


def widen(flat: Flattener, cell: Cell, wide: Type) -> None:
    """Begin again with a list of wider elements, unless that has been tried."""
    if flat.sites.get(cell.span) != wide:
        again(flat, Refit(cell.span, wide))


def relay(flat: Flattener, site: Span, layout: Layout) -> None:
    """Begin again with a list of rows, if the list is written as `[...]`."""
    layout = pools.unknown(layout)
    if flat.fits and site in flat.displays and flat.layouts.get(site) != layout:
        again(flat, Refit(site, layout=layout))


def refit(flat: Flattener, group: Group) -> None:
    """Begin again with an array for a list or tuple, if the place where it is made is
    known.

    A list that is still there the second time is made elsewhere: a module constant.
    """
    if group.site is not None and flat.fits and group.site not in flat.sites:
        fits = sequences.is_even(group)
        is_long = all(flat.tried) or sequences.is_table(group)
        if flat.tried and not (fits and is_long):
            raise sequences.Unmade
        again(flat, Refit(group.site))


def rekey(flat: Flattener, table: Dict, *new: Value) -> None:
    """Begin again with a dict that takes any key, if its place is known and its
    entries, and a `new` key, may stand in lists.
    """
    if not _are_alike((*table.keys, *new)) or not _are_alike(table.items):
        return
    made = [one for one in among(table.identity) if isinstance(one, Made)]
    sites = sorted({one.site for one in made} - flat.sites.keys())
    if sites and flat.fits:
        if flat.tried and not all(flat.tried):
            raise sequences.Unmade
        again(flat, Refit(sites[0]))


def box(flat: Flattener, table: Dict) -> None:
    """Begin again with an object for a dict, if its place is known: fields may change
    in arms, loops and other functions, whatever holds the object.
    """
    made = [one for one in among(table.identity) if isinstance(one, Made)]
    if isinstance(table.identity, OneOf):  # an earlier trip may have made it
        made += [own for own, of in flat.rows_out.keyed.items() if of == table.keys]
    names = {str(keys.plain(key)) for key in table.keys}
    known = made and all(one.factory is None for one in made)
    if flat.is_kept and isinstance(table.identity, OneOf):
        return  # it is the caller's
    if not flat.fits or not known or not names or len(names) < len(table.keys):
        return
    for site in sorted({one.site for one in made} - flat.boxed - flat.sites.keys()):
        if flat.tried and not all(flat.tried):
            raise sequences.Unmade
        again(flat, Refit(site, boxed=True))


def pile(flat: Flattener, site: Span) -> None:
    """Begin again with an array of the items of a sum, which are arrays."""
    if flat.fits and not is_piled(flat, site):
        again(flat, Refit(site))


def is_piled(flat: Context, site: Span) -> bool:
    """Whether the items of a sum are known to be arrays; those of a list of floats have
    a type there.
    """
    return flat.sites.get(site, INT) is None


def _are_alike(values: tuple[Value, ...]) -> bool:
    """Whether values can stand in one list that grows."""
    found = [row_layouts.layout_of(value) for value in values]
    wide = found[0] if found else None
    for one in found[1:]:
        wide = None if wide is None or one is None else row_layouts.joint(wide, one)
    return wide is not None or not found


def rewhole(flat: Flattener, array: Array) -> None:
    """Begin again with a whole array for a parameter, if the array is unchanged since
    the call, or may be one by the choice of an `if`.
    """
    givers = flat.heap.aliases.choices.get(array.cell, ())
    for giver in () if array.cell in flat.changed else givers:
        rewhole(flat, Array(giver, array.places))
    origin = array.cell.origin
    is_given = origin in flat.given and array.cell not in flat.changed
    if is_given and flat.fits and ANY not in origin.type.dims:
        wide = Type(origin.type.kind, (), origin.type.dims)
        again(flat, Refit(array.cell.span, wide))


def remake(flat: Flattener, array: Array) -> None:
    """Begin again with an array that is a whole one from where it is made."""
    if len(array.cell.type.dims) > MOST:
        return
    rewhole(flat, array)
    span, dims = array.cell.span, array.cell.type.dims
    is_new = span in flat.made
    if array.cell not in flat.changed and ANY not in dims:  # a name in a loop
        is_new |= any(span == given.span for given in flat.given)
    if is_new and flat.fits and flat.sites.get(span) is None:
        again(flat, Refit(span, Type(array.cell.type.kind, (), dims)))
