"""Docstrings of generated functions: the derivative, its independents, its cost."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ad_transform.emit.python.layout import INDENT
from ad_transform.emit.sentences import said_of, said_of_setup
from ad_transform.emit.width import width

if TYPE_CHECKING:
    from ad_transform.derive.kinds.kinds import Derived
    from ad_transform.ir.nodes import Function


_BY = " with respect to "


def docstring(derived: Derived, limit: int, said: str = "") -> list[str]:
    """The lines of the docstring, indented; `said` is that of the source.

    Summary, the docstring of the source, and further sentences on the derivative.
    """
    told = said_of(derived, has_tuples=True)
    rest = list(told.more)
    lines = _wrapped(told.summary, limit - len('"""'), limit)
    if len(lines) > 1 and _BY in told.summary:  # a summary is one line
        summary, _, names = told.summary.partition(_BY)
        lines = _wrapped(f"{summary}.", limit - len('"""'), limit)
        rest = [f"{_BY.strip().capitalize()} {names}", *rest]
    details = [*rest, *told.details]
    own = [line for text in details for line in _wrapped(text, limit, limit)]
    users = [*map(str.rstrip, said.split("\n")), ""] if said.strip() else []
    return _literal([*lines, "", *users, *own])


def docstring_of_setup(derived: Derived, setup: Function, limit: int) -> list[str]:
    """The lines of the docstring of a setup, indented."""
    told = said_of_setup(derived, setup)
    own = [line for text in told.details for line in _wrapped(text, limit, limit)]
    return _literal([told.summary, "", *own])


def _literal(lines: Sequence[str]) -> list[str]:
    """The lines of a string literal that holds these, indented.

    A raw one where that needs no escapes: formulas in TeX stay legible.
    """
    text = "\n".join(lines)
    plain = '"""' not in text and all(map(_is_printable, text))
    opening = 'r"""' if plain and "\\" in text else '"""'
    if opening == '"""':
        lines = [_escaped(line) for line in lines]
    margin = " " * INDENT
    indented = (margin + line if line else "" for line in lines[1:])
    return [f"{margin}{opening}{lines[0]}", *indented, f'{margin}"""']


def _is_printable(character: str) -> bool:
    if character.isprintable() or character == "\n":
        return True
    return unicodedata.category(character) == "Zs"  # the wide blank of Japanese


def _escaped(line: str) -> str:
    """A line as it stands in a string literal in three double quotes."""
    line = line.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return "".join(c if _is_printable(c) else ascii(c)[1:-1] for c in line)


def _wrapped(text: str, first: int, limit: int) -> list[str]:
    if INDENT + width(text) <= first:
        return [text]
    quotes = " " * (limit - first)
    lines = textwrap.wrap(
        quotes + text,
        limit - INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [lines[0].lstrip(), *lines[1:]]
