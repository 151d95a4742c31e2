"""Messages of assertions, exceptions and `print`: texts and values, as f-strings hold
them, `"%g" % x`, `"{}".format(x)` and sums of texts, `"x is " + str(x)`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

import libcst as cst

from ad_transform.later import later
from ad_transform.read.syntax.concrete import Concrete, Twin

with later():
    from string import Formatter

# fmt: off
ERRORS = frozenset({
    "ArithmeticError", "AssertionError", "Exception", "FloatingPointError",
    "IndexError", "KeyError", "LookupError", "NotImplementedError", "OverflowError",
    "RuntimeError", "TypeError", "ValueError", "ZeroDivisionError",
})
# fmt: on
"""Builtin exceptions that take a message."""

Part = str | tuple[Twin, str]
"""A text, or a value in a message with its format: "", "!r", ":.3f"; "%d" shows the
whole number that the value is cut to.
"""

IsBuiltin = Callable[[cst.BaseExpression, str], bool]
"""Whether a callee is a builtin of that name."""

CUT = "%"
"""The first character of the format of `%d`, which cuts floats."""

_SPEC = re.compile(r"[^\\'\"{}\n]*")  # formats that f-strings of every Python allow
_CONVERSIONS = {-1: "", 97: "!a", 114: "!r", 115: "!s"}


class Unreadable(Exception):
    """A message that is not supported: its place, the reason, and a way out."""

    def __init__(self, tree: ast.expr, message: str, help_: str) -> None:
        super().__init__(message)
        self.tree, self.message, self.help = tree, message, help_


def parts_of(concrete: Concrete, is_builtin: IsBuiltin, twin: Twin) -> Iterator[Part]:
    """The texts and values of a message, in order. Raises Unreadable. Linear."""
    todo = [twin]
    while todo:
        form, tree = todo.pop()
        node = concrete.whole(form)
        match tree:
            case ast.Constant(value=str(text)):
                yield text
            case ast.JoinedStr():
                yield from _fields(node, tree)
            case ast.BinOp(left=left, op=ast.Add(), right=right) if _is_text(tree):
                assert isinstance(node, cst.BinaryOperation)
                todo += ((node.right, right), (node.left, left))
            case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod()):
                assert isinstance(node, cst.BinaryOperation)
                yield from _percent(concrete, text, (node.right, tree.right), tree)
            case ast.Call(func=ast.Attribute(ast.Constant(str(text)), "format")):
                assert isinstance(node, cst.Call)
                yield from _formatted(text, node, tree)
            case ast.Call(func=ast.Name(id="str" | "repr" as name), args=[inner]) if (
                isinstance(node, cst.Call)
                and not tree.keywords
                and not isinstance(inner, ast.Starred)
                and is_builtin(node.func, name)
            ):
                yield (node.args[0].value, inner), "!r" if name == "repr" else ""
            case _:
                yield (node, tree), ""


def _is_text(tree: ast.expr) -> bool:
    """Whether an expression is surely a text; a sum with a text is one."""
    while isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Add):
        if _is_text(tree.right):
            return True
        tree = tree.left
    match tree:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod()):
            return True
        case ast.Call(func=ast.Name(id="str" | "repr")):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()))):
            return True
    return False


# --- f-strings ------------------------------------------------------------------------


def _fields(node: cst.BaseExpression, tree: ast.JoinedStr) -> Iterator[Part]:
    """The texts and values of an f-string, or of several in a row."""
    forms = iter(_expressions(node))
    for value in tree.values:
        if isinstance(value, ast.FormattedValue):
            how = _CONVERSIONS[value.conversion]
            spec = "".join(map(_plain, getattr(value.format_spec, "values", ())))
            how += _format(spec, tree)
            yield (next(forms), value.value), how
        else:
            yield _plain(value)


def _format(spec: str, tree: ast.expr) -> str:
    """The format behind a value in an f-string."""
    if not _SPEC.fullmatch(spec):
        message = "a format that is computed, or has quotes, is not supported"
        raise Unreadable(tree, message, "write a plain format: `{x:.3f}`")
    return f":{spec}" if spec else ""


def _plain(value: ast.expr) -> str:
    """The text of a part of an f-string; a pair of braces for a value."""
    return str(value.value) if isinstance(value, ast.Constant) else "{"


def _expressions(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The expressions that an f-string shows, in order."""
    while isinstance(node, cst.ConcatenatedString):  # it leans to the right
        yield from _expressions(node.left)
        node = node.right
    if isinstance(node, cst.FormattedString):
        for part in node.parts:
            if isinstance(part, cst.FormattedStringExpression):
                yield part.expression


# --- "..." % values -------------------------------------------------------------------


_PERCENT = re.compile(r"%([-+ 0#]*)(\d*)((?:\.\d+)?)(.?)", re.DOTALL)


def _percent(
    concrete: Concrete, text: str, right: Twin, whole: ast.expr
) -> Iterator[Part]:
    """The texts and values of `"%g of %d" % (x, n)`."""
    node, tree = concrete.whole(right[0]), right[1]
    given = [(node, tree)]
    if isinstance(tree, ast.Tuple) and isinstance(node, cst.Tuple):
        given = [(e.value, t) for e, t in zip(node.elements, tree.elts, strict=True)]
    wanted = [m for m in _PERCENT.finditer(text) if m[4] != "%"]
    starred = any(isinstance(t, ast.Starred) for _, t in given)
    if starred or len(wanted) != len(given):
        message = f"a text with {len(wanted)} of `%` is not followed by as many values"
        raise Unreadable(whole, message, _F_STRING)
    values, end = iter(given), 0
    for found in _PERCENT.finditer(text):
        yield text[end : found.start()]
        end = found.end()
        yield "%" if found[4] == "%" else (next(values), _spec(found, whole))
    yield text[end:]


def _spec(found: re.Match[str], tree: ast.expr) -> str:
    """The format of an f-string that is equal to one of `%`."""
    flags, width, digits, kind = found.groups()
    align = "<" if "-" in flags else ""
    if kind in ("s", "r") and not set(flags) - {"-"}:
        spec = f"{(align or '>') + width if width else ''}{digits}"
        how = "!s" if kind == "s" and spec else "!r" if kind == "r" else ""
        return f"{how}:{spec}" if spec else how
    sign = "+" if "+" in flags else " " if " " in flags else ""
    zero = "0" if "0" in flags and not align else ""
    if kind and kind in "gGeEfF":
        sharp = "#" if "#" in flags else ""
        return f":{align}{sign}{sharp}{zero}{width}{digits}{kind}"
    if kind and kind in "diu" and not digits and "#" not in flags:
        spec = f"{align}{sign}{zero}{width}"
        return f"{CUT}:{spec}d" if spec else CUT
    raise Unreadable(tree, f"`{found[0]}` is not supported here", _F_STRING)


_F_STRING = 'write an f-string: `f"x is {x:.3g}"`'


# --- "...".format(values) -------------------------------------------------------------


def _formatted(text: str, node: cst.Call, tree: ast.Call) -> Iterator[Part]:
    """The texts and values of `"{} of {n}".format(x, n=n)`."""
    twins = list(zip([a.value for a in node.args], tree.args, strict=False))
    words = [a.value for a in node.args if a.keyword is not None]
    named = dict(zip([k.arg for k in tree.keywords], words, strict=False))
    values = {k.arg: (named[k.arg], k.value) for k in tree.keywords if k.arg in named}
    if any(a.star for a in node.args):
        raise Unreadable(tree, "a star in `format` is not supported", _F_STRING)
    yield from _filled(text, twins, {str(k): v for k, v in values.items()}, tree)


def _filled(
    text: str, given: Sequence[Twin], named: Mapping[str, Twin], tree: ast.Call
) -> Iterator[Part]:
    """The texts, and the values at the places of `{}`, `{0}` and `{name}`."""
    try:
        fields = list(Formatter().parse(text))
    except ValueError:
        raise Unreadable(tree, "`format` cannot read its text", _F_STRING) from None
    places = iter(range(len(fields)))
    for before, name, spec, conversion in fields:
        yield before
        if name is None:
            continue
        place = name or str(next(places))
        value = named.get(place)
        if value is None and place.isdecimal() and int(place) < len(given):
            value = given[int(place)]
        if value is None:
            message = f"`{{{name}}}` is none of the values of `format`"
            raise Unreadable(tree, message, _F_STRING)
        how = f"!{conversion}" if conversion else ""
        yield value, how + _format(spec or "", tree)
