"""Helpers of rounding-error estimates, as text printed into generated files."""

from __future__ import annotations

ESTIMATES: dict[str, str] = {
    "_largest": '''\
def _largest(values: tuple[float, ...]) -> float:
    """The largest magnitude."""
    return max(map(abs, values))
''',
    "_small_bound": '''\
def _small_bound(total: float, largest: float) -> float:
    """Half a tiny total and what underflow may have taken from it; infinity for NaN."""
    if total != total:
        return inf
    return 0.5 * total + 2.0**-1050 * largest + 2.0**-1060
''',
    "_are_doubles": '''\
def _are_doubles(values: tuple[float, ...]) -> bool:
    """Whether no value is complex, or a whole number too large for a double."""
    wide = (isinstance(v, int) and abs(v) > 2**1023 for v in values)
    return not any(wide) and not any(isinstance(v, complex) for v in values)
''',
    "_total": '''\
def _total(terms: list[float] | tuple[float, ...]) -> float:
    """The sum rounded once; no number where it overflows on the way."""
    try:
        return fsum(terms)
    except (OverflowError, ValueError):
        return nan
''',
    "_lost": '''\
def _lost(largest: float) -> float:
    """What underflow may have taken from products of values up to the largest."""
    lost = 2.0**-1050 * largest
    return lost if lost > 1e-300 else 0.0
''',
    "_remainder_of": '''\
_FUSED = getattr(math, "fma", None)  # Python 3.13 has it


def _remainder_of(x: float, y: float, z: float) -> float:
    """x * y - z exactly, for a product close to z: fused, or by Dekker's product."""
    if _FUSED is not None and x - x == y - y == z - z == 0.0:
        return float(_FUSED(x, y, -z))
    p = x * y
    c = 134217729.0 * x
    x1 = c - (c - x)
    x2 = x - x1
    c = 134217729.0 * y
    y1 = c - (c - y)
    y2 = y - y1
    return p - z - (p - x1 * y1 - x1 * y2 - x2 * y1 - x2 * y2)
''',
    "_share": '''\
def _share(part: float, whole: float) -> float:
    """The part over the whole; 0 where there is no whole."""
    return part / whole if 0.0 < abs(whole) < inf else 0.0
''',
    "_digits_lost": '''\
def _digits_lost(total: float, x: float, y: float) -> float:
    """Decimal digits cancelled in a sum of x and y, 16 where nothing is left."""
    if not 0.0 < abs(total) < inf:
        return 16.0 if total == 0.0 and x != 0.0 else 0.0
    most = max(abs(x), abs(y), abs(total))
    return log10(most) - log10(abs(total)) if most < inf else 0.0
''',
    "_sum_error": '''\
def _sum_error(total: float, terms: list[float] | tuple[float, ...]) -> float:
    """The rounding error of a sum, exactly, however it was computed."""
    every = (-total, *terms)
    if not all(map(isfinite, every)) or max(map(abs, every)) > 1e300:
        return inf
    return -fsum(every)
''',
    # Enclosures: computed less exact lies within `radius` of `center`; x has the shift
    # (cx, rx), y has (cy, ry), v is the result, and radii are rounded up.
    "_up": '''\
def _up(radius: float) -> float:
    """Above the exact sum of ten rounded products, however small."""
    return radius * (1.0 + 2.0**-48) + 2.0**-1070
''',
    "_sum_radius": '''\
def _sum_radius(radii: tuple[float, ...], centers: tuple[float, ...]) -> float:
    """Radius of a sum of shifts."""
    if not any(radii) and sum(map(bool, centers)) < 2:
        return 0.0
    slack = len(centers) * 2.0**-52 * sum(map(abs, centers))
    return (sum(radii) + slack) * (1.0 + len(radii) * 2.0**-48) + 2.0**-1070
''',
    "_product_center": '''\
def _product_center(error: float, x: float, cx: float, y: float, cy: float) -> float:
    """Center of the shift of x * y, whose own rounding error is known."""
    return y * cx + x * cy - cx * cy + error
''',
    "_product_radius": '''\
def _product_radius(
    v: float,
    x: float,
    cx: float,
    rx: float,
    y: float,
    cy: float,
    ry: float,
    error: float,
) -> float:
    """Radius of the shift of v = x * y."""
    if cx == rx == cy == ry == 0.0 and (abs(v) > 1e-290 or x == 0.0 or y == 0.0):
        return 2.0**-50 * abs(error)
    radius = (abs(y) + abs(cy)) * rx + (abs(x) + abs(cx)) * ry + rx * ry
    known = abs(y * cx) + abs(x * cy) + abs(cx * cy) + abs(error)
    return _up(radius + 2.0**-50 * known)
''',
    "_quotient_center": '''\
def _quotient_center(v: float, cx: float, y: float, cy: float, rest: float) -> float:
    """Center of the shift of v = x / y, where v * y - x = rest."""
    return (rest + cx - v * cy) / (y - cy) if y != cy else 0.0
''',
    "_quotient_radius": '''\
def _quotient_radius(
    center: float,
    v: float,
    x: float,
    cx: float,
    rx: float,
    y: float,
    cy: float,
    ry: float,
    rest: float,
) -> float:
    """Radius of the shift of v = x / y; infinite where y may be 0."""
    if x == cx == rx == 0.0 and abs(y) > abs(cy) + ry:
        return 0.0
    least = abs(y - cy) * (1.0 - 2.0**-50) - ry
    if not least > 0.0:
        return inf
    known = abs(rest) + abs(cx) + abs(v * cy)
    if cx == rx == cy == ry == rest == 0.0 and abs(x) > 1e-289:
        return 0.0
    lost = 0.0 if abs(x) > 1e-289 else 2.0**-1070
    radius = rx + (abs(v) + abs(center)) * ry + 2.0**-49 * known + lost
    return _up(radius / least + 2.0**-49 * abs(center))
''',
    "_root_center": '''\
def _root_center(v: float, x: float, cx: float, rest: float) -> float:
    """Center of the shift of v = sqrt(x), where v * v - x = rest."""
    both = v + sqrt(max(x - cx, 0.0))
    return (rest + cx) / both if both > 0.0 else 0.0
''',
    "_root_radius": '''\
def _root_radius(
    center: float, v: float, x: float, cx: float, rx: float, rest: float
) -> float:
    """Radius of the shift of v = sqrt(x); infinite where x may be negative."""
    if cx == rx == rest == 0.0 and (x > 1e-289 or x == 0.0):
        return 0.0
    middle = x - cx
    least = middle - rx
    if cx != 0.0 or rx != 0.0:
        least -= 2.0**-50 * (x + abs(cx) + rx)
    if not least >= 0.0:
        return inf
    slack = rx + 2.0**-49 * (abs(rest) + abs(cx)) + (0.0 if x > 1e-289 else 2.0**-1070)
    if not least > 0.0:
        return _up(sqrt(abs(rest) + abs(cx) + slack) + abs(center))
    turn = abs(center) * rx / (sqrt(least) + sqrt(middle))
    radius = (slack + turn) / (v + sqrt(least))
    return _up(radius + 2.0**-49 * abs(center))
''',
    "_image_radius": '''\
def _image_radius(
    error: float, slope: float, slack: float, turn: float, cx: float, rx: float
) -> float:
    """Radius of the shift of a function of x: its own error, slope and its turn."""
    reach = abs(cx) + rx
    if reach == 0.0:
        return error
    known = 2.0**-48 * (abs(slope) + slack) * abs(cx)
    return _up(error + abs(slope) * rx + 0.5 * turn * reach + known)
''',
    "_power_radius": '''\
def _power_radius(
    error: float, v: float, x: float, y: float, cx: float, rx: float
) -> float:
    """Radius of the shift of v = x**y, whose center is v * y * (cx / x)."""
    reach = abs(cx) + rx
    if reach == 0.0:
        return error
    share = reach / abs(x) if x != 0.0 else inf
    if not share * (1.0 + abs(y)) < 0.25:
        return inf
    slope = abs(v * y)
    bend = 1.5 * abs(v * y * (y - 1.0)) * share * share
    return _up(error + slope * (rx / abs(x)) + bend + 2.0**-48 * slope * share)
''',
    "_angle_radius": '''\
def _angle_radius(error: float, y: float, x: float, dy: float, dx: float) -> float:
    """Radius of the shift of atan2(y, x) for arguments shifted by dy and dx at most."""
    if dy == dx == 0.0:
        return error
    nearest = hypot(x, y) * (1.0 - 2.0**-48) - dx - dy
    if not nearest > 0.0 or (x <= dx and abs(y) <= dy):
        return inf
    return _up(error + (dx + dy) / nearest)
''',
    "_step_radius": '''\
def _step_radius(margin: float, reach: float) -> float:
    """0 where no step is within reach of a number, which is so far from the nearest."""
    return 0.0 if reach == 0.0 or margin > reach else inf
''',
    "_undecided": '''\
def _undecided(x: float, y: float, reach: float) -> float:
    """0 where errors within reach turn no comparison of x and y, else infinity."""
    if abs(x - y) > 1.0000001 * reach:
        return 0.0
    return 0.0 if reach == 0.0 and x - y == x - y else inf
''',
    "_sum_lost": '''\
def _sum_lost(total: float, x: float, y: float) -> float:
    """The rounding error of total = x + y, exactly."""
    part = total - x
    return total - part - x + (part - y)
''',
    "_whole_quotient": '''\
def _whole_quotient(x: float, y: float, v: float) -> float:
    """The whole number q of v = x - q * y; NaN where it is too large to know."""
    q = (x - v) / y if y != 0.0 else nan
    return float(round(q)) if abs(q) < 2.0**50 else nan
''',
    "_modulo_radius": '''\
def _modulo_radius(
    error: float,
    size: float,
    least: float,
    most: float,
    y: float,
    q: float,
    cx: float,
    rx: float,
    cy: float,
    ry: float,
) -> float:
    """Radius of the shift of x - q * y; infinite where q may be another number.

    Its size has to stay between `least` and `most` times abs(y).
    """
    if cx == rx == cy == ry == 0.0:
        return error
    known = abs(cx) + abs(q * cy)
    radius = _up(error + rx + abs(q) * ry + 2.0**-49 * known)
    reach = _up(known + radius) + 2.0**-50 * abs(size)
    width = abs(y) - _up(abs(cy) + ry)
    if reach - size <= -least * width and size + reach < most * width:
        return radius
    return inf
''',
    "_low": '''\
def _low(center: float, radius: float) -> float:
    """Lower end of what has to be added to a value; -inf where there is no bound."""
    if center == radius == 0.0:
        return 0.0
    if not abs(center) + radius < inf:
        return -inf
    return -(center + radius) - 2.0**-51 * (abs(center) + radius) - 2.0**-1070
''',
    "_high": '''\
def _high(center: float, radius: float) -> float:
    """Upper end of what has to be added to a value; inf where there is no bound."""
    return -_low(-center, radius) if center != 0.0 or radius != 0.0 else 0.0
''',
}
