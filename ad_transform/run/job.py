"""From the bytes of a source to the text of its output: the whole tool as one function.

Pure: no file is touched, and nothing of the user's is run.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ad_transform.around import ALONE, Around
from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.kinds.kind_rows import KINDS
from ad_transform.derive.kinds.kinds import Derived
from ad_transform.diagnostics import Diagnostic, Listing, Refusal
from ad_transform.ir.count import count
from ad_transform.ir.nodes import Var
from ad_transform.later import later
from ad_transform.options import Options
from ad_transform.read import Request
from ad_transform.run.deriving import derive_all, has_error, in_target, options_of
from ad_transform.run.printing import Origin, print_all
from ad_transform.run.report import source_lines

with later():
    from ad_transform.derive.explain import explain as figures
    from ad_transform.picture.drawing import Subject, drawing


@dataclass(frozen=True, slots=True)
class Result:
    """The text of the output, None if refused or nothing is marked; the diagnostics."""

    text: str | None
    diagnostics: tuple[Diagnostic, ...] = ()
    derived: tuple[Derived, ...] = ()

    @property
    def refused(self) -> bool:
        return has_error(self.diagnostics)


@dataclass(frozen=True, slots=True)
class Explanation:
    """One object per request, with the keys of DESIGN.md, and the diagnostics."""

    objects: tuple[Mapping[str, object], ...]
    diagnostics: tuple[Diagnostic, ...] = ()


def transform(
    source: bytes,
    path: str,
    origin: Origin,
    options: Options,
    around: Around = ALONE,
) -> Result:
    """The output for a source; linear in the size of the marked programs.

    `path` is for messages, `around` has the other files of the project. Every refusal
    of the source comes back at once, as diagnostics. Raises BrokenPromise where our
    own text is wrong.
    """
    listing = Listing(origin.source, source_lines(source))
    reading, derived, diagnostics = derive_all(source, path, options, listing, around)
    if not derived:
        return Result(None, diagnostics)
    try:
        text = print_all(reading, derived, origin, options)
    except Refusal as refusal:
        return Result(None, (*diagnostics, *refusal.diagnostics))
    return Result(text, diagnostics, derived)


Asked = tuple[Request, Options]
"""A request and the options that hold for it."""

Addition = Callable[[Sequence[Asked], Listing], Sequence[Mapping[str, object]]]
"""More figures for each request, which may quote a listing; raises Refusal where there
can be none.
"""


def explain(
    source: bytes,
    path: str,
    options: Options,
    addition: Addition | None = None,
    around: Around = ALONE,
) -> Explanation:
    """The figures behind each request of a source, with those of the addition."""
    listing = Listing(path, source_lines(source))
    reading, derived, diagnostics = derive_all(source, path, options, listing, around)
    if not derived:
        return Explanation((), diagnostics)
    asked = [(request, options_of(request, options)) for request in reading.requests]
    try:
        listing = replace(listing, others=reading.files)
        more = addition(asked, listing) if addition else ({},) * len(asked)
    except Refusal as refusal:
        return Explanation((), (*diagnostics, *refusal.diagnostics))
    objects: list[Mapping[str, object]] = []
    refused: list[Diagnostic] = []
    written = in_target(derived, options)
    for (request, own), made, added in zip(asked, written, more, strict=True):
        named = {"path": path, "name": made.function.name, "value": made.value}
        try:
            found = figures(request.function, made, own)
        except Refusal as refusal:  # an order that the graph as written has none of
            refused += refusal.at(request.span).diagnostics
            continue
        objects.append(
            {
                **named,
                **found,
                **_kept(request, made),
                **_inlined(request, own),
                **_setup(made),
                **added,
            }
        )
    return Explanation(() if refused else tuple(objects), (*diagnostics, *refused))


def _kept(request: Request, made: Derived) -> dict[str, object]:
    """The functions that are kept as functions, where there are any, and the
    derivatives of each: partials, an adjoint, tangents.
    """
    names = [helper.name for helper in request.helpers if not helper.outside]
    forms = {name: made.forms.get(name, []) for name in names}
    return {"kept": names, "forms": forms} if names else {}


def _inlined(request: Request, options: Options) -> dict[str, object]:
    """The functions that were to be kept and are not, in an estimate, and why."""
    found = dict.fromkeys(request.unfit, "it takes or gives arrays")
    if KINDS[request.kind].estimates and options.inline == "never":
        for option, why in _ABOUT_ALL.items():
            if request.options.get(option):
                found["all functions"] = why
    return {"inlined": found} if found else {}


_ABOUT_ALL = {
    "report": "a report is about each operation",
}


def _setup(made: Derived) -> dict[str, object]:
    """The operations of a setup, where there is one."""
    name = made.setup.partition("(")[0]
    counts = [count(f) for f in made.before if f.name == name]
    return {"setup": counts[0].classes() | {"total": counts[0].total}} if counts else {}


Placing = Callable[[Request], Mapping[Var, Any]]
"""The values of a request's parameters; raises Refusal where they are not known."""


def draw(
    source: bytes,
    path: str,
    options: Options,
    ending: str,
    placing: Placing = lambda _: {},
    around: Around = ALONE,
) -> Result:
    """The picture of all requests of a source, in the format of a file's ending.

    With the numbers at the points that `placing` gives.
    """
    listing = Listing(path, source_lines(source))
    reading, derived, diagnostics = derive_all(source, path, options, listing, around)
    if not derived:
        return Result(None, diagnostics)
    pairs = zip(reading.requests, derived, strict=True)
    try:
        subjects = [
            Subject(each.function, made, options_of(each, options), each.span, at)
            for each, made in pairs
            for at in (placing(each),)
        ]
        name = os.path.basename(path).encode(errors="backslashreplace").decode()
        text = drawing(subjects, name, ending)
    except Refusal as refusal:
        return Result(None, (*diagnostics, *refusal.diagnostics))
    return Result(text, diagnostics, derived)
