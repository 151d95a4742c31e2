"""Sixty-digit versions of scipy's functions on scalars, for `exact`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from statistics import NormalDist
from types import ModuleType
from typing import Any

from mpmath import mp, mpf

Real = Any


def careful(function: Callable[..., Any]) -> Callable[..., Real]:
    """With thirty digits more inside, so that what cancels leaves enough."""

    @wraps(function)
    def inner(*args: Any) -> Real:
        with mp.workdps(mp.dps + 30):
            result = function(*map(mpf, args))
        return +result

    return inner


def _phi(x: Real) -> Real:
    return mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi)


def _ndtr(x: Real) -> Real:
    return mp.erfc(-x / mp.sqrt(2)) / 2


def _ratio(x: Real) -> Real:
    return _phi(x) / _ndtr(x)


def _log_ndtr(x: Real) -> Real:
    return mp.log1p(-_ndtr(-x)) if x > 0 else mp.log(_ndtr(x))


def _ndtri(p: Real) -> Real:
    """The quantile by Newton's steps on the logarithm of the smaller tail."""
    if p > mpf(1) / 2:
        return -_ndtri(1 - p)
    z = mpf(NormalDist().inv_cdf(float(p)))
    for _ in range(3):
        z -= (_log_ndtr(z) - mp.log(p)) / _ratio(z)
    return z


def _erfinv(y: Real) -> Real:
    if abs(y) < mpf(10) ** -2:
        z = y * mp.sqrt(mp.pi) / 2
        for _ in range(6):
            z -= (mp.erf(z) - y) * mp.sqrt(mp.pi) / 2 * mp.exp(z * z)
        return z
    return mp.sign(y) * -_ndtri((1 - abs(y)) / 2) / mp.sqrt(2)


def _moment(n: int, x: Real) -> Real:
    """The integral of t**n * exp(x * t) over the unit interval, a 1F1."""
    return mp.hyp1f1(n + 1, n + 2, x) / (n + 1)


def _sinc_slope(n: int, x: Real) -> Real:
    if abs(x) < mpf(10) ** -3:
        terms = range((n + 1) // 2, 24 + n)
        return mp.fsum(
            (-1) ** k * mp.pi ** (2 * k) * x ** (2 * k - n)
            * mp.ff(2 * k, n) / mp.factorial(2 * k + 1)
            for k in terms
        )  # fmt: skip
    f = mp.sin(mp.pi * x) / (mp.pi * x)
    for k in range(1, n + 1):
        f = (mp.pi ** (k - 1) * mp.sin(mp.pi * x + k * mp.pi / 2) - k * f) / x
    return f


def _ordered(function: Callable[..., Any]) -> Callable[..., Real]:
    """A function whose first argument is an order, a whole number."""

    def inner(n: Any, *args: Any) -> Real:
        return careful(lambda *rest: function(int(n), *rest))(*args)

    return inner


def _psi(n: int, x: Real) -> Real:
    return mp.psi(n, x)


# fmt: off
SPECIAL: dict[str, Callable[..., Any]] = {
    "ndtr": careful(_ndtr), "log_ndtr": careful(_log_ndtr), "ndtri": careful(_ndtri),
    "erfinv": careful(_erfinv),
    "erfcinv": careful(lambda y: -_ndtri(y / 2) / mp.sqrt(2)),
    "expit": careful(lambda x: 1 / (1 + mp.exp(-x))),
    "log_expit": careful(lambda x: -mp.log1p(mp.exp(-x))),
    "softplus": careful(lambda x: mp.log1p(mp.exp(x))),
    "logit": careful(lambda x: mp.log(x / (1 - x))),
    "xlogy": careful(lambda x, y: x * mp.log(y) if x else mpf(0)),
    "xlog1py": careful(lambda x, y: x * mp.log1p(y) if x else mpf(0)),
    "entr": careful(lambda x: -x * mp.log(x) if x else mpf(0)),
    "rel_entr": careful(lambda x, y: x * mp.log(x / y) if x else mpf(0)),
    "kl_div": careful(lambda x, y: x * mp.log(x / y) - x + y if x else y),
    "log_ratio": careful(lambda x, y: mp.log(x / y)),
    "exprel": careful(lambda x: _moment(0, x)), "exp10": careful(lambda x: 10**x),
    "gammaln": careful(lambda x: mp.log(abs(mp.gamma(x)))), "psi": careful(mp.digamma),
    "loggamma": careful(lambda x: mp.log(abs(mp.gamma(x)))),
    "digamma": careful(mp.digamma), "polygamma": _ordered(_psi),
    "beta": careful(mp.beta),
    "betaln": careful(lambda x, y: mp.log(abs(mp.beta(x, y)))),
    "logsumexp": lambda x: mp.log(mp.fsum(map(mp.exp, x))),
}
NORM: dict[str, Callable[..., Any]] = {
    "pdf": careful(lambda x, m=0, s=1: _phi((x - m) / s) / s),
    "cdf": careful(lambda x, m=0, s=1: _ndtr((x - m) / s)),
    "sf": careful(lambda x, m=0, s=1: _ndtr((m - x) / s)),
    "logpdf": careful(lambda x, m=0, s=1: mp.log(_phi((x - m) / s) / s)),
    "logcdf": careful(lambda x, m=0, s=1: _log_ndtr((x - m) / s)),
    "logsf": careful(lambda x, m=0, s=1: _log_ndtr((m - x) / s)),
    "ppf": careful(lambda p, m=0, s=1: m + s * _ndtri(p)),
    "isf": careful(lambda p, m=0, s=1: m - s * _ndtri(p)),
}
SINC = careful(lambda x: _sinc_slope(0, x))
ROWS: dict[str, Callable[..., Any]] = {
    **SPECIAL, "norm_pdf": careful(_phi), "ndtr_ratio": careful(_ratio),
    "ndtr_excess": careful(lambda x: x + _ratio(x)), "sinc": SINC,
    "expit_slope": careful(lambda x: mp.exp(-abs(x)) / (1 + mp.exp(-abs(x))) ** 2),
    "exprel_slope": _ordered(_moment), "sinc_slope": _ordered(_sinc_slope),
    "polygamma_drop": _ordered(lambda n, x, h: mp.psi(n, x) - mp.psi(n, x + h)),
}
# fmt: on


def modules(common: dict[str, Any]) -> dict[str, ModuleType]:
    """scipy, scipy.special and scipy.stats with `norm`, for executed text."""
    names = ("scipy", "scipy.special", "scipy.stats", "scipy.stats.norm")
    made = {name: ModuleType(name) for name in names}
    made["scipy.special"].__dict__.update({**common, **SPECIAL})
    made["scipy.stats.norm"].__dict__.update(NORM)
    for name in names[1:]:
        above, _, last = name.rpartition(".")
        setattr(made[above], last, made[name])
    return made
