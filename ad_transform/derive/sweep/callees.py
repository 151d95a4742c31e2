"""Both sweeps through a call: it becomes one of a function derived from the function.

Forwards that gives the values with their tangents. Backwards it gives the adjoints of
the arguments; to that of an array it adds in place, so that a function that calls
itself for one element costs that element. The values that it needs it computes once
more, or takes from a record that the function gives on the way forth.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ad_transform.dataclass import replace
from ad_transform.derive.sweep.hook import unknown
from ad_transform.derive.sweep.reverse import ZERO, Operands, Reverse
from ad_transform.derive.sweep.shapes import fitted
from ad_transform.elementals import TABLE
from ad_transform.elementals.copies import copy_of
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Call, Operand, Statement, Var
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.trampoline import Task
from ad_transform.ir.types import FLOAT, RECORD, Type
from ad_transform.later import later

with later():
    from ad_transform.derive.sweep.context import Adjoints, Callees
    from ad_transform.derive.sweep.forward import Forward


def real_outs(call: Call) -> tuple[Var, ...]:
    """The values of a call that are real."""
    return tuple(out for out in call.outs if out.type.is_real)


def borne(
    types: Sequence[Type], places: Iterable[int], changes: Iterable[int]
) -> tuple[int, ...]:
    """The places of the active arrays that a function only reads: it is handed their
    adjoints so far, and adds to them.
    """
    gone = set(changes)
    return tuple(k for k in places if types[k].dims and k not in gone)


def bar_of(type_: Type) -> Type:
    """The type of an adjoint or a tangent."""
    return Type(FLOAT.kind, type_.dims, type_.shape)


# --- backwards ------------------------------------------------------------------------


def back_through_call(parent: Reverse, call: Call) -> Task[None]:
    """Enter the adjoints of a call's arguments."""
    yield from ()  # a task like its siblings, though it holds no blocks
    if any(out in parent.needed for out in call.outs):
        parent.needed.update(call.inputs)
    parent.keep_checks(call)
    rows = real_outs(call)
    if not any(parent.terms.get(row) for row in rows):
        return
    seeds = [parent.adjoint(row) for row in rows]
    varied = tuple(k for k, a in enumerate(call.args) if a in parent.varied)
    callees = _adjoints(parent)
    places = callees.closed(call, varied)
    types = [arg.type for arg in call.args]
    sums = [_begun(parent, call, k) for k in borne(types, places, call.changes)]
    given = [parent.saved(a) if a.type.dims else a for a in call.args]
    twin, changed = _way_back(parent, call, places, given)
    handed = [*seeds, *sums]
    lists = [k for k, one in enumerate(handed, len(given)) if one[0].type.dims]
    changes = (*changed, *lists)
    found: list[Operands] = []
    totals = unknown(parent.asked.hook, parent.asked.directions)
    for d in range(parent.asked.directions):
        own: list[Statement] = []
        args = (*_spared(given, changed, own), *(one[d] for one in handed))
        names = [
            parent.context.called(call.args[k], d, callees.parameter(call, k))
            for k in places
        ]
        outs = tuple(
            Var(bar_of(types[k]), name) for k, name in zip(places, names, strict=True)
        )
        back = Call((*outs, *totals[d]), twin, args, changes=changes)
        parent.append([*own, back])
        found.append(outs)
    if parent.asked.hook is not None:
        parent.gathering.others.append(totals)
    for k, term in zip(places, zip(*found, strict=True), strict=True):
        if k in varied:
            parent.add(call.args[k], term)


def _way_back(
    parent: Reverse, call: Call, places: tuple[int, ...], given: list[Operand]
) -> tuple[str, tuple[int, ...]]:
    """The function that gives the adjoints, and the places of the arguments that it
    changes. If it takes a record, that comes from the call forth and is `given` last.
    """
    callees = _adjoints(parent)
    pair = None
    is_needed = any(out in parent.needed for out in call.outs)
    if is_needed or callees.is_recursive(call):
        pair = callees.recorded(call, places)
    if pair is None:  # under a hook it copies what the function changes
        changes = call.changes if parent.asked.hook is None else ()
        return callees.adjoint(call, places), changes
    forth, back = pair
    record = Var(RECORD, f"{call.callee.lstrip('_')}_record")
    parent.replaced[call] = replace(call, outs=(*call.outs, record), callee=forth)
    parent.mask[record] = parent.masked(call.outs)
    given.append(record)
    return back, ()


def _begun(parent: Reverse, call: Call, k: int) -> Operands:
    """The adjoint of an array so far; zeros where the array is passed once more."""
    array = call.args[k]
    if array not in call.args[:k]:
        return parent.take(array)
    return tuple(parent.filled(array, ZERO, d) for d in range(parent.asked.directions))


# --- forwards -------------------------------------------------------------------------


def forth_through_call(parent: Forward, call: Call) -> Task[None]:
    """Enter the call, and the tangents of its values."""
    yield from ()
    rows = real_outs(call)
    places = tuple(k for k, a in enumerate(call.args) if a in parent.tangents)
    if not places or not rows:
        parent.added.append(call)
        return
    callees = _callees(parent.context.callees)
    places = callees.closed(call, places)
    twin = callees.tangent(call, places)
    moved = (k for k, p in enumerate(places, len(call.args)) if p in call.changes)
    changes = (*call.changes, *moved)
    found: list[Operands] = []
    for d in range(parent.directions):
        dots = [_dot(parent, call.args[k], d) for k in places]
        is_last = d == parent.directions - 1
        args = call.args
        if not is_last:
            args = _spared(args, call.changes, parent.added)
        outs = call.outs if not d else tuple(Var(o.type, o.hint) for o in call.outs)
        more = tuple(
            Var(bar_of(row.type), parent.context.called(row, d)) for row in rows
        )
        how = (call.inert, call.raises and not d, changes)
        parent.added.append(Call((*outs, *more), twin, (*args, *dots), *how))
        found.append(more)
    for row, tangent in zip(rows, zip(*found, strict=True), strict=True):
        parent.enter(row, tangent)


def _dot(parent: Forward, value: Operand, direction: int) -> Operand:
    builder = Builder(TABLE, LAWS)
    made = fitted(builder, parent.whole(value, direction), value)
    parent.added += builder.body
    return made


# --- both -----------------------------------------------------------------------------


def _adjoints(parent: Reverse) -> Adjoints:
    """The functions for the way back: those of the hook, if there is one."""
    hook = parent.asked.hook
    return _callees(parent.context.callees) if hook is None else hook.callees


def _callees(callees: Callees | None) -> Callees:
    if callees is None:
        raise ValueError("cannot differentiate a call: its function is not known")
    return callees


def _spared(
    args: Sequence[Operand], changes: Sequence[int], body: list[Statement]
) -> tuple[Operand, ...]:
    """Arguments, with copies of the arrays that the function changes."""
    found = list(args)
    for k in changes:
        copy = copy_of(found[k])
        body.append(copy)
        found[k] = copy.out
    return tuple(found)
