"""Helpers of rounding-error estimates, as text printed into generated files."""

from __future__ import annotations

# Each text is black-stable, typed, and uses nothing but what its row names from math.
ESTIMATES: dict[str, str] = {
    "_small_bound": '''\
def _small_bound(total: float, values: tuple[float, ...]) -> float:
    """Half a tiny total and what underflow may have taken from it; infinity for NaN."""
    if total != total:
        return inf
    if total == 0.0:
        return 0.0
    return 0.5 * total + 2.0**-1070 * (1.0 + len(values) * max(map(abs, values)))
''',
    "_total": '''\
def _total(terms: tuple[float, ...]) -> float:
    """The sum rounded once; NaN where it is not finite."""
    return fsum(terms) if max(map(abs, terms)) < 1e300 else nan
''',
    "_lost": '''\
def _lost(values: tuple[float, ...]) -> float:
    """What underflow may have taken from adjoints of these values, at most."""
    lost = 2.0**-1070 * len(values) * max(map(abs, values))
    return lost if lost > 1e-300 else 0.0
''',
    "_sum_error": '''\
def _sum_error(total: float, terms: tuple[float, ...]) -> float:
    """The rounding error of a sum, exactly, however it was computed."""
    if not all(map(isfinite, (total, *terms))) or max(map(abs, terms)) > 1e300:
        return inf
    return -fsum((-total, *terms))
''',
}

# What each helper needs: names from math.
ESTIMATE_IMPORTS: dict[str, tuple[str, ...]] = {
    "_small_bound": ("inf",),
    "_total": ("fsum", "nan"),
    "_lost": (),
    "_sum_error": ("fsum", "inf", "isfinite"),
}
