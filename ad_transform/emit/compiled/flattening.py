"""Derived functions as compiled languages take them: lists for whole arrays.

Every length that the parameters tell becomes a parameter of its own, behind the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ad_transform.dataclass import replace
from ad_transform.derive.trips.trips import with_steps
from ad_transform.diagnostics import Diagnostic
from ad_transform.emit.compiled.interface import ARRAY, dims_of
from ad_transform.emit.compiled.large import with_floats
from ad_transform.emit.compiled.optional import told_apart
from ad_transform.emit.compiled.unsaid import unsaid
from ad_transform.emit.wholes.flattening import (
    Length,
    flat,
    has_wholes,
    packs,
    told_inside,
)
from ad_transform.emit.wholes.operations import Operations
from ad_transform.emit.wholes.statements import Statements
from ad_transform.emit.wholes.trips import all_held, without_steps
from ad_transform.ir import dims
from ad_transform.ir.nodes import LEAF, Container, Function, Nest, Var, group

if TYPE_CHECKING:
    from ad_transform.derive.kinds.kinds import Derived


def flattened(derived: Derived, language: str) -> tuple[Derived, list[Diagnostic]]:
    """The functions of a derivative with lists for whole arrays, parameters that may be
    None in twos, and the operations that have no rule (AD033).
    """
    setup = derived.setup.partition("(")[0]
    public = (derived.function.name, setup)
    *before, main = (
        told_apart(_with_arrays(f)) if f.name in public else f
        for f in map(with_floats, map(unsaid, derived.bundle.functions))
    )
    derived = replace(derived, function=main, before=tuple(before))
    functions = derived.bundle.functions
    if not any(has_wholes(f) or packs(f) for f in functions):
        return derived, []
    wrong: dict[str, Diagnostic] = {}
    found: list[Function] = []
    for function in without_steps(functions):
        is_public = function.name in public
        told = _told if is_public else told_inside
        made = Statements(Operations(language, wrong))
        own = function if function.outside else flat(function, made, told)
        found += with_steps(own).functions
    assert all_held(found)
    *before, main = found
    return replace(derived, function=main, before=tuple(before)), [*wrong.values()]


def _with_arrays(function: Function) -> Function:
    """The function with arrays of a setup as such: there they are leaves."""
    parameters = tuple(
        replace(p, nest=_nest(p.nest, p.vars)) for p in function.parameters
    )
    return replace(function, parameters=parameters)


def _nest(nest: Nest, values: Sequence[Var]) -> Nest:
    """A leaf, or a tuple of leaves, with arrays as such."""
    if nest.is_leaf:
        return ARRAY if values and dims_of(values[0]) else nest
    leaves = all(item.is_leaf for item in nest.items)
    if nest.container is not Container.TUPLE or not leaves:
        return nest
    return group(tuple(_nest(LEAF, (value,)) for value in values))


def _told(function: Function) -> Iterator[Length]:
    """The lengths that parameters tell, each once."""
    seen: set[str] = set()
    for k, (part, var) in enumerate(_parts(function)):
        for axis, dim in enumerate(dims_of(var)):
            own = (f"{part}.{axis}",)
            for name in own if dim == dims.ANY else dims.names(dim):
                if name not in seen:
                    seen.add(name)
                    yield Length(name, name.replace(".", "_n"), k, axis)


def _parts(function: Function) -> Iterator[tuple[str, Var]]:
    """The names of parameters, and of their parts by place."""
    for p in function.parameters:
        for place, var in enumerate(p.vars, 1):
            yield p.name if len(p.vars) == 1 else f"{p.name}_{place}", var
