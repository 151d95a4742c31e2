"""Partials of a branch: a branch of the Jacobians of its arms.

Each arm is accumulated in its own block, so the arm that is not taken contributes
nothing, neither a value nor an exception.
"""

from __future__ import annotations

from ad_transform.derive.labels import EdgeLabel, Labels
from ad_transform.derive.linearise import linearise
from ad_transform.derive.partials import LocalPartial, Partial
from ad_transform.eliminate.order import ORDERS
from ad_transform.eliminate.replay import replay
from ad_transform.ir.blocks import live
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Block, Branch, Literal, Operand
from ad_transform.ir.template import instantiate


class Former:
    """Forms the values of partials over one builder, those of a branch only once."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self._branches: dict[Branch, dict[tuple[int, int], Operand]] = {}

    def __call__(self, partial: Partial) -> Operand:
        if isinstance(partial, LocalPartial):
            return instantiate(partial.template, partial.env, self.builder)
        branch = partial.branch
        if not isinstance(branch, Branch):
            raise ValueError(f"the partial of a {type(branch).__name__} has no formula")
        if branch not in self._branches:
            self._branches[branch] = branch_partials(self.builder, branch)
        return self._branches[branch][partial.out, partial.arg]


def branch_partials(builder: Builder, branch: Branch) -> dict[tuple[int, int], Operand]:
    """Partials by (output, argument); literal zero where both arms vanish."""
    arms = [_jacobian(builder.inner(), block) for block in (branch.then, branch.orelse)]
    places = [
        (j, k)
        for j, out in enumerate(branch.outs)
        for k, p in enumerate(branch.then.params)
        if out.type.is_real and p.type.is_real
    ]
    width = len(branch.then.params)
    picks = [tuple(arm.results[j * width + k] for j, k in places) for arm in arms]
    partials: dict[tuple[int, int], Operand] = {}
    alive = []
    for n, place in enumerate(places):
        if all(isinstance(p[n], Literal) and p[n] == picks[0][n] for p in picks):
            partials[place] = picks[0][n]
        else:
            alive.append(n)
    if alive:
        ends = [tuple(pick[n] for n in alive) for pick in picks]
        then, orelse = (
            Block(arm.params, live(arm.body, end), end)
            for arm, end in zip(arms, ends, strict=True)
        )
        values = builder.branch(branch.test, branch.args, then, orelse)
        partials.update(zip((places[n] for n in alive), values, strict=True))
    return partials


def _jacobian(builder: Builder, block: Block) -> Block:
    """The block of all partials, output by output, zero where there is none."""
    results = builder.inline(block, block.params)
    columns = [p for p in block.params if p.type.is_real]
    linear = linearise(builder.body, columns, results)
    labels = Labels(builder, Former(builder))
    sequence = ORDERS["reverse"](linear.graph)
    entries = replay(linear.graph, linear.partials, sequence, labels)
    source = dict(zip(columns, linear.sources, strict=True))
    values: list[Operand] = []
    for target in linear.targets:
        for p in block.params:
            values.append(_entry(labels, entries, source.get(p), target))
    return Block(block.params, tuple(builder.body), tuple(values))


def _entry(
    labels: Labels,
    entries: dict[tuple[int, int], EdgeLabel],
    u: int | None,
    w: int | None,
) -> Operand:
    if u is None or w is None or (u, w) not in entries:
        return Literal(0.0)
    return labels.operand(entries[u, w], u, w)
