"""The steps: lifetimes, counts, and what the labels say."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from amounts import QUICK, only_long, part
from drawn import SOURCE, alive, pages_of, subjects
from mpmath import mpf
from support import corpus, jacobian, load, load_exact, marked

from ad_transform.eliminate import ORDERS, Sequence, count
from ad_transform.eliminate.facesearch import shortest_faces
from ad_transform.eliminate.steps import (
    BackEliminateEdge,
    CopyVariable,
    EliminateVertex,
    FrontEliminateEdge,
    SplitVertex,
    Step,
)
from ad_transform.options import Options
from ad_transform.picture.layout import laid_out
from ad_transform.picture.model import Page, Role
from ad_transform.picture.pages import pages
from ad_transform.run.job import explain

TWO = """\
import math


# ad: jacobian
def f(x, y):
    a = x * y
    b = math.sin(a) + x
    return a * b, b / y
"""
KINDS = ["gradient", "jacobian", "hessian(x, y)", "hvp(x)", "jvp", "vjp", "error"]
PUBLISHED = Path(__file__).parents[1] / "corpus" / "published.py"


def bipartite(page: Page) -> bool:
    """Whether every edge of the last frame leads from an input to a result."""
    role = {vertex.number: vertex.role for vertex in page.vertices}
    last = alive(page.arrows, len(page.stages))
    ends = {(role[arrow.source], role[arrow.target]) for arrow in last}
    return ends <= {(Role.INPUT, Role.OUTPUT)}


def consistent(page: Page) -> bool:
    """Whether in every frame edges have both ends, and inner vertices have edges."""
    for k in range(len(page.stages) + 1):
        there = {vertex.number for vertex in alive(page.vertices, k)}
        busy = {v for a in alive(page.arrows, k) for v in (a.source, a.target)}
        inner = {v.number for v in alive(page.vertices, k) if v.role is Role.INNER}
        if not inner <= busy <= there:
            return False
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_the_last_frame_is_bipartite(kind):
    for page in pages_of(SOURCE.format(kind), **QUICK):
        assert page.stages and bipartite(page) and consistent(page)


@pytest.mark.parametrize("kind", KINDS)
def test_the_counts_are_those_of_the_sequence(kind):
    (subject,) = subjects(SOURCE.format(kind), **QUICK)
    drawn = pages_of(SOURCE.format(kind), **QUICK)
    for trail, page in zip(subject.derived.trails, drawn, strict=True):
        counted = count(trail.linear.graph, trail.sequence)
        assert page.multiplications == counted.multiplications
        assert sum(stage.additions for stage in page.stages) == counted.additions
        assert len(page.stages) == len(trail.sequence)


@pytest.mark.parametrize("kind", KINDS)
def test_no_two_vertices_have_one_name(kind):
    for page in pages_of(SOURCE.format(kind), **QUICK):
        names = [vertex.name for vertex in page.vertices]
        assert len({*names}) == len(names) and all(names)
        assert sum(vertex.detail == "seed" for vertex in page.vertices) <= 1


def test_a_second_derivative_has_two_pages():
    first, second = pages_of(SOURCE.format("hessian(x, y)"), **QUICK)
    assert "first derivation" in first.title and "second derivation" in second.title


@pytest.mark.parametrize(
    "name, least",
    [
        pytest.param("robot_arm", 221, marks=only_long),
        ("heart_dipole", 148),
        ("propane_combustion", 88),
    ],
)
def test_the_plain_count_is_that_of_explain(name, least):
    source = marked(PUBLISHED.read_text(), name, "jacobian")
    (page,) = pages_of(source, cost="fma")
    (figures,) = explain(source.encode(), "m.py", Options(cost="fma")).objects
    assert page.multiplications == figures["chosen"]["cost"] == least
    assert page.bound <= least and dict(page.orders)["forward"] >= least
    sizes = figures["graph"]
    assert f"{sizes['vertices']} intermediates, {sizes['edges']} edges" in page.caption
    assert bipartite(page) and consistent(page)


@pytest.mark.parametrize("kind", ["jvp", "vjp"])
def test_the_plain_count_of_a_product_has_its_seed(kind):
    source = SOURCE.format(kind)
    (page,) = pages_of(source, cost="fma")
    (figures,) = explain(source.encode(), "m.py", Options(cost="fma")).objects
    assert page.multiplications == figures["chosen"]["cost"] >= page.bound
    assert [vertex.detail for vertex in page.vertices].count("seed") == 1
    assert f"{figures['counted']['edges']} edges" in page.caption
    assert bipartite(page) and consistent(page)


@pytest.mark.parametrize("order", ["forward", "copying-umbrellas-first", "greedy-edge"])
def test_the_order_asked_for_is_shown(order):
    (page,) = pages_of(SOURCE.format("gradient"), order=order, cost="fma")
    source = SOURCE.format("gradient").encode()
    (figures,) = explain(source, "m.py", Options(cost="fma")).objects
    assert page.multiplications == figures["orders"][order]
    assert order in page.caption and bipartite(page) and consistent(page)


@pytest.mark.parametrize("order", sorted(ORDERS))
def test_every_order_can_be_drawn(order):
    (subject,) = subjects(TWO, order=order)
    (trail,) = subject.derived.trails
    (page,) = pages(subject.function, subject.derived, subject.options)
    assert (
        page.multiplications
        == count(trail.linear.graph, trail.sequence).multiplications
    )
    assert bipartite(page) and consistent(page)
    assert laid_out(page).boxes.keys() == {v.number for v in page.vertices}


def stepped(*steps: Step) -> Page:
    """The page of TWO with other steps, the rest of its vertices in reverse order."""
    (subject,) = subjects(TWO, order="reverse")
    (trail,) = subject.derived.trails
    rest = [step for step in trail.sequence if step not in steps]
    return drawn_with(Sequence((*steps, *rest)))


def drawn_with(sequence: Sequence, source: str = TWO) -> Page:
    (subject,) = subjects(source, order="reverse")
    (trail,) = subject.derived.trails
    trails = (replace(trail, sequence=sequence),)
    derived = replace(subject.derived, trails=trails)
    (page,) = pages(subject.function, derived, subject.options)
    assert page.multiplications == count(trail.linear.graph, sequence).multiplications
    assert bipartite(page) and consistent(page) and laid_out(page)
    return page


# vertices of TWO: x 0, y 1, a 2, sin 3, b 4, results 5 and 6
# fmt: off
STEPS = [
    (EliminateVertex(3),              "eliminate vertex v1"),
    (FrontEliminateEdge(3, 4),        "front eliminate edge v1 → b"),
    (BackEliminateEdge(4, 5),         "back eliminate edge b → f[0]"),
    (CopyVariable(2, 5, 7),           "copy a for f[0], as a'"),
    (SplitVertex(4, 7, (0, 3), (5,)), "split b: b' takes over the paths"),
]
# fmt: on


@pytest.mark.parametrize("step, words", STEPS, ids=lambda value: str(value)[:20])
def test_a_step_is_put_into_words(step, words):
    clones = (
        [EliminateVertex(7)] if isinstance(step, CopyVariable | SplitVertex) else []
    )
    page = stepped(step, *clones)
    assert page.stages[0].text.startswith(words)


SHORT = "# ad: jacobian\ndef f(x, y):\n    a = x * y\n    return a * x, a / y\n"


def test_faces_can_be_drawn():
    (trail,) = subjects(SHORT, order="reverse")[0].derived.trails
    page = drawn_with(shortest_faces(trail.linear.graph), SHORT)
    assert all(stage.text.startswith("eliminate face") for stage in page.stages)
    assert all(stage.multiplications == 1 for stage in page.stages)


# --- what the labels say --------------------------------------------------------------


def values_of(page: Page, values: dict[str, object]) -> dict[str, object]:
    """The values of all vertices too, from what stands in their tips."""
    for vertex in sorted(page.vertices, key=lambda v: v.number):
        name, equals, rest = vertex.tip.partition(" = ")
        if vertex.role is not Role.INPUT and equals and name.isidentifier():
            values[name] = eval(rest.partition("   (line")[0], values)
    return values


CASES = part([case for case in corpus() if case.actives], 4)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_last_labels_are_the_jacobian(case):
    """Where they are written out in full, they have its values."""
    source = marked(case.source, case.name, f"jacobian({', '.join(case.actives)})")
    (page,) = pages_of(source, effort=0)
    assert consistent(page)
    if not subjects(source, effort=0)[0].derived.trails:
        pytest.skip("what is swept is drawn as it is written")
    assert bipartite(page)
    point = case.points[0]
    known = {**vars(math), **load(case.source), **point}
    exact = jacobian(load_exact(case.source)[case.name], point, case.actives)
    seen = 0
    try:
        values = values_of(page, known)
        for arrow in alive(page.arrows, len(page.stages)):
            row = page.outputs.index(arrow.target)
            column = page.inputs.index(arrow.source)
            wanted = exact[row][column]
            assert abs(mpf(eval(arrow.tip, values)) - wanted) <= 1e-9 * (
                1 + abs(wanted)
            )
            seen += 1
    except (NameError, SyntaxError):  # constants of the function, and long formulas
        pytest.skip(f"only {seen} labels are written out")


def test_a_pair_is_drawn_with_its_image():
    source = "# ad: hessian\ndef f(x, y):\n    u = x * y\n    return u * u * x\n"
    (page,) = pages_of(source, order="edge-pushing")
    assert page.stages[-1].text == "eliminate vertex u and its image u_bar"
    assert page.stages[-1].reason == "each product once for both its edges"
