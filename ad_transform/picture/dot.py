"""The graphs in the language of Graphviz, before the first step.

One `digraph`; with several pages each is a cluster of its own. Umbrellas are coloured
clusters, steps are comments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ad_transform.picture.model import Arrow, Page, Role, Vertex
from ad_transform.picture.svg import first_frame

_HEAD = """\
  rankdir=LR;
  node [shape=box, style="rounded,filled", fillcolor="#f4f6f8", fontname=monospace];
  edge [fontname=monospace, fontsize=10, color="#59626d"];
  graph [fontname=sans, labeljust=l, labelloc=t];"""
_FILLS = {Role.INPUT: "#e3effb", Role.OUTPUT: "#fdeee2"}
_RANKS = {Role.INPUT: "source", Role.OUTPUT: "sink"}
_HULLS = (
    ("#0072b2", "#deedf5"),
    ("#e69f00", "#fcf2de"),
    ("#009e73", "#def2ed"),
    ("#cc79a7", "#f8edf3"),
    ("#56b4e9", "#e9f5fc"),
    ("#d55e00", "#f9e9de"),
    ("#b8a800", "#f6f4de"),
)


def as_dot(pages: Sequence[Page], source: str) -> str:
    """The text of the file; `dot -Tsvg` draws it."""
    lines = [f"digraph {quoted(source)} {{", _HEAD]
    for k, page in enumerate(pages):
        whole = len(pages) == 1
        lines += _page(first_frame(page), page, f"g{k + 1}_", whole)
    return "\n".join([*lines, "}", ""])


def quoted(text: str) -> str:
    """A string in quotes; a backslash would begin an escape of Graphviz."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def _page(first: Page, page: Page, prefix: str, whole: bool) -> Iterator[str]:
    title = _lines((page.title, page.caption))
    if whole:
        yield f"  label={title};"
        prefix = "v"
    else:
        yield f"  subgraph cluster_{prefix}page {{"
        yield f'  label={title}; color="#9aa3ad";'
    for vertex in first.vertices:
        yield _vertex(vertex, prefix)
    if whole:  # ranks of clusters would disturb each other
        yield from _ends(first, prefix)
    for k, umbrella in enumerate(first.umbrellas):
        line, fill = _HULLS[k % len(_HULLS)]
        members = "; ".join(f"{prefix}{v}" for v in umbrella.vertices)
        yield f"  subgraph cluster_{prefix}{k + 1} {{"
        yield f'    label="umbrella"; style="rounded,filled"; color="{line}";'
        yield f'    fillcolor="{fill}"; {members};'
        yield "  }"
    for arrow in first.arrows:
        yield _arrow(arrow, prefix)
    for k, stage in enumerate(page.stages, 1):
        count = stage.multiplications
        yield f"  // step {k}: {stage.text}; {count} multiplications"
    if not whole:
        yield "  }"


def _vertex(vertex: Vertex, prefix: str) -> str:
    lines = [vertex.title, vertex.detail] if vertex.detail else [vertex.title]
    fill = _FILLS.get(vertex.role)
    extra = f', fillcolor="{fill}"' if fill else ""
    tip = quoted(vertex.tip)
    return f"  {prefix}{vertex.number} [label={_lines(lines)}, tooltip={tip}{extra}];"


def _lines(lines: Sequence[str]) -> str:
    return '"' + "\\n".join(quoted(line)[1:-1] for line in lines) + '"'


def _ends(page: Page, prefix: str) -> Iterator[str]:
    """Inputs and outputs in columns of their own, unless an umbrella holds them."""
    held = {v for umbrella in page.umbrellas for v in umbrella.vertices}
    for role, rank in _RANKS.items():
        ends = [v.number for v in page.vertices if v.role is role]
        if ends and held.isdisjoint(ends):
            members = "; ".join(f"{prefix}{v}" for v in ends)
            yield f"  {{ rank={rank}; {members}; }}"


def _arrow(arrow: Arrow, prefix: str) -> str:
    label, tip = quoted(arrow.label), quoted(arrow.tip)
    ends = f"{prefix}{arrow.source} -> {prefix}{arrow.target}"
    return f"  {ends} [label={label}, tooltip={tip}, labeltooltip={tip}];"
