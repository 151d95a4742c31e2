"""Functions at the numbers where their value is one that nobody rounds: log(1) is 0."""

from __future__ import annotations

EXACT: dict[str, tuple[float, float]] = {
    **dict.fromkeys(("exp", "exp2", "cos", "cosh"), (0.0, 1.0)),
    **dict.fromkeys(("log", "log2", "log10", "acos", "acosh"), (1.0, 0.0)),
    **dict.fromkeys(("sin", "tan", "asin", "atan", "sinh", "tanh"), (0.0, 0.0)),
    **dict.fromkeys(("asinh", "atanh", "log1p", "expm1", "erf"), (0.0, 0.0)),
}
"""By the names of the functions such a number, and the value there."""
