"""A function that is kept: its body, flattened by itself, and calls of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.ir.arms.threaded import threaded
from ad_transform.ir.nodes import Block, Function, Parameter, one_or_tuple
from ad_transform.ir.types import FLOAT, Type
from ad_transform.ir.unlike import claimed
from ad_transform.later import later
from ad_transform.read.arrays.copies import with_copies
from ad_transform.read.finish import Finisher, shared_names
from ad_transform.read.kept.changing import Change, Unchangeable
from ad_transform.read.kept.given_shapes import Shape
from ad_transform.read.kept.passing import (
    Unfit,
    hand_down,
    own_dims,
    parameter,
    types,
)
from ad_transform.read.machine.drafts import DraftCall, free, prints, raises
from ad_transform.read.values.callables import Closure
from ad_transform.read.values.storage import Rows
from ad_transform.read.values.values import Draft, Number, Value

with later():
    from ad_transform.read.arrays import rebinding
    from ad_transform.read.kept import changing
    from ad_transform.read.kept.catching import standing_in
    from ad_transform.read.kept.given_back import as_copies
    from ad_transform.read.kept.returning import made_of, returned

if TYPE_CHECKING:
    from ad_transform.read.flattening.flatten import Flattener


@dataclass(slots=True, eq=False)
class Helper:
    """A function that is kept: the shape `gives` of its result, and its values from
    outside.

    While it is made both are assumed, and `is_assumed` says that a call has used them.
    """

    name: str
    takes: tuple[Type, ...]
    gives: Shape
    function: Function | None = None
    extra: tuple[Draft, ...] = ()
    raises: bool = False
    is_assumed: bool = False
    changes: tuple[Change, ...] = ()


def called(
    flat: Flattener,
    helper: Helper,
    given: list[Number],
    values: Sequence[Value],
    span: Span,
) -> Value:
    """The result of a call of a helper; the arrays that it changes are written to those
    of the caller.
    """
    dims = own_dims(helper.takes, given)
    given_types = (*types(helper.gives), *(one.type for one in helper.changes))
    outs = tuple(Draft(type_.renamed(dims), span) for type_ in given_types)
    for k, out in enumerate(outs, 1):
        base = helper.name.lstrip("_")
        out.hint = base if len(outs) == 1 else f"{base}_{k}"
    statement = DraftCall(outs, helper.name, (*given, *helper.extra), helper.raises)
    helper.is_assumed = True
    flat.count += 1
    flat.add(statement)
    last = outs[len(outs) - len(helper.changes) :]
    ends = changing.give_back(flat, values, helper.changes, last, span)
    return made_of(flat, helper.gives, values, ends, iter(outs), span)


Flattened = tuple[Shape, tuple[Draft, ...], bool, tuple[Change, ...]]


def flattened(
    flat: Flattener, helper: Helper, closure: Closure, shapes: Mapping[str, Shape]
) -> Flattened | None:
    """Make the function of a helper. Gives the shape of its result, its values from
    outside, whether it checks something, and the arrays it changes. None where it never
    returns, or returns nothing.
    """
    params: list[Draft] = []
    inner = flat.apart()
    own = {n: parameter(inner, n, shape, params) for n, shape in shapes.items()}
    inner.inputs.update(params)
    hand_down(flat, inner, own)
    changing.lend(inner, closure, own)
    formals = {one.name: own[one.name] for one in closure.code.formals}
    around = {name: value for name, value in own.items() if name not in formals}
    standing = standing_in(closure, around)
    result = inner.inlined(standing, {**formals}, closure.code.span)
    is_part = _is_row_of(inner, result, own.values())
    result = inner.heap.fields.deep(result, closure.code.span)
    if flat.fitted is not None:
        flat.fitted.end()
    leaves: list[Number] = []
    assert flat.keeper is not None
    if is_part:  # the caller would have another list, that may be written
        flat.keeper.unkept[closure.code] = "returns a list of those in a list", _A_COPY
        return None
    try:
        changes = changing.changed(inner, own)
        gives = returned(inner, result, own, changes, leaves)
    except Unchangeable as fault:
        way_out = "let it only read the array, and return numbers or a new array"
        flat.keeper.unkept[closure.code] = f"changes {fault.name!r}", way_out
        return None
    except Unfit:
        return None
    if changes and not helper.is_assumed:
        return None  # written out, it changes them where they are
    leaves += changes.values()
    statements = [*inner.prelude, *inner.statements]
    if prints(statements):
        flat.keeper.unkept[closure.code] = "prints", "print where it is called"
        return None
    if any(isinstance(s, DraftCall) and s.callee == helper.name for s in statements):
        return None
    known = set(params)
    outer = dict.fromkeys(d for d in free(statements, leaves) if d not in known)
    extra = tuple(outer)
    finisher = Finisher(shared_names(params, statements))
    taken: set[str] = set()
    parameters = tuple(
        Parameter(claimed(_word(draft), taken), (finisher.bind(draft),))
        for draft in (*params, *extra)
    )
    body = finisher.statements(statements)
    results = tuple(map(finisher.operand, leaves))
    values = tuple(v for p in parameters for v in p.vars)
    block, size = Block(values, body, results), len(results)
    nest = one_or_tuple(size)
    made = Function(helper.name, parameters, block, nest, size, inner.parting)
    lists = frozenset(v for v in values if v.type.dims)
    changed = {finisher.vars[start] for start in changing.starts(own, changes)}
    spared = as_copies(threaded(made), lists - changed)
    helper.function = with_copies(spared, lists)
    return gives, extra, raises(statements), tuple(changes)


_A_COPY = "return a copy: `list(rows[k])`"


def _is_row_of(inner: Flattener, result: Value, given: Iterable[Value]) -> bool:
    """Whether a list that stands in one of the given lists is in a result."""
    known = inner.rows_out.known
    rows = [one for one in rebinding.inside(given) if isinstance(one, Rows)]
    cells = {cell for one in rows for cell in one.cells}
    found = (known.get(id(one), (None, None)) for one in rebinding.inside([result]))
    return any(of is not None and not cells.isdisjoint(of.cells) for _, of in found)


def _word(draft: Draft) -> str:
    """The name of a parameter."""
    return (draft.hint or "x").replace(".", "_")


def wider(guess: Shape, found: Shape) -> Shape:
    """The shape that holds both, with floats where one of them has a float."""
    if isinstance(guess, Type) and isinstance(found, Type):
        return guess if guess == found else FLOAT
    both = isinstance(guess, tuple) and isinstance(found, tuple)
    if both and len(guess) == len(found):
        inner = zip(guess[1:], found[1:], strict=True)
        return (found[0], *(wider(a, b) for a, b in inner))
    return found
