"""Arrays of three axes as lines of their elements, and as lists of layers.

`layered(x, l, m, n)` is the array whose elements are a line.

`stretched(x, i, j, p)` has each of i runs of p elements j times; `sum_between` is its
transpose. `axes_swapped(x, i, j, p)` are i layers of j rows of p elements, their rows
as columns. `layer_products(x, y, i, j, p, q)` are i products of a matrix of j rows and
p columns with one of p rows and q columns.
"""

from __future__ import annotations

from ad_transform.elementals.parts import whole_row as _whole
from ad_transform.ir.elemental import EXACT, Elemental

_CALLS = ("call",) * 3

# fmt: off
ROWS: tuple[Elemental, ...] = (
    _whole("to_layers", "value layers rows columns",
           "value.reshape((layers, rows, columns)).tolist()", "declared",
           "value: line_of_layers(v_bar)", linear=True, ulps=EXACT,
           classes=("call",) * 2),
    _whole("layered", "value layers rows columns",
           "value.reshape((layers, rows, columns))", "declared",
           "value: raveled(v_bar)", ulps=EXACT),
    _whole("of_layers", "array", "np.array(array)", "value of list",
           "array: added_layers(bar, layers_of(v_bar))", ulps=EXACT),
    _whole("layers_of", "x", "x.tolist()", "list", "x: of_layers(v_bar)", linear=True,
           ulps=EXACT),
    _whole("stretched", "x i j p",
           "np.ravel(np.repeat(np.reshape(x, (i, p)), j, axis=0))", "line",
           "x: sum_between(v_bar, i, j, p)", ulps=EXACT, classes=_CALLS),
    _whole("sum_between", "x i j p",
           "np.ravel(np.sum(np.reshape(x, (i, j, p)), axis=1))", "line",
           "x: stretched(v_bar, i, j, p)", classes=_CALLS),
    _whole("axes_swapped", "x i j p",
           "np.ravel(np.swapaxes(np.reshape(x, (i, j, p)), 1, 2))", "line",
           "x: axes_swapped(v_bar, i, p, j)", ulps=EXACT, classes=_CALLS),
    _whole("layer_products", "x y i j p q",
           "np.ravel(np.matmul(np.reshape(x, (i, j, p)), np.reshape(y, (i, p, q))))",
           "longer",
           "x: layer_products(v_bar, axes_swapped(y, i, p, q), i, j, q, p) | "
           "y: layer_products(axes_swapped(x, i, j, p), v_bar, i, p, j, q)",
           "x: layer_products(x_dot, y, i, j, p, q) | "
           "y: layer_products(x, y_dot, i, j, p, q)", classes=("call",) * 4),
)
# fmt: on
