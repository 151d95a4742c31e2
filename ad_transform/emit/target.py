"""Targets: languages that outputs are written in, and recognised in again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from ad_transform.dataclass import dataclass
from ad_transform.emit.header import Header, Style

if TYPE_CHECKING:
    from ad_transform.derive.constants.module_arrays import ModuleArray
    from ad_transform.derive.kinds.kinds import Derived
    from ad_transform.ir.nodes import Function, Var
    from ad_transform.options import Options


@dataclass(frozen=True, slots=True)
class Printed:
    """The text of a function, with its needs from the file.

    imports     pairs of the name used and its meaning: ("sin", "math.sin"),
                ("np", "numpy"), ("_abs", "builtins.abs")
    constants   names of the module constants that it reads
    helpers     names of the helpers that it calls
    """

    text: str
    imports: tuple[tuple[str, str], ...]
    constants: tuple[str, ...]
    helpers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """The program in a text, apart from its layout and comments.

    hash     `sha256:` and a hash, the same on every machine
    defined  the functions that it defines, each with the names of its parameters
    """

    hash: str
    defined: Mapping[str, Sequence[str]]


Names = Mapping[str, str]


class WriteFunction(Protocol):
    """A derived function as text, behind those that it calls.

    `reserved` are the names that the generated file defines, `said` is the docstring of
    the source; `formulas` are the names of constants that the output makes of others.
    """

    def __call__(
        self,
        derived: Derived,
        reserved: frozenset[str],
        options: Options,
        said: str,
        formulas: Names,
    ) -> Printed: ...


class WriteConstant(Protocol):
    """A function that computes a constant of the source."""

    def __call__(
        self, function: Function, reserved: frozenset[str], limit: int
    ) -> Printed: ...


class WriteArray(Protocol):
    """The definition of an array that the output holds as a constant."""

    def __call__(
        self,
        array: ModuleArray,
        reserved: frozenset[str],
        formulas: Names,
        limit: int,
    ) -> str: ...


class WriteModule(Protocol):
    """A whole file with these functions, without its header where that is None.

    `constants` are the definitions of the source's module constants in its order, and
    the functions that they are computed by; `name` is that of the file, without ending.
    """

    def __call__(
        self,
        functions: Sequence[Printed],
        constants: Mapping[str, str | Printed],
        header: Header | None,
        notes: Mapping[str, tuple[str, ...]],
        limit: int,
        name: str,
    ) -> str: ...


class Computed(Protocol):
    """The values that each of the last lines of a function's text computes."""

    def __call__(
        self,
        derived: Derived,
        reserved: frozenset[str],
        options: Options,
        formulas: Names,
    ) -> list[tuple[Var, ...]]: ...


class Promised(Protocol):
    """The name of a derived function in the text, and those of its parameters, where
    the file has `reserved` names.
    """

    def __call__(
        self, derived: Derived, reserved: frozenset[str], /
    ) -> tuple[str, list[str]]: ...


def _as_it_is(derived: Derived) -> Derived:
    return derived


@dataclass(frozen=True, slots=True)
class Writing:
    """The functions that write outputs in a target.

    function  writes a derived function, `constant` a function that computes a constant,
              `array` an array that is one, `module` a file
    computed  tells which values each line of a function computes
    promised  tells the name of a function, and its parameters
    prepared  gives a derived function in the terms of the target: Python has dicts for
              lists of keys
    """

    function: WriteFunction
    constant: WriteConstant
    array: WriteArray
    module: WriteModule
    computed: Computed
    promised: Promised
    prepared: Callable[[Derived], Derived] = _as_it_is


@dataclass(frozen=True, slots=True)
class Companion:
    """A file that stands beside an output and is made of it: the header of a C file.

    ending  of its name, in the place of the output's own
    text    makes its text of that of the output, and of its own name
    """

    ending: str
    text: Callable[[str, str], str]


@dataclass(frozen=True, slots=True)
class Target:
    """A language that outputs are written in, and recognised in again.

    ending    of the names of outputs
    style     the style of its headers
    program   reads the program in a text; raises SyntaxError where there is none
    comments  the comments of a text in order, those of its first block left out
    writing   gives the functions that write outputs; only then they are imported
    companion the file that stands beside an output, if there is one
    """

    ending: str
    style: Style
    program: Callable[[str], Program]
    comments: Callable[[str], list[str]]
    writing: Callable[[], Writing]
    companion: Companion | None = None
