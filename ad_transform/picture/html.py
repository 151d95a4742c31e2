"""The graphs as one HTML page that goes through the elimination step by step.

Everything is in the file: no external script, style or font. Without scripts it shows
the graphs before the first step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from ad_transform.picture.layout import laid_out
from ad_transform.picture.markup import document
from ad_transform.picture.model import ALWAYS, Arrow, Page, Stage
from ad_transform.picture.shapes import shapes
from ad_transform.picture.wording import amount, short

_WIDE = 56  # columns of an entry
_ENTRIES = 400
"""Entries of a Jacobian up to which it is shown as a table."""


def as_html(pages: Sequence[Page], source: str) -> str:
    """The text of the file."""
    title = f"{source}: computational graphs"
    body = [line for k, page in enumerate(pages) for line in _section(page, k)]
    whole = [*_header(pages, source), *body, _FOOTER]
    sheets, scripts = ("graph.css", "page.css"), ("hands.js", "page.js")
    return document(title, sheets, whole, scripts)


def _header(pages: Sequence[Page], source: str) -> Iterator[str]:
    yield f"<header><h1>{escape(source)}</h1>"
    if len(pages) > 1:
        yield '<label>graph <select id="pages">'
        for k, page in enumerate(pages, 1):
            yield f'<option value="{k}">{escape(page.title)}</option>'
        yield "</select></label>"
    yield "</header>"


def _section(page: Page, k: int) -> Iterator[str]:
    layout = laid_out(page)
    steps = len(page.stages)
    counts = f'data-steps="{steps}" data-total="{page.multiplications}"'
    if page.bound is not None:
        counts += f' data-bound="{page.bound}"'
    yield f'<section class="page" id="page-{k + 1}" {counts}>'
    yield f"<h2>{escape(page.title)}</h2>"
    yield f'<p class="caption">{escape(page.caption)}</p>'
    yield _CONTROLS.format(
        steps=steps, least=min(steps, 1), own=" hidden" if page.wholes else ""
    )
    yield from _stages(page)
    yield f'<div class="canvas" tabindex="0"><svg {layout.view} role="img">'
    yield f"<title>{escape(page.title)}</title>"
    yield from shapes(page, layout)
    yield "</svg></div>"
    yield _LEGEND
    yield '<div class="tables">'
    yield from _table_of_steps(page)
    yield from _table_of_orders(page)
    yield from _table_of_structures(page)
    yield from _jacobian(page)
    yield "</div></section>"


# --- what a step does -----------------------------------------------------------------


def _stages(page: Page) -> Iterator[str]:
    """The texts under the slider, an element for each frame."""
    yield '<div class="stages" aria-live="polite">'
    yield f'<div class="stage" data-k="0"><p>{_START}</p></div>'
    yield '<div class="stage own off"><p></p></div>'
    total = 0
    for k, stage in enumerate(page.stages, 1):
        total += stage.multiplications
        yield f'<div class="stage off" data-k="{k}">'
        yield f"<p><b>{escape(stage.text)}</b>: {escape(_costs(stage, total))}</p>"
        yield from _changes(page, k)
        yield '<ul class="products">'
        yield from (f"<li>{escape(line)}</li>" for line in stage.products)
        yield "</ul></div>"
    yield "</div>"


_START = (
    "<b>the computational graph</b>: an edge carries the partial derivative of the "
    "value at its end with respect to the value at its beginning"
)


def _costs(stage: Stage, total: int) -> str:
    """The text behind the name of a step: the reason of its cost, and the sum."""
    count = amount(stage.multiplications, "multiplication")
    if stage.reason.endswith(f"= {stage.multiplications}"):
        words = stage.reason + count.removeprefix(str(stage.multiplications))
    else:
        words = f"{stage.reason}, {count}"
    if stage.free:
        words += f", {stage.free} of them by 1, -1 or of two constants"
    if stage.additions:
        words += f", {amount(stage.additions, 'addition')}"
    return f"{words}; {total} so far"


def _changes(page: Page, k: int) -> Iterator[str]:
    names = page.names
    replaced = {arrow.follows for arrow in page.arrows}
    kinds = {
        "new": [a for a in page.arrows if a.born == k and not a.replaced],
        "absorbed": [a for a in page.arrows if a.born == k and a.replaced],
        "gone": [
            a for n, a in enumerate(page.arrows) if a.died == k and n not in replaced
        ],
    }
    words = [
        f'<span class="{kind}">{kind}</span> '
        + ", ".join(f"{names[a.source]} → {names[a.target]}" for a in arrows)
        for kind, arrows in kinds.items()
        if arrows
    ]
    if words:
        yield f'<p class="changes">{"; ".join(words)}</p>'


def _table_of_steps(page: Page) -> Iterator[str]:
    if not page.stages:
        return
    yield '<div class="scroll"><table class="steps"><caption>steps</caption><thead>'
    yield "<tr><th>step</th><th>what is done</th><th>mul</th><th>sum</th></tr>"
    yield "</thead><tbody>"
    total = 0
    for k, stage in enumerate(page.stages, 1):
        total += stage.multiplications
        yield (
            f'<tr data-k="{k}" data-sum="{total}"><td>{k}</td><td><a href="#step={k}">'
            f"{escape(stage.text)}</a></td>"
            f"<td>{stage.multiplications}</td><td>{total}</td></tr>"
        )
    free = sum(stage.free for stage in page.stages)
    real = total - free
    yield "</tbody><tfoot><tr><td></td><td>in all</td>"
    yield f'<td class="total">{total}</td><td></td></tr>'
    if not page.wholes:
        yield "<tr><td></td><td>without those by 1, -1 or of two constants</td>"
        yield f"<td>{real}</td><td></td></tr>"
    yield "</tfoot></table></div>"


def _table_of_orders(page: Page) -> Iterator[str]:
    if not page.stages or not page.orders:
        return
    yield '<div><table class="orders"><caption>orders on this graph</caption><thead>'
    yield "<tr><th>order</th><th>mul</th></tr></thead><tbody>"
    rows = [*page.orders, ("the steps shown", page.multiplications)]
    for name, total in sorted(rows, key=lambda row: row[1]):
        shown = ' class="now"' if name == rows[-1][0] else ""
        yield f"<tr{shown}><td>{escape(name)}</td><td>{total}</td></tr>"
    yield "</tbody>"
    if page.bound is not None:
        yield "<tfoot><tr><td>any elimination: at least</td>"
        yield f"<td>{page.bound}</td></tr></tfoot>"
    yield "</table>"
    if page.multiplications > min(total for _, total in page.orders):
        yield f'<p class="note">{_NOT_FEWEST}</p>'
    yield "</div>"


def _table_of_structures(page: Page) -> Iterator[str]:
    if not page.structures:
        return
    yield '<div class="scroll"><table class="structures"><caption>blocks and pages'
    yield "</caption><tbody>"
    for name, text in page.structures:
        yield f"<tr><td>{escape(name)}</td><td>{escape(text)}</td></tr>"
    yield "</tbody></table></div>"


# --- the Jacobian ---------------------------------------------------------------------


def _jacobian(page: Page) -> Iterator[str]:
    """The entries found so far: results down, inputs across."""
    if not 0 < len(page.inputs) * len(page.outputs) <= _ENTRIES:
        return
    names = page.names
    entries: dict[tuple[int, int], list[Arrow]] = {}
    for arrow in page.arrows:
        entries.setdefault((arrow.source, arrow.target), []).append(arrow)
    reached = _reached(page)
    yield '<table class="jacobian"><caption>Jacobian</caption><thead><tr><th></th>'
    yield from (f"<th>{escape(names[x])}</th>" for x in page.inputs)
    yield "</tr></thead><tbody>"
    for y in page.outputs:
        cells = []
        for x in page.inputs:
            if y is None or (x, y) not in reached:
                cells.append('<td class="zero">0</td>')
                continue
            cells.append(f"<td>{''.join(_entry(a) for a in entries[x, y])}</td>")
        name = "0" if y is None else escape(names[y])
        yield f"<tr><th>{name}</th>{''.join(cells)}</tr>"
    yield "</tbody></table>"


def _reached(page: Page) -> set[tuple[int, int]]:
    """The entries that are not zero by structure."""
    return {(a.source, a.target) for a in page.arrows if a.died == ALWAYS}


def _entry(arrow: Arrow) -> str:
    born = f' data-b="{arrow.born}"' if arrow.born else ""
    died = f' data-d="{arrow.died}"' if arrow.died < ALWAYS else ""
    hidden = ' class="entry off"' if arrow.born else ' class="entry"'
    tip = escape(arrow.tip)
    text = escape(short(arrow.tip, _WIDE))
    return f'<span{hidden}{born}{died} title="{tip}">{text}</span>'


# --- fixed text -----------------------------------------------------------------------

_CONTROLS = """<div class="controls">
<button data-go="first" title="first frame (Home)">|◀</button>
<button data-go="back" title="one step back (←)">◀</button>
<input type="range" min="0" max="{steps}" value="0" step="1" aria-label="step">
<button data-go="on" title="one step on (→)">▶</button>
<button data-go="last" title="last frame (End)">▶|</button>
<output>step 0 of {steps}</output>
<span class="space"></span>
<label><input type="checkbox" class="degrees"> Markowitz degrees</label>
<label{own}><input type="checkbox" class="try"> your own order</label>
<button data-go="undo" title="take the last elimination back" hidden>undo</button>
<button data-zoom="out" title="smaller (-)">&minus;</button>
<button data-zoom="fit" title="fit the width (0)">fit</button>
<button data-zoom="in" title="larger (+)">+</button>
</div>"""

_NOT_FEWEST = """The steps are those that lead to the shortest code, which need not
be those with the fewest products: <code>--cost fma</code> goes through these."""

_LEGEND = """<p class="legend">
<span class="key input"></span>input <span class="key output"></span>result
<span class="key umbrella"></span><span class="key umbrella second"></span><span
class="key umbrella third"></span>maximal closed umbrellas, a colour each
<span class="key new"></span>new edge <span class="key absorbed"></span>edge added to
<span class="key gone"></span>gone with this step</p>
<p class="tip"></p>"""

_FOOTER = """<footer><p>Keys: ← and → for the steps, Home and End, + and &minus; for
the size, 0 to fit the width. Point at an edge, a vertex or a hull for the whole text.
<code>#step=3</code> in the address opens a step. Labels that would be too small to read
appear when you point at their edge or zoom in.</p></footer>"""
