"""Signs of expressions: what a change costs, and the work of the search."""

from random import Random

import pytest

from ad_transform.derive.factoring.sign_trees import BOTH, LARGEST, PLUS, Trees
from ad_transform.derive.factoring.signs import USERS, Search, signs
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Literal, Var
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.types import FLOAT


def searched(rng):
    """A search over a random body of sums, products and negations."""
    builder = Builder(TABLE, {})
    values = [Var(FLOAT, name) for name in "xyz"]
    values.append(Literal(2.0))
    for _ in range(30):
        op = rng.choice(["add", "sub", "mul", "div", "neg"])
        args = [rng.choice(values) for _ in range(1 if op == "neg" else 2)]
        values.append(builder.keep(TABLE[op], tuple(args)))
    results = tuple(v for v in values[-3:] if isinstance(v, Var))
    return Trees(tuple(builder.body), results, 0)


def total(trees, chosen):
    """What all signs cost."""
    costs = 0
    for root in trees.leaves:
        plus, minus = trees.costs(root, chosen)
        sign = chosen.get(root, PLUS)
        costs += min(plus, minus) if sign == BOTH else (plus, minus)[sign != PLUS]
    return costs + sum(sign == BOTH for sign in chosen.values())


def test_what_a_change_costs_is_known_behind_other_changes():
    rng = Random(7)
    for _ in range(20):
        search = Search(trees := searched(rng))
        bases = list(dict.fromkeys((*trees.leaves, *trees.users)))
        for _ in range(30):
            for base in bases:
                for sign in search.others(base):
                    before = search.total
                    said = search.change(base, sign)
                    old = search.signs.get(base, PLUS)
                    search.move(base, sign)
                    assert search.total == before + said == total(trees, search.signs)
                    search.move(base, old)
            base = rng.choice(bases)
            for sign in search.others(base):
                search.move(base, sign)


def long_sum(count):
    """A sum of so many products, subtracted from itself the other way round."""
    builder = Builder(TABLE, LAWS)
    x, y, z = (Var(FLOAT, name) for name in "xyz")
    found = builder.keep(TABLE["sub"], (x, y))
    for k in range(count):
        term = builder.keep(TABLE["mul"], (Var(FLOAT, f"u{k}"), z))
        found = builder.keep(TABLE["sub"], (found, term))
    other = builder.keep(TABLE["sub"], (y, x))
    results = found, builder.keep(TABLE["mul"], (other, z))
    return builder, results


@pytest.mark.parametrize("count", [3, 3_000])
def test_trees_of_long_sums_are_small(count):
    builder, results = long_sum(count)
    body = tuple(builder.body)
    trees = Trees(body, results, 0)
    assert trees.saved == 1
    assert max(map(len, trees.leaves.values())) <= 2 * LARGEST
    code, _ = signs(builder, body, results, 0)
    assert len(code) <= len(body)


def looked_at(users, monkeypatch):
    """Trees that are priced where a value has so many users, each negated."""
    builder = Builder(TABLE, {})
    x = Var(FLOAT, "x")
    middle = builder.keep(TABLE["mul"], (x, x))
    results = []
    for k in range(users):
        product = builder.keep(TABLE["mul"], (middle, Var(FLOAT, f"y{k}")))
        results.append(builder.keep(TABLE["neg"], (product,)))
    search = Search(Trees(tuple(builder.body), tuple(results), 0))
    asked, costs = [], Trees.costs
    with monkeypatch.context() as patched:
        patched.setattr(Trees, "costs", lambda t, *a: asked.append(a) or costs(t, *a))
        search.run()
    return len(asked)


def test_the_work_is_linear_where_a_value_has_many_users(monkeypatch):
    few, many = (looked_at(k * USERS, monkeypatch) for k in (2, 8))
    assert many == 4 * few


def test_a_few_signs_of_long_code_are_left(monkeypatch):
    builder, (found, product) = long_sum(200)
    results = found, builder.keep(TABLE["sub"], (Var(FLOAT, "w"), product))
    body = tuple(builder.body)
    assert len(signs(builder, body, results, 0)[0]) == len(body) - 1
    monkeypatch.setattr("ad_transform.derive.factoring.signs.LONG", 100)
    assert signs(builder, body, results, 0) == (body, results)
