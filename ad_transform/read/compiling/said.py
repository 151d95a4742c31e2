"""From f-strings and their like to postfix code: their parts and formats."""

from __future__ import annotations

from ad_transform.read.code import Body
from ad_transform.read.compiling.compiler import Compiler
from ad_transform.read.compiling.messages import Unreadable, parts_of
from ad_transform.read.syntax.concrete import Twin


def shown_values(
    compiler: Compiler, said: Twin | None
) -> tuple[Body, tuple[str | None, ...], tuple[str, ...]]:
    """The code of the values of a message, its texts, and the formats of the values."""
    if said is None:
        return (), (), ()
    try:
        parts = list(parts_of(compiler.concrete, compiler.is_builtin, said))
    except Unreadable as found:
        compiler.complain("AD102", found.message, found.tree, found.help)
        return (), (), ()
    values = [part for part in parts if not isinstance(part, str)]
    code = tuple(i for twin, _ in values for i in compiler.compile(*twin))
    texts = tuple(part if isinstance(part, str) else None for part in parts)
    formats = tuple(how for _, how in values)
    if texts == (None,) and formats == ("",) and values[0][0][1] is not said[1]:
        formats = ("!s",)  # the text of a number, not the number
    return code, texts, formats
