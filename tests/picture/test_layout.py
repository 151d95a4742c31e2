"""The layout: nothing overlaps, ranks increase, hulls hold their own."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest
from amounts import QUICK, seeds
from drawn import SOURCE, pages_of, random_page

from ad_transform.picture.geometry import height_at
from ad_transform.picture.hulls import outline
from ad_transform.picture.layout import laid_out
from ad_transform.picture.model import Role
from ad_transform.picture.svg import first_frame

each_page = pytest.mark.parametrize("seed", seeds(15, 50))
more_pages = pytest.mark.parametrize("seed", seeds(40, 100))
"""One in seven has umbrellas."""


@cache
def laid(seed):
    """A random page and its layout."""
    page = random_page(seed)
    return page, laid_out(page)


@each_page
def test_boxes_and_first_labels_do_not_overlap(seed):
    page, layout = laid(seed)
    first = [k for k, arrow in enumerate(page.arrows) if not arrow.born]
    shapes = [*layout.boxes.values(), *(layout.spots[k] for k in first)]
    assert not any(a.overlaps(b) for a, b in combinations(shapes, 2))


@each_page
def test_edges_go_from_left_to_right(seed):
    page, layout = laid(seed)
    for arrow, curve in zip(page.arrows, layout.curves, strict=True):
        start, end = layout.boxes[arrow.source], layout.boxes[arrow.target]
        assert start.right < end.left
        assert curve[0][0] == start.right and curve[-1][0] == end.left
        assert [x for x, _ in curve] == sorted(x for x, _ in curve)
        assert start.top <= curve[0][1] <= start.bottom
        assert end.top <= curve[-1][1] <= end.bottom


@each_page
def test_inputs_stand_left_and_results_right(seed):
    page, layout = laid(seed)
    for vertex in page.vertices:
        column = layout.column_of[vertex.number]
        if vertex.role is not Role.INNER:
            ends = {Role.INPUT: 0, Role.OUTPUT: len(layout.columns) - 1}
            assert column == ends[vertex.role]
        else:
            assert 0 < column < len(layout.columns) - 1


@each_page
def test_curves_meet_no_other_box(seed):
    page, layout = laid(seed)
    for arrow, curve in zip(page.arrows, layout.curves, strict=True):
        for vertex in page.vertices:
            box = layout.boxes[vertex.number]
            if vertex.number in (arrow.source, arrow.target):
                continue
            for x in (box.left, box.x, box.right):
                if curve[0][0] < x < curve[-1][0]:
                    assert not box.top < height_at(curve, x) < box.bottom


@more_pages
def test_hulls_hold_exactly_their_members(seed):
    page, layout = laid(seed)
    for k, umbrella in enumerate(page.umbrellas):
        upper, lower = outline(layout, k)
        for vertex in page.vertices:
            box = layout.boxes[vertex.number]
            inside = [
                upper[0][0] <= x <= upper[-1][0]
                and height_at(upper, x) < y < height_at(lower, x)
                for x in (box.left, box.x, box.right)
                for y in (box.top, box.y, box.bottom)
            ]
            member = vertex.number in umbrella.vertices
            assert all(inside) if member else not any(inside), vertex


@more_pages
def test_hulls_hold_the_labels_of_their_edges(seed):
    page = first_frame(random_page(seed))
    layout = laid_out(page)
    for k, umbrella in enumerate(page.umbrellas):
        upper, lower = outline(layout, k)
        for arrow, spot in zip(page.arrows, layout.spots, strict=True):
            own = {arrow.source, arrow.target} <= set(umbrella.vertices)
            across = upper[0][0] <= spot.x <= upper[-1][0]
            top, bottom = height_at(upper, spot.x), height_at(lower, spot.x)
            assert (across and top < spot.y < bottom) == own


@each_page
def test_everything_is_on_the_sheet(seed):
    _, layout = laid(seed)
    for box in (*layout.boxes.values(), *layout.spots):
        assert box.left >= 0 and box.right <= layout.width
        assert box.top >= layout.top and box.bottom <= layout.bottom


@pytest.mark.parametrize("kind", ["gradient", "jacobian(x, y)", "hessian(x)", "jvp"])
def test_labels_of_a_small_graph_never_overlap(kind):
    for page in pages_of(SOURCE.format(kind), **QUICK):
        layout = laid_out(page)
        for k in range(len(page.stages) + 1):
            shapes = [
                spot
                for arrow, spot in zip(page.arrows, layout.spots, strict=True)
                if arrow.born <= k < arrow.died
            ]
            shapes += [
                layout.boxes[vertex.number]
                for vertex in page.vertices
                if vertex.born <= k < vertex.died
            ]
            assert not any(a.overlaps(b) for a, b in combinations(shapes, 2)), k


def test_the_layout_of_a_page_is_always_the_same():
    assert laid_out(random_page(5)) == laid_out(random_page(5))
