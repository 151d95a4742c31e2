"""The outcome of a search: a sequence, its price, and the scope of its proof."""

from __future__ import annotations

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.bounds import Bounds
from ad_transform.eliminate.choose import Choice
from ad_transform.eliminate.steps import Contract, EliminateVertex, Sequence


@dataclass(frozen=True, slots=True)
class Plan:
    """A sequence, the name of its planner, and its price.

    `overall` is a lower bound of the plain count of any elimination.
    `bound` is a lower bound of the plain count, None if the price is another one. It
    holds for what `over` names: "all" is any elimination, of vertices, edges, faces and
    split vertices; "faces" are those of faces without splits; "edges" are those of
    vertices and edges; "vertices" are orders of these, which the others may undercut.
    """

    name: str
    sequence: Sequence
    price: int
    bound: int | None = None
    over: str | None = None
    overall: int | None = None

    @property
    def proven(self) -> bool:
        """Whether no elimination of the kinds that `over` names can be cheaper."""
        return self.price == self.bound


def bounded(choice: Choice, least: Bounds, searched: str | None = None) -> Plan:
    """The plan of a choice, with the bound that covers the most kinds of elimination
    among those that it meets.

    `searched` names the eliminations that were searched to the end without finding a
    cheaper one.
    """
    if searched and choice.price > least.overall:
        bound, over = choice.price, searched
    elif choice.price > least.overall and vertex_order(choice.sequence) is not None:
        bound, over = least.vertices, "vertices"
    else:
        bound, over = least.overall, "all"
    price = choice.price
    return Plan(choice.name, choice.sequence, price, bound, over, least.overall)


def vertex_order(sequence: Sequence) -> list[int] | None:
    """The order in which the sequence eliminates vertices, None if it does more."""
    order: list[int] = []
    for step in sequence.steps:
        if isinstance(step, EliminateVertex):
            order.append(step.vertex)
        elif isinstance(step, Contract):
            order += reversed(step.interior)
        else:
            return None
    return order
