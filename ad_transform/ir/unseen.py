"""Elements that a loop stores and nobody reads are not stored.

The way back of `w[i] = ...` reads `w_bar[i]` and stores 0.0 there. Where each trip has
an element of its own, and nothing behind the loop reads `w_bar`, it is only read. That
of `w[i] = f(w[i - 1])` goes from the last element to the first: later trips add to
others, and what stands behind the loop reads `w_bar[0]`, where nothing was stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ad_transform.ir.carried import has_own_places, times_read, without_carries
from ad_transform.ir.cones import ZEROS
from ad_transform.ir.inner import each_block, with_body
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    walk,
)


def without_unseen(function: Function) -> Function:
    """The function without such stores. Linear, times the arrays of a loop."""
    if not any(isinstance(s, Scan) and _carries_lists(s) for s in walk(function.body)):
        return function
    return each_block(function, _without)


def _without(block: Block) -> Block:
    if not any(isinstance(s, Scan) and _carries_lists(s) for s in block.body):
        return block
    read = times_read(block)
    firsts = _first_places_read(block)
    body: list[Statement] = []
    for statement in block.body:
        made = statement
        if isinstance(made, Scan) and _carries_lists(made):
            if has_own_places(made):
                pairs = enumerate(zip(made.outs, made.carries, strict=False))
                unread = [k for k, (out, c) in pairs if c.type.dims and not read[out]]
                made = _reading(made, unread) if unread else made
            made = _moving_on(made, firsts)
        body.append(made)
    return with_body(block, body)


def _carries_lists(loop: Scan) -> bool:
    """Whether a loop may change lists."""
    return any(carry.type.dims for carry in loop.carries)


def _first_places_read(block: Block) -> Mapping[Operand, int]:
    """How many elements at the beginning of a list are all that is read of it."""
    found = dict.fromkeys(block.results, _ALL)
    for statement in block.body:
        end = _ALL
        match statement:
            case Apply(op=op, args=(_, Literal(value=int() as place))):
                if op.name == "get" and place >= 0:
                    end = place + 1
        for operand in statement.inputs:
            found[operand] = max(found.get(operand, 0), end)
    return found


_ALL = 1 << 60  # more elements than a list has


def _moving_on(loop: Scan, firsts: Mapping[Operand, int]) -> Scan:
    """A loop without the zeros that it stores in elements to which no later trip goes
    back; `firsts` says how many elements of what is read behind it are read at most.
    """
    low = _lowest(loop)
    if low is None or loop.snapshots is not None:
        return loop
    env: dict[Operand, Operand] = {}
    for k, carry in enumerate(loop.carries):
        if len(carry.type.dims) != 1:
            continue
        store, offset = _last_visit(loop, k, low)
        if store is not None and firsts.get(loop.outs[k], 0) <= low + offset:
            env[store.out] = store.args[0]
    if not env:
        return loop
    block = loop.body
    body: list[Statement] = []
    for statement in block.body:
        made = statement.over(env)
        if isinstance(made, Apply) and made.out in env:
            env[made.out] = made.args[0]
        else:
            body.append(made)
    results = tuple(env.get(result, result) for result in block.results)
    made = replace(loop, body=replace(block, body=tuple(body), results=results))
    params = block.params[1:]
    gone = [
        k
        for k, out in enumerate(loop.outs[: len(loop.carries)])
        if results[k] is params[k] and out not in firsts
    ]
    return _with_reads(made, gone) if gone else made


def _lowest(loop: Scan) -> int | None:
    """The lowest index of the trips of a loop over neighbouring numbers, if known."""
    if loop.step == Literal(1) and isinstance(loop.start, Literal):
        return int(loop.start.value)
    if loop.step == Literal(-1) and isinstance(loop.stop, Literal):
        return int(loop.stop.value) + 1
    return None


def _last_visit(loop: Scan, k: int, low: int) -> tuple[Apply | None, int]:
    """The store of 0 into a list at a place that moves on with the index, and the place
    from there: no later trip goes to it. None if another may.
    """
    block = loop.body
    index = block.params[0]
    offsets: dict[Operand, int] = {index: 0}
    versions: set[Operand] = {block.params[1 + k]}
    store: tuple[Apply, int] | None = None
    seen: list[int] = []
    for statement in block.body:
        if isinstance(statement, Apply) and statement.op.name in ("add", "sub"):
            first, second = statement.args
            if first in offsets and isinstance(second, Literal):
                sign = 1 if statement.op.name == "add" else -1
                offsets[statement.out] = offsets[first] + sign * int(second.value)
        if versions.isdisjoint(statement.inputs):
            continue
        if not isinstance(statement, Apply) or statement.op.name not in _ONE_PLACE:
            return None, 0
        array, *others = statement.args
        place = offsets.get(others[-1]) if others else None
        if place is None or array not in versions or not versions.isdisjoint(others):
            return None, 0
        seen.append(place)
        if store is not None and place == store[1]:
            return None, 0
        if statement.op.name == "set" and others[0] in ZEROS:
            if store is not None:
                return None, 0
            store = statement, place
        if statement.out.type.dims:
            versions.add(statement.out)
    down = loop.backwards == (loop.step == Literal(1))
    if store is None or block.results[k] not in versions or low + min(seen) < 0:
        return None, 0
    is_last = store[1] == (max(seen) if down else min(seen))
    return store if is_last else (None, 0)


_ONE_PLACE = frozenset({"get", "set", "add_at", "sub_at"})


def _reading(loop: Scan, unread: Sequence[int]) -> Scan:
    """A loop that only reads carries, out of those that nobody reads behind it, if its
    trips store elements of their own there.
    """
    block = loop.body
    index, *params = block.params
    carries: dict[Operand, int] = {params[k]: k for k in unread}
    read = times_read(block)
    seen: Counter[Operand] = Counter()  # elements of a trip's own
    stores: dict[int, Var] = {}
    for statement in block.body:
        if not isinstance(statement, Apply) or not statement.args:
            continue
        array, *rest = statement.args
        k = carries.get(array)
        if k is None:
            continue
        if statement.op.name == "get" and rest == [index]:
            seen[array] += 1
        elif statement.op.name == "set" and rest[1:] == [index]:
            seen[array] += 1
            if read[statement.out] == 1 and block.results[k] is statement.out:
                stores[k] = statement.out
    gone = [k for k in stores if read[params[k]] == seen[params[k]]]
    if not gone:
        return loop
    dropped = {stores[k] for k in gone}
    body = tuple(s for s in block.body if dropped.isdisjoint(s.outs))
    return _with_reads(replace(loop, body=replace(block, body=body)), gone)


def _with_reads(loop: Scan, gone: Sequence[int]) -> Scan:
    """A loop that reads some of its carries, which its trips do not change."""
    params = loop.body.params[1:]
    made = without_carries(loop, gone)
    end = 1 + len(made.carries) + len(made.reads)
    own = made.body.params
    params = (*own[:end], *(params[k] for k in gone), *own[end:])
    return replace(
        made,
        reads=(*made.reads, *(loop.carries[k] for k in gone)),
        body=replace(made.body, params=params),
    )
