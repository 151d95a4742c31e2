"""Functions that are called, without the parameters that they do not read.

A function that only hands a parameter to itself does not read it. Arrays that a call
changes stay, and those that tell the lengths of results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.live import live
from ad_transform.ir.dims import names
from ad_transform.ir.nodes import (
    Block,
    Bundle,
    Call,
    Function,
    Operand,
    Scan,
    Statement,
    While,
    walk,
)

Places = Mapping[str, set[int]]
"""The places of the parameters that are read, by function."""


def without_unread(bundle: Bundle) -> Bundle:
    """The bundle without the parameters that functions called by `main` do not read,
    and without arguments for them.
    """
    own = {f.name: f for f in bundle.before if f.outside is None}
    read = {name: _fixed(function, bundle) for name, function in own.items()}
    fresh = True
    while fresh:
        found = {name: _read(function, read) for name, function in own.items()}
        fresh = any(found[name] - read[name] for name in read)
        for name, places in found.items():
            read[name] |= places
    if all(len(read[name]) == len(f.parameters) for name, f in own.items()):
        return bundle
    before = (_lean(f, read, read.get(f.name)) for f in bundle.before)
    return _called_for(bundle, Bundle(_lean(bundle.main, read, None), tuple(before)))


def _called_for(old: Bundle, made: Bundle) -> Bundle:
    """The bundle without functions that nothing but unread arguments called."""
    gone = _callees(old) - _callees(made)
    if not gone:
        return made
    before = tuple(f for f in made.before if f.name not in gone)
    return _called_for(made, Bundle(made.main, before))


def _callees(bundle: Bundle) -> set[str]:
    every = (s for f in bundle.functions for s in walk(f.body))
    return {s.callee for s in every if isinstance(s, Call)}


def _fixed(function: Function, bundle: Bundle) -> set[int]:
    """The places of parameters that stay whether they are read or not."""
    found: set[int] = set()
    for statement in (s for f in bundle.functions for s in walk(f.body)):
        if isinstance(statement, Call) and statement.callee == function.name:
            found.update(statement.changes)
        held = statement.snapshots if isinstance(statement, Scan | While) else None
        if held is not None and held.step == function.name:
            found.update(range(len(function.parameters)))
    return found


def _telling(function: Function, read: set[int]) -> set[int]:
    """The places of further arrays, if only they have the lengths of a result."""
    wanted = {n for r in function.results for d in _dims(r) for n in names(d)}
    found: set[int] = set()
    params = list(enumerate(function.block.params))
    for k, param in sorted(params, key=lambda pair: pair[0] not in read):
        told = {n for d in _dims(param) for n in names(d)}
        if not told.isdisjoint(wanted):
            wanted -= told
            found.add(k)
    return found


def _dims(value: Operand) -> tuple[int | str, ...]:
    return (*value.type.dims, *value.type.shape)


def _read(function: Function, read: Places) -> set[int]:
    """The places of the parameters that a function reads, as far as it is known."""
    used: set[Operand] = set(function.results)
    for statement in walk(function.body):
        if isinstance(statement, Call) and statement.callee in read:
            places = read[statement.callee] | {*statement.changes}
            used.update(statement.args[k] for k in places)
        else:
            used.update(statement.inputs)
    found = {k for k, p in enumerate(function.block.params) if p in used}
    return found | _telling(function, found | read[function.name])


def _lean(function: Function, read: Places, own: set[int] | None) -> Function:
    """A function with the parameters at some places, and with shorter calls."""
    if function.outside is not None:
        return function
    block = _block(function.block, lambda call: _called(call, read))
    body = live(block.body, block.results)
    parameters = tuple(
        p for k, p in enumerate(function.parameters) if own is None or k in own
    )
    params = tuple(v for p in parameters for v in p.vars)
    made = Block(params, body, block.results)
    return replace(function, parameters=parameters, block=made)


def _block(block: Block, called: Callable[[Call], Statement]) -> Block:
    body = (
        called(s) if isinstance(s, Call) else s.map_blocks(lambda b: _block(b, called))
        for s in block.body
    )
    return replace(block, body=tuple(body))


def _called(call: Call, read: Places) -> Call:
    places = sorted(read.get(call.callee, range(len(call.args))))
    args = tuple(call.args[k] for k in places)
    changes = tuple(places.index(k) for k in call.changes)
    return replace(call, args=args, changes=changes)
