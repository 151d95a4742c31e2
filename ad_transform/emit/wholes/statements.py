"""Blocks of programs with whole arrays, and statements that hold them, drafted with
lists and loops.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ad_transform.emit.wholes.arrays import Whole, of_list, settled
from ad_transform.emit.wholes.boundaries import (
    Stack,
    Value,
    given,
    held,
    joined,
    like,
    own_list,
)
from ad_transform.emit.wholes.calls import drafted
from ad_transform.emit.wholes.draft import ZERO, Draft
from ad_transform.emit.wholes.operations import Env, Operations
from ad_transform.emit.wholes.readers import readers
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Call,
    Check,
    Literal,
    Open,
    Operand,
    Print,
    Record,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.trampoline import Task
from ad_transform.ir.types import INT


class Statements:
    """Drafts the statements of one function; `operations` drafts its operations.

    `looks` are values whose names and comments new ones take over.
    """

    def __init__(self, operations: Operations) -> None:
        self.operations = operations
        self.looks = operations.looks

    def body(self, block: Block, draft: Draft, env: Env) -> Task[list[Value]]:
        """Draft the statements of a block; gives its results."""
        count, once = readers(block)
        for param in block.params:
            _keep(draft, env.get(param), count[param])
        for statement in block.body:
            if isinstance(statement, Apply):
                self.operations.add(statement, draft, env, once)
            else:
                for array in statement.inputs:
                    if array.type.shape and array.type.dims:  # it may change
                        settled(draft, env.get(array), env)
                yield _STATEMENTS[type(statement)](self, statement, draft, env)
            for out in statement.outs:
                _keep(draft, env[out], count[out])
        return [env.get(r, r) for r in block.results]

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
        inside, own = draft.inner(index.hint), Env({index: index})
        first = [env.get(c, c) for c in scan.carries]
        start, stop, step = (number(env, o) for o in (scan.start, scan.stop, scan.step))
        if start == stop and isinstance(start, Literal) and not scan.stacks:
            env.update(zip(scan.outs, first, strict=True))  # there is no trip
            return
        carried = self._entered(inside, own, params[:count], first)
        own.update(_values(params[count : count + reads], scan.reads, env))
        stacks = [env.get(o, o) for o in scan.entries]
        entered, entries = self._unstacked(inside, own, params[count + reads :], stacks)
        results = yield self.body(scan.body, inside, own)
        given_ = _recorded(inside, scan, results, params[:count])
        block = Block((index, *carried, *entered), tuple(inside.body), given_)
        carries = _given(draft, first, params[:count])
        outs = [like(draft, out, out.type) for out in scan.outs]
        how = (scan.backwards, scan.snapshots, scan.notes)
        ends = (start, stop, step, carries, (), entries, block)
        draft.body.append(Scan(_flat(outs), *ends, *how))
        self._bind(scan.outs, outs, [*first, *scan.stacks], draft, env)

    def _while(self, loop: While, draft: Draft, env: Env) -> Task[None]:
        count = len(loop.carries)
        first = [env.get(c, c) for c in loop.carries]
        blocks: list[Block] = []
        for block in loop.blocks:
            inside, own = draft.inner(), Env()
            params = block.params[:count]
            carried = self._entered(inside, own, params, first)
            own.update(_values(block.params[count:], loop.reads, env))
            results = yield self.body(block, inside, own)
            if block is loop.body:
                ends = _recorded(inside, loop, results, params)
            else:
                ends = _given(inside, results, [loop.trips])
            blocks.append(Block(tuple(carried), tuple(inside.body), ends))
        params = loop.body.params[:count]
        carries = _given(draft, first, params)
        outs = [like(draft, out, out.type) for out in loop.outs]
        test, body = blocks
        how = (loop.snapshots, loop.notes)
        made = While(_flat(outs), carries, (), test, body, *how)
        draft.body.append(made)
        self._bind(loop.outs, outs, [*first, *loop.outs[count:]], draft, env)

    def _entered(
        self, inside: Draft, own: Env, params: Sequence[Var], first: Sequence[Value]
    ) -> list[Var]:
        """New parameters for carries with the values `first`."""
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
            type_ = stack.type.entry
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
        """Enter a statement's results; `before` has the old values of filled arrays."""
        for out, new, old in zip(outs, made, before, strict=True):
            env[out] = value = joined(draft, out.type, new, old)
            if isinstance(value, Whole):
                draft.owned.add(new[0])
            self.looks[new[0]] = out

    # --- calls ------------------------------------------------------------------------

    def _call(self, call: Call, draft: Draft, env: Env) -> Task[None]:
        drafted(call, draft, env, self.looks)
        yield from ()

    def _record(self, record: Record, draft: Draft, env: Env) -> Task[None]:
        """Of a matrix all lengths are held: another function opens the record."""
        held: list[Operand] = []
        for arg in record.args:
            value = env.get(arg, arg)
            assert not isinstance(value, Stack)
            if not isinstance(value, Whole):
                held.append(value)
                continue
            held.append(own_list(draft, value))
            if len(value.shape) > 1:
                held += map(draft.exact, value.lengths)
        draft.body.append(Record(record.out, tuple(held)))
        env[record.out] = record.out
        yield from ()

    def _open(self, opened: Open, draft: Draft, env: Env) -> Task[None]:
        every: list[Var] = []
        arrays: list[tuple[Var, Var, list[Operand]]] = []
        for out in opened.outs:
            own = like(draft, out, out.type)[0]
            rank = len(out.type.shape)
            more = [Var(INT) for _ in range(rank if rank > 1 else 0)]
            every += (own, *more)
            env[out] = own
            self.looks[own] = out
            if rank:
                arrays.append((out, own, [*more]))
        draft.body.append(Open(tuple(every), number(env, opened.record)))
        for out, own, lengths in arrays:
            sizes = lengths or [draft.size(own)]
            env[out] = of_list(own, out.type.shape, sizes)
        yield from ()

    def _check(self, check: Check, draft: Draft, env: Env) -> Task[None]:
        if env.get(check.test, check.test) == Literal(True):
            return
        shown = {
            o: ZERO if isinstance(value := env.get(o, o), Whole | Stack) else value
            for o in check.inputs
        }
        draft.body.append(check.over(shown))
        yield from ()

    def _print(self, said: Print, draft: Draft, env: Env) -> Task[None]:
        """It is refused by its name: see `compiled.fence`."""
        draft.body.append(said.over({o: number(env, o) for o in said.inputs}))
        yield from ()


_STATEMENTS: Mapping[type[Statement], Callable[..., Task[None]]] = {
    Branch: Statements._branch,
    Scan: Statements._scan,
    While: Statements._while,
    Call: Statements._call,
    Record: Statements._record,
    Open: Statements._open,
    Check: Statements._check,
    Print: Statements._print,
}


def _flat(groups: Sequence[Sequence[Var]]) -> tuple[Var, ...]:
    return tuple(var for group in groups for var in group)


def number(env: Env, operand: Operand) -> Operand:
    """A value that is no array."""
    value = env.get(operand, operand)
    assert not isinstance(value, Whole | Stack)
    return value


def _keep(draft: Draft, value: Value | None, readers: int) -> None:
    """Let nobody give away an array that is read more than once."""
    if readers > 1 and isinstance(value, Whole) and value.stored is not None:
        draft.owned.discard(value.stored)


def _given(
    draft: Draft, values: Sequence[Value], outs: Sequence[Var]
) -> tuple[Operand, ...]:
    """The parts of values that are given away in place of others."""
    pairs = zip(values, outs, strict=True)
    return tuple(o for value, out in pairs for o in given(draft, value, out.type))


def _recorded(
    draft: Draft, loop: Scan | While, values: Sequence[Value], carries: Sequence[Var]
) -> tuple[Operand, ...]:
    """The results of a trip: its carries and records. A loop that holds few of its
    states holds them as they stand.
    """
    count = len(carries)
    ends = _given(draft, values[:count], carries)
    if loop.snapshots is None or (isinstance(loop, Scan) and loop.entries):
        return (*ends, *_given(draft, values[count:], loop.stacks))
    states = zip(values[count:], carries, strict=False)
    return (*ends, *(o for value, c in states for o in held(draft, value, c.type)))


def _values(params: Sequence[Var], values: Sequence[Operand], env: Env) -> Env:
    """The values behind parameters that a block only reads."""
    return {p: env.get(v, v) for p, v in zip(params, values, strict=True)}
