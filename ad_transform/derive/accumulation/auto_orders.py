"""The orders that `auto` tries, by the size of the graph and the effort."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.derive.accumulation.accumulate import Task
from ad_transform.derive.accumulation.candidates import LARGE
from ad_transform.derive.accumulation.linearise import Linearisation
from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.order import ORDERS, runnable
from ad_transform.later import later
from ad_transform.options import LEAST, Options

with later():
    from ad_transform.eliminate.counting import count

MEDIUM = 600
"""Edges from which on only forward, reverse and Markowitz are priced, and SINGLE_USE if
one of these has clearly fewer multiplications in the plain count.
"""

SMALL = 100
"""The same for gradients and products with a vector."""

PRINTED = 200
"""The same for products that are printed, of functions with several results."""

TWO, BESIDE = 12_000, "markowitz-latest"
"""Edges up to which a graph that is LARGE and goes in reverse order is priced in this
one, too, if it has clearly fewer multiplications in the plain count: it joins the paths
that many terms have between the same two values. Larger ones are priced in it alone if
it has far fewer.
"""

SINGLE_USE = ("single-use-forward", "single-use-reverse")
"""Orders that are worth a count where there are several ends on each side."""

KERNEL = 40
"""Intermediate vertices up to which the plainly optimal order is priced, too."""

PLAINEST = ("reverse", "forward", "markowitz-latest", "markowitz")
"""The orders that are finished first; ties go to the first."""

OTHERS = (
    "relative-markowitz-latest",
    "relative-markowitz",
    "min-edge-growth",
    "fewest-edges-first",
    "single-use-reverse",
    "single-use-forward",
    "closed-umbrellas-first",
    "copying-umbrellas-first",
    "greedy-edge",
    "level-chains",
    "forward-factorisation",
    "backward-factorisation",
    "linear-first",
    "path-lengths",
    "d-star",
)
"""The rest of the portfolio; planners that are slower come with more effort."""

QUICK = {"path-lengths": 300, "d-star": 60}
"""Edges above which these run only if they are asked for: they would take longer than
all others together."""

_FEWER = 0.98  # multiplications of BESIDE, of those in reverse order
_FAR_FEWER = 0.95  # the same where BESIDE is priced alone: sharing may find the rest


def orders_of(linear: Linearisation, task: Task, options: Options) -> Sequence[str]:
    """The orders that are priced: the one that is asked for, or those of `auto`."""
    if options.order != "auto":
        return (options.order,)
    edges = len(linear.graph.edges)
    if edges >= LARGE or options.effort == LEAST:
        order = _for_large(linear, options.effort)
        may_gain = order == "reverse" and options.effort > 0
        times = _FEWER if edges < TWO else _FAR_FEWER
        if may_gain and _is_cheaper(BESIDE, order, linear, times):
            return (order, BESIDE) if edges < TWO else (BESIDE,)
        return (order,)
    if options.effort == 0:
        return PLAINEST[:2]
    ends = min(len(linear.graph.independents), len(linear.graph.dependents))
    small = PRINTED if task.printed and len(task.rows) > 1 else SMALL
    if edges >= small and ends == 1:
        return PLAINEST
    if edges >= MEDIUM:
        return _with_single_use(linear)
    kernel = len(linear.graph.intermediates()) <= KERNEL
    exact = ("exact",) if kernel else ()
    others = tuple(name for name in OTHERS if edges <= QUICK.get(name, edges))
    return runnable(PLAINEST + others + exact, linear.graph)


def _for_large(linear: Linearisation, effort: int) -> str:
    """The order with the fewest multiplications in the plain model; one of SINGLE_USE
    if it has clearly fewer.

    With one target no order beats reverse by much, with one source none forward.
    """
    if len(linear.graph.dependents) <= 1:
        return "reverse"
    if len(linear.graph.independents) == 1:
        return "forward"
    name, fewest = _plainly_cheapest(linear, PLAINEST, None)
    if effort <= 0:
        return name
    return _plainly_cheapest(linear, SINGLE_USE, _clearly_fewer(fewest))[0] or name


def _with_single_use(linear: Linearisation) -> tuple[str, ...]:
    """PLAINEST, and the better one of SINGLE_USE if that has clearly fewer
    multiplications than all of them.
    """
    most = _clearly_fewer(_plainly_cheapest(linear, PLAINEST, None)[1])
    name, _ = _plainly_cheapest(linear, SINGLE_USE, most)
    return (*PLAINEST, name) if name else PLAINEST


def _clearly_fewer(count: int) -> int:
    return int(_FEWER * count)


def _is_cheaper(name: str, other: str, linear: Linearisation, times: float) -> bool:
    """Whether an order takes less than so many times the multiplications of another one
    in the plain count.
    """
    graph = linear.graph
    own, most = (
        count(graph, ORDERS[n](graph, None)).multiplications for n in (name, other)
    )
    return own < times * most


def _plainly_cheapest(
    linear: Linearisation, names: Sequence[str], most: int | None
) -> tuple[str, int]:
    """The order with the fewest multiplications, at most `most`, and their number; no
    name if there is none.
    """
    best, fewest = "", most
    for name in names:
        try:
            steps = ORDERS[name](linear.graph, fewest)
            total = count(linear.graph, steps, fewest).multiplications
        except Dearer:
            continue
        if fewest is None or total < fewest or not best:
            best, fewest = name, total
    return best, fewest or 0
