"""Functions without a meaning here: the message, and the way out.

A suggestion is made only for a likely slip of the keyboard: a name that the module does
not have, one or two letters off one that is known.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping

from ad_transform.diagnostics import Span
from ad_transform.elementals import ALIASES, TABLE
from ad_transform.read.machine.context import Context
from ad_transform.read.values.values import Value

# --- ways out -------------------------------------------------------------------------

_UNROLLED = (
    "write the steps out, or put one step into a function and call it repeatedly"
)
_SERIES = "pass its value as a parameter, or write a series for the range you need"
_EACH = "call the function for every element: `(f(a), f(b))`"
_NUMBERS = "write plain floats: `a / b` for a fraction"
_PASSED = "pass it as a parameter"
_ASIDE = "compute it outside and pass the numbers"
_SELF = "write it with operators and functions of `math`"
_BITS = "write `e = math.floor(math.log2(abs(x))) + 1` and `x / 2.0**e`"
_PLAIN = "use a tuple, or a name for each value"
_SCIPY = "solve outside, and differentiate the equation that holds at the solution"


# fmt: off
def _of(module: str, words: str) -> tuple[str, ...]:
    return tuple(f"{module}.{word}" for word in words.split())


_LATER: Mapping[str, tuple[str, ...]] = {
    _EACH: ("numpy.vectorize",),
    _SCIPY: _of("scipy.optimize", "brentq root_scalar newton fsolve root"),
    "collect sorted items in a dict, `d.setdefault(key(v), []).append(v)`": (
        "itertools.groupby",),
}
"""Functions that are not supported yet; `numpy.vectorize` is, of a function."""
OF_ARRAYS: Mapping[str, tuple[str, ...]] = {
    "write `np.sqrt(np.linalg.eigvalsh(A.T @ A))` for singular values": _of(
        "numpy.linalg", "svd svdvals cond matrix_rank"),
    "write `np.linalg.eigh(A)` of a symmetric matrix": _of(
        "numpy.linalg", "eig eigvals"),
    "write `np.linalg.cholesky(A.T @ A).T` for R": ("numpy.linalg.qr",),
    "write `A @ B @ C`": (
        *_of("numpy", "matvec vecmat vecdot"),),
    "write `np.linalg.lstsq(np.column_stack((x**2, x, np.ones(len(x)))), y)[0]`": (
        "numpy.polyfit",),
    "write `A.T`, or `A.T[::-1]`": _of("numpy", "rollaxis rot90"),
    "write `x[1:] - x[:-1]`": ("numpy.ediff1d",),
    "call it at the top of the file, in the definition of a constant": (
        *_of("numpy", "logspace geomspace poly bartlett blackman hamming hanning"),
        *_of("numpy.polynomial", """legendre.leggauss chebyshev.chebgauss
            chebyshev.chebpts1 chebyshev.chebpts2 hermite.hermgauss
            hermite_e.hermegauss laguerre.laggauss"""),
        *_of("numpy", "kaiser fft.fftfreq fft.rfftfreq")),
    "write `x[x > 0.0]`": _of("numpy", "extract compress"),
    "write `np.sort(x)[:k]`": ("numpy.partition",),
    "write `np.argsort(x)[:k]`": ("numpy.argpartition",),
    "write `np.array([f(row) for row in A])`": _of(
        "numpy", "apply_along_axis apply_over_axes fromiter"),
    "write `np.where(x > 0.0, y, z)`": _of("numpy", "choose piecewise"),
    "write `y[x > 0.0] = z`": ("numpy.putmask",),
    "write `y[:] = x`": ("numpy.copyto",),
    "leave it out: only real numbers are computed here": _of("numpy", "real conj"),
    "leave it out": ("numpy.ascontiguousarray",),
    "give each array a name of its own": ("numpy.dstack",),
    "write slices: `x[:-1]`, `x[1:]`": (
        "numpy.lib.stride_tricks.sliding_window_view",),
    "write sums with `np.cos` and `np.sin`": _of("numpy.fft", "fft ifft rfft irfft"),
    "count outside and pass the numbers: they have no derivatives": _of(
        "numpy", "histogram2d histogramdd unique_all"),
    "write a loop for each axis: over `range(A.shape[0])`": _of(
        "numpy", "ndenumerate ndindex nditer"),
}
"""Functions of arrays, by the way out."""
_NEVER: Mapping[str, tuple[str, ...]] = {
    _BITS: ("math.frexp", "numpy.frexp"),
    "write `math.trunc(x)` and `x - math.trunc(x)`": ("math.modf", "numpy.modf"),
    "write `x * 2.0**n`": ("math.ldexp", "numpy.ldexp"),
    "write the number: `2.0**-52`": (
        "math.nextafter", *_of("numpy", "nextafter spacing finfo iinfo")),
    "write `abs(a - b) <= tolerance`": ("numpy.isclose", "numpy.allclose"),
    "write real and imaginary part by themselves": ("builtins.complex",),
    "annotate the parameter instead": _of(
        "builtins", "isinstance type callable issubclass"),
    "write it in a statement of its own": ("builtins.print",),
    "write `and` between the conditions": ("numpy.all",),
    "write `or` between the conditions": ("numpy.any",),
    "write `round(x, n)`": ("numpy.round_",),
    "pass values that are numbers": _of("numpy", "nanmax nanmin nanmean"),
    "write `np.sum(np.where(np.isnan(x), 0.0, x))`": ("numpy.nansum",),
    _NUMBERS: (
        "fractions.Fraction", "decimal.Decimal",
        *_of("numpy", "float32 int64 int32 complex128 longdouble")),
    _PLAIN: (
        "collections.namedtuple", "types.SimpleNamespace"),
    "write an f-string: `f\"{x:.2f}\"`": ("builtins.repr", "builtins.format"),
    "leave it out: only numbers are computed here": _of(
        "builtins", "open input id hash vars"),
    _SERIES: (
        *_of("scipy.special", """
            jv jn j0 j1 yv yn y0 y1 iv ive i0 i0e i1 i1e kv kve kn k0 k0e k1 k1e
            hankel1 hankel2 spherical_jn spherical_yn airy zeta zetac hyp1f1 hyp2f1
            hyp0f1 hyperu ellipk ellipkm1 ellipe ellipkinc ellipeinc ellipj elliprf
            elliprd gammainc gammaincc gammaincinv betainc betaincinv expi exp1 expn
            sici shichi fresnel dawsn wofz erfi erfcx lambertw wrightomega struve
            binom poch rgamma gammasgn multigammaln stdtr stdtrit chdtr chdtrc fdtr
            bdtr pdtr gdtr eval_legendre eval_hermite eval_chebyt lpmv sph_harm
            spence owens_t voigt_profile cosm1 log1pmx powm1"""),
        "numpy.i0"),
    "write `math.expm1(l * math.log(x)) / l`": _of(
        "scipy.special", "boxcox boxcox1p inv_boxcox"),
    "write logarithms to base e: `numpy.logaddexp`": ("numpy.logaddexp2",),
}
# fmt: on
INSTEAD: dict[str, tuple[str, str]] = {
    **{n: ("not supported yet", help_) for help_, ns in _LATER.items() for n in ns},
    **{n: ("not supported", help_) for help_, ns in OF_ARRAYS.items() for n in ns},
    **{n: ("not supported", help_) for help_, ns in _NEVER.items() for n in ns},
}
"""The message about a name, and the way out."""

_MODULES = {  # by the first part of the name
    "random": _PASSED,
    "secrets": _PASSED,
    "time": _PASSED,
    "datetime": _PASSED,
    "os": _PASSED,
    "sys": _PASSED,
    "itertools": _UNROLLED,
    "functools": "write a plain function",
    "collections": _PLAIN,
    "fractions": _NUMBERS,
    "decimal": _NUMBERS,
    "cmath": "write real and imaginary part by themselves",
    "copy": "write `copy.copy(p)`, or make it anew: `dataclasses.replace(p)`",
    "json": _ASIDE,
    "re": _ASIDE,
    "pathlib": _ASIDE,
    "pandas": _ASIDE,
    "logging": "write it in a statement of its own: it is passed over",
    "warnings": "write it in a statement of its own: it is passed over",
}
_NUMERIC = frozenset({"math", "numpy", "scipy", "statistics", "mpmath", "cmath"})


def fault(name: str, known: Iterable[str]) -> tuple[str, str, str]:
    """Code, message and way out for a function that has no meaning here.

    `known` are the qualified names that have one.
    """
    shown = name.removeprefix("builtins.")
    top, _, rest = name.partition(".")
    if name in INSTEAD:
        said, help_ = INSTEAD[name]
        return "AD110", f"{shown!r} is {said}", help_
    near = _near(name, known)
    message = f"`math` has no {rest!r}" if top == "math" else _no_rule(shown)
    if near:
        return "AD110", message, f"did you mean {near!r}?"
    if top not in _NUMERIC:
        return "AD110", f"{shown!r} is not supported", _MODULES.get(top, _ASIDE)
    if name.startswith(("numpy.random.", "scipy.stats.")) and name.endswith(_DRAWS):
        return "AD110", f"{shown!r} is not supported", "pass the random numbers"
    return "AD110", message, _SELF


_DRAWS = (".rvs", ".random", ".normal", ".uniform", ".default_rng", ".rand", ".randn")


def _no_rule(shown: str) -> str:
    return f"no derivative is known for {shown!r}"


def _near(name: str, known: Iterable[str]) -> str:
    """The one known name of the same module that is a slip away; or nothing."""
    module, _, last = name.rpartition(".")
    if module == "builtins" and hasattr(builtins, last):
        return ""
    allowed = 1 if len(last) < 6 else 2
    best = [
        (distance, not last.startswith(other.rpartition(".")[2]), other)
        for other in known
        if other.rpartition(".")[0] == module
        if (distance := _distance(last, other.rpartition(".")[2])) <= allowed
    ]
    return min(best)[-1].removeprefix("builtins.") if best and len(last) > 2 else ""


def _distance(a: str, b: str) -> int:
    """Letters to insert, drop, change, or exchange with their neighbours."""
    rows = [list(range(len(b) + 1))]
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            cost = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (x != y))
            if i > 1 < j and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, rows[-2][j - 2] + 1)
            row.append(cost)
        rows.append(row)
    return rows[-1][-1]


KNOWN = (*ALIASES, *(known for row in TABLE.values() for known in row.known_as))
"""The qualified names that the table of elementals knows."""


def no_keyword(flat: Context, shown: str, keyword: str, span: Span) -> Value:
    message = f"{shown!r} with the keyword {keyword!r} is not supported"
    return flat.refuse("AD111", message, span, _KEYWORDS.get(keyword, _PLACED))


_PLACED = "give the arguments by position"


_KEYWORDS = {
    "where": "write `np.where(test, made, other)`",
    "axis": "write it for one row at a time: `for row in A`",
    "return_index": "write `np.argmax(x == v)` for each value",
    "weights": "write `np.bincount(np.digitize(x, edges) - 1, weights=w)`",
}
