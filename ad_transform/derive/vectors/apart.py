"""Parts of an array that share no element, whatever its length is."""

from __future__ import annotations

from collections.abc import Callable

from ad_transform.derive.vectors.places import Place
from ad_transform.ir.nodes import Literal

End = tuple[bool, int]
"""A place, counted from the end of the array or from its beginning."""


def are_apart(a: Place, b: Place) -> bool:
    """Whether one part ends where the other begins, or before; False if not known."""
    (first, last), (start, stop) = _ends(a), _ends(b)
    return _is_before(last, start) or _is_before(stop, first)


def _is_before(a: End | None, b: End | None) -> bool:
    return a is not None and b is not None and a[0] == b[0] and a[1] <= b[1]


def _ends(place: Place) -> tuple[End | None, End | None]:
    known = [int(b.value) for b in place.bounds if isinstance(b, Literal)]
    rule = _RULES.get(place.form)
    if rule is None or len(known) < len(place.bounds):
        return None, None
    return rule(*known)


def _at(i: int) -> End:
    return i < 0, i


# fmt: off
_RULES: dict[str, Callable[..., tuple[End, End]]] = {
    "pick":        lambda i: (_at(i), (i < 0, i + 1)),
    "cut_from":    lambda start: (_at(start), (True, 0)),
    "cut_to":      lambda stop: ((False, 0), _at(stop)),
    "cut_between": lambda start, stop: (_at(start), _at(stop)),
}
# fmt: on
