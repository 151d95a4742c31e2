"""Errors that no operation on numbers makes, as operations of their own.

The error of a sum over an array can be computed beside it. The elements of an array
that is given may be off, each by itself. Both become operations on numbers that hand
their operand on: the sweep sees them like any other. `plain` takes them out again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from ad_transform.dataclass import replace
from ad_transform.derive.rounding.inputs import InputError, Rounded, Within
from ad_transform.derive.rounding.wholes import element_by_element
from ad_transform.diagnostics import Diagnostic, Refusal
from ad_transform.elementals import TABLE
from ad_transform.elementals.arrays import COPY
from ad_transform.elementals.calls import ERRED, GIVEN, OFF, ROUNDED, SOLVED, WITHIN
from ad_transform.elementals.whole import OF_LIST, TO_LIST
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.blocks.dissolve import without
from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import EXACT, Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Check,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Substitution,
    Var,
)
from ad_transform.ir.simplify import LAWS_TO_THE_BIT
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import BOOL, FLOAT, INT, Type

CALLED = frozenset({GIVEN, ERRED})
"""Operations that stand for the value of a call."""

SOURCES = frozenset({OFF, WITHIN, ROUNDED, SOLVED}) | CALLED
"""Operations that stand for an error: they give their operand."""


# --- sums over arrays ---------------------------------------------------------------


def numbered(function: Function) -> Function:
    """The function in which only operations on numbers err, even in whole arrays and in
    extremes of arrays.

    Raises Refusal AD031 where an operation on arrays errs that is not known here.
    """
    return with_sums(element_by_element(function))


def with_sums(function: Function) -> Function:
    """The function in which only operations on numbers err, even in extremes of arrays.

    Raises Refusal AD031 where an operation on arrays errs that is no sum.
    """
    block = without(function.block, lambda op: op.stands)
    return replace(function, block=bounce(_with_sums(block)))


def _with_sums(block: Block) -> Task[Block]:
    body: list[Statement] = []
    for statement in block.body:
        if isinstance(statement, Apply):
            body += _summed(statement)
            continue
        inner: list[Block] = []
        for own in statement.blocks:
            inner.append((yield _with_sums(own)))
        body.append(statement.rebuilt(statement.outs, statement.inputs, tuple(inner)))
    return replace(block, body=tuple(body))


def _summed(statement: Apply) -> Iterator[Statement]:
    """The operation; a sum with its error beside it."""
    op, out = statement.op, statement.out
    given = op.layout is None or op.ulps == EXACT or not out.type.is_real
    if given or op.name in _OF_EQUATIONS:
        yield statement
        return
    if op.name in _STEPS:
        yield from _extreme(statement, TABLE[_STEPS[op.name]])
        return
    if op.name in _AT:
        array, value, *index = statement.args
        before, after = Var(FLOAT), Var(FLOAT, out.hint, out.span)
        yield Apply(before, TABLE["get"], (array, *index))
        yield Apply(after, TABLE[_AT[op.name]], (before, value))
        yield Apply(out, TABLE["set"], (array, after, *index))
        return
    if op.name not in _SUMS:
        text = "the rounding errors of this operation on arrays are not estimated yet"
        help_ = "write the elements out in a loop"
        raise Refusal(Diagnostic("AD031", text, out.span, help_))
    total, gap, size = Var(FLOAT), Var(FLOAT), Var(FLOAT)
    yield Apply(total, op, statement.args)
    yield Apply(gap, TABLE["sum_gap"], (*statement.args, total))
    yield Apply(size, TABLE["largest_in"], statement.args)
    yield Apply(out, OFF, (total, gap, size))


# --- arrays that are given ----------------------------------------------------------


def with_elements(function: Function, errors: Mapping[Var, InputError]) -> Function:
    """The function over copies of the arrays in `errors`, whose elements are off, and
    of those that it changes: a run can be repeated with the same arguments.
    """
    body: list[Statement] = []
    env: Substitution = {}
    changed = Consumption().by_all(function.body)
    for array in function.block.params:
        if array in errors and array.type.shape:
            body += _whole(array, errors[array], env)
        elif array in errors:
            body += _filled(array, errors[array], env)
        elif array in changed:
            env[array] = copy = Var(array.type, array.hint)
            body.append(Apply(copy, TABLE[COPIES[len(array.type.dims)]], (array,)))
    if not body:
        return function
    block = function.block
    rest = (statement.over(env) for statement in block.body)
    results = tuple(env.get(r, r) for r in block.results)
    return replace(function, block=Block(block.params, (*body, *rest), results))


COPIES = COPY
"""The operations that copy arrays, by their dims."""


def _whole(array: Var, own: InputError, env: Substitution) -> Iterator[Statement]:
    """A whole array made of the elements of another, each off by itself."""
    rank = len(array.type.shape)
    elements = Var(Type(array.type.kind, array.type.shape), array.hint)
    yield Apply(elements, TABLE[TO_LIST[rank]], (array,))
    yield from _filled(elements, own, env)
    made = Var(array.type, array.hint)
    yield Apply(made, TABLE[OF_LIST[rank]], (env[elements],))
    env[array] = made


def _filled(array: Var, own: InputError, env: Substitution) -> Iterator[Statement]:
    """A loop that fills a copy of an array, element by element."""
    rank = len(array.type.dims)
    copy = Var(array.type, array.hint)
    yield Apply(copy, TABLE[COPIES[rank]], (array,))
    counts = []
    for k in range(rank):
        counts.append(Var(INT))
        yield Apply(counts[-1], TABLE["size"], (array, *(Literal(0),) * k))
    loop = _over_elements(array, copy, counts, (), own)
    yield loop
    env[array] = loop.outs[0]


def _over_elements(
    array: Var, copy: Var, counts: list[Var], around: tuple[Var, ...], own: InputError
) -> Scan:
    """The loops over an axis and later ones; `around` has the earlier indices."""
    index, inner = Var(INT, "i"), Var(array.type, array.hint)
    own_array = Var(array.type)
    rest = [Var(INT) for _ in counts[1:]]
    outer = tuple(Var(INT) for _ in around)
    place = (*outer, index)
    if rest:
        loop = _over_elements(own_array, inner, rest, place, own)
        body: tuple[Statement, ...] = (loop,)
        end = loop.outs[0]
    else:
        builder = Builder(TABLE, LAWS_TO_THE_BIT)
        element = builder.apply("get", own_array, *place)
        off = _off(builder, element, own, array.hint)
        end = Var(array.type, array.hint)
        body = (*builder.body, Apply(end, TABLE["set"], (inner, off, *place)))
    params = (index, inner, own_array, *rest, *outer)
    return Scan(
        (Var(array.type, array.hint),),
        *(Literal(0), counts[0], Literal(1)),
        (copy,),
        (array, *counts[1:], *around),
        (),
        Block(params, body, (end,)),
    )


def _off(builder: Builder, value: Operand, own: InputError, name: str) -> Operand:
    match own:
        case Rounded():
            return builder.keep(ROUNDED, (value,), name)
        case Within(absolute, 0.0):
            return builder.keep(WITHIN, (value, Literal(absolute * ABOVE)), name)
    assert isinstance(own, Within)
    size = builder.apply("abs", value)
    most = builder.apply("times", Literal(own.relative * ABOVE), size)
    return builder.keep(WITHIN, (value, most), name)


_SUMS = frozenset({"sum_of", "fsum_of", "sum_in"})

_OF_EQUATIONS = frozenset({"solution"})
"""Operations that solve equations: the unknowns are off by the residual."""

_STEPS = {"max_in": "max", "min_in": "min"}

_AT = {"add_at": "add", "sub_at": "sub"}


def _extreme(statement: Apply, step: Elemental) -> Iterator[Statement]:
    """The largest or smallest element of an array, found one after the other."""
    (array,), out = statement.args, statement.out
    first, size, k, best, item, found = Var(FLOAT), Var(INT), Var(INT), *_numbers(3)
    inner = Var(array.type)
    test, said = Var(BOOL), (f"{step.name}() of a list without items",)
    yield Apply(size, TABLE["size"], (array,))
    yield Apply(test, TABLE["gt"], (size, Literal(0)))
    yield Check(test, said, error="ValueError")
    yield Apply(first, TABLE["get"], (array, Literal(0)))
    own = (Apply(item, TABLE["get"], (inner, k)), Apply(found, step, (best, item)))
    body = Block((k, best, inner), own, (found,))
    one = Literal(1)
    yield Scan((out,), one, size, one, (first,), (array,), (), body)


def _numbers(count: int) -> Iterator[Var]:
    return (Var(FLOAT) for _ in range(count))


ABOVE = 1.0 + 2.0**-50
"""A factor that makes up for the roundings of a tolerance."""


# --- out again ----------------------------------------------------------------------


def plain(block: Block, sources: Set[Elemental] = SOURCES) -> Block:
    """The block with plain values in the place of `sources` of errors."""
    return without(block, sources.__contains__)
