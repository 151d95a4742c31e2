"""Elements of arrays that later trips of a loop come back to.

In `for i in range(n): y[i + 1] = f(y[i])` trip i reads y[i], and later trips store
y[i + 2], y[i + 3], ...: behind the loop, y[i] is what trip i read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.loops.affine import (
    AffineForm,
    AffineForms,
    Conditions,
    equal,
    minus,
    number,
    plus,
    renamed,
)
from ad_transform.ir.loops.sites import Inside, Site, Sites, Step
from ad_transform.ir.nodes import Apply, Literal, Operand, Scan, Var
from ad_transform.ir.types import INT

_MOST = 400
"""Pairs of a store and another access to an array that are looked at; where there are
more, nothing is said of the array.
"""


class Meeting:
    """Questions about the sites of a loop (`ir.sites.Sites`, with the same arguments).

    One asks each store of an array once, of which there are few.
    """

    def __init__(
        self,
        loop: Scan,
        forms: AffineForms,
        consumption: Consumption,
        read: Operand | None = None,
    ) -> None:
        self._sites = Sites(loop, forms, consumption, read)
        self._told: dict[Site, bool] = {}
        stores = Counter(site.array for site in self._sites.stores)
        every = stores + Counter(site.array for site in self._sites.reads)
        self._sites.unknown.update(k for k in stores if stores[k] * every[k] > _MOST)

    @property
    def inside(self) -> Inside:
        """The body of the loop."""
        return self._sites.inside

    def is_final(self, site: Site) -> bool:
        """Whether the element has the value of a site when the loop is left."""
        return (
            site.array not in self._sites.unknown
            and self._is_told(site)
            and not any(
                self._may_meet(site, store) for store in self.stores(site.array)
            )
        )

    def is_known(self, array: int) -> bool:
        """Whether an array changes only by stores into its elements."""
        grown = (site.array for _, _, site in self._sites.appends)
        return array not in self._sites.unknown and array not in grown

    def is_inner(self, value: Var) -> bool:
        """Whether a whole number in a form is one that trips make."""
        return value in self._sites.depth

    def stores(self, array: int) -> Iterator[Site]:
        """The sites at which elements of an array are stored or added to."""
        return (site for site in self._sites.stores if site.array == array)

    def reads(self, array: int) -> Iterator[Site]:
        """The sites of reads of an array; one without an index is of any element."""
        return (site for site in self._sites.reads if site.array == array)

    def stored(self, array: int) -> Iterator[tuple[Site, Apply]]:
        """The sites at which elements of an array change, with the statements."""
        every = self._sites.stores.items()
        return ((site, made) for site, made in every if site.array == array)

    def numbers(self) -> Iterator[tuple[Apply, Site]]:
        """The statements that store a number that is written out in an element in which
        nothing else was stored before.
        """
        for site, statement in self._sites.stores.items():
            number = statement.args[1]
            if (
                statement.op.name == "set"
                and isinstance(number, Literal)
                and self.is_known(site.array)
                and self._is_told(site)
                and not any(
                    self._may_meet(other, site)
                    for other, made in self.stored(site.array)
                    if made.op.name != "set" or made.args[1] != number
                )
            ):
                yield statement, site

    def first(self) -> Iterator[tuple[Apply, Site]]:
        """The statements that add to an element in which nothing was stored before."""
        for site, statement in self._sites.stores.items():
            others = self.stores(site.array)
            if (
                statement.op.name != "set"
                and self.is_known(site.array)
                and not any(self._may_meet(other, site) for other in others)
            ):
                yield statement, site

    def renewed(self) -> Iterator[tuple[Apply, Apply]]:
        """The statements that store 0.0 in an element, with those that are the next to
        read it: they add to it in the same block.
        """
        for site, statement in self._sites.stores.items():
            if statement.op.name != "set" and self.is_known(site.array):
                for zero in self.stores(site.array):
                    if self._is_zero_until(zero, site):
                        yield self._sites.stores[zero], statement

    def _is_zero_until(self, zero: Site, site: Site) -> bool:
        """Whether 0.0 is stored at a place that nothing else uses before a site."""
        made, way = self._sites.stores[zero], zero.way
        if (
            made.op.name != "set"
            or made.args[1] != Literal(0.0)
            or way != site.way
            or zero.index != site.index
            or zero.place >= site.place
        ):
            return False
        depth = sum(step.is_loop for step in way)
        between = (
            other
            for other in (*self._sites.stores, *self._sites.reads)
            if other.array == site.array and other.way[: len(way)] == way
            if _is_behind(zero, other, len(way)) and _is_behind(other, site, len(way))
        )
        return self._is_told(zero) and all(
            self._is_told(other) and not self._may_meet_in(zero, other, depth, None)
            for other in between
        )

    def may_be(
        self, site: Site, index: tuple[AffineForm, ...], conditions: Conditions = ()
    ) -> bool:
        """Whether the element of a site in some trip may be the one at an index, which
        is told in terms of other values; `conditions` hold of these.
        """
        if not self._is_told(site):
            return True
        both = (*site.conditions, *conditions)
        below = (minus(number(-1), form) for form in index)
        pairs = zip(site.index, index, strict=False)
        met = (condition for a, b in pairs for condition in equal(a, b))
        return not (
            all(self._sites.excluded((*both, one)) for one in below)
            and self._sites.excluded((*both, *met))
        )

    def unread(self) -> Iterator[tuple[Apply, Site]]:
        """The statements that store an element which later trips do not read."""
        for site, statement in self._sites.stores.items():
            if (
                statement.op.name == "set"
                and site.array not in self._sites.unknown
                and not any(
                    self._may_meet(site, read) for read in self.reads(site.array)
                )
            ):
                yield statement, site

    def _is_told(self, site: Site) -> bool:
        """Whether no index may be below 0: such a place is told from the end."""
        if site not in self._told:
            below = (minus(number(-1), form) for form in site.index)
            self._told[site] = all(
                self._sites.excluded((*site.conditions, b)) for b in below
            )
        return self._told[site]

    def _may_meet(self, site: Site, store: Site) -> bool:
        """Whether a later store, in the same trip or another, may be to the element."""
        if not (self._is_told(site) and self._is_told(store)):
            return True
        common = 0
        for a, b in zip(site.way, store.way, strict=False):
            if a != b:
                break
            common += 1
        loops = [step for step in site.way[:common] if step.is_loop]
        return any(
            self._may_meet_in(site, store, depth, loop)
            for depth, loop in enumerate(loops)
        ) or (
            _is_behind(site, store, common)
            and self._may_meet_in(site, store, len(loops), None)
        )

    def _may_meet_in(
        self, site: Site, store: Site, depth: int, loop: Step | None
    ) -> bool:
        """As `_may_meet`, where so many outer loops are in the same trip, and the next
        one, if there is one, is in a later trip.
        """
        others = {v: Var(INT) for v, own in self._sites.depth.items() if own > depth}
        pairs = zip(site.index, store.index, strict=False)
        met = [c for a, b in pairs for c in equal(a, renamed(b, others))]
        if any(form in met for form in site.apart):
            return False
        if any(renamed(form, others) in met for form in store.apart):
            return False
        if loop is not None and loop.index is not None:
            grown: AffineForm = {others[loop.index]: 1, loop.index: -1}
            sign = 1 if loop.growth > 0 else -1
            met.append(plus(number(-abs(loop.growth)), grown, sign))
        there = (renamed(form, others) for form in store.conditions)
        return not self._sites.excluded((*site.conditions, *there, *met), others)


def _is_behind(site: Site, store: Site, common: int) -> bool:
    """Whether a store comes behind a site in the trip that both are in."""
    ahead, behind = site.way[common:], store.way[common:]
    place = ahead[0].place if ahead else site.place
    other = behind[0].place if behind else store.place
    return other > place
