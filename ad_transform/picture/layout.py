"""The layout of a picture: boxes, curves, labels. A layered drawing from left to right.

Sugiyama, Tagawa & Toda 1981: ranks, dummies on long edges, order by crossings, heights.
Labels are items of their own, in columns between those of the vertices (Gansner et al.
1993, section 5.3), so that the graph as it is at first has no overlapping labels. The
edges of later frames are threaded between the boxes that are there (`routes`).
"""

from __future__ import annotations

from ad_transform.dataclass import dataclass, replace
from ad_transform.picture.coordinates import heights, leveled
from ad_transform.picture.geometry import (
    BOX_HEIGHT,
    LABEL_HEIGHT,
    MARGIN,
    Box,
    Curve,
    Layout,
    Point,
    box_width,
    cleaned,
    label_width,
)
from ad_transform.picture.model import Arrow, Page
from ad_transform.picture.order import Lattice, untangle
from ad_transform.picture.ranks import ranked
from ad_transform.picture.routes import routed

_BEND = 10.0  # height of an edge that passes through a column
_NEAR, _FAR = 22.0, 80.0  # between columns
_APART = 8.0  # between neighbours in a column
_BOXES = 18.0  # between neighbours that are vertices
_HULL = 12.0  # more between neighbours of different umbrellas


def laid_out(page: Page) -> Layout:
    """The layout of a page; deterministic.

    Costs O(size log size) for the lattice, which has an item for every column that an
    edge passes; `drawing.LARGEST` says how many edges are laid out.
    """
    return routed(page, _Layering(page).layout())


@dataclass(frozen=True, slots=True)
class _Item:
    """An item of the lattice: a vertex, a label or a bend."""

    width: float
    height: float
    bend: bool = False


class _Layering:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.lattice = Lattice()
        self.items: list[_Item] = []
        self.place: dict[int, int] = {}  # of vertices in the lattice
        self.chains: dict[int, list[int]] = {}  # by arrow: its places between the ends
        self.laid = _laid(page)
        self.labels = _label_widths(page)
        self.hull = {v: k for k, u in enumerate(page.umbrellas) for v in u.vertices}

    def layout(self) -> Layout:
        self._fill()
        untangle(self.lattice)
        self.height = heights(self.lattice, self._distance, self._weight)
        chains = [self.chains[k] for k in self.laid]
        leveled(self.lattice, self.height, self._distance, chains)
        self._center()
        self.columns = self._columns()
        boxes = {v.number: self._box(self.place[v.number]) for v in self.page.vertices}
        curves, spots = self._arrows(boxes)
        return Layout(
            width=max((right for _, right in self.columns), default=0.0) + MARGIN,
            top=0.0,
            bottom=0.0,
            boxes=boxes,
            curves=curves,
            spots=spots,
            columns=self.columns,
            spans=[self._span(k) for k in range(len(self.page.umbrellas))],
            column_of={v: self.column[place] for v, place in self.place.items()},
        )

    # --- the lattice ------------------------------------------------------------------

    def _fill(self) -> None:
        arrows = self.page.arrows
        rank = ranked(
            self.page.vertices,
            [(arrows[k].source, arrows[k].target) for k in self.laid],
        )
        for vertex in self.page.vertices:
            v = vertex.number
            item = _Item(box_width(vertex), BOX_HEIGHT)
            self.place[v] = self._add(2 * rank[v], self.hull.get(v, -1), item)
        for k in self.laid:
            self._chain(k, arrows[k], rank)
        self.column = {
            item: c for c, column in enumerate(self.lattice.columns) for item in column
        }

    def _add(self, column: int, group: int, item: _Item) -> int:
        self.items.append(item)
        return self.lattice.add(column, group)

    def _chain(self, k: int, arrow: Arrow, rank: dict[int, int]) -> None:
        """Bends in every column between the ends, and the label in the middle one."""
        u, v = arrow.source, arrow.target
        first, last = 2 * rank[u] + 1, 2 * rank[v] - 1
        middle = (first + last) // 2
        middle += 1 - middle % 2  # labels stand between the vertices
        inside = self.hull.get(u, -1) == self.hull.get(v, -2)
        group = self.hull[u] if inside else -1
        chain = []
        for column in range(first, last + 1):
            label = _Item(self.labels[k], LABEL_HEIGHT)
            item = label if column == middle else _Item(0.0, _BEND, bend=True)
            chain.append(self._add(column, group, item))
        for a, b in zip([self.place[u], *chain], [*chain, self.place[v]], strict=True):
            self.lattice.join(a, b)
        self.chains[k] = chain

    def _distance(self, a: int, b: int) -> float:
        one, other = self.items[a].height, self.items[b].height
        apart = (one + other) / 2 + (_BOXES if one == other == BOX_HEIGHT else _APART)
        return apart + (_HULL if self.lattice.group[a] != self.lattice.group[b] else 0)

    def _weight(self, a: int, b: int) -> float:
        bends = self.items[a].bend + self.items[b].bend
        return (1.0, 2.0, 6.0)[bends]

    # --- places -----------------------------------------------------------------------

    def _center(self) -> None:
        """Move everything so that the topmost item has its margin."""
        tops = [
            h - item.height / 2 for h, item in zip(self.height, self.items, strict=True)
        ]
        down = MARGIN - min(tops, default=0.0)
        self.height = [h + down for h in self.height]

    def _columns(self) -> list[tuple[float, float]]:
        """Borders of the columns; steep edges get more room."""
        borders: list[tuple[float, float]] = []
        x = MARGIN
        for column in self.lattice.columns:
            wide = max((self.items[i].width for i in column), default=0.0)
            borders.append((x, x + wide))
            climbs = [
                abs(self.height[i] - self.height[j])
                for i in column
                for j in self.lattice.right[i]
            ]
            steep = 0.3 * max(climbs, default=0.0)
            x += wide + round(min(max(_NEAR, steep), _FAR))
        return borders

    def _box(self, place: int) -> Box:
        left, right = self.columns[self.column[place]]
        item = self.items[place]
        return Box(
            (left + right) / 2, self.height[place], item.width / 2, item.height / 2
        )

    def _arrows(self, boxes: dict[int, Box]) -> tuple[list[Curve], list[Box]]:
        count = len(self.page.arrows)
        curves: list[Curve] = [() for _ in range(count)]
        spots = [Box(0.0, 0.0, 0.0, 0.0) for _ in range(count)]
        starts, ends = self._ports(boxes)
        for k, chain in self.chains.items():
            arrow = self.page.arrows[k]
            leaves = self.columns[self.column[self.place[arrow.source]]][1]
            enters = self.columns[self.column[self.place[arrow.target]]][0]
            points = [starts[k], (leaves, starts[k][1])]
            for place in chain:
                left, right = self.columns[self.column[place]]
                points += [(left, self.height[place]), (right, self.height[place])]
                if not self.items[place].bend:
                    half = label_width(arrow.label) / 2
                    spots[k] = replace(self._box(place), half_width=half)
            points += [(enters, ends[k][1]), ends[k]]
            curves[k] = cleaned(points)
        return curves, spots

    def _ports(
        self, boxes: dict[int, Box]
    ) -> tuple[dict[int, Point], dict[int, Point]]:
        """The points where edges leave and enter boxes, in the order of their other
        ends.
        """
        starts: dict[int, Point] = {}
        ends: dict[int, Point] = {}
        leaving: dict[int, list[int]] = {}
        entering: dict[int, list[int]] = {}
        for k in self.chains:
            leaving.setdefault(self.page.arrows[k].source, []).append(k)
            entering.setdefault(self.page.arrows[k].target, []).append(k)
        for v, group in leaving.items():
            group.sort(key=lambda k: (self.height[self.chains[k][0]], k))
            for k, offset in zip(group, _spread(len(group)), strict=True):
                starts[k] = (boxes[v].right, boxes[v].y + offset)
        for v, group in entering.items():
            group.sort(key=lambda k: (self.height[self.chains[k][-1]], k))
            for k, offset in zip(group, _spread(len(group)), strict=True):
                ends[k] = (boxes[v].left, boxes[v].y + offset)
        return starts, ends

    def _span(self, k: int) -> tuple[int, list[tuple[float, float]]]:
        """The first column of an umbrella, and its highest and lowest borders."""
        borders: dict[int, tuple[float, float]] = {}
        for item, group in enumerate(self.lattice.group):
            if group == k:
                half = self.items[item].height / 2
                top, bottom = self.height[item] - half, self.height[item] + half
                c = self.column[item]
                old = borders.get(c, (top, bottom))
                borders[c] = min(old[0], top), max(old[1], bottom)
        first = min(borders)
        return first, [borders[c] for c in sorted(borders)]


def _spread(count: int) -> list[float]:
    """Offsets around zero for so many ports."""
    step = min(9.0, 24.0 / max(1, count - 1))
    return [round((k - (count - 1) / 2) * step, 1) for k in range(count)]


def _laid(page: Page) -> list[int]:
    """The arrows that the layout is made for: those of frame 0, and those that come
    with a copy."""
    born = {v.number: v.born for v in page.vertices}
    return [
        k
        for k, arrow in enumerate(page.arrows)
        if not arrow.replaced
        and (arrow.born == 0 or arrow.born in (born[arrow.source], born[arrow.target]))
    ]


def _label_widths(page: Page) -> list[float]:
    """The room of each arrow's label: enough for those that replace it."""
    room = [label_width(arrow.label) for arrow in page.arrows]
    for k in range(len(room) - 1, -1, -1):
        before = page.arrows[k].follows
        if before is not None:
            room[before] = max(room[before], room[k])
    return room
