"""Values that have to be made in another form: lists as arrays, or as lists of rows.

The need is found at a read, and the function is flattened once more. The run that has
found it goes on, as if the value were refused there, to find more: so a function with
many lists is flattened a few times, and not once for each.
"""

from __future__ import annotations

from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.ir.types import Type
from ad_transform.read.values.layouts import Layout

_ROUNDS = 8
"""The most runs that may find several lists each; after them, lists go one by one."""


class Refit(Exception):
    """The value made at `site` needs another form: the function is flattened again.

    It has to be an array, for reads at a run-time index, with elements of type `wide`
    if that is known; or, with a `layout`, a list of rows. A `boxed` dict has to be an
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
    """The forms that are known to be needed: arrays for lists and lists of rows, by the
    places where they are made, and objects for dicts; and those `found` in this run.

    Code behind a list that is found may be misread in the same run. So if the last run
    is refused after one that has found `several`, the search begins anew, `one_by_one`.
    """

    sites: dict[Span, Type | None] = field(default_factory=dict)
    layouts: dict[Span, Layout] = field(default_factory=dict)
    boxed: set[Span] = field(default_factory=set)
    found: dict[Span, Refit] = field(default_factory=dict)
    one_by_one: bool = False
    several: bool = False
    rounds: int = 0

    def find(self, refit: Refit) -> None:
        """Note a form that is needed; the first one found at a place counts."""
        self.found.setdefault(refit.site, refit)

    def end(self) -> None:
        """End a run; raises Refit if it has found something, for it may be misread."""
        if self.found:
            raise next(iter(self.found.values()))

    def clear(self) -> None:
        """Forget all forms."""
        self.sites.clear()
        self.layouts.clear()
        self.boxed.clear()
        self.found.clear()

    def is_right(self, *, refused: bool) -> bool:
        """Whether a run has found nothing new; else the function runs again."""
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
