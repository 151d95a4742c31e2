"""Functions that are not looked into, in Fortran: external procedures of other files.

For calls inside, the module has a procedure of its own, which puts numbers into arrays
and takes them out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ad_transform.dataclass import replace
from ad_transform.emit.compiled.externals import called, with_arrays
from ad_transform.emit.compiled.interface import Input, Interface, Output
from ad_transform.emit.compiled.layout import broken
from ad_transform.emit.compiled.lists import list_name
from ad_transform.emit.fortran.composer import inner_name
from ad_transform.emit.fortran.dialect import INDENT, plain
from ad_transform.emit.fortran.function import Order, in_line, interface
from ad_transform.emit.fortran.lists import NUMBERS, type_name
from ad_transform.ir.dims import ANY, terms
from ad_transform.ir.nodes import Function, Outside, Var
from ad_transform.ir.types import Type


def written_outside(function: Function, outside: Outside, limit: int) -> str:
    """The procedure that calls one of another file."""
    name = plain(outside.name)
    own_arrays, words = with_arrays(replace(function, name=outside.name))
    given = interface(own_arrays, Order(words))
    by_lists = called(function, given)
    inside = interface(by_lists.function, Order(is_inside=True))
    inner_names = {one.vars[0]: one.name for one in inside.inputs}
    lengths = {dim: inner_names[var] for dim, var in by_lists.lengths.items()}
    own = inner_name(function.name)
    lines = [f"! {outside.name}, which stands in another file, by its numbers."]
    lines += _head(own, inside, ["failed"], limit)
    lines += _declared(inside, INDENT, None)
    lines.append("  logical, intent(inout) :: failed")
    lines.append("  interface")
    lines += (f"    {line}" for line in _head(name, given, [], limit - 2 * INDENT))
    lines.append("      import :: dp, ip")
    lines += _declared(given, 3 * INDENT, given.lengths)
    lines.append(f"    end {_kind(given)} {name}")
    lines.append("  end interface")
    lines += _locals(given)
    lines += _body(name, given, inside, lengths, limit)
    lines.append(f"end {_kind(inside)} {own}")
    return "".join(f"  {line}\n" for line in lines)


def _kind(face: Interface) -> str:
    return "function" if face.value is not None and not face.outputs else "subroutine"


def _every(face: Interface) -> Sequence[Input | Output]:
    value = (face.value,) if face.value is not None else ()
    return (*face.inputs, *value, *face.outputs)


def _head(name: str, face: Interface, more: Sequence[str], limit: int) -> list[str]:
    single = _kind(face) == "function"
    items = [one.name for one in face.inputs] + [*more]
    items += [] if single else [out.name for out in _every(face)[len(face.inputs) :]]
    end = f" result({face.value.name})" if single and face.value else ""
    start = f"{_kind(face)} {name}({', '.join(items)}){end}"
    return broken(start, 0, limit, " &")


def _declared(
    face: Interface, indent: int, lengths: Mapping[str, str] | None
) -> Iterator[str]:
    """The declarations, lengths first; without `lengths` arrays are lists."""
    single = _kind(face) == "function"
    every = sorted(_every(face), key=lambda one: not _is_length(one))
    for one in every:
        how = "in" if isinstance(one, Input) else "out"
        intent = "" if single and one is face.value else f", intent({how})"
        dims = one.dims if lengths is None else ()
        kind = type_name(Type(one.kind, dims)) if dims else NUMBERS[one.kind]
        yield f"{' ' * indent}{kind}{intent} :: {one.name}{_shape(one, lengths)}"


def _is_length(one: Input | Output) -> bool:
    return isinstance(one, Input) and one.is_length


def _shape(one: Input | Output, lengths: Mapping[str, str] | None) -> str:
    """The shape of an array of numbers, as it is declared."""
    if one.dims and lengths is not None:
        return f"({', '.join(_sizes(one, lengths))})"
    return f"({', '.join(map(str, one.shape))})" if one.shape else ""


def _sizes(one: Input | Output, lengths: Mapping[str, str]) -> list[str]:
    return [terms(dim, lengths) for dim in one.dims]


def _locals(given: Interface) -> Iterator[str]:
    """The arrays that are handed over, and the places of results."""
    for one in _every(given)[len(given.inputs) :]:
        if one.dims:
            colons = ", ".join(":" * len(one.dims))
            yield f"  {NUMBERS[one.kind]}, allocatable :: {one.name}({colons})"
        else:
            yield f"  {NUMBERS[one.kind]} :: {one.name}{_shape(one, None)}"


def _body(
    name: str,
    given: Interface,
    inside: Interface,
    lengths: Mapping[str, str],
    limit: int,
) -> Iterator[str]:
    """The call; `lengths` are the names of lengths of arrays inside."""
    named = [one.name for one in inside.inputs]
    inner = dict(zip(_values(given), named, strict=False))
    by_name = {name: dim for dim, name in given.lengths.items()}
    handed: list[str] = []
    for one in given.inputs:
        if one.is_length:
            handed.append(lengths[by_name[one.name]])
            continue
        numbers = [inner[var] for var in one.vars]
        if one.dims:
            array = f"{numbers[0]}%at(0:{numbers[0]}%size - 1)"
            handed.append(_in_rows(array, _sizes(one, lengths)))
            continue
        text = f"[{', '.join(numbers)}]" if one.is_array else numbers[0]
        handed.append(_in_rows(text, [*map(str, one.shape)]))
    places = _every(given)[len(given.inputs) :]
    for out in places:
        if out.dims:
            shape = f"({', '.join(_sizes(out, lengths))})"
            yield f"  allocate ({out.name}{shape})"
    if _kind(given) == "function":
        start = f"{places[0].name} = {name}({', '.join(handed)})"
    else:
        start = f"call {name}({', '.join([*handed, *(p.name for p in places)])})"
    yield from broken(start, INDENT, limit, " &")
    outs = iter(_every(inside)[len(inside.inputs) :])
    for out in places:
        if out.dims:
            yield from _as_list(next(outs).name, out)
        else:
            yield from (f"  {next(outs).name} = {number}" for number in _elements(out))
    for out in places:
        if len(out.dims) > 1:
            yield from (f"  {next(outs).name} = {n}" for n in _sizes(out, lengths))


def _values(given: Interface) -> list[Var]:
    """All values that a function is given, in order; lists stand in their places."""
    return [var for one in given.inputs for var in one.vars]


def _as_list(name: str, array: Input | Output) -> Iterator[str]:
    """The elements of an array, row by row, as a list."""
    kind = list_name(Type(array.kind, (ANY,)))
    yield f"  {name} = ad_new_{kind}(size({array.name}, kind=ip))"
    text = array.name
    if len(array.dims) > 1:
        text = in_line(text, len(array.dims))
    yield f"  {name}%at(0:{name}%size - 1) = {text}"


def _in_rows(text: str, shape: Sequence[str]) -> str:
    """An array of numbers that stand row by row."""
    if len(shape) < 2:
        return text
    axes = ", ".join(str(axis) for axis in range(len(shape), 0, -1))
    sizes = ", ".join(shape)
    return f"reshape({text}, [{sizes}], order=[{axes}])"


def _elements(one: Input | Output) -> Iterator[str]:
    """The numbers of an array, row by row, or a number."""
    places = [""]
    for size in one.shape:
        places = [f"{p}, {k}" if p else str(k) for p in places for k in _counted(size)]
    yield from (f"{one.name}({place})" if place else one.name for place in places)


def _counted(size: int) -> range:
    return range(1, size + 1)
