"""Statements of programs with whole arrays, drafted with lists and loops."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ad_transform.diagnostics import Diagnostic
from ad_transform.elementals.whole import BY_ELEMENT
from ad_transform.emit.compiled.wholes import (
    axes,
    creations,
    equations,
    layouts,
    orders,
    parts,
    products,
    sums,
)
from ad_transform.emit.compiled.wholes.arrays import (
    Whole,
    of_number,
    stored,
)
from ad_transform.emit.compiled.wholes.boundaries import (
    Stack,
    Value,
    entry,
    given,
    joined,
    like,
)
from ad_transform.emit.compiled.wholes.calls import drafted
from ad_transform.emit.compiled.wholes.draft import EMPTY, ZERO, Draft
from ad_transform.emit.compiled.wholes.elementwise import by_element
from ad_transform.emit.compiled.wholes.readers import readers
from ad_transform.emit.schedule.roles import role_beside
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Call,
    Check,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.trampoline import Task
from ad_transform.ir.types import INT

RULES = {
    **parts.RULES,
    **layouts.RULES,
    **creations.RULES,
    **sums.RULES,
    **axes.RULES,
    **products.RULES,
    **orders.RULES,
    **equations.RULES,
}

Env = dict[Operand, Value]


class Statements:
    """Drafts the statements of one function.

    `wrong` is what has no rule in the language; `looks` are values whose names and
    comments new ones take over.
    """

    def __init__(self, language: str, wrong: dict[str, Diagnostic]) -> None:
        self.language = language
        self.wrong = wrong
        self.looks: dict[Operand, Var] = {}
        self.names: dict[Operand, str] = {}  # of values that have none

    def body(self, block: Block, draft: Draft, env: Env) -> Task[list[Value]]:
        """Draft the statements of a block; what its results are."""
        count, once = readers(block)
        for param in block.params:
            _keep(draft, env.get(param), count[param])
        for statement in block.body:
            if isinstance(statement, Apply):
                self._apply(statement, draft, env, once)
            else:
                yield _STATEMENTS[type(statement)](self, statement, draft, env)
            for out in statement.outs:
                _keep(draft, env[out], count[out])
        return [env.get(r, r) for r in block.results]

    def _apply(
        self, statement: Apply, draft: Draft, env: Env, once: set[Operand]
    ) -> None:
        args = [env.get(a, a) for a in statement.args]
        out, name, start = statement.out, statement.op.name, len(draft.body)
        plain = [a for a in args if not isinstance(a, Whole | Stack)]
        if not out.type.shape and len(plain) == len(args) and name not in RULES:
            if name == "eq" and plain[0] is plain[1] and plain[0].type == INT:
                env[out] = Literal(True)  # lengths that are one number here
                return
            draft.body.append(Apply(out, statement.op, tuple(plain)))
            env[out] = out
            draft.note(out, name, plain)
            return
        rule: Any = by_element if name in BY_ELEMENT else RULES.get(name)
        if rule is None:
            self._refuse(statement)
            env[out] = _instead(out)
            return
        value: Value = rule(draft, statement, args)
        if isinstance(value, Whole) and not value.is_free and out not in once:
            value = stored(draft, value, self._name(statement))
        env[out] = value
        made = value.stored if isinstance(value, Whole) else value
        if out.hint and any(made in s.outs for s in draft.body[start:]):
            self.looks.setdefault(made, out)  # type: ignore[arg-type]

    def _name(self, statement: Apply) -> str:
        """What an array is called: after what it is made of, if it has no name."""
        out = statement.out
        if out.hint:
            return out.hint
        read = [a for a in statement.args if isinstance(a, Var)]
        named = next((a for a in read if a.hint or a in self.names), None)
        if named is None:
            return ""
        name = named.hint or self.names[named]
        self.names[out] = name
        return role_beside(statement, named, name)

    def _refuse(self, statement: Apply) -> None:
        op = statement.op
        called = op.known_as[0] if op.known_as else op.spelling("python")
        message = (
            f"`{called}` of whole arrays of run-time length is not written in "
            f"{self.language} yet"
        )
        way_out = "write loops over its elements"
        found = Diagnostic("AD033", message, statement.out.span, way_out)
        self.wrong.setdefault(message, found)

    # --- blocks -----------------------------------------------------------------------

    def _branch(self, branch: Branch, draft: Draft, env: Env) -> Task[None]:
        test, *args = (env.get(o, o) for o in branch.inputs)
        blocks: list[Block] = []
        results: list[Value] = []
        for arm in branch.blocks:
            inside = draft.inner()
            own: Env = dict(zip(arm.params, args, strict=True))
            results = yield self.body(arm, inside, own)
            ends = _given(inside, results, branch.outs)
            blocks.append(Block((), tuple(inside.body), ends))
        assert not isinstance(test, Whole | Stack)
        outs = [like(draft, out, out.type) for out in branch.outs]
        draft.body.append(Branch(_flat(outs), test, (), *blocks))
        self._bind(branch.outs, outs, results, draft, env)

    def _scan(self, scan: Scan, draft: Draft, env: Env) -> Task[None]:
        count, reads = len(scan.carries), len(scan.reads)
        index, *params = scan.body.params
        inside, own = draft.inner(1), Env({index: index})
        first = [env.get(c, c) for c in scan.carries]
        carried = self._entered(inside, own, params[:count], first)
        own.update(_values(params[count : count + reads], scan.reads, env))
        stacks = [env.get(o, o) for o in scan.entries]
        entered, entries = self._unstacked(inside, own, params[count + reads :], stacks)
        results = yield self.body(scan.body, inside, own)
        given_ = _given(inside, results, [*params[:count], *scan.stacks])
        block = Block((index, *carried, *entered), tuple(inside.body), given_)
        start, stop, step = (number(env, o) for o in (scan.start, scan.stop, scan.step))
        carries = _given(draft, first, params[:count])
        outs = [like(draft, out, out.type) for out in scan.outs]
        how = (scan.backwards, scan.snapshots)
        ends = (start, stop, step, carries, (), entries, block)
        draft.body.append(Scan(_flat(outs), *ends, *how))
        self._bind(scan.outs, outs, [*first, *scan.stacks], draft, env)

    def _while(self, loop: While, draft: Draft, env: Env) -> Task[None]:
        count = len(loop.carries)
        first = [env.get(c, c) for c in loop.carries]
        blocks: list[Block] = []
        for block in loop.blocks:
            inside, own = draft.inner(1), Env()
            params = block.params[:count]
            carried = self._entered(inside, own, params, first)
            own.update(_values(block.params[count:], loop.reads, env))
            results = yield self.body(block, inside, own)
            like_these = [*params, *loop.stacks] if block is loop.body else [loop.trips]
            ends = _given(inside, results, like_these)
            blocks.append(Block(tuple(carried), tuple(inside.body), ends))
        params = loop.body.params[:count]
        carries = _given(draft, first, params)
        outs = [like(draft, out, out.type) for out in loop.outs]
        test, body = blocks
        made = While(_flat(outs), carries, (), test, body, loop.snapshots)
        draft.body.append(made)
        self._bind(loop.outs, outs, [*first, *loop.outs[count:]], draft, env)

    def _entered(
        self, inside: Draft, own: Env, params: Sequence[Var], first: Sequence[Value]
    ) -> list[Var]:
        """New parameters for carries that are `first` so."""
        found: list[Var] = []
        for param, before in zip(params, first, strict=True):
            new = like(inside, param, param.type)
            own[param] = value = joined(inside, param.type, new, before)
            if isinstance(value, Whole):
                inside.owned.add(new[0])
            self.looks[new[0]] = param
            found += new
        return found

    def _unstacked(
        self, inside: Draft, own: Env, params: Sequence[Var], stacks: Sequence[Value]
    ) -> tuple[list[Var], tuple[Operand, ...]]:
        """New parameters for the entries of stacks, and all stacks."""
        found: list[Var] = []
        entries: list[Operand] = []
        for param, stack in zip(params, stacks, strict=True):
            if not isinstance(stack, Stack):
                assert not isinstance(stack, Whole)
                own[param] = param
                found.append(param)
                entries.append(stack)
                continue
            type_ = entry(stack)
            new = like(inside, param, type_)
            own[param] = joined(inside, type_, new)
            self.looks[new[0]] = param
            found += new
            entries += (stack.array, *stack.more)
        return found, tuple(entries)

    def _bind(
        self,
        outs: Sequence[Var],
        made: Sequence[Sequence[Var]],
        before: Sequence[Value],
        draft: Draft,
        env: Env,
    ) -> None:
        """Enter what a statement gives; arrays that it fills were so before."""
        for out, new, old in zip(outs, made, before, strict=True):
            env[out] = value = joined(draft, out.type, new, old)
            if isinstance(value, Whole):
                draft.owned.add(new[0])
            self.looks[new[0]] = out

    # --- calls ------------------------------------------------------------------------

    def _call(self, call: Call, draft: Draft, env: Env) -> Task[None]:
        drafted(call, draft, env, self.looks)
        yield from ()

    def _check(self, check: Check, draft: Draft, env: Env) -> Task[None]:
        if env.get(check.test, check.test) == Literal(True):
            return
            yield
        shown = {
            o: ZERO if isinstance(value := env.get(o, o), Whole | Stack) else value
            for o in check.inputs
        }
        draft.body.append(check.over(shown))
        yield from ()


_STATEMENTS: Mapping[type[Statement], Callable[..., Task[None]]] = {
    Branch: Statements._branch,
    Scan: Statements._scan,
    While: Statements._while,
    Call: Statements._call,
    Check: Statements._check,
}


def _flat(groups: Sequence[Sequence[Var]]) -> tuple[Var, ...]:
    return tuple(var for group in groups for var in group)


def number(env: Env, operand: Operand) -> Operand:
    """A value that is no array."""
    value = env.get(operand, operand)
    assert not isinstance(value, Whole | Stack)
    return value


def _keep(draft: Draft, value: Value | None, readers: int) -> None:
    """See that an array that is read more than once is given away by nobody."""
    if readers > 1 and isinstance(value, Whole) and value.stored is not None:
        draft.owned.discard(value.stored)


def _given(
    draft: Draft, values: Sequence[Value], outs: Sequence[Var]
) -> tuple[Operand, ...]:
    """All that values become which are given for others."""
    pairs = zip(values, outs, strict=True)
    return tuple(o for value, out in pairs for o in given(draft, value, out.type))


def _values(params: Sequence[Var], values: Sequence[Operand], env: Env) -> Env:
    """What a block reads of what stands around it."""
    return {p: env.get(v, v) for p, v in zip(params, values, strict=True)}


def _instead(out: Var) -> Value:
    """Something in the place of a value that is not written."""
    if not out.type.shape:
        return EMPTY[out.type.kind]
    return replace(
        of_number(EMPTY[out.type.kind]),
        shape=out.type.shape,
        lengths=(ZERO,) * len(out.type.shape),
    )
