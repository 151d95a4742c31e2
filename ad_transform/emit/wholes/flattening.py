"""Functions with whole arrays as functions with lists and loops over their elements.

An array becomes a list of its elements, row by row; its lengths are numbers beside it.
Told lengths of a function are parameters of their own, behind the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count

from ad_transform.dataclass import dataclass, replace
from ad_transform.emit.wholes import boundaries
from ad_transform.emit.wholes.arrays import Whole
from ad_transform.emit.wholes.boundaries import Stack, Value
from ad_transform.emit.wholes.captured import Made, TypeOf, closed
from ad_transform.emit.wholes.draft import LIST, Draft
from ad_transform.emit.wholes.lower import lower_bounds
from ad_transform.emit.wholes.operations import Env
from ad_transform.emit.wholes.rows import EVERY
from ad_transform.emit.wholes.statements import Statements
from ad_transform.emit.wholes.vectors import (
    VECTOR,
    has_vectors,
    taken_apart,
    with_vectors,
)
from ad_transform.emit.wholes.vectors import type_of as type_of_vector
from ad_transform.ir import dims
from ad_transform.ir.blocks.live import live
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Block, Function, Operand, Parameter, Var, walk
from ad_transform.ir.trampoline import bounce
from ad_transform.ir.types import INT, Kind, Type
from ad_transform.ir.typing import DECLARED, result_type

LENGTH = "length."
"""The beginning of the annotations of parameters that are lengths of arrays; behind it
stands the length's name in dims.
"""


def has_wholes(function: Function) -> bool:
    """Whether a function computes with whole arrays."""
    values = [*function.block.params, *(o for s in walk(function.body) for o in s.outs)]
    return any(value.type.shape for value in values)


def packs(function: Function) -> bool:
    """Whether parameters or results are vectors of arrays."""
    nests = (function.nest, *(p.nest for p in function.parameters))
    return any(map(has_vectors, nests))


def flat_inside(
    source: Function, statements: Statements, rows: Mapping[str, Elemental]
) -> Function:
    """A function of the file with lists whose lengths no type tells; `rows` are all
    operations by name.
    """
    return flat(source, statements, told_inside, rows, of_any_length)


def of_any_length(var: Var, made: Made) -> Type:
    """The type of a list by the operation that makes it; of any length if that is not
    told.
    """
    if made and var.type.dims and made[0].result != DECLARED:
        return result_type(*made)
    return replace(var.type, dims=(dims.ANY,) * len(var.type.dims))


def flat(
    source: Function,
    statements: Statements,
    told_by: Telling,
    rows: Mapping[str, Elemental] = EVERY,
    type_of: TypeOf | None = None,
) -> Function:
    """A function with lists, and behind its parameters the lengths that are told."""
    draft, env, params = Draft(rows), Env(), list[Var]()
    types: dict[Operand, Type] = {}
    told = [*told_by(source)]
    sizes = [Var(INT, length.word) for length in told]
    for length, var in zip(told, sizes, strict=True):
        draft.known.setdefault(("dim", length.dim), var)
        draft.forms.setdefault(var, length.dim)
    places = count()
    for parameter in source.parameters:
        if parameter.nest.is_packed:
            vector = Var(Type(Kind.FLOAT, LIST), parameter.name)
            params.append(vector)
            types[vector] = replace(type_of_vector(parameter.vars), dims=LIST)
            env.update(taken_apart(draft, vector, parameter))
            places = count(next(places) + len(parameter.vars))
            continue
        for param in parameter.vars:
            k = next(places)
            new = boundaries.like(draft, param, param.type)[0]
            params.append(new)
            pairs = zip(told, sizes, strict=True)
            own = {n.axis: var for n, var in pairs if n.place == k}
            more = [own[axis] for axis in boundaries.open_axes(draft, param.type)]
            env[param] = boundaries.joined(draft, param.type, [new, *more])
            if param.type.shape:
                types[new] = Type(param.type.kind, LIST, param.type.shape)
    lower = lower_bounds(source)
    draft.positive.update(v for v, least in lower.items() if least >= 0)
    draft.positive.update(sizes)
    results = bounce(statements.body(source.block, draft, env))
    is_inside = told_by is told_inside
    nest, results, wanted = with_vectors(draft, source.nest, results, source.results)
    given = tuple(_given(draft, results, wanted, types, is_inside))
    block = Block((*params, *sizes), tuple(draft.body), given)
    type_of = type_of or (lambda v, _: types.get(v, v.type))
    block = closed(block, type_of, statements.looks)
    block = replace(block, body=live(block.body, block.results))
    values = iter(block.params)
    parameters = [
        (
            replace(p, vars=(next(values),), nest=VECTOR)
            if p.nest.is_packed
            else replace(p, vars=tuple(next(values) for _ in p.vars))
        )
        for p in source.parameters
    ]
    parameters += (
        Parameter(length.word, (next(values),), annotation=LENGTH + length.dim)
        for length in told
    )
    made = replace(source, block=block, parameters=tuple(parameters))
    return replace(made, nest=nest)


def _given(
    draft: Draft,
    results: Sequence[Value],
    wanted: Sequence[Type],
    types: dict[Operand, Type],
    is_inside: bool,
) -> Iterator[Operand]:
    """The results, then the lengths of matrices: all of them for a function of the
    file, else those that no parameter tells.
    """
    more: list[Operand] = []
    for result, type_ in zip(results, wanted, strict=True):
        assert not isinstance(result, Stack)
        if not isinstance(result, Whole):
            yield result
            if type_.dims and all(map(draft.tells, type_.dims)):
                types.setdefault(result, replace(result.type, shape=type_.dims))
            continue
        array = boundaries.own_list(draft, result)
        yield array
        pairs = zip(result.lengths, type_.shape, strict=True)
        shape = tuple(dim if draft.tells(dim) else draft.form(n) for n, dim in pairs)
        types[array] = Type(result.kind, LIST, shape)
        if len(shape) > 1:
            sizes = zip(result.lengths, shape, strict=True)
            more += (draft.exact(n) for n, m in sizes if is_inside or m == dims.ANY)
    yield from more


@dataclass(frozen=True, slots=True)
class Length:
    """A length that is a parameter: its name in dims, its own name, the place of a
    value that tells it, and the axis of that.
    """

    dim: str
    word: str
    place: int
    axis: int


Telling = Callable[[Function], Iterator[Length]]


def told_inside(function: Function) -> Iterator[Length]:
    """All lengths of all arrays that a function of the file is given."""
    for k, (parameter, var) in enumerate(values_of(function)):
        for axis, dim in enumerate(var.type.shape):
            word = f"{var.hint or parameter.name}_n{axis}"
            is_name = isinstance(dim, str) and dims.names(dim) == (dim,)
            yield Length(str(dim) if is_name else f"{k}.{axis}", word, k, axis)


def values_of(function: Function) -> Iterator[tuple[Parameter, Var]]:
    return ((p, var) for p in function.parameters for var in p.vars)
