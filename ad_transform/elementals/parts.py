"""Rows of elementals on whole arrays: how they are written, and parts of arrays.

A part is read, placed among zeros, stored into a copy, or changed in place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ad_transform.elementals.rows import row
from ad_transform.ir.elemental import EXACT, Elemental, Layout
from ad_transform.ir.typing import BLOCKS, CUTS


def _compute(*_: Any) -> Any:
    raise NotImplementedError("arrays of numpy are computed by generated code alone")


def whole_row(
    name: str,
    parameters: str,
    spelling: str,
    result: str,
    transpose: str,
    tangent: str = "",
    classes: tuple[str, ...] = ("call",),
    **rest: Any,
) -> Elemental:
    """A row; `transpose` and `tangent` have a template for each argument, "x: ...".

    Without tangents the operation is linear in all arguments that have transposes.
    """
    transposes, tangents = _templates(transpose), _templates(tangent)
    names = tuple(name for name, _ in transposes)
    leading = 2 if rest.get("consumes") else 0
    layout = Layout(leading, 0, names, transposes, tangents)
    return row(
        name,
        parameters,
        ("0",) * len(parameters.split()),
        _compute,
        spelling=spelling,
        result=result,
        layout=layout,
        points=(),
        classes=classes,
        **{"ulps": float("inf"), **rest},
    )


def _templates(text: str) -> tuple[tuple[str, str], ...]:
    if not text:
        return ()
    parts = [part.partition(": ") for part in text.split(" | ")]
    return tuple([(name, template) for name, _, template in parts])


def parts() -> Iterator[Elemental]:
    """Slices, elements, rows and columns.

    `x[start:stop]` is `cut_between`; `placed_cut_between(x, y, start, stop)` are zeros
    like y with x there, `stored_cut_between(x, y, start, stop)` is x with y there.
    """
    for form, names in CUTS.items():
        text = {
            "from": "start:",
            "to": ":stop",
            "between": "start:stop",
            "by": "::step",
        }
        bounds = " ".join(names)
        yield from part(f"cut_{form}", text[form], f"cut {bounds}", bounds)
        columns = f":, {text[form]}"
        yield from part(f"columns_{form}", columns, f"columns cut {bounds}", bounds)
    yield from part("pick", "i", "total", "i", "float(x[i])")
    yield from part("pick_both", "i, j", "total", "i j", "float(x[i, j])")
    yield from part("pick_row", "i", "row of x", "i")
    yield from part("pick_column", ":, i", "column of x", "i")
    yield from part("pick_second", ":, i", "second gone", "i")
    yield from part("pick_third", ":, :, i", "third gone", "i")
    yield from part("pick_first_second", "i, j", "third of x", "i j")
    yield from part("pick_first_third", "i, :, j", "second of x", "i j")
    yield from part("pick_second_third", ":, i, j", "column of x", "i j")
    yield from _blocks()
    yield from part("sliced", "i:j", "some", "i j")
    yield from part("sliced_from", "i:", "some", "i")
    yield from part("sliced_to", ":i", "some", "i")


def _blocks() -> Iterator[Elemental]:
    """Parts of a matrix along both axes: `x[i:j, p:q]`, `x[i, p:]`, `x[:j, p]`."""
    forms = {
        "from": ("{0}:", "{0}"),
        "to": (":{1}", "{1}"),
        "between": ("{0}:{1}", "{0} {1}"),
        "at": ("{0}", "{0}"),
    }
    for down, across in BLOCKS:
        rows, first = (text.format(*"ij") for text in forms[down])
        columns, second = (text.format(*"pq") for text in forms[across])
        name, bounds = f"{down}_{across}", f"{first} {second}"
        result = f"block {down} {across}"
        yield from part(f"block_{name}", f"{rows}, {columns}", result, bounds)


def part(
    name: str,
    index: str,
    result: str,
    bounds: str,
    spelling: str = "",
    last: str = "{}",
    gained: str = "",
) -> Iterator[Elemental]:
    """The rows of a form of parts.

    Where places may stand twice, `last` makes a template 0 for all stores to a place
    but the last, and `gained` is a statement that adds all.
    """
    given = f"v_bar, {bounds.replace(' ', ', ')}"
    behind = f"{name}({given})"
    calls = ("call",) * index.count("(")
    read = calls + ("call",) * spelling.count("(")
    exact: dict[str, Any] = {"ulps": EXACT, "classes": ()}
    yield whole_row(
        name,
        f"x {bounds}",
        spelling or f"x[{index}]",
        result,
        f"x: placed_{name}({given.replace('v_bar', 'v_bar, x')})",
        **{**exact, "classes": read},
    )
    yield whole_row(
        f"placed_{name}", f"x y {bounds}", "x", "shape of y", f"x: {behind}", **exact
    )
    zero = given.replace("v_bar", "v_bar, 0.0")
    yield whole_row(
        f"stored_{name}",
        f"x y {bounds}",
        "x",
        "shape of x",
        f"y: gathered({last.format(behind)}, y) | x: stored_{name}({zero})",
        **exact,
    )
    ways: tuple[tuple[str, str, tuple[str, ...]], ...] = (
        ("gained", gained or f"array[{index}] += x", ("call" if gained else "add",)),
        ("lost", f"array[{index}] -= x", ("add",)),
        ("put", f"array[{index}] = x", ()),
    )
    if gained:  # the last of several at one place counts
        ways += (
            ("raised", f"array[{index}] += x", ("add",)),
            ("lowered", f"array[{index}] -= x", ("add",)),
        )
    for way, text, more in ways:
        yield whole_row(
            f"{way}_{name}",
            f"array x {bounds}",
            text,
            "same",
            "",
            linear=True,
            consumes=True,
            **{**exact, "classes": (*calls, *more)},
        )
