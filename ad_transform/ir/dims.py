"""Dimensions of arrays: linear forms over names, such as 3, "n", "n-1" or "2*n+m".

A dim is an int where it is a number, else the canonical text of its form: terms in the
order of their names, the number last, so that equal forms are equal texts. A name is a
word, perhaps with dots; `ANY` is a length that nobody knows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
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


_TERM = re.compile(r"\s*([+-]?)\s*(?:(\d+)\s*\*\s*)?(?:([^\W\d][\w.]*)|(\d+))\s*")

_Form = Mapping[str, int]
"""Coefficients by name; that of the number stands under the empty name."""


def dim(text: str) -> Dim:
    """The dim that a text stands for: dim("n + 1 - m") is "-m+n+1", dim("7") is 7.

    Raises ValueError for what is not a linear form with whole coefficients.
    """
    return ANY if text.strip() == ANY else _written(_form(text))


def alike(a: Dims, b: Dims) -> bool:
    """Whether two shapes are equal as far as they are known; 1 is like nothing else."""
    pairs = zip(a, b, strict=False)
    return len(a) == len(b) and all(
        n == m or (ANY in (n, m) and 1 not in (n, m)) for n, m in pairs
    )


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


def names(a: Dim) -> tuple[str, ...]:
    """The names in a dim: names("2*n-m") is ("m", "n")."""
    if isinstance(a, int) or a == ANY:
        return ()
    return tuple(sorted(name for name in _form(a) if name))


def summands(a: Dim) -> tuple[tuple[int, str], ...]:
    """The terms of a dim: summands("2*n-1") is ((2, "n"), (-1, ""))."""
    return tuple((count, name) for name, count in _form(a).items() if count)


def renamed(a: Dim, meaning: Mapping[str, Dim]) -> Dim:
    """The dim with dims for its names: renamed("n-1", {"n": "2*m"}) is "2*m-1"."""
    if meaning.keys().isdisjoint(names(a)):
        return a
    total: Dim = 0
    for name, count in _form(a).items():
        part = meaning.get(name, name) if name else 1
        total = plus(total, times(part, count))
    return total


def terms(a: Dim, texts: Mapping[str, str]) -> str:
    """The dim as an expression of texts: terms("n-1", {"n": "k"}) is "k - 1"."""
    parts = [
        (count, texts[name] if abs(count) == 1 else f"{abs(count)} * {texts[name]}")
        for name, count in _form(a).items()
        if name and count
    ]
    number = _form(a).get("", 0)
    if number:
        parts.append((number, str(abs(number))))
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
    form = _form(a).items()
    total = sum(c * (sizes.get(n, NOMINAL) if n else 1) for n, c in form)
    return max(total, 0)


def elements(dims: Dims, sizes: Mapping[str, int]) -> int:
    """The number of elements of a value with these dims; a scalar has one."""
    return prod(size(a, sizes) for a in dims)


@lru_cache(maxsize=4096)
def _form(a: Dim) -> _Form:
    if isinstance(a, int):
        return {"": a}
    form: dict[str, int] = {}
    at = 0
    while at < len(a) or not at:
        term = _TERM.match(a, at)
        if term is None or (at and not term[1]):
            raise ValueError(f"{a!r} is no linear form over names")
        sign, count, name, number = term.groups()
        size = int(count or 1) * int(number or 1)
        form[name or ""] = form.get(name or "", 0) + (-size if sign == "-" else size)
        at = term.end()
    return form


def _written(form: _Form) -> Dim:
    terms = [(name, form[name]) for name in sorted(form) if name and form[name]]
    number = form.get("", 0)
    if not terms:
        return number
    text = "".join(map(_term, terms)) + (f"{number:+d}" if number else "")
    return text.removeprefix("+")


def _term(part: tuple[str, int]) -> str:
    name, count = part
    sign = "-" if count < 0 else "+"
    return f"{sign}{name}" if abs(count) == 1 else f"{sign}{abs(count)}*{name}"
