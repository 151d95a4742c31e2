"""Pages for tests: of sources through the real pipeline, and of random graphs."""

from __future__ import annotations

from functools import cache
from typing import Any

from random_graphs import random_graph

from ad_transform.diagnostics import Listing
from ad_transform.eliminate import ORDERS
from ad_transform.graph.umbrellas import maximal_closed_umbrellas
from ad_transform.options import Options
from ad_transform.picture.drawing import Subject
from ad_transform.picture.model import ALWAYS, Arrow, Page, Role, Umbrella, Vertex
from ad_transform.picture.pages import pages
from ad_transform.run.deriving import derive_all
from ad_transform.run.job import draw

SOURCE = """\
import math


# ad: {}
def f(x, y, k=2.0):
    r = math.sqrt(x * x + y * y)
    t = math.sin(r) * k
    return t / r + x * y
"""


@cache
def subjects(source: str, **options: Any) -> tuple[Subject, ...]:
    """What is drawn of a source."""
    made = Options().override(**options)
    reading, derived, said = derive_all(source.encode(), "model.py", made, Listing())
    assert not [item for item in said if item.severity == "error"]
    return tuple(
        Subject(request.function, each, made, request.span)
        for request, each in zip(reading.requests, derived, strict=True)
    )


@cache
def pages_of(source: str, **options: Any) -> tuple[Page, ...]:
    """All pages of a source."""
    return tuple(
        page
        for subject in subjects(source, **options)
        for page in pages(subject.function, subject.derived, subject.options)
    )


@cache
def text_of(source: str, ending: str, **options: Any) -> str:
    """A picture of a source."""
    result = draw(source.encode(), "model.py", Options().override(**options), ending)
    assert result.text is not None, result.diagnostics
    return result.text


def alive(things: tuple[Any, ...], k: int) -> list[Any]:
    """The vertices or arrows of frame k."""
    return [thing for thing in things if thing.born <= k < thing.died]


def random_page(seed: int, most: int = 20) -> Page:
    """A page of a random graph: labels of all widths, some edges of later frames."""
    graph = random_graph(seed, most, fan=3).reduced()
    live = graph.live()
    roles = dict.fromkeys(range(graph.size), Role.INNER)
    roles.update(dict.fromkeys(graph.independents, Role.INPUT))
    roles.update(dict.fromkeys(graph.dependents, Role.OUTPUT))
    vertices = tuple(
        Vertex(v, roles[v], f"v{v}", f"v{v}" * (1 + v % 3), "detail"[: v % 7], "")
        for v in range(graph.size)
        if live[v]
    )
    arrows = [Arrow(u, v, "x" * (1 + (u * 7 + v * 3) % 24), "") for u, v in graph.edges]
    later = [(u, w) for u, v in graph.edges for v_, w in graph.edges if v == v_]
    new = sorted(set(later) - set(graph.edges))
    arrows += [Arrow(u, w, "fill-in", "", born=1) for u, w in new]
    umbrellas = tuple(
        Umbrella((*found.minimal, *found.interior, *found.maximal))
        for found in maximal_closed_umbrellas(graph)
        if found.interior
    )
    ends = graph.independents, graph.dependents
    return Page("f_jac", "f", "", vertices, tuple(arrows), (), umbrellas, *ends)


__all__ = ["ALWAYS", "ORDERS", "SOURCE", "alive", "pages_of", "random_page", "text_of"]
