"""Docstrings of generated functions: what, with respect to what, at what cost."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ad_transform.derive.kind_rows import KINDS
from ad_transform.emit.python.layout import INDENT
from ad_transform.emit.python.memory import sentences as memory
from ad_transform.emit.width import width
from ad_transform.ir.count import Counts

if TYPE_CHECKING:
    from ad_transform.derive.kinds import Derived


def docstring(derived: Derived, limit: int, said: str = "") -> list[str]:
    """The lines of the docstring, indented; `said` is that of the source.

    Summary, what the source says, what else there is to say of the derivative.
    """
    first, rest = _sentences(derived)
    lines = _wrapped(first, limit - len('"""'), limit)
    if len(lines) > 1 and _BY in first:  # a summary is one line
        summary, _, names = first.partition(_BY)
        lines = _wrapped(f"{summary}.", limit - len('"""'), limit)
        rest = [f"{_BY.strip().capitalize()} {names}", *rest]
    if derived.vector:
        rest = [*rest, f"{derived.vector} holds {enumeration(derived.independents)}."]
    details = [*rest, *map(_sentence, derived.kinks), *memory(derived.function)]
    details.append(f"Operations: {counted(derived.counts)}.")
    own = [line for text in details for line in _wrapped(text, limit, limit)]
    users = [*map(str.rstrip, said.split("\n")), ""] if said.strip() else []
    return _literal([*lines, "", *users, *own])


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


def counted(counts: Counts) -> str:
    """`12 (5 mul, 4 add, 2 div, 1 call)`; classes that do not occur are left out."""
    classes = [f"{n} {name}" for name, n in counts.classes().items() if n]
    return f"{counts.total} ({', '.join(classes)})" if classes else "0"


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


def _sentence(kink: str) -> str:
    words = " " in kink.split("(", maxsplit=1)[0]  # not a formula like abs'(0) = 0
    text = kink[:1].upper() + kink[1:] if words else kink
    return text if text.endswith(".") else f"{text}."


# --- what the rows of kinds say -------------------------------------------------------

_BY = " with respect to "


def _sentences(derived: Derived) -> tuple[str, list[str]]:
    """The first line and the sentences behind, as the row of the kind has them."""
    variant = derived.model or ("value" if derived.value else "")
    says = KINDS[derived.kind].says
    said = says.get(variant) or says[""]  # jvp and vjp have the value anyway
    own = enumeration(derived.independents)
    env = {"source": derived.source, "names": own, "seeds": _seeds(derived)}
    counted = said.counted and derived.independents and not derived.vector
    texts = [*said.more, said.counted] if counted else list(said.more)
    return said.first.format(**env), [text.format(**env) for text in texts]


def _seeds(derived: Derived) -> str:
    if derived.vector:
        return f"{derived.vector}_dot"
    return enumeration([f"{name}_dot" for name in derived.independents])


def enumeration(names: Sequence[str]) -> str:
    """`x`, `x and y`, `x, y and z`; `x1, ..., x9` where the names are numbered."""
    if len(names) > 3 and _numbered(names):
        return f"{names[0]}, ..., {names[-1]}"
    if len(names) < 2:
        return "".join(names) or "nothing"
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _numbered(names: Sequence[str]) -> bool:
    found = [re.fullmatch(r"(\D+)(\d+)(\D*)", name, re.ASCII) for name in names]
    stems = {(m[1], m[3]) if m else None for m in found}
    if None in stems or len(stems) != 1:
        return False
    numbers = [int(m[2]) for m in found if m]
    return numbers == list(range(numbers[0], numbers[0] + len(names)))
