"""`--report FILE.html`: a source beside its generated code, line by line."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from ad_transform.around import ALONE, Around
from ad_transform.dataclass import replace
from ad_transform.derive.kinds.kinds import Derived
from ad_transform.derive.origins import origins
from ad_transform.diagnostics import Diagnostic, Listing, Refusal
from ad_transform.emit.targets import target_of
from ad_transform.options import Options
from ad_transform.picture.drawing import Subject, still
from ad_transform.picture.model import Page
from ad_transform.picture.report import as_report
from ad_transform.picture.shading import Measure, View
from ad_transform.picture.stamp import stamped
from ad_transform.read import Reading, Request
from ad_transform.run.attribution import Inputs, Raised, attributed, placed
from ad_transform.run.deriving import derive_all, in_target, options_of
from ad_transform.run.job import Result
from ad_transform.run.printing import formula_names, reserved_names
from ad_transform.run.report import source_lines
from ad_transform.run.shades import error_measures, operation_measures


def report(
    source: bytes,
    path: str,
    options: Options,
    given: Inputs | None,
    around: Around = ALONE,
) -> Result:
    """The page for a source; with errors at the inputs `given`, unless None.

    Refuses inputs that no function has, and functions that lack one.
    """
    listing = Listing(path, source_lines(source))
    reading, derived, diagnostics = derive_all(source, path, options, listing, around)
    listing = replace(listing, others=reading.files)
    if not derived:
        return Result(None, diagnostics)
    try:
        _refuse_unknown(reading, given or {})
        written = in_target(derived, options)
        views = [
            _view(reading, written, k, made, options, listing, given)
            for k, made in enumerate(derived)
        ]
    except Refusal as refusal:
        return Result(None, (*diagnostics, *refusal.diagnostics))
    name = os.path.basename(path).encode(errors="backslashreplace").decode()
    text = as_report(views, name, listing.lines, _spelled(given))
    return Result(stamped(text, name, ".html"), diagnostics, derived)


def _refuse_unknown(reading: Reading, given: Mapping[str, object]) -> None:
    known = dict.fromkeys(
        p.name for r in reading.requests for p in r.function.parameters
    )
    for name in given:
        if name not in known:
            message = f"no marked function has a parameter {name!r}"
            help_ = f"known: {', '.join(known)}"
            raise Refusal(Diagnostic("AD106", message, None, help_))


def _spelled(given: Inputs | None) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in (given or {}).items())


def _view(
    reading: Reading,
    written: Sequence[Derived],
    k: int,
    made: Derived,
    options: Options,
    listing: Listing,
    given: Inputs | None,
) -> View:
    """The page of request k; `written` are all functions in the terms of the target."""
    request, shown = reading.requests[k], written[k]
    own = options_of(request, options)
    formulas = formula_names(reading, written)
    reserved = reserved_names(reading, written, formulas)
    said = reading.docstrings.get(request.function.name, "")
    writing = target_of(options).writing()
    printed = writing.function(shown, reserved, own, said, formulas)
    text = tuple(printed.text.splitlines())
    found = origins(shown.function)
    body = [
        frozenset().union(*(found.get(value, frozenset()) for value in values))
        for values in writing.computed(shown, reserved, own, formulas)
    ]
    remarks: list[str] = []
    measures = [*_errors(request, own, listing, given, remarks)]
    measures += operation_measures(request.function, made)
    return View(
        name=made.function.name,
        title=f"{made.kind} of {made.source}",
        text=text,
        origins=(*[frozenset[int]()] * (len(text) - len(body)), *body),
        measures=tuple(measures),
        page=_page(request, made, own, given, remarks),
        remarks=tuple(remarks),
    )


def _errors(
    request: Request,
    options: Options,
    listing: Listing,
    given: Inputs | None,
    remarks: list[str],
) -> Iterator[Measure]:
    if given is None:
        remarks.append('Rounding errors are shown for inputs: --at "x=1.0".')
        return
    try:
        found = attributed(request, options, listing, given)
    except Raised as raised:
        remarks.append(f"No rounding errors: the function raises {raised}.")
        return
    except Refusal as refusal:
        if any(item.code != "AD031" for item in refusal.diagnostics):
            raise
        remarks.append(f"No rounding errors: {refusal}.")
        return
    yield from error_measures(request.function.name, found)


def _page(
    request: Request,
    made: Derived,
    options: Options,
    given: Inputs | None,
    remarks: list[str],
) -> Page | None:
    """The graph before its first step, None where it is too large or has loops."""
    at = {} if given is None else placed(request, given)
    try:
        return still(Subject(request.function, made, options, request.span, at))
    except Refusal as refusal:
        remarks.append(f"No graph: {refusal}.")
        return None
