"""Functions of numpy that only constants are computed by: `leggauss(5)`, `hanning(8)`.

The output has their calls as text. Here the lengths of their results are computed from
their arguments, by parameter, as in numpy; a parameter with `?` is optional.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import FLOAT
from ad_transform.read.machine.arguments import Unfit
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Value

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    """The lengths of a result by the arguments, in the order of the parameters, with
    None for a missing one. With `pair` there are two such arrays.
    """

    parameters: str
    shape: Callable[..., Shape]
    pair: bool = False


_RULE = _Row("deg", lambda n: (_whole(n),), pair=True)
_POINTS = _Row("npts", lambda n: (_whole(n),))
_WINDOW = _Row("M", lambda n: (_whole(n),))


def _spaced(start: Value, stop: Value, num: Value | None, *others: Value) -> Shape:
    if not all(isinstance(end, Draft | Literal) for end in (start, stop)):
        raise Unfit("of arrays is not read", "write a row for each number")
    return (50 if num is None else _whole(num),)


def _powers(x: Value, n: Value | None, increasing: Value | None) -> Shape:
    return _length(x), _length(x) if n is None else _whole(n)


def _fitted(x: Value, y: Value, deg: Value) -> Shape:
    if _length(x) != _length(y):
        raise Unfit("needs vectors of one length", "write one y for each x")
    return (_whole(deg) + 1,)


# fmt: off
_ROWS: Mapping[str, _Row] = {
    "numpy.polynomial.legendre.leggauss":    _RULE,
    "numpy.polynomial.chebyshev.chebgauss":  _RULE,
    "numpy.polynomial.hermite.hermgauss":    _RULE,
    "numpy.polynomial.hermite_e.hermegauss": _RULE,
    "numpy.polynomial.laguerre.laggauss":    _RULE,
    "numpy.polynomial.chebyshev.chebpts1":   _POINTS,
    "numpy.polynomial.chebyshev.chebpts2":   _POINTS,
    "numpy.bartlett":     _WINDOW,
    "numpy.blackman":     _WINDOW,
    "numpy.hamming":      _WINDOW,
    "numpy.hanning":      _WINDOW,
    "numpy.kaiser":       _Row("M beta", lambda n, beta: (_whole(n),)),
    "numpy.fft.fftfreq":  _Row("n d?", lambda n, d: (_whole(n),)),
    "numpy.fft.rfftfreq": _Row("n d?", lambda n, d: (_whole(n) // 2 + 1,)),
    "numpy.geomspace":    _Row("start stop num? endpoint?", _spaced),
    "numpy.logspace":     _Row("start stop num? endpoint? base?", _spaced),
    "numpy.poly":         _Row("seq_of_zeros", lambda x: (_length(x) + 1,)),
    "numpy.polyfit":      _Row("x y deg", _fitted),
    "numpy.vander":       _Row("x N? increasing?", _powers),
}
# fmt: on

NAMES = _ROWS.keys()
"""The names of these functions."""


def result(
    name: str, values: Sequence[Value], keywords: Mapping[str, Value], span: Span
) -> Value | None:
    """The result of such a function, as unknown numbers; None for other functions.

    Raises Unfit for arguments that the function does not take.
    """
    row = _ROWS.get(name)
    if row is None:
        return None
    shape = row.shape(*_bound(row, values, keywords))
    if any(length < 1 for length in shape):
        raise Unfit("needs a length of at least 1", "write a larger number")
    if not row.pair:
        return _array(shape, span)
    return Group(Container.TUPLE, (_array(shape, span), _array(shape, span)))


def _bound(
    row: _Row, values: Sequence[Value], keywords: Mapping[str, Value]
) -> list[Value | None]:
    """The arguments in the order of the parameters."""
    names = [word.rstrip("?") for word in row.parameters.split(" ")]
    needed = [word for word in row.parameters.split(" ") if not word.endswith("?")]
    given = dict(zip(names, values, strict=False))
    twice = given.keys() & keywords.keys()
    foreign = keywords.keys() - set(names)
    missing = set(needed) - given.keys() - keywords.keys()
    if len(values) > len(names) or twice or foreign or missing:
        raise Unfit(f"takes {', '.join(names)}", "see the help of numpy")
    given |= keywords
    return [given.get(name) for name in names]


def _array(shape: Shape, span: Span) -> Group:
    """An array of unknown numbers."""
    length, *inner = shape
    items: list[Value] = [
        _array(tuple(inner), span) if inner else Draft(FLOAT, span)
        for _ in range(length)
    ]
    return Group(Container.ARRAY, tuple(items), span)


def _whole(value: Value | None) -> int:
    number: Any = value.value if isinstance(value, Literal) else None
    if type(number) is not int or number > _MOST:
        said = f"needs a whole number that is known, at most {_MOST}"
        raise Unfit(said, "write the number")
    return number


_MOST = 1000
"""The longest array of a function in the table."""


def _length(value: Value | None) -> int:
    if not isinstance(value, Group):
        known = "needs an array whose elements are known one by one"
        raise Unfit(known, "write the array")
    if any(isinstance(item, Group) for item in value.items):
        raise Unfit("needs a vector", "give it a row or a column")
    return len(value.items)
