"""A whole function in C: parameters, declarations, statements, results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from ad_transform.dataclass import dataclass
from ad_transform.emit.c.composer import CComposer
from ad_transform.emit.c.declarations import declared
from ad_transform.emit.c.dialect import LIBRARY, WORDS, apart, number
from ad_transform.emit.c.lists import NUMBERS, type_name
from ad_transform.emit.c.results import emptied, leave, sizes, store
from ad_transform.emit.c.signature import (
    Order,
    head,
    interface,
    named,
    named_inside,
    renamed,
)
from ad_transform.emit.c.text import FAIL, Writer
from ad_transform.emit.compiled.composer import INDENT
from ad_transform.emit.compiled.expressions import fails
from ad_transform.emit.compiled.interface import Input, product
from ad_transform.emit.compiled.lists import list_name
from ad_transform.emit.compiled.liveness import changed_by, needed
from ad_transform.emit.compiled.returned import fitting
from ad_transform.emit.schedule.anchors import Parts
from ad_transform.emit.schedule.function import Scheduled, ready, scheduled
from ad_transform.emit.schedule.lines import walk
from ad_transform.emit.schedule.names import natural
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.emit.schedule.scope import Scope
from ad_transform.emit.wholes.lower import lower_bounds
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.dims import ANY, terms
from ad_transform.ir.nodes import Function, Literal, Var
from ad_transform.ir.types import Type

TAKEN = WORDS | LIBRARY
"""Names that mean something in every file."""

_MARGIN = " " * INDENT


@dataclass(frozen=True, slots=True)
class Written:
    """A function in C: its head, its text, the numbers of its constants."""

    head: str
    text: str
    numbers: Mapping[str, float | int]


def written(
    function: Function,
    order: Order,
    reserved: Iterable[str],
    limit: int,
    formulas: Mapping[str, str],
    source: Parts | None,
) -> Written:
    """The text of a function; linear in its size."""
    made = _Function(function, order, frozenset(reserved), limit, formulas)
    return made.written(source)


def taken_by(function: Function, reserved: frozenset[str]) -> frozenset[str]:
    """The names that no parameter of a function may have."""
    return TAKEN | reserved | {function.name}


class _Function:
    def __init__(
        self,
        function: Function,
        order: Order,
        reserved: frozenset[str],
        limit: int,
        formulas: Mapping[str, str],
    ) -> None:
        self.order = order
        self.limit = limit
        taken = taken_by(function, reserved)
        self.function = renamed(function, taken)
        self.face = interface(self.function, order, set(taken))
        self.memory = "memory" if order.is_static else "&memory"
        words = TAKEN.union(named(self.face))
        self.scope = Scope(self.function, reserved, formulas, words)
        lower = lower_bounds(self.function)
        self.composer = CComposer(self.scope, limit, lower, self.memory)

    def written(self, source: Parts | None) -> Written:
        """The whole function."""
        prepared = ready(self.function, self.composer, source)
        made = scheduled(prepared, self.scope, self.composer, fitting(2 * INDENT))
        names = self._names(made)
        if self.order.is_static:
            self.face = named_inside(self.face, names)
        values = [v for p in self.function.parameters for v in p.vars]
        known = {names[v] for v in values if v in names}.union(self.scope.literals)
        lines = needed(made.lines, names, made.results)
        declarations = declared(lines, names, known, made.results)
        writer = Writer(names, declarations, self.memory, self.limit)
        writer.taken |= TAKEN | known.union(named(self.face))
        writer.taken.update(
            self.scope.constants, ["mark"] if self.order.is_static else []
        )
        writer.out += self._opening(names)
        writer.declare(sorted(declarations.at_top.items()), INDENT)
        start = len(writer.out)
        writer.write(lines)
        above = writer.declared_above.items()
        writer.out[start:start] = [
            f"{_MARGIN}{type_name(type_)} {name} = {{0}};" for name, type_ in above
        ]
        writer.comments(self.function.notes, INDENT)
        return self._ended(writer, made.results)

    def _ended(self, writer: Writer, results: Sequence[Piece]) -> Written:
        """The text, its results stored behind the statements of the writer."""
        face, is_static = self.face, self.order.is_static
        value = store(writer, face, results, is_static)
        last = None if face.value is None else results[face.value.places.start]
        uses = bool(re.search(r"\bmemory\b", "\n".join(writer.out))) or fails(last)
        release = self._release() if uses else ""
        leave(writer, face, value, last, release, is_static)
        heads = head(self.function, face, self.order, self.limit)
        opening = self._unread(writer.out) + self._memory(uses, release)
        opening += self._constants(writer.out)
        said = [*self.order.comment, *self._sizes()]
        comment = [f"// {line}".rstrip(" \\") for line in said]
        lines = [*comment, *heads[:-1], f"{heads[-1]} {{", *opening, *writer.out, "}"]
        text = "".join(f"{line}\n" for line in lines)
        return Written("\n".join(heads), text, self.composer.numbers)

    def _sizes(self) -> Iterator[str]:
        """Comments on the sizes of outputs that the head does not tell."""
        for one in () if self.order.is_static else self.face.outputs:
            if one.dims and not all(isinstance(dim, int) for dim in one.dims):
                rows = ", row by row" if len(one.dims) > 1 else ""
                freed = "; the caller frees them" if one.is_open else ""
                name = f"*{one.name}" if one.is_open else one.name
                size = product(sizes(one, self.face))
                yield f"{name} has {size} entries{rows}{freed}."

    # --- what comes in ----------------------------------------------------------------

    def _memory(self, uses: bool, release: str) -> list[str]:
        """The declaration of the memory of the call."""
        if not uses:
            return []
        if self.order.is_static:
            mark = "ad_block *const mark = memory->blocks;"
            return [f"{_MARGIN}{mark}"] if release else []
        return [f"{_MARGIN}ad_memory memory = {{NULL, false}};"]

    def _unread(self, lines: Sequence[str]) -> list[str]:
        """Statements that mark parameters as not read: `(void)x;`."""
        words = set(re.findall(r"\w+", "\n".join(lines)))
        names = [one.name for one in self.face.inputs]
        names += ["memory"] if self.order.is_static else []
        return [f"{_MARGIN}(void){name};" for name in names if name not in words]

    def _names(self, made: Scheduled) -> dict[Var, str]:
        """Names; elements of an array are named by place, if no line binds them."""
        given = {p.name for p in self.function.parameters}
        names = {v: n if n in given else apart(n) for v, n in made.names.items()}
        if self.order.is_static:
            return names
        bound = {names[v] for line in walk(made.lines) for v in changed_by(line)}
        for one in self.face.inputs:
            for k, var in enumerate(one.vars):
                if var in names and not one.dims and names[var] not in bound:
                    names[var] = f"{one.name}[{k}]" if one.is_array else one.name
        return names

    def _opening(self, names: Mapping[Var, str]) -> list[str]:
        """Lines in front of the schedule, which take parameters apart."""
        lines: list[str] = []
        if not self.order.is_static:
            lines += emptied(self.face)
            gone = Consumption().by_all(self.function.body)
            gone.update(self.function.results)
            for one in self.face.inputs:
                lines += self._taken(one, names, gone)
        return [f"{_MARGIN}{line}" for line in lines]

    def _constants(self, text: Sequence[str]) -> list[str]:
        """The constants of the function that its text reads."""
        words = set(re.findall(r"\w+", "\n".join(text)))
        literals = self.scope.literals
        return [
            f"{_MARGIN}{line}"
            for name in sorted(literals, key=natural)
            if name in words
            for line in _constant(name, literals[name])
        ]

    def _taken(
        self, one: Input, names: Mapping[Var, str], gone: Set[object]
    ) -> list[str]:
        """Definitions of the values of an input that have other names."""
        found: list[str] = []
        for k, var in enumerate(one.vars):
            place = f"{one.name}[{k}]" if one.is_array else one.name
            if var not in names:
                continue
            if one.dims:
                found += self._list(one, var, names[var], var in gone)
            elif names[var] != place:
                found.append(f"{type_name(var.type)} {names[var]} = {place};")
        return found

    def _list(self, one: Input, var: Var, name: str, changes: bool) -> list[str]:
        """A parameter that is an array as a list: in place, or a copy."""
        dims = [f"{one.name}.{k}" if d == ANY else d for k, d in enumerate(one.dims)]
        sizes = [terms(dim, self.face.lengths) for dim in dims]
        kind = list_name(Type(var.type.kind, var.type.dims))
        if len(var.type.dims) == 1:
            sizes = [product(sizes)]
        if len(sizes) == 1 and not changes:
            items = f"({NUMBERS[var.type.kind]} *){one.name}"
            return [f"const ad_{kind} {name} = {{{items}, {sizes[0]}, {sizes[0]}}};"]
        call = f"ad_take_{kind}({self.memory}, {one.name}, {', '.join(sizes)})"
        test = ["if (memory.failed) {", f"{_MARGIN}{FAIL}", "}"]
        return [f"ad_{kind} {name} = {call};", *test]

    # --- what goes out ----------------------------------------------------------------

    def _release(self) -> str:
        """The call that gives memory back; lists that live on are the caller's."""
        if not self.order.is_static:
            return "ad_release(&memory, NULL);"
        gives = any(r.type.dims for r in self.function.results)
        takes = any(one.dims for one in self.face.inputs)
        return "" if gives or takes else "ad_release(memory, mark);"


def _constant(name: str, literal: Literal) -> list[str]:
    """A constant of the function."""
    value = literal.value
    assert not isinstance(value, str)
    notes = [f"// {note}" for note in literal.notes]
    return [*notes, f"const {type_name(literal.type)} {name} = {number(value)};"]
