"""How a row of the table is written."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ad_transform.elementals.helpers import run
from ad_transform.ir.elemental import CORRECT, Elemental


def row(
    name: str,
    parameters: str,
    partials: tuple[str, ...],
    compute: Callable[..., Any],
    *,
    points: tuple[tuple[float, ...], ...],
    spelling: str = "",
    result: str = "float",
    ulps: float = CORRECT,
    **rest: Any,
) -> Elemental:
    """A row; functions of `math` are spelled `math.name(parameters)` by default."""
    names = tuple(parameters.split())
    plain = ", ".join(p.lstrip("*") for p in names)
    return Elemental(
        name=name,
        parameters=names,
        result=result,
        partials=partials,
        compute=compute,
        spelling=spelling or f"math.{name}({plain})",
        ulps=ulps,
        points=points,
        **rest,
    )


def printed(
    name: str,
    parameters: str,
    partials: tuple[str, ...],
    *,
    points: tuple[tuple[float, ...], ...],
    ulps: float,
    source: str = "printed helper",
    **rest: Any,
) -> Elemental:
    """A row for the printed helper `_name`."""
    return row(
        name,
        parameters,
        partials,
        partial(run, f"_{name}"),
        points=points,
        spelling=f"_{name}({', '.join(parameters.split())})",
        ulps=ulps,
        source=source,
        **rest,
    )
