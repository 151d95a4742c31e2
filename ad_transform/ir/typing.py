"""The type of an elemental's result."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.ir.dims import Dim, plus
from ad_transform.ir.elemental import Elemental, Form
from ad_transform.ir.nodes import Literal, Operand
from ad_transform.ir.types import BOOL, FLOAT, INT, Kind, Type

_WHOLE = frozenset({Kind.INT, Kind.BOOL})


def _promote(op: Elemental, args: Sequence[Operand]) -> Type:
    for a in args:
        if a.type.kind not in _WHOLE:
            return _shaped(FLOAT, args)
    exponent = args[-1]
    power = op.form is Form.POWER
    if power and isinstance(exponent, Literal) and float(exponent.value) < 0:
        return FLOAT
    return _shaped(INT, args)


def _shaped(scalar: Type, args: Sequence[Operand]) -> Type:
    """The type of an operation element by element; numbers go with every element.

    Raises ValueError for arrays of different dims.
    """
    dims: tuple[Dim, ...] = ()
    for arg in args:
        if arg.type.dims:
            if dims and arg.type.dims != dims:
                raise ValueError(f"arrays of {dims} and {arg.type.dims} elements")
            dims = arg.type.dims
    return Type(scalar.kind, dims) if dims else scalar


def _element(_: Elemental, args: Sequence[Operand]) -> Type:
    array = args[0].type
    return Type(array.kind, array.dims[len(args) - 1 :])


def _pack(_: Elemental, args: Sequence[Operand]) -> Type:
    inner = args[0].type
    return Type(inner.kind, (len(args), *inner.dims))


def _longer(by: int) -> Callable[[Elemental, Sequence[Operand]], Type]:
    def rule(_: Elemental, args: Sequence[Operand]) -> Type:
        array = args[0].type
        first, *rest = array.dims
        return Type(array.kind, (plus(first, by), *rest))

    return rule


_RULES: dict[str, Callable[[Elemental, Sequence[Operand]], Type]] = {
    "float": lambda op, args: _shaped(FLOAT, args),
    "int": lambda op, args: _shaped(INT, args),
    "bool": lambda op, args: _shaped(BOOL, args),
    "length": lambda op, args: INT,
    "total": lambda op, args: Type(args[0].type.kind),
    "same": lambda op, args: args[0].type,
    "other": lambda op, args: args[1].type,
    "promote": _promote,
    "element": _element,
    "pack": _pack,
    "grown": _longer(1),
    "shrunk": _longer(-1),
}

DECLARED = "declared"
"""The result of elementals whose statement says what type it has."""


def result_type(op: Elemental, args: Sequence[Operand]) -> Type:
    """The type of `op(*args)`: FLOAT wherever a float may come out.

    Of arrays it has the dims. Raises KeyError where the statement declares the type,
    ValueError where arrays do not go together.
    """
    return _RULES[op.result](op, args)
