"""Functions with whole arrays as functions with lists and loops over their elements.

An array becomes a list of its elements, row by row; its lengths are numbers beside it.
Every length that the parameters tell becomes a parameter of its own, behind the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ad_transform.diagnostics import Diagnostic
from ad_transform.emit.compiled.interface import LENGTH
from ad_transform.emit.compiled.lower import lower_bounds
from ad_transform.emit.compiled.wholes import boundaries
from ad_transform.emit.compiled.wholes.arrays import Whole
from ad_transform.emit.compiled.wholes.boundaries import Signature, Stack, Value
from ad_transform.emit.compiled.wholes.captured import closed
from ad_transform.emit.compiled.wholes.draft import LIST, Draft
from ad_transform.emit.compiled.wholes.statements import Env, Statements
from ad_transform.ir import dims
from ad_transform.ir.live import live
from ad_transform.ir.nodes import Block, Function, Operand, Parameter, Var, walk
from ad_transform.ir.trampoline import bounce
from ad_transform.ir.types import INT, Type

if TYPE_CHECKING:
    from ad_transform.derive.kinds import Derived


def has_wholes(function: Function) -> bool:
    """Whether a function computes with whole arrays."""
    values = [*function.block.params, *(o for s in walk(function.body) for o in s.outs)]
    return any(value.type.shape for value in values)


def flattened(derived: Derived, language: str) -> tuple[Derived, list[Diagnostic]]:
    """The functions of a derivative with lists for whole arrays, and the operations
    that have no rule (AD033).
    """
    functions = derived.bundle.functions
    if not any(map(has_wholes, functions)):
        return derived, []
    known: dict[str, Signature] = {}
    wrong: dict[str, Diagnostic] = {}
    *before, main = (
        f if f.outside else flat(f, Statements(known, language, wrong))
        for f in functions
    )
    return replace(derived, function=main, before=tuple(before)), [*wrong.values()]


def flat(source: Function, statements: Statements) -> Function:
    """One function with lists."""
    draft, env, params = Draft(), Env(), list[Var]()
    types: dict[Operand, Type] = {}
    told = dict(_told(source))
    sizes = {name: Var(INT, _word(name)) for name in told}
    for name, var in sizes.items():
        draft.known["dim", name] = var
        draft.forms[var] = name
    for k, param in enumerate(source.block.params):
        new = boundaries.like(draft, param, param.type)[0]
        params.append(new)
        open_ = [sizes[name] for name, place in told.items() if place[0] == k]
        env[param] = boundaries.joined(draft, param.type, [new, *open_])
        if param.type.shape:
            types[new] = Type(param.type.kind, LIST, param.type.shape)
    lower = lower_bounds(source)
    draft.positive.update(v for v, least in lower.items() if least >= 0)
    results = bounce(statements.body(source.block, draft, env))
    given, signature = _given(draft, results, told, types)
    statements.signatures[source.name] = signature
    block = Block((*params, *sizes.values()), tuple(draft.body), given)
    block = closed(block, types, statements.looks)
    block = replace(block, body=live(block.body, block.results))
    own = iter(block.params)
    parameters = [
        replace(p, vars=tuple(next(own) for _ in p.vars)) for p in source.parameters
    ]
    parameters += (
        Parameter(_word(name), (next(own),), annotation=LENGTH + name) for name in told
    )
    return replace(source, block=block, parameters=tuple(parameters))


def _word(name: str) -> str:
    """The name of a length as one of a parameter."""
    return name.replace(".", "_n")


def _given(
    draft: Draft,
    results: Sequence[Value],
    told: Mapping[str, tuple[int, int]],
    types: dict[Operand, Type],
) -> tuple[tuple[Operand, ...], Signature]:
    """The results, then the lengths of matrices that no parameter tells."""
    found: list[Operand] = []
    more: list[Operand] = []
    shapes: dict[int, dims.Dims] = {}
    for k, result in enumerate(results):
        assert not isinstance(result, Stack)
        if not isinstance(result, Whole):
            found.append(result)
            continue
        array = boundaries.own_list(draft, result)
        found.append(array)
        shapes[k] = shape = tuple(map(draft.form, result.lengths))
        types[array] = Type(result.kind, LIST, shape)
        if len(shape) > 1:
            pairs = zip(shape, result.lengths, strict=True)
            more += (draft.exact(n) for dim, n in pairs if dim == dims.ANY)
    return (*found, *more), Signature(told, shapes)


def _told(function: Function) -> Iterator[tuple[str, tuple[int, int]]]:
    """The lengths that parameters tell, by the names that dims have for them: the place
    of the value that tells one, and its axis.
    """
    seen: set[str] = set()
    k = -1
    for parameter in function.parameters:
        for var in parameter.vars:
            k += 1
            for axis, dim in enumerate(var.type.shape or var.type.dims):
                own = (f"{parameter.name}.{axis}",)
                for name in own if dim == dims.ANY else dims.names(dim):
                    if name not in seen:
                        seen.add(name)
                        yield name, (k, axis)
