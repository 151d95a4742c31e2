"""Numbers and lengths of paths against networkx; both fall under elimination."""

import networkx
from amounts import seeds
from random_graphs import random_graph, splitmix

from ad_transform.eliminate.counting import PlainAlgebra
from ad_transform.eliminate.replay import State
from ad_transform.eliminate.steps import BackEliminateEdge, FrontEliminateEdge
from ad_transform.graph import EdgeClass, Graph
from ad_transform.graph.paths import path_length, path_number, paths


def _all_paths(graph):
    net = networkx.DiGraph(graph.edges)
    for x in graph.independents:
        for y in graph.dependents:
            if x in net and y in net:
                yield from networkx.all_simple_paths(net, x, y)


def test_paths_are_those_of_networkx():
    for seed in seeds(40, 120):
        graph = random_graph(seed, most=9, fan=1 + seed % 3)
        found = list(_all_paths(graph))
        assert path_number(graph) == len(found)
        assert path_length(graph) == sum(len(path) - 1 for path in found)


def test_paths_can_be_summed_up_at_either_end():
    for seed in seeds(20, 60):
        graph = random_graph(seed, most=12, fan=3)
        found = paths(graph)
        number = sum(found.below[x] for x in graph.independents)
        length = sum(found.below_length[x] for x in graph.independents)
        assert (number, length) == (path_number(graph), path_length(graph))


def _left(graph, state):
    edges = {(u, v): EdgeClass.VARIABLE for u, row in state.rows.items() for v in row}
    return Graph.build(graph.size, graph.independents, graph.dependents, edges)


def test_every_edge_elimination_makes_the_paths_shorter():
    """Naumann 1999, section 2.3: L falls by at least n^b(u) n^f(v), N never grows."""
    for seed in seeds(26, 80):
        graph = random_graph(seed, most=8, fan=3).reduced()
        bits = splitmix(seed)
        ends = {*graph.independents, *graph.dependents}
        state = State(graph, dict.fromkeys(graph.edges), PlainAlgebra())
        while True:
            now = _left(graph, state)
            steps = [FrontEliminateEdge(u, v) for u, v in now.edges if v not in ends]
            steps += [BackEliminateEdge(u, v) for u, v in now.edges if u not in ends]
            if not steps:
                break
            step = steps[next(bits) % len(steps)]
            found = paths(now)
            gain = found.above[step.source] * found.below[step.target]
            state.perform_all([step])
            after = _left(graph, state)
            assert gain > 0
            assert path_length(after) <= path_length(now) - gain
            assert path_number(after) <= path_number(now)
