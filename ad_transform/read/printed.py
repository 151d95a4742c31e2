"""`print`, as a function is compiled and flattened: what it says, and who keeps it.

Most kinds compute derivatives and print nothing; `expand` gives the function itself, so
what that prints it prints, too. All of a call of `print` becomes one message.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

import libcst as cst

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.code import Body, Print
from ad_transform.read.concrete import Concrete, Twin
from ad_transform.read.context import Context
from ad_transform.read.described import describe
from ad_transform.read.drafts import DraftPrint
from ad_transform.read.module import Module
from ad_transform.read.notes import Notes
from ad_transform.read.source import Place
from ad_transform.read.values import Dict, Draft, Group, Number, Special, Value

Printer = Callable[[Context, Print], None]
"""What becomes of a call of `print`."""

_Part = str | tuple[Twin, str]
_Shown = tuple[str | Number, str]
"""A text, or a number with how it is shown."""

_SPEC = re.compile(r"[^\\'\"{}\n]*")  # what may stand in any f-string of any Python
_CONVERSIONS = {-1: "", 97: "!a", 114: "!r", 115: "!s"}


_WORDS = {"sep": (str, type(None)), "end": (str, type(None)), "flush": (bool,)}
"""The arguments of `print` that have names, and what they may be here."""


# --- compiled -------------------------------------------------------------------------


class Compiler(Protocol):
    """What is needed of the compiler of a function; see `Statements`."""

    module: Module
    concrete: Concrete

    def compile(self, node: cst.BaseExpression, tree: ast.expr) -> Body: ...

    def complain(self, code: str, message: str, tree: Place, help_: str) -> Body: ...

    def span(self, tree: Place) -> Span: ...


def compiled(compiler: Compiler, node: cst.Call, tree: ast.Call, notes: Notes) -> Body:
    """The code of `print(...)`; what is wrong with it is said to who keeps it."""
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
    """The arguments that have names, but for those that are as they are by default."""
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
    """What is printed."""
    own = [arg for arg in node.args if arg.keyword is None and arg.star != "**"]
    for arg, twin in zip(own, tree.args, strict=True):
        if arg.star:
            help_ = "write the values out, one by one"
            compiler.complain(
                "AD101", "a star in `print` is not supported", twin, help_
            )
            return []
    return [(arg.value, twin) for arg, twin in zip(own, tree.args, strict=True)]


def _parts(compiler: Compiler, given: Sequence[Twin], between: str) -> Iterator[_Part]:
    """The texts and values of all arguments, with what stands between these."""
    for place, (node, tree) in enumerate(given):
        if place:
            yield between
        if isinstance(tree, ast.JoinedStr):
            yield from _fields(compiler, compiler.concrete.whole(node), tree)
        elif isinstance(tree, ast.Constant) and isinstance(tree.value, str):
            yield tree.value
        else:
            yield (node, tree), ""


def _fields(
    compiler: Compiler, node: cst.BaseExpression, tree: ast.JoinedStr
) -> Iterator[_Part]:
    """The texts and values of an f-string, or of several beside each other."""
    forms = iter(_expressions(node))
    for value in tree.values:
        if isinstance(value, ast.FormattedValue):
            how = _CONVERSIONS[value.conversion]
            spec = "".join(map(_plain, getattr(value.format_spec, "values", ())))
            if not _SPEC.fullmatch(spec):
                help_ = "write a plain format: `{x:.3f}`"
                compiler.complain(
                    "AD101", "this format in `print` is not supported", tree, help_
                )
            yield (next(forms), value.value), f"{how}:{spec}" if spec else how
        else:
            yield _plain(value)


def _plain(value: ast.expr) -> str:
    """The text of a part of an f-string; a brace where it is a value."""
    return str(value.value) if isinstance(value, ast.Constant) else "{"


def _expressions(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """What an f-string shows, in order."""
    while isinstance(node, cst.ConcatenatedString):  # it leans to the right
        yield from _expressions(node.left)
        node = node.right
    if isinstance(node, cst.FormattedString):
        for part in node.parts:
            if isinstance(part, cst.FormattedStringExpression):
                yield part.expression


# --- flattened ------------------------------------------------------------------------


def dropped(flat: Context, i: Print) -> None:
    """Nothing is printed."""


def kept(flat: Context, i: Print) -> None:
    """It is printed where it stands."""
    if i.faults:
        flat.module.report.extend(i.faults)
        return
    flat.perform(i.code)
    values = iter(flat.pop(sum(text is None for text in i.message)))
    hows = iter(i.formats)
    said: list[_Shown] = []
    for text in i.message:
        if text is not None:
            said.append((text, ""))
        else:
            said += _shown(flat, next(values), next(hows), i.span)
    message = tuple(_joined(part for part, _ in said))
    formats = tuple(how for part, how in said if not isinstance(part, str))
    notes = () if flat.frame.quiet else i.notes
    shown = formats if any(formats) else ()
    flat.add(DraftPrint(message, shown, i.words, i.span, notes))


def _shown(flat: Context, value: Value, how: str, span: Span) -> Iterator[_Shown]:
    """The texts and numbers that a value is shown by, with how they are."""
    if value is Special.NONE:
        yield f"{{{how}}}".format(None), ""
    elif isinstance(value, Literal) and not value.name:
        yield f"{{{how}}}".format(value.value), ""
    elif isinstance(value, Draft | Literal) and not value.type.is_array:
        yield value, how
    elif isinstance(value, Group) and value.container in _ROUND and ":" not in how:
        yield from _group(flat, value, span)
    elif isinstance(value, Dict) and ":" not in how:
        yield from _dict(flat, value, span)
    elif value is not Special.REFUSED:
        message = f"`print` of {describe(value)} is not supported"
        flat.refuse("AD101", message, span, "print its numbers, one by one")


_ROUND = {Container.TUPLE: ("(", ")"), Container.LIST: ("[", "]")}
"""What stands around a group where it is shown."""


def _group(flat: Context, group: Group, span: Span) -> Iterator[_Shown]:
    """A tuple or a list, item by item."""
    start, end = _ROUND[group.container]
    yield start, ""
    for place, item in enumerate(group.items):
        if place:
            yield ", ", ""
        yield from _shown(flat, item, "!r", span)
    alone = len(group.items) == 1 and group.container is Container.TUPLE
    yield f",{end}" if alone else end, ""


def _dict(flat: Context, value: Dict, span: Span) -> Iterator[_Shown]:
    """The same of a dict."""
    start = "{"
    for key, item in zip(value.keys, value.items, strict=True):
        yield f"{start}{key.value!r}: ", ""
        yield from _shown(flat, item, "!r", span)
        start = ", "
    yield "}" if value.keys else "{}", ""


def _joined(parts: Iterable[str | Number]) -> Iterator[str | Number]:
    """The parts with texts beside each other as one, and none that are empty."""
    text = ""
    for part in parts:
        if isinstance(part, str):
            text += part
            continue
        if text:
            yield text
        text = ""
        yield part
    if text:
        yield text
