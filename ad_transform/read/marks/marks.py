"""The grammar of marks: `# ad: gradient(x), jacobian(x, y, value=True)`.

    marks = item {"," item} [","]        consecutive comment lines join
    item  = kind ["(" [argument {"," argument} [","]] ")"]
    argument = name | option "=" value   names first
    value = true | false | number | word | "text" | "[" value {"," value} [","] "]"

A decorator `@ad.kind(...)` gives the same `Item`; both are then checked alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.kinds.kind_rows import KINDS
from ad_transform.diagnostics import Diagnostic, Refusal, Span
from ad_transform.options import OPTIONS, fault, nearest, remedy

SHAPES = "shapes"
"""The mark that gives shapes to parameters, no derivative; see `shape_marks`."""

SAID = ("external", "rule", "passive")
"""Marks that state facts about a function, see `function_marks`."""

GRAMMAR = "write `# ad: gradient` or `# ad: gradient(x, y, value=True)`"
_EQUATION = "write the equation as a function: `# ad: implicit(residual=g)`"


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a mark, unchecked: its kind, names and options with their places."""

    kind: str
    kind_span: Span
    span: Span
    names: tuple[tuple[str, Span], ...] = ()
    options: tuple[tuple[str, object, Span], ...] = ()

    @property
    def typed(self) -> Mapping[str, object]:
        """The options by name."""
        return {name: value for name, value, _ in self.options}


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of mark text, with the place of its first character."""

    text: str
    line: int
    column: int


INDEPENDENTS = ("wrt", "argnums", "argnum")
"""The words of other tools for the parameters that one derives by."""


def named_independents(kind: str, names: Iterable[str]) -> str:
    """The help for independents that do not stand as they should."""
    return f"name the independents in parentheses: `# ad: {kind}({', '.join(names)})`"


# --- words --------------------------------------------------------------------------

_WORD = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<number>[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.]))
    | (?P<name>[^\W\d]\w*(?:[-.]\w+)*)
    | (?P<text>"[^"\\]*"|'[^'\\]*')
    | (?P<sign>[][(),=])
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class _Word:
    sort: str
    text: str
    span: Span


def _words(pieces: Iterable[Text]) -> Iterator[_Word]:
    for piece in pieces:
        at = 0
        while at < len(piece.text):
            match = _WORD.match(piece.text, at)
            end = match.end() if match else at + 1
            column = piece.column + at
            span = Span(piece.line, column, piece.line, column + end - at)
            if match is None:
                wrong = piece.text[at]
                message = f"{wrong!r} cannot stand in a mark"
                help_ = _EQUATION if "implicit" in piece.text else GRAMMAR
                raise Refusal(Diagnostic("AD020", message, span, help_))
            if match.lastgroup != "space":
                yield _Word(match.lastgroup or "", match.group(), span)
            at = end
        column = piece.column + len(piece.text)
        yield _Word("line", "", Span(piece.line, column, piece.line, column + 1))


# --- grammar ------------------------------------------------------------------------


class _Parser:
    def __init__(self, pieces: Iterable[Text]) -> None:
        self.words = list(_words(pieces))
        self.at = 0

    @property
    def word(self) -> _Word:
        return self.words[min(self.at, len(self.words) - 1)]

    def take(self, *texts: str) -> _Word | None:
        if self.at < len(self.words) and self.word.text in texts:
            self.at += 1
            return self.words[self.at - 1]
        return None

    def skip_lines(self) -> bool:
        before = self.at
        while self.at < len(self.words) and self.word.sort == "line":
            self.at += 1
        return self.at > before

    def expect(self, what: str, help_: str = GRAMMAR) -> Refusal:
        found = self.word.text or "the end of the line"
        message = f"expected {what}, found {found!r}"
        if not self.word.text:
            message = f"expected {what}, found {found}"
        return Refusal(Diagnostic("AD020", message, self.word.span, help_))

    def items(self) -> Iterator[Item]:
        self.skip_lines()
        if self.at >= len(self.words):
            raise self.expect("a kind of derivative")
        while self.at < len(self.words):
            item = self.item()
            yield item
            ended = self.skip_lines()
            if not self.take(",") and not ended:
                help_ = self.way_on(item)
                raise self.expect("',' or the end of the line", help_)
            self.skip_lines()

    def way_on(self, item: Item) -> str:
        """The help where something follows a kind without a comma: another kind, or
        its independents without parentheses, `gradient wrt x, y`.
        """
        if self.word.text in KINDS:
            return f"put a comma in front of `{self.word.text}`"
        names: list[str] = []
        for word in self.words[self.at :]:
            ends = word.text in KINDS or word.text in OPTIONS
            if ends or word.sort not in ("name", "sign"):
                break
            if word.sort == "name" and word.text not in INDEPENDENTS:
                names.append(word.text)
        if not names or item.names or item.options:
            return GRAMMAR
        return named_independents(item.kind, names)

    def item(self) -> Item:
        kind = self.word
        if kind.sort != "name":
            raise self.expect("a kind of derivative")
        self.at += 1
        item = Item(kind.text, kind.span, kind.span)
        if not self.take("("):
            return item
        while True:
            self.skip_lines()
            if closing := self.take(")"):
                return replace(item, span=_join(kind.span, closing.span))
            item = self.argument(item)
            self.skip_lines()
            if self.word.text != ")" and not self.take(","):
                raise self.expect("',' or ')'")

    def argument(self, item: Item) -> Item:
        word = self.word
        if word.sort not in ("name", "text"):
            raise self.expect("a parameter or an option")
        self.at += 1
        if self.take("="):
            value = self.value()
            option = (word.text, value, word.span)
            return replace(item, options=(*item.options, option))
        if item.options:
            message = "a parameter stands behind an option"
            help_ = f"write `{item.kind}({word.text}, {item.options[0][0]}=...)`"
            raise Refusal(Diagnostic("AD020", message, word.span, help_))
        name = (_unquoted(word.text), word.span)
        return replace(item, names=(*item.names, name))

    def value(self) -> object:
        if self.take("["):
            return tuple(self.listed())
        word = self.word
        if word.sort not in _VALUES:
            raise self.expect("a value")
        self.at += 1
        return _VALUES[word.sort](word.text)

    def listed(self) -> Iterator[object]:
        """The values of a list, behind its opening bracket."""
        self.skip_lines()
        while not self.take("]"):
            yield self.value()
            self.skip_lines()
            if self.word.text != "]" and not self.take(","):
                raise self.expect("',' or ']'")
            self.skip_lines()


def _unquoted(text: str) -> str:
    return text[1:-1] if text[0] in "\"'" else text


def _number(text: str) -> int | float:
    plain = text.replace("_", "")
    is_whole = plain.lstrip("+-").isdigit() and len(plain) < 40
    return int(plain) if is_whole else float(plain)


_FLAGS = {"true": True, "false": False, "True": True, "False": False}
_VALUES = {
    "number": _number,
    "name": lambda text: _FLAGS.get(text, text),
    "text": _unquoted,
}


def _join(first: Span, last: Span) -> Span:
    return Span(first.line, first.column, last.end_line, last.end_column)


def parse_marks(pieces: Iterable[Text]) -> tuple[Item, ...]:
    """The items of the comment lines of one mark, in order.

    Raises Refusal AD020 for text that does not fit the grammar.
    """
    return tuple(_Parser(pieces).items())


# --- checks -------------------------------------------------------------------------


def suggestion(word: str, known: Iterable[str]) -> str:
    """The help "did you mean 'gradient'?", or the list of known words."""
    choices = list(known)
    return nearest(word, choices) or f"known: {', '.join(choices)}"


# The kinds that other tools have functions of their own for, and our own names.
_ELSEWHERE = {
    "value_and_grad": "gradient(value=True)",
    "value_and_jac": "jacobian(value=True)",
    "value_and_hess": "hessian(value=True)",
    "value_and_hvp": "hvp(value=True)",
    "jacfwd": "jacobian(order=forward)",
    "jacrev": "jacobian(order=reverse)",
}


def check_item(item: Item) -> Iterator[Diagnostic]:
    """The faults of an item, whatever function it stands above."""
    kind = KINDS.get(item.kind)
    if kind is None:
        message = f"unknown kind {item.kind!r}"
        if item.kind in _ELSEWHERE:
            help_ = f"write `{_ELSEWHERE[item.kind]}`"
        else:
            help_ = suggestion(item.kind, (*KINDS, SHAPES, *SAID))
        yield Diagnostic("AD020", message, item.kind_span, help_)
        return
    wrong = list(_check_options(item))
    if item.names and not kind.takes_names:
        help_ = f"write `{item.kind}`: the operators inside name what they are taken of"
        wrong.append(
            Diagnostic("AD020", f"{item.kind!r} takes no names", item.span, help_)
        )
    yield from wrong


def _check_options(item: Item) -> Iterator[Diagnostic]:
    kind = KINDS[item.kind]
    seen: set[str] = set()
    for name, value, span in item.options:
        if name in seen:
            help_ = "write it once"
            yield Diagnostic("AD020", f"{name!r} is given twice", span, help_)
        seen.add(name)
        if name not in OPTIONS:
            message = f"unknown option {name!r}"
            help_ = suggestion(name, kind.options)
            if name in INDEPENDENTS and kind.takes_names:
                help_ = named_independents(item.kind, _names_in(value))
            yield Diagnostic("AD020", message, span, help_)
        elif name not in kind.options:
            message = f"{name!r} does not belong to {item.kind!r}"
            yield Diagnostic("AD022", message, span, _misplaced(item.kind, name))
        elif wrong := fault(name, value):
            help_ = remedy(name, value) or f"give it {OPTIONS[name].text}"
            yield Diagnostic("AD020", wrong, span, help_)


def _names_in(value: object) -> tuple[str, ...]:
    """The names that an option of another tool gives, or others for their numbers."""
    given = value if isinstance(value, tuple) else (value,)
    names = tuple(one for one in given if isinstance(one, str))
    return names or ("x", "y")


def _misplaced(kind: str, option: str) -> str:
    if option == "value" and KINDS[kind].returns_value:
        return f"leave it out: {kind!r} returns the value anyway"
    owners = [name for name, row in KINDS.items() if option in row.options]
    if not owners:
        return f"a file has one: --{option}, or {option} in pyproject.toml"
    return f"it belongs to {', '.join(owners)}"
