"""The program that a text in C holds, apart from its layout."""

from __future__ import annotations

import re

from ad_transform.emit.digest import sha256
from ad_transform.emit.target import Program

_TOKEN = re.compile(
    r"""//(?P<comment>[^\n]*) | (?P<token>"(?:\\.|[^"\\\n])*" | \w[\w.]* | [^\s\w])""",
    re.VERBOSE,
)
_HEAD = re.compile(
    r"^(?!static\b|extern\b|typedef\b)\w[\w ]*?[ *](\w+)\(([^(){};]*)\)\s*[{;]",
    re.MULTILINE,
)


def program(text: str) -> Program:
    """The program of a text: its tokens. Raises SyntaxError where brackets do not fit.

    Layout and comments do not count.
    """
    bare = "".join(_without_comments(text))
    for opening, closing in ("{}", "()", "[]"):
        if bare.count(opening) != bare.count(closing):
            raise SyntaxError(f"a {opening} or {closing} is missing")
    tokens = [match["token"] for match in _TOKEN.finditer(bare)]
    digest = sha256("\n".join(tokens))
    return Program(f"sha256:{digest}", {n: _names(p) for n, p in _HEAD.findall(bare)})


def _without_comments(text: str) -> list[str]:
    """The pieces of a text between its comments."""
    found: list[str] = []
    at = 0
    for match in _TOKEN.finditer(text):
        if match["comment"] is not None:
            found.append(text[at : match.start()])
            at = match.end()
    return [*found, text[at:]]


def _names(parameters: str) -> list[str]:
    """The names of parameters."""
    items = [item.partition("[")[0].split() for item in parameters.split(",")]
    return [words[-1].lstrip("*") for words in items if words and words != ["void"]]


def comments(text: str) -> list[str]:
    """The comments in order, but for those in front of the first line of code."""
    begin = re.search(r"^(?!//)\S", text, re.MULTILINE)
    below = text[begin.start() :] if begin else ""
    found = (match["comment"] for match in _TOKEN.finditer(below))
    return [comment.strip() for comment in found if comment is not None]
