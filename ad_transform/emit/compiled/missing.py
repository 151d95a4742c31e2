"""Features of targets that compiled languages do without."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ad_transform.emit.target import Printed
from ad_transform.ir.nodes import Function, Var

if TYPE_CHECKING:
    from ad_transform.derive.constants.module_arrays import ModuleArray
    from ad_transform.derive.kinds.kinds import Derived
    from ad_transform.options import Options


def print_constant(function: Function, reserved: frozenset[str], limit: int) -> Printed:
    """Nothing: numbers stand in the place of constants, and others are refused."""
    return Printed("", (), (), ())


def print_array(
    array: ModuleArray,
    reserved: frozenset[str],
    formulas: Mapping[str, str],
    limit: int,
) -> str:
    """Nothing: their functions write all numbers where they are read."""
    return ""


def computed_lines(
    derived: Derived,
    reserved: frozenset[str],
    options: Options,
    formulas: Mapping[str, str],
) -> list[tuple[Var, ...]]:
    """No values: pictures and reports show the lines of Python."""
    return []
