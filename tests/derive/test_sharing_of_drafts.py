"""What drafts have in common is done once."""

from __future__ import annotations

from support import generate
from support_counts import counts_of

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


def test_long_code_is_factored_again_only_after_all_ways_of_sharing(monkeypatch):
    rows = [
        f"    s{k} = (x + y) * (y - z) * {k}.5 - x * y * (z + x) * (x + y)"
        for k in range(12)
    ]
    total = " + ".join(f"s{k} * s{k + 1} * (x + y)" for k in range(11))
    head = "# ad: gradient\ndef f(x, y, z):"
    source = "\n".join([head, *rows, f"    return {total}"])
    passed, extracted = [], factor.extracted
    monkeypatch.setattr(
        factor, "extracted", lambda *args: passed.append("") or extracted(*args)
    )
    made = factor.Draft._shared

    def sharing(draft, before):
        passed.append("shared")
        after = made(draft, before)
        assert after.price <= before.price
        return after

    monkeypatch.setattr(factor.Draft, "_shared", sharing)
    short = generate(source)
    often = passed.count("shared")
    passed.clear()
    monkeypatch.setattr(factor, "LONG", 20)
    long = generate(source + "\n# once more")  # sources are remembered
    assert passed.count("shared") < often
    price = [counts_of(text, "f_grad").total for text in (long, short)]
    assert price[0] < 1.01 * price[1]


def test_long_code_is_factored_once_before_what_it_shares(monkeypatch):
    rounds, made = [], factor.Draft._rounds
    monkeypatch.setattr(
        factor.Draft, "_rounds", lambda *args: rounds.append("") or made(*args)
    )
    monkeypatch.setattr(factor.Draft, "settled", lambda _, polished: polished)
    monkeypatch.setattr(factor.Draft, "_shared", lambda _, before: before)
    generate(LAYERS)
    often = len(rounds)
    rounds.clear()
    finished, factored = [], factor.Draft.factored
    monkeypatch.setattr(
        factor.Draft,
        "factored",
        lambda *args: finished.append("") or factored(*args),
    )
    monkeypatch.setattr(factor, "LONG", 1)
    generate(LAYERS + "\n# once more")
    assert len(rounds) <= len(finished) and len(rounds) < often
