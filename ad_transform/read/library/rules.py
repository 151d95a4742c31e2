"""Library functions whose arguments are sequences, vary in number, or are constants.

Each has a rule of its own, which makes the result of its arguments, by position.
"""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.diagnostics import Span
from ad_transform.elementals import GENERATED
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.array_functions import (
    creations,
    splitting,
)
from ad_transform.read.arrays import indexing
from ad_transform.read.branches.choices import choose
from ad_transform.read.containers import sums
from ad_transform.read.iterables import (
    iterables,
    streams,
)
from ad_transform.read.library import (
    bits,
    closeness,
    distributions,
    numbers,
)
from ad_transform.read.machine.arguments import Rule, Unfit, Values, expect, items_of
from ad_transform.read.machine.context import Context
from ad_transform.read.objects import copying
from ad_transform.read.objects.by_name import getattr_, hasattr_
from ad_transform.read.texts import texts
from ad_transform.read.values.series import Range
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Special, Value, is_text

with later():
    from ad_transform.read.texts.shown_texts import string


def _length(flat: Context, values: Values, span: Span) -> Value:
    expect(values, 1, 1)
    if isinstance(values[0], Range):
        return iterables.count(flat, values[0], span)
    if is_text(values[0]):
        return texts.length(flat, values[0], span)
    return Literal(len(items_of(values)))


def _regroup(container: Container) -> Rule:
    """`tuple` and `list` of a group."""

    def rule(flat: Context, values: Values, span: Span) -> Value:
        expect(values, 0, 1)
        made = Group(container, items_of(values) if values else ())
        return indexing.made(flat, made, span)

    return rule


def _where(flat: Context, values: Values, span: Span) -> Value:
    """`numpy.where` of a single condition; both values are there."""
    expect(values, 3, 3)
    test, one, other = values
    return choose(
        flat, test, lambda: one, lambda: other, "`numpy.where`", span, eager=True
    )


# fmt: off
RULES: dict[str, Rule] = {
    "builtins.max":    sums.fold("max"),
    "builtins.min":    sums.fold("min"),
    "builtins.sum":    streams.reduced(sums.python_sum, streams.summed),
    "builtins.len":    _length,
    "builtins.range":  iterables.range_,
    "builtins.zip":    iterables.zip_,
    "builtins.enumerate": iterables.enumerate_,
    "builtins.reversed":  iterables.reversed_,
    "builtins.any":    streams.reduced(iterables.every(False), streams.decided(False)),
    "builtins.all":    streams.reduced(iterables.every(True), streams.decided(True)),
    "builtins.float":  numbers.floated,
    "builtins.int":    numbers.wholly,
    "builtins.str":    string,
    "builtins.getattr": getattr_,
    "builtins.hasattr": hasattr_,
    "builtins.round":  numbers.rounded,
    "builtins.divmod": numbers.quotient_and_rest,
    "builtins.tuple":  _regroup(Container.TUPLE),
    "builtins.list":   _regroup(Container.LIST),
    "builtins.map":    streams.mapped,
    "functools.reduce": streams.folded,
    "operator.rshift": bits.shifted(">>", "floordiv", "shift_right"),
    "operator.lshift": bits.shifted("<<", "mul", "shift_left"),
    "operator.iand":   bits.changed("numpy.bitwise_and"),
    "operator.ior":    bits.changed("numpy.bitwise_or"),
    "operator.ixor":   bits.changed("numpy.bitwise_xor"),
    "math.fsum":       sums.function_of_one("fsum"),
    f"{GENERATED}total": sums.function_of_one("total"),
    "math.prod":       streams.reduced(sums.python_prod, streams.multiplied),
    "math.dist":       sums.function_of_two("dist"),
    "math.sumprod":    sums.function_of_two("sumprod"),
    "math.hypot":      sums.hypot,
    "math.log":        numbers.log,
    "math.comb":       numbers.counted("comb", 2, 2),
    "math.perm":       numbers.counted("perm", 1, 2),
    "math.factorial":  numbers.counted("factorial", 1, 1),
    "math.gcd":        numbers.counted("gcd", 0, 9),
    "math.lcm":        numbers.counted("lcm", 0, 9),
    "math.isqrt":      numbers.counted("isqrt", 1, 1),
    "math.isclose":    closeness.isclose,
    "numpy.sum":       sums.numpy_sum,
    "numpy.mean":      sums.numpy_mean,
    "numpy.prod":      sums.numpy_prod,
    "numpy.max":       sums.extreme("maximum", "max_of"),
    "numpy.min":       sums.extreme("minimum", "min_of"),
    "numpy.amax":      sums.extreme("maximum", "max_of"),
    "numpy.amin":      sums.extreme("minimum", "min_of"),
    "numpy.dot":       sums.dot,
    "numpy.inner":     sums.dot,
    "numpy.vdot":      sums.dot,
    "numpy.linalg.norm": sums.norm,
    "numpy.zeros":     creations.constant(0.0),
    "numpy.ones":      creations.constant(1.0),
    "numpy.empty":     creations.constant(0.0),
    "numpy.full":      creations.full,
    "numpy.array":     creations.array(True),
    "numpy.asarray":   creations.array(False),
    "numpy.zeros_like": creations.like(0.0),
    "numpy.ones_like":  creations.like(1.0),
    "numpy.empty_like": creations.like(0.0),
    "numpy.full_like":  creations.like(None),
    "numpy.copy":      creations.copy,
    "copy.copy":       copying.shallow,
    "copy.deepcopy":   copying.deep,
    "numpy.split":     splitting.split,
    "builtins.slice":  splitting.slice_of,
    "numpy.clip":      numbers.clip,
    "numpy.where":     _where,
    "numpy.polyval":   numbers.polyval(0, False),
    "numpy.polynomial.polynomial.polyval": numbers.polyval(1, True),
    "scipy.special.polygamma": numbers.polygamma,
    "scipy.special.logsumexp": numbers.logsumexp,
    "scipy.special.comb":      numbers.counted("comb", 2, 2, "float"),
    "scipy.special.factorial": numbers.counted("factorial", 1, 1, "float"),
    "scipy.stats.norm.pdf":    distributions.pdf,
    "scipy.stats.norm.logpdf": distributions.logpdf,
    "scipy.stats.norm.cdf":    distributions.distributed("ndtr", False),
    "scipy.stats.norm.logcdf": distributions.distributed("log_ndtr", False),
    "scipy.stats.norm.sf":     distributions.distributed("ndtr", True),
    "scipy.stats.norm.logsf":  distributions.distributed("log_ndtr", True),
    "scipy.stats.norm.ppf":    distributions.quantile(False),
    "scipy.stats.norm.isf":    distributions.quantile(True),
}

_LOCATED = ("", "loc", "scale")
KEYWORDS: Mapping[str, tuple[str, ...]] = {
    "builtins.sum":    ("", "start"),
    "builtins.enumerate": ("iterable", "start"),
    "builtins.round":  ("number", "ndigits"),
    "math.prod":       ("", "start"),
    "math.isclose":    ("a", "b", "rel_tol", "abs_tol"),
    "numpy.clip":      ("a", "a_min", "a_max"),
    "numpy.zeros":     ("shape", "dtype"),
    "numpy.ones":      ("shape", "dtype"),
    "numpy.empty":     ("shape", "dtype"),
    "numpy.full":      ("shape", "fill_value", "dtype"),
    "numpy.array":     ("object", "dtype"),
    "numpy.asarray":   ("a", "dtype"),
    "numpy.zeros_like": ("a", "dtype"),
    "numpy.ones_like":  ("a", "dtype"),
    "numpy.empty_like": ("a", "dtype"),
    "numpy.full_like":  ("a", "fill_value"),
    "numpy.linalg.norm": ("x", "ord"),
    "numpy.polyval":   ("p", "x"),
    "numpy.polynomial.polynomial.polyval": ("x", "c"),
    "scipy.special.polygamma": ("n", "x"),
    **{name: _LOCATED for name in RULES if name.startswith("scipy.stats.norm.")},
}
"""Names of the arguments that may be given by keyword, in order; "" takes none."""

SYNONYMS: Mapping[str, Mapping[str, str]] = {
    "numpy.clip": {"min": "a_min", "max": "a_max"},
}

BY_POSITION: Mapping[str, int] = {
    "math.prod": 1, "math.isclose": 2,
}
# fmt: on
"""The number of arguments that may be given by position, where that is not all."""


def placed(name: str, values: Values, keywords: dict[str, Value]) -> Values:
    """The arguments by position, None for those that are left out; raises Unfit for
    others.
    """
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
    """Whether a rule takes a keyword."""
    meant = SYNONYMS.get(name, {}).get(keyword, keyword)
    return meant in KEYWORDS.get(name, ())
