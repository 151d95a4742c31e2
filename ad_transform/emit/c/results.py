"""The end of a function in C: results are stored, memory is given back."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import replace
from ad_transform.emit.c.signature import kind_of, nothing
from ad_transform.emit.c.text import FAIL, Writer
from ad_transform.emit.compiled.composer import INDENT
from ad_transform.emit.compiled.expressions import fails
from ad_transform.emit.compiled.interface import Interface, Output, product
from ad_transform.emit.compiled.lists import list_name
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.ir.dims import ANY, terms


def store(
    writer: Writer, face: Interface, results: Sequence[Piece], is_static: bool
) -> str:
    """Append statements that store the results; the text of the returned one."""
    texts = [writer.text(piece) for piece in results]
    for one in face.outputs:
        first = texts[one.places.start]
        if one.dims and not is_static:
            made = results[one.places.start].var
            assert made is not None
            kind = list_name(made.type)
            if one.is_open:
                told = [texts[place] for place in one.told] or [f"{first}.size"]
                _hand(writer, one, face, f"{kind}(&memory, {first}", told)
                continue
            writer.add(f"ad_give_{kind}({first}, {one.name});", INDENT)
        elif one.is_array:
            for k, place in enumerate(one.places):
                writer.add(f"{one.name}[{k}] = {texts[place]};", INDENT)
                writer.checked(results[place], INDENT)
        else:
            writer.add(f"*{one.name} = {first};", INDENT)
            writer.checked(results[one.places.start], INDENT)
    return "" if face.value is None else texts[face.value.places.start]


def _hand(
    writer: Writer, one: Output, face: Interface, given: str, told: Sequence[str]
) -> None:
    """Append statements that hand over a list of a length that only the run knows."""
    for name, text in zip(one.lengths, told, strict=True):
        writer.add(f"*{name} = {text};", INDENT)
    size = product(sizes(one, face))
    writer.add(f"*{one.name} = ad_hand_{given}, {size});", INDENT)
    writer.check(INDENT)


def sizes(one: Output, face: Interface) -> list[str]:
    """The lengths of an array that is stored."""
    names = iter(one.lengths)
    return [
        f"*{next(names)}" if dim == ANY else terms(dim, face.lengths)
        for dim in one.dims
    ]


def emptied(face: Interface) -> list[str]:
    """Statements in front of a function: no result is handed over yet."""
    return [f"*{one.name} = NULL;" for one in face.outputs if one.is_open]


def leave(
    writer: Writer,
    face: Interface,
    value: str,
    last: Piece | None,
    release: str,
    is_static: bool,
) -> None:
    """Append the return, and the end after a failure: results that are NaN."""
    out = face.value
    if out is not None and last is not None:
        stays = last.is_atom or not release
        if fails(last) or not stays:
            name = writer.counter("result")
            writer.add(f"const {kind_of(out)} {name} = {value};", INDENT)
            writer.checked(last, INDENT)
            value = name
    if release:
        writer.add(release, INDENT)
    may_fail = FAIL in "\n".join(writer.out)
    if value:
        writer.add(f"return {value};", INDENT)
    elif may_fail:
        writer.add("return;", INDENT)
    if may_fail:
        _failed(writer, face, release, is_static)


def _failed(writer: Writer, face: Interface, release: str, is_static: bool) -> None:
    """Append the statements for a failure of the function."""
    writer.out.append("failed:")
    if release:
        writer.add(release, INDENT)
    for one in face.outputs:
        _spoil(writer, one, face, is_static)
    if face.value is not None:
        writer.add(f"return {nothing(face.value)};", INDENT)


def _spoil(writer: Writer, one: Output, face: Interface, is_static: bool) -> None:
    if is_static or not (one.is_array or one.dims):
        writer.add(f"*{one.name} = {nothing(one)};", INDENT)
        return
    if one.is_open:
        gone = [f"free(*{one.name});", f"*{one.name} = NULL;"]
        for line in (*gone, *(f"*{name} = 0;" for name in one.lengths)):
            writer.add(line, INDENT)
        return
    size = product(sizes(one, face)) if one.dims else str(len(one.places))
    empty = nothing(replace(one, dims=()))
    k = writer.counter("k")
    writer.add(f"for (int64_t {k} = 0; {k} < {size}; {k}++) {{", INDENT)
    writer.add(f"{one.name}[{k}] = {empty};", 2 * INDENT)
    writer.add("}", INDENT)
