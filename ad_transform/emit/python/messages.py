"""The messages of assertions and exceptions, and printed text."""

from __future__ import annotations

from ad_transform.emit.python.expressions import Names, text_of
from ad_transform.emit.python.layout import quoted
from ad_transform.emit.schedule.lines import Assert, Print, Raise
from ad_transform.emit.schedule.pieces import Piece


def message_of(line: Assert | Raise | Print, names: Names) -> str:
    """`, "text"`, or an f-string where values are part of it."""
    message, formats = line.message, iter(line.formats)
    if not message:
        return ""
    if all(isinstance(part, str) for part in message):
        return f", {quoted(''.join(map(str, message)))}"
    if len(message) == 1 and isinstance(message[0], Piece) and not line.formats:
        return f", {text_of(message[0], names)}"
    body = "".join(
        (
            _escaped(part)
            if isinstance(part, str)
            else f"{{{text_of(part, names)}{next(formats, '')}}}"
        )
        for part in message
    )
    return f', f"{body}"'


def printed(line: Print, names: Names) -> str:
    """The arguments of `print`."""
    message = message_of(line, names).removeprefix(", ")
    words = [
        f"{name}={quoted(value) if isinstance(value, str) else value}"
        for name, value in line.words
    ]
    return ", ".join([message, *words] if message else words)


def _escaped(text: str) -> str:
    """Text inside an f-string in double quotes."""
    double = quoted(text.replace('"', "\0"))[1:-1].replace("\\x00", '\\"')
    return double.replace("{", "{{").replace("}", "}}")
