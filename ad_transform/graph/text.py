"""Graphs as text: one line per edge, read back exactly.

    graph 5
    independents 0 1
    dependents 4
    dims 2 n 3
    edge 0 2 variable
    edge 1 2 unit

A line `dims` stands for every vertex that is an array: here vertex 2 is n by 3. `#`
starts a comment; the class of an edge may be left out and is then `variable`.
"""

from __future__ import annotations

from ad_transform.graph.computational import Edge, EdgeClass, Graph
from ad_transform.ir.dims import Dims, dim

_CLASSES = {cls.name.lower(): cls for cls in EdgeClass}


def format_graph(graph: Graph) -> str:
    """The text form of the graph, ending in a newline; `parse_graph` inverts it."""
    lines = [
        f"graph {graph.size}",
        " ".join(["independents", *map(str, graph.independents)]),
        " ".join(["dependents", *map(str, graph.dependents)]),
    ]
    lines += [
        " ".join(["dims", str(v), *map(str, dims)])
        for v, dims in enumerate(graph.dims)
        if dims
    ]
    for (u, v), cls in zip(graph.edges, graph.classes, strict=True):
        lines.append(f"edge {u} {v} {cls.name.lower()}")
    return "\n".join(lines) + "\n"


def parse_graph(text: str) -> Graph:
    """The graph that the text describes.

    Raises ValueError, naming the line, for text that is not of the form of this module,
    and for graphs that `Graph.build` refuses.
    """
    heads: dict[str, list[int]] = {}
    edges: dict[Edge, EdgeClass] = {}
    dims: dict[int, Dims] = {}
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            if words[0] == "edge":
                _read_edge(words, edges)
            elif words[0] == "dims":
                _read_dims(words, dims)
            else:
                _read_head(words, heads)
        except (ValueError, KeyError) as error:
            raise ValueError(f"line {number}: {line.strip()!r}: {error}") from None
    for head in ("graph", "independents", "dependents"):
        if head not in heads:
            raise ValueError(f"no line {head!r}")
    return Graph.build(
        heads["graph"][0], heads["independents"], heads["dependents"], edges, dims
    )


def _read_edge(words: list[str], edges: dict[Edge, EdgeClass]) -> None:
    if len(words) not in (3, 4):
        raise ValueError("expected: edge SOURCE TARGET [unit|constant|variable]")
    edge = int(words[1]), int(words[2])
    if edge in edges:
        raise ValueError("edge stands twice")
    edges[edge] = _CLASSES[words[3]] if len(words) == 4 else EdgeClass.VARIABLE


def _read_dims(words: list[str], dims: dict[int, Dims]) -> None:
    if len(words) < 3:
        raise ValueError("expected: dims VERTEX DIM..")
    vertex = int(words[1])
    if vertex in dims:
        raise ValueError("dims stand twice")
    dims[vertex] = tuple([dim(word) for word in words[2:]])


def _read_head(words: list[str], heads: dict[str, list[int]]) -> None:
    if words[0] not in ("graph", "independents", "dependents"):
        raise ValueError("expected graph, independents, dependents, dims or edge")
    if words[0] in heads:
        raise ValueError("line stands twice")
    numbers = [int(word) for word in words[1:]]
    if words[0] == "graph" and len(numbers) != 1:
        raise ValueError("expected: graph SIZE")
    heads[words[0]] = numbers
