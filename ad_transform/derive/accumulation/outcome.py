"""Code in the making: its statements, its cost, and its history."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.accumulation.labels import Constants
from ad_transform.derive.accumulation.linearise import Linearisation
from ad_transform.eliminate.steps import Sequence as Steps
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.count import Counts, count_statements
from ad_transform.ir.held import held_body
from ad_transform.ir.nodes import Operand, Statement, Var
from ad_transform.options import WEIGHTS, Options, weights_of

if TYPE_CHECKING:
    from ad_transform.derive.vectors.drawn import VectorTrail


@dataclass(frozen=True, slots=True)
class Trail:
    """The history of code: the builder, its graph, and the steps upon it."""

    builder: Builder
    linear: Linearisation
    sequence: Steps
    constants: Constants


@dataclass(frozen=True, slots=True)
class Pass:
    """The code behind a pass, which changes the code of the pass before."""

    name: str
    body: tuple[Statement, ...]
    results: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Code, its cost, and the order that gave it.

    Of a derivative of a derivative, `trails` has that of the first one too, in order.
    `rivals` are the outcomes of other orders, by name, as far as they were found.
    `ways` are codes that no name stands for; as it is written one of them may be
    cheaper. `passes` are those that made the code, of a straight run. `vectors` tells
    how a graph of whole arrays was eliminated.
    """

    body: tuple[Statement, ...]
    results: tuple[Operand, ...]
    counts: Counts
    order: str
    idle: tuple[Var, ...]  # columns that no row depends on
    trails: tuple[Trail, ...] = ()
    weights: Mapping[str, int] = field(default_factory=lambda: WEIGHTS)
    rivals: Mapping[str, Outcome] = field(default_factory=dict, repr=False)
    ways: tuple[Outcome, ...] = field(default=(), repr=False)
    passes: tuple[Pass, ...] = field(default=(), repr=False)
    vectors: VectorTrail | None = None

    def __post_init__(self) -> None:
        held_body(self.body, self.results)

    def beside(self, others: Iterable[Outcome]) -> Outcome:
        """The outcome with other codes, their rivals and its own rivals as ways."""
        every = (self, *others)
        ways = (w for one in every for w in (one, *one.ways, *one.rivals.values()))
        known = {id(w.body): replace(w, rivals={}, ways=()) for w in ways}
        known.pop(id(self.body))
        return replace(self, rivals={}, ways=tuple(known.values()))

    def after(
        self, name: str, body: tuple[Statement, ...], results: tuple[Operand, ...]
    ) -> Outcome:
        """The outcome behind one more pass."""
        counts = self.counts
        if body is not self.body or results != self.results:
            counts = count_statements(body, results)
        passes = (*self.passes, Pass(name, body, results))
        return replace(self, body=body, results=results, counts=counts, passes=passes)

    def followed_by(self, before: Outcome, after: Outcome) -> Outcome:
        """The outcome behind the passes of another outcome of equal values."""
        return replace(
            self,
            body=after.body,
            results=after.results,
            counts=after.counts,
            passes=(*self.passes, *after.passes[len(before.passes) :]),
        )

    @property
    def price(self) -> int:
        """The cost of the operations by their weights, at nominal trips of loops."""
        if self.weights is WEIGHTS and not self.counts.loops:
            return self.counts.total
        return int(self.counts.price(self.weights))

    @property
    def drafted(self) -> int:
        """The price behind the first pass, for code that went through passes."""
        if not self.passes:
            return self.price
        first = self.passes[0]
        counts = count_statements(first.body, first.results)
        return replace(self, counts=counts).price

    @property
    def rank(self) -> tuple[int, int]:
        """The key by which outcomes are compared: price, then selections."""
        return self.price, self.counts.select


def as_it_stands(
    body: Iterable[Statement],
    results: tuple[Operand, ...],
    options: Options,
    order: str,
    idle: tuple[Var, ...] = (),
) -> Outcome:
    """The outcome of code that no pass is to change; without what nobody needs."""
    needed = live(tuple(body), results)
    counts = count_statements(needed, results)
    return Outcome(needed, results, counts, order, idle, (), weights_of(options.cost))
