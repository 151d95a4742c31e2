"""Values that have to be made in another form: lists as arrays, or as lists of rows.

It is found where it is read, and the function is flattened once more. A run goes on
behind what it has found, as if that were refused there, for what else there is: a
function with many lists is flattened a few times, and not once for each.
"""

from __future__ import annotations

from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.ir.types import Type
from ad_transform.read.values.layouts import Layout

_ROUNDS = 8
"""Runs that may find several lists, each: where there are more, they go one by one."""


class Refit(Exception):
    """What is made at `site` has to be made otherwise: the function is flattened again.

    It has to be an array that is read at a run-time index, whose elements are of type
    `wide` if that is known; or, with a `layout`, a list of rows. A `boxed` dict is an
    object with its entries as fields.
    """

    def __init__(
        self,
        site: Span,
        wide: Type | None = None,
        layout: Layout | None = None,
        *,
        boxed: bool = False,
    ) -> None:
        super().__init__(site)
        self.site = site
        self.wide = wide
        self.layout = layout
        self.boxed = boxed


@dataclass(slots=True)
class Fitted:
    """What is known by now: lists that have to be arrays, and lists of tuples, by where
    they are made, dicts that are objects; and what the run that goes on has `found`.

    What stands behind a list that is found may be misread in that run. So where the
    last run is refused after one that has found `several`, they are looked for again,
    `one_by_one`.
    """

    sites: dict[Span, Type | None] = field(default_factory=dict)
    layouts: dict[Span, Layout] = field(default_factory=dict)
    boxed: set[Span] = field(default_factory=set)
    found: dict[Span, Refit] = field(default_factory=dict)
    one_by_one: bool = False
    several: bool = False
    rounds: int = 0

    def find(self, refit: Refit) -> None:
        """Something has to be made otherwise: what is found first counts."""
        self.found.setdefault(refit.site, refit)

    def end(self) -> None:
        """End a run that has found something: what is misread makes no program."""
        if self.found:
            raise next(iter(self.found.values()))

    def clear(self) -> None:
        """Forget what is known."""
        self.sites.clear()
        self.layouts.clear()
        self.boxed.clear()
        self.found.clear()

    def is_right(self, *, refused: bool) -> bool:
        """Whether a run has found nothing more; else it is to be run again."""
        if not self.found and not (refused and self.several):
            return True
        self.rounds += 1
        self.several |= len(self.found) > 1
        if not self.found or (self.several and self.rounds > _ROUNDS):
            self.clear()
            self.one_by_one, self.several = True, False
        for site, refit in self.found.items():
            if refit.boxed:
                self.boxed.add(site)
                continue
            self.sites[site] = refit.wide
            if refit.layout is not None:
                self.layouts[site] = refit.layout
        self.found.clear()
        return False
