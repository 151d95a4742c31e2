"""The type of an elemental's result."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Literal, Operand
from ad_transform.ir.types import BOOL, FLOAT, INT, Kind, Type

_WHOLE = frozenset({Kind.INT, Kind.BOOL})


def _promote(op: Elemental, args: Sequence[Operand]) -> Type:
    for a in args:
        if a.type.kind not in _WHOLE:
            return FLOAT
    exponent = args[-1]
    if op.name == "pow" and isinstance(exponent, Literal) and float(exponent.value) < 0:
        return FLOAT
    return INT


def _element(_: Elemental, args: Sequence[Operand]) -> Type:
    array = args[0].type
    return Type(array.kind, array.dims[len(args) - 1 :])


def _pack(_: Elemental, args: Sequence[Operand]) -> Type:
    inner = args[0].type
    return Type(inner.kind, (len(args), *inner.dims))


_RULES: dict[str, Callable[[Elemental, Sequence[Operand]], Type]] = {
    "float": lambda op, args: FLOAT,
    "int": lambda op, args: INT,
    "bool": lambda op, args: BOOL,
    "same": lambda op, args: args[0].type,
    "promote": _promote,
    "element": _element,
    "pack": _pack,
}


def result_type(op: Elemental, args: Sequence[Operand]) -> Type:
    """The type of `op(*args)`: FLOAT wherever a float may come out."""
    return _RULES[op.result](op, args)
