"""Reading: from the bytes of a file to raw programs in the IR.

In the order in which a file passes through: `source` (text and tree), `names` (module
scope), `marks` and `attach` (what is asked for), `concrete` (LibCST forms),
`expressions` and `statements` (compact code, behind the `fence`), `flatten`,
`instructions`, `calls` and `inlining` (the program), `finish` (nodes). `ast` guards and
indexes a file. LibCST reads what is marked and what that reaches. No node of either
leaves this package.

Relied on: nothing. Established: `Function`s in which nothing is merged or simplified,
with the user's names, comments and places.
"""

from __future__ import annotations

import ast
import gc
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from ad_transform.around import ALONE, Around
from ad_transform.derive.kinds.kind_rows import KINDS
from ad_transform.diagnostics import Refusal
from ad_transform.ir.types import Type
from ad_transform.options import fault
from ad_transform.read.constants.computed import programs
from ad_transform.read.flattening.outputs import Outputs
from ad_transform.read.marks.annotations import read_annotation
from ad_transform.read.marks.attach import Marked, marked_functions, name_span
from ad_transform.read.marks.marks import Item, suggestion
from ad_transform.read.project.patches import patches, patches_of_files
from ad_transform.read.reading import (
    IN_ESTIMATES,
    OF_DERIVATIVES,
    RECURSIVE,
    Constant,
    Reading,
    Request,
)
from ad_transform.read.report import Report
from ad_transform.read.syntax.library import quickly
from ad_transform.read.syntax.names import Names, names_of
from ad_transform.read.syntax.nesting import DEEP, levels, too_deep
from ad_transform.read.syntax.scopes import parameters_of, shown
from ad_transform.read.syntax.source import Source, load

__all__ = ["Constant", "Reading", "Request", "read"]

_FRAMES = 10_000
"""The most frames of Python, for calls inside calls; they use no C stack."""


def read(
    source: bytes, path: str, around: Around = ALONE, inline: str = "always"
) -> Reading:
    """The derivatives that a file asks for, as raw programs; every problem, in one run.

    `path` is there only for symmetry with the other passes; other files of the project
    are read through `around`, as far as they are needed. `inline` is the option of that
    name for functions whose marks leave it open. Raises nothing: problems stand in
    `diagnostics`. Linear.
    """
    try:
        loaded = load(source)  # before there is room: CPython's own limits are safe
        with _room():
            return _read(loaded, around, inline)
    except Refusal as refusal:
        return Reading(diagnostics=refusal.diagnostics)


@contextmanager
def _room() -> Iterator[None]:
    """Frames for deep programs, and no warnings about the user's text.

    The collector of cyclic garbage rests: there is none, and looking for it in trees of
    this size takes a quarter of the time.
    """
    limit, collects = sys.getrecursionlimit(), gc.isenabled()
    sys.setrecursionlimit(max(limit, _FRAMES))
    gc.disable()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        sys.setrecursionlimit(limit)
        if collects:
            gc.enable()


def _read(source: Source, around: Around, inline: str) -> Reading:
    names = names_of(source)
    report = Report()
    marked, wrong = marked_functions(source, names)
    report.extend(wrong)
    bound = frozenset(names.bindings)
    if not marked:
        return Reading(names=bound, diagnostics=report.sorted())
    report.extend(patches(source, names))
    # LibCST takes 0.1 s to import, which files without marks need not wait for; it is
    # imported here and not by `later`, for it takes a third of that when it is quick
    with quickly():
        from ad_transform.read.program import started  # noqa: PLC0415

    program = started(source, names, report, around)
    requests: list[Request] = []
    for one in marked:
        ways = [(_inlined(item, inline), _outputs(item)) for item in one.items]
        place, asked_ways = name_span(one.node, source), dict.fromkeys(ways)
        try:
            made = {
                way: (program.function(one.node, *way), program.unfit)
                for way in asked_ways
            }
        except RecursionError:
            if levels(one.node) < DEEP:
                raise
            report.extend((too_deep(place),))
            continue
        found = program.parameters.types.get(one.node, {})
        types = dict(_types(one.node, names)) | found
        wanted = [_independents(item, one, source, types, report) for item in one.items]
        for item, independents, way in zip(one.items, wanted, ways, strict=True):
            bundle, unfit = made[way]
            if bundle is None:
                if not report.has_error:  # a value is refused once, and reported then
                    report.extend(program.module.shared.lost.sorted())
                assert report.has_error, "refused without a reason"
                break
            asked = item.kind, independents, item.typed, item.span, place
            requests.append(Request(bundle.main, *asked, bundle.before, unfit))
    elsewhere = program.module.elsewhere
    if len(elsewhere.modules) > 1:
        report.extend(patches_of_files(elsewhere))
    return Reading(
        tuple(requests),
        program.module.constants_in_order(),
        bound,
        report.sorted(),
        dict(_docstrings(marked)),
        dict(elsewhere.read_files()),
        programs(program.module.shared),
        program.module.shared.written,
    )


def _docstrings(marked: tuple[Marked, ...]) -> Iterator[tuple[str, str]]:
    for one in marked:
        text = ast.get_docstring(one.node) or ""
        if text.strip():
            yield one.node.name, text.strip("\n")


def _inlined(item: Item, inline: str) -> str:
    """The way to inline functions for an item. A report is about every operation of one
    program; a derivative keeps what it keeps where it is asked for itself.
    """
    asked = str(item.typed.get("inline", inline))
    if item.kind not in KINDS or not KINDS[item.kind].estimates:
        return asked
    if item.typed.get("report"):
        return RECURSIVE
    ways = OF_DERIVATIVES if item.typed.get("of") else IN_ESTIMATES
    return ways.get(asked, RECURSIVE)


def _outputs(item: Item) -> Outputs:
    """The values that an item selects, in place of the returned ones."""
    prints = item.kind in KINDS and KINDS[item.kind].prints
    asked = item.typed.get("outputs", ())
    if fault("outputs", asked):
        return Outputs(prints=prints)
    names = asked if isinstance(asked, tuple) else (str(asked),)
    return Outputs(names, item.span, prints)


# --- independents -------------------------------------------------------------------


def _independents(
    item: Item,
    marked: Marked,
    source: Source,
    types: Mapping[str, Type | None],
    report: Report,
) -> tuple[str, ...]:
    """The independents of an item, or the default ones; AD023 for an unfit name."""
    if item.kind in KINDS and not KINDS[item.kind].takes_names:
        return ()
    annotated = {
        a.arg: shown(a.annotation)
        for a in parameters_of(marked.node.args)
        if a.annotation is not None
    }
    if not item.names:
        if item.kind in KINDS and KINDS[item.kind].estimates:
            return ()  # inputs are exact unless named
        real = tuple(name for name, type_ in types.items() if type_ and type_.is_real)
        if not real and None not in types.values():
            message = f"{marked.node.name!r} has no parameter that carries a derivative"
            help_ = "annotate one `float`, or leave it without annotation"
            report.add("AD023", message, name_span(marked.node, source), help_)
        return real
    seen: set[str] = set()
    for name, span in item.names:
        if name in seen:
            report.add("AD023", f"{name!r} is named twice", span, "name it once")
        elif name not in types:
            message = f"{name!r} is no parameter of {marked.node.name!r}"
            report.add("AD023", message, span, suggestion(name, types))
        elif (found := types[name]) is not None and not found.is_real:
            said = "by its shape" if found.dims else "by its default"
            said = "annotated" if name in annotated else said
            what = annotated.get(name, types[name])
            message = f"{name!r} is {said} `{what}` and carries no derivative"
            report.add("AD023", message, span, f"annotate it `{name}: float`")
        elif types[name] is None and name not in annotated:
            message = f"{name!r} is a tuple by its default and carries no derivative"
            help_ = "annotate it: `tuple[float, float]`"
            report.add("AD023", message, span, help_)
        seen.add(name)
    return tuple(name for name, _ in item.names)


def _types(node: ast.FunctionDef, names: Names) -> Iterator[tuple[str, Type | None]]:
    for parameter in parameters_of(node.args):
        yield parameter.arg, read_annotation(parameter.annotation, names).type
