"""Spans, listings, diagnostics and the table of codes.

Every refusal, warning and note the tool utters is a `Diagnostic` with a code of the
table `CODES`; each code has a section in docs/errors.md with a failing and a working
example, and both are tests.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import field
from typing import Literal, NamedTuple

from ad_transform.dataclass import dataclass, replace

Severity = Literal["error", "warning", "note"]


class Span(NamedTuple):
    """A piece of a source file; lines and columns are 1-based code points.

    `end_column` stands one past the last character, as in CPython's own messages.
    `path` leads from the folder of the source to another file of the project, with `/`
    between the parts; it is empty for the source itself.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    path: str = ""


def beside(source: str, path: str) -> str:
    """The path of a span's file, seen from where `source` is."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), path))


@dataclass(frozen=True, slots=True)
class Listing:
    """The name and the lines of a source file; reports quote them.

    `others` has the lines of the other files that spans name, by their paths.
    """

    path: str = ""
    lines: tuple[str, ...] = ()
    others: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def text(self, span: Span | None) -> str:
        """The text of a span, its lines joined; empty where there is none."""
        if span is None:
            return ""
        known = self.others.get(span.path, ()) if span.path else self.lines
        if not 0 < span.line <= span.end_line <= len(known):
            return ""
        lines = list(known[span.line - 1 : span.end_line])
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        return " ".join(line.strip() for line in lines)

    def place(self, span: Span | None) -> str:
        """`path:line:column`, empty where there is no span."""
        if span is None:
            return ""
        path = beside(self.path, span.path) if span.path else self.path
        return f"{path}:{span.line}:{span.column}"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One located message. `span` is None where a whole file is meant."""

    code: str
    message: str
    span: Span | None = None
    help: str = ""

    @property
    def severity(self) -> Severity:
        """The severity that the table gives to the code."""
        return CODES[self.code].severity


@dataclass(frozen=True, slots=True)
class Code:
    """A row of the table: the severity and the title of its manual page."""

    severity: Severity
    title: str


class Refusal(Exception):
    """Raised with the diagnostics that make an input impossible; never empty."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("; ".join(d.message for d in diagnostics))
        self.diagnostics = diagnostics

    def at(self, span: Span | None) -> Refusal:
        """The refusal, with a place for diagnostics without one."""
        return Refusal(*(replace(d, span=d.span or span) for d in self.diagnostics))


# fmt: off
CODES: dict[str, Code] = {
    # files and configuration
    "AD001": Code("error",   "the file cannot be read"),
    "AD002": Code("error",   "the file cannot be decoded"),
    "AD003": Code("error",   "the file is not Python"),
    "AD004": Code("error",   "the expression or statement is nested too deeply"),
    "AD005": Code("error",   "the output cannot be written"),
    "AD006": Code("error",   "the output is not a file of ours"),
    "AD007": Code("error",   "the output was edited by hand"),
    "AD008": Code("error",   "the configuration is wrong"),
    "AD009": Code("error",   "the output is not current"),
    "AD010": Code("note",    "the output was laid out anew by a formatter"),
    "AD011": Code("note",    "nothing is marked"),
    "AD012": Code("error",   "the graph is too large to draw"),
    "AD013": Code("error",   "the output has lost its source"),
    "AD014": Code("error",   "the manifest does not cover the file"),
    "AD015": Code("error",   "the output is not tracked"),
    # marks
    "AD020": Code("error",   "the mark cannot be understood"),
    "AD021": Code("error",   "the mark stands in the wrong place"),
    "AD022": Code("error",   "the option does not belong here"),
    "AD023": Code("error",   "the independent carries no derivative"),
    "AD024": Code("error",   "two marks generate one name"),
    "AD025": Code("error",   "the generated name or seed is taken"),
    "AD026": Code("error",   "the decorator is not supported"),
    "AD027": Code("note",    "the decorator is ignored"),
    "AD028": Code("error",   "the function cannot be marked"),
    "AD029": Code("error",   "a gradient needs one scalar result"),
    "AD030": Code("warning", "the result does not depend on the independent"),
    "AD031": Code("error",   "the option or kind is not supported yet"),
    "AD032": Code("error",   "the graph is not one for the order"),
    "AD033": Code("error",   "the target cannot write it yet"),
    # language
    "AD101": Code("error",   "the statement is not supported"),
    "AD102": Code("error",   "the expression is not supported"),
    "AD103": Code("error",   "the name is not known"),
    "AD104": Code("error",   "the parameter is not supported"),
    "AD105": Code("error",   "the result is not supported"),
    "AD106": Code("error",   "the call does not fit the signature"),
    "AD107": Code("error",   "a value of this type cannot be used here"),
    "AD108": Code("error",   "the name is bound more than once"),
    "AD110": Code("error",   "the function is not supported"),
    "AD111": Code("error",   "the keyword of a known function is not supported"),
    "AD112": Code("note",    "the statement is passed over"),
    "AD113": Code("error",   "the equation does not fit what solves it"),
    "AD114": Code("error",   "the derivative cannot be taken here"),
    "AD120": Code("error",   "the recursion does not end, or cannot be kept"),
    "AD121": Code("error",   "the function lives outside the project"),
    "AD122": Code("error",   "the constant cannot be copied"),
    "AD124": Code("error",   "an array is changed that may have two names"),
    "AD125": Code("error",   "nobody gives the derivative"),
}
# fmt: on
