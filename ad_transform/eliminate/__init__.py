"""Elimination orders on integer graphs: steps, replay, planners, choice by a price.

The searches, and the counting, are imported when they are first used: few runs need
them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ad_transform.eliminate.algebra import Algebra, Dearer
from ad_transform.eliminate.choose import Choice, choose
from ad_transform.eliminate.order import ORDERS, PAIRED, SEARCHES
from ad_transform.eliminate.replay import replay
from ad_transform.eliminate.steps import (
    BackEliminateEdge,
    Contract,
    CopyVariable,
    EliminateFace,
    EliminatePair,
    EliminateVertex,
    Factorise,
    FrontEliminateEdge,
    Sequence,
    SplitLineVertex,
    SplitVertex,
    Step,
    format_sequence,
    format_step,
    parse_sequence,
)

if TYPE_CHECKING:
    from ad_transform.eliminate.bounds import (
        Bounds,
        cut_bound,
        entry_bound,
        lower_bound,
        overall_bound,
    )
    from ad_transform.eliminate.counting import (
        Count,
        count,
        count_practical,
        count_vector,
    )
    from ad_transform.eliminate.dependence import Dependences, dependences
    from ad_transform.eliminate.effort import explained, optimise, optimise_plain
    from ad_transform.eliminate.exact import Solution, solve
    from ad_transform.eliminate.levels import EFFORTS
    from ad_transform.eliminate.plans import Plan
    from ad_transform.eliminate.remainder import Products, Remainder, jvp, partial, vjp
    from ad_transform.eliminate.scarcity import fewest_edges

__all__ = [
    "EFFORTS",
    "ORDERS",
    "PAIRED",
    "SEARCHES",
    "Algebra",
    "BackEliminateEdge",
    "Bounds",
    "Choice",
    "Contract",
    "CopyVariable",
    "Count",
    "Dearer",
    "Dependences",
    "EliminateFace",
    "EliminatePair",
    "EliminateVertex",
    "Factorise",
    "FrontEliminateEdge",
    "Plan",
    "Products",
    "Remainder",
    "Sequence",
    "Solution",
    "SplitLineVertex",
    "SplitVertex",
    "Step",
    "choose",
    "count",
    "count_practical",
    "count_vector",
    "cut_bound",
    "dependences",
    "entry_bound",
    "explained",
    "fewest_edges",
    "format_sequence",
    "format_step",
    "jvp",
    "lower_bound",
    "optimise",
    "optimise_plain",
    "overall_bound",
    "parse_sequence",
    "partial",
    "replay",
    "solve",
    "vjp",
]

_LATER = {
    "counting": ("Count", "count", "count_practical", "count_vector"),
    "scarcity": ("fewest_edges",),
    "bounds": ("Bounds", "cut_bound", "entry_bound", "lower_bound", "overall_bound"),
    "dependence": ("Dependences", "dependences"),
    "effort": ("explained", "optimise", "optimise_plain"),
    "levels": ("EFFORTS",),
    "plans": ("Plan",),
    "exact": ("Solution", "solve"),
    "remainder": ("Products", "Remainder", "jvp", "partial", "vjp"),
}


def __getattr__(name: str) -> Any:
    for module, names in _LATER.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
