"""A numpy of sixty digits: arrays are arrays of objects, functions those of mpmath."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import exact
import numpy as np
from mpmath import matrix, mp, mpf


def lifted(value: Any) -> Any:
    """Numbers and arrays as those of sixty digits; whole numbers stay as they are."""
    if isinstance(value, float):
        return mpf(value)
    if isinstance(value, list | np.ndarray):
        found = np.empty(np.shape(value), dtype=object)
        for place in np.ndindex(found.shape):
            found[place] = lifted(np.asarray(value, dtype=object)[place])
        return found
    return value


def _each(function: Callable[..., Any], count: int) -> Callable[..., Any]:
    return np.frompyfunc(function, count, 1)


def _norm(x: Any, axis: int | None = None) -> Any:
    return _each(mp.sqrt, 1)(np.sum(np.asarray(x) ** 2, axis=axis))


def _std(x: Any, axis: int | None = None, ddof: int = 0) -> Any:
    return _each(mp.sqrt, 1)(np.var(x, axis=axis, ddof=ddof))


def _made(fill: float) -> Callable[..., Any]:
    def make(shape: Any, *_: Any) -> Any:
        found = np.empty(
            np.shape(shape) if isinstance(shape, np.ndarray) else shape, object
        )
        found[...] = mpf(fill)
        return found

    return make


def _of_matrix(function: Callable[..., Any]) -> Callable[..., Any]:
    def apply(*args: Any) -> Any:
        made = function(*(matrix(a.tolist()) for a in args))
        if not isinstance(made, matrix):
            return made
        shape = np.shape(args[-1])
        found = np.empty(shape, dtype=object)
        found[...] = np.array(made.tolist(), dtype=object).reshape(shape)
        return found

    return apply


def _solve(a: Any, b: Any) -> Any:
    """mpmath takes one right side at a time."""
    if np.ndim(b) == 1:
        return _of_matrix(mp.lu_solve)(a, b)
    return np.array([_solve(a, column) for column in b.T], dtype=object).T


def _quantile(x: Any, q: Any) -> Any:
    y = sorted(np.ravel(x))
    place = mpf(q) * (len(y) - 1)
    k = int(mp.floor(place))
    return y[k] + (place - k) * (y[min(k + 1, len(y) - 1)] - y[k])


def _interp(x: Any, p: Any, f: Any) -> Any:
    """Between points in order; the last one that is not above x is where it begins."""
    if np.ndim(x):
        return np.array([_interp(v, p, f) for v in x], dtype=object)
    p, f = lifted(p), lifted(f)
    k = sum(v <= x for v in p)
    if k in (0, len(p)):
        return f[0] if k == 0 else f[-1]
    return f[k - 1] + (f[k] - f[k - 1]) / (p[k] - p[k - 1]) * (x - p[k - 1])


def _log_det(a: Any) -> tuple[Any, Any]:
    det = _of_matrix(mp.det)(a)
    return mp.sign(det), mp.log(abs(det))


# fmt: off
_TWO = ("hypot", "arctan2", "logaddexp", "power")
_OWN: dict[str, Any] = {
    "linalg": ModuleType("linalg"), "std": _std, "abs": np.abs,
    "zeros": _made(0.0), "ones": _made(1.0), "empty": _made(0.0),
    "zeros_like": _made(0.0), "ones_like": _made(1.0),
    "where": lambda *parts: np.where(*(parts[:1] + tuple(map(lifted, parts[1:])))),
    "pi": mp.pi, "e": mp.e, "interp": _interp, "quantile": _quantile,
    "percentile": lambda x, q: _quantile(x, mpf(q) / 100),
}
# fmt: on
_OWN["linalg"].__dict__.update(
    norm=_norm,
    inv=_of_matrix(lambda a: a**-1),
    solve=_solve,
    slogdet=_log_det,
    det=_of_matrix(mp.det),
    cholesky=_of_matrix(mp.cholesky),
)
# fmt: off
_ELEMENTWISE = frozenset({
    "arcsin", "arctan", "cos", "cosh", "exp", "expm1", "log", "log10", "log1p", "log2",
    "reciprocal", "sin", "sinh", "sqrt", "square", "tan", "tanh",
})
# fmt: on


class _Numpy(ModuleType):
    """Functions of mpmath where there are any, else numpy's own, which take objects."""

    def __getattr__(self, name: str) -> Any:
        if name in _OWN:
            return _OWN[name]
        if name in _ELEMENTWISE:
            return _each(exact.NUMPY[name], 1)
        if name in _TWO:
            return _each(exact.NUMPY[name], 2)
        return getattr(np, name)


def modules() -> dict[str, ModuleType]:
    """What `math` and `numpy` are for executed text."""
    return {**exact.modules(), "numpy": _Numpy("numpy")}
