"""Random sequences of steps from a seed, the same on every machine."""

from __future__ import annotations

from random_graphs import splitmix

from ad_transform.eliminate import parse_sequence
from ad_transform.eliminate.replay import State


def random_steps(graph, seed):
    """Random applicable steps until nothing is left, as a text."""
    bits = splitmix(seed)
    state = State(graph, dict.fromkeys(graph.edges, 0), _Zero())
    lines = []
    fresh = graph.size
    ends = {*graph.independents, *graph.dependents}
    while middle := sorted(set(state.rows) - ends):
        v = middle[next(bits) % len(middle)]
        sources, targets = sorted(state.columns[v]), sorted(state.rows[v])
        u, w = sources[next(bits) % len(sources)], targets[next(bits) % len(targets)]
        kind = next(bits) % 8
        few = kind > 5 and fresh < graph.size + 3
        lines.append(
            f"copy {u} {v} {fresh}"
            if few and kind == 6
            else (
                f"split {v} {fresh} : {' '.join(map(str, sources))} : {w}"
                if few
                else [f"vertex {v}", f"front {u} {v}", f"back {v} {w}"][kind % 3]
            )
        )
        fresh += few
        state.perform_all(parse_sequence(lines[-1]))
    return "\n".join(lines)


class _Zero:
    unit = 0

    def multiply(self, out_edge, in_edge, u, v, w):
        return 0

    def add(self, old, new, u, w):
        return 0
