"""Names that only a loop in a loop binds, which surely makes a trip."""

from __future__ import annotations

import pytest
from amounts import ANY_ORDER
from support import generate, load

SOURCE = """\
# ad: gradient(x, value=True)
def f(x: "Vector[n]", most: float):
    total = 0.0
    for v in x:
        a = 0.3
        for _ in range(20):
            {first}
            ct = a * v
            a = 1.0 / (ct + 1.0)
        total += ct * a
    return total
"""


def test_a_name_that_each_trip_binds_needs_no_flag() -> None:
    source = SOURCE.format(first="pass")
    text = generate(source, **ANY_ORDER)
    assert "UnboundLocalError" not in text and "ct_given" not in text
    value, slope = load(text)["f_value_and_grad"]([0.5, 1.5], 1.0)
    plain = load(source)["f"]
    assert value == plain([0.5, 1.5], 1.0)
    step = (plain([0.5 + 1e-6, 1.5], 1.0) - plain([0.5 - 1e-6, 1.5], 1.0)) / 2e-6
    assert slope[0] == pytest.approx(step, rel=1e-7)


def test_a_name_may_be_unbound_where_a_loop_may_be_left_before() -> None:
    source = SOURCE.format(first="if v > most: break")
    made, plain = load(generate(source, **ANY_ORDER)), load(source)
    for x in ([0.5, 1.5], [0.5, 0.7]):
        assert made["f_value_and_grad"](x, 1.0)[0] == plain["f"](x, 1.0)
    for function in (made["f_value_and_grad"], plain["f"]):
        with pytest.raises(UnboundLocalError):
            function([1.5, 0.5], 1.0)


def test_none_before_a_loop_counts_no_more_behind_it() -> None:
    source = """\
# ad: gradient(x, value=True)
def f(x: "Vector[n]"):
    total, last = 0.0, None
    for v in x:
        a = v
        for _ in range(20):
            last = a * v
            a = 0.5 / (last + 1.0)
        total += last * a
    return total if last is None else total * last
"""
    made, plain = load(generate(source, **ANY_ORDER)), load(source)
    for x in ([0.5, 1.5], [], [2.0]):
        assert made["f_value_and_grad"](x)[0] == plain["f"](x)
