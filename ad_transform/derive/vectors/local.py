"""Local partials of operations on whole arrays, as linear maps.

Vertices are numbers and arrays of one axis; an array with more is at most a factor.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

from ad_transform.dataclass import dataclass
from ad_transform.derive.accumulation.partials import partial_of, places_of
from ad_transform.derive.vectors.places import PARTS
from ad_transform.derive.vectors.written import Written
from ad_transform.elementals import TABLE
from ad_transform.eliminate.linear import (
    Broadcast,
    Dense,
    Diagonal,
    Gather,
    Identity,
    LinearMap,
    Scaled,
    Scatter,
    Solved,
    Sum,
)
from ad_transform.eliminate.linear.arrays import Arrays
from ad_transform.eliminate.linear.maps import B, Conversion
from ad_transform.ir.dims import Dims
from ad_transform.ir.nodes import Apply, Literal, Operand
from ad_transform.ir.template import instantiate, parse_template

Map = LinearMap[Operand]
Rule = Callable[[Written, Apply], Map]


class Unknown(Exception):
    """A partial is none of the linear maps that are known here."""


@dataclass(frozen=True, slots=True, eq=False)
class Opaque(LinearMap[Operand]):
    """A map of unknown form: it can be drawn, all else raises Unknown."""

    source: Dims = field()
    target: Dims = field()

    def apply(self, x: Operand, arrays: Arrays[Operand]) -> Operand:
        raise Unknown

    def transposed(self, arrays: Arrays[Operand]) -> Map:
        raise Unknown

    def over(self, convert: Conversion[Operand, B]) -> LinearMap[B]:
        raise Unknown


def local(arrays: Written, statement: Apply, k: int) -> Map:
    """The partial of an operation by its argument k; raises Unknown."""
    out, arg = statement.out.type.shape, statement.args[k].type.shape
    lists = any(value.type.dims for value in (statement.out, *statement.args))
    if lists or max(len(out), len(arg)) > 1:
        raise Unknown
    if statement.op.layout is None:
        return _by_elements(arrays, statement, k)
    name = statement.op.name
    if name in PARTS:
        x, *bounds = statement.args
        index = arrays.places.of(statement.out.type, name, tuple(bounds), x)
        return Gather(arg, out, index)
    rule = _RULES.get((name, k))
    if rule is not None:
        return rule(arrays, statement)
    if out:
        raise Unknown
    return Dense(arg, (), _row(arrays, statement, k))


def _by_elements(arrays: Written, statement: Apply, k: int) -> Map:
    """The partial of an operation that numpy does element by element."""
    out, arg = statement.out.type.shape, statement.args[k].type.shape
    partial = partial_of(arrays.builder, statement, k)
    if not partial.type.is_real and partial.type.shape:
        partial = arrays.builder.keep(TABLE["mul"], (Literal(1.0), partial))
    if not arg and out:
        if partial.type.shape:
            return Dense((), out, partial)
        return _scaled(partial, Broadcast(out, (0,)))
    if arg != out:
        raise Unknown  # an array of one element is repeated, or lengths are not known
    if partial.type.shape:
        return Diagonal(out, partial)
    return _scaled(partial, Identity(out))


def _scaled(factor: Operand, core: Map) -> Map:
    is_one = isinstance(factor, Literal) and factor.value == 1
    return core if is_one and core.target else Scaled(factor, core)


def _row(arrays: Written, statement: Apply, k: int) -> Operand:
    """The gradient of a number by an array: the array's adjoint for the adjoint 1."""
    op, args = statement.op, statement.args
    assert op.layout is not None
    for name, template in op.layout.transpose:
        if k in places_of(statement, name) and args[k] in op.bind(args).values():
            env: dict[str, Any] = {**op.bind(args), "v": statement.out}
            env["v_bar"] = Literal(1.0)
            row = instantiate(parse_template(template), env, arrays.builder)
            if row.type.shape == args[k].type.shape:
                return row
    raise Unknown


def _product(arrays: Written, statement: Apply) -> Map:
    matrix, y = statement.args
    return Dense(y.type.shape, statement.out.type.shape, matrix)


def _turned_product(arrays: Written, statement: Apply) -> Map:
    x, matrix = statement.args
    return Dense(x.type.shape, statement.out.type.shape, arrays.turn(matrix, 1))


def _solution(arrays: Written, statement: Apply) -> Map:
    matrix, y = statement.args
    return Solved(_length(y.type.shape), matrix)


def _length(dims: Dims) -> Any:
    (length,) = dims
    return length


def _mean(arrays: Written, statement: Apply) -> Map:
    (x,) = statement.args
    count = arrays.builder.apply("count", x)
    share = arrays.builder.apply("div", Literal(1.0), count)
    return Scaled(share, Sum(x.type.shape, (0,)))


def _joined(arrays: Written, statement: Apply, form: str, k: int) -> Map:
    x, out = statement.args[k], statement.out
    length = arrays.builder.apply("length", statement.args[0])
    index = arrays.places.of(x.type, form, (length,), out)
    return Scatter(x.type.shape, out.type.shape, index)


# fmt: off
_RULES: dict[tuple[str, int], Rule] = {  # an operation and its argument
    ("mat_vec", 1):    _product,
    ("vec_mat", 0):    _turned_product,
    ("solved_for", 1): _solution,
    ("sum_all", 0):    lambda _, s: Sum(s.args[0].type.shape, (0,)),
    ("average", 0):    _mean,
    ("joined", 0):     lambda a, s: _joined(a, s, "cut_to", 0),
    ("joined", 1):     lambda a, s: _joined(a, s, "cut_from", 1),
    ("filled", 0):     lambda _, s: Broadcast(s.out.type.shape, (0,)),
    ("copied", 0):     lambda _, s: Identity(s.out.type.shape),
}
# fmt: on
