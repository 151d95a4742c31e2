"""The contents of a report: a source, its derivatives, and measures of its lines."""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.dataclass import dataclass
from ad_transform.picture.model import Page


@dataclass(frozen=True, slots=True)
class Measure:
    """A quantity that is shared out among the lines of a source.

    `shares` are between 0 and 1 by line number and decide the shade; `figures` stand
    beside the lines, `tips` are shown on hovering.
    """

    key: str
    title: str
    shares: Mapping[int, float]
    figures: Mapping[int, str]
    tips: Mapping[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class View:
    """One generated function beside its source.

    `origins` has the lines of the source that each line of `text` comes from. `page` is
    the graph before its first step, None where it is not drawn; `remarks` say what is
    missing, and why.
    """

    name: str
    title: str
    text: tuple[str, ...]
    origins: tuple[frozenset[int], ...]
    measures: tuple[Measure, ...]
    page: Page | None
    remarks: tuple[str, ...] = ()
