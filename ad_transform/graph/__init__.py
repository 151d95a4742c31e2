"""Computational graphs on integers: structure, dominators, contractible subgraphs."""

from ad_transform.graph.computational import Edge, EdgeClass, Graph
from ad_transform.later import later

with later():
    from ad_transform.graph.text import format_graph, parse_graph
    from ad_transform.graph.umbrellas import umbrella_counts

__all__ = [
    "Edge",
    "EdgeClass",
    "Graph",
    "format_graph",
    "parse_graph",
    "umbrella_counts",
]
