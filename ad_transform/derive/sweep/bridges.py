"""Small branches as vertices of one graph, whose edges carry the partials of the arms.

The partials of a branch are a branch of the Jacobians of its arms, so the arm that is
not taken contributes nothing, neither a value nor an exception. Where few values go in
and come out, one graph over all of a body may be cheaper than a sweep through it:
products behind a choice are then made once, and not in each arm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ad_transform.dataclass import replace
from ad_transform.derive.accumulation.accumulate import IN_PARTS, Task
from ad_transform.derive.accumulation.linearise import Bridge
from ad_transform.derive.accumulation.outcome import Outcome
from ad_transform.ir.blocks.blocks import unchecked
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.laws.signs import ANY, of_arm, signs
from ad_transform.ir.nodes import Block, Branch, Literal, Operand, Var

Solve = Callable[[Builder, Task], Outcome]
"""Gives the cheapest code for a task."""


def bridged(builder: Builder, task: Task, solve: Solve) -> tuple[Builder, Task]:
    """The task with a bridge for each branch of the body, and a builder that holds the
    partials; `solve` finds the Jacobians of the arms.
    """
    made = builder.fork()
    bridges = [
        (place, bridge_of(made, statement, solve))
        for place, statement in enumerate(builder.body)
        if isinstance(statement, Branch)
    ]
    return made, replace(task, bridges=(*task.bridges, *bridges))


def bridge_of(builder: Builder, branch: Branch, solve: Solve) -> Bridge:
    """The values of a branch with their partials, which are put into the builder."""
    pairs = zip(branch.args, branch.then.params, strict=True)
    columns = [a for a, param in pairs if _is_number(param)]
    reals = [k for k, out in enumerate(branch.outs) if _is_number(out)]
    rows = [branch.outs[k] for k in reals]
    if not columns:
        return Bridge(tuple((out, ()) for out in rows))
    insides = (_inside(builder, branch, place) for place in (0, 1))
    arms = [
        _jacobian(inner, block, reals, solve)
        for inner, block in zip(insides, branch.blocks, strict=True)
    ]
    partials = iter(_chosen(builder, branch, arms))
    return Bridge(tuple((out, _by(columns, partials)) for out in rows))


def _inside(builder: Builder, branch: Branch, place: int) -> Builder:
    """A builder for an arm, which knows the signs that its parameters may have."""
    inner = builder.inner()
    if builder.known is not None:
        here = of_arm(builder, branch, place)
        params = branch.blocks[place].params
        inner.known = {
            param: (signs(builder, arg) & here.get(arg, ANY)) or ANY
            for param, arg in zip(params, branch.args, strict=True)
        }
    return inner


def _is_number(value: Operand) -> bool:
    return value.type.is_real and not value.type.is_array


def _by(
    columns: Sequence[Operand], partials: Iterator[Operand]
) -> tuple[tuple[Var, Operand], ...]:
    """The next partials, each with its argument."""
    own = [(argument, next(partials)) for argument in columns]
    return tuple((a, partial) for a, partial in own if isinstance(a, Var))


def _chosen(builder: Builder, branch: Branch, arms: list[Block]) -> list[Operand]:
    """The results of the arm that is taken; numbers that both give need no choice."""
    pairs = list(zip(*(arm.results for arm in arms), strict=True))
    open_ = [
        n for n, (x, y) in enumerate(pairs) if x != y or not isinstance(x, Literal)
    ]
    found: list[Operand] = [x for x, _ in pairs]
    if open_:
        then, orelse = (_giving(arm, [arm.results[n] for n in open_]) for arm in arms)
        values = builder.branch(branch.test, branch.args, then, orelse)
        for n, value in zip(open_, values, strict=True):
            found[n] = value
    return found


def _giving(arm: Block, results: list[Operand]) -> Block:
    ends = tuple(results)
    return Block(arm.params, live(arm.body, ends), ends)


def _jacobian(
    builder: Builder, block: Block, reals: Sequence[int], solve: Solve
) -> Block:
    """The arm that gives the partials of its real results, those at the places `reals`
    (`1.0 * j` may be written as an int here), by its real parameters.

    The arm that gives the values makes the checks.
    """
    results = builder.inline(unchecked(block), block.params)
    rows = tuple(results[k] for k in reals)
    columns = tuple(p for p in block.params if _is_number(p))
    ways = (lambda m: tuple(e for row in m for e in row),)
    task = Task(columns, rows, ways, shares=IN_PARTS)
    outcome = solve(builder, task)
    return Block(block.params, outcome.body, outcome.results)
