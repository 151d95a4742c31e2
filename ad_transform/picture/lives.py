"""The lives of vertices and umbrellas, by the history of an elimination."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import replace
from ad_transform.graph.computational import Graph
from ad_transform.graph.umbrellas import maximal_closed_umbrellas
from ad_transform.picture.history import History
from ad_transform.picture.model import ALWAYS, Role, Umbrella, Vertex


def lived(vertices: dict[int, Vertex], past: History) -> tuple[Vertex, ...]:
    """The vertices with their lives, copies among them."""
    made = [
        replace(vertex, died=past.died.get(v, ALWAYS)) for v, vertex in vertices.items()
    ]
    for v, name in past.names.items():
        life = past.born[v], past.died.get(v, ALWAYS)
        made.append(Vertex(v, Role.INNER, name, name, "copy", f"{name}: a copy", *life))
    return tuple(made)


def umbrellas(graph: Graph, past: History) -> tuple[Umbrella, ...]:
    """The umbrellas with an interior; they last until that or an end is eliminated."""

    def last(vertices: Sequence[int]) -> int:
        return max(past.died.get(v, ALWAYS) for v in vertices)

    return tuple(
        Umbrella(
            (*found.minimal, *found.interior, *found.maximal),
            min(map(last, (found.minimal, found.interior, found.maximal))),
        )
        for found in maximal_closed_umbrellas(graph)
        if found.interior
    )
