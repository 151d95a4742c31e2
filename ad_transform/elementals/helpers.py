"""Functions that `math` lacks, as text printed into generated files and run here."""

from __future__ import annotations

from typing import Any

from ad_transform.elementals.estimates import ESTIMATE_IMPORTS, ESTIMATES
from ad_transform.elementals.printed import entropy, gamma, logistic, normal, removable

# Each text is black-stable, typed, and uses nothing but what its row names from math.
HELPERS: dict[str, str] = {
    **gamma.TEXTS,
    "_logaddexp": '''\
def _logaddexp(x: float, y: float) -> float:
    """Logarithm of exp(x) + exp(y) without overflow."""
    if x == y:
        return x + log(2.0)
    return (x if x > y else y) + log1p(exp(-abs(x - y)))
''',
    "_sumprod": '''\
def _sumprod(p: tuple[float, ...], q: tuple[float, ...]) -> float:
    """Sum of products as `math.sumprod` of Python 3.12 has it, rounded once."""
    if hasattr(math, "sumprod"):
        return float(math.sumprod(p, q))
    if not all(map(isfinite, p + q)):
        return sum(a * b for a, b in zip(p, q))
    top, bottom = 0, 1
    for a, b in zip(p, q):
        (m, n), (r, s) = a.as_integer_ratio(), b.as_integer_ratio()
        top, bottom = top * n * s + m * r * bottom, bottom * n * s
    return top / bottom
''',
    "_fma": '''\
def _fma(x: float, y: float, z: float) -> float:
    """Fused multiply-add as `math.fma` of Python 3.13 has it, rounded once."""
    if hasattr(math, "fma"):
        return float(math.fma(x, y, z))
    if not (isfinite(x) and isfinite(y) and isfinite(z)):
        return x * y + z
    (a, b), (c, d), (e, f) = (t.as_integer_ratio() for t in (x, y, z))
    top = a * c * f + e * b * d
    return top / (b * d * f) if top else x * y + z
''',
    **normal.TEXTS,
    **logistic.TEXTS,
    **entropy.TEXTS,
    **removable.TEXTS,
    **ESTIMATES,
}

# What each helper needs: names from math, the module itself as "math", other helpers.
HELPER_IMPORTS: dict[str, tuple[str, ...]] = {
    **gamma.NEEDS,
    "_logaddexp": ("exp", "log", "log1p"),
    "_sumprod": ("math", "isfinite"),
    "_fma": ("math", "isfinite"),
    **normal.NEEDS,
    **logistic.NEEDS,
    **entropy.NEEDS,
    **removable.NEEDS,
    **ESTIMATE_IMPORTS,
}


def _defined() -> dict[str, Any]:
    scope: dict[str, Any] = {}
    exec("import math\nfrom math import *\n" + "\n".join(HELPERS.values()), scope)
    return scope


_SCOPE: dict[str, Any] = {}


def run(name: str, *args: Any) -> float:
    """What the printed helper of this name returns."""
    if not _SCOPE:
        _SCOPE.update(_defined())
    return float(_SCOPE[name](*args))
