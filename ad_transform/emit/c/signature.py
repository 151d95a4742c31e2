"""The head of a function in C: its parameters, and pointers for its results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from math import prod

from ad_transform.dataclass import dataclass, replace
from ad_transform.emit.c.dialect import apart, inner_name
from ad_transform.emit.c.lists import NUMBERS, type_name
from ad_transform.emit.compiled.composer import INDENT
from ad_transform.emit.compiled.interface import Input, Interface, Output, interface_of
from ad_transform.ir.dims import Dims
from ad_transform.ir.nodes import Function, Parameter, Passing, Var
from ad_transform.ir.types import Kind, Type


@dataclass(frozen=True, slots=True)
class Order:
    """Instructions for writing a function.

    words         the names of the parts of its result
    independents  the independents of its derivative
    comment       the comment above it
    is_static     whether only the file calls it, and gives it the memory of the call
    """

    words: tuple[str, ...] = ()
    independents: tuple[str, ...] = ()
    comment: tuple[str, ...] = ()
    is_static: bool = False


def interface(function: Function, order: Order, taken: set[str]) -> Interface:
    """The interface; inside a file each value of a function has a place of its own."""
    if not order.is_static:
        return interface_of(function, order.words, order.independents, taken)
    values = [v for p in function.parameters for v in p.vars]
    inputs = tuple(
        Input(f"unread_{k}", v.type.kind, (v,), dims=v.type.dims)
        for k, v in enumerate(values, 1)
    )
    outs = tuple(
        Output(f"out_{k + 1}", r.type.kind, range(k, k + 1), dims=r.type.dims)
        for k, r in enumerate(function.results)
    )
    single = len(outs) == 1
    return Interface(inputs, outs[0] if single else None, outs[single:], {})


def named_inside(face: Interface, names: Mapping[Var, str]) -> Interface:
    """The interface inside a file, its inputs under the names that they are read by."""
    inputs = (
        replace(one, name=names.get(one.vars[0], one.name)) for one in face.inputs
    )
    return replace(face, inputs=tuple(inputs))


def head(function: Function, face: Interface, order: Order, limit: int) -> list[str]:
    """`double f(double x, ...)`, broken between parameters where it is too long."""
    kind = "void" if face.value is None else kind_of(face.value)
    name = function.name
    if order.is_static:
        kind, name = f"static {kind}", inner_name(name)
        items = ["ad_memory *memory"]
        items += [f"{_of_value(one)}{one.name}" for one in face.inputs]
        items += [f"{kind_of(one)} *{one.name}" for one in face.outputs]
    else:
        items = [_given(one) for one in face.inputs]
        items += [item for one in face.outputs for item in _stored(one)]
    start = f"{kind} {name}("
    line = f"{start}{', '.join(items) or 'void'})"
    if len(line) + 2 <= limit:
        return [line]
    inner = [f"{' ' * INDENT}{item}," for item in items]
    return [start, *inner[:-1], inner[-1][:-1], ")"]


def _of_value(one: Input) -> str:
    kind = type_name(Type(one.kind, one.dims))
    return kind if kind.endswith("*") else f"{kind} "


def _given(one: Input) -> str:
    """A parameter as it is declared."""
    if one.dims:
        return f"const {NUMBERS[one.kind]} {_array(one.name, one.dims)}"
    if one.is_array:
        return f"const {NUMBERS[one.kind]} {one.name}[{len(one.vars)}]"
    return f"{_of_value(one)}{one.name}"


def _stored(one: Output) -> Iterator[str]:
    """The place of a result as it is declared, and those of its lengths."""
    if one.is_array:
        yield f"{NUMBERS[one.kind]} {one.name}[{len(one.places)}]"
        return
    name = f"*{one.name}" if one.is_open else one.name
    yield f"{NUMBERS[one.kind]} {_array(name, one.dims)}"
    yield from (f"{NUMBERS[Kind.INT]} *{length}" for length in one.lengths)


def _array(name: str, dims: Dims) -> str:
    """The name of an array as it is declared: with its size, where that is known."""
    known = [dim for dim in dims if isinstance(dim, int)]
    count = prod(known) if dims and len(known) == len(dims) else 0
    return f"{name}[{count}]" if count else f"*{name}"  # C has no arrays of size 0


def kind_of(one: Output) -> str:
    """The type of a result."""
    return type_name(Type(one.kind, one.dims))


def nothing(one: Output) -> str:
    """The value of a result that is not known."""
    if one.dims:
        return f"({kind_of(one)}){{0}}"
    return {Kind.FLOAT: "NAN", Kind.INT: "0", Kind.BOOL: "false"}[one.kind]


def renamed(function: Function, taken: Set[str]) -> Function:
    """The function, its parameters under names that C has free."""
    used = {p.name for p in function.parameters}
    made: list[Parameter] = []
    for parameter in function.parameters:
        name = parameter.name
        if parameter.passing is not Passing.MODULE:
            name = apart(name)
            while name in taken or (name != parameter.name and name in used):
                name += "_"
        made.append(replace(parameter, name=name))
    return replace(function, parameters=tuple(made))


def named(face: Interface) -> list[str]:
    """All names of a head."""
    stored = (name for one in face.outputs for name in (one.name, *one.lengths))
    return [*(one.name for one in face.inputs), *stored]
