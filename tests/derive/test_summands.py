"""Pairs of summands that several sums have are made once."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ad_transform.derive.factoring.summands import shared_sums
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.count import count_statements
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import LEAF, Block, Function, Parameter, Var, group
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.types import FLOAT

PARAMETERS = tuple(Var(FLOAT, name) for name in "wxyz")
SUMS = st.lists(
    st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=1, max_size=4),
    min_size=2,
    max_size=6,
)


def built(sums):
    """A body of the sums, and what each gives; a sum may read those before it."""
    b, results = Builder(TABLE, {}), []
    for terms in sums:
        total = b.keep(TABLE["neg"], (PARAMETERS[0],))
        for k, minus in terms:
            pool = (*PARAMETERS, *results)
            value = pool[k % len(pool)]
            total = b.keep(TABLE["sub" if minus else "add"], (total, value))
        results.append(total)
    return tuple(b.body), tuple(results)


def values(body, results):
    """What the results are where all sums are exact."""
    parameters = tuple(Parameter(p.hint, (p,), LEAF) for p in PARAMETERS)
    nest = group((LEAF,) * len(results))
    function = Function("f", parameters, Block(PARAMETERS, body, results), nest, 0)
    return evaluate(function, [3.0, 17.0, 1024.0, 5.0])


@settings(max_examples=60, deadline=None)
@given(SUMS, st.integers(0, 2))
def test_random_sums_stay_what_they_are(sums, primal):
    body, results = built(sums)
    made = shared_sums(Builder(TABLE, LAWS), body, results, primal)
    assert values(*made) == values(body, results)
    assert count_statements(*made).add <= count_statements(body, results).add
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
    made = shared_sums(Builder(TABLE, LAWS), body, results, primal)
    assert count_statements(*made).add == adds < count_statements(body, results).add
