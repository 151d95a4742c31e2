"""Functions that `math` lacks, as text printed into generated files and run here."""

from __future__ import annotations

import ast
import math
from functools import cache
from typing import Any

from ad_transform.elementals.estimates import ESTIMATES
from ad_transform.elementals.printed import (
    arrays,
    checkpoints,
    entropy,
    flat,
    gamma,
    logistic,
    normal,
    removable,
    rotations,
    systems,
)

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
    **arrays.TEXTS,
    **checkpoints.TEXTS,
    **systems.TEXTS,
    **flat.TEXTS,
    **rotations.TEXTS,
    **ESTIMATES,
}
"""By name, in the order in which generated files hold them. Each text is typed and laid
out as black would; it reads names of `math`, the module itself, and other helpers.
"""


def needs(name: str) -> tuple[str, ...]:
    """The names that a helper reads: names of `math`, the module as "math", other
    helpers.
    """
    return _free(HELPERS[name])


@cache
def _free(text: str) -> tuple[str, ...]:
    nodes = list(ast.walk(ast.parse(text)))
    bound = {node.arg for node in nodes if isinstance(node, ast.arg)}
    names = [node for node in nodes if isinstance(node, ast.Name)]
    bound |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
    read = dict.fromkeys(node.id for node in names if node.id not in bound)
    return tuple(n for n in read if n == "math" or n in HELPERS or hasattr(math, n))


_SCOPE: dict[str, Any] = {}


def run(name: str, *args: Any) -> float:
    """The number that the printed helper of this name returns."""
    return float(called(name, *args))


def called(name: str, *args: Any) -> Any:
    """The result of the printed helper of this name."""
    if not _SCOPE:
        exec("import math\nfrom math import *\n" + "\n".join(HELPERS.values()), _SCOPE)
    elif name not in _SCOPE:
        exec(HELPERS[name], _SCOPE)  # of a row that has been added since
    return _SCOPE[name](*args)


NUMPY = ("np", "numpy", "_np")
"""Names for numpy in an output; the first free one is taken."""
