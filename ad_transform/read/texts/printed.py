"""`print`, as a function is compiled and flattened: its text, and the kinds that keep
it.

Most kinds compute derivatives and print nothing; `expand` gives the function itself,
and prints as the function does. All of a call of `print` becomes one message.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import libcst as cst

from ad_transform.diagnostics import Span
from ad_transform.later import later
from ad_transform.read.code import Body, Print
from ad_transform.read.compiling.messages import Part, Unreadable, parts_of
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftPrint
from ad_transform.read.project.module import Module
from ad_transform.read.syntax.concrete import Concrete, Twin
from ad_transform.read.syntax.notes import Notes
from ad_transform.read.syntax.source import Place

with later():
    from ad_transform.read.texts.telling import told

Printer = Callable[[Context, Print], None]
"""The meaning of a call of `print`."""


_WORDS = {"sep": (str, type(None)), "end": (str, type(None)), "flush": (bool,)}
"""The keywords of `print`, and the types of their values here."""


# --- compiled -------------------------------------------------------------------------


class Compiler(Protocol):
    """The parts of the compiler of a function that `print` needs; see `Statements`."""

    module: Module
    concrete: Concrete

    def compile(self, node: cst.BaseExpression, tree: ast.expr) -> Body: ...

    def is_builtin(self, node: cst.BaseExpression, name: str) -> bool: ...

    def complain(self, code: str, message: str, tree: Place, help_: str) -> Body: ...

    def span(self, tree: Place) -> Span: ...


def compiled(compiler: Compiler, node: cst.Call, tree: ast.Call, notes: Notes) -> Body:
    """The code of `print(...)`, with the errors in it, which are reported where it is
    kept.
    """
    with compiler.module.shared.apart() as report:
        words = dict(_words(compiler, tree))
        between = str(words.pop("sep", " "))
        parts = tuple(_parts(compiler, _given(compiler, node, tree), between))
        values = [part for part in parts if not isinstance(part, str)]
        code = tuple(i for twin, _ in values for i in compiler.compile(*twin))
    texts = tuple(part if isinstance(part, str) else None for part in parts)
    formats = tuple(how for _, how in values)
    faults, span = report.sorted(), compiler.span(tree)
    return (Print(code, texts, formats, tuple(words.items()), faults, span, notes),)


def _words(compiler: Compiler, tree: ast.Call) -> Iterator[tuple[str, str | bool]]:
    """The arguments with keywords, but for those that are the default."""
    for word in tree.keywords:
        name = word.arg or "**"
        value = word.value.value if isinstance(word.value, ast.Constant) else word
        if not isinstance(value, _WORDS.get(name, ())):
            shown = f"`{name}=`" if word.arg else "`**`"
            help_ = "leave it out, or write plain `sep`, `end` and `flush`"
            compiler.complain(
                "AD101", f"this {shown} of `print` is not supported", word.value, help_
            )
        elif value is not None:
            assert isinstance(value, str | bool)
            yield name, value


def _given(compiler: Compiler, node: cst.Call, tree: ast.Call) -> list[Twin]:
    """The arguments that are printed; none after a report."""
    own = [arg for arg in node.args if arg.keyword is None and arg.star != "**"]
    for arg, twin in zip(own, tree.args, strict=True):
        if arg.star:
            help_ = "write the values out, one by one"
            compiler.complain(
                "AD101", "a star in `print` is not supported", twin, help_
            )
            return []
    return [(arg.value, twin) for arg, twin in zip(own, tree.args, strict=True)]


def _parts(compiler: Compiler, given: Sequence[Twin], between: str) -> Iterator[Part]:
    """The texts and values of all arguments, with `between` between these."""
    for place, (node, tree) in enumerate(given):
        if place:
            yield between
        yield from _told(compiler, (node, tree))


def _told(compiler: Compiler, twin: Twin) -> Iterator[Part]:
    """The parts of an argument that is a text."""
    try:
        yield from list(parts_of(compiler.concrete, compiler.is_builtin, twin))
    except Unreadable as found:
        compiler.complain("AD101", found.message, found.tree, found.help)


# --- flattened ------------------------------------------------------------------------


def dropped(flat: Context, i: Print) -> None:
    """Print nothing."""


def kept(flat: Context, i: Print) -> None:
    """Print a message where the call stands."""
    if i.faults:
        flat.module.report.extend(i.faults)
        return
    flat.perform(i.code)
    message, formats = told(flat, i, "`print` of")
    notes = () if flat.frame.quiet else i.notes
    flat.add(DraftPrint(message, formats, i.words, i.span, notes))
