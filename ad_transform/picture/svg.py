"""The graphs as one SVG file, before the first step: pages one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files

from ad_transform.dataclass import replace
from ad_transform.emit.width import width
from ad_transform.picture.layout import laid_out
from ad_transform.picture.model import ALWAYS, Page
from ad_transform.picture.shapes import number, shapes

_HEAD = 64.0  # room for title and caption
_LEAST = 420.0


def as_svg(pages: Sequence[Page], source: str) -> str:
    """The text of the file; well-formed XML without scripts or references."""
    sheets = [_sheet(page) for page in pages]
    wide = max((sheet[1] for sheet in sheets), default=_LEAST)
    lines: list[str] = []
    down = 0.0
    for text, _, high in sheets:
        lines += [f'<g transform="translate(0,{number(down)})">', *text, "</g>"]
        down += high
    size = f'width="{number(wide)}" height="{number(down)}"'
    box = f'viewBox="0 0 {number(wide)} {number(down)}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} role="img">',
            f"<title>Computational graphs of {escape(source)}</title>",
            f"<style>\n{style('graph.css')}</style>",
            f'<rect class="sheet" width="{number(wide)}" height="{number(down)}"/>',
            *lines,
            "</svg>",
            "",
        ]
    )


def style(name: str) -> str:
    """A style sheet or script of this package."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _sheet(page: Page) -> tuple[Sequence[str], float, float]:
    """The lines of a page, its width and height."""
    first = first_frame(page)
    layout = laid_out(first)
    head = [
        f'<text class="heading" x="30" y="34">{escape(page.title)}</text>',
        f'<text class="caption" x="30" y="54">{escape(page.caption)}</text>',
    ]
    down = number(_HEAD - layout.top)
    body = [f'<g transform="translate(0,{down})">', *shapes(first, layout)]
    wide = max(
        layout.width, 60 + 9.6 * width(page.title), 60 + 6.7 * width(page.caption)
    )
    return [*head, *body, "</g>"], wide, layout.height + _HEAD


def first_frame(page: Page) -> Page:
    """The page at its first frame alone."""
    return replace(
        page,
        vertices=tuple(replace(v, died=ALWAYS) for v in page.vertices if not v.born),
        arrows=tuple(replace(a, died=ALWAYS) for a in page.arrows if not a.born),
        umbrellas=tuple(replace(u, died=ALWAYS) for u in page.umbrellas),
        stages=(),
    )
