"""Weights of operations: what they change, where they may stand, what is refused."""

from __future__ import annotations

import pytest
from support import generate
from support_counts import counts_of

from ad_transform.options import WEIGHTS, Options, weights_of
from ad_transform.run.settings import as_arguments, checked

QUOTIENTS = """\
# ad: jacobian({})
def f(x, y, z, u):
    return x / u, y / u, z / u, x * y / u
"""


def counted(mark="", **options):
    text = generate(QUOTIENTS.format(mark), container="tuple", **options)
    return counts_of(text, "f_jac")


def test_dear_divisions_become_one_reciprocal():
    assert counted(cost="div=9").div < counted().div
    assert counted(cost="div=9").mul > counted().mul


def test_a_mark_may_say_what_operations_cost():
    assert counted('cost="mul=1, div=9"') == counted(cost="mul=1,div=9")


def test_prices_are_weighted_sums():
    counts = counted()
    assert int(counts.price(WEIGHTS)) == counts.total
    assert int(counts.price(weights_of("neg=0"))) == counts.total - counts.neg
    assert int(counts.price(weights_of("div=4"))) == counts.total + 3 * counts.div


def test_the_weighted_price_is_never_above_that_of_the_default_code():
    for cost in ("div=9", "neg=0,mul=2", "add=0", "mul=0,div=3"):
        weights = weights_of(cost)
        assert counted(cost=cost).price(weights) <= counted().price(weights)


def test_the_command_that_regenerates_has_the_weights():
    options = Options(cost="mul=1, div=4")
    assert as_arguments(options) == ("--cost", "mul=1,div=4")
    assert options.canonical() == "cost=mul=1,div=4"


@pytest.mark.parametrize("cost", ["mul", "mul=-1", "mull=1", "mul=1.5", "mul=1;", "=1"])
def test_other_texts_are_refused(cost):
    with pytest.raises(ValueError, match=r"cost is|weight of"):
        checked("cost", cost)
