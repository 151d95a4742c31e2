"""Text that black leaves alone: widths, and the ways to break long lines.

Only shapes whose stability is certain are used: a line that fits; an expression in
parentheses, on a line of its own or cut at its loosest operators; a bracket with one
element a line and a trailing comma. black itself never runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ad_transform.emit.width import width
from ad_transform.ir.nodes import Behind

INDENT = 4


def quoted(text: str) -> str:
    """A string literal in double quotes where that needs no more escapes."""
    literal = repr(text)
    if literal[0] == "'" and '"' not in text:
        return '"' + literal[1:-1].replace("\\'", "'") + '"'
    return literal


def comment(note: str) -> str:
    """A comment line without its indentation."""
    return f"# {note}" if note else "#"


_DIRECTIVES = ("fmt:", "type:", "ad:", "noqa", "pylint:", "pyright:", "yapf:", "isort:")


def readable(notes: Iterable[str]) -> list[str]:
    """The comments that are meant for people."""
    texts = [type(note)(" ".join(note.lstrip("#").split())) for note in notes]
    return [text for text in texts if not text.startswith(_DIRECTIVES)]


def commented(
    lines: Sequence[str], notes: Iterable[str], indent: int, limit: int
) -> list[str]:
    """The lines of a statement with its comments: above it, or behind it if they stood
    there and still fit.
    """
    said = readable(notes)
    if said and isinstance(said[-1], Behind) and len(lines) == 1:
        whole = f"{lines[0]}  {comment(said[-1])}"
        if width(whole) <= limit:
            lines = [whole]
            said.pop()
    return [*(" " * indent + comment(note) for note in said), *lines]


# --- expressions too long for a line --------------------------------------------------


def splits_well(head: str, text: str, tail: str, indent: int, limit: int) -> bool:
    """Whether black's break of a statement that is too long is certain.

    With one operator outside of brackets and a bracket at an end, it may break there.
    """
    parts = len(delimited(text))
    if parts == 2 and (text[0] in "([" or _ends_in_bracket(text)):
        return bool(_at_bracket(" " * indent, head, text, tail, limit))
    return parts > 1


def statement(head: str, text: str, tail: str, indent: int, limit: int) -> list[str]:
    """`head text tail` in lines, `head` being `x = `, `return ` and the like."""
    margin = " " * indent
    line = f"{margin}{head}{text}{tail}"
    if width(line) <= limit:
        return [line]
    parts = delimited(text)
    if len(parts) == 2:
        broken = _at_bracket(margin, head, text, tail, limit)
        if broken:
            return broken
    if len(parts) == 1 and text.endswith(").tolist()") and text[0] != "(":
        rest = text.removesuffix(".tolist()")
        return statement(head, rest, f".tolist(){tail}", indent, limit)
    if len(parts) > 1:
        inner = " " * (indent + INDENT)
        return [f"{margin}{head}(", *split(text, inner, limit), f"{margin}){tail}"]
    if text.endswith(")") and not text.startswith("("):
        return _broken_call(margin, head, text, tail, limit)
    if text[0] in "([" and _last_opening(text) == 0:
        return bracketed(head + text, margin, tail, limit)
    inner = margin + " " * INDENT + text
    if width(inner) <= limit:
        return [f"{margin}{head}(", inner, f"{margin}){tail}"]
    return [line]


def _at_bracket(margin: str, head: str, text: str, tail: str, limit: int) -> list[str]:
    """A text of one operator with a bracket at one end, broken inside of that."""
    is_last = _ends_in_bracket(text)
    if (text[0] in "([") == is_last:
        return []
    if is_last:
        at, end = _last_opening(text) + 1, len(text) - 1
    else:
        at, end = 1, len(text) - _last_opening(_mirrored(text)) - 1
        if any(bracket in text[end + 1 :] for bracket in "(["):
            return []
    lines = [head + text[:at], " " * INDENT + text[at:end], text[end:] + tail]
    lines = [margin + line for line in lines]
    return lines if max(map(width, lines)) <= limit else []


def _ends_in_bracket(text: str) -> bool:
    """Whether a call, or a list, stands last; black does not break inside an index."""
    if text[-1] != "]":
        return text[-1] == ")"
    before = text[: _last_opening(text)]
    return not before or not (before[-1].isalnum() or before[-1] in "_)]")


def _mirrored(text: str) -> str:
    return text[::-1].translate(str.maketrans("()[]", ")(]["))


def assignment(
    target: str, text: str, notes: Iterable[str], indent: int, limit: int
) -> list[str]:
    """`target = text` with its comments."""
    lines = statement(f"{target} = ", text, "", indent, limit)
    return commented(lines, notes, indent, limit)


def several(targets: str, values: str, indent: int, limit: int) -> list[str]:
    """`targets = values`, of several at once."""
    margin, inner = " " * indent, " " * (indent + INDENT)
    if width(f"{margin}{targets} = {values}") <= limit:
        return [f"{margin}{targets} = {values}"]
    made = [f"{inner}{item}," for item in items(values)]
    if width(f"{margin}{targets} = (") <= limit:
        return [f"{margin}{targets} = (", *made, f"{margin})"]
    bound = [f"{inner}{item}," for item in items(targets)]
    return [f"{margin}(", *bound, f"{margin}) = (", *made, f"{margin})"]


def split(text: str, margin: str, limit: int) -> list[str]:
    """An expression inside brackets: on one line, else cut at its loosest operators."""
    if width(margin + text) <= limit:
        return [margin + text]
    sign = _SIGN.match(text)
    start = sign.end() if sign else 0
    parts = delimited(text[start:])
    if len(parts) == 1:
        return _operand(text, start, margin, limit) or _loop(text, margin, limit)
    if text.startswith("else ") and parts[1].startswith("if "):
        inner = split(text[start:], margin + " " * INDENT, limit)
        return [f"{margin}else (", *inner, f"{margin})"]
    parts[0] = text[:start] + parts[0]
    return [line for part in parts for line in split(part, margin, limit)]


def _operand(text: str, start: int, margin: str, limit: int) -> list[str]:
    """An operand in brackets, or a call of one argument, broken inside of them."""
    opening = _last_opening(text)
    held = text[opening + 1 : -1]
    if text[-1] != ")" or not _CALLED.fullmatch(text[start:opening]):
        return []
    if len(items(held)) > 1:
        return []
    inner = split(held, margin + " " * INDENT, limit)
    return [margin + text[: opening + 1], *inner, f"{margin})"]


_CALLED = re.compile(r"(not |-)?[\w.]*")


def _loop(text: str, margin: str, limit: int) -> list[str]:
    """A part that no operator cuts: `for u in zip(...)` is broken in its brackets."""
    opening = _last_opening(text) + 1
    inner = margin + " " * INDENT + text[opening:-1]
    is_call = text.startswith("for ") and text[-1] == ")"
    if not is_call or width(inner) > limit:
        return [margin + text]
    return [margin + text[:opening], inner, f"{margin})"]


def _broken_call(margin: str, head: str, text: str, tail: str, limit: int) -> list[str]:
    """A call, or the negative of one, broken: arguments on one line, or one a line."""
    opening = _last_opening(text)
    held = text[opening + 1 : -1]
    arguments = items(held)
    inner = margin + " " * INDENT
    first = f"{margin}{head}{text[: opening + 1]}"
    if len(arguments) > 1 and width(inner + held) <= limit:
        return [first, inner + held, f"{margin}){tail}"]
    if len(arguments) == 1 and arguments[0].startswith("("):
        return [first, *bracketed(arguments[0], inner, "", limit), f"{margin}){tail}"]
    comma = _comma(text, opening)
    lines = [first]
    for argument in arguments:
        lines += bracketed(argument, inner, comma, limit)
    return [*lines, f"{margin}){tail}"]


def _comma(text: str, opening: int) -> str:
    """The comma behind the items of the last bracket: one would make a tuple of an
    operand or an index, though not of a call or a list.
    """
    before = text[:opening]
    if _is_comprehension(text[opening + 1 : -1]):
        return ""
    if text[-1] == "]":
        return "" if before else ","
    return "" if before.removeprefix("-") in ("", "not ") else ","


def bracketed(text: str, margin: str, tail: str, limit: int) -> list[str]:
    """An element on its line; if too long, one line for each item in its brackets, or
    for each part between its loosest operators.
    """
    line = f"{margin}{text}{tail}"
    if width(line) <= limit:
        return [line]
    if len(delimited(text)) > 1:
        *lines, last = split(text, margin, limit)
        return [*lines, last + tail]
    if text[-1] not in ")]":
        return [line]
    inner = margin + " " * INDENT
    opening = _last_opening(text)
    lines = [margin + text[: opening + 1]]
    parts = items(text[opening + 1 : -1])
    comma = _comma(text, opening) if len(parts) == 1 else ","
    for item in parts:
        lines += bracketed(item, inner, comma, limit)
    return [*lines, margin + text[-1] + tail]


def _is_comprehension(text: str) -> bool:
    """Whether it is the inside of a comprehension: `k * k for k in x`."""
    return any(sign == " for " for _, sign in _operators(text))


def is_tuple(text: str) -> bool:
    """Whether it is a tuple: no part of an expression stands in brackets alone."""
    return text[0] == "(" and _last_opening(text) == 0


def items(text: str) -> list[str]:
    """The parts between the commas outside of brackets, or a comprehension."""
    if _is_comprehension(text):
        return [text]
    return [item.removesuffix(", ") for item in _cut(text, {", "})]


# The operators at which black breaks a line, loosest first.
_LOOSEST = (
    frozenset({" for "}),
    frozenset({" if ", " else "}),
    frozenset({" and ", " or "}),
    frozenset({" < ", " <= ", " > ", " >= ", " == ", " != "}),
    frozenset({" | "}),
    frozenset({" ^ "}),
    frozenset({" & "}),
    frozenset({" << ", " >> "}),
    frozenset({" + ", " - "}),
    frozenset({" * ", " / ", " // ", " % ", " @ "}),
    frozenset({" ** "}),
)

_SIGN = re.compile(r"(for|if|else|and|or|[-+*/%@&|^]|//|\*\*|<<|>>|[<>]=?|[=!]=) ")


def delimited(text: str) -> list[str]:
    """An expression cut before its loosest operators outside of brackets."""
    found = _operators(text)
    for signs in _LOOSEST:
        places = [k + 1 for k, sign in found if sign in signs]
        if places:
            if " if " in signs:
                places = places[:2]  # black keeps an inner conditional together
            cuts = zip([0, *places], [*places, len(text) + 1], strict=True)
            return [text[a : b - 1] for a, b in cuts]
    base, hugged, exponent = text.partition("**")
    bare = hugged and not any(bracket in text for bracket in "([")
    return [base, f"** {exponent}"] if bare else [text]


def _cut(text: str, signs: set[str]) -> list[str]:
    """A text cut behind operators outside of brackets."""
    places = [k + len(sign) for k, sign in _operators(text) if sign in signs]
    cuts = zip([0, *places], [*places, len(text)], strict=True)
    return [text[a:b] for a, b in cuts if a < b]


_TOKENS = re.compile(
    r'"(?:\\.|[^"\\])*"|'
    r"'(?:\\.|[^'\\])*'|"
    r"[()\[\]]|, |"
    r" (?:for|if|else|and|or|//|\*\*|<<|>>|[-+*/%@&|^]|[<>]=?|[=!]=) "
)


def _operators(text: str) -> list[tuple[int, str]]:
    """Places and signs of the operators and commas outside of brackets and strings."""
    found: list[tuple[int, str]] = []
    depth = 0
    for match in _TOKENS.finditer(text):
        token = match[0]
        if token in "([":
            depth += 1
        elif token in ")]":
            depth -= 1
        elif depth == 0 and token[0] in " ,":
            found.append((match.start(), token))
    return found


def _last_opening(text: str) -> int:
    """The place of the bracket that the last character closes."""
    depth = 0
    opening = 0
    for k, character in enumerate(text):
        if character in "([":
            if depth == 0:
                opening = k
            depth += 1
        elif character in ")]":
            depth -= 1
    return opening


# --- lists ----------------------------------------------------------------------------


def listing(head: str, items: Sequence[str], tail: str, limit: int) -> list[str]:
    """`head item, item tail`, with one item a line behind `head(` when too long."""
    line = f"{head}{', '.join(items)}{tail}"
    if width(line) <= limit:
        return [line]
    return [f"{head}(", *(f"    {item}," for item in items), f"){tail}"]
