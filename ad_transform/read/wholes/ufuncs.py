"""Methods of numpy's ufuncs as the functions that do the same: `np.add.reduce(A)`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.ir.nodes import Literal
from ad_transform.read.values.values import Value

# fmt: off
_FUNCTIONS: Mapping[str, str] = {
    "numpy.add.reduce":          "numpy.sum",
    "numpy.multiply.reduce":     "numpy.prod",
    "numpy.maximum.reduce":      "numpy.max",
    "numpy.minimum.reduce":      "numpy.min",
    "numpy.logical_or.reduce":   "numpy.any",
    "numpy.logical_and.reduce":  "numpy.all",
    "numpy.logaddexp.reduce":    "scipy.special.logsumexp",
    "numpy.add.accumulate":      "numpy.cumsum",
    "numpy.multiply.accumulate": "numpy.cumprod",
    "numpy.maximum.accumulate":  "numpy.maximum.accumulate",
    "numpy.minimum.accumulate":  "numpy.minimum.accumulate",
}
# fmt: on
METHODS = frozenset(_FUNCTIONS)
"""The methods that are read."""


def function_of(
    name: str, values: Sequence[Value], keywords: Mapping[str, Value]
) -> tuple[str, Mapping[str, Value]]:
    """The function that a method calls, which goes along the first axis by default."""
    function = _FUNCTIONS.get(name)
    if function is None:
        return name, keywords
    is_said = len(values) > 1 or "axis" in keywords
    return function, keywords if is_said else {**keywords, "axis": Literal(0)}
