"""Solutions of systems with more equations than unknowns, or with fewer.

The derivatives are those of Golub & Pereyra (1973), equation 4.12: they hold where a
small change leaves the rank of the matrix as it is.
"""

from __future__ import annotations

from ad_transform.elementals.parts import whole_row as _whole
from ad_transform.ir.elemental import Elemental

# the parts outside the row space of x and its column space; v is the pseudo-inverse
_BESIDE = "{0} - mat_mat(x, mat_mat(v, {0}))"
_ACROSS = "{0} - mat_mat(mat_mat({0}, v), x)"
_PARTS = (
    _BESIDE.format("mat_mat(turned(v_bar), mat_mat(v, turned(v)))"),
    _ACROSS.format("mat_mat(mat_mat(turned(v), v), turned(v_bar))"),
)
_DOT = "turned(x_dot)"
_LEFT = f"mat_mat(mat_mat(v, turned(v)), {_DOT} - mat_mat({_DOT}, mat_mat(x, v)))"
_RIGHT = "{0} - mat_mat(v, mat_mat(x, {0}))".format(
    f"mat_mat({_DOT}, mat_mat(turned(v), v))"
)

# the pseudo-inverse of x, and the adjoint of the right side
_BACK = "pseudo_inverse(x)"
_SIDE = f"vec_mat(v_bar, {_BACK})"
_REST = "(y - mat_vec(x, v))"
_LONG = f"vec_mat(vec_mat(v, {_BACK}), x_dot)"

# fmt: off
ROWS: tuple[Elemental, ...] = (
    _whole("pseudo_inverse", "x", "np.linalg.pinv(x)", "turned",
           f"x: {_PARTS[0]} + ({_PARTS[1]}) "
           "- mat_mat(mat_mat(turned(v), v_bar), turned(v))",
           f"x: {_LEFT} + ({_RIGHT}) - mat_mat(mat_mat(v, x_dot), v)"),
    _whole("least_squares", "x y", "np.linalg.lstsq(x, y, rcond=None)[0]",
           "least squares",
           f"y: {_SIDE} | x: outer({_REST}, mat_vec({_BACK}, {_SIDE})) "
           f"- outer({_SIDE}, v) "
           f"+ outer(vec_mat(v, {_BACK}), v_bar - vec_mat({_SIDE}, x))",
           f"y: mat_vec({_BACK}, y_dot) | "
           f"x: mat_vec({_BACK}, vec_mat(vec_mat({_REST}, x_dot), {_BACK}) "
           f"- mat_vec(x_dot, v)) "
           f"+ ({_LONG} - mat_vec({_BACK}, mat_vec(x, {_LONG})))"),
)
# fmt: on
