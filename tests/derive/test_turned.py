"""Values computed with the other sign: what a turn changes."""

from random import Random

from ad_transform.derive.factoring.turned import Search
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
