"""Blocks and pages of small graphs, in the HTML of `--graph`."""

from __future__ import annotations

from drawn import SOURCE, text_of

from ad_transform.graph import parse_graph
from ad_transform.picture.structures import structures

NAMES = dict(enumerate("xyuvwfg"))
"""x and y make u, u makes w straight and over v, w makes f and g."""
WAIST = parse_graph(
    "graph 7\nindependents 0 1\ndependents 5 6\nedge 0 2\nedge 1 2\nedge 2 3\n"
    "edge 2 4\nedge 3 4\nedge 4 5\nedge 4 6\n"
)


def test_a_page_says_what_its_paths_run_through():
    assert structures(WAIST, NAMES) == (
        ("page 1", "x, y to f, g, all through u, all through w; 7 edges"),
    )


def test_a_complex_block_has_ends_and_an_interior():
    ladder = parse_graph(
        "graph 6\nindependents 0\ndependents 5\nedge 0 1\nedge 1 2\nedge 1 3\n"
        "edge 2 3\nedge 2 4\nedge 3 4\nedge 4 5\n"
    )
    assert structures(ladder, dict(enumerate("xabcdf")))[0] == (
        "complex block 1",
        "a to d, over b, c",
    )


def test_the_html_lists_them():
    text = text_of(SOURCE.format("jacobian"), ".html")
    row = text.partition('<table class="structures">')[2].partition("</table>")[0]
    assert "<td>page 1</td><td>x, y, k to f, all through t; 10 edges" in row
    assert "any elimination: at least" in text
