"""The fence around the language: every construct that is refused, by name.

A construct that neither a table nor the compiler has cannot occur:
`tests/read/test_fence.py` holds the tables against LibCST's list of nodes.
"""

from __future__ import annotations

import ast

from ad_transform.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Refused:
    """A row: code and text of the diagnostic, and the way out."""

    code: str
    message: str
    help: str


def _never(code: str, what: str, help_: str) -> Refused:
    return Refused(code, f"{what} is not supported", help_)


def _later(code: str, what: str, help_: str) -> Refused:
    return Refused(code, f"{what} is not supported yet", help_)


_SAME = "compare numbers with `==`; keep in a bool which function was chosen"
_TEST = "test for it before: `if y == 0.0: ...`"
_COMPLEX = "write real and imaginary part by themselves"
_GIVEN = "write `yield` in a statement of its own, or append to a list"

# fmt: off
STATEMENTS: dict[str, Refused] = {
    "Try":       _never("AD101", "`try`", _TEST),
    "TryStar":   _never("AD101", "`try`", _TEST),
    "With":      _never("AD101", "`with`", "pass numbers"),
    "ClassDef":  _never("AD101", "a class inside a function", "use plain names"),
    "Global":    _never("AD101", "`global`", "return the value instead"),
    "AsyncFunctionDef": _never("AD101", "a coroutine", "write a plain `def`"),
    "TypeAlias": _never("AD101", "`type` inside a function", "move it to the module"),
}

EXPRESSIONS: dict[str, Refused] = {
    "Await":           _never("AD102", "`await`", "write a plain function"),
    "Yield":           _never("AD102", "what `yield` is sent", _GIVEN),
    "Ellipsis":        _never("AD102", "`...` as a value", "write the value"),
    "TemplatedString": _never("AD102", "a template string", "leave it out"),
    "Imaginary":       _never("AD107", "a complex number", _COMPLEX),
}

OPERATORS: dict[str, Refused] = {
    "Is":             _never("AD102", "`is`", _SAME),
    "IsNot":          _never("AD102", "`is not`", _SAME),
}
CHANGES: dict[str, Refused] = {
    **OPERATORS,
    "MatrixMultiply": _later("AD107", "`@=`", "write `a = a @ b`"),
}
# fmt: on
"""Refused operators by the name of LibCST."""


def instead_of_try(tree: ast.Try) -> str:
    """The way out in the message about a `try`, by the exceptions that it catches."""
    if tree.finalbody:
        return "write what `finally` does behind the `try`"
    if any(handler.name for handler in tree.handlers):
        return "say in a message of your own what is wrong, and leave out `as`"
    return _TEST


UNKNOWN = _never("AD102", "this expression", "write it with `+ - * / **` and calls")
UNKNOWN_STATEMENT = _never("AD101", "this statement", "write assignments and calls")
"""Rows for syntax that is younger than these tables."""
