"""Elementals on arrays: in generated code lists of floats, or lists of such lists.

`set`, `add_at`, `sub_at`, `append` and `pop` consume the array that they change, so
that element writes take no time to speak of in both directions: on the way back `get`
becomes `add_at`, `set` takes and clears, `append` becomes `pop`. An old version of an
array lives on only through an explicit `copy`.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from ad_transform.elementals.helpers import called, run
from ad_transform.elementals.rows import row
from ad_transform.ir.elemental import EXACT, Elemental, Layout


def _get(array: list[Any], *index: int) -> Any:
    value: Any = array
    for i in index:
        value = value[i]
    return value


def _set(array: list[Any], value: Any, *index: int) -> list[Any]:
    _get(array, *index[:-1])[index[-1]] = value
    return array


def _exchange(array: list[Any], first: int, second: int) -> list[Any]:
    array[first], array[second] = array[second], array[first]
    return array


def _add_at(array: list[Any], value: Any, *index: int) -> list[Any]:
    _get(array, *index[:-1])[index[-1]] += value
    return array


def _sub_at(array: list[Any], value: Any, *index: int) -> list[Any]:
    _get(array, *index[:-1])[index[-1]] -= value
    return array


def _append(array: list[Any], value: Any) -> list[Any]:
    array.append(value)
    return array


def _pop(array: list[Any]) -> list[Any]:
    array.pop()
    return array


def _place(array: list[Any], value: Any) -> int:
    return array.index(value) if value in array else -1


def _place_beside(array: list[Any], other: list[Any], value: Any, second: Any) -> int:
    return _place([*zip(array, other, strict=True)], (value, second))


def _place_among(
    array: list[Any], other: list[Any], third: list[Any], *wanted: Any
) -> int:
    return _place([*zip(array, other, third, strict=True)], wanted)


def _helper(name: str) -> dict[str, Any]:
    """The entries of a row that is computed by a printed helper."""
    return {"compute": partial(called, name), "classes": ("call",)}


def _array(
    name: str,
    parameters: str,
    compute: Any,
    layout: Layout,
    *,
    spelling: str,
    result: str = "same",
    **flags: Any,
) -> Elemental:
    return row(
        name,
        parameters,
        ("0",) * len(parameters.split()),
        compute,
        spelling=spelling,
        result=result,
        layout=layout,
        points=(),
        **{"ulps": EXACT, "classes": (), **flags},
    )


_BOTH = ("array", "value")

# fmt: off
ROWS: tuple[Elemental, ...] = (
    _array("get", "array *index", _get, Layout(1, 0, ("array",), (
        ("array", "add_at(bar, v_bar, *index)"),)),
        spelling="array[index]", result="element"),
    _array("set", "array value *index", _set, Layout(2, 0, _BOTH, (
        ("value", "get(v_bar, *index)"), ("array", "set(v_bar, 0.0, *index)"))),
        spelling="array[index] = value", linear=True, consumes=True),
    _array("add_at", "array value *index", _add_at, Layout(2, 0, _BOTH, (
        ("value", "get(v_bar, *index)"), ("array", "v_bar"))),
        spelling="array[index] += value", linear=True, consumes=True, ulps=0.5,
        classes=("add",)),
    _array("sub_at", "array value *index", _sub_at, Layout(2, 0, _BOTH, (
        ("value", "-get(v_bar, *index)"), ("array", "v_bar"))),
        spelling="array[index] -= value", linear=True, consumes=True, ulps=0.5,
        classes=("add",)),
    _array("exchange", "array first second", _exchange, Layout(3, 0, ("array",), (
        ("array", "exchange(v_bar, first, second)"),)),
        spelling="array[first], array[second] = array[second], array[first]",
        linear=True, consumes=True),
    _array("append", "array value", _append, Layout(2, 1, _BOTH, (
        ("value", "get(v_bar, -1)"), ("array", "pop(v_bar)"))),
        spelling="array.append(value)", result="grown", linear=True, consumes=True),
    _array("pop", "array", _pop, Layout(1, 1, ("array",), (
        ("array", "append(v_bar, 0.0)"),)),
        spelling="array.pop()", result="shrunk", linear=True, consumes=True),
    _array("pack", "*x", lambda *x: list(x), Layout(0, 0, ("x",), (
        ("x", "get(v_bar, k)"),)),
        spelling="[x]", result="pack", linear=True, consumes=True),
    _array("full", "value size", lambda x, n: [x] * n, Layout(2, 0, ("value",), (
        ("value", "sum_of(v_bar)"),)),
        spelling="[value] * size", result="declared", linear=True),
    _array("like", "array value", lambda a, x: [x] * len(a), Layout(2, 1, ("value",), (
        ("value", "sum_of(v_bar)"),)),
        spelling="[value] * len(array)", linear=True),
    _array("copy", "array", lambda a: a.copy(), Layout(1, 1, ("array",), (
        ("array", "added(bar, v_bar)"),)),
        spelling="array.copy()", linear=True),
    _array("added", "array other", layout=Layout(2, 1, ("array", "other"), (
        ("array", "added(bar, v_bar)"), ("other", "added(bar, v_bar)"))),
        spelling="_added(array, other)", linear=True, ulps=0.5, **_helper("_added")),
    _array("sum_of", "array", lambda a: sum(a, 0.0), Layout(1, 1, ("array",), (
        ("array", "added(bar, like(bar, v_bar))"),)),
        spelling="sum(array, 0.0)", result="total", ulps=float("inf"),
        classes=("call",)),
    # for estimates of the error of a sum over an array
    _array("sum_gap", "array total", lambda a, v: run("_sum_error", v, a),
        Layout(2, 1), spelling="_sum_error(total, array)", result="total",
        classes=("call",)),
    _array("largest_in", "array", lambda a: max(map(abs, a), default=0.0),
        Layout(1, 1), spelling="max(map(abs, array), default=0.0)", result="total",
        classes=("call",) * 2),
    _array("total_of", "array", lambda a: run("_total", a), Layout(1, 1, ("array",), (
        ("array", "added(bar, like(bar, v_bar))"),)),
        spelling="_total(array)", result="total", classes=("call",)),
    _array("fsum_of", "array", math.fsum, Layout(1, 1, ("array",), (
        ("array", "added(bar, like(bar, v_bar))"),)),
        spelling="math.fsum(array)", result="total", ulps=0.5, classes=("call",)),
    _array("hypot_in", "array", lambda a: math.hypot(*a), Layout(1, 1),
        spelling="math.hypot(*array)", result="total", ulps=1.0, classes=("call",)),
    _array("max_in", "array", max, Layout(1, 1), spelling="max(array)",
        result="total", ulps=float("inf"), classes=("call",)),
    _array("min_in", "array", min, Layout(1, 1), spelling="min(array)",
        result="total", ulps=float("inf"), classes=("call",)),
    _array("size", "array *index", lambda a, *i: len(_get(a, *i)), Layout(1, 0),
        spelling="len(array[index])", result="length"),
    _array("place", "array value", _place, Layout(2, 1),
        spelling="array.index(value) if value in array else -1", result="place",
        classes=("select",) * 2),
    _array("place_beside", "array other value second", _place_beside, Layout(4, 1),
        spelling="list(zip(array, other)).index((value, second)) "
        "if (value, second) in zip(array, other) else -1",
        result="place", classes=("call",) * 4 + ("select",) * 2),
    _array("absent", "array value", lambda a, x: x not in a, Layout(2, 1),
        spelling="value not in array", result="truth", classes=("select",)),
    _array("absent_beside", "array other value second",
        lambda a, b, x, y: _place_beside(a, b, x, y) < 0, Layout(4, 1),
        spelling="(value, second) not in zip(array, other)", result="truth",
        classes=("call", "select")),
    _array("place_among", "array other third value second last", _place_among,
        Layout(6, 1),
        spelling="list(zip(array, other, third)).index((value, second, last)) "
        "if (value, second, last) in zip(array, other, third) else -1",
        result="place", classes=("call",) * 4 + ("select",) * 2),
    _array("absent_among", "array other third value second last",
        lambda *wanted: _place_among(*wanted) < 0, Layout(6, 1),
        spelling="(value, second, last) not in zip(array, other, third)",
        result="truth", classes=("call", "select")),
    _array("grid", "value rows columns", layout=Layout(3, 0, ("value",), (
        ("value", "sum_of_rows(v_bar)"),)),
        spelling="_grid(value, rows, columns)", result="declared", linear=True,
        **_helper("_grid")),
    _array("solution", "array other", layout=Layout(2, 1),
        spelling="_solution(array, other)", result="other", ulps=float("inf"),
        **_helper("_solution")),
    _array("listed_inverse", "array size", layout=Layout(2, 1),
        spelling="_inverse(array, size)", ulps=float("inf"),
        **_helper("_inverse")),
    _array("rows_like", "array value", layout=Layout(2, 2, ("value",), (
        ("value", "sum_of_rows(v_bar)"),)),
        spelling="_rows_like(array, value)", linear=True, **_helper("_rows_like")),
    _array("copy_rows", "array", layout=Layout(1, 2, ("array",), (
        ("array", "added_rows(bar, v_bar)"),)),
        spelling="_copied_rows(array)", linear=True, **_helper("_copied_rows")),
    _array("sum_of_rows", "array", layout=Layout(1, 2, ("array",), (
        ("array", "added_rows(bar, rows_like(bar, v_bar))"),)),
        spelling="_sum_of_rows(array)", result="total", ulps=float("inf"),
        **_helper("_sum_of_rows")),
    _array("added_rows", "array other", layout=Layout(2, 2, ("array", "other"), (
        ("array", "added_rows(bar, v_bar)"), ("other", "added_rows(bar, v_bar)"))),
        spelling="_added_rows(array, other)", linear=True, ulps=0.5,
        **_helper("_added_rows")),
    _array("block", "value layers rows columns", layout=Layout(4, 0, ("value",), (
        ("value", "sum_of_layers(v_bar)"),)),
        spelling="_block(value, layers, rows, columns)", result="declared", linear=True,
        **_helper("_block")),
    _array("layers_like", "array value", layout=Layout(2, 3, ("value",), (
        ("value", "sum_of_layers(v_bar)"),)),
        spelling="_layers_like(array, value)", linear=True, **_helper("_layers_like")),
    _array("copy_layers", "array", layout=Layout(1, 3, ("array",), (
        ("array", "added_layers(bar, v_bar)"),)),
        spelling="_copied_layers(array)", linear=True, **_helper("_copied_layers")),
    _array("sum_of_layers", "array", layout=Layout(1, 3, ("array",), (
        ("array", "added_layers(bar, layers_like(bar, v_bar))"),)),
        spelling="_sum_of_layers(array)", result="total", ulps=float("inf"),
        **_helper("_sum_of_layers")),
    _array("added_layers", "array other", layout=Layout(2, 3, ("array", "other"), (
        ("array", "added_layers(bar, v_bar)"), ("other", "added_layers(bar, v_bar)"))),
        spelling="_added_layers(array, other)", linear=True, ulps=0.5,
        **_helper("_added_layers")),
)

COPY = {1: "copy", 2: "copy_rows", 3: "copy_layers"}
ADDED = {1: "added", 2: "added_rows", 3: "added_layers"}
LIKE = {1: "like", 2: "rows_like", 3: "layers_like"}
MADE = {1: "full", 2: "grid", 3: "block"}
"""Operations on whole lists, by the number of their dims."""
# fmt: on
