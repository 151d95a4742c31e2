"""Comments above the functions of compiled languages."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

from ad_transform.emit.sentences import said_of
from ad_transform.ir.nodes import Function

if TYPE_CHECKING:
    from ad_transform.derive.kinds.kinds import Derived

COLUMNS = 84


def lines_of(derived: Derived, said: str) -> tuple[str, ...]:
    """The comment on a derived function, with the docstring of the source."""
    told = said_of(derived, has_tuples=False)
    users = [line.strip() for line in said.strip().split("\n")] if said.strip() else []
    more = [text for text in map(_without_tuple, told.more) if text]
    lines = [told.summary, *more, *users, *told.details]
    wrapped = (textwrap.wrap(line, COLUMNS) or [""] for line in lines)
    return tuple(part for parts in wrapped for part in parts)


def said_inside(derived: Derived, function: Function) -> tuple[tuple[str, ...], bool]:
    """The comment on a function that a derived one calls; whether it is its setup."""
    if derived.setup.startswith(f"{function.name}("):
        return (f"Setup of {derived.function.name}.",), True
    text = derived.said.get(function.name, f"Part of `{derived.function.name}`.")
    return (text,), False


def _without_tuple(text: str) -> str:
    """A sentence without its words on the tuple that Python returns."""
    rest = re.sub(r"^Returns \([^)]*\)[;:,.]? ?", "", text)
    return text if rest == text else rest[:1].upper() + rest[1:]
