"""Whole arrays in order: sorted, looked up, interpolated; products one after another.

A sorted array is its elements at `argsort(x)`: equal ones keep the derivatives of the
places where numpy has put them. `recurred(x, b)` has the elements w[k] = b[k] + x[k] *
w[k - 1], with which products are differentiated, zeros among their factors or not, and
the largest elements so far, each the maximum of an element and the one before.
"""

from __future__ import annotations

from ad_transform.elementals.parts import whole_row as _whole
from ad_transform.ir.elemental import EXACT, Elemental

_CALLS = ("call",) * 2
SORTED = "equal elements of a sorted array have the derivatives of their own places"
RUNNING = "equal elements of running extremes share their derivative, two by two"
_AT_POINTS = "interp(x, ...) has, at a point, the slope of the piece behind it"

# --- elements in order ----------------------------------------------------------------

_AT = "whole_at(argsort(x), {})"
_BELOW = _AT.format("floordiv(length(x) - 1, 2)")
_ABOVE = _AT.format("floordiv(length(x), 2)")

_J = "(lambda j: {})(int(q * (length(x) - 1)))"
_REST = "(q * (length(x) - 1) - j)"
_FIRST, _NEXT = _AT.format("j"), _AT.format("min(j + 1, length(x) - 1)")
_RISE = f"(pick({{0}}, {_NEXT}) - pick({{0}}, {_FIRST}))"

# --- between points -------------------------------------------------------------------


def _between(read: str, place: str, test: str, bounded: str) -> tuple[str, str]:
    """Templates of transposes and tangents of the value interpolated at x.

    Between the points j and j + 1 it is (1 - w) f[j] + w f[j + 1]; outside of all, the
    nearest. `read` takes elements, `test` chooses by whether x is inside.
    """
    one, other = (f"{read}({{}}, {at})" for at in ("j", "j + 1"))
    width = f"({other.format('p')} - {one.format('p')})"
    share = bounded.format(f"(x - {one.format('p')}) / {width}")
    slope = test.format(f"({other.format('f')} - {one.format('f')}) / {width}")
    let = f"(lambda j: (lambda w: {{}})({share}))({place})"
    back = f"placed_{read}({{0}} * (1.0 - w), {{1}}, j)"
    back = f"{back} + placed_{read}({{0}} * w, {{1}}, j + 1)"
    forth = f"(1.0 - w) * {one} + w * {other}"
    transposes = (
        f"x: {let.format(f'v_bar * {slope}')}",
        f"f: {let.format(back.format('v_bar', 'f'))}",
        f"p: {let.format(back.format(f'-(v_bar * {slope})', 'p'))}",
    )
    tangents = (
        f"x: {let.format(f'{slope} * x_dot')}",
        f"f: {let.format(forth.format('f_dot', 'f_dot'))}",
        f"p: {let.format(f'-({slope} * ({forth}))'.format('p_dot', 'p_dot'))}",
    )
    return " | ".join(transposes), " | ".join(tangents)


_FIRST_POINT, _LAST_POINT = "pick(p, 0)", "pick(p, length(p) - 1)"
_AT_ONE = _between(
    "pick",
    "max(min(place_behind(p, x) - 1, length(p) - 2), 0)",
    f"(({{}} if x <= {_LAST_POINT} else 0.0) if x >= {_FIRST_POINT} else 0.0)",
    "min(max({}, 0.0), 1.0)",
)
_AT_ALL = _between(
    "taken",
    "held(places_behind(p, x) - 1, length(p) - 2)",
    f"where(x < {_FIRST_POINT}, 0.0, where(x > {_LAST_POINT}, 0.0, {{}}))",
    "minimum(maximum({}, 0.0), 1.0)",
)

# --- products -------------------------------------------------------------------------

_CHAIN = "backwards(recurred(behind_one(backwards(x)), backwards(v_bar)))"
_OTHERS = (
    "behind_one(cumulated_product(x)) * "
    "backwards(behind_one(cumulated_product(backwards(x))))"
)
_EARLIER = "placed_cut_to(cut_from(v_bar, 1), x, -1)"


def running(behind: str, first: str, recurred: str) -> tuple[str, str]:
    """The transpose and the tangent of the largest, or smallest, elements so far."""
    share = f"where(x == v, where(v == {behind}(v), 0.5, 1.0), 0.0)"
    chain = f"s * backwards({recurred}({first}(backwards(1.0 - s)), backwards(v_bar)))"
    forth = f"{recurred}(1.0 - s, s * x_dot)"
    return f"x: (lambda s: {chain})({share})", f"x: (lambda s: {forth})({share})"


_RUNNING = running("behind_inf", "behind_one", "recurred")

# fmt: off
ROWS: tuple[Elemental, ...] = (
    _whole("argsort", "x", "np.argsort(x)", "places in x", "", ulps=EXACT),
    _whole("ranked", "x", 'np.argsort(x, kind="stable")', "places in x", "",
           ulps=EXACT),
    _whole("in_order", "x", "np.sort(x)", "shape of x",
           "x: placed_taken(v_bar, x, argsort(x))", "x: taken(x_dot, argsort(x))",
           ulps=EXACT, kink=SORTED),
    _whole("median", "x", "float(np.median(x))", "mean",
           f"x: placed_pick(0.5 * v_bar, x, {_BELOW}) + "
           f"placed_pick(0.5 * v_bar, x, {_ABOVE})",
           f"x: 0.5 * (pick(x_dot, {_BELOW}) + pick(x_dot, {_ABOVE}))",
           classes=_CALLS, kink=SORTED),
    _whole("quantile", "x q", "float(np.quantile(x, q))", "mean",
           "x: " + _J.format(f"placed_pick(v_bar * (1.0 - {_REST}), x, {_FIRST}) + "
                             f"placed_pick(v_bar * {_REST}, x, {_NEXT})") +
           " | q: " + _J.format(
               f"v_bar * ((length(x) - 1) * {_RISE.format('x')})"),
           "x: " + _J.format(f"(1.0 - {_REST}) * pick(x_dot, {_FIRST}) + "
                             f"{_REST} * pick(x_dot, {_NEXT})") +
           " | q: " + _J.format(f"((length(x) - 1) * {_RISE.format('x')}) * q_dot"),
           classes=_CALLS, kink=SORTED),
    _whole("place_behind", "p x", 'int(np.searchsorted(p, x, "right"))', "length", "",
           ulps=EXACT, classes=_CALLS),
    _whole("place_before", "p x", "int(np.searchsorted(p, x))", "length", "",
           ulps=EXACT, classes=_CALLS),
    _whole("places_behind", "p x", 'np.searchsorted(p, x, "right")', "places in y", "",
           ulps=EXACT),
    _whole("places_before", "p x", "np.searchsorted(p, x)", "places in y", "",
           ulps=EXACT),
    _whole("held", "x i", "np.clip(x, 0, i)", "shape of x", "", ulps=EXACT),
    _whole("interpolated", "x p f", "float(np.interp(x, p, f))", "mean", *_AT_ONE,
           classes=_CALLS, kink=_AT_POINTS),
    _whole("all_interpolated", "x p f", "np.interp(x, p, f)", "shape of x", *_AT_ALL,
           kink=_AT_POINTS),
    _whole("product_of", "x", "float(np.prod(x))", "mean", f"x: v_bar * ({_OTHERS})",
           f"x: dot({_OTHERS}, x_dot)", classes=_CALLS),
    _whole("cumulated_product", "x", "np.cumprod(x)", "shape of x",
           f"x: behind_one(v) * {_CHAIN}", "x: recurred(x, x_dot * behind_one(v))"),
    _whole("behind_one", "x", "np.concatenate(([1.0], x[:-1]))", "shape of x",
           f"x: {_EARLIER}", "x: behind_zero(x_dot)", ulps=EXACT),
    _whole("behind_zero", "x", "np.concatenate(([0.0], x[:-1]))", "shape of x",
           f"x: {_EARLIER}", ulps=EXACT),
    *(_whole(f"running_{name}", "x", f"np.{ufunc}.accumulate(x)", "shape of x",
             *_RUNNING, ulps=EXACT, kink=RUNNING)
      for name, ufunc in (("max", "maximum"), ("min", "minimum"))),
    _whole("behind_inf", "x", "np.concatenate(([np.inf], x[:-1]))", "shape of x",
           f"x: {_EARLIER}", "x: behind_zero(x_dot)", ulps=EXACT),
    _whole("recurred", "x b", "np.array(_recurred(x.tolist(), b.tolist()))",
           "shape of x", f"b: {_CHAIN} | x: {_CHAIN} * behind_zero(v)",
           "b: recurred(x, b_dot) | x: recurred(x, x_dot * behind_zero(v))",
           classes=("call",) * 4),
)
# fmt: on
