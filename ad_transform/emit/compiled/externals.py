"""Functions that are not looked into, as they are called: with lists for whole arrays.

Such a function takes arrays, and each length once. The file calls it with lists, and
behind all values with every length of every array.
"""

from __future__ import annotations

from ad_transform.dataclass import dataclass, replace
from ad_transform.emit.compiled.interface import ARRAY, Interface, dims_of
from ad_transform.emit.wholes.flattening import LENGTH
from ad_transform.ir.dims import ANY
from ad_transform.ir.nodes import (
    Block,
    Function,
    Operand,
    Parameter,
    Var,
)
from ad_transform.ir.types import INT, Type


@dataclass(frozen=True, slots=True)
class Called:
    """A function as the file calls it, and its lengths by their names in dims; other
    parameters repeat lengths.
    """

    function: Function
    lengths: dict[str, Var]


def with_arrays(function: Function) -> tuple[Function, tuple[str, ...]]:
    """The function with parameters that are arrays of run-time length, and the names of
    the parts of its result.
    """
    parameters = tuple(
        replace(p, nest=ARRAY) if p.nest.is_leaf and _is_array(p.vars[0]) else p
        for p in function.parameters
    )
    results = function.results
    made = replace(function, parameters=parameters)
    if not any(map(_is_array, results)):
        return made, ()
    if len(results) == 1:
        return made, ("result",)
    return made, tuple(f"result_{k}" for k in range(1, len(results) + 1))


def called(function: Function, given: Interface) -> Called:
    """The function as the file calls it; lengths have the names that `given` has."""
    lengths: dict[str, Var] = {}
    more: list[Parameter] = []
    for var in (v for p in function.parameters for v in p.vars):
        for dim in var.type.shape:
            name = str(dim)
            own = Var(INT, given.lengths.get(name, ""))
            more.append(Parameter(own.hint or "length", (own,), annotation=LENGTH))
            if name in given.lengths:
                lengths.setdefault(name, own)
    env = {v: _as_list(v) for v in (*function.block.params, *function.results)}
    parameters = tuple(
        replace(p, vars=tuple(env[v] for v in p.vars)) for p in function.parameters
    )
    results = [env[r] for r in function.results]
    for result in function.results:
        if len(result.type.shape) > 1:
            results += (Var(INT) for _ in result.type.shape)
    params = (v for p in (*parameters, *more) for v in p.vars)
    block = Block(tuple(params), (), tuple(results))
    made = replace(function, parameters=(*parameters, *more), block=block)
    return Called(made, lengths)


def _is_array(value: Operand) -> bool:
    return bool(dims_of(value))


def _as_list(value: Operand) -> Var:
    """A list in the place of an array."""
    assert isinstance(value, Var)
    return Var(Type(value.type.kind, (ANY,)), value.hint) if _is_array(value) else value
