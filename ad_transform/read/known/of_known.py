"""Functions and methods of numpy on arrays whose elements are known: the table.

A row names the arguments of a function: an array (`@a`), several arrays in one tuple or
list (`*parts`), any other value (`axis`); a `?` stands behind one that may be missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container
from ad_transform.read.arrays import packing
from ad_transform.read.known import known_layouts as layouts
from ad_transform.read.known import known_products as products
from ad_transform.read.known import known_sums as sums
from ad_transform.read.known.grids import (
    Grid,
    grid_of,
    group_of,
    holds_array,
    is_array,
    view_of,
)
from ad_transform.read.machine.arguments import Unfit
from ad_transform.read.machine.context import Context
from ad_transform.read.values.described import describe
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Special, Value
from ad_transform.read.wholes import (
    contractions,
    diagonals,
    triangular,
)

SIGNS: Mapping[str, str] = {
    "numpy.matmul": "`@`", "numpy.bitwise_and": "`&`", "numpy.bitwise_or": "`|`",
    "numpy.bitwise_xor": "`^`", "numpy.invert": "`~`",
}  # fmt: skip
"""The operators that call functions."""


def _never(*given: Any) -> bool:
    return False


def _always(*given: Any) -> bool:
    return True


def _is_of_matrix(v: Grid, *others: Any) -> bool:
    return v.rank == 2


@dataclass(frozen=True, slots=True)
class Known:
    """A function of arrays of known elements. A view, as `is_view` says by the
    arguments, shares those of its first array.
    """

    parameters: str
    make: Callable[..., Grid | None]
    is_view: Callable[..., bool] = _never


_SUM = "@a axis? keepdims?"
_SPREAD = "@a axis? ddof? keepdims?"
_max = sums.reduced(sums.largest("maximum", "max_of"))
_min = sums.reduced(sums.largest("minimum", "min_of"))

# fmt: off
RULES: Mapping[str, Known] = {
    "numpy.sum":     Known(_SUM, sums.reduced(sums.total)),
    "numpy.mean":    Known(_SUM, sums.reduced(sums.mean)),
    "numpy.prod":    Known(_SUM, sums.reduced(sums.product)),
    "numpy.max":     Known(_SUM, _max),
    "numpy.min":     Known(_SUM, _min),
    "numpy.amax":    Known(_SUM, _max),
    "numpy.amin":    Known(_SUM, _min),
    "numpy.ptp":     Known(_SUM, sums.reduced(sums.spread)),
    "numpy.any":     Known(_SUM, sums.reduced(sums.decided("any"))),
    "numpy.all":     Known(_SUM, sums.reduced(sums.decided("all"))),
    "numpy.var":     Known(_SPREAD, sums.variance),
    "numpy.std":     Known(_SPREAD, sums.deviation),
    "numpy.linalg.norm": Known("@x ord? axis? keepdims?", sums.norm),
    "numpy.cumsum":  Known("@a axis?", sums.accumulated("add")),
    "numpy.cumprod": Known("@a axis?", sums.accumulated("mul")),
    **{f"numpy.{u}.accumulate": Known("@array axis?", sums.accumulated(u))
       for u in ("maximum", "minimum")},
    "numpy.diff":    Known("@a n? axis? prepend? append?", sums.differences),
    "numpy.dot":     Known("@a @b", products.dot),
    "numpy.matmul":  Known("@a @b", products.matmul),
    "numpy.inner":   Known("@a @b", products.inner),
    "numpy.vdot":    Known("@a @b", products.vdot),
    "numpy.outer":   Known("@a @b", products.outer),
    "numpy.cross":   Known("@a @b axis?", products.cross),
    "numpy.kron":    Known("@a @b", products.kron),
    "numpy.trace":   Known("@a offset?", diagonals.known_trace),
    "numpy.diagflat": Known("@v k?", diagonals.known_diagflat),
    "numpy.diagonal": Known("@a offset?", diagonals.known_diagonal, _always),
    "numpy.einsum":
        Known("subscripts @a @b? @c? @d? @e?", products.einsum, contractions.is_turned),
    "numpy.linalg.det":      Known("@a", products.determinant),
    "numpy.linalg.inv":      Known("@a", products.inverse),
    "numpy.linalg.solve":    Known("@a @b", products.solved),
    "numpy.linalg.cholesky": Known("@a", products.cholesky),
    "numpy.linalg.matrix_power": Known("@a n", products.power),
    "scipy.linalg.det":      Known("@a", products.determinant),
    "scipy.linalg.inv":      Known("@a", products.inverse),
    "scipy.linalg.solve":    Known("@a @b", products.solved),
    "scipy.linalg.cholesky": Known("@a lower?", triangular.known_factor),
    "scipy.linalg.solve_triangular":
        Known("@a @b trans? lower?", triangular.known_solved_triangle),
    "numpy.copy":         Known("@a", layouts.copied),
    "numpy.transpose":    Known("@a axes?", layouts.transpose, _always),
    "numpy.reshape":      Known("@a shape order?", layouts.reshape, _always),
    "numpy.ravel":        Known("@a order?", layouts.ravel, _always),
    "numpy.squeeze":      Known("@a axis?", layouts.squeeze, _always),
    "numpy.expand_dims":  Known("@a axis", layouts.expanded, _always),
    "numpy.flip":         Known("@m axis?", layouts.flipped, _always),
    "numpy.concatenate":  Known("*arrays axis? dtype?", layouts.concatenated),
    "numpy.stack":        Known("*arrays axis?", layouts.stacked),
    "numpy.hstack":       Known("*tup", layouts.hstacked),
    "numpy.vstack":       Known("*tup", layouts.vstacked),
    "numpy.column_stack": Known("*tup", layouts.columns),
    "numpy.diag":         Known("@v k?", diagonals.known_diag, _is_of_matrix),
    "numpy.tril":         Known("@m k?", layouts.triangle(lambda k: k <= 0)),
    "numpy.triu":         Known("@m k?", layouts.triangle(lambda k: k >= 0)),
    "numpy.roll":         Known("@a shift axis?", layouts.rolled),
    "numpy.tile":         Known("@A reps", layouts.repeated),
    "numpy.broadcast_to": Known("@array shape", layouts.spread, _always),
    "numpy.eye":          Known("N M? k? dtype?", layouts.eye),
    "numpy.identity":     Known("n", layouts.identity),
    "numpy.linspace":     Known("start stop num? endpoint?", layouts.spaced),
}

METHODS: Mapping[str, str] = {
    name: f"numpy.{name}" for name in (
        "all", "any", "copy", "cumprod", "cumsum", "diagonal", "dot", "max", "mean",
        "min", "prod", "ptp", "ravel", "reshape", "squeeze", "std", "sum", "trace",
        "transpose", "var",
    )
}
# fmt: on
_FLATTEN = Known("@a order?", layouts.flatten)
_ALL_JOINED = Known("*arrays axis?", layouts.all_joined)


def are_meant(values: Sequence[Value], keywords: Mapping[str, Value]) -> bool:
    """Whether arguments are arrays, or others that only functions of arrays have, as
    `axis`.
    """
    return any(map(holds_array, values)) or bool(keywords) or len(values) > 1


def called(
    flat: Context,
    name: str,
    values: Sequence[Value],
    keywords: Mapping[str, Value],
    span: Span,
) -> Value | None:
    """The result of a function; None where elements are not known. Raises Unfit."""
    known = _ALL_JOINED if is_joined_flat(name, values, keywords) else RULES[name]
    keywords = {} if known is _ALL_JOINED else keywords
    return _made(flat, known, values, keywords, span)


def is_joined_flat(
    name: str, values: Sequence[Value], keywords: Mapping[str, Value]
) -> bool:
    """Whether it is `np.concatenate(parts, axis=None)`."""
    given = (*values[1:], keywords.get("axis"))
    return name == "numpy.concatenate" and Special.NONE in given


def method(
    flat: Context,
    of: Value,
    name: str,
    values: Sequence[Value],
    keywords: Mapping[str, Value],
    span: Span,
) -> Value | None:
    """The result of a method; None where it is none of these. Raises Unfit."""
    if not is_array(of):
        return None
    known = _FLATTEN if name == "flatten" else RULES.get(METHODS.get(name, ""))
    if known is None:
        return None
    if name in ("reshape", "transpose") and len(values) > 1:
        values = (Group(Container.TUPLE, tuple(values)),)
    return _made(flat, known, (of, *values), keywords, span)


def _made(
    flat: Context,
    known: Known,
    values: Sequence[Value],
    keywords: Mapping[str, Value],
    span: Span,
) -> Value | None:
    if Special.REFUSED in (*values, *keywords.values()):
        return Special.REFUSED
    given: list[Any] = []
    for word, value in bound(known.parameters, values, keywords):
        if value is Special.NONE and word.endswith("?"):
            given += [] if word.startswith("@") else [value]
        elif word.startswith("@"):
            given.append(grid_of(flat, value, span))
        elif word.startswith("*"):
            given.append(_grids(flat, value, span))
        else:
            given.append(value)
    if None in given:
        return None
    made = known.make(flat, span, *given)
    if made is None:
        return None
    if not known.is_view(*given):
        return group_of(flat, made, span)
    of = next((value for value in values if isinstance(value, Array)), None)
    if of is not None:
        return _lent(flat, of, group_of(flat, made, span), span)
    source = next(one for one in given if isinstance(one, Grid))
    return view_of(Grid(made.shape, made.items, source.site))


def _lent(flat: Context, array: Array, made: Value, span: Span) -> Value:
    """A copy in the place of a view that numpy makes: neither may be changed."""
    if isinstance(made, Group):
        made = packing.packed(flat, made.items, Container.ARRAY, span)
    if isinstance(made, Array):
        flat.heap.aliases.lay_out(array.cell, made.cell)
    return made


def bound(
    parameters: str, values: Sequence[Value], keywords: Mapping[str, Value]
) -> list[tuple[str, Value]]:
    """The arguments by the words of a row; raises Unfit."""
    words = parameters.split()
    names = [word.strip("@*?") for word in words]
    if len(values) > len(words):
        raise Unfit(f"takes {len(words)} arguments here, not {len(values)}")
    found = dict(zip(names, values, strict=False))
    for given, value in keywords.items():
        keyword = given if given in names else _ALSO.get(given, given)
        if keyword not in names:
            help_ = _INSTEAD.get(keyword, "leave it out")
            raise Unfit(f"with the keyword {keyword!r} is not supported", help_)
        if keyword in found:
            raise Unfit(f"got several values for {keyword!r}", "give it once")
        found[keyword] = value
    missing = [w for w in words if w.strip("@*?") not in found and w[-1] != "?"]
    if missing:
        raise Unfit(f"misses {missing[0].strip('@*')!r}")
    return [(w, found.get(w.strip("@*?"), Special.NONE)) for w in words]


_ALSO = {"min": "a_min", "max": "a_max"}
"""The names of keywords in later versions of numpy, with the earlier ones."""

_INSTEAD = {
    "initial": "leave it out, and add it behind, or give it to `max` of both",
    "where": "leave it out, and choose before: `np.sum(np.where(test, x, 0.0))`",
    "axis": "write it for one row at a time: `for row in A`",
    "keepdims": "leave it out, and give the axis back behind it: `[:, None]`",
}
"""The way out for a keyword that a function does not have here."""


def items_of(value: Value) -> tuple[Value, ...]:
    """The arrays in a tuple or list; raises Unfit."""
    if not isinstance(value, Group):
        raise Unfit(f"needs a tuple or list of arrays, not {describe(value)}")
    return value.items


def _grids(flat: Context, value: Value, span: Span) -> list[Grid] | None:
    """The arrays in a tuple or list; None where one is not known."""
    found = [grid_of(flat, item, span) for item in items_of(value)]
    known = [grid for grid in found if grid is not None]
    return known if len(known) == len(found) else None
