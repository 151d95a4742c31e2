"""Parts of whole arrays at indices in arrays, and where a mask is true.

`x[i]` is `taken`, of a matrix `taken_rows`. An index may stand twice: reading it twice
is adding to it twice on the way back, and of several stores the last one counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ad_transform.elementals.parts import part, whole_row
from ad_transform.ir.elemental import EXACT, Elemental

_LAST = "{0}(stored_{0}({1}(v_bar), numbered(i), {2}), {2}) == numbered(i)"
"""Whether no later store is at the same place: the last one's number is there."""

# fmt: off
_FORMS = (  # name, index, result, bounds, zeros to be numbered, the mask spread
    ("taken",         "i",    "taken",         "i",   "zeros_like",   "{}"),
    ("taken_rows",    "i",    "taken",         "i",   "zero_rows",    "column({})"),
    ("taken_columns", ":, i", "columns taken", "i",   "zero_columns", "{}"),
    ("taken_both",    "i, j", "shape of i",    "i j", "zeros_like",   "{}"),
)
# fmt: on

_MESH = "taken_mesh"  # rows i and columns j at once: x[i[:, None], j]

OVERLAPPING = frozenset({*(name for name, *_ in _FORMS), _MESH})
"""Forms of parts in which one place may stand twice."""


def indexed() -> Iterator[Elemental]:
    """The rows of parts of arrays at indices and masks."""
    for name, index, result, bounds, zeros, spread in _FORMS:
        by = "taken" if name in ("taken_rows", "taken_columns") else name
        test = spread.format(_LAST.format(by, zeros, bounds.replace(" ", ", ")))
        at = index.replace(":", "slice(None)")
        place = f"({at})" if ", " in at else at
        yield from part(
            name,
            index,
            result,
            bounds,
            last=f"where({test}, {{}}, 0.0)",
            gained=f"np.add.at(array, {place}, x)",
        )
    down = _LAST.format("taken", "zero_rows", "i")
    across = _LAST.format("taken", "zero_columns", "j").replace("(i)", "(j)")
    yield from part(
        _MESH,
        "i[:, None], j",
        "mesh",
        "i j",
        last=f"where(column({down}), where({across}, {{}}, 0.0), 0.0)",
        gained="np.add.at(array, (i[:, None], j), x)",
    )
    yield from part("masked", "i", "masked", "i")
    yield from part("masked_columns", ":, i", "columns masked", "i")
    for kind, name in (("int", "whole"), ("bool", "truth")):
        call: dict[str, Any] = {"ulps": EXACT, "classes": ("call",)}
        yield whole_row(f"{name}_at", "x i", f"{kind}(x[i])", "total", "", **call)
        both = f"{kind}(x[i, j])"
        yield whole_row(f"{name}_at_both", "x i j", both, "total", "", **call)
    yield from (
        whole_row(
            name, "x", spelling, result, "", ulps=EXACT, classes=("call",) * calls
        )
        for name, spelling, result, calls in (
            ("no_places", "np.zeros_like(x, dtype=int)", "places in x", 1),
            ("numbered", "np.arange(len(x), dtype=float)", "floats along x", 1),
            ("zero_rows", "np.zeros(len(x))", "floats along x", 1),
            ("zero_columns", "np.zeros(np.shape(x)[1])", "floats across x", 2),
        )
    )
