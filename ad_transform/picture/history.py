"""The history of an elimination: the edges that every step forms, and their lives.

The steps are performed by the engine that makes the emitted code, on its own labels
(`eliminate.replay`, `derive.labels`); here they are only watched.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Generic

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.accumulation.outcome import Trail
from ad_transform.eliminate.replay import State
from ad_transform.eliminate.steps import CopyVariable, SplitVertex, Step
from ad_transform.eliminate.steps import Sequence as Steps
from ad_transform.graph.computational import Edge, Graph
from ad_transform.ir.nodes import Operand
from ad_transform.picture.model import Arrow, Stage
from ad_transform.picture.scripts import L, Scalars, Script
from ad_transform.picture.steps import About, Product, told
from ad_transform.picture.wording import Speller, rounded, short

LABEL = 24
"""Columns of the longest label beside an edge; the tip has all of it."""

Key = tuple[int, ...]
"""An edge u -> v of the graph as (u, v), a vertex k of the line graph as (k,)."""

MOST = 10_000
"""Arrows of the longest history: more make a page that browsers are slow with."""


class TooLong(Exception):
    """Raised for a history of more than `most` arrows."""

    def __init__(self, most: int) -> None:
        super().__init__(f"more than {most} arrows")
        self.most = most


@dataclass(slots=True)
class History:
    """The history of a sequence: arrows, stages, and the lives of the vertices.

    `labels` are the values of the arrows' labels, in the order of the arrows. `born`
    and `died` have only the vertices that are not there from the beginning to the end,
    `names` those of copies and clones.
    """

    arrows: list[Arrow] = field(default_factory=list)
    labels: list[Operand | None] = field(default_factory=list)
    stages: list[Stage] = field(default_factory=list)
    born: dict[int, int] = field(default_factory=dict)
    died: dict[int, int] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)


class _Recorder(Generic[L]):
    """The algebra of labels, with a note of each product."""

    def __init__(self, script: Script[L], names: Mapping[int, str]) -> None:
        self.script, self.names = script, names
        self.labels = script.algebra
        self.unit = self.labels.unit
        for extra in ("settle", "watch", "copied"):
            if hasattr(self.labels, extra):
                setattr(self, extra, getattr(self.labels, extra))
        self.products: list[Product] = []

    def spelled(self, label: L, u: int, w: int) -> str:
        name = f"d{self.names[w]}_d{self.names[u]}"
        return self.script.text(label, (u, w), name)

    def multiply(self, out_edge: L, in_edge: L, u: int, v: int, w: int) -> L:
        factors = self.spelled(out_edge, v, w), self.spelled(in_edge, u, v)
        free = self.script.is_free(out_edge, in_edge, (u, v, w))
        made = self.labels.multiply(out_edge, in_edge, u, v, w)
        self.products.append(Product((u, v, w), factors, free))
        return made

    def add(self, old: L, new: L, u: int, w: int) -> L:
        if self.products:  # a merge of faces adds to labels that are there
            self.products[-1] = replace(self.products[-1], absorbed=True)
        return self.labels.add(old, new, u, w)


def history(trail: Trail, names: Mapping[int, str], speller: Speller) -> History:
    """The history of a trail; `speller` spells on its builder, a fork of ours."""
    linear = trail.linear
    partials = {edge: linear.partials[edge] for edge in linear.graph.edges}
    script = Scalars(trail, speller)
    return watched(linear.graph, partials, trail.sequence, script, names)


def watched(
    graph: Graph,
    labels: Mapping[Edge, L],
    sequence: Steps,
    script: Script[L],
    names: Mapping[int, str],
) -> History:
    """The history of the labels of a graph under a sequence of steps.

    Costs a visit of every edge per step, beside what the steps cost. Raises TooLong.
    """
    return _Watch(graph, labels, sequence, script, names).run()


class _Watch(Generic[L]):
    """Performs the steps one by one and compares the edges before and after."""

    def __init__(
        self,
        graph: Graph,
        labels: Mapping[Edge, L],
        sequence: Steps,
        script: Script[L],
        names: Mapping[int, str],
    ) -> None:
        self.sequence = sequence
        self.script = script
        self.names = dict(names)
        self.recorder = _Recorder(script, self.names)
        self.state: State[L] = State(graph, labels, self.recorder)
        self.ends = {*graph.independents, *graph.dependents}
        self.made = History()
        self.held: dict[Key, L] = {}
        self.alive: dict[Key, int] = {}  # the number of the arrow of each edge
        self.seen: set[int] = set()

    def run(self) -> History:
        self._compare(0)
        for k, step in enumerate(self.sequence, 1):
            self._name(step)
            about = About.of(step, self.state, self.names)
            self.recorder.products.clear()
            self.state.perform_all((step,))
            self.made.stages.append(told(about, self.recorder.products, self.names))
            self._compare(k)
        return self.made

    def _name(self, step: Step) -> None:
        if isinstance(step, CopyVariable):
            new, old = step.copy, step.source
        elif isinstance(step, SplitVertex):
            new, old = step.clone, step.vertex
        else:
            return
        self.names[new] = self.made.names[new] = f"{self.names[old]}'"

    def _edges(self) -> dict[Key, tuple[int, int, L]]:
        line = self.state.line
        if line is not None:
            return {(i,): (*line.ends[i], label) for i, label in line.labels.items()}
        rows = self.state.rows.items()
        return {(u, w): (u, w, label) for u, row in rows for w, label in row.items()}

    def _compare(self, k: int) -> None:
        """Note the edges that are new, changed and gone in frame k."""
        now = self._edges()
        if self.state.line is not None and any(len(key) == 2 for key in self.held):
            self._rename(self.state.line.line.edges)
        arrows = self.made.arrows
        if len(arrows) > MOST and k:
            raise TooLong(MOST)
        for key in [key for key in self.alive if key not in now]:
            self._end(key, k)
            del self.held[key]
        for key in sorted(now, key=lambda key: (now[key][:2], key)):
            u, w, label = now[key]
            if key in self.held and self.held[key] is label:
                continue
            before = self._end(key, k) if key in self.held else None
            self.held[key], self.alive[key] = label, len(arrows)
            text = self.recorder.spelled(label, u, w)
            beside, tip = short(rounded(text), LABEL), self.script.tip(label, text)
            arrows.append(Arrow(u, w, beside, tip, k, follows=before))
            self.made.labels.append(self.script.value(label, (u, w)))
        self._vertices(now, k)

    def _rename(self, edges: tuple[tuple[int, int], ...]) -> None:
        """Give the edges of the graph their numbers in the line graph."""
        self.held = {(i,): self.held[e] for i, e in enumerate(edges) if e in self.held}
        self.alive = {
            (i,): self.alive[e] for i, e in enumerate(edges) if e in self.alive
        }

    def _end(self, key: Key, k: int) -> int:
        number = self.alive.pop(key)
        self.made.arrows[number] = replace(self.made.arrows[number], died=k)
        return number

    def _vertices(self, now: dict[Key, tuple[int, int, L]], k: int) -> None:
        busy = {v for u, w, _ in now.values() for v in (u, w)}
        for v in sorted(busy - self.seen):
            if k:
                self.made.born[v] = k
        for v in sorted(self.seen - busy - self.ends):
            self.made.died.setdefault(v, k)
        self.seen |= busy
