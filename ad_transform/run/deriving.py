"""All requests of a source, derived, with the diagnostics on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from operator import is_not

from ad_transform.around import ALONE, Around
from ad_transform.dataclass import replace
from ad_transform.derive.calls.helpers import told_apart
from ad_transform.derive.constants.known_arrays import with_constants
from ad_transform.derive.constants.module_arrays import ModuleArrays
from ad_transform.derive.constants.split import SETUP, split
from ad_transform.derive.kinds.kind_rows import KINDS
from ad_transform.derive.kinds.kinds import Derived, Specification
from ad_transform.derive.progress import REQUEST, doing
from ad_transform.diagnostics import Diagnostic, Listing, Refusal
from ad_transform.elementals.helpers import HELPERS
from ad_transform.emit.python.references import names_in
from ad_transform.emit.targets import target_of
from ad_transform.ir.held import held, held_bundle
from ad_transform.ir.nodes import Function, Passing, has_operators, walk
from ad_transform.later import later
from ad_transform.options import Options
from ad_transform.read import Reading, Request, read
from ad_transform.read.syntax.nesting import DEEP, too_deep

with later():
    from ad_transform.derive.constants.computed import computing
    from ad_transform.derive.kinds.packed import packed
    from ad_transform.derive.kinds.sparse import in_numbers, sparse
    from ad_transform.derive.kinds.templates import from_template
    from ad_transform.derive.operators.expand import without_operators
    from ad_transform.emit.python.listed import listed

_NOTHING_MARKED = Diagnostic(
    "AD011", "nothing is marked", None, "write `# ad: gradient` above a function"
)


def has_error(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether one of the diagnostics forbids an output."""
    return any(item.severity == "error" for item in diagnostics)


_FIELDS = frozenset(field.name for field in fields(Options))


def options_of(request: Request, options: Options) -> Options:
    """The options of one request: those of its mark win."""
    said = {key: value for key, value in request.options.items() if key in _FIELDS}
    return options.override(**said)


def derive_all(
    source: bytes,
    path: str,
    options: Options,
    listing: Listing,
    around: Around = ALONE,
) -> tuple[Reading, tuple[Derived, ...], tuple[Diagnostic, ...]]:
    """All requests of a source, derived, and the diagnostics on the way.

    None is derived where one is refused, and where nothing is marked. `listing` holds
    the lines that the report of an estimate quotes; `around` are the other files.
    """
    reading = read(source, path, around, options.inline)
    listing = replace(listing, others=reading.files)
    said = [*reading.diagnostics]
    if has_error(reading.diagnostics):
        return reading, (), reading.diagnostics
    if not reading.requests:
        return reading, (), (*said, _NOTHING_MARKED)
    requests = tuple(_plain(request, options) for request in reading.requests)
    reading = replace(reading, requests=requests)
    derived: list[Derived] = []
    takers: dict[str, Request] = {}
    arrays = ModuleArrays(names_of(reading))
    for request in reading.requests:
        doing(REQUEST, f"{request.kind} of {request.function.name}")
        try:
            made = _derive(request, options, listing, reading, arrays)
        except Refusal as refusal:
            said += refusal.diagnostics
            continue
        except RecursionError:
            if _levels(request.function) < DEEP:
                raise
            said.append(too_deep(request.name_span))
            continue
        made = replace(made, program=request.function, tables=reading.tables)
        derived.append(made)
        said += made.warnings
        said += _collisions(request, made, reading, takers)
        takers.setdefault(made.function.name, request)
    return reading, () if has_error(said) else told_apart(derived), tuple(said)


def in_target(derived: Sequence[Derived], options: Options) -> tuple[Derived, ...]:
    """The derived functions in the terms of the target that they are written in.

    A function that two of them call may differ by now: each has a name of its own then.
    """
    prepared = target_of(options).writing().prepared
    made = tuple(map(prepared, derived))
    return told_apart(made) if any(map(is_not, made, derived)) else made


def _levels(function: Function) -> int:
    """The depth to which blocks of a program stand inside one another."""
    most, stack = 0, [(function.block, 0)]
    while stack:
        block, level = stack.pop()
        most = max(most, level)
        for statement in block.body:
            stack += ((inner, level + 1) for inner in statement.blocks)
    return most


def _derive(
    request: Request,
    options: Options,
    listing: Listing,
    reading: Reading,
    arrays: ModuleArrays,
) -> Derived:
    """A request of a reading, derived; `arrays` are those that the output holds."""
    held(request.function)
    if request.options.get("sparse"):
        request = replace(request, function=in_numbers(request.function, request.span))
    made = _derived(request, options, listing)
    held_bundle(made.bundle)
    vector = _vector(request)
    if vector:
        container = options_of(request, options).container
        own = made.written or request.function, request.independents
        made = packed(made, *own, vector, container)
        held_bundle(made.bundle)
    is_sparse = bool(request.options.get("sparse"))
    if is_sparse:
        made = sparse(made, str(request.options.get("name", "")), request.span)
        held_bundle(made.bundle)
    if options_of(request, options).target != "math":
        made = computing(made, reading.computed)
        held_bundle(made.bundle)
        return _split(made, request)
    if options_of(request, options).container == "tuple":
        made = _without_numpy(made, request, reading)
        held_bundle(made.bundle)
        return made
    if made.kind in _MATRICES and not is_sparse:
        made = from_template(made, arrays)
        held_bundle(made.bundle)
    made = with_constants(_split(made, request), arrays)
    held_bundle(made.bundle)
    return made


def _without_numpy(made: Derived, request: Request, reading: Reading) -> Derived:
    """The derived function with lists for whole arrays, and its setup, if a mark wants
    one. They compute the constants themselves that numpy would on import.
    """
    foreign = _of_numpy(reading)
    if foreign.intersection(_constants(made)):
        made = computing(made, reading.computed)
    left = sorted(foreign.intersection(_constants(made)))
    if left:
        message = f"the constant {left[0]!r}, which only numpy computes, is not written"
        raise Refusal(
            Diagnostic(
                "AD033",
                f"{message} in tuples and lists yet",
                request.span,
                'write its numbers, or leave `container="tuple"` out',
            )
        )
    try:
        return listed(_split(made, request))
    except Refusal as refusal:
        raise refusal.at(request.span) from None


def _constants(made: Derived) -> list[str]:
    """The constants of the module that a derived function reads."""
    held = (p for p in made.function.parameters if p.passing is Passing.MODULE)
    return [p.name.partition(".")[0] for p in held]


def _of_numpy(reading: Reading) -> set[str]:
    """The constants that functions of numpy compute, themselves or by others."""
    found: set[str] = set()
    for name, constant in reading.constants.items():
        if constant.text:
            others = found.intersection(names_in(constant.text))
            if others or constant.of_numpy:
                found.add(name)
    return found


def _split(made: Derived, request: Request) -> Derived:
    """The derived function behind its setup, if a mark asks for that."""
    if request.options.get("split"):
        return split(made, request.function, request.span)
    return made


_MATRICES = frozenset({"jacobian", "hessian"})


def _vector(request: Request) -> str:
    """The name of the vector of independents; empty if they come one by one."""
    asked = request.options.get("packed", False)
    return "p" if asked is True else str(asked or "")


def _plain(request: Request, options: Options) -> Request:
    """The request with code in place of the operators in its function, to be
    differentiated; `expand` does that by itself.
    """
    every = (request.function, *request.helpers)
    if request.kind == "expand" or not has_operators(every):
        return request
    own = options_of(request, options)
    made = without_operators(request.function, request.helpers, own)
    return replace(request, function=made[0], helpers=made[1])


def _derived(request: Request, options: Options, listing: Listing) -> Derived:
    return Specification(
        request.function,
        request.kind,
        request.independents,
        request.options,
        options_of(request, options),
        request.span,
        listing,
        request.helpers,
    ).derived()


def names_of(reading: Reading) -> set[str]:
    """Every name with a meaning in the source or for a function of it."""
    taken = {*reading.names, *HELPERS}
    for request in reading.requests:
        function = request.function
        taken.update(parameter.name for parameter in function.parameters)
        taken.update(out.hint for line in walk(function.body) for out in line.outs)
    return taken


def _is_itself(request: Request, made: Derived) -> bool:
    """Whether the generated function is the marked one, in another file."""
    return request.kind == "expand" and made.function.name == request.function.name


def _collisions(
    request: Request, made: Derived, reading: Reading, takers: Mapping[str, Request]
) -> Iterator[Diagnostic]:
    """The diagnostics of names that are taken (CONTRACT.md, rule 4)."""
    name = made.function.name
    way_out = f'give it another name: {request.kind}(name="{name}_2")'
    if name in takers:
        yield Diagnostic("AD024", f"two marks generate {name!r}", request.span, way_out)
    setup = made.setup.partition("(")[0]
    for one in (name, setup):
        if one in reading.names and not _is_itself(request, made):
            yield Diagnostic(
                "AD025",
                f"the generated function {one!r} has the name of something in the file",
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
            if KINDS[request.kind].tangents:
                help_ += ", or ask for `vjp` or `jacobian`"
            if made.setup and seed == SETUP:
                word = "parameter"
            if made.vector and seed in (made.vector, f"{made.vector}_dot"):
                word = "vector"
                help_ = f'call the vector otherwise: packed="{made.vector}_2"'
            yield Diagnostic(
                "AD025",
                f"the {word} {seed!r} of {name!r} has the name of {what}",
                request.span,
                help_,
            )
