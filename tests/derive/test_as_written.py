"""Codes are compared, and orders listed, by what they cost as they are written."""

from __future__ import annotations

from dataclasses import replace

import pytest
from amounts import only_long, part
from support import corpus, marked, run

from ad_transform.derive.accumulation.auto_orders import PLAINEST
from ad_transform.derive.accumulation.outcome import Outcome
from ad_transform.derive.as_written import cheapest_as_written
from ad_transform.derive.request import Derivation, Request
from ad_transform.derive.signature import Independents
from ad_transform.elementals import TABLE
from ad_transform.ir.count import count
from ad_transform.ir.parse import parse_function
from ad_transform.options import Options

# fmt: off
BODIES = {
    "huber": "if abs(x) <= y:\n    return 0.5 * x * x\n"
             "return y * (abs(x) - 0.5 * y)",
    "kinks": "return max(x, y) * min(y, x * y) + abs(x - y)",
}
# fmt: on


@pytest.mark.parametrize(
    ("name", "kind"), [("huber", "gradient"), ("kinks", "gradient"), ("kinks", "jvp")]
)
def test_an_order_is_listed_with_what_it_prints(name, kind):
    body = "".join(f"    {line}\n" for line in BODIES[name].splitlines())
    source = f"# ad: {kind}\ndef f(x, y):\n{body}"
    (auto,) = run(source).derived
    assert auto.counts.total <= min(auto.rivals.values())
    for order, listed in part([*auto.rivals.items()], 2):
        (made,) = run(source, order=order).derived
        assert listed == made.counts.total, order


@pytest.mark.parametrize(
    ("name", "kind", "total", "listed"),
    [
        ("huber", "vjp", 10, {"reverse": 11, "markowitz": 10}),
        ("huber", "hvp(value=True)", 12, {"reverse": 13, "markowitz": 12}),
        pytest.param(
            *("removable", "hvp(value=True)", 21, {"reverse": 22, "forward": 21}),
            marks=only_long,
        ),
        ("or_and", "vjp", 10, {"reverse": 10, "markowitz-latest": 10}),
    ],
)
def test_sweeps_and_vertices_are_listed_by_what_an_order_prints(
    name, kind, total, listed
):
    (case,) = (c for c in corpus() if c.file == "branches" and c.name == name)
    source = marked(case.source, name, kind)
    (auto,) = run(source).derived
    assert auto.counts.total == total
    assert auto.rivals.keys() == set(PLAINEST)
    for order, found in auto.rivals.items():
        (made,) = run(source, order=order).derived
        assert found == made.counts.total, order
        assert found == listed.get(order, found)


def test_a_loop_has_no_orders_listed():
    body = "    for k in range(n):\n        x = x * y + k\n    return x\n"
    (auto,) = run(f"# ad: gradient\ndef f(x, y, n: int):\n{body}").derived
    assert not auto.rivals


def test_code_that_calls_functions_has_no_orders_listed():
    """They are derived once, whatever the order of what calls them."""
    kept = "def g(x):\n    return x * x * x if x > 1.0 else x / (1.0 + x * x)\n"
    body = "    if x > y:\n        return g(x) * y * x\n    return g(y) * x * y * x\n"
    source = f"{kept}\n\n# ad: gradient\ndef f(x, y):\n{body}"
    assert run(source, inline="always").derived[0].rivals
    assert not run(source, inline="never").derived[0].rivals


PLAIN = """\
function f primal 0 nest .
parameter x (%0 x!: float)
  %1: float = sin(%0)
  %2: float = mul(%1, %0)
  %3: float = add(%2, %0)
  %4: float = mul(%3, %2)
  give %4
"""

TWICE = """\
function f primal 0 nest .
parameter x (%0 x!: float)
  %1: float = sin(%0)
  %2: bool = gt(%1, %0)
  %3: float = branch %2 (%0, %1)
  then (%4: float, %5: float)
    %6: float = sin(%4)
    %7: float = mul(%6, %5)
    %8: float = sin(%4)
    %9: float = add(%7, %8)
    give %9
  else (%10: float, %11: float)
    give %10
  give %3
"""


def outcome_of(text, order):
    function = parse_function(text, TABLE)
    made = Outcome(function.body, function.results, count(function), order, ())
    return function, made


def test_code_that_is_dearer_before_its_arms_are_written_may_be_the_cheapest():
    """What an arm computes that was computed before it is not written there."""
    functions = {}
    plain, best = outcome_of(PLAIN, "forward")
    arms, rival = outcome_of(TWICE, "reverse")
    functions[id(best.body)], functions[id(rival.body)] = plain, arms
    assert best.rank < rival.rank
    best = replace(best, rivals={"forward": best, "reverse": rival})
    derivation = Derivation(best, lambda made: functions[id(made.body)])
    wanted = Request(plain, Independents.named(plain, ("x",)), False, "f", Options())
    function, chosen = cheapest_as_written(lambda _: derivation, wanted)
    listed = {name: made.price for name, made in chosen.rivals.items()}
    assert (chosen.order, count(function).total) == ("reverse", 3)
    assert listed == {"forward": 4, "reverse": 3}
