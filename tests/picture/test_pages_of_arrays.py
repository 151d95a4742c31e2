"""Graphs of whole arrays: shapes of vertices, kinds of labels, prices of steps."""

from __future__ import annotations

from functools import cache

from drawn import subjects, text_of

from ad_transform.options import Options
from ad_transform.picture.model import Page
from ad_transform.picture.wholes import whole_pages
from ad_transform.run.job import explain

SOURCE = """\
import numpy as np


# ad: shapes(W=[n, n], x=[n], j=[k, int])
# ad: jacobian(x)
def net(W, x, j, c: float):
    h = np.tanh(W @ x)
    z = np.linalg.solve(W, c * h - x)
    return z * np.sum(h[j]), h[1:] - z[:-1]


# ad: shapes(W=[n, n], x=[n])
# ad: hessian(x), gradient(W)
def scalar(W, x, c: float):
    z = (W * c + W.T) @ x
    return np.sum(np.log(1.0 + np.exp(c * z))) + x @ x
"""


@cache
def pages() -> tuple[Page, ...]:
    return tuple(
        page
        for s in subjects(SOURCE)
        for page in whole_pages(s.function, s.derived, s.options)
    )


def test_vertices_have_shapes_and_labels_the_kinds_of_their_maps() -> None:
    page = pages()[0]
    boxes = {v.name: v.detail for v in page.vertices}
    assert (boxes["x"], boxes["h"], boxes["net[1]"]) == (
        "[n]",
        "tanh [n]",
        "net[1] [n - 1]",
    )
    tips = {a.tip for a in page.arrows if not a.born}
    assert {
        "dense, n \N{MULTIPLICATION SIGN} n: W",
        "solved, n \N{MULTIPLICATION SIGN} n: inverse of W",
        "gathered, k \N{MULTIPLICATION SIGN} n: ·[j]",
        "scaled, n \N{MULTIPLICATION SIGN} n: c · I",
        "summed, k: sum",
    } <= tips
    assert "diag(1.0 - h * h)" in {a.label for a in page.arrows}


def test_steps_cost_what_the_figures_of_explain_say() -> None:
    figures = explain(SOURCE.encode(), "model.py", Options()).objects
    for page, object_ in zip(pages()[:2], figures, strict=False):
        assert page.multiplications == object_["chosen"]["cost"] > 0
        assert dict(page.orders).items() <= object_["orders"].items()


def test_what_is_swept_is_drawn_as_written() -> None:
    page = pages()[2]
    boxes = {v.name: v.detail for v in page.vertices}
    assert not page.stages and boxes["W"] == "[n, n]" and "as written" in page.caption
    assert any(a.tip.startswith("linear, n") for a in page.arrows)


def test_lengths_are_not_counted_by_hand() -> None:
    text = text_of(SOURCE, ".html")
    hidden = '<label hidden><input type="checkbox" class="try">'
    assert text.count(hidden) == text.count('class="try"') == len(pages())


def test_lengths_that_only_a_run_knows_are_left_open() -> None:
    source = (
        "# ad: shapes(x=[n], m=[k, int])\n# ad: vjp(x)\n"
        "def f(x, m):\n    return (x[:, None] * x).ravel()[m], x[x > 0.5]\n"
    )
    text = text_of(source, ".dot")
    assert "[...]" in text and "... \N{MULTIPLICATION SIGN} n" in text
