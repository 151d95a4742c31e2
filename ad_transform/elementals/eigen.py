"""Eigenvalues and eigenvectors of symmetric matrices.

The derivatives of vectors are infinite, or NaN, where eigenvalues are equal: there they
are not told apart. Adjoints are symmetric, as those of all that reads one triangle.
"""

from __future__ import annotations

from ad_transform.elementals.parts import whole_row as _whole
from ad_transform.ir.elemental import Elemental

_SYMMETRIC = "0.5 * ({0} + turned({0}))"
_ONES = "diagonal_matrix(spread(1.0, eigenvalues(x)))"
_GAPS = f"(row(eigenvalues(x)) - column(eigenvalues(x)) + {_ONES})"
_SHARES = f"(1.0 / {_GAPS} - {_ONES})"
"""1 / (w_j - w_i), and 0 where i = j."""

_DOT = _SYMMETRIC.format("x_dot")
_OWN = f"mat_mat(turned({{0}}), mat_mat({_DOT}, {{0}}))"
_BACK = f"mat_mat(v, mat_mat({_SHARES} * mat_mat(turned(v), v_bar), turned(v)))"

# fmt: off
ROWS: tuple[Elemental, ...] = (
    _whole("eigenvalues", "x", "np.linalg.eigvalsh(x)", "rows gone",
           "x: mat_mat(eigenvectors(x) * row(v_bar), turned(eigenvectors(x)))",
           f"x: diagonal({_OWN.format('eigenvectors(x)')})"),
    _whole("eigenvectors", "x", "np.linalg.eigh(x)[1]", "shape of x",
           f"x: {_SYMMETRIC.format(_BACK)}",
           f"x: mat_mat(v, {_SHARES} * {_OWN.format('v')})"),
)
# fmt: on
