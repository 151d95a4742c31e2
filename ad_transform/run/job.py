"""From the bytes of a source to the text of its output: the whole tool as one function.

Pure: no file is touched, and nothing of the user's is run.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from ad_transform.derive.kinds import Derived, derive
from ad_transform.derive.packed import packed
from ad_transform.derive.progress import REQUEST, doing
from ad_transform.diagnostics import Diagnostic, Listing, Refusal
from ad_transform.elementals.helpers import HELPERS
from ad_transform.emit.constants import named_formulas
from ad_transform.emit.function import printed as print_plainly
from ad_transform.emit.header import Header, program_hash
from ad_transform.emit.module import Printed, print_function, print_module
from ad_transform.emit.signature import passed
from ad_transform.ir.nodes import Var, walk
from ad_transform.options import Options
from ad_transform.read import Reading, Request, read
from ad_transform.run.report import source_lines


@dataclass(frozen=True, slots=True)
class Origin:
    """What the header tells: the source seen from the output, and the command."""

    source: str
    command: str


@dataclass(frozen=True, slots=True)
class Result:
    """The text of the output, None if refused or nothing is marked; what was said."""

    text: str | None
    diagnostics: tuple[Diagnostic, ...] = ()
    derived: tuple[Derived, ...] = ()

    @property
    def refused(self) -> bool:
        return has_error(self.diagnostics)


@dataclass(frozen=True, slots=True)
class Explanation:
    """One object per request, with the keys of DESIGN.md, and what was said."""

    objects: tuple[Mapping[str, object], ...]
    diagnostics: tuple[Diagnostic, ...] = ()


class BrokenPromise(Exception):
    """The text made is not what it has to be: a bug of ours, never the user's."""


def transform(source: bytes, path: str, origin: Origin, options: Options) -> Result:
    """The output for a source; linear in the size of the marked programs.

    `path` is for messages. Every refusal of the source comes back at once, as
    diagnostics. Raises BrokenPromise where our own text is wrong.
    """
    listing = Listing(origin.source, source_lines(source))
    reading, derived, diagnostics = derive_all(source, path, options, listing)
    if not derived:
        return Result(None, diagnostics)
    try:
        text = _print(reading, derived, origin, options)
    except Refusal as refusal:
        return Result(None, (*diagnostics, *refusal.diagnostics))
    return Result(text, diagnostics, derived)


Asked = tuple[Request, Options]
"""A request and the options that hold for it."""

Addition = Callable[[Sequence[Asked]], Sequence[Mapping[str, object]]]
"""More figures for each request; raises Refusal where there can be none."""


def explain(
    source: bytes, path: str, options: Options, addition: Addition | None = None
) -> Explanation:
    """The figures behind each request of a source, with those of the addition."""
    from ad_transform.derive.explain import explain as figures  # noqa: PLC0415  slow

    listing = Listing(path, source_lines(source))
    reading, derived, diagnostics = derive_all(source, path, options, listing)
    if not derived:
        return Explanation((), diagnostics)
    asked = [(request, options_of(request, options)) for request in reading.requests]
    try:
        more = addition(asked) if addition else ({},) * len(asked)
    except Refusal as refusal:
        return Explanation((), (*diagnostics, *refusal.diagnostics))
    objects = tuple(
        {
            "path": path,
            "name": made.function.name,
            "value": made.value,
            **figures(request.function, made, own),
            **added,
        }
        for (request, own), made, added in zip(asked, derived, more, strict=True)
    )
    return Explanation(objects, diagnostics)


Placing = Callable[[Request], Mapping[Var, Any]]
"""The values of a request's parameters; raises Refusal where they are not known."""


def draw(
    source: bytes,
    path: str,
    options: Options,
    ending: str,
    placing: Placing = lambda _: {},
) -> Result:
    """The picture of all requests of a source, in the format of a file's ending.

    With the numbers at the points that `placing` gives.
    """
    from ad_transform.picture.drawing import Subject, drawing  # noqa: PLC0415  slow

    listing = Listing(path, source_lines(source))
    reading, derived, diagnostics = derive_all(source, path, options, listing)
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


def has_error(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether one of the diagnostics forbids an output."""
    return any(item.severity == "error" for item in diagnostics)


_NOTHING_MARKED = Diagnostic(
    "AD011", "nothing is marked", None, "write `# ad: gradient` above a function"
)

_FIELDS = frozenset(field.name for field in fields(Options))


def options_of(request: Request, options: Options) -> Options:
    """The options of one request: what its mark says wins."""
    said = {key: value for key, value in request.options.items() if key in _FIELDS}
    return options.override(**said)


# --- deriving -------------------------------------------------------------------------


def derive_all(
    source: bytes, path: str, options: Options, listing: Listing
) -> tuple[Reading, tuple[Derived, ...], tuple[Diagnostic, ...]]:
    """All requests of a source, derived, and what was said on the way.

    Reports quote the listing.

    None is derived where one is refused, and where nothing is marked.
    """
    reading = read(source, path)
    said = [*reading.diagnostics]
    if has_error(reading.diagnostics):
        return reading, (), reading.diagnostics
    if not reading.requests:
        return reading, (), (*said, _NOTHING_MARKED)
    derived: list[Derived] = []
    takers: dict[str, Request] = {}
    for request in reading.requests:
        doing(REQUEST, f"{request.kind} of {request.function.name}")
        try:
            made = _derive(request, options, listing)
        except Refusal as refusal:
            said += refusal.diagnostics
            continue
        derived.append(replace(made, program=request.function))
        said += made.warnings
        said += _collisions(request, made, reading, takers)
        takers.setdefault(made.function.name, request)
    return reading, () if has_error(said) else tuple(derived), tuple(said)


def _derive(request: Request, options: Options, listing: Listing) -> Derived:
    made = _derived(request, options, listing)
    vector = _vector(request)
    if not vector:
        return made
    container = options_of(request, options).container
    return packed(made, request.function, request.independents, vector, container)


def _vector(request: Request) -> str:
    """What the vector of independents is called; nothing if they come one by one."""
    asked = request.options.get("packed", False)
    return "p" if asked is True else str(asked or "")


def _derived(request: Request, options: Options, listing: Listing) -> Derived:
    if request.kind == "error":
        return _estimate(request, options, listing)
    return derive(
        request.function,
        request.kind,
        request.independents,
        value=bool(request.options.get("value", False)),
        name=str(request.options.get("name", "")),
        options=options_of(request, options),
        span=request.span,
    )


def _estimate(request: Request, options: Options, listing: Listing) -> Derived:
    from ad_transform.derive.rounding import derive as rounding  # noqa: PLC0415  slow

    return rounding.estimate(
        request.function,
        request.independents,
        rounding.Wish.of(request.options),
        name=str(request.options.get("name", "")),
        options=options_of(request, options),
        span=request.span,
        listing=listing,
    )


def _collisions(
    request: Request, made: Derived, reading: Reading, takers: Mapping[str, Request]
) -> Iterator[Diagnostic]:
    """CONTRACT.md, rule 4."""
    name = made.function.name
    way_out = f'give it another name: {request.kind}(name="{name}_2")'
    if name in takers:
        yield Diagnostic("AD024", f"two marks generate {name!r}", request.span, way_out)
    if name in reading.names:
        yield Diagnostic(
            "AD025",
            f"the generated function {name!r} has the name of something in the file",
            request.span,
            way_out,
        )
    own = [parameter.name for parameter in request.function.parameters]
    names = [parameter.name for parameter in made.function.parameters]
    seeds = [
        seed for seed in dict.fromkeys(names) if names.count(seed) > own.count(seed)
    ]
    if made.vector in own and made.vector not in seeds:
        seeds.append(made.vector)
    for seed in seeds:
        if seed in own or seed in reading.names:
            what = "a parameter" if seed in own else "something in the file"
            word, help_ = "seed", f"rename {seed!r} in the source"
            if made.vector and seed in (made.vector, f"{made.vector}_dot"):
                word = "vector"
                help_ = f'call the vector otherwise: packed="{made.vector}_2"'
            yield Diagnostic(
                "AD025",
                f"the {word} {seed!r} of {name!r} has the name of {what}",
                request.span,
                help_,
            )


# --- printing -------------------------------------------------------------------------


def _print(
    reading: Reading, derived: tuple[Derived, ...], origin: Origin, options: Options
) -> str:
    """The text with its header, whose hash is that of the text without it."""
    notes = {name: item.notes for name, item in reading.constants.items()}
    formulas = formula_names(reading, derived)
    reserved = reserved_names(reading, derived)
    constants = dict(_definitions(reading, reserved, options.line_length))
    constants |= {name: text for text, name in formulas.items()}
    printed = []
    for request, made in zip(reading.requests, derived, strict=True):
        own = options_of(request, options)
        said = reading.docstrings.get(request.function.name, "")
        printed.append(print_function(made, reserved, own, said, formulas))
    hidden = tuple(_hidden_helpers(reading, printed, reserved))
    if hidden:
        raise Refusal(*hidden)
    width = options.line_length
    tree = _parsed(print_module(printed, constants, None, notes, width))
    _hold_promise(tree, derived)
    program = program_hash(tree)
    header = Header(origin.source, origin.command, options.canonical(), program)
    return print_module(printed, constants, header, notes, width)


def _definitions(
    reading: Reading, reserved: frozenset[str], limit: int
) -> Iterator[tuple[str, str | Printed]]:
    """The constants of the module, and the functions that they are computed by."""
    for name, item in reading.constants.items():
        if item.program is None:
            yield name, item.text
        else:
            yield name, print_plainly(item.program, [], reserved, limit)


def reserved_names(reading: Reading, derived: Sequence[Derived]) -> frozenset[str]:
    """What the generated module defines: its constants and its functions."""
    made = {made.function.name for made in derived}
    return frozenset(
        made.union(reading.constants, formula_names(reading, derived).values())
    )


def formula_names(reading: Reading, derived: Sequence[Derived]) -> Mapping[str, str]:
    """What the constants are called that the module makes of others, by their text."""
    return named_formulas([made.function for made in derived], _taken(reading))


def _taken(reading: Reading) -> set[str]:
    """Every name that means something in the source or to a function of it."""
    taken = {*reading.names, *HELPERS}
    for request in reading.requests:
        function = request.function
        taken.update(parameter.name for parameter in function.parameters)
        taken.update(out.hint for line in walk(function.body) for out in line.outs)
    return taken


def _hidden_helpers(
    reading: Reading, printed: Sequence[Printed], reserved: frozenset[str]
) -> Iterator[Diagnostic]:
    """Helpers that a function calls and cannot reach: the name is taken."""
    for request, function in zip(reading.requests, printed, strict=True):
        own = {parameter.name for parameter in request.function.parameters}
        for name in function.helpers:
            if name in own or name in reserved:
                what = "a parameter" if name in own else "something in the file"
                message = f"the helper {name!r} that is needed has the name of {what}"
                help_ = f"rename {name!r} in the source"
                yield Diagnostic("AD025", message, request.span, help_)


def _parsed(text: str) -> ast.Module:
    """Our own text, parsed as those will who read it."""
    try:
        return ast.parse(text)
    except SyntaxError as error:
        raise BrokenPromise(f"the generated text is not Python: {error}") from error


def _hold_promise(tree: ast.Module, derived: tuple[Derived, ...]) -> None:
    """See that the text defines what was asked for."""
    defined = {
        node.name: _parameter_names(node.args)
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
    }
    for made in derived:
        name = made.function.name
        promised = [parameter.name for parameter in passed(made.function)]
        if defined.get(name) != promised:
            raise BrokenPromise(f"the generated text does not define {name!r}")


def _parameter_names(args: ast.arguments) -> list[str]:
    return [a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
