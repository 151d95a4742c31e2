"""Dimensions of arrays: polynomials over names, such as 3, "n", "n-1" or "m+2*m*n".

A dim is an int where it is a number, else the canonical text of its form: terms in the
order of their names, the number last, so that equal forms are equal texts. A name is a
word, perhaps with dots; `ANY` is a length that nobody knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product as pairs
from math import prod

from ad_transform.ir.price import NOMINAL

Dim = int | str

Dims = tuple[Dim, ...]
"""The dims of a value, one for each axis of an array; a scalar has none."""

ANY = "?"
"""The length of a list that has grown or shrunk in a loop: any length fits it."""


def is_of_run(length: Dim) -> bool:
    """Whether no parameter tells a length: that of a list that a run makes."""
    return isinstance(length, str) and (length == ANY or "." in length)


_NAME = r"[^\W\d][\w.]*"
_TERM = re.compile(
    rf"\s*([+-]?)\s*(?:(\d+)\s*\*\s*)?(?:({_NAME}(?:\s*\*\s*{_NAME})*)|(\d+))\s*"
)

_Polynomial = Mapping[str, int]
"""Coefficients by products of names, "m*n"; that of the number stands under the empty
one.
"""


def dim(text: str) -> Dim:
    """The dim that a text stands for: dim("n + 1 - m") is "-m+n+1", dim("7") is 7.

    Raises ValueError for any text but a linear form with whole coefficients.
    """
    return ANY if text.strip() == ANY else _written(_form(text))


def alike(a: Dims, b: Dims) -> bool:
    """Whether two shapes are equal as far as they are known; 1 is like nothing else."""
    pairs = zip(a, b, strict=False)
    return len(a) == len(b) and all(
        n == m or (ANY in (n, m) and 1 not in (n, m)) for n, m in pairs
    )


def fit(given: Dims, wanted: Dims) -> bool:
    """Whether a list of one shape may enter as one of the other: any length is any."""
    pairs = zip(given, wanted, strict=False)
    return len(given) == len(wanted) and all(n == m or ANY in (n, m) for n, m in pairs)


def plus(a: Dim, b: Dim) -> Dim:
    """The sum of two dims: plus("n", -1) is "n-1"."""
    if isinstance(a, int) and isinstance(b, int):
        return a + b
    if ANY in (a, b):
        return ANY
    total = dict(_form(a))
    for name, count in _form(b).items():
        total[name] = total.get(name, 0) + count
    return _written(total)


def times(a: Dim, count: int) -> Dim:
    """A dim a whole number of times: times("n-1", 2) is "2*n-2"."""
    if isinstance(a, int):
        return a * count
    return a if a == ANY else _written({n: c * count for n, c in _form(a).items()})


def product(factors: Iterable[Dim]) -> Dim:
    """The product of dims: product(("n-1", "m")) is "-m+m*n"."""
    total: Dim = 1
    for factor in factors:
        if ANY in (total, factor):
            return ANY
        total = _written(_multiplied(_form(total), _form(factor)))
    return total


def names(a: Dim) -> tuple[str, ...]:
    """The names in a dim: names("2*n-m*n") is ("m", "n")."""
    if isinstance(a, int) or a == ANY:
        return ()
    if a.isidentifier():
        return (a,)
    return tuple(sorted({name for term in _form(a) for name in _factors(term)}))


def summands(a: Dim) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """The terms of a dim: summands("2*m*n-1") is ((2, ("m", "n")), (-1, ()))."""
    return tuple((count, _factors(term)) for term, count in _form(a).items() if count)


def renamed(a: Dim, meaning: Mapping[str, Dim]) -> Dim:
    """The dim with dims for its names: renamed("n-1", {"n": "2*m"}) is "2*m-1"."""
    if meaning.keys().isdisjoint(names(a)):
        return a
    total: Dim = 0
    for count, factors in summands(a):
        part = product(meaning.get(name, name) for name in factors)
        total = plus(total, times(part, count))
    return total


def terms(a: Dim, texts: Mapping[str, str]) -> str:
    """The dim as an expression of texts: terms("n-1", {"n": "k"}) is "k - 1"."""
    parts = [
        (
            count,
            " * ".join([*_coefficient(count, factors), *(texts[n] for n in factors)]),
        )
        for count, factors in summands(a)
    ]
    signed = [f"{'-' if count < 0 else '+'} {text}" for count, text in parts]
    text = " ".join(signed)
    return text.removeprefix("+ ") if signed else "0"


def size(a: Dim, sizes: Mapping[str, int]) -> int:
    """The number that a dim is: size("2*n-1", {"n": 4}) is 7.

    A name without a size, and `ANY`, count as NOMINAL; no size is below 0.
    """
    if isinstance(a, int):
        return a
    if a == ANY:
        return NOMINAL
    total = sum(
        count * prod(sizes.get(name, NOMINAL) for name in factors)
        for count, factors in summands(a)
    )
    return max(total, 0)


def elements(dims: Dims, sizes: Mapping[str, int]) -> int:
    """The number of elements of a value with these dims; a scalar has one."""
    return prod(size(a, sizes) for a in dims)


@lru_cache(maxsize=4096)
def _form(a: Dim) -> _Polynomial:
    if isinstance(a, int):
        return {"": a}
    form: dict[str, int] = {}
    at = 0
    while at < len(a) or not at:
        term = _TERM.match(a, at)
        if term is None or (at and not term[1]):
            raise ValueError(f"{a!r} is no polynomial over names")
        sign, count, words, number = term.groups()
        size = int(count or 1) * int(number or 1)
        factors = "*".join(sorted(re.findall(_NAME, words or "")))
        form[factors] = form.get(factors, 0) + (-size if sign == "-" else size)
        at = term.end()
    return form


def _factors(term: str) -> tuple[str, ...]:
    return tuple(term.split("*")) if term else ()


def _multiplied(a: _Polynomial, b: _Polynomial) -> _Polynomial:
    total: dict[str, int] = {}
    for (x, count), (y, number) in pairs(a.items(), b.items()):
        term = "*".join(sorted((*_factors(x), *_factors(y))))
        total[term] = total.get(term, 0) + count * number
    return total


def _written(form: _Polynomial) -> Dim:
    terms = [(name, form[name]) for name in sorted(form) if name and form[name]]
    number = form.get("", 0)
    if not terms:
        return number
    text = "".join(map(_term, terms)) + (f"{number:+d}" if number else "")
    return text.removeprefix("+")


def _coefficient(count: int, factors: Sequence[str]) -> list[str]:
    """The number that a term begins with: none where it is 1 and more follows."""
    return [] if factors and abs(count) == 1 else [str(abs(count))]


def _term(part: tuple[str, int]) -> str:
    name, count = part
    sign = "-" if count < 0 else "+"
    return f"{sign}{name}" if abs(count) == 1 else f"{sign}{abs(count)}*{name}"
