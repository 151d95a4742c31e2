"""Lines of a schedule as text in Fortran."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ad_transform.emit.compiled.expressions import Text, fails, text_of
from ad_transform.emit.compiled.layout import broken
from ad_transform.emit.compiled.lists import list_name
from ad_transform.emit.compiled.liveness import changed_by, read_in
from ad_transform.emit.compiled.states import Parts
from ad_transform.emit.fortran import states
from ad_transform.emit.fortran.composer import copied, of_kind, truth
from ad_transform.emit.fortran.dialect import INDENT
from ad_transform.emit.schedule.lines import (
    Append,
    Assert,
    Bind,
    BindAll,
    Break,
    Continue,
    Do,
    For,
    Hold,
    HoldMore,
    If,
    Line,
    Loop,
    Raise,
    Resume,
    Reverse,
    StartCount,
    StartList,
    StartStates,
    Step,
    Stops,
    Take,
    Unpack,
    Update,
    bound_by,
    walk,
)
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.ir.nodes import Var
from ad_transform.ir.types import INT, Kind, Type
from ad_transform.ir.unlike import claimed

FAIL = "exit body"


class Writer:
    """Collects the text of a procedure's body; `local` are the names to be declared."""

    def __init__(self, names: Mapping[Var, str], is_inside: bool, limit: int) -> None:
        self.names = names
        self.is_inside = is_inside
        self.limit = limit
        self.out: list[str] = []
        self.local: dict[str, Type] = {}
        self.states: dict[str, Parts] = {}  # lists of states, by the first one's name
        self.taken = {name.lower() for name in names.values()}

    def text(self, piece: Piece) -> str:
        """A piece on one line."""
        return text_of(piece, self.names)

    def add(self, text: str, indent: int) -> None:
        """Append a statement, broken where it is too long."""
        self.out += broken(text, indent, self.limit, " &")

    def comments(self, notes: Sequence[str], indent: int) -> None:
        """Append comments."""
        self.out += (f"{' ' * indent}! {note}".rstrip() for note in notes)

    def write(self, lines: Sequence[Line], indent: int) -> None:
        """Append the text of lines."""
        for line in lines:
            self.comments(getattr(line, "notes", ()), indent)
            for var in bound_by(line):
                self.local.setdefault(self.names[var], var.type)
            WRITERS[type(line)](self, line, indent)

    def counter(self, word: str, type_: Type = INT) -> str:
        """A name that nothing else has, declared."""
        name = claimed(word, self.taken)
        self.local[name] = type_
        return name

    def checked(self, piece: Piece, indent: int) -> None:
        """Leave the procedure if the computation of a piece has failed."""
        if fails(piece):
            self.add(f"if (failed) {FAIL}", indent)

    def store(self, call: Piece, names: Sequence[str], indent: int) -> None:
        """Store the results of a call under names."""
        text = self.text(call)
        if len(names) == 1:
            self.add(f"{names[0]} = {text}", indent)
        else:
            self.add(f"call {text[:-1]}, {', '.join(names)})", indent)
        self.checked(call, indent)

    def tested(self, piece: Piece, indent: int) -> str:
        """A test as text; one that may fail is computed in front."""
        assert isinstance(piece, Text)
        text = self.text(truth(piece))
        if not fails(piece):
            return text
        name = self.counter("test", Type(Kind.BOOL))
        self.add(f"{name} = {text}", indent)
        self.checked(piece, indent)
        return name

    # --- one method for each kind of line ---------------------------------------------

    def _assigned(self, var: Var, piece: Piece, indent: int) -> None:
        assert isinstance(piece, Text)
        value = piece
        if not var.type.dims and piece.kind is Kind.BOOL:
            value = of_kind(piece, var.type.kind)
        name, text = self.names[var], self.text(value)
        if name != text:
            self.add(f"{name} = {text}", indent)

    def _bind(self, line: Bind, indent: int) -> None:
        self._assigned(line.var, line.value, indent)
        self.checked(line.value, indent)

    def _bind_all(self, line: BindAll, indent: int) -> None:
        for var in line.vars:
            self._assigned(var, line.value, indent)

    def _update(self, line: Update, indent: int) -> None:
        if len(line.vars) == 1:
            self._assigned(line.vars[0], line.values[0], indent)
        else:
            olds = [self.counter(self.names[v], v.type) for v in line.vars]
            for old, value in zip(olds, line.values, strict=True):
                self.add(f"{old} = {self.text(value)}", indent)
            for var, old in zip(line.vars, olds, strict=True):
                self.add(f"{self.names[var]} = {old}", indent)
        for value in line.values:
            self.checked(value, indent)

    def _unpack(self, line: Unpack, indent: int) -> None:
        """A call of several results; arguments that they may overwrite are copies."""
        names = [self.names[var] for var in line.vars]
        call = line.value
        assert isinstance(call, Text)
        args = (copied(arg) if _is_place(arg, line.vars) else arg for arg in call.args)
        self.store(call.over(tuple(args)), names, indent)

    def _start_count(self, line: StartCount, indent: int) -> None:
        self.add(f"{self.names[line.var]} = 0", indent)

    def _start_list(self, line: StartList, indent: int) -> None:
        name = list_name(line.var.type)
        self.add(f"{self.names[line.var]} = ad_new_{name}(0_ip)", indent)

    def _step(self, line: Step, indent: int) -> None:
        name = self.names[line.var]
        self.add(f"{name} = {name} + 1", indent)

    def _append(self, line: Append, indent: int) -> None:
        (value,) = line.values
        kind = list_name(line.var.type)
        place = self.names[line.var]
        self.add(f"call ad_push_{kind}({place}, {self.text(value)})", indent)
        self.checked(value, indent)

    def _take(self, line: Take, indent: int) -> None:
        (var,), held = line.vars, self.names[line.held]
        self.add(f"{held}%size = {held}%size - 1", indent)
        self.add(f"{self.names[var]} = {held}%at({held}%size)", indent)

    def _do(self, line: Do, indent: int) -> None:
        self.add(self.text(line.value), indent)
        self.checked(line.value, indent)

    def _reverse(self, line: Reverse, indent: int) -> None:
        kind = list_name(line.var.type)
        self.add(f"call ad_reverse_{kind}({self.names[line.var]})", indent)

    def _assert(self, line: Assert, indent: int) -> None:
        self._fail(f".not. ({self.tested(line.test, indent)})", indent)

    def _raise(self, line: Raise, indent: int) -> None:
        self._fail("" if line.test is None else self.tested(line.test, indent), indent)

    def _fail(self, test: str, indent: int) -> None:
        """Leave the procedure; one called by another has to tell that one."""
        if not self.is_inside:
            self.add(f"if ({test}) {FAIL}" if test else FAIL, indent)
            return
        inner = indent + INDENT if test else indent
        if test:
            self.add(f"if ({test}) then", indent)
        self.add("failed = .true.", inner)
        self.add(FAIL, inner)
        if test:
            self.add("end if", indent)

    def _if(self, line: If, indent: int) -> None:
        self.add(f"if ({self.tested(line.test, indent)}) then", indent)
        self.write(line.then, indent + INDENT)
        while (other := _only(line.orelse)) is not None:
            line = other
            self.add(f"else if ({self.tested(line.test, indent)}) then", indent)
            self.write(line.then, indent + INDENT)
        if line.orelse:
            self.add("else", indent)
            self.write(line.orelse, indent + INDENT)
        self.add("end if", indent)

    def _loop(self, line: Loop, indent: int) -> None:
        inside = indent + INDENT
        if line.test is not None and not fails(line.test):
            self.add(f"do while ({self.tested(line.test, indent)})", indent)
        else:
            self.add("do", indent)
        if fails(line.test) and line.test is not None:
            test = self.tested(line.test, inside)
            self.add(f"if (.not. ({test})) exit", inside)
        self.write(line.body, inside)
        self.add("end do", indent)

    def _break(self, line: Break, indent: int) -> None:
        self.add("exit", indent)

    def _continue(self, line: Continue, indent: int) -> None:
        self.add("cycle", indent)

    def _for(self, line: For, indent: int) -> None:
        """Counted trips; entries of lists stand at the place of the trip."""
        changed = {self.names[v] for each in walk(line.body) for v in changed_by(each)}
        behind: list[str] = []
        if line.index is None:
            size, place = f"{self.text(line.entries[0][1])}%size", self.counter("k")
            head = _trips(place, "0", size, line.backwards)
        else:
            place, head, behind = self._counted(line, line.index, changed, indent)
        self.add(head, indent)
        for text in behind:
            self.add(text, indent + INDENT)
        read = {name for each in walk(line.body) for name in read_in(each, self.names)}
        for (entry,), stack in line.entries:
            if self.names[entry] in read:
                text = f"{self.names[entry]} = {self.text(stack)}%at({place})"
                self.add(text, indent + INDENT)
        self.write(line.body, indent + INDENT)
        self.add("end do", indent)

    def _counted(
        self, line: For, index: Var, changed: set[str], indent: int
    ) -> tuple[str, str, list[str]]:
        """The place of a trip among all, the head of the loop, the first lines of a
        trip.
        """
        name = self.names[index]
        if name == "_":
            del self.local[name]
            name = self.counter("k")
        words = ("start", "stop", "step")
        first, last, step = (
            self._bound(bound, word, changed, indent)
            for bound, word in zip(line.bounds, words, strict=True)
        )
        if step == "1":
            place = name if first == "0" else f"{name} - ({first})"
            return place, _trips(name, first, last, line.backwards), []
        place, trips = self.counter("k"), self.counter("trips")
        self.add(
            f"{trips} = ad_trips({_long(first)}, {_long(last)}, {_long(step)})", indent
        )
        value = f"{name} = {first} + {place} * ({step})"
        return place, _trips(place, "0", trips, line.backwards), [value]

    def _bound(self, piece: Piece, word: str, changed: set[str], indent: int) -> str:
        """A bound, which does not change; a number without its kind."""
        text = self.text(piece)
        if piece.is_atom and text not in changed:
            return text.removesuffix("_ip")
        name = self.counter(word)
        self.add(f"{name} = {text}", indent)
        self.checked(piece, indent)
        return name


def _long(text: str) -> str:
    """A number with its kind."""
    return f"{text}_ip" if text.lstrip("-").isdecimal() else text


def _trips(name: str, first: str, last: str, backwards: bool) -> str:
    """The head of a loop from `first` to below `last`, or the other way round."""
    end = str(int(last) - 1) if last.lstrip("-").isdecimal() else f"{last} - 1"
    return (
        f"do {name} = {end}, {first}, -1"
        if backwards
        else f"do {name} = {first}, {end}"
    )


def _is_place(piece: Text, stored: Sequence[Var]) -> bool:
    """Whether it is a list, an element of one, or a name that the call stores into."""
    if piece.is_atom:
        var = piece.var
        return var is not None and (bool(var.type.dims) or var in stored)
    return piece.risky


def _only(lines: Sequence[Line]) -> If | None:
    """The only line behind an `else`, if it is a branch."""
    only = lines[0] if len(lines) == 1 else None
    plain = isinstance(only, If) and not only.notes and not fails(only.test)
    return only if plain and isinstance(only, If) else None


WRITERS: Mapping[type[Line], Callable[[Any, Any, int], None]] = {
    Bind: Writer._bind,
    BindAll: Writer._bind_all,
    Unpack: Writer._unpack,
    Update: Writer._update,
    StartCount: Writer._start_count,
    StartList: Writer._start_list,
    Step: Writer._step,
    Append: Writer._append,
    Take: Writer._take,
    Do: Writer._do,
    Reverse: Writer._reverse,
    Assert: Writer._assert,
    Raise: Writer._raise,
    If: Writer._if,
    For: Writer._for,
    Loop: Writer._loop,
    Break: Writer._break,
    Continue: Writer._continue,
    StartStates: states.start_states,
    Stops: states.stops,
    Hold: states.hold,
    HoldMore: states.hold_more,
    Resume: states.resume,
}
