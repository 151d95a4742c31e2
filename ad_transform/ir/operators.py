"""The operators of `Derivative`: the types of what they give."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ad_transform.ir.types import Type

_Types = Sequence[Type]


def _entries(rows: _Types, columns: _Types) -> list[Type]:
    """The types of all derivatives, row by row: one of two is a number."""
    return [c if c.is_array else r for r in rows for c in columns]


# fmt: off
OPERATORS: Mapping[str, Callable[[_Types, _Types], tuple[_Types, _Types]]] = {
    "derivative":     lambda rows, columns: (_entries(rows, columns), ()),
    "tangent":        lambda rows, columns: (rows, columns),
    "adjoint":        lambda rows, columns: (columns, rows),
    "rounding_error": lambda rows, columns: (rows, ()),
}
# fmt: on
"""The operators: the types of their values and seeds, by those of the results of the
block and of the independents."""
