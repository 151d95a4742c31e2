"""Labels of edges for a reader: their arithmetic, and the words for it."""

from __future__ import annotations

from typing import Protocol, TypeVar

from ad_transform.derive.accumulation.labels import EdgeLabel, Label, Labels
from ad_transform.derive.accumulation.outcome import Trail
from ad_transform.eliminate.algebra import Algebra
from ad_transform.graph.computational import Edge
from ad_transform.ir.nodes import Operand
from ad_transform.picture.wording import Speller

L = TypeVar("L")


class Script(Protocol[L]):
    """Labels for a reader: their arithmetic, and the words for them.

    `name` stands in formulas for a label that is too wide for them.
    """

    @property
    def algebra(self) -> Algebra[L]: ...

    def text(self, label: L, edge: Edge, name: str) -> str:
        """The formula of a label."""
        ...

    def tip(self, label: L, text: str) -> str:
        """All that is said of a label with this formula."""
        ...

    def value(self, label: L, edge: Edge) -> Operand | None:
        """The value of a label, if it is a number."""
        ...

    def is_free(self, outer: L, inner: L, path: tuple[int, int, int]) -> bool:
        """Whether the product of two labels costs nothing in print."""
        ...


class Scalars:
    """Labels that are numbers; `speller` spells on its builder, a fork of ours."""

    def __init__(self, trail: Trail, speller: Speller) -> None:
        self.algebra = Labels(speller.builder, constants=trail.constants)
        self.speller = speller

    def text(self, label: EdgeLabel, edge: Edge, name: str) -> str:
        return _plain(self.speller.label(self.value(label, edge), name))

    def tip(self, label: EdgeLabel, text: str) -> str:
        return text

    def value(self, label: EdgeLabel, edge: Edge) -> Operand:
        return self.algebra.operand(label, *edge)

    def is_free(
        self, outer: EdgeLabel, inner: EdgeLabel, path: tuple[int, int, int]
    ) -> bool:
        u, v, w = path
        formed = self.algebra.formed
        return _is_free(formed(outer, v, w), formed(inner, u, v))


def _is_free(left: Label, right: Label) -> bool:
    """Whether a product is free, as `eliminate.counting.PracticalAlgebra` counts: one
    by a unit, or of two constants.
    """
    constants = [abs(m.constant) for m in (left, right) if not m.powers]
    return len(constants) == 2 or 1.0 in constants


def _plain(text: str) -> str:
    """Units without a fraction: they are never printed as factors."""
    return {"1.0": "1", "-1.0": "-1"}.get(text, text)
