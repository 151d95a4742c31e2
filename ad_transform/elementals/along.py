"""Matrices along an axis: sorted, and products one after another.

`along(x, i)` takes elements by a matrix of indices that is a permutation of each line,
so that its transpose takes them back. `recurred_rows(x, b)` has the rows w[k] = b[k] +
x[k] * w[k - 1].
"""

from __future__ import annotations

from ad_transform.elementals.orders import RUNNING, SORTED, running
from ad_transform.elementals.parts import whole_row as _whole
from ad_transform.ir.elemental import EXACT, Elemental

_AXES = (("rows", 0), ("columns", 1))

_CHAIN = "backwards(recurred_rows(behind_ones(backwards(x)), backwards(v_bar)))"
_OTHERS = (
    "behind_ones(cumulated_product_rows(x)) * "
    "backwards(behind_ones(cumulated_product_rows(backwards(x))))"
)
_EARLIER = "placed_cut_to(cut_from(v_bar, 1), x, -1)"
_RUNNING = running("behind_infs", "behind_ones", "recurred_rows")
_BEHIND = "np.concatenate((np.{}((1, np.shape(x)[1])), x[:-1]))"

# fmt: off
ROWS: tuple[Elemental, ...] = (
    *(_whole(f"argsort_{axis}", "x", f"np.argsort(x, axis={k})", "places in x", "",
             ulps=EXACT) for axis, k in _AXES),
    *(_whole(f"along_{axis}", "x i", f"np.take_along_axis(x, i, axis={k})",
             "shape of x", f"x: along_{axis}(v_bar, argsort_{axis}(i))", ulps=EXACT)
      for axis, k in _AXES),
    *(_whole(f"in_order_{axis}", "x", f"np.sort(x, axis={k})", "shape of x",
             f"x: along_{axis}(v_bar, argsort_{axis}(argsort_{axis}(x)))",
             f"x: along_{axis}(x_dot, argsort_{axis}(x))", ulps=EXACT, kink=SORTED)
      for axis, k in _AXES),
    _whole("product_rows", "x", "np.prod(x, axis=0)", "rows gone",
           f"x: row(v_bar) * ({_OTHERS})", f"x: sum_rows({_OTHERS} * x_dot)"),
    _whole("cumulated_product_rows", "x", "np.cumprod(x, axis=0)", "shape of x",
           f"x: behind_ones(v) * {_CHAIN}",
           "x: recurred_rows(x, x_dot * behind_ones(v))"),
    _whole("behind_ones", "x", _BEHIND.format("ones"), "shape of x",
           f"x: {_EARLIER}", "x: behind_zeros(x_dot)", ulps=EXACT,
           classes=("call",) * 3),
    _whole("behind_zeros", "x", _BEHIND.format("zeros"), "shape of x",
           f"x: {_EARLIER}", ulps=EXACT, classes=("call",) * 3),
    *(_whole(f"running_{name}_rows", "x", f"np.{ufunc}.accumulate(x, axis=0)",
             "shape of x", *_RUNNING, ulps=EXACT, kink=RUNNING)
      for name, ufunc in (("max", "maximum"), ("min", "minimum"))),
    _whole("behind_infs", "x",
           "np.concatenate((np.full((1, np.shape(x)[1]), np.inf), x[:-1]))",
           "shape of x", f"x: {_EARLIER}", "x: behind_zeros(x_dot)", ulps=EXACT,
           classes=("call",) * 3),
    _whole("recurred_rows", "x b",
           "np.array(_recurred(list(x), list(b))).reshape(np.shape(x))", "shape of x",
           f"b: {_CHAIN} | x: {_CHAIN} * behind_zeros(v)",
           "b: recurred_rows(x, b_dot) | x: recurred_rows(x, x_dot * behind_zeros(v))",
           classes=("call",) * 6),
)
# fmt: on
