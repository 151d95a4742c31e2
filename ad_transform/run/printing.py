"""The text of an output: its module with a header."""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Iterator, Mapping, Sequence

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.constants.module_arrays import ModuleArray
from ad_transform.derive.kinds.kinds import Derived
from ad_transform.diagnostics import Diagnostic, Refusal
from ad_transform.emit.constants import named_formulas
from ad_transform.emit.header import Header
from ad_transform.emit.target import Printed, Program, Target, Writing
from ad_transform.emit.targets import target_of
from ad_transform.ir.blocks.raising import raising
from ad_transform.ir.nodes import Function, Maker, Nest
from ad_transform.options import Options
from ad_transform.read import Reading
from ad_transform.run.deriving import in_target, names_of, options_of


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin in the header: the source seen from the output, and the command."""

    source: str
    command: str

    @property
    def name(self) -> str:
        """The name of the output without its ending, as the command has it."""
        words = shlex.split(self.command)
        output = words[words.index("-o") + 1] if "-o" in words[:-1] else "derivatives"
        return posixpath.splitext(posixpath.basename(output))[0]


class BrokenPromise(Exception):
    """The generated text breaks our promise: a bug of ours, never the user's."""


def print_all(
    reading: Reading, derived: tuple[Derived, ...], origin: Origin, options: Options
) -> str:
    """The text with its header, whose hash is that of the text without it.

    Raises Refusal where a helper's name is taken or arms stand too deep in each other,
    BrokenPromise for a wrong text.
    """
    derived = in_target(derived, options)
    notes = {name: item.notes for name, item in reading.constants.items()}
    formulas = formula_names(reading, derived)
    reserved = reserved_names(reading, derived, formulas)
    width, target = options.line_length, target_of(options)
    writing = target.writing()
    constants = dict(_definitions(reading, reserved, width, writing, origin))
    constants |= {name: text for text, name in formulas.items()}
    for array in _arrays(derived):
        constants[array.name] = writing.array(array, reserved, formulas, width)
    printed: list[Printed] = []
    refused: list[Diagnostic] = []
    known: set[str] = set()
    for request, made in zip(reading.requests, derived, strict=True):
        own = options_of(request, options)
        fresh = tuple(helper for helper in made.before if helper.name not in known)
        known.update(helper.name for helper in fresh)
        said = reading.docstrings.get(request.function.name, "")
        main = _made_from(made.function, origin)
        before = tuple(_raised_from(_placed(f, origin), origin) for f in fresh)
        shown = replace(made, function=main, before=before)
        try:
            printed.append(writing.function(shown, reserved, own, said, formulas))
        except Refusal as refusal:
            refused += refusal.at(request.span).diagnostics
    if refused:
        raise Refusal(*dict.fromkeys(refused))
    wrong = (*_hidden_helpers(reading, printed, reserved), *_deep(reading, printed))
    if wrong:
        raise Refusal(*wrong)
    name = origin.name
    bare = writing.module(printed, constants, None, notes, width, name)
    program = _program(bare, target)
    _hold_promise(program, derived, writing, reserved)
    canonical, linters = options.canonical(), target.style.linters
    header = Header(origin.source, origin.command, canonical, program.hash, linters)
    return writing.module(printed, constants, header, notes, width, name)


def _placed(function: Function, origin: Origin) -> Function:
    """The function with the module that the output imports it from: relative inside a
    package, else absolute (CONTRACT.md, rule 17).
    """
    outside = function.outside
    if outside is None:
        return function
    module = _module(outside.name, outside.path, outside.packages, origin)
    return replace(function, outside=replace(outside, path=module))


def _made_from(function: Function, origin: Origin) -> Function:
    """The function with the modules of the classes of its results and defaults."""
    parameters = tuple(
        replace(p, makers=tuple(_known(maker, origin) for maker in p.makers))
        for p in function.parameters
    )
    nest = _imported(function.nest, origin)
    made = replace(function, parameters=parameters, nest=nest)
    return _raised_from(made, origin)


def _raised_from(function: Function, origin: Origin) -> Function:
    """The function with the modules of the exception classes that it raises."""
    return raising(function, lambda maker: _known(maker, origin))


def _imported(nest: Nest, origin: Origin) -> Nest:
    items = tuple(_imported(item, origin) for item in nest.items)
    maker = nest.maker and _known(nest.maker, origin)
    return replace(nest, items=items, maker=maker)


def _known(maker: Maker, origin: Origin) -> Maker:
    """A class with the module that the output imports it from."""
    module = _module(maker.name, maker.path, maker.packages, origin)
    return replace(maker, module=module)


def _module(name: str, path: str, packages: tuple[str, ...], origin: Origin) -> str:
    """The module that the output imports a name from."""
    folder = posixpath.dirname(origin.source)
    path = posixpath.normpath(posixpath.join(folder, path)) if path else origin.source
    if not path.endswith(".py"):
        message = f"{name!r} is imported from its file, which has no name"
        help_ = "give the file a name: --stdin-filename model.py"
        raise Refusal(Diagnostic("AD121", message, None, help_))
    *steps, name = path.removesuffix(".py").split("/")
    up = steps.count("..")
    down = [*steps[up:], *([] if name == "__init__" else [name])]
    if packages and len(steps) - up < len(packages):
        return "." * (up + 1) + ".".join(down)
    return ".".join([*filter(None, packages), name])


def _definitions(
    reading: Reading,
    reserved: frozenset[str],
    limit: int,
    writing: Writing,
    origin: Origin,
) -> Iterator[tuple[str, str | Printed]]:
    """The constants of the module, and the functions that they are computed by."""
    for name, item in reading.constants.items():
        if item.program is None:
            yield name, item.text
        else:
            program = _raised_from(item.program, origin)
            yield name, writing.constant(program, reserved, limit)


def reserved_names(
    reading: Reading, derived: Sequence[Derived], formulas: Mapping[str, str]
) -> frozenset[str]:
    """The names that the generated module defines: those of its constants, of constants
    made of others by their text too, and of its functions.
    """
    made = {f.name for made in derived for f in made.bundle.functions}
    made.update(array.name for array in _arrays(derived))
    return frozenset(made.union(reading.constants, formulas.values()))


def formula_names(reading: Reading, derived: Sequence[Derived]) -> Mapping[str, str]:
    """The names of constants that the module makes of others, by their text."""
    arrays = _arrays(derived)
    taken = names_of(reading).union(array.name for array in arrays)
    numbers = [number for array in arrays for number in array.numbers]
    functions = [f for made in derived for f in made.bundle.functions]
    return named_formulas(functions, taken, numbers)


def _arrays(derived: Sequence[Derived]) -> list[ModuleArray]:
    """The constants that are arrays, in the order in which they are read."""
    return [*dict.fromkeys(array for made in derived for array in made.arrays)]


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


def _deep(reading: Reading, printed: Sequence[Printed]) -> Iterator[Diagnostic]:
    """Functions whose blocks stand deeper in each other than Python reads."""
    for request, function in zip(reading.requests, printed, strict=True):
        if _DEEPEST in function.text:
            yield Diagnostic(
                "AD004",
                f"the {request.kind} of {request.function.name!r} is nested too deeply",
                request.span,
                "compute what a long chain of `elif` compares in front of the chain",
            )


_DEEPEST = "\n" + " " * 4 * 100
"""The begin of a line that stands deeper than CPython's parser goes."""


def _program(text: str, target: Target) -> Program:
    """The generated text, parsed; raises BrokenPromise where it is no program."""
    try:
        return target.program(text)
    except SyntaxError as error:
        raise BrokenPromise(f"the generated text is no program: {error}") from error


def _hold_promise(
    program: Program,
    derived: tuple[Derived, ...],
    writing: Writing,
    reserved: frozenset[str],
) -> None:
    """Raise BrokenPromise unless the text defines all that was asked for."""
    for made in derived:
        name, parameters = writing.promised(made, reserved)
        if program.defined.get(name) != parameters:
            raise BrokenPromise(f"the generated text does not define {name!r}")
