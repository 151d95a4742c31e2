"""Elementals on whole arrays of numpy, which are values like numbers.

Rows of the other tables are applied element by element. These here are all the rest:
sums, products of matrices, parts. Tangents and transposes are templates: `x_dot` is the
tangent of x, `v_bar` the adjoint of the result v. `spread(x, y)` is x broadcast to the
shape of y and `gathered(x, y)` its transpose; `derive.lowered` does away with both.
"""

from __future__ import annotations

from ad_transform.elementals import (
    along,
    eigen,
    layers,
    layouts,
    least_squares,
    orders,
)
from ad_transform.elementals.indexed import indexed
from ad_transform.elementals.parts import parts
from ad_transform.elementals.parts import whole_row as _whole
from ad_transform.elementals.rows import row
from ad_transform.ir.elemental import EXACT, Elemental

_EQUAL = "where(x == {v}, {s}, 0.0)"
_LARGEST = _EQUAL.format(v="v", s="v_bar / sum_all(x == v)")
_ALONG = _EQUAL.format(v="{0}(v)", s="{0}(v_bar / {1}(x == {0}(v)))")
_SHARE = "sum_all(where(x == v, x_dot, 0.0)) / sum_all(x == v)"
_SHARED = "{1}(where(x == {0}(v), x_dot, 0.0)) / {1}(x == {0}(v))"

_LOWER = "0.5 * (lower({0}) + lower_only({0}))"
_SYMMETRIC = "0.5 * ({0} + turned({0}))"
_BACK = (
    "all_solved_for(turned(v), turned(all_solved_for(turned(v), "
    f"{_LOWER.format('mat_mat(turned(v), v_bar)')})))"
)
_FORTH = f"all_solved_for(v, turned(all_solved_for(v, {_SYMMETRIC.format('x_dot')})))"

_EACH = (
    "add sub mul div neg pos pow lt le gt ge eq ne sqrt cbrt exp exp2 expm1 log log2 "
    "log10 log1p sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh "
    "logaddexp degrees radians abs fabs sign maximum minimum fmax fmin hypot copysign "
    "where float int expit not both either mod floordiv fmod heaviside isnan isinf "
    "isfinite sinc"
)
_BY_NUMBER = (
    "erf erfc gamma lgamma digamma polygamma polygamma_drop beta betaln norm_pdf ndtr "
    "log_ndtr ndtr_ratio ndtr_excess log_expit logit xlogy xlog1py entr "
    "sinc_slope exprel exprel_slope"
)
BY_NUMBER = frozenset(_BY_NUMBER.split(" "))
"""Functions that numpy does not have: one of numbers is called for each element."""

BY_ELEMENT = frozenset(_EACH.split(" ")) | BY_NUMBER
"""Operations that are computed element by element, their partials too."""

# fmt: off
ROWS: tuple[Elemental, ...] = (
    row("where", "test x y", ("0", "where(test, 1.0, 0.0)", "where(test, 0.0, 1.0)"),
        lambda test, x, y: x if test else y, spelling="np.where(test, x, y)",
        result="choice", points=((1.0, 2.0, 3.0), (0.0, 2.0, 3.0)), ulps=EXACT),
    _whole("spread", "x y", "np.broadcast_to(x, np.shape(y))", "shape of y",
           "x: gathered(v_bar, x)", ulps=EXACT, classes=("call",) * 2),
    _whole("gathered", "x y", "np.sum(x)", "shape of y", "x: spread(v_bar, x)"),
    _whole("sum_all", "x", "float(np.sum(x))", "counted", "x: spread(v_bar, x)",
           classes=("call",) * 2),
    _whole("sum_in", "array", "float(np.sum(array))", "total",
           "array: added(bar, like(bar, v_bar))", classes=("call",) * 2),
    _whole("sum_rows", "x", "np.sum(x, axis=0)", "rows gone", "x: spread(v_bar, x)"),
    _whole("sum_columns", "x", "np.sum(x, axis=1)", "columns gone",
           "x: spread(column(v_bar), x)"),
    _whole("average", "x", "float(np.mean(x))", "mean",
           "x: spread(v_bar / count(x), x)", classes=("call",) * 2),
    _whole("average_rows", "x", "np.mean(x, axis=0)", "rows gone",
           "x: spread(v_bar / length(x), x)"),
    _whole("average_columns", "x", "np.mean(x, axis=1)", "columns gone",
           "x: spread(column(v_bar / width(x)), x)"),
    _whole("max_all", "x", "float(np.max(x))", "total", f"x: {_LARGEST}",
           f"x: {_SHARE}", ulps=EXACT, classes=("call",) * 2),
    _whole("min_all", "x", "float(np.min(x))", "total", f"x: {_LARGEST}",
           f"x: {_SHARE}", ulps=EXACT, classes=("call",) * 2),
    *(_whole(f"{call}_{axis}", "x", f"np.{call}(x, axis={k})", f"{axis} gone",
             f"x: {_ALONG.format(turn, f'sum_{axis}')}",
             f"x: {_SHARED.format(turn, f'sum_{axis}')}", ulps=EXACT)
      for call in ("max", "min")
      for k, (axis, turn) in enumerate((("rows", "row"), ("columns", "column")))),
    _whole("norm", "x", "float(np.linalg.norm(x))", "total",
           "x: (v_bar / v if v != 0 else 0.0) * x",
           "x: sum_all(x * x_dot) / v if v != 0 else 0.0", classes=("call",) * 2),
    _whole("dot", "x y", "float(x @ y)", "total", "x: v_bar * y | y: v_bar * x",
           "x: dot(x_dot, y) | y: dot(x, y_dot)", classes=("mul", "call")),
    _whole("mat_vec", "x y", "x @ y", "product",
           "x: outer(v_bar, y) | y: vec_mat(v_bar, x)",
           "x: mat_vec(x_dot, y) | y: mat_vec(x, y_dot)", classes=("mul",)),
    _whole("vec_mat", "x y", "x @ y", "product",
           "x: mat_vec(y, v_bar) | y: outer(x, v_bar)",
           "x: vec_mat(x_dot, y) | y: vec_mat(x, y_dot)", classes=("mul",)),
    _whole("mat_mat", "x y", "x @ y", "product",
           "x: mat_mat(v_bar, turned(y)) | y: mat_mat(turned(x), v_bar)",
           "x: mat_mat(x_dot, y) | y: mat_mat(x, y_dot)", classes=("mul",)),
    _whole("outer", "x y", "np.outer(x, y)", "outer",
           "x: mat_vec(v_bar, y) | y: vec_mat(x, v_bar)",
           "x: outer(x_dot, y) | y: outer(x, y_dot)"),
    _whole("solved_for", "x y", "np.linalg.solve(x, y)", "shape of y",
           "y: solved_for(turned(x), v_bar) | "
           "x: -outer(solved_for(turned(x), v_bar), v)",
           "y: solved_for(x, y_dot) | x: -solved_for(x, mat_vec(x_dot, v))"),
    _whole("all_solved_for", "x y", "np.linalg.solve(x, y)", "shape of y",
           "y: all_solved_for(turned(x), v_bar) | "
           "x: -mat_mat(all_solved_for(turned(x), v_bar), turned(v))",
           "y: all_solved_for(x, y_dot) | x: -all_solved_for(x, mat_mat(x_dot, v))"),
    _whole("determinant", "x", "float(np.linalg.det(x))", "total",
           "x: (v_bar * v) * turned(inverse(x))",
           "x: v * trace(all_solved_for(x, x_dot))", classes=("call",) * 2),
    _whole("cholesky", "x", "np.linalg.cholesky(x)", "shape of x",
           f"x: {_SYMMETRIC.format(_BACK)}",
           f"x: mat_mat(v, {_LOWER.format(_FORTH)})"),
    _whole("trace", "x", "float(np.trace(x))", "total",
           "x: diagonal_matrix(spread(v_bar, diagonal(x)))", classes=("call",) * 2),
    _whole("diagonal", "x", "np.diag(x)", "rows gone", "x: diagonal_matrix(v_bar)",
           ulps=EXACT),
    _whole("diagonal_matrix", "x", "np.diag(x)", "outer with itself",
           "x: diagonal(v_bar)", ulps=EXACT),
    *(_whole(f"rolled{suffix}", "x i", f"np.roll(x, i{axis})", "shape of x",
             f"x: rolled{suffix}(v_bar, -i)", ulps=EXACT)
      for suffix, axis in (("", ""), ("_rows", ", axis=0"), ("_columns", ", axis=1"))),
    _whole("laid_out", "value rows columns", "value.reshape((rows, columns))",
           "declared", "value: raveled(v_bar)", ulps=EXACT),
    _whole("counted_up", "value size", "np.arange(size)", "declared", "",
           ulps=EXACT),
    *(_whole(f"{name}_of", "x", f"bool(np.{name}(x))", "truth", "", ulps=EXACT,
             classes=("call",) * 2) for name in ("any", "all")),
    _whole("cumulated_rows", "x", "np.cumsum(x, axis=0)", "shape of x",
           "x: backwards(cumulated_rows(backwards(v_bar)))"),
    _whole("identity", "value rows columns", "np.eye(rows)", "declared", "",
           ulps=EXACT),
    _whole("spaced", "value stop size", "np.linspace(value, stop, size)", "declared",
           "value: dot(v_bar, weights(v)) | stop: dot(v_bar, backwards(weights(v)))"),
    _whole("weights", "x", "np.linspace(1.0, 0.0, len(x))", "floats like x", "",
           classes=("call",)),
    *(_whole(f"arg{name}", "x", f"int(np.arg{name}(x))", "length", "", ulps=EXACT,
             classes=("call",) * 2) for name in ("max", "min")),
    _whole("inverse", "x", "np.linalg.inv(x)", "shape of x",
           "x: -mat_mat(mat_mat(turned(v), v_bar), turned(v))",
           "x: -mat_mat(mat_mat(v, x_dot), v)"),
    _whole("turned", "x", "x.T", "turned", "x: turned(v_bar)", ulps=EXACT, classes=()),
    _whole("column", "x", "x[:, None]", "column", "x: no_column(v_bar)", ulps=EXACT,
           classes=()),
    _whole("row", "x", "x[None, :]", "row", "x: no_row(v_bar)", ulps=EXACT, classes=()),
    _whole("no_column", "x", "x[:, 0]", "column of x", "x: column(v_bar)", ulps=EXACT,
           classes=()),
    _whole("no_row", "x", "x[0]", "row of x", "x: row(v_bar)", ulps=EXACT, classes=()),
    _whole("cumulated", "x", "np.cumsum(x)", "shape of x",
           "x: backwards(cumulated(backwards(v_bar)))"),
    _whole("backwards", "x", "x[::-1]", "shape of x", "x: backwards(v_bar)", ulps=EXACT,
           classes=()),
    _whole("joined", "x y", "np.concatenate((x, y))", "joined",
           "x: sliced_to(v_bar, length(x)) | "
           "y: sliced_from(v_bar, length(x))", ulps=EXACT),
    _whole("all_joined", "*parts", "np.concatenate([parts])", "all joined",
           "", ulps=EXACT),
    _whole("vector", "*x", "np.array([x])", "vector", "x: pick(v_bar, k)", ulps=EXACT),
    _whole("filled", "value size", "np.full(size, value)", "declared",
           "value: sum_all(v_bar)", ulps=EXACT),
    _whole("filled_rows", "value rows columns", "np.full((rows, columns), value)",
           "declared", "value: sum_all(v_bar)", ulps=EXACT),
    _whole("copied", "x", "x.copy()", "shape of x", "x: v_bar", ulps=EXACT),
    _whole("of_list", "array", "np.array(array)", "value of list",
           "array: added(bar, to_list(v_bar))", ulps=EXACT),
    _whole("of_places", "array", "np.array(array, dtype=int)", "value of list",
           "", ulps=EXACT),
    _whole("of_rows", "array", "np.array(array)", "value of list",
           "array: added_rows(bar, to_list(v_bar))", ulps=EXACT),
    _whole("of_any_rows", "array", "np.array(array or 0.0)", "value of list", "",
           ulps=EXACT, classes=("call", "select")),
    _whole("line_of_layers", "array", "np.array(array).ravel()", "line of layers",
           "array: with_line(bar, v_bar)", ulps=EXACT, classes=("call",) * 2),
    _whole("with_line", "array x", "_with_line(array, x.tolist())", "same",
           "array: added_layers(bar, v_bar) | x: line_of_layers(v_bar)", linear=True,
           ulps=0.5, classes=("call",) * 2),
    _whole("to_list", "x", "x.tolist()", "list", "x: of_list(v_bar)", linear=True,
           ulps=EXACT),
    _whole("to_rows", "x", "x.tolist()", "list", "x: of_rows(v_bar)", linear=True,
           ulps=EXACT),
    *parts(),
    *indexed(),
    *orders.ROWS,
    *along.ROWS,
    *layouts.ROWS,
    *layers.ROWS,
    *least_squares.ROWS,
    *eigen.ROWS,
    _whole("raveled", "x", "x.ravel()", "raveled", "x: unraveled(v_bar, x)",
           ulps=EXACT),
    _whole("unraveled", "x y", "x.reshape(np.shape(y))", "shape of y",
           "x: raveled(v_bar)", ulps=EXACT, classes=("call",) * 2),
    _whole("matrix", "rows columns", "np.zeros((rows, columns))", "matrix", "",
           linear=True, ulps=EXACT),
    _whole("put_in_column", "array x first last k", "array[first:last, k] = x", "same",
           "", linear=True, consumes=True, ulps=EXACT, classes=()),
    _whole("put_in_row", "array x k first last", "array[k, first:last] = x", "same",
           "", linear=True, consumes=True, ulps=EXACT, classes=()),
    _whole("put_in_block", "array x first last start stop",
           "array[first:last, start:stop] = x", "same", "", linear=True, consumes=True,
           ulps=EXACT, classes=()),
    *(_whole(f"{name}{suffix}", "x", f"np.{call}(x{given})", "shape of x",
             f"x: {name}{suffix}(v_bar)", ulps=EXACT)
      for name, call, k in (("lower", "tril", -1), ("upper", "triu", 1))
      for suffix, given in (("", ""), ("_only", f", {k}"))),
    _whole("zeros_like", "x", "np.zeros_like(x)", "floats like x", "", ulps=EXACT),
    _whole("full_like", "x y", "np.full_like(y, x)", "shape of y", "", ulps=EXACT),
    _whole("zeros_beside", "x", "np.zeros_like(x)", "object", "", linear=True,
           ulps=EXACT),
    _whole("own", "x", "np.array(x)", "object", "", linear=True, ulps=EXACT),
    _whole("adopted", "x", "x", "object", "", linear=True, ulps=EXACT, classes=()),
    _whole("done", "array", "array", "value", "", ulps=EXACT, classes=()),
    _whole("count", "x", "x.size", "length", "", ulps=EXACT, classes=()),
    _whole("length", "x", "len(x)", "length", "", ulps=EXACT, classes=()),
    _whole("width", "x", "np.shape(x)[1]", "length", "", ulps=EXACT),
    _whole("depth", "x", "np.shape(x)[2]", "length", "", ulps=EXACT),
)
# fmt: on

LENGTHS = ("length", "width", "depth")
"""Operations that give the length of an array along its axes."""

AXES = {name: axis for axis, name in enumerate(LENGTHS)}
"""The axes of these operations, by name."""

TO_LIST = {1: "to_list", 2: "to_rows", 3: "layers_of"}
"""Operations that make lists of whole arrays, by their axes."""

OF_LIST = {1: "of_list", 2: "of_rows", 3: "of_layers"}
"""Operations that make whole arrays of lists, by their axes."""
