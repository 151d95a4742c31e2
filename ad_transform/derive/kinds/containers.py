"""Derived functions without numpy: tuples for arrays, any sequences as parameters.

The option `container="tuple"` (contract, rule 10): the file then imports no numpy.
"""

from __future__ import annotations

from ad_transform.dataclass import replace
from ad_transform.ir.nodes import Container, Function, Nest


def without_arrays(function: Function) -> Function:
    """The function with tuples for the arrays that it returns, and any sequence for an
    array that it takes. Linear.
    """
    parameters = tuple(
        replace(p, nest=_with(p.nest, Container.LIST)) for p in function.parameters
    )
    nest = _with(function.nest, Container.TUPLE)
    return replace(function, parameters=parameters, nest=nest)


def _with(nest: Nest, container: Container) -> Nest:
    if nest.is_leaf:
        return nest
    items = tuple(_with(item, container) for item in nest.items)
    is_array = nest.container is Container.ARRAY
    kind = container if is_array else nest.container
    return replace(nest, container=kind, items=items)
