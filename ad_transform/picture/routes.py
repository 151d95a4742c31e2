"""The edges of later frames: threaded between the boxes that are there by then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ad_transform.dataclass import replace
from ad_transform.picture.geometry import (
    LABEL_HEIGHT,
    MARGIN,
    Box,
    Curve,
    Layout,
    Point,
    cleaned,
    height_at,
    label_width,
)
from ad_transform.picture.model import Arrow, Page, Vertex

_CLEAR = 6.0
"""The distance that a curve keeps from boxes."""

_BEND = 1.0
_DETOURS = 16
_CELL = 160.0
"""Boxes are looked up by squares of this size."""


def routed(page: Page, layout: Layout) -> Layout:
    """The layout with curves and spots for the arrows that have none yet.

    An arrow that replaces another one takes its curve and, if free, its spot.
    """
    scene = _Scene(page, layout)
    for k, arrow in enumerate(page.arrows):
        if arrow.follows is not None:
            layout.curves[k] = layout.curves[arrow.follows]
            spot = layout.spots[arrow.follows]
            spot = replace(spot, half_width=label_width(arrow.label) / 2)
            if scene.crowded(arrow, spot):
                spot = scene.spot(arrow, layout.curves[k])
            layout.spots[k] = spot
        elif not layout.curves[k]:
            layout.curves[k] = scene.curve(arrow)
            layout.spots[k] = scene.spot(arrow, layout.curves[k])
        scene.take(arrow, layout.spots[k])
    _measure(layout)
    return layout


def _measure(layout: Layout) -> None:
    """Make the sheet high enough for its boxes and curves."""
    boxes = [*layout.boxes.values(), *layout.spots]
    levels = [y for curve in layout.curves for _, y in curve]
    tops, bottoms = [box.top for box in boxes], [box.bottom for box in boxes]
    layout.top = min([MARGIN, *tops, *levels]) - MARGIN
    layout.bottom = max([0.0, *bottoms, *levels]) + MARGIN


class _Scene:
    """The obstacles on a page: boxes of vertices, and labels with their lifetimes."""

    def __init__(self, page: Page, layout: Layout) -> None:
        self.layout = layout
        self.standing: dict[int, list[tuple[Vertex, Box]]] = {}  # by column
        self.bends: dict[int, list[tuple[Arrow, Box]]] = {}  # by column
        self.cells: dict[tuple[int, int], list[tuple[int, int, Box]]] = {}
        for vertex in page.vertices:
            box = layout.boxes[vertex.number]
            column = layout.column_of[vertex.number]
            self.standing.setdefault(column, []).append((vertex, box))
            self._put(vertex.born, vertex.died + 1, box)  # it fades for a frame

    def _put(self, born: int, died: int, box: Box) -> None:
        for cell in _cells(box):
            self.cells.setdefault(cell, []).append((born, died, box))

    def take(self, arrow: Arrow, spot: Box) -> None:
        """Keep a label's place for its time."""
        self._put(arrow.born, arrow.died, spot)

    # --- curves -----------------------------------------------------------------------

    def curve(self, arrow: Arrow) -> Curve:
        """The curve from box to box, around those in between that are there at its
        birth.
        """
        boxes, columns = self.layout.boxes, self.layout.columns
        u, w = boxes[arrow.source], boxes[arrow.target]
        first, last = (self.layout.column_of[v] for v in (arrow.source, arrow.target))
        start, end = (columns[first][1], u.y), (columns[last][0], w.y)
        there = {
            c: [
                box
                for vertex, box in self.standing.get(c, ())
                if vertex.born <= arrow.born < vertex.died
            ]
            for c in range(first + 1, last)
        }
        around: dict[int, float] = {}  # heights in the columns where it gives way
        points = [start, end]
        while len(around) < _DETOURS:
            c = _obstacle(points, {c: b for c, b in there.items() if c not in around})
            if c is None:
                break
            left, right = columns[c]
            height = height_at(points, (left + right) / 2)
            around[c] = _nearest_gap(height, there[c] + self._bent(c, arrow))
            points = [start, *_steps(around, columns), end]
        level = self._leveled(around, there, arrow)
        smooth = [start, *_steps(level, columns), end]
        if _obstacle(smooth, there) is None:
            around, points = level, smooth
        for c, y in around.items():
            self.bends.setdefault(c, []).append((arrow, Box(0.0, y, 0.0, _BEND)))
        return cleaned([(u.right, u.y), *points, (w.left, w.y)])

    def _leveled(
        self,
        around: Mapping[int, float],
        there: Mapping[int, list[Box]],
        arrow: Arrow,
    ) -> dict[int, float]:
        """The same curve in as few level runs as meet nothing, each as long as
        possible.
        """
        columns = sorted(around)
        made: dict[int, float] = {}
        while columns:
            for count in range(len(columns), 0, -1):
                run = columns[:count]
                passed = [box for c in run for box in self._bent(c, arrow)]
                passed += [b for c in range(run[0], run[-1] + 1) for b in there[c]]
                heights = [around[c] for c in run]
                level = next((y for y in heights if _is_clear(y, passed)), heights[0])
                if count == 1 or _is_clear(level, passed):
                    made.update(dict.fromkeys(run, level))
                    columns = columns[count:]
                    break
        return made

    def _bent(self, c: int, arrow: Arrow) -> list[Box]:
        """The bends of other edges in this column that live at the same time."""
        bends = self.bends.get(c, ())
        return [b for a, b in bends if a.born < arrow.died and arrow.born < a.died]

    # --- labels -----------------------------------------------------------------------

    def spot(self, arrow: Arrow, curve: Curve) -> Box:
        """A place on the curve that is free, or the least crowded one."""
        best: tuple[float, Box] | None = None
        for x, y in _candidates(curve):
            box = Box(x, y, label_width(arrow.label) / 2, LABEL_HEIGHT / 2)
            crowded = self.crowded(arrow, box)
            if best is None or crowded < best[0]:
                best = crowded, box
            if not crowded:
                break
        assert best is not None
        return best[1]

    def crowded(self, arrow: Arrow, box: Box) -> float:
        """The area that the label shares with others at any time of its life."""
        total = 0.0
        for cell in _cells(box):
            for born, died, other in self.cells.get(cell, ()):
                if born < arrow.died and arrow.born < died:
                    total += _shared(box, other)
        return total


def _cells(box: Box) -> Iterator[tuple[int, int]]:
    for i in range(int(box.left // _CELL), int(box.right // _CELL) + 1):
        for j in range(int(box.top // _CELL), int(box.bottom // _CELL) + 1):
            yield i, j


def _shared(a: Box, b: Box) -> float:
    across = a.half_width + b.half_width - abs(a.x - b.x)
    down = a.half_height + b.half_height - abs(a.y - b.y)
    return across * down if across > 0 and down > 0 else 0.0


_FRACTIONS = tuple(sorted(range(10, 91, 4), key=lambda part: (abs(part - 50), part)))
"""The places tried for labels, in hundredths of the way."""


def _candidates(curve: Curve) -> Iterator[Point]:
    start, end = curve[0][0], curve[-1][0]
    for aside in (0.0, -13.0, 13.0, -26.0, 26.0, -39.0, 39.0):
        for part in _FRACTIONS:
            x = float(round(start + (end - start) * part / 100))
            yield x, float(round(height_at(curve, x) + aside))


def _is_clear(y: float, boxes: Sequence[Box]) -> bool:
    """Whether a level line keeps away from all boxes."""
    return all(y <= b.top - _CLEAR or y >= b.bottom + _CLEAR for b in boxes)


def _steps(
    around: Mapping[int, float], columns: Sequence[tuple[float, float]]
) -> Iterator[Point]:
    for c in sorted(around):
        for x in columns[c]:
            yield x, around[c]


def _obstacle(points: Sequence[Point], there: Mapping[int, list[Box]]) -> int | None:
    """The first column in which the curve comes too near to a box."""
    for c, boxes in there.items():
        for box in boxes:
            ends = height_at(points, box.left), height_at(points, box.right)
            if min(ends) < box.bottom + _CLEAR and max(ends) > box.top - _CLEAR:
                return c
    return None


def _nearest_gap(y: float, boxes: list[Box]) -> float:
    """The height nearest to y at which a level line meets none of the boxes."""
    places = [y]
    for box in boxes:
        places += [box.top - _CLEAR, box.bottom + _CLEAR]
    places.sort(key=lambda p: (abs(p - y), p))
    for p in places:
        if _is_clear(p, boxes):
            return p
    return y
