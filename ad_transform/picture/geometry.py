"""Shapes on the sheet: boxes, curves, and the layout that holds them.

Units are those of SVG, x growing to the right and y downwards.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence

from ad_transform.dataclass import dataclass
from ad_transform.emit.width import width
from ad_transform.picture.model import Vertex

TITLE, SMALL, LETTER = 7.9, 6.1, 6.7
"""Widths of a character in a title, in the small text, and in a label."""

BOX_HEIGHT = 38.0
LABEL_HEIGHT = 15.0
MARGIN = 30.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle by its centre and half its size."""

    x: float
    y: float
    half_width: float
    half_height: float

    @property
    def left(self) -> float:
        return self.x - self.half_width

    @property
    def right(self) -> float:
        return self.x + self.half_width

    @property
    def top(self) -> float:
        return self.y - self.half_height

    @property
    def bottom(self) -> float:
        return self.y + self.half_height

    def overlaps(self, other: Box, margin: float = 0.0) -> bool:
        """Whether the two share more than a border, or nearly so."""
        across = abs(self.x - other.x) - self.half_width - other.half_width
        down = abs(self.y - other.y) - self.half_height - other.half_height
        return across < margin and down < margin


Point = tuple[float, float]
Curve = tuple[Point, ...]
"""Points from left to right, joined by S-curves that are level in every point."""


@dataclass(slots=True)
class Layout:
    """The drawing of a page; curves and spots are those of its arrows, in order.

    `columns` are the left and right borders of the columns; `spans` give for each
    umbrella its first column, and per column its highest and lowest border. `top` may
    be negative.
    """

    width: float
    top: float
    bottom: float
    boxes: dict[int, Box]
    curves: list[Curve]
    spots: list[Box]
    columns: list[tuple[float, float]]
    spans: list[tuple[int, list[tuple[float, float]]]]
    column_of: dict[int, int]

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def view(self) -> str:
        """The attributes that give an `svg` element its size."""
        wide, high = f"{self.width:.0f}", f"{self.height:.0f}"
        box = f"0 {self.top:.0f} {wide} {high}"
        return f'width="{wide}" height="{high}" viewBox="{box}"'


def box_width(vertex: Vertex) -> float:
    """The width of a box that holds the two texts of a vertex."""
    text = max(width(vertex.title) * TITLE, width(vertex.detail) * SMALL)
    return max(44.0, _even(text + 18.0))


def label_width(label: str) -> float:
    """The width of a label beside its edge."""
    return _even(width(label) * LETTER + 4.0)


def _even(x: float) -> float:
    """The next even number, so that centres are whole."""
    return 2.0 * math.ceil(x / 2)


def cleaned(points: list[Point]) -> Curve:
    """The curve without points in the middle of a level line, or twice the same."""
    kept: list[Point] = []
    for point in points:
        if kept and kept[-1] == point:
            continue
        if len(kept) > 1 and kept[-1][1] == point[1] == kept[-2][1]:
            kept[-1] = point
        else:
            kept.append(point)
    return tuple(kept)


def height_at(curve: Sequence[Point], x: float) -> float:
    """The height of a curve above x."""
    k = bisect_left(curve, (x, -1e9))
    k = min(max(k, 1), len(curve) - 1)
    return between(curve[k - 1], curve[k], x)


def between(a: Point, b: Point, x: float) -> float:
    """The height above x of the S-curve from a to b; see `shapes.path`."""
    if b[0] <= a[0] or x >= b[0]:
        return b[1]
    if x <= a[0]:
        return a[1]
    part = (x - a[0]) / (b[0] - a[0])
    low, high = 0.0, 1.0
    for _ in range(20):  # 1.5 t - 1.5 t**2 + t**3 grows
        t = (low + high) / 2
        if 1.5 * t - 1.5 * t * t + t * t * t < part:
            low = t
        else:
            high = t
    t = (low + high) / 2
    return a[1] + (b[1] - a[1]) * (3 * t * t - 2 * t * t * t)
