"""Operations on lists that only programs of compiled languages have.

They read and change places that surely exist, and do what numpy has a function for.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Any

from ad_transform.elementals import TABLE
from ad_transform.elementals.rows import row
from ad_transform.ir.elemental import EXACT, Elemental, Layout


def _read(array: list[Any], place: int) -> Any:
    return array[place]


def _store(array: list[Any], value: Any, place: int) -> list[Any]:
    array[place] = value
    return array


def _gain(array: list[Any], value: Any, place: int) -> list[Any]:
    array[place] += value
    return array


def _rank(x: Any) -> tuple[bool, Any]:
    """What numbers are ordered by: NaN is the largest, as in numpy."""
    return (True, 0) if x != x else (False, x)


def _sorting(array: list[Any]) -> list[int]:
    return sorted(range(len(array)), key=lambda k: _rank(array[k]))


def _behind(array: list[Any], x: Any) -> int:
    return bisect_right(array, _rank(x), key=_rank)


def _before(array: list[Any], x: Any) -> int:
    return bisect_left(array, _rank(x), key=_rank)


def _unknown(*_: Any) -> Any:
    raise NotImplementedError("printed functions of lists are computed in C or Fortran")


def _on_list(
    name: str,
    parameters: str,
    result: str,
    compute: Callable[..., Any] = _unknown,
    **flags: Any,
) -> Elemental:
    leading = 2 if flags.get("consumes") else 1
    return row(
        name,
        parameters,
        ("0",) * len(parameters.split()),
        compute,
        spelling=name,
        result=result,
        layout=Layout(leading, 1),
        points=(),
        ulps=EXACT,
        classes=(),
        **flags,
    )


def _nearest(name: str, function: str, of: Callable[[float], int]) -> Elemental:
    """A whole number near to a float, as a float with its sign."""

    def compute(x: float) -> float:
        return math.copysign(of(x), x) if math.isfinite(x) else x

    return row(name, "x", ("0",), compute, spelling=f"math.{function}(x)", points=())


# fmt: off
_ROWS: tuple[Elemental, ...] = (
    row("array", "value size", ("0",) * 2, lambda x, n: [x] * n, spelling="array",
        result="declared", layout=Layout(2), points=(), ulps=EXACT, classes=(),
        linear=True),
    _on_list("read", "array place", "total", _read),
    _on_list("store", "array value place", "same", _store, linear=True, consumes=True),
    _on_list("gain", "array value place", "same", _gain, linear=True, consumes=True),
    _on_list("pairwise", "array first count", "total"),
    _on_list("sorting", "array", "places of list", _sorting, linear=True),
    _on_list("behind", "array x", "length", _behind),
    _on_list("before", "array x", "length", _before),
    _on_list("solved", "array other rows columns", "other", linear=True),
    _on_list("rooted", "array rows", "same", linear=True),
    _on_list("measured", "array rows", "same", linear=True),
    _on_list("pivoting", "array rows", "places of list", linear=True),
    _nearest("floor_of", "floor", math.floor),
    _nearest("ceil_of", "ceil", math.ceil),
    _nearest("trunc_of", "trunc", math.trunc),
    _nearest("rint_of", "nearbyint", round),
)
# fmt: on
OWN = {made.name: made for made in _ROWS}

EVERY = TABLE | OWN
"""All operations by name."""
