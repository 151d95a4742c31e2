"""A page as SVG elements, each with the frames in which it is there.

Layers from back to front: hulls, edges, vertices, labels. `data-b` and `data-d` are the
frames of birth and death, left out where that is the beginning or never; `data-s` marks
edges that another one replaces, `data-f` those that replace one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from ad_transform.picture.geometry import Box, Curve, Layout
from ad_transform.picture.hulls import outline
from ad_transform.picture.model import ALWAYS, Arrow, Page, Umbrella, Vertex

Names = Mapping[int, str]

COLOURS = 7
"""Hulls take turns with so many colours."""


def shapes(page: Page, layout: Layout) -> Iterator[str]:
    """The lines of the drawing, without the `svg` element around it."""
    names = page.names
    yield '<g class="hulls">'
    for k, umbrella in enumerate(page.umbrellas):
        yield _hull(names, layout, k, umbrella)
    yield '</g>\n<g class="edges">'
    replaced = {arrow.follows for arrow in page.arrows}
    for k, arrow in enumerate(page.arrows):
        yield _edge(names, arrow, layout.curves[k], k in replaced, k)
    yield '</g>\n<g class="vertices">'
    for vertex in page.vertices:
        yield _vertex(vertex, layout.boxes[vertex.number])
    yield '</g>\n<g class="labels">'
    for k, arrow in enumerate(page.arrows):
        yield _label(names, arrow, layout.spots[k], k in replaced, k)
    yield "</g>"


def number(x: float) -> str:
    """A coordinate with at most one decimal."""
    return f"{x:.1f}".removesuffix(".0")


def path(curve: Curve) -> str:
    """The commands for a curve: lines where it is level, else S-curves."""
    (x, y), *rest = curve
    parts = [f"M{number(x)},{number(y)}"]
    return "".join([*parts, *_onward((x, y), rest)])


def _onward(start: tuple[float, float], points: list[tuple[float, float]]) -> list[str]:
    parts = []
    x, y = start
    for a, b in points:
        if b == y:
            parts.append(f"H{number(a)}")
        else:
            middle = number((x + a) / 2)
            parts.append(
                f"C{middle},{number(y)} {middle},{number(b)} {number(a)},{number(b)}"
            )
        x, y = a, b
    return parts


def _life(born: int, died: int, *flags: str) -> str:
    """The attributes with the frames of an element's birth and death."""
    parts = [f' data-b="{born}"'] if born else []
    parts += [f' data-d="{died}"'] if died < ALWAYS else []
    return "".join([*parts, *(f' data-{flag}="1"' for flag in flags if flag)])


def _class(kind: str, born: int) -> str:
    """The class of an element; those of later frames are hidden at first."""
    return f' class="{kind} off"' if born else f' class="{kind}"'


def _title(text: str) -> str:
    return f"<title>{escape(text, quote=False)}</title>"


def _vertex(vertex: Vertex, box: Box) -> str:
    x, y = number(box.left), number(box.top)
    wide, high = number(2 * box.half_width), number(2 * box.half_height)
    middle = number(box.x)
    texts = [(vertex.title, "title", box.y + (-1 if vertex.detail else 4.5))]
    if vertex.detail:
        texts.append((vertex.detail, "detail", box.y + 12))
    lines = "".join(
        f'<text class="{kind}" x="{middle}" y="{number(at)}">'
        f"{escape(text, quote=False)}</text>"
        for text, kind, at in texts
    )
    life = _life(vertex.born, vertex.died) + f' data-v="{vertex.number}"'
    life += f' data-n="{escape(vertex.name)}"'
    life += f' data-l="{vertex.line}"' if vertex.line else ""
    return (
        f"<g{_class('vertex ' + vertex.role.value, vertex.born)}{life}>"
        f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" rx="9"/>'
        f"{lines}{_title(vertex.tip)}</g>"
    )


def _flags(arrow: Arrow, replaced: bool) -> tuple[str, str]:
    return "s" if replaced else "", "f" if arrow.replaced else ""


def _tip(names: Names, arrow: Arrow) -> str:
    return f"{names[arrow.source]} → {names[arrow.target]}: {arrow.tip}"


def _weight(arrow: Arrow) -> str:
    return " unit" if arrow.label in ("1", "-1") else ""


def _edge(names: Names, arrow: Arrow, curve: Curve, replaced: bool, k: int) -> str:
    life = _life(arrow.born, arrow.died, *_flags(arrow, replaced)) + f' data-a="{k}"'
    ends = f' data-u="{arrow.source}" data-w="{arrow.target}"'
    x, y = curve[-1]
    line = path((*curve[:-1], (x - 5, y)))
    head = f"M{number(x)},{number(y)}l-8,-4v8z"
    return (
        f"<g{_class('edge' + _weight(arrow), arrow.born)}{life}{ends}>"
        f'<path class="line" d="{line}"/><path class="head" d="{head}"/>'
        f"{_title(_tip(names, arrow))}</g>"
    )


def _label(names: Names, arrow: Arrow, spot: Box, replaced: bool, k: int) -> str:
    life = _life(arrow.born, arrow.died, *_flags(arrow, replaced)) + f' data-a="{k}"'
    wide, high = number(2 * spot.half_width), number(2 * spot.half_height)
    return (
        f"<g{_class('label' + _weight(arrow), arrow.born)}{life}>"
        f'<rect x="{number(spot.left)}" y="{number(spot.top)}" width="{wide}" '
        f'height="{high}" rx="3"/>'
        f'<text x="{number(spot.x)}" y="{number(spot.y + 4)}">'
        f"{escape(arrow.label, quote=False)}</text>{_title(_tip(names, arrow))}</g>"
    )


def _hull(names: Names, layout: Layout, k: int, umbrella: Umbrella) -> str:
    upper, lower = outline(layout, k)
    border = _rounded(upper, lower)
    first, *inner, last = (names[v] for v in umbrella.vertices)
    tip = f"closed umbrella from {first} to {last}, over {', '.join(inner)}"
    return (
        f'<path class="hull h{k % COLOURS}" d="{border}"{_life(0, umbrella.died)}>'
        f"{_title(tip)}</path>"
    )


_CORNER = 9.0


def _rounded(upper: Curve, lower: Curve) -> str:
    """The border of a hull with round corners."""
    (left, top), (right, _) = upper[0], upper[-1]
    start, end = (left + _CORNER, top), (right - _CORNER, upper[-1][1])
    back, home = (right - _CORNER, lower[-1][1]), (left + _CORNER, lower[0][1])
    there = _onward(start, [*upper[1:-1], end])
    behind = _onward(back, [*lower[-2:0:-1], home])
    far, near = number(right), number(left)
    return "".join(
        [
            f"M{number(start[0])},{number(top)}",
            *there,
            f"Q{far},{number(end[1])} {far},{number(end[1] + _CORNER)}",
            f"V{number(back[1] - _CORNER)}",
            f"Q{far},{number(back[1])} {number(back[0])},{number(back[1])}",
            *behind,
            f"Q{near},{number(home[1])} {near},{number(home[1] - _CORNER)}",
            f"V{number(top + _CORNER)}",
            f"Q{near},{number(top)} {number(start[0])},{number(top)}z",
        ]
    )
