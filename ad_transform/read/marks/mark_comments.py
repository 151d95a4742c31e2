"""Comments that are marks, `# ad: gradient`, and those that only look like one."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator

from ad_transform.derive.kinds.kind_rows import KINDS
from ad_transform.diagnostics import Diagnostic, Span
from ad_transform.read.marks.marks import GRAMMAR, Text
from ad_transform.read.syntax.source import Source

_MARK = re.compile(r"#\s*ad:")


Def = ast.FunctionDef | ast.AsyncFunctionDef


def first_line(node: Def) -> int:
    """The line where a function begins: its first decorator, or its `def`."""
    return min([node.lineno, *(d.lineno for d in node.decorator_list)])


_KIND = rf"(?:{'|'.join(KINDS)})"


_ITEM = rf"{_KIND}(?:\([^()]*\))?"


_NEAR = re.compile(
    rf"^[ \t]*(?!#[ \t]*(?-i:ad:))#+[ \t]*@?ad(?:[ \t]*[:;=][ \t]*{_KIND}\b.*"
    rf"|[ \t.,-]+{_ITEM}(?:[ \t]*,[ \t]*{_ITEM})*[ \t]*)$",
    re.IGNORECASE | re.MULTILINE,
)
"""A comment that is plainly meant as a mark: `# AD: gradient`, `# ad gradient(x)`. A
comment with words behind the kind (`# ad error handling`) is like any other.
"""


def may_hold_near_marks(text: str) -> bool:
    """Whether some line looks like a mark without being one."""
    return _NEAR.search(text) is not None


def near_marks(source: Source, functions: Iterable[Def]) -> Iterator[Diagnostic]:
    """AD020 for comments directly above a function that only look like marks."""
    for node in functions:
        number = first_line(node) - 1
        while number and source.lines[number - 1].lstrip().startswith("#"):
            line = source.lines[number - 1].rstrip()
            if _NEAR.match(line):
                start = len(line) - len(line.lstrip())
                span = Span(number, start + 1, number, len(line) + 1)
                message = "this looks like a mark and is none"
                help_ = f"write `{_corrected(line.strip())}`"
                yield Diagnostic("AD020", message, span, help_)
            number -= 1


def _corrected(comment: str) -> str:
    """The mark that a comment was probably meant to be."""
    rest = re.sub(r"^#+\s*@?ad[\s:;=.,-]*", "", comment, flags=re.IGNORECASE)
    kind = re.match(_KIND, rest, re.IGNORECASE)
    if kind is None:
        return GRAMMAR
    return f"# ad: {kind[0].lower()}{rest[kind.end() :]}"


def without_sign(piece: Text) -> Text:
    """A mark comment without its `# ad:`."""
    match = _MARK.match(piece.text)
    assert match is not None
    rest = piece.text[match.end() :]
    return Text(rest, piece.line, piece.column + match.end())


def mark_comments(source: Source) -> Iterator[tuple[int, int, str, bool]]:
    """Mark comments: line, column, text, and whether the line holds no code.

    Between the statements of a module `#` always begins a comment; only statements that
    may hold a mark are cut into tokens.
    """
    found = [n for n, line in enumerate(source.lines, 1) if _MARK.search(line)]
    if not found:
        return
    statements = [
        (min(first_line(s) if isinstance(s, Def) else s.lineno, s.lineno), s.end_lineno)
        for s in source.tree.body
    ]
    at = 0
    done = 0
    for number in found:
        if number <= done:
            continue
        while at < len(statements) and (statements[at][1] or 0) < number:
            at += 1
        if at < len(statements) and statements[at][0] <= number:
            first, last = statements[at][0], statements[at][1] or number
            yield from _comments_within(source, first, last)
            done = last
        else:
            line = source.lines[number - 1]
            start = line.index("#")
            if _MARK.match(line, start):
                yield number, start + 1, line[start:].rstrip(), True


def _comments_within(
    source: Source, first: int, last: int
) -> Iterator[tuple[int, int, str, bool]]:
    text = "\n".join(source.lines[first - 1 : last]) + "\n"
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return
    for token in tokens:
        if token.type == tokenize.COMMENT and _MARK.match(token.string):
            line, column = token.start
            alone = not token.line[:column].strip()
            yield first + line - 1, column + 1, token.string.rstrip(), alone
