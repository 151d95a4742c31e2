"""A whole file in Fortran: header, a module with types, helpers and procedures."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ad_transform.diagnostics import Diagnostic, Refusal
from ad_transform.emit.compiled.fence import all_refusals
from ad_transform.emit.compiled.flattening import flattened
from ad_transform.emit.compiled.interface import words_of
from ad_transform.emit.compiled.said import lines_of, said_inside
from ad_transform.emit.fortran.composer import LISTS
from ad_transform.emit.fortran.dialect import FORTRAN, WORDS, plain
from ad_transform.emit.fortran.function import Order, written
from ad_transform.emit.fortran.function import promised as names_of
from ad_transform.emit.fortran.lists import list_texts
from ad_transform.emit.fortran.outside import written_outside
from ad_transform.emit.fortran.printing import helper_texts
from ad_transform.emit.header import Header, Style
from ad_transform.emit.schedule.owners import source_parts
from ad_transform.emit.target import Printed
from ad_transform.ir.nodes import Function

if TYPE_CHECKING:
    from ad_transform.derive.kinds.kinds import Derived
    from ad_transform.options import Options

STYLE = Style("!")
LANGUAGE = "Fortran"


def print_function(
    derived: Derived,
    reserved: frozenset[str],
    options: Options,
    said: str,
    formulas: Mapping[str, str],
) -> Printed:
    """A derived function behind those that it calls; raises Refusal (AD033, AD025)."""
    derived, wrong = flattened(derived, LANGUAGE)
    wrong += [*all_refusals(derived, FORTRAN, LISTS, LANGUAGE), *_taken(derived)]
    if wrong:
        raise Refusal(*wrong)
    parts = source_parts(derived.program) if derived.program else None
    limit = options.line_length
    texts = [
        (
            written_outside(f, f.outside, limit)
            if f.outside is not None
            else written(f, _inside(derived, f), limit, formulas, parts)
        )
        for f in derived.before
    ]
    order = _order(derived, lines_of(derived, said))
    texts.append(written(derived.function, order, limit, formulas, parts))
    return Printed("\n".join(texts), (), (), ())


def _order(derived: Derived, comment: tuple[str, ...] = ()) -> Order:
    return Order(words_of(derived), derived.independents, comment)


def _inside(derived: Derived, function: Function) -> Order:
    comment, is_setup = said_inside(derived, function)
    words = ("setup",) if is_setup else ()
    return Order(words, (), comment, not is_setup)


def _taken(derived: Derived) -> Iterator[Diagnostic]:
    """Refusals of functions whose names mean something else in Fortran."""
    for function in derived.bundle.functions:
        if plain(function.name).lower() in WORDS:
            message = f"{function.name!r} means something else in {LANGUAGE}"
            way_out = f'give it another name: name="{function.name}_2"'
            yield Diagnostic("AD025", message, None, way_out)


_ARITHMETIC = """\
  use, intrinsic :: ieee_arithmetic, only: &
      ieee_value, ieee_quiet_nan, ieee_positive_inf, ieee_is_nan, ieee_is_finite
"""
_OF_C = """\
  use, intrinsic :: iso_c_binding, only: c_double
"""
_HEAD = """\
  use, intrinsic :: iso_fortran_env, only: dp => real64, ip => int64
"""


def print_module(
    functions: Sequence[Printed],
    constants: Mapping[str, str | Printed],
    header: Header | None,
    notes: Mapping[str, tuple[str, ...]],
    limit: int,
    name: str,
) -> str:
    """The text of a file with these functions, the module `name`."""
    body = [function.text for function in functions]
    text = "\n".join(body)
    types, lists = list_texts(text)
    interfaces, helpers = helper_texts("\n".join([*lists, text]))
    whole = "\n".join([*helpers, text])
    used = (_ARITHMETIC if "ieee_" in whole else "") + _HEAD
    used += _OF_C if interfaces else ""
    public = _public(text)
    _are_apart(public)
    exported = sorted(public)
    shown = textwrap.fill(
        f"public :: {', '.join(exported)}",
        limit - 4,
        subsequent_indent="    ",
        break_long_words=False,
    ).replace("\n", " &\n  ")
    name = _module_name(name, public)
    parts = [
        f"module {name}\n{used}  implicit none\n  private\n  {shown}\n",
        *types,
        *interfaces,
        "contains\n",
        *lists,
        *helpers,
        *body,
        f"end module {name}\n",
    ]
    head = "" if header is None else header.render(STYLE) + "\n"
    return head + "\n".join(parts)


def _module_name(name: str, procedures: Sequence[str]) -> str:
    """The name of the file; no procedure in a module has the name of the module."""
    name = plain(name)
    is_taken = name.lower() in map(str.lower, procedures)
    return f"{name}_module" if is_taken else name


def _are_apart(names: Sequence[str]) -> None:
    """See that no two procedures have one name; raises Refusal (AD025)."""
    known: set[str] = set()
    for name in names:
        if name.lower() in known:
            message = f"two functions are called {name!r} in {LANGUAGE}"
            way_out = f'give one of them another name: name="{name}_2"'
            raise Refusal(Diagnostic("AD025", message, None, way_out))
        known.add(name.lower())


def _public(text: str) -> list[str]:
    """The procedures that others may call."""
    found: list[str] = []
    for line in text.split("\n"):
        words = line.partition("(")[0].split()
        if line.startswith("  end ") or not line.startswith("  ") or line[2] == " ":
            continue
        if len(words) > 1 and words[-2] in ("function", "subroutine"):
            found.append(words[-1])
    return [name for name in found if not name.startswith("ad_")]


def promised(derived: Derived, _: frozenset[str]) -> tuple[str, list[str]]:
    """The name of the function of a derivative, and the names of all its parameters."""
    function = flattened(derived, LANGUAGE)[0].function
    return plain(function.name), names_of(function, _order(derived))
