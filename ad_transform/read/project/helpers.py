"""Helpers of generated code that are elementals: files that hold them can be read
again.

A function of the file that is written as the helper of a row means that row,
`_digamma(x)` the digamma function: it has derivatives where its text has none.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from functools import cache

from ad_transform.elementals import GENERATED, TABLE, recognise
from ad_transform.elementals.helpers import HELPERS
from ad_transform.elementals.whole import BY_ELEMENT
from ad_transform.ir.elemental import Elemental
from ad_transform.read.values.callables import Dotted
from ad_transform.read.values.values import Value

VECTORIZE = "numpy.vectorize"
IN_ROWS = f"{GENERATED}in_rows"
"""The helper `_in_rows(line, m, n)`: a vector as a matrix of m rows."""


def helper_of(name: str, node: ast.stmt) -> str:
    """The qualified name of the elemental whose helper a function is, by its text; or
    nothing.
    """
    qualified = _qualified(name) if name.startswith("_") else ""
    if qualified and ast.dump(node) == _dumped(name):
        return qualified
    return ""


def _qualified(name: str) -> str:
    if name == "_sumprod":
        return "math.sumprod"
    qualified = f"{GENERATED}{name[1:]}"
    is_known = qualified == IN_ROWS or recognise(qualified)
    return qualified if name in HELPERS and is_known else ""


@cache
def _dumped(name: str) -> str:
    """The tree of a helper, as text; a formatter changes nothing in it."""
    body = ast.parse(HELPERS[name]).body
    return ast.dump(next(node for node in body if isinstance(node, ast.FunctionDef)))


def vectorized(values: Sequence[Value], keywords: Mapping[str, Value]) -> Value | None:
    """`np.vectorize(erf, otypes=[float])`; None for a function without a meaning on
    arrays.
    """
    match values:
        case [Dotted(name=name)] if keywords.keys() <= {"otypes"}:
            row = recognise(name)
            if isinstance(row, Elemental) and row.name in BY_ELEMENT & TABLE.keys():
                return Dotted(f"{GENERATED}{row.name}")
    return None
