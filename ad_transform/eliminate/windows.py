"""Improvement of the order of a large graph, one window of neighbours at a time."""

from __future__ import annotations

from ad_transform.eliminate.anneal import anneal
from ad_transform.eliminate.counting import PracticalAlgebra
from ad_transform.eliminate.markowitz import join, live_sets
from ad_transform.eliminate.models import Measure, Model, State
from ad_transform.eliminate.replay import State as Replay
from ad_transform.graph.computational import EdgeClass, Graph

WIDTH = 48
"""Vertices in a window; two windows overlap by half."""

LEAST = 40
"""Steps that a window gets at least, however many windows there are."""


def anneal_windows(
    graph: Graph, order: list[int], steps: int, seed: int, measure: Measure
) -> list[int]:
    """An order that is not dearer than the one given, by this measure.

    The order is first rearranged, at the same cost, so that vertices that influence
    each other stand close together. Then every window of WIDTH vertices is annealed:
    the state before it is fixed, and the state behind it is the same whatever happens
    inside. `steps` are shared out among the windows; windows that look alike, as those
    of a function called often do, are solved once, so that more is left for each.
    Time is linear in steps and in the multiplications performed.
    """
    order = rearranged(graph, order)
    labels = dict(zip(graph.edges, graph.classes, strict=True))
    replay = Replay(graph, labels, PracticalAlgebra())
    stride = WIDTH // 2
    share = max(LEAST, steps * stride // max(len(order), 1))
    left = steps
    solved: dict[tuple[tuple[int, ...], ...], list[int]] = {}
    for start in range(0, len(order), stride):
        window = order[start : start + WIDTH]
        rows = _rows(replay, window)[: measure.rows]
        key = tuple(map(tuple, rows))
        if key not in solved:
            own = max(share, left // 16)
            left -= own
            model = Model(len(window), rows, measure.step)
            solved[key], _ = anneal(model, list(range(len(window))), own, seed)
        order[start : start + WIDTH] = [window[i] for i in solved[key]]
        for v in order[start : start + stride]:
            replay.eliminate_vertex(v)
    return order


def rearranged(graph: Graph, order: list[int]) -> list[int]:
    """An order of the same cost in which neighbours stand close together.

    Two vertices must keep their order if they are neighbours when the first of them is
    eliminated. Of the orders that respect this, one is taken that goes on, whenever it
    can, with a vertex that has just become free.
    """
    before, after = live_sets(graph)
    left = set(order)
    later: dict[int, list[int]] = {}
    waiting = dict.fromkeys(order, 0)
    place = {v: i for i, v in enumerate(order)}
    for v in order:
        left.remove(v)
        sources, targets = before[v], after[v]
        near = [u for u in sources | targets if u in left]
        later[v] = sorted(near, key=place.__getitem__, reverse=True)
        for u in near:
            waiting[u] += 1
        join(before, after, v)
    free = [v for v in reversed(order) if not waiting[v]]
    result: list[int] = []
    while free:
        v = free.pop()
        result.append(v)
        for u in later[v]:
            waiting[u] -= 1
            if not waiting[u]:
                free.append(u)
    return result


def _rows(replay: Replay[EdgeClass], window: list[int]) -> State:
    """The rows of a model: the window's vertices first, then their neighbours."""
    rows, columns = replay.rows, replay.columns
    near = {u for v in window for u in columns[v]} | {
        w for v in window for w in rows[v]
    }
    names = [*window, *sorted(near.difference(window))]
    number = {v: i for i, v in enumerate(names)}
    state: State = [[0] * len(names) for _ in range(6)]
    for v in window:
        edges = [(u, v, rows[u][v]) for u in columns[v]]
        edges += [(v, w, cls) for w, cls in rows[v].items()]
        for u, w, cls in edges:
            for level in range(cls + 1):
                state[2 * level][number[w]] |= 1 << number[u]
                state[2 * level + 1][number[u]] |= 1 << number[w]
    return state
