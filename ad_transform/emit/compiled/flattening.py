"""Derived functions as compiled languages take them: lists for whole arrays.

Every length that the parameters tell becomes a parameter of its own, behind the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ad_transform.derive.trips import with_steps
from ad_transform.diagnostics import Diagnostic
from ad_transform.emit.compiled.interface import dims_of
from ad_transform.emit.compiled.optional import told_apart
from ad_transform.emit.compiled.trips import held_in, without_steps
from ad_transform.emit.compiled.unsaid import unsaid
from ad_transform.emit.wholes.flattening import (
    Length,
    flat,
    has_wholes,
    told_inside,
    values_of,
)
from ad_transform.emit.wholes.operations import Operations
from ad_transform.emit.wholes.statements import Statements
from ad_transform.ir import dims
from ad_transform.ir.nodes import Function

if TYPE_CHECKING:
    from ad_transform.derive.kinds import Derived


def flattened(derived: Derived, language: str) -> tuple[Derived, list[Diagnostic]]:
    """The functions of a derivative with lists for whole arrays, parameters that may be
    None in twos, and the operations that have no rule (AD033).
    """
    setup = derived.setup.partition("(")[0]
    public = (derived.function.name, setup)
    *before, main = (
        told_apart(f) if f.name in public else f
        for f in map(unsaid, derived.bundle.functions)
    )
    derived = replace(derived, function=main, before=tuple(before))
    functions = derived.bundle.functions
    if not any(map(has_wholes, functions)):
        return derived, []
    wrong: dict[str, Diagnostic] = {}
    found: list[Function] = []
    for function in without_steps(functions):
        is_public = function.name in public
        told = _told if is_public else told_inside
        made = Statements(Operations(language, wrong))
        own = function if function.outside else flat(function, made, told)
        found += with_steps(own).functions
    assert held_in(found) == held_in(functions)
    *before, main = found
    return replace(derived, function=main, before=tuple(before)), [*wrong.values()]


def _told(function: Function) -> Iterator[Length]:
    """The lengths that parameters tell, each once."""
    seen: set[str] = set()
    for k, (parameter, var) in enumerate(values_of(function)):
        for axis, dim in enumerate(dims_of(var)):
            own = (f"{parameter.name}.{axis}",)
            for name in own if dim == dims.ANY else dims.names(dim):
                if name not in seen:
                    seen.add(name)
                    yield Length(name, name.replace(".", "_n"), k)
