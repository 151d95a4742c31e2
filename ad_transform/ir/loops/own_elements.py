"""Loops whose trips each have an element of an array to themselves.

Trip i of `y[i] = sin(x[i])` stores y[i] and no other element, and trip i of `y_bar[i] =
2.0 * y[i]` reads no other one: the trips of the second loop may each follow that of the
first.
"""

from __future__ import annotations

from collections.abc import Callable

from ad_transform.ir.blocks.carried import has_own_places
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.loops.affine import AffineForm, AffineForms
from ad_transform.ir.loops.sites import ONLY_READ, Sites
from ad_transform.ir.nodes import Apply, Operand, Scan, Statement, Var


class OwnElements:
    """The own elements of trips in loops of a block; `forms` are those of the block."""

    def __init__(self, forms: AffineForms, consumption: Consumption) -> None:
        self._forms = forms
        self._consumption = consumption

    def are_stored(self, loop: Scan, carry: int) -> bool:
        """Whether each trip changes an array that it carries at its index alone, and
        reads it nowhere else. Linear.
        """
        return has_own_places(loop) and _is_own(self._sites(loop), carry)

    def are_read(self, loop: Scan, array: Operand) -> bool:
        """Whether each trip reads an array at its index alone. Linear."""
        if array in self._consumption.handed(loop, loop.body):
            return False  # it becomes something else
        return _is_own(self._sites(loop, array), ONLY_READ)

    def _sites(self, loop: Scan, read: Operand | None = None) -> Sites:
        return Sites(loop, self._forms, self._consumption, read)


def _is_own(sites: Sites, array: int) -> bool:
    (step,) = sites.inside.way
    if array in sites.unknown or step.index is None:
        return False
    own: AffineForm = {step.index: 1}
    found = [*sites.reads, *sites.stores, *(site for _, _, site in sites.appends)]
    return all(site.index[:1] == (own,) for site in found if site.array == array)


def has_room(
    loop: Scan, carry: int, maker_of: Callable[[Operand], Statement | None]
) -> bool:
    """Whether an array that a loop carries has an element for each trip: one of slopes
    has, and one of the user's that is made so. Storing in others may raise. `maker_of`
    gives the statement beside the loop that makes a value.
    """
    array = loop.carries[carry]
    if not loop.outs[carry].named and not (isinstance(array, Var) and array.named):
        return True
    maker, stop = maker_of(array), maker_of(loop.stop)
    if not isinstance(maker, Apply):
        return False
    if maker.op.name == "full":
        return len(maker.args) > 1 and maker.args[1] == loop.stop
    if not isinstance(stop, Apply) or stop.op.name != "size":
        return False
    return maker.op.name == "like" and stop.args == maker.args[:1]
