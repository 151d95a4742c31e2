"""Functions and classes of the library that are read from Python text; see `in_python`.

Faults inside them are reported where the source calls them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Diagnostic, Span
from ad_transform.later import later
from ad_transform.read.syntax.in_python import is_in_python

with later():
    from importlib.resources import files

if TYPE_CHECKING:
    from ad_transform.read.project.module import Module
    from ad_transform.read.project.shared import Shared
    from ad_transform.read.values.values import Value

_HEAPS = "heappush heappop heapify heapreplace heappushpop"
_AVERAGES = "mean fmean median median_low median_high"
_COUNTS = "bincount digitize histogram unique"
_SPREADS = "variance pvariance stdev pstdev"
FUNCTIONS: Mapping[str, tuple[str, str]] = {
    **{f"heapq.{name}": ("heaps", name) for name in _HEAPS.split()},
    "bisect.insort": ("heaps", "insort_right"),
    "bisect.insort_right": ("heaps", "insort_right"),
    "bisect.insort_left": ("heaps", "insort_left"),
    **{f"numpy.{name}": ("counts", name) for name in _COUNTS.split()},
    **{
        f"statistics.{name}": ("averages", name)
        for name in f"{_AVERAGES} {_SPREADS}".split()
    },
}
"""File and name of each function, by its qualified name."""

BY_KEY: Mapping[str, tuple[str, str]] = {
    "bisect.bisect": ("heaps", "right_of"),
    "bisect.bisect_right": ("heaps", "right_of"),
    "bisect.bisect_left": ("heaps", "left_of"),
}
"""Functions that are read from Python text if a `key` is given."""


def is_read(qualified: str, keywords: Container[str]) -> bool:
    """Whether a function of the library, called with some keywords, is read from Python
    text.
    """
    return qualified in FUNCTIONS or ("key" in keywords and qualified in BY_KEY)


def text_of(file: str) -> bytes:
    """The content of a file of `in_python`, which imports numpy only in this text: the
    tool itself does without.
    """
    found = files("ad_transform.read.in_python").joinpath(f"{file}.py").read_bytes()
    return found.replace(b"\nnp: Any = None\n", b"\nimport numpy as np\n")


def function(module: Module, qualified: str) -> Value:
    """A function of the library, from its file in `in_python`."""
    file, name = FUNCTIONS.get(qualified) or BY_KEY[qualified]
    return module.elsewhere.library(file).definitions.define(name)


@contextmanager
def called_at(shared: Shared, called: str, span: Span) -> Iterator[None]:
    """Diagnostics inside a file of `in_python` are reported at the call instead."""
    shared.called = called, span
    with shared.apart() as report:
        yield
    shared.report.extend(placed(report.sorted(), called, span))


def placed(
    diagnostics: Iterable[Diagnostic], called: str, span: Span
) -> Iterator[Diagnostic]:
    """Diagnostics; those inside files of `in_python` are moved to a call."""
    for item in diagnostics:
        if item.span is None or not is_in_python(item.span):
            yield item
        else:
            yield replace(item, message=f"{called}: {item.message}", span=span)
