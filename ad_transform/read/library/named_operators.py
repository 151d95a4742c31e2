"""Operators called by name: `operator.mul`, `itemgetter(1)`, `attrgetter("x")`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.read.code import (
    Attribute,
    Body,
    Call,
    Compare,
    Contains,
    Item,
    Operate,
    Pack,
    Push,
)
from ad_transform.read.machine.context import Context
from ad_transform.read.objects import overloads
from ad_transform.read.values.callables import Dotted, Partial
from ad_transform.read.values.described import describe
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Value

Rule = Callable[[Span], Body]
"""The code of an operator whose operands are on the stack."""


def _operated(name: str, arity: int) -> Rule:
    return lambda span: (Operate(TABLE[name], arity, span),)


def _compared(name: str) -> Rule:
    return lambda span: (Compare(TABLE[name], (), span),)


# fmt: off
_RULES: Mapping[str, tuple[int, Rule]] = {
    **{f"operator.{name}": (2, _operated(row, 2)) for name, row in {
        "add": "add", "sub": "sub", "mul": "mul", "truediv": "div",
        "floordiv": "floordiv", "mod": "mod", "pow": "pow"}.items()},
    **{f"operator.{name}": (1, _operated(row, 1)) for name, row in {
        "neg": "neg", "pos": "pos", "not_": "not"}.items()},
    **{f"operator.{name}": (2, _compared(name))
        for name in ("lt", "le", "gt", "ge", "eq", "ne")},
    "operator.getitem": (2, lambda span: (Item(span),)),
}
"""The number of operands of an operator, and its code."""
_MATMUL = "operator.matmul"
_SAME = {"operator.abs": "builtins.abs", _MATMUL: "numpy.matmul"}
"""Operators that are functions by another name."""
# fmt: on

_CONTAINS = "operator.contains"
_MAKERS = {
    "operator.itemgetter": "operator.item",
    "operator.attrgetter": "operator.attr",
}
"""Functions that make one which takes parts out, and the name of that one here."""

NAMES = frozenset({*_RULES, *_SAME, _CONTAINS, *_MAKERS, *_MAKERS.values()})


def called(
    flat: Context, name: str, values: Sequence[Value], span: Span
) -> Value | None:
    """The result of an operator that is called by its name; None where the number of
    its arguments is wrong.
    """
    if name == _MATMUL and len(values) == 2 and all(map(_is_sequence, values)):
        one, other = map(describe, values)
        help_ = "make one of them an array: `np.array(u) @ v`"
        return flat.refuse("AD107", f"{one} has no `@` with {other}", span, help_)
    if name in _SAME and len(values) == 1 + (name == _MATMUL):
        plain = ("",) * len(values)
        function = Dotted(_SAME[name])
        return flat.run((*map(Push, (function, *values)), Call(plain, span)))
    if name in _RULES and len(values) == _RULES[name][0]:
        return flat.run((*map(Push, values), *_RULES[name][1](span)))
    if name == _CONTAINS and len(values) == 2:
        return flat.run((*map(Push, reversed(values)), Contains(False, span)))
    if name in _MAKERS and values:
        return Partial(Dotted(_MAKERS[name]), tuple(values), ())
    if name in _MAKERS.values() and len(values) > 1:
        return _parts(flat, name, values[:-1], values[-1], span)
    return None


def _is_sequence(value: Value) -> bool:
    """Whether a value is a tuple or a list, and no array, without an `@` of its own."""
    if isinstance(value, Array):
        return value.cell.container is not Container.ARRAY
    if overloads.defines(value, "__matmul__"):
        return False
    return isinstance(value, Group) and value.container is not Container.ARRAY


def _parts(
    flat: Context, name: str, parts: Sequence[Value], of: Value, span: Span
) -> Value | None:
    """The parts of a value, as a tuple where there are several."""
    code: list[Body] = []
    for part in parts:
        if name == _MAKERS["operator.itemgetter"]:
            code.append((Push(of), Push(part), Item(span)))
        elif isinstance(part, Literal) and isinstance(part.value, str):
            names = part.value.split(".")
            code.append((Push(of), *(Attribute(word, span) for word in names)))
        else:
            return None
    if len(code) == 1:
        return flat.run(code[0])
    packed = Pack(Container.TUPLE, (False,) * len(code), span)
    return flat.run((*(one for body in code for one in body), packed))
