"""The form of a row of the table."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ad_transform.elementals.conditions import Condition
from ad_transform.elementals.helpers import HELPERS, run
from ad_transform.ir.elemental import CORRECT, PYTHON, Elemental


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
    guard: tuple[str, ...] | Condition = (),
    helper: str = "",
    elsewhere: Mapping[str, str] | None = None,
    **rest: Any,
) -> Elemental:
    """A row; functions of `math` are spelled `math.name(parameters)` by default.

    `spelling` is that of Python, `elsewhere` has those of other targets.
    A `guard` that is a condition is put on every partial. A spelling `_name(...)` calls
    the helper `_name`: its text, or KeyError where neither `helper` nor HELPERS has it.
    """
    names = tuple(parameters.split())
    if not spelling:
        plain = ", ".join(p.lstrip("*") for p in names)
        spelling = f"math.{name}({plain})"
    called = spelling.partition("(")[0]
    if helper:
        HELPERS[called] = helper
    return Elemental(
        name=name,
        parameters=names,
        result=result,
        partials=partials,
        compute=compute,
        spellings={PYTHON: spelling, **(elsewhere or {})},
        ulps=ulps,
        guard=tuple(map(guard, partials)) if callable(guard) else guard,
        points=points,
        helper=HELPERS[called] if called.startswith("_") else "",
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
    """A row for the helper `_name`, whose text is printed into generated files.

    It is made of library functions: where these err more, it may err twice as much.
    """
    if CORRECT < ulps < math.inf:
        rest.setdefault("portable", 2.0 * ulps)
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
