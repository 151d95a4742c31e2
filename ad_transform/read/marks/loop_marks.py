"""Marks that say how a loop or function is differentiated, such as `# ad: checkpoint`.

    # ad: checkpoint(snapshots=10)      above a `for` or `while` inside a function
    # ad: implicit(residual=g)          there, or above a `def`

A row of `HINTS` has the option of such a mark, and the places where it may stand.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ad_transform.dataclass import dataclass
from ad_transform.derive.kinds.kind_rows import KINDS
from ad_transform.diagnostics import Diagnostic, Refusal, Span
from ad_transform.read.marks.mark_comments import mark_comments, without_sign
from ad_transform.read.marks.marks import (
    SAID,
    SHAPES,
    Item,
    Text,
    parse_marks,
    suggestion,
)
from ad_transform.read.syntax.source import Source


@dataclass(frozen=True, slots=True)
class Hint:
    """A row about such a mark: its one option, the value of that, and the places of the
    mark.
    """

    option: str
    takes: str
    example: str
    above_functions: bool


# fmt: off
HINTS: Mapping[str, Hint] = {
    "checkpoint": Hint("snapshots", "a whole number from 1 on",   "10",       False),
    "implicit":   Hint("residual",  "the name of a function", "residual", True),
}
# fmt: on


@dataclass(frozen=True, slots=True)
class LoopMark:
    """The marks above a loop; without them `snapshots` is 0 and `residual` empty."""

    span: Span
    snapshots: int = 0
    residual: str = ""


Blocks = dict[int, list[Text]]
"""Blocks of mark lines, by the line below them."""


def mark_blocks(source: Source) -> Blocks:
    """The blocks of mark lines without code, by the line below each."""
    found: Blocks = {}
    block: list[Text] = []
    for line, column, text, alone in mark_comments(source):
        if not alone:
            continue
        if block and block[-1].line + 1 == line:
            del found[line]
        else:
            block = []
        block.append(Text(text, line, column))
        found[line + 1] = block
    return found


def loop_lines(source: Source) -> frozenset[int]:
    """The lines where a `for` or `while` of a function begins."""
    functions = (n for n in source.nodes if isinstance(n, ast.FunctionDef))
    extents = (range(f.lineno, (f.end_lineno or f.lineno) + 1) for f in functions)
    inside = {line for extent in extents for line in extent}
    loops = (n.lineno for n in source.nodes if isinstance(n, ast.For | ast.While))
    return frozenset(line for line in loops if line in inside)


def loop_marks(source: Source) -> Mapping[int, LoopMark]:
    """The marks above the loops of a file, by the line of the loop.

    Faulty marks are left out here: `attach` reports them.
    """
    blocks = mark_blocks(source)
    if not blocks:
        return {}
    found: dict[int, LoopMark] = {}
    for line in loop_lines(source) & blocks.keys():
        mark = LoopMark(Span(line, 1, line, 1))
        for item in items_of(blocks[line])[0]:
            if not list(check_hint(item, above_loop=True)):
                mark = _with(mark, item, source)
        found[line] = mark
    return found


def _with(mark: LoopMark, item: Item, source: Source) -> LoopMark:
    value, span = item.options[0][1], item.span._replace(path=source.path)
    if item.kind == "checkpoint":
        assert isinstance(value, int)
        return LoopMark(span, value, mark.residual)
    return LoopMark(span, mark.snapshots, str(value))


def items_of(block: list[Text]) -> tuple[tuple[Item, ...], tuple[Diagnostic, ...]]:
    """The items of a block of mark lines, or the faults of its text."""
    try:
        return parse_marks([without_sign(piece) for piece in block]), ()
    except Refusal as refusal:
        return (), refusal.diagnostics


# --- checks ---------------------------------------------------------------------------


def check_block(block: list[Text]) -> Iterator[Diagnostic]:
    """The faults of the marks above a loop."""
    items, wrong = items_of(block)
    yield from wrong
    seen: set[str] = set()
    for item in items:
        if item.kind in seen:
            message = f"{item.kind!r} stands twice above this loop"
            yield Diagnostic("AD020", message, item.span, "write it once")
        seen.add(item.kind)
        yield from check_hint(item, above_loop=True)
    if {*HINTS} <= seen:
        message = "a loop is either checkpointed or implicit"
        help_ = "leave out `checkpoint`: of an implicit loop nothing is held"
        yield Diagnostic("AD020", message, items[-1].span, help_)


def check_hint(item: Item, above_loop: bool) -> Iterator[Diagnostic]:
    """The faults of one item above a loop or, else, a function."""
    hint = HINTS.get(item.kind)
    if hint is None:
        yield _no_hint(item)
    elif not above_loop and not hint.above_functions:
        message = f"{item.kind!r} stands above no loop"
        help_ = "write it directly above the `for` or `while`"
        yield Diagnostic("AD021", message, item.span, help_)
    else:
        yield from _check_option(item, hint)


def _no_hint(item: Item) -> Diagnostic:
    if item.kind in (*KINDS, SHAPES, *SAID):
        message = f"{item.kind!r} stands above a loop"
        help_ = "write it directly above the `def` or its first decorator"
        if item.kind == "passive":
            help_ = "write it above the assignments in the loop, or above a function"
        return Diagnostic("AD021", message, item.span, help_)
    message = f"unknown mark of a loop {item.kind!r}"
    return Diagnostic("AD020", message, item.kind_span, suggestion(item.kind, HINTS))


def _check_option(item: Item, hint: Hint) -> Iterator[Diagnostic]:
    written = f"write `# ad: {item.kind}({hint.option}={hint.example})`"
    for name, span in item.names:
        message = f"{item.kind!r} takes no names, and {name!r} is one"
        yield Diagnostic("AD020", message, span, written)
    for name, value, span in item.options:
        if name != hint.option:
            help_ = suggestion(name, (hint.option,))
            message = f"unknown option {name!r} of {item.kind!r}"
            yield Diagnostic("AD020", message, span, help_)
        elif not _fits(value, hint):
            message = f"{name!r} is not {hint.takes}"
            yield Diagnostic("AD020", message, span, written)
    count = sum(name == hint.option for name, _, _ in item.options)
    others = item.names or count < len(item.options)
    if count > 1 or (not count and not others):
        times = "twice" if count else "nowhere"
        message = f"{item.kind!r} has its {hint.option!r} {times}"
        yield Diagnostic("AD020", message, item.span, written)


def _fits(value: object, hint: Hint) -> bool:
    if hint.option == "snapshots":
        return type(value) is int and value >= 1
    return isinstance(value, str) and value.isidentifier()
