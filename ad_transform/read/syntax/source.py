"""From bytes to text and syntax tree: everything a file can be wrong about.

`ast.parse` comes first: it has the better messages, and it refuses cleanly the files
that would kill LibCST. Columns of `ast` are UTF-8 bytes; here they become code points.
"""

from __future__ import annotations

import ast
import io
import sys
import threading
import tokenize
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Diagnostic, Refusal, Span
from ad_transform.read.syntax.scopes import LEAVES, children

_STACK = 512 * 1024 * 1024
"""Bytes of stack for the tree of a very deep expression; reserved, rarely used."""

_FRAMES = 400_000
"""The recursion limit that goes with this stack."""

DEEP = Diagnostic(
    "AD004",
    "an expression or statement is nested too deeply to be read",
    None,
    "split it: give parts of it names of their own",
)

Found = TypeVar("Found")
Place = ast.stmt | ast.expr | ast.alias | ast.keyword | ast.arg | ast.pattern
"""Nodes of the tree that know where they stand."""


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A file: its text with `\\n` line ends, its lines, its tree and all nodes without
    operators and contexts.
    """

    text: str
    lines: tuple[str, ...]
    tree: ast.Module
    nodes: tuple[ast.AST, ...]
    has_walrus: bool
    has_nonlocal: bool
    path: str = ""  # the path in its spans

    def column(self, line: int, offset: int) -> int:
        """The 1-based code point of a UTF-8 offset of `ast`."""
        text = self.lines[line - 1]
        if text.isascii():
            return offset + 1
        return len(text.encode()[:offset].decode(errors="ignore")) + 1

    def span(self, node: Place) -> Span:
        """The extent of a node of the tree."""
        last, end = node.end_lineno, node.end_col_offset
        assert last is not None and end is not None
        if self.text.isascii():  # as nearly always: a byte is a code point
            return Span(node.lineno, node.col_offset + 1, last, end + 1, self.path)
        first = self.column(node.lineno, node.col_offset)
        end_column = self.column(last, end)
        return Span(node.lineno, first, last, end_column, self.path)


def load(source: bytes, path: str = "") -> Source:
    """The file as text and tree; `path` goes into its spans.

    Raises Refusal: AD002 (decoding), AD003 (not Python), AD004 (too deep). Linear.
    """
    text = _decode(source)
    tree = _parse(text)
    lines, nodes = tuple(text.split("\n")), list[ast.AST]([tree])
    for node in nodes:  # grows while it is read
        if type(node) not in LEAVES:
            nodes += children(node)
    words = ":=" in text, "nonlocal" in text
    return Source(text, lines, tree, tuple(nodes), *words, path)


def _decode(source: bytes) -> str:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        text = source.decode(encoding)
        text.encode()  # a lone surrogate is no text
    except (SyntaxError, LookupError, ValueError) as error:
        raise Refusal(_undecodable(source, error)) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _undecodable(source: bytes, error: Exception) -> Diagnostic:
    help_ = "save it as UTF-8, or name its encoding: `# -*- coding: latin-1 -*-`"
    if isinstance(error, UnicodeDecodeError):
        line = source.count(b"\n", 0, error.start) + 1
        message = f"the file is not {error.encoding}: {error.reason}"
        return Diagnostic("AD002", message, Span(line, 1, line, 2), help_)
    return Diagnostic("AD002", f"the file cannot be decoded: {error}", None, help_)


# --- parsing ------------------------------------------------------------------------


def _parse(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = _tree(text)
            _accept(tree)
        except SyntaxError as error:
            made = _null_byte if "\0" in text else _not_python
            raise Refusal(made(error, text)) from None
        except (RecursionError, MemoryError):
            raise Refusal(DEEP) from None
        except ValueError as error:  # null bytes, before Python 3.11.4
            raise Refusal(_null_byte(error, text)) from None
    return tree


def _null_byte(error: Exception, text: str) -> Diagnostic:
    """The diagnostic of a text that holds null bytes, at the first of them."""
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    before = text.partition("\0")[0]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    span = Span(line, column, line, column + 1)
    help_ = "remove it: the file may be damaged, or no text"
    return Diagnostic("AD003", message, span, help_)


def _tree(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except RecursionError:
        return _on_large_stack(lambda: ast.parse(text))


def _accept(tree: ast.Module) -> None:
    """Raise the errors that CPython finds only when it compiles: `return` outside a
    function.
    """
    # too deep for CPython's compiler is not our affair
    with suppress(RecursionError, MemoryError, OverflowError):
        compile(tree, "<source>", "exec", dont_inherit=True)


def _on_large_stack(work: Callable[[], Found]) -> Found:
    """The result of `work`, run on a stack that deep recursion does not overflow."""
    found: list[Found] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            found.append(work())
        except BaseException as error:
            failed.append(error)

    limit, size = sys.getrecursionlimit(), threading.stack_size(_STACK)
    try:
        sys.setrecursionlimit(_FRAMES)
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    except RuntimeError:  # no memory for the stack
        raise RecursionError from None
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    if failed:
        raise failed[0]
    return found[0]


def _not_python(error: SyntaxError, text: str) -> Diagnostic:
    """The diagnostic with CPython's own message and place."""
    line = max(error.lineno or 1, 1)
    column = max(error.offset or 1, 1)
    end_line = error.end_lineno or line
    end_column = error.end_offset or column + 1
    if (end_line, end_column) <= (line, column):
        end_line, end_column = line, column + 1
    return Diagnostic("AD003", error.msg, Span(line, column, end_line, end_column))
