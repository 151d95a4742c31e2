"""The outcome of reading a file: requests, constants, names, diagnostics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Diagnostic, Span
from ad_transform.ir.nodes import Function
from ad_transform.ir.types import Items

RECURSIVE = "recursive"
"""The way to keep recursive functions, and no others."""

IN_ESTIMATES = {"auto": "auto in estimates", "never": "never in estimates"}
"""The ways to keep functions where rounding errors are estimated; by the option
`inline`.
"""

OF_DERIVATIVES = {"auto": "auto of derivatives", "never": "never of derivatives"}
"""The same where they are those of a derivative: it keeps what the derivative keeps."""


@dataclass(frozen=True, slots=True)
class Request:
    """An item of a mark: a function and the derivative that is wanted of it.

    `function` is the raw program: nothing merged, negations and powers kept.
    `independents` stand in the order of the mark, the default filled in; `options`
    are the keywords of the item as typed values. `span` is that of the item. `helpers`
    are the functions that it calls; `unfit` those that were to be kept and are inlined.
    """

    function: Function
    kind: str
    independents: tuple[str, ...]
    options: Mapping[str, object]
    span: Span
    name_span: Span
    helpers: tuple[Function, ...] = ()
    unfit: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Constant:
    """A module constant: its definition as black would lay it out, its comments.

    Constants of one statement have one and the same tuple of comments.

    With a `program` it is a function of the file that computes constants. A definition
    `of_numpy` calls functions of numpy.
    """

    name: str
    text: str
    notes: tuple[str, ...] = ()
    program: Function | None = None
    of_numpy: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """The content of a file for the passes above.

    `constants` are those that the marked functions use and those that these refer to,
    in file order; `names` are all names of module level; `docstrings` are those of
    marked functions, without the indentation. `files` has the lines of the other files
    that were read, by the paths of their spans. `computed` has programs of constants
    with numbers that only a run knows, by their names in functions; `tables` are the
    items of constant lists, by these. If a diagnostic is an error, `requests` must not
    be used.
    """

    requests: tuple[Request, ...] = ()
    constants: Mapping[str, Constant] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    diagnostics: tuple[Diagnostic, ...] = ()
    docstrings: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    computed: Mapping[str, Function] = field(default_factory=dict)
    tables: Mapping[str, Items] = field(default_factory=dict)
