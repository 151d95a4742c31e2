"""Functions that are not looked into, in C: declared, and called by their numbers.

They are linked with the file. For calls inside, the file has a function of its own,
which puts numbers into arrays and takes them out.
"""

from __future__ import annotations

from collections.abc import Iterator

from ad_transform.emit.c.dialect import LIBRARY, WORDS
from ad_transform.emit.c.function import Written
from ad_transform.emit.c.lists import NUMBERS, type_name
from ad_transform.emit.c.results import sizes
from ad_transform.emit.c.signature import (
    Order,
    head,
    interface,
    named,
    named_inside,
    nothing,
    renamed,
)
from ad_transform.emit.compiled.composer import INDENT
from ad_transform.emit.compiled.externals import called, with_arrays
from ad_transform.emit.compiled.interface import Interface, Output, product
from ad_transform.emit.compiled.layout import broken
from ad_transform.emit.compiled.lists import list_name
from ad_transform.ir.dims import ANY
from ad_transform.ir.nodes import Function, Outside
from ad_transform.ir.types import Type

_MARGIN = " " * INDENT
_TAKEN = WORDS | LIBRARY


def written_outside(function: Function, outside: Outside, limit: int) -> Written:
    """The declaration of a function, and the function that calls it."""
    own, words = with_arrays(renamed(function, _TAKEN))
    given = interface(own, Order(words), {*_TAKEN, outside.name})
    by_lists = called(own, given)
    value = given.value
    public = Function(outside.name, own.parameters, own.block, own.nest)
    declared = head(public, given, Order(words), limit)
    declared = [f"extern {declared[0]}", *declared[1:]]
    taken = {*named(given)}
    names = {
        var: _unlike(f"{one.name}_{k}" if one.is_array else one.name, one.name, taken)
        for one in given.inputs
        for k, var in enumerate(one.vars, 1)
    }
    # lists have the variables of another function, in the same order
    places = zip(own.block.params, by_lists.function.block.params, strict=False)
    names = {mine: names[var] for var, mine in places} | {
        var: given.lengths[dim] for dim, var in by_lists.lengths.items()
    }
    order = Order(is_static=True)
    inside = named_inside(interface(by_lists.function, order, set()), names)
    heads = head(own, inside, order, limit)
    comment = f"// {outside.name}, which stands in another file."
    handed = [f"{one.name}.at" if one.dims else one.name for one in given.inputs]
    handed += map(_place, given.outputs)
    call = f"{outside.name}({', '.join(handed)})"
    lines = [
        comment,
        *declared[:-1],
        f"{declared[-1]};",
        "",
        f"// {outside.name} by its numbers.",
        *heads[:-1],
        f"{heads[-1]} {{",
    ]
    made = [out for out in given.outputs if out.dims]
    lines += [] if made else [f"{_MARGIN}(void)memory;"]
    unread = [one.name for one in inside.inputs if one.vars[0] not in names]
    lines += (f"{_MARGIN}(void){name};" for name in unread)
    for one in given.inputs:
        if one.is_array:
            numbers = ", ".join(names[var] for var in one.vars)
            array = f"const {NUMBERS[one.kind]} {one.name}[{len(one.vars)}]"
            lines += broken(f"{array} = {{{numbers}}};", INDENT, limit)
    for out in given.outputs:
        if not out.dims:
            count = f"[{len(out.places)}]" if out.is_array else ""
            lines.append(f"{_MARGIN}{NUMBERS[out.kind]} {out.name}{count};")
    for out in made:
        new = f"{type_name(_listed(out))} {out.name} = ad_new_{list_name(_listed(out))}"
        lines += broken(f"{new}(memory, {product(sizes(out, given))});", INDENT, limit)
    lines += _where_it_fails(inside) if made else ()
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
    """Statements that hand the results on; a single one is returned."""
    numbers = [
        f"{out.name}[{k}]" if out.is_array else out.name
        for out in given.outputs
        for k in range(len(out.places) if out.is_array else 1)
    ]
    for out in given.outputs:
        numbers += sizes(out, given) if len(out.dims) > 1 else ()
    if inside.value is not None:
        yield f"{_MARGIN}return {numbers[0]};"
        return
    outs = inside.outputs[len(inside.outputs) - len(numbers) :]
    for out, number in zip(outs, numbers, strict=True):
        yield f"{_MARGIN}*{out.name} = {number};"


def _place(out: Output) -> str:
    """The argument for the place of a result."""
    if out.dims:
        return f"{out.name}.at"
    return out.name if out.is_array else f"&{out.name}"


def _listed(out: Output) -> Type:
    return Type(out.kind, (ANY,))


def _where_it_fails(inside: Interface) -> Iterator[str]:
    """Statements that leave the function where there is no memory for its results."""
    yield f"{_MARGIN}if (memory->failed) {{"
    deep = 2 * _MARGIN
    for out in inside.outputs:
        yield f"{deep}*{out.name} = {nothing(out)};"
    value = inside.value
    yield f"{deep}return;" if value is None else f"{deep}return {nothing(value)};"
    yield f"{_MARGIN}}}"
