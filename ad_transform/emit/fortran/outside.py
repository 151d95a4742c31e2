"""Functions that are not looked into, in Fortran: external procedures of other files.

What the module calls is a procedure of its own, which puts numbers into arrays and
takes them out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ad_transform.emit.compiled.interface import Input, Interface, Output
from ad_transform.emit.compiled.layout import broken
from ad_transform.emit.fortran.composer import inner_name
from ad_transform.emit.fortran.dialect import INDENT, plain
from ad_transform.emit.fortran.function import Order, interface
from ad_transform.emit.fortran.lists import NUMBERS
from ad_transform.ir.nodes import Function, Outside


def written_outside(function: Function, outside: Outside, limit: int) -> str:
    """The procedure that calls one of another file."""
    name = plain(outside.name)
    given = interface(replace(function, name=outside.name), Order())
    inside = interface(function, Order(is_inside=True))
    own = inner_name(function.name)
    lines = [f"! {outside.name}, which stands in another file, by its numbers."]
    lines += _head(own, inside, ["failed"], limit)
    lines += _declared(inside, INDENT)
    lines.append("  logical, intent(inout) :: failed")
    lines.append("  interface")
    lines += (f"    {line}" for line in _head(name, given, [], limit - 2 * INDENT))
    lines.append("      import :: dp, ip")
    lines += _declared(given, 3 * INDENT)
    lines.append(f"    end {_kind(given)} {name}")
    lines.append("  end interface")
    lines += _locals(given)
    lines += _body(name, given, inside, limit)
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


def _declared(face: Interface, indent: int) -> Iterator[str]:
    single = _kind(face) == "function"
    for one in _every(face):
        how = "in" if isinstance(one, Input) else "out"
        intent = "" if single and one is face.value else f", intent({how})"
        yield f"{' ' * indent}{NUMBERS[one.kind]}{intent} :: {one.name}{_shape(one)}"


def _shape(one: Input | Output) -> str:
    return f"({', '.join(map(str, one.shape))})" if one.shape else ""


def _locals(given: Interface) -> Iterator[str]:
    """The arrays that are handed over, and the places of results."""
    for one in _every(given)[len(given.inputs) :]:
        yield f"  {NUMBERS[one.kind]} :: {one.name}{_shape(one)}"


def _body(name: str, given: Interface, inside: Interface, limit: int) -> Iterator[str]:
    values = {one.vars[0]: one.name for one in inside.inputs}
    handed: list[str] = []
    for one in given.inputs:
        numbers = [values[var] for var in one.vars]
        text = f"[{', '.join(numbers)}]" if one.is_array else numbers[0]
        handed.append(_in_rows(text, one.shape))
    places = _every(given)[len(given.inputs) :]
    if _kind(given) == "function":
        start = f"{places[0].name} = {name}({', '.join(handed)})"
    else:
        start = f"call {name}({', '.join([*handed, *(one.name for one in places)])})"
    yield from broken(start, INDENT, limit, " &")
    outs = _every(inside)[len(inside.inputs) :]
    numbers = [number for one in places for number in _elements(one)]
    for out, number in zip(outs, numbers, strict=True):
        yield f"  {out.name} = {number}"


def _in_rows(text: str, shape: Sequence[int]) -> str:
    """An array of numbers that stand row by row."""
    if len(shape) < 2:
        return text
    axes = ", ".join(str(axis) for axis in range(len(shape), 0, -1))
    sizes = ", ".join(map(str, shape))
    return f"reshape({text}, [{sizes}], order=[{axes}])"


def _elements(one: Input | Output) -> Iterator[str]:
    """The numbers of an array, row by row, or a number."""
    places = [""]
    for size in one.shape:
        places = [f"{p}, {k}" if p else str(k) for p in places for k in _counted(size)]
    yield from (f"{one.name}({place})" if place else one.name for place in places)


def _counted(size: int) -> range:
    return range(1, size + 1)
