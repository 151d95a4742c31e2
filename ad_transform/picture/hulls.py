"""Coloured hulls behind umbrellas: bands that widen and narrow from column to column.

In every column the members of an umbrella stand side by side (`order`), so a band over
them covers their boxes and labels and nobody else's.
"""

from __future__ import annotations

from ad_transform.picture.geometry import Layout, Point

_ROOM = 6.0
"""The reach of a hull beyond its vertices; less than half the distance kept."""


def outline(layout: Layout, k: int) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    """The upper and the lower border of hull k, both from left to right.

    Points are joined as those of curves are (`geometry.Curve`).
    """
    first, borders = layout.spans[k]
    upper: list[Point] = []
    lower: list[Point] = []
    for c, (top, bottom) in enumerate(borders, first):
        left, right = layout.columns[c]
        if c == first:
            left -= _ROOM
        if c == first + len(borders) - 1:
            right += _ROOM
        upper += [(left, top - _ROOM), (right, top - _ROOM)]
        lower += [(left, bottom + _ROOM), (right, bottom + _ROOM)]
    return tuple(upper), tuple(lower)
