"""The common part of two parts of an array, one read and one stored: slices of both.

A slice stands between two ends, counted from the beginning of the array or from its
end. A question that only the length of the array decides is open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.dataclass import dataclass
from ad_transform.derive.vectors.local import Unknown
from ad_transform.derive.vectors.places import Place
from ad_transform.ir.nodes import Literal

End = tuple[bool, int]
"""A place: whether it is counted from the end of the array, and how far."""

_FIRST, _LAST = (False, 0), (True, 0)


@dataclass(frozen=True, slots=True)
class Slice:
    """The places from one end on and before another."""

    start: End = _FIRST
    stop: End = _LAST

    def has_none_of(self, other: Slice) -> bool:
        """Whether the slices share no place, however long the array is."""
        return _is_before(self.stop, other.start) or _is_before(other.stop, self.start)


Bounds = tuple[int | None, int | None]
"""The bounds of `x[start:stop]`, None for one that is left out."""


def meeting(read: Sequence[Place], stored: Sequence[Place]) -> tuple[Bounds, Bounds]:
    """The slices of two parts that are the same places of an array. Raises Unknown if
    the array's length decides, and Apart if there are none.
    """
    one, other = _slice_of(read), _slice_of(stored)
    if one.has_none_of(other):
        raise Apart
    if "pick" in (read[-1].form, stored[-1].form):
        raise Unknown
    start, stop = _later(one.start, other.start), _earlier(one, other)
    return _inside(one, start, stop), _inside(other, start, stop)


class Apart(Exception):
    """Raised for parts that share no element."""


def _is_before(a: End, b: End) -> bool:
    return a[0] == b[0] and a[1] <= b[1]


def _later(a: End, b: End) -> End:
    if a != b and (a[0] or b[0]):
        raise Unknown
    return max(a, b)


def _earlier(one: Slice, other: Slice) -> End:
    a, b = one.stop, other.stop
    from_end = one.start[0] or other.start[0]
    if a != b and (a[0] != b[0] or (from_end and not a[0])):
        raise Unknown
    return min(a, b)


def _inside(part: Slice, start: End, stop: End) -> Bounds:
    """The bounds of a part within a part, counted from the ends of that."""
    first = None if start == part.start else start[1] - part.start[1]
    if stop == part.stop:
        return first, None
    if stop[0]:
        return first, stop[1] - part.stop[1]
    return first, stop[1] - part.start[1]


def _slice_of(steps: Sequence[Place]) -> Slice:
    """The slice that nested parts come to; raises Unknown."""
    found = Slice()
    for place in steps:
        rule = _RULES.get(place.form)
        known = [b.value for b in place.bounds if isinstance(b, Literal)]
        if rule is None or len(known) < len(place.bounds):
            raise Unknown
        found = _cut(found, rule(*(int(k) for k in known)))
    return found


def _cut(outer: Slice, inner: Slice) -> Slice:
    """A slice of a slice; raises Unknown if the length of the array decides."""
    start, stop = outer.start, outer.stop
    if inner.start != _FIRST:
        start = _start(outer, *inner.start)
    if inner.stop != _LAST:
        stop = _stop(outer, *inner.stop)
    return Slice(start, stop)


def _start(outer: Slice, from_end: bool, by: int) -> End:
    if from_end:
        if outer.start != _FIRST or not outer.stop[0]:
            raise Unknown  # there may be fewer
        return True, outer.stop[1] + by
    if outer.start[0]:
        raise Unknown
    return False, outer.start[1] + by


def _stop(outer: Slice, from_end: bool, by: int) -> End:
    if from_end:
        if not outer.stop[0]:
            raise Unknown
        return True, outer.stop[1] + by
    if outer.start[0]:
        raise Unknown
    end = outer.start[1] + by
    if outer.stop[0] and outer.stop != _LAST:
        raise Unknown
    return False, end if outer.stop[0] else min(end, outer.stop[1])


# fmt: off
_RULES: dict[str, Callable[..., Slice]] = {
    "pick":        lambda i: Slice((i < 0, i), (i < 0, i + 1)),
    "cut_from":    lambda start: Slice((start < 0, start)),
    "cut_to":      lambda stop: Slice(_FIRST, (stop < 0, stop)),
    "cut_between": lambda start, stop: Slice((start < 0, start), (stop < 0, stop)),
}
# fmt: on
