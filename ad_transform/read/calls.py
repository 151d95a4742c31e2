"""Calls: of functions of the file, and of the library functions that the table knows.

Most library functions come from `recognise`; those whose arguments are sequences or
vary in number have a form of their own here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any, cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE, Alias, recognise
from ad_transform.ir.build import as_float
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Container, Literal, Operand, Passing
from ad_transform.ir.template import Env, Workshop, instantiate, parse_template
from ad_transform.ir.types import FLOAT
from ad_transform.read.code import Call
from ad_transform.read.module import is_library
from ad_transform.read.values import (
    Closure,
    Dotted,
    Draft,
    Group,
    Special,
    Value,
    describe,
)
from ad_transform.read.whole import objection
from ad_transform.read.workshop import Shop

Keywords = dict[str, Value]


def call(shop: Shop, callee: Value, made: Call, values: Sequence[Value]) -> Value:
    """The result of a call, its arguments evaluated.

    Refuses AD106 (signature), AD107 (not callable), AD110 (unknown), AD111 (keyword),
    AD120 (recursion), AD121 (another module).
    """
    positional: list[Value] = []
    keywords: Keywords = {}
    for name, value in zip(made.arguments, values, strict=True):
        if name == "*":
            if not isinstance(value, Group):
                return shop.unspreadable(value, made.span)
            positional += value.items
        elif name:
            keywords[name] = value
        else:
            positional.append(value)
    if isinstance(callee, Closure):
        names = _bound(shop, callee, positional, keywords, made.span)
        return (
            Special.REFUSED if names is None else shop.enter(callee, names, made.span)
        )
    if isinstance(callee, Dotted):
        return _library(shop, callee.name, positional, keywords, made.span)
    if callee is Special.REFUSED:
        return callee
    message = f"{describe(callee)} cannot be called"
    return shop.refuse("AD107", message, made.span, "write `*` for a product")


# --- functions of the file ----------------------------------------------------------


def _bound(
    shop: Shop,
    closure: Closure,
    positional: Sequence[Value],
    keywords: Keywords,
    span: Span,
) -> dict[str, Value] | None:
    """The parameters with their values; None after a report of AD106."""
    formals = closure.code.formals
    names = {**closure.defaults}
    takers = [f for f in formals if f.passing is not Passing.KEYWORD_ONLY]
    by_keyword = {f.name for f in formals if f.passing is not Passing.POSITIONAL_ONLY}
    given = {f.name: v for f, v in zip(takers, positional, strict=False)}
    faults = [
        *(_too_many(len(takers), len(positional)),),
        *(
            f"got an unexpected keyword argument {k!r}"
            for k in keywords
            if k not in by_keyword
        ),
        *(f"got several values for {k!r}" for k in keywords if k in given),
    ]
    names |= given | keywords
    missing = [f.name for f in formals if f.name not in names]
    if missing:
        faults.append(f"misses {', '.join(map(repr, missing))}")
    for fault in filter(None, faults):
        signature = ", ".join(f.name for f in formals)
        help_ = f"it is defined as `{closure.code.name}({signature})`"
        shop.refuse("AD106", f"{closure.code.name!r} {fault}", span, help_)
        return None
    for name, value in names.items():
        if isinstance(value, Draft) and not value.hint:
            value.hint = name
    return names


def _too_many(takes: int, given: int) -> str:
    return f"takes {_arguments(takes)}, not {given}" if given > takes else ""


def _arguments(count: int) -> str:
    return f"{count} argument" + "s" * (count != 1)


# --- library functions --------------------------------------------------------------


def _library(
    shop: Shop, name: str, values: Sequence[Value], keywords: Keywords, span: Span
) -> Value:
    if Special.REFUSED in values or Special.REFUSED in keywords.values():
        return Special.REFUSED
    known = _FORMS.get(name) or recognise(name)
    if known is None:
        return _unknown(shop, name, span)
    shown = name.removeprefix("builtins.")
    if len(values) > _STARTED.get(name, len(values)):
        message = f"{shown!r} takes `start` as a keyword only"
        return shop.refuse("AD106", message, span, "write `start=` before it")
    if name in _STARTED and len(values) == 1 and keywords.keys() == {"start"}:
        values, keywords = (*values, keywords["start"]), {}
    for keyword in keywords:
        message = f"{shown!r} with the keyword {keyword!r} is not supported"
        return shop.refuse("AD111", message, span, "give the arguments by position")
    fault = objection(name, values)
    if fault:
        help_ = "write numbers with a point, `2.0` for `2`, or Python's own operators"
        return shop.refuse("AD107", f"{shown!r} {fault}", span, help_)
    if isinstance(known, Elemental | Alias):
        return _known(shop, shown, known, values, span)
    try:
        return known(shop, values, span)
    except _Unfit as unfit:
        return shop.refuse("AD106", f"{shown!r} {unfit}", span, unfit.help)


class _Unfit(Exception):
    """Arguments that a form cannot take."""

    def __init__(self, message: str, help_: str = "see its documentation") -> None:
        super().__init__(message)
        self.help = help_


def _known(
    shop: Shop, name: str, op: Elemental | Alias, values: Sequence[Value], span: Span
) -> Value:
    wanted = len(op.parameters)
    variadic = isinstance(op, Elemental) and op.variadic
    if not variadic and len(values) != wanted:
        message = f"{name!r} takes {_arguments(wanted)}, not {len(values)}"
        help_ = f"write `{name}({', '.join(op.parameters)})`"
        return shop.refuse("AD106", message, span, help_)
    if any(isinstance(v, Group) for v in values):
        help_ = f"arrays are not supported yet: call {name!r} for every element"
        message = f"{name!r} of a tuple or list is not supported yet"
        return shop.refuse("AD107", message, span, help_)
    if isinstance(op, Elemental):
        return shop.operate(*bounded(op, values), span)
    numbers = [shop.number(value, span) for value in values]
    if None in numbers:
        return Special.REFUSED
    env = cast(Env, dict(zip(op.parameters, numbers, strict=True)))
    bench = cast(Workshop, _Bench(shop, span))
    return cast(Value, instantiate(parse_template(op.template), env, bench))


class _Bench:
    """The workshop in which the template of a composite spelling is instantiated."""

    def __init__(self, shop: Shop, span: Span) -> None:
        self.shop = shop
        self.span = span

    def apply(self, op: str, *args: Operand) -> Operand:
        row, values = bounded(TABLE[op], cast(Any, args))
        return cast(Operand, self.shop.apply(row, cast(Any, values), self.span))


_BOUNDS = {"maximum": "max", "fmax": "max", "minimum": "min", "fmin": "min"}


def bounded(
    op: Elemental, values: Sequence[Value]
) -> tuple[Elemental, Sequence[Value]]:
    """The bound of a float by a number: a literal is no NaN, so the care that numpy
    takes of one comes with the order of the arguments.
    """
    floats = [v for v in values if isinstance(v, Draft) and v.type is FLOAT]
    numbers = [v for v in values if isinstance(v, Literal) and v.value == v.value]
    if op.name not in _BOUNDS or not (floats and numbers):
        return op, values
    pair = (floats[0], as_float(numbers[0]))
    return TABLE[_BOUNDS[op.name]], pair[::-1] if op.name[0] == "f" else pair


# --- functions that are not known ---------------------------------------------------

_OPERATORS = ("derivative", "tangent", "adjoint", "rounding_error")
_HELP = {
    "builtins.print": "write `print` in a statement of its own: it is dropped",
    "builtins.range": "loops are not supported yet: write the steps out",
    "builtins.zip": "loops are not supported yet: write the steps out",
    "builtins.enumerate": "loops are not supported yet: write the steps out",
    "builtins.map": "call the function for every element",
    "builtins.isinstance": "annotate the parameter instead",
    "math.isclose": "write `abs(a - b) <= tolerance`",
    "numpy.where": "branches are not supported yet: write `max`, `min` or `abs`",
}


def _unknown(shop: Shop, name: str, span: Span) -> Value:
    shown = name.removeprefix("builtins.")
    top, _, rest = name.partition(".")
    if top == "ad_transform" and rest in _OPERATORS:
        message = f"the operator {rest!r} is not supported yet"
        return shop.refuse("AD031", message, span, "mark a function of its own")
    if not is_library(name):
        message = f"{shown.lstrip('.')!r} lives in another module"
        help_ = "define it in this file: functions of the file are inlined"
        return shop.refuse("AD121", message, span, help_)
    message = f"no derivative is known for {shown!r}"
    return shop.refuse("AD110", message, span, _HELP.get(name) or _near(top, rest))


def _near(module: str, name: str) -> str:
    parted = (k.partition(".") for k in _KNOWN)
    near = get_close_matches(name, [k for top, _, k in parted if top == module], 1, 0.7)
    if near:
        shown = f"{module}.{near[0]}".removeprefix("builtins.")
        return f"did you mean {shown!r}?"
    if module == "numpy":
        return "arrays are not supported yet: write it with scalars"
    return "write it with operators and functions of `math`"


# --- forms of their own -------------------------------------------------------------


def _items(values: Sequence[Value], at: int = 0) -> tuple[Value, ...]:
    """The items of the argument that has to be a tuple or list."""
    if at >= len(values):
        raise _Unfit("misses an argument")
    value = values[at]
    if isinstance(value, Group):
        return value.items
    help_ = "arrays are not supported yet: write the elements, `sum([a, b])`"
    raise _Unfit(f"needs a tuple or list, not {describe(value)}", help_)


def _count(values: Sequence[Value], low: int, high: int) -> None:
    if not low <= len(values) <= high:
        wanted = f"{low} or {_arguments(high)}" if high > low else _arguments(low)
        raise _Unfit(f"takes {wanted}, not {len(values)}")


def _fold(op: str) -> Callable[[Shop, Sequence[Value], Span], Value]:
    """`max` and `min`: of several arguments or of one sequence, from the left.

    The last step knows all arguments, for those that are equal share the derivative.
    """

    def form(shop: Shop, values: Sequence[Value], span: Span) -> Value:
        items = values if len(values) > 1 else _items(values)
        if not items:
            raise _Unfit("of nothing has no value", "give it two values or more")
        if len(items) < 3:
            return _folded(shop, op, items, span)
        before = _folded(shop, op, items[:-1], span)
        last = (before, items[-1], *items[:-1])
        return shop.operate(TABLE[f"{op}_of"], last, span)

    return form


def _folded(shop: Shop, op: str, items: Sequence[Value], span: Span) -> Value:
    result: Value = shop.number(items[0], span) or Special.REFUSED
    for item in items[1:]:
        result = shop.operate(TABLE[op], (result, item), span)
    return result


def _sum(shop: Shop, values: Sequence[Value], span: Span) -> Value:
    _count(values, 1, 2)
    items = _items(values)
    start = values[1:]
    if not items:
        return start[0] if start else Literal(0)
    op = TABLE["sum_from" if start else "sum"]
    return shop.operate(op, (*start, *items), span)


def _prod(shop: Shop, values: Sequence[Value], span: Span) -> Value:
    _count(values, 1, 2)
    items = (*values[1:], *_items(values))
    return _folded(shop, "mul", items, span) if items else Literal(1)


def _whole(op: str, empty: float) -> Callable[[Shop, Sequence[Value], Span], Value]:
    """A function of one sequence."""

    def form(shop: Shop, values: Sequence[Value], span: Span) -> Value:
        _count(values, 1, 1)
        items = _items(values)
        return shop.operate(TABLE[op], items, span) if items else Literal(empty)

    return form


def _pair(op: str) -> Callable[[Shop, Sequence[Value], Span], Value]:
    """A function of two sequences of one length."""

    def form(shop: Shop, values: Sequence[Value], span: Span) -> Value:
        _count(values, 2, 2)
        first, second = _items(values), _items(values, 1)
        if len(first) != len(second) or not first:
            raise _Unfit("needs two sequences of one length", "write `(a, b), (c, d)`")
        return shop.operate(TABLE[op], (*first, *second), span)

    return form


def _hypot(shop: Shop, values: Sequence[Value], span: Span) -> Value:
    return shop.operate(TABLE["hypot"], values, span) if values else Literal(0.0)


def _log(shop: Shop, values: Sequence[Value], span: Span) -> Value:
    _count(values, 1, 2)
    return shop.operate(TABLE["log_base" if len(values) > 1 else "log"], values, span)


def _round(shop: Shop, values: Sequence[Value], span: Span) -> Value:
    _count(values, 1, 2)
    if len(values) == 1:
        return shop.operate(TABLE["round"], values, span)
    digits = values[1]
    if isinstance(digits, Draft | Literal) and digits.type is FLOAT:
        raise _Unfit("takes a whole number of digits", "give an int, `round(x, 2)`")
    return shop.operate(TABLE["round_to"], values, span)


def _float(shop: Shop, values: Sequence[Value], span: Span) -> Value:
    _count(values, 1, 1)
    text = values[0]
    if not isinstance(text, Literal) or not isinstance(text.value, str):
        return shop.operate(TABLE["float"], values, span)
    try:
        return Literal(float(text.value))
    except ValueError:
        raise _Unfit(f"of {text.value!r} has no value", "write a number") from None


def _divmod(shop: Shop, values: Sequence[Value], span: Span) -> Value:
    _count(values, 2, 2)
    parts = (shop.operate(TABLE[op], values, span) for op in ("floordiv", "mod"))
    return Group(Container.TUPLE, tuple(parts))


def _length(shop: Shop, values: Sequence[Value], span: Span) -> Value:
    _count(values, 1, 1)
    return Literal(len(_items(values)))


def _regroup(
    container: Container,
) -> Callable[[Shop, Sequence[Value], Span], Value]:
    """`tuple` and `list` of a group."""

    def form(shop: Shop, values: Sequence[Value], span: Span) -> Value:
        _count(values, 0, 1)
        return Group(container, _items(values) if values else ())

    return form


Form = Callable[[Shop, Sequence[Value], Span], Value]

# Functions of a sequence with `start` as a keyword (the second argument here), and how
# many arguments they take by position.
_STARTED = {"builtins.sum": 2, "math.prod": 1}

# fmt: off
_FORMS: dict[str, Form] = {
    "builtins.max":    _fold("max"),
    "builtins.min":    _fold("min"),
    "builtins.sum":    _sum,
    "builtins.len":    _length,
    "builtins.float":  _float,
    "builtins.round":  _round,
    "builtins.divmod": _divmod,
    "builtins.tuple":  _regroup(Container.TUPLE),
    "builtins.list":   _regroup(Container.LIST),
    "math.fsum":       _whole("fsum", 0.0),
    "math.prod":       _prod,
    "math.dist":       _pair("dist"),
    "math.sumprod":    _pair("sumprod"),
    "math.hypot":      _hypot,
    "math.log":        _log,
}
# fmt: on


def is_form(qualified: str) -> bool:
    """Whether a function has a form of its own here."""
    return qualified in _FORMS


_KNOWN = (
    *_FORMS,
    *(known for row in TABLE.values() for known in row.known_as),
)
"""What to look among for a name close to one that is not known."""
