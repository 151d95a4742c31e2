"""Functions that are not looked into, in C: declared, and called by their numbers.

Whoever links the file gives them. What the file calls is a function of its own, which
puts numbers into arrays and takes them out.
"""

from __future__ import annotations

from collections.abc import Iterator

from ad_transform.emit.c.dialect import LIBRARY, WORDS
from ad_transform.emit.c.function import Written
from ad_transform.emit.c.lists import NUMBERS
from ad_transform.emit.c.signature import (
    Order,
    head,
    interface,
    named,
    named_inside,
    renamed,
)
from ad_transform.emit.compiled.composer import INDENT
from ad_transform.emit.compiled.interface import Interface
from ad_transform.emit.compiled.layout import broken
from ad_transform.ir.nodes import Function, Outside

_MARGIN = " " * INDENT
_TAKEN = WORDS | LIBRARY


def written_outside(function: Function, outside: Outside, limit: int) -> Written:
    """The declaration of a function, and what calls it."""
    own = renamed(function, _TAKEN)
    given = interface(own, Order(), {*_TAKEN, outside.name})
    value = given.value
    called = Function(outside.name, own.parameters, own.block, own.nest)
    declared = head(called, given, Order(), limit)
    declared = [f"extern {declared[0]}", *declared[1:]]
    taken = {*named(given)}
    names = {
        var: _unlike(f"{one.name}_{k}" if one.is_array else one.name, one.name, taken)
        for one in given.inputs
        for k, var in enumerate(one.vars, 1)
    }
    order = Order(is_static=True)
    inside = named_inside(interface(own, order, set()), names)
    heads = head(own, inside, order, limit)
    comment = f"// {outside.name}, which stands in another file."
    handed = [one.name for one in given.inputs]
    handed += [out.name if out.is_array else f"&{out.name}" for out in given.outputs]
    call = f"{outside.name}({', '.join(handed)})"
    lines = [
        comment,
        *declared[:-1],
        f"{declared[-1]};",
        "",
        f"// {outside.name} by its numbers.",
        *heads[:-1],
        f"{heads[-1]} {{",
        f"{_MARGIN}(void)memory;",
    ]
    for one in given.inputs:
        if one.is_array:
            numbers = ", ".join(names[var] for var in one.vars)
            array = f"const {NUMBERS[one.kind]} {one.name}[{len(one.vars)}]"
            lines += broken(f"{array} = {{{numbers}}};", INDENT, limit)
    for out in given.outputs:
        count = f"[{len(out.places)}]" if out.is_array else ""
        lines.append(f"{_MARGIN}{NUMBERS[out.kind]} {out.name}{count};")
    if value is not None and not given.outputs:
        lines += broken(f"return {call};", INDENT, limit)
    else:
        first = f"*{inside.outputs[0].name} = " if value is not None else ""
        lines += broken(f"{first}{call};", INDENT, limit)
        lines += _stored(given, inside)
    text = "".join(f"{line}\n" for line in [*lines, "}"])
    return Written("\n".join(heads), text, {})


def _unlike(wish: str, own: str, taken: set[str]) -> str:
    name = wish
    while name in taken and name != own:
        name += "_"
    taken.add(name)
    return name


def _stored(given: Interface, inside: Interface) -> Iterator[str]:
    """What hands the results on; where there is one alone it is returned."""
    numbers = [
        f"{out.name}[{k}]" if out.is_array else out.name
        for out in given.outputs
        for k in range(len(out.places) if out.is_array else 1)
    ]
    if inside.value is not None:
        yield f"{_MARGIN}return {numbers[0]};"
        return
    outs = inside.outputs[len(inside.outputs) - len(numbers) :]
    for out, number in zip(outs, numbers, strict=True):
        yield f"{_MARGIN}*{out.name} = {number};"
