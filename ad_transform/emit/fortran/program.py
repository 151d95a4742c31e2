"""The program that a text in Fortran holds, apart from its layout."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ad_transform.emit.digest import sha256
from ad_transform.emit.target import Program

_TOKEN = re.compile(
    r"""!(?P<comment>[^\n]*)|(?P<token>"[^"\n]*"|\w[\w.]*|\n|[^\s\w])"""
)


def program(text: str) -> Program:
    """The program of a text: its tokens, small letters being the same as large ones.

    Raises SyntaxError where a text or a line has no end.
    """
    tokens = list(_tokens(text))
    words = " ".join(tokens)
    for what in ("module", "function", "subroutine"):
        begun = len(re.findall(rf"(?<!end )\b{what} \w+", words))
        if begun != words.count(f"end {what} "):
            raise SyntaxError(f"a {what} does not end")
    digest = sha256("\n".join(tokens))
    heads = re.findall(r"(?:function|subroutine) (\w+) \( ([^()]*)\)", words)
    defined = {name: re.findall(r"\w+", given) for name, given in heads}
    return Program(f"sha256:{digest}", defined)


def _tokens(text: str) -> Iterator[str]:
    """The tokens; a line that goes on is one with the next."""
    joined = re.sub(r"&[ \t]*(?:![^\n]*)?\n\s*&?", " ", text)
    last = "\n"
    for match in _TOKEN.finditer(joined):
        token = match["token"]
        if token is None or (token == "\n" and last == "\n"):
            continue
        last = token
        if token != "\n":
            yield token


def comments(text: str) -> list[str]:
    """The comments in order, but for those in front of the module."""
    begin = re.search(r"^(?!!)\S", text, re.MULTILINE)
    below = text[begin.start() :] if begin else ""
    found = (match["comment"] for match in _TOKEN.finditer(below))
    return [comment.strip() for comment in found if comment is not None]
