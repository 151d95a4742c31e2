"""Values computed with the other sign: what a turn changes."""

from random import Random

import pytest

from ad_transform.derive.factoring.turned import USERS, Search, turned
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Literal, Var
from ad_transform.ir.types import FLOAT


def signs(rng):
    """A search over a random body of sums, products and negations."""
    builder = Builder(TABLE, {})
    values = [Var(FLOAT, name) for name in "xyz"]
    values.append(Literal(2.0))
    for _ in range(30):
        op = rng.choice(["add", "sub", "mul", "div", "neg"])
        args = [rng.choice(values) for _ in range(1 if op == "neg" else 2)]
        values.append(builder.keep(TABLE[op], tuple(args)))
    results = tuple(v for v in values[-3:] if isinstance(v, Var))
    return Search(tuple(builder.body), results, 0)


def negations(search):
    """How many negations there are in all."""
    of_results = len(search.turned & search.fixed)
    return of_results + sum(map(search.cost, search.made.values()))


def test_what_a_turn_changes_is_known_behind_other_turns():
    rng = Random(7)
    for _ in range(20):
        search = signs(rng)
        for _ in range(30):
            before, value = negations(search), rng.choice(list(search.made))
            said = [search.change(v) for v in search.made]
            assert search.flip(value) == negations(search) - before
            search.flip(value)
            assert said == [search.change(v) for v in search.made]
            search.flip(value)


def pairs(count):
    """So many products of two values that are computed with the wrong sign."""
    builder = Builder(TABLE, {})
    x, y = Var(FLOAT, "x"), Var(FLOAT, "y")
    results = []
    for k in range(count):
        one, two = (builder.keep(TABLE["mul"], (v, Literal(k + 2.5))) for v in (x, y))
        minus = [builder.keep(TABLE["neg"], (v,)) for v in (one, two)]
        results.append(builder.keep(TABLE["mul"], tuple(minus)))
    return builder, tuple(results)


@pytest.mark.parametrize("count", [3, 3_000])
def test_long_bodies_lose_their_negations_too(count):
    builder, results = pairs(count)
    body, _ = turned(builder, tuple(builder.body), results, 0)
    assert len(body) == 3 * count


def looked_at(users, monkeypatch):
    """Statements that are priced where a value has so many users, each turned."""
    builder = Builder(TABLE, {})
    x = Var(FLOAT, "x")
    middle = builder.keep(TABLE["mul"], (x, x))
    results = []
    for k in range(users):
        product = builder.keep(TABLE["mul"], (middle, Var(FLOAT, f"y{k}")))
        results.append(builder.keep(TABLE["neg"], (product,)))
    search = Search(tuple(builder.body), tuple(results), 0)
    asked, cost = [], search.cost
    with monkeypatch.context() as patched:
        patched.setattr(Search, "cost", lambda _, s: asked.append(s) or cost(s))
        search.run()
    return len(asked)


def test_the_work_is_linear_where_a_value_has_many_users(monkeypatch):
    few, many = (looked_at(k * USERS, monkeypatch) for k in (2, 8))
    assert many == 4 * few
