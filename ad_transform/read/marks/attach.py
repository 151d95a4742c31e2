"""The places of marks: the functions they belong to, and the ones that stray.

A mark is a block of `# ad:` lines directly above a `def` or its first decorator, or a
decorator of `ad_transform`, under any name it was imported by.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Diagnostic, Refusal, Span
from ad_transform.read.marks.annotations import Annotation
from ad_transform.read.marks.function_marks import (
    ABOUT,
    PASSIVE,
    About,
    check_about,
    passive_lines,
)
from ad_transform.read.marks.loop_marks import (
    HINTS,
    Blocks,
    check_block,
    check_hint,
    loop_lines,
)
from ad_transform.read.marks.mark_comments import (
    Def,
    first_line,
    mark_comments,
    may_hold_near_marks,
    near_marks,
    without_sign,
)
from ad_transform.read.marks.marks import SHAPES, Item, Text, check_item, parse_marks
from ad_transform.read.marks.shape_marks import check_shapes, shapes_in
from ad_transform.read.project.class_statements import has_objects
from ad_transform.read.syntax.names import Names
from ad_transform.read.syntax.scopes import dotted, shown
from ad_transform.read.syntax.source import Source

IGNORED = {
    "numba.njit": "it compiles what it decorates",
    "numba.jit": "it compiles what it decorates",
    "numba.vectorize": "it compiles what it decorates",
    "functools.cache": "it remembers results",
    "functools.lru_cache": "it remembers results",
}
"""Decorators that do not change what a function computes (contract, rule 2)."""


_QUIET = (*HINTS, *ABOUT, SHAPES)
"""Marks above functions that ask for no output."""


@dataclass(frozen=True, slots=True, eq=False)
class Marked:
    """A marked function, with its checked items in order."""

    node: ast.FunctionDef
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class _Home:
    """The surroundings of a function: "" for the module itself."""

    inside: str = ""
    name: str = ""
    node: ast.ClassDef | None = None  # of a class at the top


def marked_functions(
    source: Source, names: Names
) -> tuple[tuple[Marked, ...], tuple[Diagnostic, ...]]:
    """The marked functions in file order, and the diagnostics of all marks.

    Codes: AD020, AD021, AD022, AD026, AD027, AD028, AD031.
    """
    attacher = _Attacher(source, names)
    return tuple(attacher.run()), tuple(attacher.diagnostics)


def residual_of(
    node: ast.FunctionDef, source: Source, names: Names
) -> tuple[str, Span] | None:
    """The name of the residual in an `implicit` above a function, and its place."""
    if "implicit" not in source.text:
        return None
    for item in _Attacher(source, names).items(node):
        if item.kind == "implicit" and not list(check_hint(item, above_loop=False)):
            return str(item.typed["residual"]), item.span
    return None


def shapes_of(
    node: ast.FunctionDef, source: Source, names: Names
) -> Mapping[str, Annotation]:
    """The shapes of parameters in the marks above a function, by name."""
    if SHAPES not in source.text:
        return {}
    return shapes_in(_Attacher(source, names).items(node), names)


def about_functions(source: Source, names: Names) -> About:
    """The facts about functions that the marks of a file tell their callers."""
    if not any(kind in source.text for kind in ABOUT):
        return About()
    attacher = _Attacher(source, names)
    blocks = dict(attacher.blocks())
    return About.of(
        [
            (node.name, item)
            for node, home in _functions(source.tree)
            if not home.inside
            for item in attacher.items(node, blocks)
        ]
    )


class _Attacher:
    def __init__(self, source: Source, names: Names) -> None:
        self.source = source
        self.names = names
        self.diagnostics: list[Diagnostic] = []

    def run(self) -> Iterator[Marked]:
        blocks = dict(self.blocks())
        if may_hold_near_marks(self.source.text):
            functions = (node for node, _ in _functions(self.source.tree))
            self.diagnostics += near_marks(self.source, functions)
        if not blocks and "ad_transform" not in self.source.text:
            return
        for node, home in _functions(self.source.tree):
            pieces = self._above(node, blocks)
            items = [*self._parsed(pieces), *self._decorators(node)]
            if not items and not pieces:
                continue
            wrong = list(self._unfit(node, home))
            self.diagnostics += wrong
            if not any(item.kind == "external" for item in items):
                self._check_decorators(node)
            self._check(node, items)
            items = [item for item in items if item.kind not in _QUIET]
            self.diagnostics += self._unasked(node, items)
            if items and not wrong and isinstance(node, ast.FunctionDef):
                items.sort(key=lambda item: (item.span.line, item.span.column))
                yield Marked(node, tuple(items))
        for line in sorted(loop_lines(self.source) & blocks.keys() if blocks else ()):
            self.diagnostics += check_block(blocks.pop(line))
        for line in passive_lines(self.source) & blocks.keys() if blocks else ():
            del blocks[line]
        for block in blocks.values():
            self.diagnostics.append(self._stray(block[0], len(block)))

    def _unasked(self, node: Def, items: list[Item]) -> Iterator[Diagnostic]:
        """AD028 where derivatives are wanted of an external function."""
        if items and self._about.is_outside(node.name):
            message = f"{node.name!r} is not looked into: only calls of it are"
            help_ = "mark a function that calls it"
            yield Diagnostic("AD028", message, items[0].span, help_)

    @cached_property
    def _about(self) -> About:
        return about_functions(self.source, self.names)

    def _check(self, node: Def, items: list[Item]) -> None:
        shapes = [item for item in items if item.kind == SHAPES]
        self.diagnostics += check_shapes(shapes, node, self.names)
        for item in items:
            if item.kind in HINTS:
                self.diagnostics += check_hint(item, above_loop=False)
            elif item.kind in ABOUT:
                self.diagnostics += check_about(item, self.names)
            elif item.kind != SHAPES:
                self.diagnostics += check_item(item)

    def items(self, node: Def, blocks: Blocks | None = None) -> list[Item]:
        """The items of the marks of one function; its marks leave `blocks`."""
        pieces = self._above(node, dict(self.blocks()) if blocks is None else blocks)
        return [*self._parsed(pieces), *self._decorators(node)]

    # --- comments -------------------------------------------------------------------

    def blocks(self) -> Iterator[tuple[int, list[Text]]]:
        """Blocks of mark lines by the line below; marks behind code are refused."""
        block: list[Text] = []
        for line, column, text, alone in mark_comments(self.source):
            if not alone:
                self.diagnostics.append(self._stray(Text(text, line, column), 1))
                continue
            if block and block[-1].line + 1 != line:
                yield block[-1].line + 1, block
                block = []
            block.append(Text(text, line, column))
        if block:
            yield block[-1].line + 1, block

    def _above(self, node: Def, blocks: dict[int, list[Text]]) -> list[Text]:
        """The mark lines above a function; they leave `blocks`."""
        places = {first_line(node): None, node.lineno: None}
        return [piece for place in places for piece in blocks.pop(place, [])]

    def _parsed(self, pieces: list[Text]) -> tuple[Item, ...]:
        if not pieces:
            return ()
        bare = [without_sign(piece) for piece in pieces]
        try:
            return parse_marks(bare)
        except Refusal as refusal:
            self.diagnostics += refusal.diagnostics
            return ()

    def _stray(self, piece: Text, lines: int) -> Diagnostic:
        end = piece.column + len(piece.text)
        span = Span(piece.line, piece.column, piece.line, end)
        below = self.source.lines[piece.line + lines - 1 :]
        following = next((t for t in below if t.strip() and t.lstrip()[0] != "#"), "")
        help_ = "write it directly above the `def` or its first decorator"
        if PASSIVE in piece.text:
            help_ = "write it directly above an assignment, a `return` or a `def`"
        if following.lstrip().startswith(("def ", "@", "async ")):
            help_ = "leave nothing between the mark and the function"
        return Diagnostic("AD021", "this mark stands above no function", span, help_)

    # --- decorators -----------------------------------------------------------------

    def _qualified(self, decorator: ast.expr) -> str:
        callee = decorator.func if isinstance(decorator, ast.Call) else decorator
        return self.names.qualify(dotted(callee))

    def _decorators(self, node: Def) -> Iterator[Item]:
        for decorator in node.decorator_list:
            module, _, kind = self._qualified(decorator).partition(".")
            if module == "ad_transform" and kind:
                item = self._item(decorator, kind)
                if item is not None:
                    yield item

    def _item(self, decorator: ast.expr, kind: str) -> Item | None:
        span = self.source.span(decorator)
        if not isinstance(decorator, ast.Call):
            return Item(kind, span, span)
        names = [(_constant(arg), self.source.span(arg)) for arg in decorator.args]
        options = [
            (keyword.arg, _constant(keyword.value, kind), self.source.span(keyword))
            for keyword in decorator.keywords
        ]
        for name, where in names:
            if not isinstance(name, str):
                self._unread("a parameter is named by its name in quotes", where)
                return None
        for option, value, where in options:
            if option is None or value is None:
                self._unread("an option takes a literal", where)
                return None
        return Item(
            kind,
            self.source.span(decorator.func),
            span,
            tuple((str(name), where) for name, where in names),
            tuple((str(option), value, where) for option, value, where in options),
        )

    def _unread(self, message: str, span: Span) -> None:
        help_ = 'write `@ad.gradient("x", value=True)`'
        self.diagnostics.append(Diagnostic("AD020", message, span, help_))

    def _check_decorators(self, node: Def) -> None:
        self.diagnostics += foreign_decorators(node, self.source, self.names)

    # --- functions ------------------------------------------------------------------

    def _unfit(self, node: Def, home: _Home) -> Iterator[Diagnostic]:
        """The reasons why a function cannot be marked (contract, rule 2)."""
        span = name_span(node, self.source)
        for message, help_ in self._objections(node, home):
            yield Diagnostic("AD028", message, span, help_)

    def _objections(self, node: Def, home: _Home) -> Iterator[tuple[str, str]]:
        name = node.name
        if isinstance(node, ast.AsyncFunctionDef):
            yield f"{name!r} is a coroutine", "write it as a plain `def`"
        if home.inside == "class":
            if home.node is None or not has_objects(home.node, self.names):
                yield (
                    f"{name!r} is a method of {home.name!r}",
                    f"let {home.name!r} be a dataclass or NamedTuple at the top of the "
                    "file, or write a function that takes the attributes",
                )
            elif [getattr(s, "name", "") for s in home.node.body].count(name) > 1:
                yield (
                    f"{name!r} is not bound exactly once and unconditionally",
                    "define it once in the class, under a name of its own",
                )
        elif home.inside == "function":
            yield (
                f"{name!r} is defined inside {home.name!r}",
                "move it to the module and give it what it takes from around it as "
                "parameters",
            )
        elif home.inside or len(self.names.bindings.get(name, ())) != 1:
            yield (
                f"{name!r} is not bound exactly once and unconditionally",
                "define it once, at the left margin, under a name of its own",
            )


def foreign_decorators(
    node: Def, source: Source, names: Names, known: frozenset[str] = frozenset()
) -> Iterator[Diagnostic]:
    """Notes on decorators that are ignored, refusals of those that may matter.

    Decorators in `known` are understood elsewhere.
    """
    for decorator in node.decorator_list:
        callee = decorator.func if isinstance(decorator, ast.Call) else decorator
        qualified = names.qualify(dotted(callee))
        text = qualified or shown(callee)
        if qualified in IGNORED:
            message = f"{text!r} is ignored: {IGNORED[qualified]}"
            yield Diagnostic("AD027", message, source.span(decorator))
        elif qualified.partition(".")[0] != "ad_transform" and text not in known:
            message = f"{text!r} may change what {node.name!r} computes"
            help_ = "mark an undecorated function and decorate another that calls it"
            yield Diagnostic("AD026", message, source.span(decorator), help_)


def name_span(node: Def, source: Source) -> Span:
    """The extent of the name of a function behind its `def`."""
    line = source.lines[node.lineno - 1]
    start = source.column(node.lineno, node.col_offset) - 1
    match = re.compile(r"(?:async\s+)?def\s+(\w+)").match(line, start)
    first, end = (start, start + 3) if match is None else match.span(1)
    return Span(node.lineno, first + 1, node.lineno, end + 1, source.path)


_LISTED = (SHAPES, "external", "expand")
"""Marks with options that are shapes."""


def _constant(node: ast.expr, kind: str = "") -> object:
    """The value of a literal argument, or a name that a mark takes; else None."""
    match node:
        case ast.Name(id=name) if kind in (*HINTS, SHAPES):
            return name
        case ast.List(elts=items) | ast.Tuple(elts=items) if kind in _LISTED:
            return tuple(_constant(item, kind) for item in items)
        case ast.Constant(value=str() | int() | float() as value):
            return value
        case ast.UnaryOp(
            op=ast.USub(), operand=ast.Constant(value=int() | float() as v)
        ):
            return -v
    return None


_SIMPLE = frozenset({ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return})
"""Statements without statements inside."""


def _functions(tree: ast.Module) -> Iterator[tuple[Def, _Home]]:
    """All functions of a file with their surroundings. No recursion."""
    stack: list[tuple[ast.AST, _Home]] = [(s, _Home()) for s in reversed(tree.body)]
    while stack:
        node, home = stack.pop()
        if type(node) in _SIMPLE:
            continue
        inner = home
        if isinstance(node, Def):
            yield node, home
            inner = _Home("function", node.name)
        elif isinstance(node, ast.ClassDef):
            top = None if home.inside else node
            inner = _Home("class", node.name, top)
        elif not home.inside:
            inner = _Home("condition")
        for field in ("finalbody", "orelse", "cases", "handlers", "body"):
            below = getattr(node, field, ())
            if isinstance(below, list):
                stack.extend((child, inner) for child in reversed(below))
