"""Functions of the library on arrays: of known elements, whole, or of three axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.diagnostics import Span
from ad_transform.elementals import recognise
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Literal
from ad_transform.later import later
from ad_transform.read.array_functions.of_arrays import RULES as OF_ARRAYS
from ad_transform.read.arrays.blocks import AXES
from ad_transform.read.known import elementwise
from ad_transform.read.layers import of_layers
from ad_transform.read.library import elemental_calls
from ad_transform.read.library.numbers import bounded
from ad_transform.read.library.rules import RULES, placed
from ad_transform.read.machine.arguments import Unfit, arguments
from ad_transform.read.machine.context import Context
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Value, is_whole

with later():
    from ad_transform.read.known import of_known
    from ad_transform.read.known.grids import is_array
    from ad_transform.read.layers import layered
    from ad_transform.read.objects.making import Keywords
    from ad_transform.read.wholes import (
        of_whole,
        scattering,
        wholes,
    )

_BY_ITEMS = frozenset(OF_ARRAYS)
"""Functions of lists as well as of whole arrays."""

WITH_AXIS = frozenset(f"numpy.{n}" for n in ("sum", "mean", "prod", "any", "all"))
"""Functions of lists where an array is their only argument, without an axis."""

_PRODUCTS = frozenset({"numpy.dot", "numpy.inner", "numpy.vdot"})
_OF_MATRICES = _PRODUCTS | {"numpy.prod", "numpy.linalg.norm"}
"""Functions of lists, but of matrices as numpy computes them."""


EXTREMES = frozenset(f"numpy.{name}" for name in ("max", "min", "amax", "amin"))
"""Functions of tuples whose items are known, and of whole arrays: of lists as these."""

_EINSUM = "numpy.einsum"


def called(
    flat: Context,
    name: str,
    values: Sequence[Value],
    keywords: Keywords,
    span: Span,
    each: Callable[[Sequence[Value]], Value],
) -> Value | None:
    """The result of a function of the library for arrays; None for anything else.

    A function of numbers is called with `each` for the elements.
    """
    if name == _EINSUM:  # the order of its products is chosen here
        keywords = {k: v for k, v in keywords.items() if k != "optimize"}
    if name in scattering.RULES and not keywords:
        return scattering.called(flat, name, values, span)
    is_test = name == "numpy.where" and len(values) == 1 and any(map(is_array, values))
    if is_test and not keywords:
        return of_whole.called(flat, name, values, keywords, span)
    is_alone = name not in RULES
    made: Value | None = None
    if name in of_known.RULES and (is_alone or of_known.are_meant(values, keywords)):
        made = of_known.called(flat, name, values, keywords, span)
        is_other = name not in _BY_ITEMS or is_for_numpy(name, values)
        whole = any(map(is_whole, values)) or keywords or is_other
        if made is None and name in of_whole.RULES and whole:
            return of_whole.called(flat, name, values, keywords, span)
        return made
    if of_layers.are_meant(name, values) and not keywords:
        return of_layers.called(flat, name, values, keywords, span)
    is_whole_only = is_alone and recognise(name) is None
    is_other = name not in _BY_ITEMS and not is_alone and wholes.are_meant(values)
    is_other = is_other or (name in EXTREMES and isinstance(values[0], Array))
    any_whole = any(map(is_whole, values))
    if name == _POLYVAL:
        values = [value for _, value in of_known.bound("p x", values, keywords)]
        keywords = {}
        made = _polynomial(flat, values, span)
        if made is not None:
            return made
    if name in of_whole.RULES and (is_whole_only or is_other or any_whole):
        return of_whole.called(flat, name, values, keywords, span)
    if not keywords and elementwise.is_each(name) and any(map(is_array, values)):
        made = elementwise.mapped(flat, each, values, span)
        if made is None:
            return _each_of_whole(flat, name, values, span)
    return made


def _polynomial(flat: Context, values: Sequence[Value], span: Span) -> Value | None:
    """`np.polyval` where either is an array; None where all elements are known."""
    coefficients, x = (isinstance(v, Array) or is_whole(v) for v in values)
    if coefficients:
        return OF_ARRAYS[_POLYVAL](flat, values, span)
    if x and isinstance(values[0], Group):
        return of_whole.called(flat, _POLYVAL, values, {}, span)
    return None


_POLYVAL = "numpy.polyval"


def _each_of_whole(
    flat: Context, name: str, values: Sequence[Value], span: Span
) -> Value:
    """A function of whole arrays, element by element."""
    row = recognise(name)
    if name in of_whole.RULES:
        return of_whole.called(flat, name, values, {}, span)
    if isinstance(row, Elemental):
        if len(values) != len(row.parameters) and not row.variadic:
            raise Unfit(f"takes {arguments(len(row.parameters))}, not {len(values)}")
        return layered.operated(flat, *bounded(row, values), span)
    if row is None and elementwise.is_each(name) and name in RULES:
        return RULES[name](flat, placed(name, values, {}), span)
    if row is None:
        raise Unfit("of arrays is not supported yet", "write a loop over its elements")
    composite = row
    if len(values) != len(composite.parameters):
        wanted = arguments(len(composite.parameters))
        raise Unfit(f"takes {wanted}, not {len(values)}")

    def each(numbers: Sequence[Number]) -> Value:
        return elemental_calls.composed(flat, composite, numbers, span)

    if any(layered.rank_of(value) >= AXES for value in values):
        return layered.mapped(flat, each, values, span)
    given = [wholes.whole_of(flat, value, span) for value in values]
    wholes.require_broadcast(flat, given, span)
    return each(given)


def is_for_numpy(name: str, values: Sequence[Value]) -> bool:
    """Whether a function is one of whole arrays, though it is one of lists as well."""
    if of_whole.is_of_layers(name, values):
        return True
    if name in WITH_AXIS and len(values) > 1:
        return True
    if name not in _OF_MATRICES:
        return False
    if name in _PRODUCTS and any(
        isinstance(v, Group | Draft | Literal) for v in values
    ):
        return True
    is_matrix = any(isinstance(v, Array) and len(v.axes) > 1 for v in values)
    return is_matrix or (name == "numpy.linalg.norm" and len(values) > 1)
