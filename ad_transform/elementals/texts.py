"""Rows of texts: the results of their methods. They have no derivatives."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ad_transform.elementals.rows import row
from ad_transform.ir.elemental import EXACT, Elemental


def _method(name: str, parameters: str = "x", result: str = "same") -> Elemental:
    """A row for a method of the text `x` that takes the other parameters."""
    own, *given = parameters.split()
    return _text(
        f"text_{name}",
        parameters,
        getattr(str, name),
        f"{own}.{name}({', '.join(given)})",
        result,
    )


def _text(
    name: str,
    parameters: str,
    compute: Callable[..., Any],
    spelling: str,
    result: str,
    classes: tuple[str, ...] = ("call",),
) -> Elemental:
    partials = ("0",) * len(parameters.split())
    return row(
        name,
        parameters,
        partials,
        compute,
        spelling=spelling,
        result=result,
        points=(),
        ulps=EXACT,
        classes=classes,
    )


# fmt: off
ROWS: tuple[Elemental, ...] = (
    _method("lower"),
    _method("upper"),
    _method("casefold"),
    _method("capitalize"),
    _method("title"),
    _method("strip"),
    _method("lstrip"),
    _method("rstrip"),
    _method("removeprefix", "x y"),
    _method("removesuffix", "x y"),
    _method("replace",      "x y z"),
    _method("startswith",   "x y", "bool"),
    _method("endswith",     "x y", "bool"),
    _method("isdigit",      "x",   "bool"),
    _text("text_item",   "x k", lambda x, k: x[k], "x[k]", "same", ()),
    _text("text_partition", "x y k", lambda x, y, k: x.partition(y)[k],
          "x.partition(y)[k]", "same"),
    _text("text_rpartition", "x y k", lambda x, y, k: x.rpartition(y)[k],
          "x.rpartition(y)[k]", "same"),
    _text("text_in",     "x y", lambda x, y: x in y, "x in y", "bool",
          ("select",)),
    _text("text_joined", "x y", operator.add, "x + y", "same", ("add",)),
    _text("text_shown",  "how x", lambda how, x: format(x, how), "format(x, how)",
          "same"),
    _text("text_as_str", "how x", lambda _, x: str(x), "str(x)", "same"),
    _text("text_as_int",   "x", int,   "int(x)",   "length"),
    _text("text_as_float", "x", float, "float(x)", "float"),
    _text("text_length", "x",   len,                 "len(x)", "length", ()),
)
# fmt: on
