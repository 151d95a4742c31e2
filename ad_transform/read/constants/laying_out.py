"""Expressions as black lays them out: those of constants and of defaults.

Names are as Python sees them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

import libcst as cst

from ad_transform.dataclass import dataclass, replace
from ad_transform.later import later

with later():
    from ad_transform.read.constants.spelling import number, quoted


@dataclass(frozen=True, slots=True, eq=False)
class Rename:
    """The text for dotted names, and the expressions for names of parts that `concrete`
    cut out.

    With `has_methods`, methods of numpy and slices may stand in the text.
    """

    name: Callable[[str], str]
    pieces: Mapping[str, cst.BaseExpression]
    has_methods: bool = False


def identifier(node: cst.Name) -> str:
    """The name as Python sees it (PEP 3131)."""
    text = node.value
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


_SIGNS = {
    "Add": "+",
    "Subtract": "-",
    "Multiply": "*",
    "MatrixMultiply": "@",
    "Divide": "/",
    "FloorDivide": "//",
    "Modulo": "%",
    "Power": "**",
}

_RELATIONS = {
    "LessThan": "<",
    "LessThanEqual": "<=",
    "GreaterThan": ">",
    "GreaterThanEqual": ">=",
    "Equal": "==",
    "NotEqual": "!=",
}


def lay_out(node: cst.BaseExpression, rename: Rename) -> str:
    """The text of a constant expression as black would write it.

    `rename` gives the text for a dotted name. Brackets are kept. Raises KeyError for a
    form that no constant may have.
    """
    brackets = 0
    while isinstance(node, cst.Name) and node.value in rename.pieces:
        brackets += len(node.lpar) - 1  # one pair came with the name
        node = rename.pieces[node.value]
    brackets += len(node.lpar)
    text = _LAY[type(node).__name__](node, rename)
    return "(" * brackets + text + ")" * brackets


def _binary(node: cst.BinaryOperation, rename: Rename) -> str:
    parts: list[str] = []
    inner: cst.BaseExpression = node
    while True:  # a long sum leans to the left
        assert isinstance(inner, cst.BinaryOperation)
        sign = _SIGNS[type(inner.operator).__name__]
        hugs = sign == "**" and _is_simple(inner.left) and _is_simple(inner.right)
        gap = "" if hugs else " "
        parts.append(f"{gap}{sign}{gap}{lay_out(inner.right, rename)}")
        if isinstance(inner.left, cst.BinaryOperation) and not inner.left.lpar:
            inner = inner.left
        else:
            parts.append(lay_out(inner.left, rename))
            return "".join(reversed(parts))


def _is_simple(node: cst.BaseExpression) -> bool:
    """Whether black takes an operand of a power as simple: a name, a number, perhaps
    with a minus.
    """
    if node.lpar:
        return False
    if isinstance(node, cst.UnaryOperation):
        return not isinstance(node.operator, cst.Not) and isinstance(
            node.expression, cst.Integer | cst.Float
        )
    while isinstance(node, cst.Attribute):
        node = node.value
    return isinstance(node, cst.Name | cst.Integer | cst.Float)


def _comparison(node: cst.Comparison, rename: Rename) -> str:
    parts = [lay_out(node.left, rename)]
    for target in node.comparisons:
        sign = _RELATIONS[type(target.operator).__name__]
        parts.append(f"{sign} {lay_out(target.comparator, rename)}")
    return " ".join(parts)


def _unary(node: cst.UnaryOperation, rename: Rename) -> str:
    sign = {"Minus": "-", "Plus": "+"}[type(node.operator).__name__]
    text = lay_out(node.expression, rename)
    inner = node.expression
    is_power = isinstance(inner, cst.BinaryOperation) and not inner.lpar
    return f"{sign}({text})" if is_power else sign + text


def dotted_name(node: cst.BaseExpression) -> str:
    """The text `a.b.c` of a chain of names; empty for anything else."""
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(identifier(node.attr))
        node = node.value
    if not isinstance(node, cst.Name):
        return ""
    return ".".join((identifier(node), *reversed(parts)))


def _name(node: cst.BaseExpression, rename: Rename) -> str:
    return rename.name(dotted_name(node))


def _attribute(node: cst.Attribute, rename: Rename) -> str:
    if dotted_name(node) or not rename.has_methods:
        return _name(node, rename)
    return f"{lay_out(node.value, rename)}.{identifier(node.attr)}"


def _call(node: cst.Call, rename: Rename) -> str:
    arguments = ", ".join(_argument(a, rename) for a in node.args)
    return f"{lay_out(node.func, rename)}({arguments})"


def _argument(node: cst.Arg, rename: Rename) -> str:
    keyword = f"{identifier(node.keyword)}=" if node.keyword else ""
    return node.star + keyword + lay_out(node.value, rename)


def _subscript(node: cst.Subscript, rename: Rename) -> str:
    if len(node.slice) > 1 and not rename.has_methods:
        raise KeyError("slice")
    places = ", ".join(_place(element.slice, rename) for element in node.slice)
    return f"{lay_out(node.value, rename)}[{places}]"


def _place(place: cst.BaseSlice, rename: Rename) -> str:
    """An index or a slice as black writes it; KeyError if neither may stand there."""
    if isinstance(place, cst.Index) and not place.star:
        return lay_out(place.value, rename)
    if not isinstance(place, cst.Slice) or not rename.has_methods:
        raise KeyError("slice")
    bounds = [place.lower, place.upper, *([place.step] if place.step else [])]
    gap = " " if any(map(_is_long_bound, bounds)) else ""
    texts = [lay_out(bound, rename) if bound else "" for bound in bounds]
    return f"{gap}:{gap}".join(texts).strip()


def _is_long_bound(bound: cst.BaseExpression | None) -> bool:
    """Whether black puts blanks beside the colons of a slice with this bound."""
    if isinstance(bound, cst.UnaryOperation):
        bound = bound.expression
    return not isinstance(bound, cst.Name | cst.Integer | cst.Float | None)


def _list(node: cst.List, rename: Rename) -> str:
    return f"[{', '.join(_item(e, rename) for e in node.elements)}]"


def _dict(node: cst.Dict, rename: Rename) -> str:
    return f"{{{', '.join(_entry(e, rename) for e in node.elements)}}}"


def _entry(element: cst.BaseDictElement, rename: Rename) -> str:
    value = lay_out(element.value, rename)
    if isinstance(element, cst.DictElement):
        return f"{lay_out(element.key, rename)}: {value}"
    return f"**{value}"


def _item(element: cst.BaseElement, rename: Rename) -> str:
    star = "*" if isinstance(element, cst.StarredElement) else ""
    return star + lay_out(element.value, rename)


def _tuple(node: cst.Tuple, rename: Rename) -> str:
    items = ", ".join(_item(e, rename) for e in node.elements)
    text = items + "," * (len(node.elements) == 1)
    return text if node.lpar else f"({text})"


def _comprehension(node: cst.ListComp | cst.GeneratorExp, rename: Rename) -> str:
    """A comprehension with one loop over plain names."""
    loop = node.for_in
    bound = _targets(loop.target)
    if loop.inner_for_in or loop.ifs or loop.asynchronous or not bound:
        raise KeyError("for")

    def name(dotted: str) -> str:
        return dotted if dotted in bound else rename.name(dotted)

    item = lay_out(node.elt, replace(rename, name=name))
    text = f"{item} for {', '.join(bound)} in {lay_out(loop.iter, rename)}"
    return f"[{text}]" if isinstance(node, cst.ListComp) else text


def _targets(target: cst.BaseExpression) -> tuple[str, ...]:
    """The names that a loop binds; none if it also binds other targets."""
    items: list[cst.BaseExpression] = [target]
    if isinstance(target, cst.Tuple):
        items = [element.value for element in target.elements]
    names = [identifier(item) for item in items if isinstance(item, cst.Name)]
    is_plain = len(names) == len(items) > 0 and not _LIBRARIES.intersection(names)
    return tuple(names) if is_plain else ()


_LIBRARIES = frozenset({"math", "np", "numpy", "_np"})


def _string(node: cst.SimpleString | cst.ConcatenatedString, _: Rename) -> str:
    value = node.evaluated_value
    if not isinstance(value, str):
        raise KeyError(value)
    return quoted(value)


_LAY: dict[str, Callable[[Any, Rename], str]] = {
    "Integer": lambda node, _: number(node.value),
    "Float": lambda node, _: number(node.value),
    "SimpleString": _string,
    "ConcatenatedString": _string,
    "Name": _name,
    "Attribute": _attribute,
    "UnaryOperation": _unary,
    "BinaryOperation": _binary,
    "Comparison": _comparison,
    "Call": _call,
    "Tuple": _tuple,
    "Dict": _dict,
    "List": _list,
    "ListComp": _comprehension,
    "GeneratorExp": _comprehension,
    "Subscript": _subscript,
}
