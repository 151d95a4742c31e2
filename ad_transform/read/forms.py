"""Library functions whose arguments are sequences, vary in number, or are constants.

Each has a form of its own: what it makes of its arguments, by position. `Special.NONE`
stands for an argument that is not given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.build import as_float
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import FLOAT
from ad_transform.read.values import (
    Draft,
    Group,
    Special,
    Value,
    describe,
)
from ad_transform.read.workshop import Shop

Values = Sequence[Value]
Form = Callable[[Shop, Values, Span], Value]


class Unfit(Exception):
    """Arguments that a form cannot take."""

    def __init__(self, message: str, help_: str = "see its documentation") -> None:
        super().__init__(message)
        self.help = help_


def arguments(count: int) -> str:
    """ "1 argument", "2 arguments"."""
    return f"{count} argument" + "s" * (count != 1)


# --- taking arguments -----------------------------------------------------------------


def _items(values: Values, at: int = 0) -> tuple[Value, ...]:
    """The items of the argument that has to be a tuple or list."""
    if at >= len(values):
        raise Unfit("misses an argument")
    value = values[at]
    if isinstance(value, Group):
        return value.items
    help_ = "arrays are not supported yet: write the elements, `sum([a, b])`"
    raise Unfit(f"needs a tuple or list, not {describe(value)}", help_)


def _leaves(values: Values, at: int = 0) -> list[Value]:
    """The items of a nest of tuples and lists; a number is its only one."""
    found: list[Value] = []
    stack = [values[at]] if at < len(values) else []
    while stack:
        value = stack.pop()
        if isinstance(value, Group):
            stack += reversed(value.items)
        else:
            found.append(value)
    return found


def _count(values: Values, low: int, high: int) -> None:
    if not low <= len(values) <= high:
        wanted = f"{low} or {arguments(high)}" if high > low else arguments(low)
        raise Unfit(f"takes {wanted}, not {len(values)}")


def _given(values: Values, at: int, default: float) -> Value:
    """An argument, or the number that it is by default."""
    if at < len(values) and values[at] is not Special.NONE:
        return values[at]
    return Literal(default)


def _is(value: Value, number: float) -> bool:
    return isinstance(value, Literal) and value.value == number


def _whole(value: Value) -> int | None:
    if isinstance(value, Literal) and type(value.value) is int:
        return value.value
    return None


_BOUNDS = {"maximum": "max", "fmax": "max", "minimum": "min", "fmin": "min"}


def bounded(op: Elemental, values: Values) -> tuple[Elemental, Values]:
    """The bound of a float by a number: a literal is no NaN, so the care that numpy
    takes of one comes with the order of the arguments.
    """
    floats = [v for v in values if isinstance(v, Draft) and v.type is FLOAT]
    numbers = [v for v in values if isinstance(v, Literal) and v.value == v.value]
    if op.name not in _BOUNDS or not (floats and numbers):
        return op, values
    pair = (floats[0], as_float(numbers[0]))
    return TABLE[_BOUNDS[op.name]], pair[::-1] if op.name[0] == "f" else pair


# --- sums, products, extremes ---------------------------------------------------------


def _operate(shop: Shop, op: str, values: Values, span: Span) -> Value:
    return shop.operate(TABLE[op], values, span)


def _folded(shop: Shop, op: str, items: Values, span: Span) -> Value:
    result: Value = shop.number(items[0], span) or Special.REFUSED
    for item in items[1:]:
        result = _operate(shop, op, (result, item), span)
    return result


def _fold(op: str) -> Form:
    """`max` and `min`: of several arguments or of one sequence, from the left.

    The last step knows all arguments, for those that are equal share the derivative.
    """

    def form(shop: Shop, values: Values, span: Span) -> Value:
        items = values if len(values) > 1 else _items(values)
        if not items:
            raise Unfit("of nothing has no value", "give it two values or more")
        if len(items) < 3:
            return _folded(shop, op, items, span)
        before = _folded(shop, op, items[:-1], span)
        last = (before, items[-1], *items[:-1])
        return _operate(shop, f"{op}_of", last, span)

    return form


def _extreme(op: str, sharing: str) -> Form:
    """`numpy.max` and `numpy.min` of all items, however nested.

    A NaN comes through; the last step, which changes nothing, shares the derivative.
    """

    def form(shop: Shop, values: Values, span: Span) -> Value:
        _count(values, 1, 1)
        items = _leaves(values)
        if not items:
            raise Unfit("of nothing has no value", "give it two values or more")
        found = _folded(shop, op, items, span)
        if len(items) < 3 or found is Special.REFUSED:
            return found
        return _operate(shop, sharing, (found, items[-1], *items[:-1]), span)

    return form


def _product(shop: Shop, values: Values, span: Span) -> Value:
    """`numpy.prod` of all items, however nested."""
    _count(values, 1, 1)
    items = _leaves(values)
    return _folded(shop, "mul", items, span) if items else Literal(1.0)


def _sum(shop: Shop, values: Values, span: Span) -> Value:
    _count(values, 1, 2)
    items = _items(values)
    start = values[1:]
    if any(isinstance(v, Group) for v in (*items, *start)):
        return _joined(shop, items, start, span)
    if not items:
        return start[0] if start else Literal(0)
    return _operate(shop, "sum_from" if start else "sum", (*start, *items), span)


def _joined(shop: Shop, items: Values, start: Values, span: Span) -> Value:
    """`sum` of tuples or lists: one behind the other."""
    result, *rest = (*start, *items) if start else (Literal(0), *items)
    for item in rest:
        result = _operate(shop, "add", (result, item), span)
    return result


def _total(shop: Shop, values: Values, span: Span) -> Value:
    """`numpy.sum`: with eight partial sums from eight items on, as numpy adds."""
    _count(values, 1, 1)
    items = _leaves(values)
    return _pairwise(shop, items, span) if items else Literal(0.0)


def _pairwise(shop: Shop, items: Values, span: Span) -> Value:
    def add(x: Value, y: Value) -> Value:
        return _operate(shop, "add", (x, y), span)

    if len(items) < 8:
        return _folded(shop, "add", items, span)
    if len(items) > 128:
        half = len(items) // 2 // 8 * 8
        return add(
            _pairwise(shop, items[:half], span), _pairwise(shop, items[half:], span)
        )
    whole = len(items) // 8 * 8
    r = [_folded(shop, "add", items[k:whole:8], span) for k in range(8)]
    total = add(
        add(add(r[0], r[1]), add(r[2], r[3])), add(add(r[4], r[5]), add(r[6], r[7]))
    )
    for item in items[whole:]:
        total = add(total, item)
    return total


def _mean(shop: Shop, values: Values, span: Span) -> Value:
    _count(values, 1, 1)
    items = _leaves(values)
    if not items:
        raise Unfit("of nothing has no value", "give it two values or more")
    total = _pairwise(shop, items, span)
    return _operate(shop, "div", (total, Literal(float(len(items)))), span)


def _prod(shop: Shop, values: Values, span: Span) -> Value:
    _count(values, 1, 2)
    items = (*values[1:], *_items(values))
    return _folded(shop, "mul", items, span) if items else Literal(1)


def _all(op: str, empty: float) -> Form:
    """A function of one sequence."""

    def form(shop: Shop, values: Values, span: Span) -> Value:
        _count(values, 1, 1)
        items = _items(values)
        return _operate(shop, op, items, span) if items else Literal(empty)

    return form


def _pair(op: str) -> Form:
    """A function of two sequences of one length."""

    def form(shop: Shop, values: Values, span: Span) -> Value:
        first, second = _two(values)
        return _operate(shop, op, (*first, *second), span)

    return form


def _two(values: Values) -> tuple[Values, Values]:
    _count(values, 2, 2)
    first, second = _items(values), _items(values, 1)
    if len(first) != len(second) or not first:
        raise Unfit("needs two sequences of one length", "write `(a, b), (c, d)`")
    return first, second


def _dot(shop: Shop, values: Values, span: Span) -> Value:
    """The sum of products of two tuples, or the product of two numbers."""
    _count(values, 2, 2)
    if not any(isinstance(v, Group) for v in values):
        return _operate(shop, "mul", values, span)
    pairs = zip(*_two(values), strict=True)
    terms = [_operate(shop, "mul", pair, span) for pair in pairs]
    return _folded(shop, "add", terms, span)


def _norm(shop: Shop, values: Values, span: Span) -> Value:
    """`numpy.linalg.norm`: Euclid's, or by `ord` the sum or largest of magnitudes."""
    _count(values, 1, 2)
    items, order = _items(values), _given(values, 1, 2)
    if any(isinstance(item, Group) for item in items):
        raise Unfit("of a matrix is not supported yet", "write the elements out")
    if not items:
        return Literal(0.0)
    if _is(order, 2):
        return _operate(shop, "hypot", items, span)
    if not (_is(order, 1) or _is(order, math.inf)):
        raise Unfit("takes 1, 2 or inf as `ord`", "write the norm out")
    sizes = [_operate(shop, "abs", (item,), span) for item in items]
    if _is(order, 1):
        return _folded(shop, "add", sizes, span)
    return _extreme("maximum", "max_of")(
        shop, (Group(Container.TUPLE, tuple(sizes)),), span
    )


def _hypot(shop: Shop, values: Values, span: Span) -> Value:
    return _operate(shop, "hypot", values, span) if values else Literal(0.0)


# --- numbers --------------------------------------------------------------------------


def _log(shop: Shop, values: Values, span: Span) -> Value:
    _count(values, 1, 2)
    return _operate(shop, "log_base" if len(values) > 1 else "log", values, span)


def _round(shop: Shop, values: Values, span: Span) -> Value:
    _count(values, 1, 2)
    if len(values) == 1:
        return _operate(shop, "round", values, span)
    digits = values[1]
    if isinstance(digits, Draft | Literal) and digits.type is FLOAT:
        raise Unfit("takes a whole number of digits", "give an int, `round(x, 2)`")
    return _operate(shop, "round_to", values, span)


def _float(shop: Shop, values: Values, span: Span) -> Value:
    _count(values, 1, 1)
    text = values[0]
    if not isinstance(text, Literal) or not isinstance(text.value, str):
        return _operate(shop, "float", values, span)
    try:
        return Literal(float(text.value))
    except ValueError:
        raise Unfit(f"of {text.value!r} has no value", "write a number") from None


def _divmod(shop: Shop, values: Values, span: Span) -> Value:
    _count(values, 2, 2)
    parts = (_operate(shop, op, values, span) for op in ("floordiv", "mod"))
    return Group(Container.TUPLE, tuple(parts))


def _clip(shop: Shop, values: Values, span: Span) -> Value:
    """`numpy.clip`: minimum(maximum(x, a), b), either of which may be None."""
    _count(values, 1, 3)
    result = values[0]
    for op, bound in zip(("maximum", "minimum"), values[1:], strict=False):
        if bound is not Special.NONE:
            result = shop.operate(*bounded(TABLE[op], (result, bound)), span)
    return result


def _polyval(coefficients: int, lowest_first: bool) -> Form:
    """A polynomial by Horner's rule; where its coefficients are, and their order."""

    def form(shop: Shop, values: Values, span: Span) -> Value:
        _count(values, 2, 2)
        items, x = _items(values, coefficients), values[1 - coefficients]
        if not items:
            return Literal(0.0)
        ordered = items[::-1] if lowest_first else items
        total = ordered[0]
        for item in ordered[1:]:
            scaled = _operate(shop, "mul", (total, x), span)
            total = _operate(
                shop, "add", (item, scaled) if lowest_first else (scaled, item), span
            )
        return total

    return form


def _polygamma(shop: Shop, values: Values, span: Span) -> Value:
    _count(values, 2, 2)
    order = _whole(values[0])
    if order is None or not 0 <= order <= 50:
        raise Unfit("takes a written order up to 50", "write `polygamma(1, x)`")
    if order == 0:
        return _operate(shop, "digamma", values[1:], span)
    return _operate(shop, "polygamma", values, span)


def _logsumexp(shop: Shop, values: Values, span: Span) -> Value:
    _count(values, 1, 1)
    items = _leaves(values)
    return _folded(shop, "logaddexp", items, span) if items else Literal(-math.inf)


_BITS = 10_000
_MOST = 5_000


def _counted(compute: Callable[..., float], low: int, high: int) -> Form:
    """`comb`, `factorial` and the like: of whole numbers that are written out."""

    def form(shop: Shop, values: Values, span: Span) -> Value:
        _count(values, low, high)
        wholes = [_whole(value) for value in values]
        if Special.REFUSED in values:
            return Special.REFUSED
        if None in wholes:
            help_ = "give it written numbers, or `math.gamma(x + 1)` for a factorial"
            raise Unfit("takes whole numbers that are written out", help_)
        if any(abs(cast(int, n)) > _MOST for n in wholes):
            raise Unfit(f"takes numbers up to {_MOST}", "write the number")
        try:
            result = compute(*wholes)
        except ValueError:
            raise Unfit("is not defined there", "Python would raise, too") from None
        if isinstance(result, int) and result.bit_length() > _BITS:
            raise Unfit("gives too long a number", "write it as a float")
        return Literal(result)

    return form


def _isclose(shop: Shop, values: Values, span: Span) -> Value:
    """`math.isclose` of constants."""
    _count(values, 2, 4)
    numbers = [*values[:2], _given(values, 2, 1e-9), _given(values, 3, 0.0)]
    if not all(
        isinstance(n, Literal) and not isinstance(n.value, str) for n in numbers
    ):
        raise Unfit("takes constants", "write `abs(a - b) <= tolerance`")
    a, b, rel, tol = (float(cast(Literal, n).value) for n in numbers)
    return Literal(math.isclose(a, b, rel_tol=rel, abs_tol=tol))


# --- groups and functions -------------------------------------------------------------


def _length(shop: Shop, values: Values, span: Span) -> Value:
    _count(values, 1, 1)
    return Literal(len(_items(values)))


def _regroup(container: Container) -> Form:
    """`tuple` and `list` of a group."""

    def form(shop: Shop, values: Values, span: Span) -> Value:
        _count(values, 0, 1)
        return Group(container, _items(values) if values else ())

    return form


def _where(shop: Shop, values: Values, span: Span) -> Value:
    """`numpy.where` of a condition that depends on no float; both values are there."""
    _count(values, 3, 3)
    return shop.choose(
        values[0], lambda: values[1], lambda: values[2], "`numpy.where`", span
    )


# --- the normal distribution ----------------------------------------------------------


def _standard(shop: Shop, values: Values, span: Span) -> Value:
    """(x - loc) / scale."""
    loc, scale, z = _given(values, 1, 0.0), _given(values, 2, 1.0), values[0]
    if not _is(loc, 0.0):
        z = _operate(shop, "sub", (z, loc), span)
    return z if _is(scale, 1.0) else _operate(shop, "div", (z, scale), span)


def _distributed(op: str, upper: bool) -> Form:
    """`cdf`, `sf` and their logarithms, of z or -z."""

    def form(shop: Shop, values: Values, span: Span) -> Value:
        _count(values, 1, 3)
        z = _standard(shop, values, span)
        return _operate(
            shop, op, (_operate(shop, "neg", (z,), span) if upper else z,), span
        )

    return form


def _pdf(shop: Shop, values: Values, span: Span) -> Value:
    _count(values, 1, 3)
    scale = _given(values, 2, 1.0)
    density = _operate(shop, "norm_pdf", (_standard(shop, values, span),), span)
    return density if _is(scale, 1.0) else _operate(shop, "div", (density, scale), span)


def _logpdf(shop: Shop, values: Values, span: Span) -> Value:
    """-z * z / 2 - log(sqrt(2 * pi)) - log(scale)."""
    _count(values, 1, 3)
    scale, z = _given(values, 2, 1.0), _standard(shop, values, span)
    square = _operate(shop, "mul", (z, z), span)
    half = _operate(shop, "mul", (Literal(-0.5), square), span)
    result = _operate(shop, "sub", (half, Literal(0.9189385332046728)), span)
    if _is(scale, 1.0):
        return result
    return _operate(shop, "sub", (result, _operate(shop, "log", (scale,), span)), span)


def _quantile(upper: bool) -> Form:
    """`ppf` and `isf`: loc + scale * z."""

    def form(shop: Shop, values: Values, span: Span) -> Value:
        _count(values, 1, 3)
        loc, scale = _given(values, 1, 0.0), _given(values, 2, 1.0)
        z = _operate(shop, "ndtri", values[:1], span)
        if upper:
            z = _operate(shop, "neg", (z,), span)
        if not _is(scale, 1.0):
            z = _operate(shop, "mul", (z, scale), span)
        return z if _is(loc, 0.0) else _operate(shop, "add", (z, loc), span)

    return form


# fmt: off
FORMS: dict[str, Form] = {
    "builtins.max":    _fold("max"),
    "builtins.min":    _fold("min"),
    "builtins.sum":    _sum,
    "builtins.len":    _length,
    "builtins.float":  _float,
    "builtins.round":  _round,
    "builtins.divmod": _divmod,
    "builtins.tuple":  _regroup(Container.TUPLE),
    "builtins.list":   _regroup(Container.LIST),
    "math.fsum":       _all("fsum", 0.0),
    "math.prod":       _prod,
    "math.dist":       _pair("dist"),
    "math.sumprod":    _pair("sumprod"),
    "math.hypot":      _hypot,
    "math.log":        _log,
    "math.comb":       _counted(math.comb, 2, 2),
    "math.perm":       _counted(math.perm, 1, 2),
    "math.factorial":  _counted(math.factorial, 1, 1),
    "math.gcd":        _counted(math.gcd, 0, 9),
    "math.lcm":        _counted(math.lcm, 0, 9),
    "math.isqrt":      _counted(math.isqrt, 1, 1),
    "math.isclose":    _isclose,
    "numpy.sum":       _total,
    "numpy.mean":      _mean,
    "numpy.prod":      _product,
    "numpy.max":       _extreme("maximum", "max_of"),
    "numpy.min":       _extreme("minimum", "min_of"),
    "numpy.amax":      _extreme("maximum", "max_of"),
    "numpy.amin":      _extreme("minimum", "min_of"),
    "numpy.dot":       _dot,
    "numpy.inner":     _dot,
    "numpy.vdot":      _dot,
    "numpy.linalg.norm": _norm,
    "numpy.clip":      _clip,
    "numpy.where":     _where,
    "numpy.polyval":   _polyval(0, False),
    "numpy.polynomial.polynomial.polyval": _polyval(1, True),
    "scipy.special.polygamma": _polygamma,
    "scipy.special.logsumexp": _logsumexp,
    "scipy.special.comb":      _counted(lambda n, k: float(math.comb(n, k)), 2, 2),
    "scipy.special.factorial": _counted(lambda n: float(math.factorial(n)), 1, 1),
    "scipy.stats.norm.pdf":    _pdf,
    "scipy.stats.norm.logpdf": _logpdf,
    "scipy.stats.norm.cdf":    _distributed("ndtr", False),
    "scipy.stats.norm.logcdf": _distributed("log_ndtr", False),
    "scipy.stats.norm.sf":     _distributed("ndtr", True),
    "scipy.stats.norm.logsf":  _distributed("log_ndtr", True),
    "scipy.stats.norm.ppf":    _quantile(False),
    "scipy.stats.norm.isf":    _quantile(True),
}

_LOCATED = ("", "loc", "scale")
KEYWORDS: Mapping[str, tuple[str, ...]] = {
    "builtins.sum":    ("", "start"),
    "builtins.round":  ("number", "ndigits"),
    "math.prod":       ("", "start"),
    "math.isclose":    ("a", "b", "rel_tol", "abs_tol"),
    "numpy.clip":      ("a", "a_min", "a_max"),
    "numpy.linalg.norm": ("x", "ord"),
    "numpy.polyval":   ("p", "x"),
    "numpy.polynomial.polynomial.polyval": ("x", "c"),
    "scipy.special.polygamma": ("n", "x"),
    **{name: _LOCATED for name in FORMS if name.startswith("scipy.stats.norm.")},
}
"""Names of the arguments that may be given by keyword, in order; "" takes none."""

SYNONYMS: Mapping[str, Mapping[str, str]] = {
    "numpy.clip": {"min": "a_min", "max": "a_max"},
}

BY_POSITION: Mapping[str, int] = {
    "math.prod": 1, "math.isclose": 2,
}
# fmt: on
"""How many arguments may be given by position, where that is not all of them."""


def placed(name: str, values: Values, keywords: dict[str, Value]) -> Values:
    """The arguments by position, what is not given None; raises Unfit for others."""
    known = KEYWORDS.get(name, ())
    renamed = SYNONYMS.get(name, {})
    if len(values) > BY_POSITION.get(name, len(values)):
        raise Unfit(f"takes `{known[-1]}` as a keyword only", f"write `{known[-1]}=`")
    result: list[Value] = list(values)
    for keyword, value in keywords.items():
        place = known.index(renamed.get(keyword, keyword))
        if place < len(values):
            raise Unfit(f"got several values for {keyword!r}", "give it once")
        result += [Special.NONE] * (place + 1 - len(result))
        result[place] = value
    return result


def accepts(name: str, keyword: str) -> bool:
    """Whether a form takes a keyword."""
    meant = SYNONYMS.get(name, {}).get(keyword, keyword)
    return meant in KEYWORDS.get(name, ())
