"""Functions with whole arrays as functions of lists, for files without numpy.

The option `container="tuple"` (contract, rule 10): parameters come in as any sequences,
and arrays go out as tuples of tuples. Inside, an array is a list of its elements, row
by row, as in compiled languages; parameters stay lists of lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ad_transform.dataclass import replace
from ad_transform.derive.trips.trips import with_steps
from ad_transform.diagnostics import Diagnostic, Refusal
from ad_transform.elementals import TABLE
from ad_transform.elementals.arrays import COPY
from ad_transform.emit.wholes.arrays import Indices, Whole, of_list, stored
from ad_transform.emit.wholes.boundaries import Stack, Value
from ad_transform.emit.wholes.captured import Made, closed
from ad_transform.emit.wholes.draft import Draft
from ad_transform.emit.wholes.flattening import (
    LENGTH,
    flat_inside,
    has_wholes,
    of_any_length,
)
from ad_transform.emit.wholes.listed import lengths_of
from ad_transform.emit.wholes.lower import lower_bounds
from ad_transform.emit.wholes.operations import Env, Operations
from ad_transform.emit.wholes.rows import EVERY
from ad_transform.emit.wholes.statements import Statements
from ad_transform.emit.wholes.trips import all_held, without_steps
from ad_transform.ir import dims
from ad_transform.ir.blocks.live import live
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Function,
    Operand,
    Var,
    group,
    walk,
)
from ad_transform.ir.trampoline import bounce
from ad_transform.ir.types import Type
from ad_transform.ir.unlike import claimed

if TYPE_CHECKING:
    from ad_transform.derive.kinds.kinds import Derived

LANGUAGE = "tuples and lists"
_WAY_OUT = 'leave `container="tuple"` out'

ROWS = EVERY | {
    "array": TABLE["full"],
    "read": TABLE["get"],
    "store": TABLE["set"],
    "gain": TABLE["add_at"],
    "sum_in": EVERY["summed"],
}
"""Operations by name: on lists those that other programs have, too."""


def listed(derived: Derived) -> Derived:
    """The functions of a derivative with lists for whole arrays. Linear.

    Raises Refusal (AD033) for operations that are not written without numpy.
    """
    functions = derived.bundle.functions
    if not any(map(has_wholes, functions)):
        return derived
    public = (derived.function.name, derived.setup.partition("(")[0])
    wrong: dict[str, Diagnostic] = {}
    found: list[Function] = []
    for function in without_steps(functions):
        made = Statements(Operations(LANGUAGE, wrong))
        change = _listed if function.name in public else _inside
        own = function if function.outside else change(function, made)
        found += with_steps(own).functions
    assert all_held(found)
    found_wrong = [*wrong.values(), *_of_numpy(found)]
    if found_wrong:
        raise Refusal(*found_wrong)
    *before, main = found
    return replace(derived, function=main, before=tuple(before))


def _of_numpy(functions: Sequence[Function]) -> Iterator[Diagnostic]:
    """Refusals of operations that only numpy computes."""
    told: set[str] = set()
    for function in functions:
        for statement in walk(function.body):
            if not isinstance(statement, Apply):
                continue
            spelled = statement.op.spelling("python")
            if "np." in spelled and spelled not in told:
                told.add(spelled)
                message = f"`{spelled}` is not written in {LANGUAGE} yet"
                yield Diagnostic("AD033", message, statement.out.span, _WAY_OUT)


def _inside(function: Function, statements: Statements) -> Function:
    """A function of the file, with the lengths of its arrays behind its parameters and
    its results.
    """
    made = flat_inside(function, statements, ROWS)
    names: set[str] = set()
    parameters = (
        replace(
            p,
            name=claimed(p.name, names),
            annotation="int" if p.annotation.startswith(LENGTH) else "",
        )
        for p in made.parameters
    )
    count = len(made.results)
    nest = group((LEAF,) * count) if count > 1 else made.nest
    return replace(made, parameters=tuple(parameters), nest=nest)


def _listed(source: Function, statements: Statements) -> Function:
    """A function with lists of lists for its parameters and results."""
    draft, env, params = Draft(ROWS), Env(), list[Var]()
    waiting: list[tuple[Var, Var]] = []
    for param in source.block.params:
        new = param
        if param.type.shape:
            type_ = Type(param.type.kind, param.type.shape)
            new = Var(type_, param.hint, param.span, param.named)
            waiting.append((param, new))
        params.append(new)
        env[param] = new
    for _, new in waiting:
        for axis, dim in enumerate(new.type.dims):
            if _is_name(dim) and ("dim", dim) not in draft.known:
                size = lengths_of(draft, new)[axis]
                draft.known["dim", dim] = size
                draft.forms[size] = dim
    for param, new in waiting:
        env[param] = _of_parameter(draft, new)
    lower = lower_bounds(source)
    draft.positive.update(v for v, least in lower.items() if least >= 0)
    results = bounce(statements.body(source.block, draft, env))
    given = _given_once(draft, (_given(draft, result) for result in results))
    block = Block(tuple(params), tuple(draft.body), given)
    own = {param: param.type for param in params}

    def type_of(var: Var, made: Made) -> Type:
        return own.get(var) or of_any_length(var, made)

    block = closed(block, type_of, statements.looks)
    block = replace(block, body=live(block.body, block.results))
    values = iter(block.params)
    parameters = (
        replace(p, vars=tuple(next(values) for _ in p.vars)) for p in source.parameters
    )
    return replace(source, block=block, parameters=tuple(parameters))


def _is_name(dim: dims.Dim) -> bool:
    return isinstance(dim, str) and dim != dims.ANY and dims.names(dim) == (dim,)


def _of_parameter(draft: Draft, array: Var) -> Whole:
    """The array whose elements a list of lists holds."""
    shape, sizes = array.type.dims, lengths_of(draft, array)
    if len(shape) == 1:
        return of_list(array, shape, sizes)

    def at(inside: Draft, indices: Indices) -> Operand:
        return inside.apply("get", array, *indices)

    return Whole(array.type.kind, shape, sizes, at, is_free=True)


def _given_once(draft: Draft, results: Iterable[Operand]) -> tuple[Operand, ...]:
    """The results, each list one of its own."""
    found: list[Operand] = []
    for result in results:
        rank = len(result.type.dims)
        again = rank and result in found
        found.append(draft.apply(COPY[rank], result) if again else result)
    return tuple(found)


def _given(draft: Draft, result: Value) -> Operand:
    """A result, an array as a list of lists."""
    assert not isinstance(result, Stack)
    if not isinstance(result, Whole):
        return result
    flat = stored(draft, result).stored
    assert flat is not None
    if len(result.shape) == 1:
        return flat
    out = Var(Type(result.kind, (dims.ANY,) * len(result.shape)))
    row = ROWS["in_rows" if len(result.shape) == 2 else "in_layers"]
    sizes = (draft.exact(n) for n in result.lengths)
    draft.body.append(Apply(out, row, (flat, *sizes)))
    return out
