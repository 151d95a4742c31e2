"""A source beside its generated code, as one HTML page.

Lines are shaded by a measure; pointing at a line marks the lines and the vertices that
belong to it. Everything is in the file: no external script, style or font. Without
scripts it shows the first function, shaded by its first measure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from ad_transform.picture.layout import laid_out
from ad_transform.picture.markup import document
from ad_transform.picture.shading import Measure, View
from ad_transform.picture.shapes import shapes
from ad_transform.picture.svg import first_frame


def as_report(
    views: Sequence[View], source: str, lines: Sequence[str], inputs: str
) -> str:
    """The text of the file; `lines` are those of the source, `inputs` the point."""
    title = f"{source}: operations and rounding errors by line"
    while lines and not lines[-1]:
        lines = lines[:-1]
    body = [line for k, view in enumerate(views) for line in _section(view, k, lines)]
    whole = [*_header(views, source, inputs), *body, _FOOTER]
    return document(title, ("graph.css", "report.css"), whole, ("report.js",))


def _header(views: Sequence[View], source: str, inputs: str) -> Iterator[str]:
    at = f' <span class="at">at {escape(inputs)}</span>' if inputs else ""
    yield f"<header><h1>{escape(source)}{at}</h1>"
    yield '<label>function <select id="views">'
    for k, view in enumerate(views, 1):
        title = escape(f"{view.name}: {view.title}")
        yield f'<option value="{k}">{title}</option>'
    yield "</select></label></header>"


def _section(view: View, k: int, lines: Sequence[str]) -> Iterator[str]:
    shown = " shown" if not k else ""
    yield f'<section class="view{shown}" id="view-{k + 1}" data-m="0">'
    yield '<div class="controls"><label>shade by <select class="measures">'
    for m, measure in enumerate(view.measures):
        yield f'<option value="{m}">{escape(measure.title)}</option>'
    yield '</select></label><span class="scale" aria-hidden="true">0'
    yield '<i></i>all of it</span><span class="tip"></span></div>'
    yield from (f'<p class="remark">{escape(text)}</p>' for text in view.remarks)
    yield '<div class="panes">'
    yield from _source(view.measures, lines)
    yield from _generated(view)
    yield "</div>"
    yield from _graph(view)
    yield "</section>"


def _source(measures: Sequence[Measure], lines: Sequence[str]) -> Iterator[str]:
    """The listing of the source with a column of figures for each measure."""
    yield '<div class="pane"><table class="source"><thead><tr><th>line</th>'
    for m, measure in enumerate(measures):
        yield f'<th class="m{m}" title="{escape(measure.title)}">'
        yield f"{_HEADS[measure.key.partition('-')[0]]}</th>"
    yield "<th>source</th></tr></thead><tbody>"
    for number, line in enumerate(lines, 1):
        yield _source_line(measures, number, line)
    yield "</tbody></table></div>"


_HEADS = {"error": "error", "digits": "digits", "value": "value", "derivative": "deriv"}


def _source_line(measures: Sequence[Measure], number: int, line: str) -> str:
    shades = "".join(
        f"--m{m}:{min(1.0, measure.shares[number]):.3f};"
        for m, measure in enumerate(measures)
        if number in measure.shares
    )
    tips = [tip for measure in measures for tip in measure.tips.get(number, ())]
    attributes = f' style="{shades}"' if shades else ""
    attributes += f' data-tip="{escape(" | ".join(tips))}"' if tips else ""
    cells = "".join(
        f'<td class="figure m{m}">{escape(measure.figures.get(number, ""))}</td>'
        for m, measure in enumerate(measures)
    )
    return (
        f'<tr data-l="{number}"{attributes}><td class="number">{number}</td>{cells}'
        f"<td><code>{escape(line)}</code></td></tr>"
    )


def _generated(view: View) -> Iterator[str]:
    yield '<div class="pane"><table class="generated"><thead><tr><th>from</th>'
    yield f"<th>{escape(view.name)}</th></tr></thead><tbody>"
    for text, lines in zip(view.text, view.origins, strict=True):
        numbers = " ".join(map(str, sorted(lines)))
        origin = f' data-from="{numbers}"' if numbers else ""
        yield (
            f'<tr{origin}><td class="number">{_ranges(sorted(lines))}</td>'
            f"<td><code>{escape(text)}</code></td></tr>"
        )
    yield "</tbody></table></div>"


_MOST = 3


def _ranges(lines: Sequence[int]) -> str:
    """The numbers, cut where there are many."""
    shown = ", ".join(map(str, lines[:_MOST]))
    return shown + (", …" if len(lines) > _MOST else "")


def _graph(view: View) -> Iterator[str]:
    if view.page is None:
        return
    first = first_frame(view.page)
    layout = laid_out(first)
    yield f"<h2>{escape(view.page.title)}</h2>"
    yield f'<p class="caption">{escape(view.page.caption)}</p>'
    yield f'<div class="canvas"><svg {layout.view} role="img">'
    yield f"<title>{escape(view.page.title)}</title>"
    yield from shapes(first, layout)
    yield "</svg></div>"


_FOOTER = """<footer><p>Point at a line, or at a vertex of the graph, to see what
belongs to it; click to keep it. A value of the derivative comes from the lines whose
values it is made of. Figures: the share of the bound on the rounding error, decimal
digits cancelled, operations (those that come from several lines are shared out
equally).</p></footer>"""
