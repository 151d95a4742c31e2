"""Pairs of operands that several sums or products have are made once."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ad_transform.derive.factoring.operands import PRODUCTS, SUMS, shared_operands
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.count import count_statements
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import LEAF, Block, Function, Parameter, Var, group
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.types import FLOAT

PARAMETERS = tuple(Var(FLOAT, name) for name in "wxyz")
LISTS = st.lists(
    st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=1, max_size=4),
    min_size=2,
    max_size=6,
)


def built(rows, plus="add", minus="sub"):
    """A body of the rows, and what each gives; a row may read those before it."""
    b, results = Builder(TABLE, {}), []
    for operands in rows:
        total = b.keep(TABLE["neg"], (PARAMETERS[0],))
        for k, negative in operands:
            pool = (*PARAMETERS, *results)
            value = pool[k % len(pool)]
            total = b.keep(TABLE[minus if negative else plus], (total, value))
        results.append(total)
    return tuple(b.body), tuple(results)


def values(body, results, point):
    """What the results are at a point."""
    parameters = tuple(Parameter(p.hint, (p,), LEAF) for p in PARAMETERS)
    nest = group((LEAF,) * len(results))
    function = Function("f", parameters, Block(PARAMETERS, body, results), nest, 0)
    return evaluate(function, point)


# all sums and products are exact
KINDS = [
    (SUMS, ("add", "sub"), [3.0, 17.0, 1024.0, 5.0]),
    (PRODUCTS, ("mul", "div"), [0.5, 4.0, 8.0, 0.125]),
]


@settings(max_examples=80, deadline=None)
@given(LISTS, st.integers(0, 2), st.sampled_from(KINDS))
def test_random_rows_stay_what_they_are(rows, primal, kind):
    shares, words, point = kind
    body, results = built(rows, *words)
    made = shared_operands(Builder(TABLE, LAWS), body, results, primal, shares)
    assert values(*made, point) == values(body, results, point)
    kept = {out for s in made[0] for out in s.outs}
    assert set(results[:primal]) <= kept


# fmt: off
SHARED = [  # after -w; 1 is x
    ([[1, 2], [2, 3, 1]],     0, 3),  # x + y
    ([[1, ~2], [2, ~1, 3]],   0, 4),  # x - y, subtracted as well
    ([[3, 1, 2], [~1, ~2, 3]], 0, 4),  # z - w; x + y, subtracted as well
    ([[1], [2, 1]],           0, 2),  # a sum that is there
    ([[1], [2, 1]],           1, 2),  # and belongs to the value
]
# fmt: on


@pytest.mark.parametrize(("sums", "primal", "adds"), SHARED)
def test_pairs_are_made_once(sums, primal, adds):
    body, results = built([[(max(k, ~k), k < 0) for k in terms] for terms in sums])
    made = shared_operands(Builder(TABLE, LAWS), body, results, primal, SUMS)
    assert count_statements(*made).add == adds < count_statements(body, results).add


def test_a_product_is_made_of_one_that_is_there():
    rows = [[(1, False), (2, True)], [(1, False), (3, False), (2, True)]]
    body, results = built(rows, "mul", "div")
    made = shared_operands(Builder(TABLE, LAWS), body, results, 0, PRODUCTS)
    assert count_statements(*made).total == 4 < count_statements(body, results).total
