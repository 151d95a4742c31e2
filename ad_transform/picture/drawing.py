"""From derived functions to the text of a picture, by the ending of its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.derive.accumulation.linearise import is_on_arrays
from ad_transform.derive.kinds.kind_rows import KINDS
from ad_transform.derive.kinds.kinds import Derived
from ad_transform.diagnostics import Diagnostic, Refusal, Span
from ad_transform.ir.nodes import Call, Function, Scan, Solve, While, walk
from ad_transform.options import Options
from ad_transform.picture.dot import as_dot
from ad_transform.picture.history import TooLong
from ad_transform.picture.html import as_html
from ad_transform.picture.model import Page
from ad_transform.picture.pages import Point, pages, stills
from ad_transform.picture.stamp import stamped
from ad_transform.picture.svg import as_svg
from ad_transform.picture.wholes import whole_pages, whole_stills

LARGEST = 1_000
"""Edges of the largest graph that is laid out here, which takes seconds; a reader is
lost long before that.
"""


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a drawing: a function, its derivation, and the place of its mark.

    `point` has the values of its parameters where numbers are wanted.
    """

    function: Function
    derived: Derived
    options: Options
    span: Span
    point: Point = field(default_factory=dict)

    @property
    def program(self) -> Function:
        """The function that is drawn: operators have no graph before they are written
        out.
        """
        is_expanded = not KINDS[self.derived.kind].takes_names
        return self.derived.function if is_expanded else self.function


Make = Callable[[Function, Derived, Options, Point], Iterator[Page]]


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files: the makers of pages, of pages of whole arrays, and of the
    text; graphs of more than `largest` edges are refused.
    """

    pages: Make
    wholes: Make
    text: Callable[[Sequence[Page], str], str]
    largest: int | None = LARGEST


# fmt: off
FORMATS: dict[str, Format] = {
    ".svg":  Format(stills, whole_stills, as_svg),
    ".html": Format(pages,  whole_pages,  as_html),
    ".dot":  Format(stills, whole_stills, as_dot, None),
}
# fmt: on


def drawing(subjects: Sequence[Subject], source: str, ending: str) -> str:
    """The text of a picture of all subjects; `source` is the name of their file.

    Raises Refusal where a graph is too large (AD012), or has loops or calls (AD031).
    """
    made: list[Page] = []
    refused: list[Diagnostic] = []
    for subject in subjects:
        try:
            made += _pages(subject, FORMATS[ending])
        except Refusal as refusal:
            refused += refusal.at(subject.span).diagnostics
    if refused:
        raise Refusal(*refused)
    return stamped(FORMATS[ending].text(made, source), source, ending)


def still(subject: Subject) -> Page:
    """The first graph of a subject, before its first step.

    Raises Refusal where it is too large (AD012), or has loops or calls (AD031).
    """
    return _stills(subject, LARGEST)[0]


def _stills(subject: Subject, largest: int | None) -> list[Page]:
    _refuse_undrawn(subject)
    make = whole_stills if _is_whole(subject) else stills
    made = list(make(subject.program, subject.derived, subject.options, {}))
    for page in made:
        if largest is not None and len(page.arrows) > largest:
            what = f"has {len(page.arrows)} edges, and {largest} are drawn"
            raise Refusal(_too_large(subject, what))
    return made


def _pages(subject: Subject, form: Format) -> list[Page]:
    _stills(subject, form.largest)
    try:
        program, derived = subject.program, subject.derived
        make = form.wholes if _is_whole(subject) else form.pages
        return list(make(program, derived, subject.options, subject.point))
    except TooLong as long:
        what = f"makes more than {long.most} edges while it is eliminated"
        raise Refusal(_too_large(subject, what)) from None


def _is_whole(subject: Subject) -> bool:
    """Whether the vertices are whole arrays: some are, and there is no graph of
    numbers.
    """
    on_arrays = any(map(is_on_arrays, subject.program.body))
    return on_arrays and not _has_trails(subject)


def _has_trails(subject: Subject) -> bool:
    """Whether the picture shows the graphs of numbers behind the emitted code."""
    return bool(subject.derived.trails) and subject.options.cost != "fma"


def _refuse_undrawn(subject: Subject) -> None:
    """Refuse a function as written with loops or calls, no vertices yet (AD031)."""
    if _has_trails(subject) or subject.derived.vectors:
        return
    if any(isinstance(s, Call) for s in walk(subject.program.body)):
        help_ = "ask for `inline=always`; if it calls itself, mark one step of it"
        raise Refusal(_not_drawn(subject, "functions that are called", help_))
    for statement in subject.program.body:
        if isinstance(statement, Scan | While | Solve):
            help_ = "put one step of the loop into a function and mark that"
            raise Refusal(_not_drawn(subject, "a loop", help_))


def _not_drawn(subject: Subject, what: str, help_: str) -> Diagnostic:
    text = f"the graph of {what} is not drawn yet"
    return Diagnostic("AD031", text, subject.span, help_)


def _too_large(subject: Subject, what: str) -> Diagnostic:
    name = subject.derived.function.name
    return Diagnostic(
        "AD012",
        f"the graph of {name!r} {what}",
        subject.span,
        "draw a .dot file, which has no limit, or mark a smaller function",
    )
