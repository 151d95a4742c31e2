"""Blocks as wholes: renewed, pruned, compared.

Nesting is the user's, so nothing here recurses over blocks in blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.ir.blocks.inner import changed_inside
from ad_transform.ir.dims import Dim, names
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Call,
    Check,
    Function,
    Literal,
    Operand,
    Print,
    Statement,
    Var,
    checks,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import BOOL

Meaning = Mapping[str, Dim]
"""Dims for names of dims."""

Maker = Callable[[Var], Var]
"""Another value for a value."""


def renewed(block: Block, over: Sequence[Operand] | None = None) -> Block:
    """The same block over variables of its own, so that no other block binds them; over
    given values for its parameters it has no parameters then.
    """
    if over is None:
        return bounce(_renewed(block, _like({})))
    env: dict[Operand, Operand] = dict(zip(block.params, over, strict=True))
    return bounce(_renewed(block, _like(meaning(block.params, over)), env))


def apart(block: Block, dims: Meaning) -> Block:
    """The same block over variables of its own, with other names for some dims: those
    of loops that record are no other loop's.
    """
    return bounce(_renewed(block, _like(dims)))


def placed(block: Block, over: Sequence[Operand], dims: Meaning) -> Block:
    """The same block over given values for its parameters, and with other names for
    some dims: those of loops that record are no other loop's.
    """
    env: dict[Operand, Operand] = dict(zip(block.params, over, strict=True))
    known = {**meaning(block.params, over), **dims}
    return bounce(_renewed(block, _like(known), env))


def located(block: Block, over: Sequence[Operand], span: Span | None) -> Block:
    """The same block over given values for its parameters, its own values at a place of
    the source.
    """
    dims = meaning(block.params, over)

    def make(var: Var) -> Var:
        return Var(var.type.renamed(dims), var.hint, span)

    env: dict[Operand, Operand] = dict(zip(block.params, over, strict=True))
    return bounce(_renewed(block, make, env))


def fitted(block: Block, args: Sequence[Operand]) -> Block:
    """The same block over variables of its own, whose types have the dims of `args`."""
    return bounce(_renewed(block, _like(meaning(block.params, args))))


def meaning(names_of: Iterable[Operand], over: Iterable[Operand]) -> Meaning:
    """The dims that names in the types of some operands stand for in other types."""
    found: dict[str, Dim] = {}
    for mine, given in zip(names_of, over, strict=True):
        if mine.type is not given.type and mine.type.is_array:
            own, other = mine.type, given.type
            for name, dim in (
                *zip(own.dims, other.dims, strict=False),
                *zip(own.shape, other.shape, strict=False),
            ):
                if names(name) == (name,) and name != dim:
                    found[str(name)] = dim
    return found


def another(var: Var, dims: Meaning) -> Var:
    """A new variable of the same type, with other dims for names, hint and notes."""
    return Var(var.type.renamed(dims), var.hint, var.span, var.named, var.notes)


def _like(dims: Meaning) -> Maker:
    return (lambda var: another(var, dims)) if dims else _again


def _again(var: Var) -> Var:
    return Var(var.type, var.hint, var.span, var.named, var.notes)


def _renewed(
    block: Block, make: Maker, env: dict[Operand, Operand] | None = None
) -> Task[Block]:
    params: tuple[Var, ...] = ()
    if env is None:
        params = tuple([make(p) for p in block.params])
        env = dict(zip(block.params, params, strict=True))
    body: list[Statement] = []
    for statement in block.body:
        inputs = tuple([env.get(o, o) for o in statement.inputs])
        if type(statement) is Apply:  # nearly always
            out = env[statement.out] = make(statement.out)
            body.append(Apply(out, statement.op, inputs))
            continue
        outs = tuple([make(out) for out in statement.outs])
        blocks: tuple[Block, ...] = ()
        if statement.blocks:
            made: list[Block] = []
            for inner in statement.blocks:
                made.append((yield _renewed(inner, make)))
            blocks = tuple(made)
        body.append(statement.rebuilt(outs, inputs, blocks))
        env.update(zip(statement.outs, outs, strict=True))
    return Block(params, tuple(body), tuple([env.get(r, r) for r in block.results]))


def copied(statement: Statement, env: Mapping[Operand, Operand]) -> Statement:
    """The statement over values that `env` gives; its outs and blocks are renewed."""
    inputs = [env.get(o, o) for o in statement.inputs]
    return made_again(statement, env, _like(meaning(statement.inputs, inputs)))


def made_again(
    statement: Statement, env: Mapping[Operand, Operand], make: Maker
) -> Statement:
    """The statement over values that `env` gives; `make` makes all its own values."""
    inputs = tuple([env.get(o, o) for o in statement.inputs])
    blocks = tuple([bounce(_renewed(block, make)) for block in statement.blocks])
    outs = tuple([make(out) for out in statement.outs])
    return statement.rebuilt(outs, inputs, blocks)


def pruned(
    args: tuple[Operand, ...], then: Block, orelse: Block
) -> tuple[tuple[Operand, ...], Block, Block]:
    """A branch without the arguments that neither arm reads."""
    idle = _unread(then)
    if idle:
        idle &= _unread(orelse)
    used = [k for k in range(len(args)) if k not in idle]
    if len(used) == len(args):
        return args, then, orelse
    arms = (
        Block(tuple(b.params[k] for k in used), b.body, b.results)
        for b in (then, orelse)
    )
    return (tuple(args[k] for k in used), *arms)  # type: ignore[return-value]


def lists_fit(branch: Branch, arm: Block) -> bool:
    """Whether the lists of an arm may stand for those of its branch: their lengths are
    known alike. A list of some length may be one of any outside.
    """
    outside, inside = (*branch.args, *branch.outs), (*arm.params, *arm.results)
    pairs = zip(outside, inside, strict=True)
    return all(a.type == b.type for a, b in pairs if a.type.dims)


def alike_in_both(branch: Branch) -> dict[Operand, Operand]:
    """The results of a branch that are the same number or argument in both arms, each
    with that number or argument; and those that are True and False, as the test is.
    """
    ends: list[list[Operand | None]] = []
    for block in branch.blocks:
        given: dict[Operand, Operand] = dict(
            zip(block.params, branch.args, strict=True)
        )
        known = (r if isinstance(r, Literal) else given.get(r) for r in block.results)
        ends.append(list(known))
    found: dict[Operand, Operand] = {}
    for out, then, orelse in zip(branch.outs, *ends, strict=True):
        if then is not None and then == orelse:
            found[out] = then
        elif (then, orelse) == _YES_OR_NO and branch.test.type == out.type == BOOL:
            found[out] = branch.test
    return found


_YES_OR_NO = (Literal(True), Literal(False))


def without_alike(branch: Branch, first: int) -> tuple[Branch, dict[Operand, Operand]]:
    """The branch without those results from `first` on that are the same in both arms,
    and for each of these its value.
    """
    late = set(branch.outs[first:])
    alike = {out: end for out, end in alike_in_both(branch).items() if out in late}
    kept = [k for k, out in enumerate(branch.outs) if out not in alike]
    outs = tuple(branch.outs[k] for k in kept)
    arms = branch.blocks
    blocks = (Block(b.params, b.body, tuple(b.results[k] for k in kept)) for b in arms)
    return Branch(outs, branch.test, *pruned(branch.args, *blocks)), alike


def _unread(block: Block) -> set[int]:
    """The places of parameters that a block does not read."""
    left = set(block.params).difference(block.results)
    for statement in block.body:
        if not left:
            break
        left.difference_update(statement.inputs)
    return {k for k, param in enumerate(block.params) if param in left}


def shape(block: Block) -> tuple[Any, ...]:
    """A key that two blocks share when they compute the same from their parameters.

    It is flat, for tuples in tuples are compared by recursion.
    """
    parts: list[Any] = []
    bounce(_shape(block, parts))
    return tuple(parts)


def _shape(block: Block, parts: list[Any]) -> Task[None]:
    number: dict[Operand, Any] = {p: k for k, p in enumerate(block.params)}
    parts += ("(", len(block.params))
    for statement in block.body:
        parts.append(statement.label)
        parts += [number.get(operand, operand) for operand in statement.inputs]
        for inner in statement.blocks:
            yield _shape(inner, parts)
        for out in statement.outs:
            number[out] = len(number)
    parts.append("give")
    parts += [number.get(result, result) for result in block.results]
    parts.append(")")


def needed(body: tuple[Statement, ...], results: tuple[Operand, ...]) -> set[Operand]:
    """The values that results and checks are computed from, results included."""
    found = set(results)
    for statement in reversed(body):
        if type(statement) is Apply:  # nearly always
            if statement.out in found:
                found.update(statement.args)
        elif checks(statement) or not found.isdisjoint(statement.outs):
            found.update(statement.inputs)
    return found


def unchecked(block: Block) -> Block:
    """The block without checks and prints, those of inner blocks included."""
    return bounce(_unchecked(block))


def _unchecked(block: Block) -> Task[Block]:
    body: list[Statement] = []
    for statement in block.body:
        if isinstance(statement, Check | Print):
            continue
        blocks: list[Block] = []
        for inner in statement.blocks:
            blocks.append((yield _unchecked(inner)))
        body.append(
            statement.rebuilt(statement.outs, statement.inputs, tuple(blocks))
            if blocks
            else statement
        )
    return replace(block, body=tuple(body))


def under(function: Function, names: Mapping[str, str]) -> Function:
    """The function, and those that it calls, under other names."""
    name, block = names.get(function.name, function.name), function.block
    if Call in block.all_kinds:
        block = bounce(_calling(block, names))
    return replace(function, name=name, block=block)


def _calling(block: Block, names: Mapping[str, str]) -> Task[Block]:
    """The block with other names for functions that it calls."""
    statements = yield from changed_inside(block, lambda b: _calling(b, names))
    body = tuple(
        replace(s, callee=names.get(s.callee, s.callee)) if isinstance(s, Call) else s
        for s in statements
    )
    return replace(block, body=body)
