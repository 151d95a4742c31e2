"""Blocks as wholes: renewed, pruned, compared, without dead code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Check,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)


def renewed(block: Block, over: Sequence[Operand] | None = None) -> Block:
    """The same block over variables of its own, so that no other block binds them; or
    over given values for its parameters, which it then has none of.
    """
    env: dict[Operand, Operand] = {}

    def new(var: Var) -> Var:
        made = Var(var.type, var.hint, var.span, var.named, var.notes)
        env[var] = made
        return made

    def seen(operands: tuple[Operand, ...]) -> tuple[Operand, ...]:
        return tuple(env.get(o, o) for o in operands)

    params = tuple(map(new, block.params)) if over is None else ()
    if over is not None:
        env.update(zip(block.params, over, strict=True))
    body: list[Statement] = []
    for statement in block.body:
        if isinstance(statement, Apply):
            args = seen(statement.args)
            body.append(Apply(new(statement.out), statement.op, args))
        elif isinstance(statement, Branch):
            (test,), args = seen((statement.test,)), seen(statement.args)
            arms = renewed(statement.then), renewed(statement.orelse)
            body.append(Branch(tuple(map(new, statement.outs)), test, args, *arms))
        elif isinstance(statement, Check):
            body.append(statement.over(env))
        else:
            taken = over_loop(statement, env)
            body.append(replace(taken, outs=tuple(map(new, statement.outs))))
    return Block(params, tuple(body), seen(block.results))


def over_loop(loop: Scan | While, env: Mapping[Operand, Operand]) -> Scan | While:
    """The loop over the values that `env` gives for its own, its blocks renewed."""

    def seen(operands: tuple[Operand, ...]) -> tuple[Operand, ...]:
        return tuple(env.get(o, o) for o in operands)

    carries, reads, body = seen(loop.carries), seen(loop.reads), renewed(loop.body)
    if isinstance(loop, While):
        test = renewed(loop.test)
        return While(loop.outs, carries, reads, test, body)
    start, stop, step = seen((loop.start, loop.stop, loop.step))
    entries = seen(loop.entries)
    ends = (loop.outs, start, stop, step, carries, reads, entries, body)
    return Scan(*ends, loop.backwards)


def pruned(
    args: tuple[Operand, ...], then: Block, orelse: Block
) -> tuple[tuple[Operand, ...], Block, Block]:
    """A branch without the arguments that neither arm reads."""
    reads = [
        {o for s in (*b.body,) for o in s.inputs} | {*b.results} for b in (then, orelse)
    ]
    used = [
        k
        for k in range(len(args))
        if then.params[k] in reads[0] or orelse.params[k] in reads[1]
    ]
    if len(used) == len(args):
        return args, then, orelse
    arms = (
        Block(tuple(b.params[k] for k in used), b.body, b.results)
        for b in (then, orelse)
    )
    return (tuple(args[k] for k in used), *arms)  # type: ignore[return-value]


def shape(block: Block) -> Any:
    """A key that two blocks share when they compute the same from their parameters."""
    number: dict[Operand, Any] = {p: k for k, p in enumerate(block.params)}
    parts: list[Any] = [len(block.params)]
    for statement in block.body:
        name: Any = type(statement)
        if isinstance(statement, Apply):
            name = statement.op.name
        elif isinstance(statement, Scan | While):
            name = (name, len(statement.carries), getattr(statement, "backwards", None))
        inner = tuple(map(shape, statement.blocks))
        parts.append((name, inner, *(number.get(a, a) for a in statement.inputs)))
        for out in statement.outs:
            number[out] = len(number)
    parts.append(tuple(number.get(r, r) for r in block.results))
    return tuple(parts)


def needed(body: tuple[Statement, ...], results: tuple[Operand, ...]) -> set[Operand]:
    """What the results and the checks are computed from, the results included."""
    found = set(results)
    for statement in reversed(body):
        if not statement.outs or not found.isdisjoint(statement.outs):
            found.update(statement.inputs)
    return found


def live(
    body: tuple[Statement, ...], results: tuple[Operand, ...]
) -> tuple[Statement, ...]:
    """The statements that the results need, checks included; linear.

    Branches keep the results that are needed, and what makes these.
    """
    needed: set[Operand] = set(results)
    kept: list[Statement] = []
    for statement in reversed(body):
        if not statement.outs or not needed.isdisjoint(statement.outs):
            part = statement
            if isinstance(statement, Branch) and not needed.issuperset(statement.outs):
                part = _trimmed(statement, needed)
            needed.update(part.inputs)
            kept.append(part)
    return tuple(reversed(kept))


def _trimmed(branch: Branch, needed: set[Operand]) -> Branch:
    """The branch without the results that are not needed."""
    wanted = [k for k, out in enumerate(branch.outs) if out in needed]

    def arm(block: Block) -> Block:
        ends = tuple(block.results[k] for k in wanted)
        return Block(block.params, live(block.body, ends), ends)

    arms = pruned(branch.args, arm(branch.then), arm(branch.orelse))
    return Branch(tuple(branch.outs[k] for k in wanted), branch.test, *arms)
