"""Simple parts are algebraic expressions; complex blocks are what is left."""

from amounts import seeds
from random_graphs import bauer, random_graph, random_labels

from ad_transform.graph import EdgeClass, Graph
from ad_transform.graph.blocks import (
    Block,
    Chain,
    ComplexBlock,
    complex_blocks,
    expression,
    operations,
    simple_parts,
)


def _graph(size, independents, dependents, *edges):
    classes = dict.fromkeys(edges, EdgeClass.VARIABLE)
    return Graph.build(size, independents, dependents, classes)


def _reference_graph(graph):
    edges = dict.fromkeys(simple_parts(graph), EdgeClass.VARIABLE)
    return Graph.build(graph.size, graph.independents, graph.dependents, edges)


def test_two_blocks_in_a_row_are_one_expression():
    """Notes, figure 4.1 (a): five multiplications and additions instead of twelve."""
    edges = (0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (3, 5), (4, 6), (5, 6)
    parts = simple_parts(_graph(7, [0], [6], *edges))
    names = dict(zip(edges, "abcdefgh", strict=True))
    (part,) = parts.values()
    assert expression(part, names.__getitem__) == "(a*c + b*d)*(e*g + f*h)"
    assert operations(part) == (5, 2)
    assert isinstance(part, Chain)
    assert isinstance(part.parts[0], Block)


def test_expressions_are_sums_over_paths():
    for seed in seeds(100, 300):
        graph = random_graph(seed, most=10, fan=1 + seed % 2)
        labels = random_labels(graph, seed)
        small = _reference_graph(graph)
        values = {}
        for edge, part in simple_parts(graph).items():
            text = expression(part, lambda e: f"labels[{e[0]}, {e[1]}]")
            values[edge] = eval(text, {"labels": labels})
        assert bauer(small, values) == bauer(graph.reduced(), labels)


def test_no_chain_is_left_and_kinds_alternate():
    for seed in seeds(66, 200):
        graph = random_graph(seed, most=12)
        small = _reference_graph(graph)
        before, after = small.predecessors(), small.successors()
        for v in small.intermediates():
            assert (len(before[v]), len(after[v])) != (1, 1)
        waiting = list(simple_parts(graph).values())
        for part in waiting:
            if isinstance(part, Chain | Block):
                assert len(part.parts) > 1
                assert not any(isinstance(each, type(part)) for each in part.parts)
                waiting += part.parts


def test_long_chains_and_deep_nests_cost_little():
    length = 10_000
    chain = _graph(length + 1, [0], [length], *((v, v + 1) for v in range(length)))
    (part,) = simple_parts(chain).values()
    assert operations(part) == (length - 1, 0)
    nest = [(v, v + 1) for v in range(length)] + [(0, v) for v in range(2, length + 1)]
    (part,) = simple_parts(_graph(length + 1, [0], [length], *nest)).values()
    assert operations(part) == (length - 1, length - 1)
    assert len(expression(part, lambda edge: "x")) > length


def test_a_bridge_is_a_complex_block():
    edges = (0, 1), (1, 2), (1, 3), (2, 3), (2, 4), (3, 4), (4, 5)
    graph = _graph(6, [0], [5], *edges)
    assert list(simple_parts(graph)) == list(edges)[:1] + list(edges)[1:6] + [(4, 5)]
    assert complex_blocks(graph) == (ComplexBlock(1, 4, (2, 3)),)


def test_complex_blocks_are_closed():
    found = 0
    for seed in seeds(100, 300):
        graph = _reference_graph(random_graph(seed, most=12, fan=2))
        before, after = graph.predecessors(), graph.successors()
        for block in complex_blocks(graph):
            found += 1
            inside = {*block.interior}
            assert all({*before[v]} <= inside | {block.source} for v in inside)
            assert all({*after[v]} <= inside | {block.sink} for v in inside)
    assert found > 10
