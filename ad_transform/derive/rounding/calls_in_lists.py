"""Functions that take and give lists in the place of whole arrays.

Errors go element by element through whole arrays, as lists (see `wholes`). A function
that is called takes the list of the elements of an array, and gives such lists, so that
what its caller has as a list is handed on as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ad_transform.dataclass import replace
from ad_transform.elementals import TABLE
from ad_transform.elementals.whole import OF_LIST, TO_LIST
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Call,
    Function,
    Operand,
    Statement,
    Var,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import Type


def is_whole(type_: Type) -> bool:
    """Whether values of a type are whole arrays whose elements carry errors."""
    return type_.is_real and bool(type_.shape) and not type_.dims


def has_list(type_: Type) -> bool:
    """Whether a function can take and give values of a type: there are lists of them,
    or they are no arrays of numpy.
    """
    return not type_.shape or (not type_.dims and len(type_.shape) in TO_LIST)


def calling_with_lists(function: Function) -> Function:
    """The function whose calls hand over lists, and get lists. Linear."""
    if Call not in function.block.all_kinds:
        return function
    return replace(function, block=bounce(_block(function.block)))


def with_lists(function: Function) -> Function:
    """The function that takes and gives lists, and calls with lists. Linear."""
    function = calling_with_lists(function)
    block = function.block
    lists = {p: _list(p) for p in block.params if is_whole(p.type)}
    ends = {r: _list(r) for r in block.results if is_whole(r.type)}
    if not (lists or ends):
        return function
    body = (
        *(Apply(v, _maker(OF_LIST, v), (own,)) for v, own in lists.items()),
        *block.body,
        *(Apply(own, _maker(TO_LIST, v), (v,)) for v, own in ends.items()),
    )
    params = tuple(lists.get(p, p) for p in block.params)
    results = tuple(ends.get(r, r) for r in block.results)
    parameters = tuple(
        replace(p, vars=tuple(lists.get(v, v) for v in p.vars))
        for p in function.parameters
    )
    made = Block(params, body, results)
    return replace(function, parameters=parameters, block=made)


def _block(block: Block) -> Task[Block]:
    body: list[Statement] = []
    for statement in block.body:
        if isinstance(statement, Call):
            body += _called(statement)
            continue
        inner: list[Block] = []
        for own in statement.blocks:
            inner.append((yield _block(own)))
        body.append(statement.rebuilt(statement.outs, statement.inputs, tuple(inner)))
    return replace(block, body=tuple(body))


def _called(call: Call) -> Iterator[Statement]:
    """The call with lists, between the arrays."""
    given = {a: _list(a) for a in call.args if is_whole(a.type)}
    found = {out: _list(out) for out in call.outs if is_whole(out.type)}
    for array, own in given.items():
        yield Apply(own, _maker(TO_LIST, array), (array,))
    outs = tuple(found.get(out, out) for out in call.outs)
    args = tuple(given.get(a, a) for a in call.args)
    yield call.rebuilt(outs, args, ())
    for out, own in found.items():
        yield Apply(out, _maker(OF_LIST, out), (own,))


def _list(array: Operand) -> Var:
    """A list of the elements of a whole array."""
    assert isinstance(array, Var)
    return Var(Type(array.type.kind, array.type.shape), array.hint, array.span)


def _maker(makers: Mapping[int, str], array: Operand) -> Elemental:
    """The operation that makes a list of an array, or an array of a list."""
    return TABLE[makers[len(array.type.shape)]]
