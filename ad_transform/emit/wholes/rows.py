"""Operations on lists that only programs without numpy have: compiled ones, and Python
with tuples for arrays.

They read and change places that surely exist, and compute the values of functions of
numpy.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ad_transform.elementals import TABLE
from ad_transform.elementals.helpers import called, run
from ad_transform.elementals.rows import row
from ad_transform.ir.elemental import EXACT, Elemental, Layout

Compute = Callable[..., Any] | None


def _read(array: list[Any], place: int) -> Any:
    return array[place]


def _store(array: list[Any], value: Any, place: int) -> list[Any]:
    array[place] = value
    return array


def _gain(array: list[Any], value: Any, place: int) -> list[Any]:
    array[place] += value
    return array


def _on_list(
    name: str,
    parameters: str,
    result: str,
    compute: Compute = None,
    spelling: str = "",
    **flags: Any,
) -> Elemental:
    """An operation on a list; without `compute`, that of a printed helper."""
    leading = 2 if flags.get("consumes") else 1
    helper = spelling or f"_{name}({', '.join(parameters.split())})"
    return row(
        name,
        parameters,
        ("0",) * len(parameters.split()),
        compute or partial(called, helper.partition("(")[0]),
        spelling=name if compute else helper,
        result=result,
        layout=Layout(leading, 1),
        points=(),
        ulps=EXACT,
        classes=(),
        **flags,
    )


def _nearest(name: str) -> Elemental:
    """A whole number near to a float, as a float with its sign."""
    compute, spelling = partial(run, f"_{name}"), f"_{name}(x)"
    return row(name, "x", ("0",), compute, spelling=spelling, points=())


# fmt: off
_ROWS: tuple[Elemental, ...] = (
    row("array", "value size", ("0",) * 2, lambda x, n: [x] * n, spelling="array",
        result="declared", layout=Layout(2), points=(), ulps=EXACT, classes=(),
        linear=True),
    _on_list("read", "array place", "total", _read),
    _on_list("store", "array value place", "same", _store, linear=True, consumes=True),
    _on_list("gain", "array value place", "same", _gain, linear=True, consumes=True),
    _on_list("pairwise", "array first count", "total"),
    _on_list("summed", "array", "total", spelling="_pairwise(array, 0, len(array))"),
    _on_list("sorting", "array", "places of list", linear=True),
    _on_list("behind", "array x", "length"),
    _on_list("before", "array x", "length"),
    _on_list("solved", "array other rows columns", "other", linear=True),
    _on_list("rooted", "array rows", "same", linear=True),
    _on_list("measured", "array rows", "same", linear=True),
    _on_list("pivoting", "array rows", "places of list", linear=True),
    _on_list("eigen", "array rows", "declared", linear=True),
    _on_list("inverted", "array rows columns cut", "same", linear=True),
    _on_list("in_rows", "array rows columns", "declared", linear=True),
    _on_list("in_layers", "array layers rows columns", "declared", linear=True),
    _nearest("floor_of"),
    _nearest("ceil_of"),
    _nearest("trunc_of"),
    _nearest("rint_of"),
)
# fmt: on
OWN = {made.name: made for made in _ROWS}

EVERY = TABLE | OWN
"""All operations by name."""
