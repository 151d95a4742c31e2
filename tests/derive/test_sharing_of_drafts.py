"""What drafts have in common is done once."""

from __future__ import annotations

from support import generate

from ad_transform.derive.factoring import factor

LAYERS = """\
import math


def layer(x, y, k):
    u = math.sin(x) * y + k
    v = x * x - 0.5 * y
    w = u / (1.0 + v * v)
    return w, u - w


# ad: gradient
def f(x, y):
    x, y = layer(x, y, 0.5)
    x, y = layer(x, y, 1.5)
    x, y = layer(x, y, 2.5)
    return x + y
"""


def test_what_extraction_leaves_alike_is_polished_once(monkeypatch):
    given, polish = [], factor.polish
    monkeypatch.setattr(
        factor, "polish", lambda *args: given.append(args[1]) or polish(*args)
    )
    rounds = []
    made = factor.Draft._rounds

    def counted(*args):
        before = len(given)
        found = made(*args)
        rounds.append((len(found) - 1, 2 * (len(given) - before)))
        return found

    monkeypatch.setattr(factor.Draft, "_rounds", counted)
    generate(LAYERS)
    assert all(results == polished for results, polished in rounds)
    assert min(rounds) == (0, 0)  # a round in which nothing is new
