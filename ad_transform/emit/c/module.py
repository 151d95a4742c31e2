"""A whole file in C: header, includes, constants, lists, helpers, functions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Diagnostic, Refusal
from ad_transform.emit.c.composer import LISTS
from ad_transform.emit.c.dialect import C, number
from ad_transform.emit.c.function import TAKEN, Written, taken_by, written
from ad_transform.emit.c.lists import list_texts
from ad_transform.emit.c.memory import memory_texts
from ad_transform.emit.c.outside import written_outside
from ad_transform.emit.c.printing import helper_texts
from ad_transform.emit.c.signature import Order, interface, named, renamed
from ad_transform.emit.compiled.fence import all_refusals
from ad_transform.emit.compiled.flattening import flattened
from ad_transform.emit.compiled.interface import words_of
from ad_transform.emit.compiled.said import lines_of, said_inside
from ad_transform.emit.header import Header, Style
from ad_transform.emit.schedule.owners import source_parts
from ad_transform.emit.target import Printed
from ad_transform.ir.nodes import Function

if TYPE_CHECKING:
    from ad_transform.derive.kinds.kinds import Derived
    from ad_transform.emit.schedule.anchors import Parts
    from ad_transform.options import Options

STYLE = Style("//")
LANGUAGE = "C"


@dataclass(frozen=True, slots=True)
class InC(Printed):
    """Functions in C; `numbers` are those of the constants that they read."""

    numbers: Mapping[str, float | int] = field(default_factory=dict)


def print_function(
    derived: Derived,
    reserved: frozenset[str],
    options: Options,
    said: str,
    formulas: Mapping[str, str],
) -> InC:
    """A derived function behind those that it calls; raises Refusal (AD033, AD025)."""
    derived, wrong = flattened(derived, LANGUAGE)
    wrong += [*all_refusals(derived, C, LISTS, LANGUAGE), *_taken(derived)]
    if wrong:
        raise Refusal(*wrong)
    own = _reserved(derived, reserved)
    parts = source_parts(derived.program) if derived.program else None
    made = [
        _printed(f, _inside(derived, f), own, options, formulas, parts)
        for f in derived.before
    ]
    order = Order(words_of(derived), derived.independents, lines_of(derived, said))
    made.append(_printed(derived.function, order, own, options, formulas, parts))
    numbers = {name: value for one in made for name, value in one.numbers.items()}
    ahead = "".join(f"{one.head};\n" for one in _called_ahead(made))
    texts = [*([ahead] if ahead else []), *(one.text for one in made)]
    return InC("\n".join(texts), (), (), (), numbers)


def _called_ahead(made: Sequence[Written]) -> list[Written]:
    """Functions that are called in front of their definition, as in a circle."""
    names = [found[1] for one in made if (found := _CALLED.search(one.head))]
    return [
        one
        for k, one in enumerate(made)
        if any(re.search(rf"\b{names[k]}\(", other.text) for other in made[:k])
    ]


_CALLED = re.compile(r"(\w+)\(")


def _printed(
    function: Function,
    order: Order,
    reserved: frozenset[str],
    options: Options,
    formulas: Mapping[str, str],
    parts: Parts | None,
) -> Written:
    if function.outside is not None:
        return written_outside(function, function.outside, options.line_length)
    return written(function, order, reserved, options.line_length, formulas, parts)


def _taken(derived: Derived) -> Iterator[Diagnostic]:
    """Refusals of functions whose names mean something else in C."""
    for function in derived.bundle.functions:
        if function.name in TAKEN:
            message = f"{function.name!r} means something else in C"
            way_out = f'give it another name: name="{function.name}_2"'
            yield Diagnostic("AD025", message, None, way_out)


def _inside(derived: Derived, function: Function) -> Order:
    """Instructions for a function that a derived one calls, or that makes its setup."""
    comment, is_setup = said_inside(derived, function)
    return Order(("setup",) if is_setup else (), (), comment, not is_setup)


def print_module(
    functions: Sequence[Printed],
    constants: Mapping[str, str | Printed],
    header: Header | None,
    notes: Mapping[str, tuple[str, ...]],
    limit: int,
    name: str,
) -> str:
    """The text of a file with these functions."""
    numbers: dict[str, float | int] = {}
    for function in functions:
        numbers |= getattr(function, "numbers", {})
    body = [function.text for function in functions]
    text = "\n".join(body)
    helpers = helper_texts(text)
    needs = "\n".join([*helpers, text])
    lists = list_texts(needs)
    memory = memory_texts("\n".join([*lists, needs]))
    declared = [
        f"static const {_kind(value)} {name} = {number(value)};\n"
        for name, value in numbers.items()
    ]
    head = "" if header is None else header.render(STYLE) + "\n"
    parts = [
        *memory,
        *lists,
        *helpers,
        *(["".join(declared)] if declared else []),
        *body,
    ]
    whole = "\n".join(parts)
    return f"{head}{_included(whole)}\n{whole}"


def _kind(value: float | int) -> str:
    if isinstance(value, bool):
        return "bool"
    return "double" if isinstance(value, float) else "int64_t"


_INCLUDES: Mapping[str, str] = {
    "errno.h": r"\berrno\b|\bEDOM\b|\bENOMEM\b",
    "math.h": r"\bNAN\b|\bINFINITY\b|\b[a-z]+[a-z0-9]*\(",
    "stdbool.h": r"\bbool\b|\btrue\b|\bfalse\b",
    "stdint.h": r"\bint64_t\b|\bINT64_C\b",
    "stdio.h": r"\bsnprintf\(",
    "stdlib.h": r"\bstrtod\b|\bcalloc\b|\bfree\b|\bNULL\b|\bsize_t\b",
    "string.h": r"\bstrcmp\b",
}
"""The names that a text may need of each header."""


def _included(text: str) -> str:
    return "".join(
        f"#include <{name}>\n"
        for name, used in _INCLUDES.items()
        if re.search(used, text)
    )


def promised(derived: Derived, reserved: frozenset[str]) -> tuple[str, list[str]]:
    """The name of the function of a derivative, and the names of all its parameters."""
    flat = flattened(derived, LANGUAGE)[0]
    taken = taken_by(flat.function, _reserved(flat, reserved))
    function = renamed(flat.function, taken)
    order = Order(words_of(derived), derived.independents)
    return function.name, named(interface(function, order, set(taken)))


def _reserved(derived: Derived, reserved: frozenset[str]) -> frozenset[str]:
    """The names of the file, and of the functions that a derived one calls."""
    return reserved.union(f.name for f in derived.before)
