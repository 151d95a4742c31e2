"""Blocks and pages of a graph in words (Notes on Jacobian accumulation)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ad_transform.derive.structure import counted, simplified
from ad_transform.graph.blocks import complex_blocks
from ad_transform.graph.computational import Graph
from ad_transform.graph.pages import Page, pages
from ad_transform.picture.wording import amount

MOST = 40
"""Structures that are listed."""


def structures(graph: Graph, names: Mapping[int, str]) -> tuple[tuple[str, str], ...]:
    """The names of complex blocks and pages with descriptions: MOST at most, and none
    for a graph in which they are not counted.
    """
    if not counted(graph):
        return ()
    return tuple([*_blocks(graph, names), *_pages(graph, names)][:MOST])


def _blocks(graph: Graph, names: Mapping[int, str]) -> Iterator[tuple[str, str]]:
    for k, block in enumerate(complex_blocks(simplified(graph)), 1):
        inner = ", ".join(names[v] for v in block.interior)
        ends = f"{names[block.source]} to {names[block.sink]}"
        yield f"complex block {k}", f"{ends}, over {inner}"


def _pages(graph: Graph, names: Mapping[int, str]) -> Iterator[tuple[str, str]]:
    for k, page in enumerate(pages(graph), 1):
        yield f"page {k}", _described(graph, page, names)


def _described(graph: Graph, page: Page, names: Mapping[int, str]) -> str:
    """The ends of a page, and the vertices that all its paths run through."""
    touched = {v for edge in page.edges for v in edge}
    first, last = (
        ", ".join(names[v] for v in ends if v in touched)
        for ends in (graph.independents, graph.dependents)
    )
    waist = dict.fromkeys(v for v in (page.lower, page.upper) if v is not None)
    through = "".join(f", all through {names[v]}" for v in waist)
    count = len(page.edges)
    return f"{first} to {last}{through}; {amount(count, 'edge')}"
