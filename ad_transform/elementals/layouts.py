"""Whole arrays repeated, cut to triangles, rounded; the rest of linear algebra."""

from __future__ import annotations

from ad_transform.dataclass import replace
from ad_transform.elementals.parts import whole_row as _whole
from ad_transform.ir.elemental import EXACT, Elemental

_CALLS = ("call",) * 2

# fmt: off
ROWS: tuple[Elemental, ...] = (
    _whole("repeated", "x i", "np.repeat(x, i)", "longer", "x: sum_of_each(v_bar, i)",
           ulps=EXACT),
    _whole("sum_of_each", "x i", "x.reshape((-1, i)).sum(axis=1)", "longer",
           "x: repeated(v_bar, i)", classes=_CALLS),
    _whole("tiled", "x i", "np.tile(x, i)", "longer", "x: sum_of_tiles(v_bar, i)",
           ulps=EXACT),
    _whole("sum_of_tiles", "x i", "x.reshape((i, -1)).sum(axis=0)", "longer",
           "x: tiled(v_bar, i)", classes=_CALLS),
    *(_whole(f"{name}_from", "x i", f"np.{call}(x, i)", "shape of x",
             f"x: {name}_from(v_bar, i)", ulps=EXACT)
      for name, call in (("lower", "tril"), ("upper", "triu"))),
    *(_whole(f"{name}_each", "x", f"np.{name}(x)", "floats like x", "", ulps=EXACT)
      for name in ("floor", "ceil", "trunc", "rint")),
    # a line of i layers of j rows of p elements as rows of j, and back
    _whole("rows_across", "x i j p",
           "np.reshape(np.swapaxes(np.reshape(x, (i, j, p)), 1, 2), (i * p, j))",
           "lines across", "x: line_along(v_bar, i, j, p)", ulps=EXACT,
           classes=("call", "call", "call", "mul")),
    _whole("line_along", "x i j p",
           "np.ravel(np.swapaxes(np.reshape(x, (i, p, j)), 1, 2))", "longer",
           "x: rows_across(v_bar, i, j, p)", ulps=EXACT, classes=("call",) * 3),
    # rows in a list, of which there may be none
    replace(
        _whole("rows_in_list", "array i j",
               "np.array(array, dtype=float).reshape((i, j))", "value of list",
               "array: added_rows(bar, to_list(v_bar))", ulps=EXACT,
               classes=("call",) * 2),
        compute=lambda rows, i, j: rows),
    _whole("cross", "x y", "np.cross(x, y)", "shape of x",
           "x: cross(y, v_bar) | y: cross(v_bar, x)",
           "x: cross(x_dot, y) | y: cross(x, y_dot)"),
    _whole("convolved", "x y", "np.convolve(x, y)", "convolved",
           "x: correlated(v_bar, y) | y: correlated(v_bar, x)",
           "x: convolved(x_dot, y) | y: convolved(x, y_dot)"),
    _whole("correlated", "x y", 'np.correlate(x, y, "valid")', "correlated",
           "x: convolved(v_bar, y) | y: correlated(x, v_bar)",
           "x: correlated(x_dot, y) | y: correlated(x, y_dot)"),
    _whole("log_determinant", "x", "float(np.linalg.slogdet(x)[1])", "mean",
           "x: v_bar * turned(inverse(x))", "x: trace(all_solved_for(x, x_dot))",
           classes=_CALLS),
    _whole("sign_of_determinant", "x", "float(np.linalg.slogdet(x)[0])", "mean", "",
           classes=_CALLS),
    _whole("pivots", "x", "np.array(_pivots(x.tolist()), dtype=int)", "lines", "",
           ulps=EXACT, classes=("call",) * 3),
    _whole("frobenius", "x", 'float(np.linalg.norm(x, "fro"))', "mean",
           "x: (v_bar / v if v != 0 else 0.0) * x",
           "x: sum_all(x * x_dot) / v if v != 0 else 0.0", classes=_CALLS),
    *(_whole(f"arg{name}_{axis}", "x", f"np.arg{name}(x, axis={k})", result, "",
             ulps=EXACT)
      for name in ("max", "min")
      for k, (axis, result) in enumerate((("rows", "stacks"), ("columns", "lines")))),
    _whole("whole_sum", "x", "int(np.sum(x))", "length", "", ulps=EXACT,
           classes=_CALLS),
    _whole("true_places", "x", "np.flatnonzero(x)", "some places", "", ulps=EXACT),
    *(_whole(f"{name}_{side}", "i j", f"np.{call}_indices(i, j)[{k}]", "some places",
             "", ulps=EXACT)
      for name, call in (("upper", "triu"), ("lower", "tril"))
      for k, side in enumerate(("rows", "columns"))),
    *(_whole(f"whole_{name}", "x", f"int(np.{name}(x))", "length", "", ulps=EXACT,
             classes=_CALLS) for name in ("max", "min")),
)
# fmt: on
