"""The structures that the papers find in a graph, counted for `--explain`.

Paths and their total length (Naumann 1999, section 2.3); the parts of the finest
decomposition into contractible subgraphs (Murota & Kubota 1989, Prop. 3.1); pages and
complex blocks (Notes on Jacobian accumulation, sections 4 and 5); common factor
subgraphs (D*).
"""

from __future__ import annotations

from ad_transform.eliminate.order import LARGE, LARGEST
from ad_transform.graph.blocks import complex_blocks, simple_parts
from ad_transform.graph.computational import EdgeClass, Graph
from ad_transform.graph.contractible import finest_decomposition
from ad_transform.graph.factors import common_factors
from ad_transform.graph.pages import pages
from ad_transform.graph.paths import path_length, path_number

MANY_PATHS = 10**15
"""Numbers of paths that are shown; on long functions they have hundreds of digits."""

NAMES = ("paths", "path_length", "parts", "blocks", "pages", "factors")


def structure(graph: Graph) -> dict[str, int | None]:
    """The numbers of all structures; None where a number is no help or takes long.

    `path_length` is the number of edges on all paths: by Bauer's formula each is a
    product. Blocks, pages and factors are counted up to the size at which D* runs,
    paths of graphs of fewer than LARGE edges, parts of any.
    """
    found: dict[str, int | None] = dict.fromkeys(NAMES)
    found["parts"] = len(finest_decomposition(graph))
    if len(graph.edges) < LARGE and path_number(graph) <= MANY_PATHS:
        found |= {"paths": path_number(graph), "path_length": path_length(graph)}
    if counted(graph):
        found["blocks"] = len(complex_blocks(simplified(graph)))
        found |= {"pages": len(pages(graph)), "factors": len(common_factors(graph))}
    return found


def counted(graph: Graph) -> bool:
    """Whether the graph is small enough for all its structures to be counted."""
    return len(graph.edges) <= LARGEST["d-star"] and path_number(graph) <= MANY_PATHS


def simplified(graph: Graph) -> Graph:
    """The graph with an edge for every simple chain and block."""
    edges = dict.fromkeys(simple_parts(graph), EdgeClass.VARIABLE)
    return Graph.build(graph.size, graph.independents, graph.dependents, edges)
