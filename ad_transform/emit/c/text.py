"""Lines of a schedule as text in C."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ad_transform.emit.c import states
from ad_transform.emit.c.declarations import Declared
from ad_transform.emit.c.lists import type_name
from ad_transform.emit.c.sweeping import outliving, staying, swept
from ad_transform.emit.compiled.composer import INDENT
from ad_transform.emit.compiled.expressions import fails, text_of
from ad_transform.emit.compiled.layout import broken
from ad_transform.emit.compiled.lists import list_name
from ad_transform.emit.compiled.liveness import changed_by, read_in
from ad_transform.emit.compiled.states import Parts
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
    walk,
)
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.ir.nodes import Var
from ad_transform.ir.types import Type
from ad_transform.ir.unlike import claimed

FAIL = "goto failed;"


class Writer:
    """Collects the text of a function's body.

    `memory` is how the memory of the call is reached, a pointer.
    """

    def __init__(
        self, names: Mapping[Var, str], made: Declared, memory: str, limit: int
    ) -> None:
        self.names = names
        self.made = made
        self.memory = memory
        self.failed = "memory.failed" if memory == "&memory" else "memory->failed"
        self.limit = limit
        self.out: list[str] = []
        self.taken = set(names.values())
        self.states: dict[str, Parts] = {}  # lists of states, by the first one's name
        self.sweeps = False  # whether a loop so far may give back rooms of such lists
        self.declared_above: dict[str, Type] = {}  # at the head of the function

    def text(self, piece: Piece) -> str:
        """A piece on one line."""
        return text_of(piece, self.names)

    def add(self, text: str, indent: int) -> None:
        """Append a statement, broken at blanks where it is too long."""
        self.out += broken(text, indent, self.limit)

    def comments(self, notes: Sequence[str], indent: int) -> None:
        """Append comments."""
        for note in notes:
            self.out.append(f"{' ' * indent}// {note}".rstrip().rstrip("\\"))

    def write(self, lines: Sequence[Line], indent: int = INDENT) -> None:
        """Append the text of lines; records in a row are checked once."""
        for number, line in enumerate(lines, 1):
            self.declare(self.made.before.get(line, ()), indent)
            self.comments(getattr(line, "notes", ()), indent)
            WRITERS[type(line)](self, line, indent)
            goes_on = number < len(lines) and isinstance(lines[number], Append)
            if isinstance(line, Append) and not goes_on:
                self.check(indent)

    def declare(self, names: Sequence[tuple[str, Type]], indent: int) -> None:
        """Append declarations: those of a type in one, lists one by one and empty."""
        scalars: dict[str, list[str]] = {}
        for name, type_ in names:
            if type_.dims:
                self.add(f"{type_name(type_)} {name} = {{0}};", indent)
            else:
                scalars.setdefault(type_name(type_), []).append(name)
        for kind, own in scalars.items():
            item, star = kind.rstrip("*").rstrip(), "*" if kind.endswith("*") else ""
            self.add(f"{item} {', '.join(star + name for name in own)};", indent)

    def head(self, line: Line, var: Var) -> str:
        """The name that a line binds, with its type where it declares it."""
        name = self.names[var]
        constant = self.made.with_it.get(line, {}).get(name)
        if constant is None:
            return name
        kind = type_name(var.type)
        fixed = "const " if constant and not var.type.dims and "*" not in kind else ""
        return f"{fixed}{kind}{'' if kind.endswith('*') else ' '}{name}"

    def checked(self, piece: Piece, indent: int) -> None:
        """Leave the function if the computation of a piece has failed."""
        if fails(piece):
            self.check(indent)

    def check(self, indent: int) -> None:
        """Leave the function if something has failed."""
        self.add(f"if ({self.failed}) {{", indent)
        self.add(FAIL, indent + INDENT)
        self.add("}", indent)

    def store(self, call: Piece, names: Sequence[str], indent: int) -> None:
        """Store the results of a call under names."""
        text = self.text(call)
        if len(names) == 1:
            self.add(f"{names[0]} = {text};", indent)
        else:
            places = ", ".join(f"&{name}" for name in names)
            self.add(f"{text[:-1]}, {places});", indent)
        self.checked(call, indent)

    def tested(self, piece: Piece, indent: int) -> str:
        """A test as text; one that may fail is computed in front."""
        if not fails(piece):
            return self.text(piece)
        name = self.counter("test")
        self.add(f"const bool {name} = {self.text(piece)};", indent)
        self.checked(piece, indent)
        return name

    def counter(self, word: str) -> str:
        """A name that nothing else has."""
        return claimed(word, self.taken)

    def declared_name(self, word: str, type_: Type) -> str:
        """A name that nothing else has, declared at the head of the function."""
        name = self.counter(word)
        self.declared_above[name] = type_
        return name

    def marked(self, lines: Sequence[Line], indent: int) -> list[str]:
        """The end of a loop's trip with these lines, the mark set in front of the loop;
        nothing where no memory is to be given back.
        """
        found = outliving(lines, self.names, self.made, self.states)
        if found is not None:
            self.sweeps = True
            return self.sweep_around(self.mark(indent), *found)
        kept = swept(lines, self.names, self.made)
        return [] if kept is None else [self.sweep(self.mark(indent), kept)]

    def sweep_around(
        self, mark: str, kept: Sequence[str], parts: Sequence[Parts]
    ) -> list[str]:
        """Calls that give back the blocks since a mark, but for some lists and all
        states.
        """
        calls, plain = staying(self.memory, mark, parts)
        return [*calls, self.sweep(mark, [*dict.fromkeys((*kept, *plain))])]

    def mark(self, indent: int) -> str:
        """The name of the last block of memory so far."""
        mark = self.counter("mark")
        blocks = f"{self.failed.removesuffix('failed')}blocks"
        self.add(f"const ad_block *const {mark} = {blocks};", indent)
        return mark

    def sweep(self, mark: str, kept: Sequence[str]) -> str:
        """The call that gives back the blocks since a mark but those of some lists."""
        items = ", ".join(f"{name}.at" for name in kept)
        given = f"(const void *[]){{{items}}}" if kept else "NULL"
        return f"ad_sweep({self.memory}, {mark}, {len(kept)}, {given});"

    def block(
        self, head: str, lines: Sequence[Line], indent: int, end: Sequence[str] = ()
    ) -> None:
        """Append `head { lines end }`."""
        self.add(f"{head} {{", indent)
        self.write(lines, indent + INDENT)
        for text in end:
            self.add(text, indent + INDENT)
        self.add("}", indent)

    # --- one method for each kind of line ---------------------------------------------

    def _bind(self, line: Bind, indent: int) -> None:
        head, value = self.head(line, line.var), self.text(line.value)
        if head != value:
            self.add(f"{head} = {value};", indent)
            self.checked(line.value, indent)

    def _bind_all(self, line: BindAll, indent: int) -> None:
        names = dict.fromkeys(self.names[var] for var in line.vars)
        self.add(f"{' = '.join(names)} = {self.text(line.value)};", indent)

    def _update(self, line: Update, indent: int) -> None:
        names = [self.names[var] for var in line.vars]
        texts = [self.text(value) for value in line.values]
        if len(names) > 1:
            olds = [self.counter(name) for name in names]
            for old, text, var in zip(olds, texts, line.vars, strict=True):
                self.add(f"const {type_name(var.type)} {old} = {text};", indent)
            texts = olds
        for name, text in zip(names, texts, strict=True):
            self.add(f"{name} = {text};", indent)
        for value in line.values:
            self.checked(value, indent)

    def _unpack(self, line: Unpack, indent: int) -> None:
        self.store(line.value, [self.names[var] for var in line.vars], indent)

    def _start_count(self, line: StartCount, indent: int) -> None:
        self.add(f"{self.head(line, line.var)} = 0;", indent)

    def _start_list(self, line: StartList, indent: int) -> None:
        head, name = self.head(line, line.var), self.names[line.var]
        if head != name:
            self.add(f"{head} = {{0}};", indent)
        elif name in self.made.at_top:
            self.add(f"{name}.size = 0;", indent)
        else:
            self.add(f"{name} = ({type_name(line.var.type)}){{0}};", indent)

    def _step(self, line: Step, indent: int) -> None:
        self.add(f"{self.names[line.var]}++;", indent)

    def _append(self, line: Append, indent: int) -> None:
        (value,) = line.values
        name = list_name(line.var.type)
        place = f"{self.memory}, &{self.names[line.var]}"
        self.add(f"ad_push_{name}({place}, {self.text(value)});", indent)

    def _take(self, line: Take, indent: int) -> None:
        (var,), held = line.vars, self.names[line.held]
        self.add(f"{self.head(line, var)} = {held}.at[--{held}.size];", indent)

    def _do(self, line: Do, indent: int) -> None:
        self.add(f"{self.text(line.value)};", indent)
        self.checked(line.value, indent)

    def _reverse(self, line: Reverse, indent: int) -> None:
        name = list_name(line.var.type)
        self.add(f"ad_reverse_{name}(&{self.names[line.var]});", indent)

    def _assert(self, line: Assert, indent: int) -> None:
        self._fail(f"!({self.tested(line.test, indent)})", indent)

    def _raise(self, line: Raise, indent: int) -> None:
        if line.test is None:
            self._give_up(indent)
        else:
            self._fail(self.tested(line.test, indent), indent)

    def _fail(self, test: str, indent: int) -> None:
        self.add(f"if ({test}) {{", indent)
        self._give_up(indent + INDENT)
        self.add("}", indent)

    def _give_up(self, indent: int) -> None:
        self.add("errno = EDOM;", indent)
        if self.memory == "memory":  # the caller has to know
            self.add("memory->failed = true;", indent)
        self.add(FAIL, indent)

    def _if(self, line: If, indent: int) -> None:
        self.add(f"if ({self.tested(line.test, indent)}) {{", indent)
        self.write(line.then, indent + INDENT)
        while (other := self._only(line.orelse)) is not None:
            line = other
            self.add(f"}} else if ({self.text(line.test)}) {{", indent)
            self.write(line.then, indent + INDENT)
        if line.orelse:
            self.add("} else {", indent)
            self.write(line.orelse, indent + INDENT)
        self.add("}", indent)

    def _only(self, lines: Sequence[Line]) -> If | None:
        """The only line behind an `else`, if it is a branch."""
        only = lines[0] if len(lines) == 1 else None
        if not isinstance(only, If) or only.notes or only in self.made.before:
            return None
        return None if fails(only.test) else only

    def _loop(self, line: Loop, indent: int) -> None:
        end = self.marked(line.body, indent)
        if line.test is None or not fails(line.test):
            test = "true" if line.test is None else self.text(line.test)
            self.block(f"while ({test})", line.body, indent, end)
            return
        self.add("while (true) {", indent)
        inside = indent + INDENT
        self.add(f"if (!({self.tested(line.test, inside)})) {{", inside)
        self.add("break;", inside + INDENT)
        self.add("}", inside)
        self.write(line.body, inside)
        for text in end:
            self.add(text, inside)
        self.add("}", indent)

    def _break(self, line: Break, indent: int) -> None:
        self.add("break;", indent)

    def _continue(self, line: Continue, indent: int) -> None:
        self.add("continue;", indent)

    def _for(self, line: For, indent: int) -> None:
        """Counted trips; entries of lists stand at the place of the trip."""
        changed = {self.names[v] for each in walk(line.body) for v in changed_by(each)}
        if line.index is None:
            size = f"{self.text(line.entries[0][1])}.size"
            place = self.counter("k")
            if line.backwards:
                head = f"for (int64_t {place} = {size} - 1; {place} >= 0; {place}--)"
            else:
                head = f"for (int64_t {place} = 0; {place} < {size}; {place}++)"
        else:
            place, head = self._counted(line, line.index, changed, indent)
        end = self.marked(line.body, indent)
        self.add(f"{head} {{", indent)
        read = {name for each in walk(line.body) for name in read_in(each, self.names)}
        for (entry,), stack in line.entries:
            name, kind = self.names[entry], type_name(entry.type)
            if name in read:
                fixed = "" if name in changed or entry.type.dims else "const "
                text = f"{fixed}{kind} {name} = {self.text(stack)}.at[{place}];"
                self.add(text, indent + INDENT)
        self.write(line.body, indent + INDENT)
        for text in end:
            self.add(text, indent + INDENT)
        self.add("}", indent)

    def _counted(
        self, line: For, index: Var, changed: set[str], indent: int
    ) -> tuple[str, str]:
        """The place of a trip among all, and the head of the loop."""
        name = self.names[index]
        if name == "_":
            name = self.counter("k")
        first, last, step = (
            self._bound(bound, word, changed, indent)
            for bound, word in zip(line.bounds, ("start", "stop", "step"), strict=True)
        )
        if step == "1" and not first.startswith("-"):
            place = name if first == "0" else f"{name} - {first}"
            if line.backwards:
                start = f"int64_t {name} = {last} - 1"
                return place, f"for ({start}; {name} >= {first}; {name}--)"
            return place, f"for (int64_t {name} = {first}; {name} < {last}; {name}++)"
        if step == "-1" and not line.entries and not line.backwards:
            return name, f"for (int64_t {name} = {first}; {name} > {last}; {name}--)"
        trips, place = self.counter("trips"), self.counter("k")
        self.add(f"const int64_t {trips} = ad_trips({first}, {last}, {step});", indent)
        if line.backwards:
            start = f"{place} = {trips} - 1, {name} = {first} + {place} * {step}"
            moved = f"{place}--, {name} -= {step}"
            return place, f"for (int64_t {start}; {place} >= 0; {moved})"
        start = f"{place} = 0, {name} = {first}"
        moved = f"{place}++, {name} += {step}"
        return place, f"for (int64_t {start}; {place} < {trips}; {moved})"

    def _bound(self, piece: Piece, word: str, changed: set[str], indent: int) -> str:
        """A bound, which is computed once and does not change."""
        text = self.text(piece)
        if piece.is_atom and text not in changed:
            return text
        name = self.counter(word)
        self.add(f"const int64_t {name} = {text};", indent)
        self.checked(piece, indent)
        return name


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
