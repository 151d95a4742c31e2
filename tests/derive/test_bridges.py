"""Branches as vertices: their partials are a branch of the Jacobians of the arms."""

from __future__ import annotations

from support import generate, load, load_generated, run
from support_counts import counts_of

from ad_transform.derive.accumulation.linearise import linearise, opaque
from ad_transform.derive.sweep.bridges import bridge_of
from ad_transform.derive.sweep.solve import accumulate
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Branch, Literal, Var
from ad_transform.ir.parse import parse_function
from ad_transform.ir.simplify import LAWS
from ad_transform.options import Options

CHOICE = parse_function(
    """\
function choice primal 1 nest .
parameter x (%0 x: float)
parameter y (%1 y: float)
  %2: bool = lt(%0, 1.0)
  %3: float, %4: float = branch %2 (%0, %1)
  then (%5: float, %6: float)
    %7: float = mul(2.0, %5)
    give %7, %6
  else (%8: float, %9: float)
    %10: float = mul(2.0, %8)
    %11: float = mul(%9, %9)
    give %10, %11
  %12: float = add(%3, %4)
  give %12
""",
    TABLE,
)


def test_what_both_arms_give_needs_no_choice() -> None:
    """d(2x)/dx is 2 in both arms, d/dy of the other is 1 or 2y."""
    (branch,) = (s for s in CHOICE.body if isinstance(s, Branch))
    builder = Builder(TABLE, LAWS)
    bridge = bridge_of(builder, branch, lambda b, t: accumulate(b, t, Options()))
    first, second = bridge.rows
    assert [p for _, p in first[1]] == [Literal(2.0), Literal(0.0)]
    assert second[1][0][1] == Literal(0.0) and isinstance(second[1][1][1], Var)
    (made,) = builder.body
    assert isinstance(made, Branch) and len(made.outs) == 1


def test_a_graph_that_is_looked_at_has_all_edges() -> None:
    x, y = CHOICE.block.params
    body = CHOICE.body
    graph = linearise(body, (x, y), CHOICE.results, bridges=opaque(body)).graph
    assert len(graph.edges) == 6
    assert not linearise(body, (x, y), CHOICE.results).graph.edges


REGIONS = """\
# ad: gradient
def regions(x, a):
    if x < 0.0:
        y = a * x
    elif x < 1.0:
        y = a * x * x
    else:
        y = a * x * x * x
    return y * a
"""


def test_what_stands_behind_a_choice_is_multiplied_once() -> None:
    """dy/dx a, (dy/da) a + y: three products and a sum, but for those of the arms."""
    text = generate(REGIONS)
    found = load(text)["regions_grad"]
    for x in (-0.5, 0.5, 1.5):
        power = 1 if x < 0 else 2 if x < 1 else 3
        slope = power * x ** (power - 1)
        assert found(x, 3.0) == (9.0 * slope, 2 * 3.0 * x**power)
    orders = {o: run(REGIONS, order=o).text or "" for o in ("forward", "reverse")}
    best = counts_of(text, "regions_grad").total
    assert best <= min(counts_of(t, "regions_grad").total for t in orders.values())


WRITTEN_AS_INT = """\
# ad: gradient
def f(x: float):
    best = x
    for j in range(3):
        if best > 1.0:
            if x * j > 3.4:
                best = 1.0 * j
        x = x * 1.5
    return x * 3.0 + best
"""


def test_an_arm_gives_a_float_that_is_written_as_an_int() -> None:
    """`best` is x at 0.5, and 2.0 at 1.05 and 1.5; the rest has slope 3 * 1.5**3."""
    slope = load_generated(WRITTEN_AS_INT)["f_grad"]
    assert [slope(x) for x in (0.5, 1.05, 1.5)] == [11.125, 10.125, 10.125]
