"""A whole procedure in Fortran: its head, declarations, statements, results."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ad_transform.dataclass import dataclass, replace
from ad_transform.emit.compiled.expressions import Text
from ad_transform.emit.compiled.interface import Input, Interface, Output, interface_of
from ad_transform.emit.compiled.layout import broken
from ad_transform.emit.compiled.lists import list_name
from ad_transform.emit.compiled.liveness import changed_by, needed
from ad_transform.emit.compiled.returned import fitting
from ad_transform.emit.fortran.composer import FortranComposer, inner_name, of_kind
from ad_transform.emit.fortran.dialect import INDENT, PREFIX, WORDS, plain
from ad_transform.emit.fortran.lists import type_name
from ad_transform.emit.fortran.text import FAIL, Writer
from ad_transform.emit.schedule.anchors import Parts
from ad_transform.emit.schedule.function import Scheduled, ready, scheduled
from ad_transform.emit.schedule.lines import walk
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.emit.schedule.scope import Scope
from ad_transform.emit.wholes.lower import lower_bounds
from ad_transform.ir.dims import ANY, terms
from ad_transform.ir.nodes import Function, Var
from ad_transform.ir.types import Kind, Type

_BODY = 2 * INDENT
_NOTHING = {Kind.FLOAT: "ad_nan()", Kind.INT: "0", Kind.BOOL: ".false."}


@dataclass(frozen=True, slots=True)
class Order:
    """Instructions for writing a procedure.

    `words` are the names of the parts of its result, `independents` those of its
    derivative. `comment` stands above it. Only its own module calls one that
    `is_inside`.
    """

    words: tuple[str, ...] = ()
    independents: tuple[str, ...] = ()
    comment: tuple[str, ...] = ()
    is_inside: bool = False


def interface(function: Function, order: Order) -> Interface:
    """The interface, all names in letters and cases that Fortran tells apart."""
    if order.is_inside:
        face = _inside(function)
    else:
        face = interface_of(function, order.words, order.independents, set())
    taken = {*WORDS, plain(function.name).lower()}
    every: list[Input | Output] = [*face.inputs, *face.outputs]
    made = {one.name: _free(one.name, taken) for one in every}
    value = face.value and replace(face.value, name=_free(face.value.name, taken))
    return Interface(
        tuple(replace(one, name=made[one.name]) for one in face.inputs),
        value,
        tuple(replace(one, name=made[one.name]) for one in face.outputs),
        {dim: made[name] for dim, name in face.lengths.items()},
    )


def _inside(function: Function) -> Interface:
    values = [v for p in function.parameters for v in p.vars]
    inputs = tuple(
        Input(f"in_{k}", v.type.kind, (v,), (), v.type.dims)
        for k, v in enumerate(values, 1)
    )
    outs = tuple(
        Output(f"out_{k + 1}", r.type.kind, range(k, k + 1), (), r.type.dims)
        for k, r in enumerate(function.results)
    )
    single = len(outs) == 1
    return Interface(inputs, outs[0] if single else None, outs[single:], {})


def _free(wish: str, taken: set[str]) -> str:
    """A free name, in any case; names of a module have a prefix."""
    word = plain(wish)
    word += "_" * word.lower().startswith(PREFIX)
    name, k = word, 1
    while name.lower() in taken:
        k += 1
        name = f"{word}_{k}"
    taken.add(name.lower())
    return name


def promised(function: Function, order: Order) -> list[str]:
    """The names that the head of a procedure has."""
    face = interface(function, order)
    first = [face.value.name] if face.value and face.outputs else []
    inputs = [one.name for one in face.inputs]
    return [*inputs, *first, *(one.name for one in face.outputs)]


def written(
    function: Function,
    order: Order,
    limit: int,
    formulas: Mapping[str, str],
    source: Parts | None,
) -> str:
    """The text of a procedure; linear in its size."""
    return _Procedure(function, order, limit, formulas).written(source)


class _Procedure:
    def __init__(
        self,
        function: Function,
        order: Order,
        limit: int,
        formulas: Mapping[str, str],
    ) -> None:
        self.function = function
        self.order = order
        self.limit = limit
        self.face = interface(function, order)
        self.scope = Scope(function, (), formulas, ())
        self.composer = FortranComposer(self.scope, limit, lower_bounds(function))

    def written(self, source: Parts | None) -> str:
        """The whole procedure."""
        prepared = ready(self.function, self.composer, source)
        made = scheduled(prepared, self.scope, self.composer, fitting(2 * INDENT))
        names, local = self._names(made)
        lines = needed(made.lines, names, made.results)
        writer = Writer(names, self.order.is_inside, self.limit)
        taken = {*WORDS, *(one.name.lower() for one in self._all())}
        writer.taken |= taken | {plain(self.function.name).lower()}
        writer.local.update(local)
        writer.out += self._opening(names)
        writer.write(lines, _BODY)
        writer.comments(self.function.notes, _BODY)
        self._store(writer, made.results)
        body = self._guarded(writer)
        text = "\n".join(body)
        local = {n: t for n, t in writer.local.items() if _is_read(n, text)}
        declared = [*self._declared(), *_locals(local)]
        if "failed" in text and not self.order.is_inside:
            declared.append("logical :: failed")
            body = [f"{' ' * _BODY}failed = .false.", *body]
        heads, end = self._head(text)
        comment = [f"  ! {line}".rstrip() for line in self.order.comment]
        inner = [x for d in declared for x in broken(d, _BODY, self.limit, " &")]
        every = [*comment, *heads, *inner, *body, f"  {end}"]
        return "".join(f"{line}\n" for line in every)

    def _all(self) -> Sequence[Input | Output]:
        value = (self.face.value,) if self.face.value else ()
        return (*self.face.inputs, *value, *self.face.outputs)

    # --- names ------------------------------------------------------------------------

    def _names(self, made: Scheduled) -> tuple[dict[Var, str], dict[str, Type]]:
        """Names that differ in more than their case, and the types of inputs to be
        declared.
        """
        taken = {*WORDS, *(one.name.lower() for one in self._all())}
        taken.add(plain(self.function.name).lower())
        given = {
            v: (one, k) for one in self.face.inputs for k, v in enumerate(one.vars)
        }
        bound = {made.names[v] for ln in walk(made.lines) for v in changed_by(ln)}
        new: dict[str, str] = {}
        names: dict[Var, str] = {}
        local: dict[str, Type] = {}
        for var, name in made.names.items():
            if var in given and name not in bound and not given[var][0].dims:
                names[var] = _element(*given[var])
                continue
            if name not in new:
                new[name] = "_" if name == "_" else _free(name, taken)
            names[var] = new[name]
            if var in given:
                local[names[var]] = var.type
        return names, local

    # --- the head ---------------------------------------------------------------------

    def _head(self, text: str) -> tuple[list[str], str]:
        """The first lines and the last one."""
        face = self.face
        name = self.function.name
        name = inner_name(name) if self.order.is_inside else plain(name)
        single = face.value is not None and not face.outputs
        items = [one.name for one in face.inputs]
        items += ["failed"] if self.order.is_inside else []
        items += [face.value.name] if face.value and not single else []
        items += [one.name for one in face.outputs]
        what = "function" if single else "subroutine"
        calls_itself = re.search(rf"\b{name}\(", text)
        prefix = "recursive " if calls_itself else ""
        prefix += "" if self.order.is_inside or "failed" in text else "pure "
        start = f"{prefix}{what} {name}({', '.join(items)})"
        start += f" result({face.value.name})" if single and face.value else ""
        return broken(start, INDENT, self.limit, " &"), f"end {what} {name}"

    def _declared(self) -> Iterator[str]:
        """Declarations of inputs and outputs."""
        face = self.face
        lengths = [one for one in face.inputs if one.is_length]
        for one in (*lengths, *(one for one in face.inputs if not one.is_length)):
            kind = self._type(one)
            yield f"{kind}, intent(in) :: {one.name}{self._shape(one)}"
        if self.order.is_inside:
            yield "logical, intent(inout) :: failed"
        if face.value is not None:
            how = ", intent(out)" if face.outputs else ""
            yield f"{self._type(face.value)}{how} :: {face.value.name}"
        for out in face.outputs:
            is_made = out.is_open and not self.order.is_inside
            how = "allocatable, intent(out)" if is_made else "intent(out)"
            yield f"{self._type(out)}, {how} :: {out.name}{self._shape(out)}"

    def _type(self, one: Input | Output) -> str:
        inside = self.order.is_inside
        return type_name(Type(one.kind, one.dims if inside else ()))

    def _shape(self, one: Input | Output) -> str:
        sizes = [str(size) for size in one.shape]
        if isinstance(one, Output) and one.is_open and not self.order.is_inside:
            sizes = [":"] * len(one.dims)
        elif one.dims and not self.order.is_inside:
            sizes = [terms(dim, self.face.lengths) for dim in self._dims(one)]
        return f"({', '.join(sizes)})" if sizes else ""

    def _dims(self, one: Input | Output) -> list[int | str]:
        return [f"{one.name}.{k}" if d == ANY else d for k, d in enumerate(one.dims)]

    # --- what comes in ----------------------------------------------------------------

    def _opening(self, names: Mapping[Var, str]) -> list[str]:
        """Lines in front of the schedule: values under names of their own."""
        lines: list[str] = []
        for one in self.face.inputs:
            for k, var in enumerate(one.vars):
                place = _element(one, k)
                if var not in names or names[var] == place:
                    continue
                if one.dims and not self.order.is_inside:
                    rows = len(one.dims) > len(var.type.dims)
                    given = in_line(one.name, len(one.dims)) if rows else one.name
                    place = f"ad_take_{list_name(var.type)}({given})"
                text = f"{names[var]} = {place}"
                lines += broken(text, _BODY, self.limit, " &")
        return lines

    # --- what goes out ----------------------------------------------------------------

    def _store(self, writer: Writer, results: Sequence[Piece]) -> None:
        """Append statements that store the results."""
        value = (self.face.value,) if self.face.value else ()
        for one in (*value, *self.face.outputs):
            for k, place in enumerate(one.places):
                piece = results[place]
                assert isinstance(piece, Text)
                if one.dims and not self.order.is_inside:
                    assert piece.var is not None
                    text = writer.text(piece)
                    told = [writer.text(results[n]) for n in one.told]
                    if one.is_open:
                        room = self._room(one, told or [f"{text}%size"])
                        writer.add(f"allocate ({one.name}({room}))", _BODY)
                    text = self._given(one, text, piece.var.type)
                else:
                    piece = piece if one.dims else of_kind(piece, one.kind)
                    text = f"{_element(one, k)} = {writer.text(piece)}"
                writer.add(text, _BODY)
                writer.checked(piece, _BODY)

    def _room(self, one: Output, told: Sequence[str]) -> str:
        """The lengths of a result of which only the run knows some."""
        rest, known = iter(told), self.face.lengths
        sizes = (next(rest) if d == ANY else terms(d, known) for d in one.dims)
        return ", ".join(sizes)

    def _given(self, one: Output, text: str, type_: Type) -> str:
        """The statement that stores a list in the place of a result."""
        if len(one.dims) == len(type_.dims):
            return f"call ad_give_{list_name(type_)}({text}, {one.name})"
        axes = list(range(len(one.dims), 0, -1))
        order = f", order={axes}" if len(axes) > 1 else ""
        rows = f"{text}%at(0:{text}%size - 1), shape({one.name}){order}"
        return f"{one.name} = reshape({rows})"

    def _guarded(self, writer: Writer) -> list[str]:
        """The statements, in a block that a failure leaves."""
        if FAIL not in "\n".join(writer.out):
            return writer.out
        margin = " " * _BODY
        inside = [f"{' ' * INDENT}{line}" for line in writer.out]
        value = (self.face.value,) if self.face.value else ()
        spoiled = [
            f"{margin}{_spoiled(one)}"
            for one in (*value, *self.face.outputs)
            if not (one.dims and self.order.is_inside)
        ]
        end = [f"{margin}  return", f"{margin}end block body"]
        return [f"{margin}body: block", *inside, *end, *spoiled]


def _spoiled(one: Output) -> str:
    """The statement that spoils a result where the procedure fails."""
    if one.is_open:
        return f"if (allocated({one.name})) deallocate ({one.name})"
    return f"{one.name} = {_NOTHING[one.kind]}"


def in_line(name: str, rank: int) -> str:
    """The elements of an array row by row."""
    turned = f"transpose({name})" if rank == 2 else name
    if rank > 2:
        axes = range(rank, 0, -1)
        sizes = ", ".join(f"size({name}, {axis})" for axis in axes)
        turned = f"reshape({name}, [{sizes}], order={[*axes]})"
    return f"reshape({turned}, [size({name})])"


def _is_read(name: str, text: str) -> bool:
    return re.search(rf"\b{name}\b", text) is not None


def _locals(types: Mapping[str, Type]) -> Iterator[str]:
    """Declarations, those of a type together."""
    kinds: dict[str, list[str]] = {}
    for name, type_ in types.items():
        own = _TEXT if type_.kind is Kind.STR else type_name(type_)
        kinds.setdefault(own, []).append(name)
    for kind, names in kinds.items():
        yield f"{kind} :: {', '.join(names)}"


_TEXT = "character(:), allocatable"


def _element(one: Input | Output, k: int) -> str:
    """The k-th value of a parameter: `x`, `x(3)`, `x(1, 2)`, row by row."""
    places: list[str] = []
    for size in reversed(one.shape):
        k, place = divmod(k, size)
        places.insert(0, str(place + 1))
    return f"{one.name}({', '.join(places)})" if places else one.name
