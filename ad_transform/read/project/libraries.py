"""Modules that belong to Python or to a known package, not to the project."""

from __future__ import annotations

import sys

from ad_transform.elementals import has_functions_of


def is_library(qualified: str) -> bool:
    """Whether a name belongs to Python or a known package, not to the project."""
    top = qualified.partition(".")[0]
    known = top in sys.stdlib_module_names or top in _THIRD_PARTY
    return known or has_functions_of(top)


_THIRD_PARTY = frozenset(
    [
        "ad_transform",
        "autograd",
        "casadi",
        "jax",
        "mpmath",
        "numba",
        "numpy",
        "pandas",
        "scipy",
        "sympy",
        "tensorflow",
        "torch",
    ]
)
