"""Elementals on arrays. Set, add_at, append and pop consume the array they change."""

from __future__ import annotations

from typing import Any

from ad_transform.elementals.rows import row
from ad_transform.ir.elemental import EXACT, Elemental


def _get(array: list[Any], *index: int) -> Any:
    value: Any = array
    for i in index:
        value = value[i]
    return value


def _set(array: list[Any], value: Any, *index: int) -> list[Any]:
    _get(array, *index[:-1])[index[-1]] = value
    return array


def _add_at(array: list[Any], value: Any, *index: int) -> list[Any]:
    _get(array, *index[:-1])[index[-1]] += value
    return array


def _append(array: list[Any], value: Any) -> list[Any]:
    array.append(value)
    return array


def _copy(array: list[Any]) -> list[Any]:
    return [_copy(v) if isinstance(v, list) else v for v in array]


# fmt: off
ROWS: tuple[Elemental, ...] = (
    row("get",    "array *index", ("",), _get, spelling="array[index]", classes=(),
        result="element", ulps=EXACT, points=()),
    row("set",    "array value *index", ("",), _set, spelling="", classes=(),
        result="same", ulps=EXACT, linear=True, consumes=True, points=()),
    row("add_at", "array value *index", ("",), _add_at, spelling="", classes=("add",),
        result="same", linear=True, consumes=True, points=()),
    row("append", "array value", ("",), _append, spelling="",
        result="same", ulps=EXACT, linear=True, consumes=True, points=()),
    row("pack",   "*x", ("",), lambda *x: list(x), spelling="[x]", classes=(),
        result="pack", ulps=EXACT, linear=True, consumes=True, points=()),
    row("copy",   "array", ("",), _copy, spelling="array.copy()",
        result="same", ulps=EXACT, linear=True, points=()),
)
# fmt: on
