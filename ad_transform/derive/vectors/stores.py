"""Partials of values that are stored in parts of arrays, for matrices given by entries.

As full matrices these have many zeros: there sweeps are cheaper for long arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ad_transform.derive.vectors.drawn import composable
from ad_transform.derive.vectors.local import Map, Unknown
from ad_transform.derive.vectors.places import PARTS, Place
from ad_transform.derive.vectors.written import Written
from ad_transform.elementals.indexed import OVERLAPPING
from ad_transform.eliminate.linear import Broadcast, Diagonal, Scatter
from ad_transform.ir.nodes import Apply, Literal, Operand, Statement, Var


def put_too(
    arrays: Written, statement: Statement, places: Sequence[int]
) -> Iterator[tuple[Var, Operand, Map]]:
    """The partials that can be composed, and those of values that are put into parts;
    raises Unknown for others.
    """
    if not isinstance(statement, Apply) or len(statement.out.type.shape) != 1:
        yield from composable(arrays, statement, places)
        return
    way, _, form = statement.op.name.partition("_")
    for k in places:
        rule = _RULES.get((way, k)) if form in _PARTS else None
        if rule is None:
            yield from composable(arrays, statement, (k,))
        else:
            yield statement.out, statement.args[k], rule(arrays, statement, form)


_PARTS = PARTS - {"backwards", "rolled"} | {""}
"""Parts that something is put into, the whole among them."""


def _spread(arrays: Written, statement: Apply, form: str) -> Map:
    """The partial of a number that is put in every place."""
    if statement.args[0].type.shape:
        raise Unknown
    return Broadcast(statement.out.type.shape, (0,))


def _placed(arrays: Written, statement: Apply, form: str) -> Map:
    """The partial of an array that is put into zeros."""
    x, like, *bounds = statement.args
    return _into(arrays, statement, x, Place(form, tuple(bounds), like))


def _stored(arrays: Written, statement: Apply, form: str) -> Map:
    """The partial by the value that is stored into a part; raises Unknown if a place of
    the part may stand twice.
    """
    if form in OVERLAPPING:
        raise Unknown
    like, x, *bounds = statement.args
    return _into(arrays, statement, x, Place(form, tuple(bounds), like))


def _into(arrays: Written, statement: Apply, x: Operand, place: Place) -> Map:
    out = statement.out.type
    part = arrays.builder.apply(place.form, place.like, *place.bounds).type
    if part.shape != x.type.shape:
        raise Unknown  # it is repeated
    index = arrays.places.of(part, place.form, place.bounds, place.like)
    return Scatter(part.shape, out.shape, index)


def _kept(arrays: Written, statement: Apply, form: str) -> Map:
    """The partial by the array that is stored into: 0 where the new value stands."""
    array, _, *bounds = statement.args
    ones = arrays.builder.apply("spread", Literal(1.0), array)
    part = arrays.builder.apply(form, ones, *bounds)
    zeros: Operand = Literal(0.0)
    if part.type.shape:
        zeros = arrays.builder.apply("spread", zeros, part)
    factors = arrays.builder.apply(statement.op.name, ones, zeros, *bounds)
    arrays.places.masks[factors] = Place(form, tuple(bounds), array)
    return Diagonal(statement.out.type.shape, factors)


def _joined(arrays: Written, statement: Apply, form: str) -> Map:
    """The partial by an array in front of another: a part with a known end, if any."""
    return _of_joined(arrays, statement, 0)


def _joined_behind(arrays: Written, statement: Apply, form: str) -> Map:
    return _of_joined(arrays, statement, 1)


def _of_joined(arrays: Written, statement: Apply, k: int) -> Map:
    before, behind = (arg.type.shape[0] for arg in statement.args)
    name = ("cut_to", "cut_from")[k]
    x, out = statement.args[k], statement.out
    if isinstance(before, int):
        bound: Operand = Literal(before)
    elif isinstance(behind, int) and behind:
        bound = Literal(-behind)
    else:
        bound = arrays.builder.apply("length", statement.args[0])
    index = arrays.places.of(x.type, name, (bound,), out)
    return Scatter(x.type.shape, out.type.shape, index)


def _of_numbers(arrays: Written, statement: Apply, form: str) -> Map:
    """The partial of an array of one number."""
    if len(statement.args) > 1:
        raise Unknown
    return Broadcast(statement.out.type.shape, (0,))


# fmt: off
_RULES = {  # how a part is written, and which argument is asked for
    ("spread", 0): _spread,
    ("placed", 0): _placed,
    ("stored", 0): _kept,
    ("stored", 1): _stored,
    ("joined", 0): _joined,
    ("joined", 1): _joined_behind,
    ("vector", 0): _of_numbers,
}
# fmt: on
