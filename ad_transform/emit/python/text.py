"""Lines with names become text; the layouts are those of `emit.python.layout`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ad_transform.emit.python import layout, states, updates
from ad_transform.emit.python.dicts.keyed import Keyed
from ad_transform.emit.python.expressions import Names, text_of
from ad_transform.emit.python.layout import INDENT
from ad_transform.emit.python.otherwise import Otherwise, with_else
from ad_transform.emit.python.popped import popped
from ad_transform.emit.python.ranges import range_of, reversed_range
from ad_transform.emit.python.signature import ANYTHING, list_of, list_of_items
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
    Print,
    Raise,
    Resume,
    Return,
    Reverse,
    StartCount,
    StartList,
    StartStates,
    Step,
    Stops,
    Take,
    Unpack,
    Update,
    read_by,
    walk,
)
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.emit.width import width
from ad_transform.ir.nodes import Maker, Var
from ad_transform.later import later

with later():
    from ad_transform.emit.python.filled import filled
    from ad_transform.emit.python.messages import message_of, printed

_TARGET = re.compile(r".*?\] [+-]?= ")
"""The beginning of a write to an element: `x[i] = `, `x[i] += `, `x[i] -= `."""


class Writer:
    """Collects the text of a function's body."""

    def __init__(
        self, names: Names, reference: Callable[[str], str], limit: int
    ) -> None:
        self.names = names
        self.reference = reference
        self.limit = limit
        self.out: list[str] = []
        self.printed: dict[int, Line] = {}  # by the place of the text in `out`
        self.doubtful = False  # whether black might lay a statement out otherwise
        self._every: Sequence[Line] = ()
        self._reads: Counter[Var] | None = None
        self.returned: Callable[[Sequence[str], int], list[str]] | None = None

    def whole(self, lines: Sequence[Line], results: Sequence[Piece]) -> None:
        """Append the text of a function that ends with a return."""
        self._every = [*lines, Return(tuple(results))]
        self.write(lines)

    def write(self, lines: Sequence[Line], indent: int = INDENT) -> None:
        """Append the text of lines; blocks are as deep as the source's."""
        taken = popped(lines, self.text, self._times_read)
        for each in with_else(self, taken, self._every):
            line = each.loop if isinstance(each, Otherwise) else each
            first = len(self.out)
            WRITERS[type(line)](self, line, indent)
            if isinstance(each, Otherwise):
                self.out.append(f"{' ' * indent}else:")
                self._suite(each.orelse, indent)
            for place in range(first, len(self.out)):
                self.printed.setdefault(place, line)  # inner lines have been here

    def _times_read(self, var: Var) -> int:
        """How often the lines of the function read a named value."""
        if self._reads is None:
            self._reads = Counter(v for one in walk(self._every) for v in read_by(one))
        return self._reads[var]

    def statement(self, head: str, text: str, tail: str, indent: int) -> None:
        """Append one statement, broken where it is too long."""
        line = f"{' ' * indent}{head}{text}{tail}"
        if width(line) <= self.limit:
            self.out.append(line)
            return
        if not layout.splits_well(head, text, tail, indent, self.limit):
            self.doubtful = True
        self.out += layout.statement(head, text, tail, indent, self.limit)

    def notes(self, notes: Sequence[str], indent: int) -> None:
        """Append comment lines."""
        margin = " " * indent
        self.out += (margin + layout.comment(note) for note in layout.readable(notes))

    def comment(self, start: int, notes: Sequence[str], indent: int) -> None:
        """Give the statement that begins at line `start` its comments."""
        if notes:
            lines = self.out[start:]
            self.out[start:] = layout.commented(lines, notes, indent, self.limit)

    def text(self, piece: Piece) -> str:
        """A piece on one line."""
        return text_of(piece, self.names)

    # --- one method for each kind of line ---------------------------------------------

    def _bind(self, line: Bind, indent: int) -> None:
        annotation = f": {list_of(line.var.type)}" if line.annotated else ""
        target, value = self.names[line.var] + annotation, self.text(line.value)
        if target != value:  # else the name goes on to the next value
            self.assigned(target, value, line.notes, indent)

    def assigned(
        self, target: str, value: str, notes: Sequence[str], indent: int
    ) -> None:
        """Append `target = value` with its comments."""
        if notes:
            self.out += layout.assignment(target, value, notes, indent, self.limit)
        else:
            self.statement(f"{target} = ", value, "", indent)

    def _bind_all(self, line: BindAll, indent: int) -> None:
        value = self.text(line.value)
        room = self.limit - indent - width(value)
        head = ""
        for name in dict.fromkeys(self.names[var] for var in line.vars):
            if head and width(head) + width(name) + len(" = ") > room:
                self.assigned(head.removesuffix(" = "), value, (), indent)
                head = ""
            head += f"{name} = "
        self.assigned(head.removesuffix(" = "), value, (), indent)

    def _unpack(self, line: Unpack, indent: int) -> None:
        names = [self.names[var] for var in line.vars]
        self.unpacked(names, self.text(line.value), indent)

    def unpacked(self, names: Sequence[str], value: str, indent: int) -> None:
        """Append `names = value`; a call that is too long is broken before names."""
        head = f"{', '.join(names)} = "
        margin, inner = " " * indent, " " * (indent + INDENT)
        called, _, arguments = value.removesuffix(")").partition("(")
        broken = [f"{margin}{head}{called}(", f"{inner}{arguments}", f"{margin})"]
        if not arguments:  # there is nothing to stand in a line of its own
            broken = [f"{margin}{head}(", f"{inner}{value}", f"{margin})"]
        if width(f"{margin}{head}{value}") <= self.limit:
            self.out.append(f"{margin}{head}{value}")
            return
        if max(map(width, broken)) <= self.limit:
            self.out += broken
            return
        exploded = [f"{inner}{item}," for item in layout.items(arguments)]
        if width(f"{margin}{head}{called}(") <= self.limit and arguments:
            self._lines([f"{margin}{head}{called}(", *exploded, f"{margin})"])
            return
        targets = (f"{inner}{name}," for name in names)
        self.out += [f"{margin}(", *targets]
        if width(f"{margin}) = {value}") <= self.limit:
            self.out.append(f"{margin}) = {value}")
            return
        together = [f"{inner}{arguments}"]
        whole = width(*together) <= self.limit
        args = together if whole else exploded
        self._lines([f"{margin}) = {called}(", *args, f"{margin})"])

    def _lines(self, lines: Sequence[str]) -> None:
        """Append lines, one of which may be too long."""
        self.doubtful = self.doubtful or max(map(width, lines)) > self.limit
        self.out += lines

    def _start_count(self, line: StartCount, indent: int) -> None:
        self.statement(f"{self.names[line.var]} = ", "0", "", indent)

    def _start_list(self, line: StartList, indent: int) -> None:
        own, annotation, empty = line.var.type, "", "[]"
        if line.is_first:
            is_list = not isinstance(own, Keyed)
            kind = list_of_items(line.types) if is_list else list_of(own)
            annotation = f": {kind}"
        if isinstance(own, Keyed):
            empty = own.empty
        self.statement(f"{self.names[line.var]}{annotation} = ", empty, "", indent)

    def _step(self, line: Step, indent: int) -> None:
        self.out.append(f"{' ' * indent}{self.names[line.var]} += 1")

    def _append(self, line: Append, indent: int) -> None:
        self.grouped(f"{self.names[line.var]}.append(", line.values, ")", indent)

    def grouped(
        self, head: str, values: Sequence[Piece], tail: str, indent: int
    ) -> None:
        """Append a call or list of one value, or of a tuple of several."""
        texts = [self.text(value) for value in values]
        self.grouped_texts(head, texts, tail, indent)

    def grouped_texts(
        self, head: str, texts: Sequence[str], tail: str, indent: int
    ) -> None:
        """Append a call or list of one text, or of a tuple of several."""
        margin = " " * indent
        item = texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
        head = f"{margin}{head}"
        if width(f"{head}{item}{tail}") <= self.limit:
            self.out.append(f"{head}{item}{tail}")
            return
        body = layout.bracketed(item, " " * (indent + INDENT), "", self.limit)
        self.out += [head, *body, f"{margin}{tail}"]

    def _do(self, line: Do, indent: int) -> None:
        start, text = len(self.out), self.text(line.value)
        targets, _, values = text.partition(" = ")
        if values and len(layout.items(targets)) > 1:  # an exchange
            self.out += layout.several(targets, values, indent, self.limit)
        else:
            target = _TARGET.match(text)
            head = target.group() if target else ""
            self.statement(head, text.removeprefix(head), "", indent)
        self.comment(start, line.notes, indent)

    def _reverse(self, line: Reverse, indent: int) -> None:
        self.out.append(f"{' ' * indent}{self.names[line.var]}.reverse()")

    def _assert(self, line: Assert, indent: int) -> None:
        start = len(self.out)
        message = message_of(line, self.names)
        self.statement("assert ", self.text(line.test), message, indent)
        self.comment(start, line.notes, indent)

    def _raise(self, line: Raise, indent: int) -> None:
        self.notes(line.notes, indent)
        message = message_of(line, self.names).removeprefix(", ")
        if line.test is not None:
            self.statement("if ", self.text(line.test), ":", indent)
            indent += INDENT
        error = self.reference(_error(line))
        raised = f"{error}({message})" if message else error
        self.statement("raise ", raised, "", indent)

    def _print(self, line: Print, indent: int) -> None:
        start = len(self.out)
        call = f"{self.reference('builtins.print')}({printed(line, self.names)})"
        self.statement("", call, "", indent)
        self.comment(start, line.notes, indent)

    def _if(self, line: If, indent: int) -> None:
        self.notes(line.notes, indent)
        self.statement("if ", self.text(line.test), ":", indent)
        self._suite(line.then, indent)
        while (other := _only(line.orelse)) is not None:
            line = other
            self.statement("elif ", self.text(line.test), ":", indent)
            self._suite(line.then, indent)
        if line.orelse:
            self.out.append(f"{' ' * indent}else:")
            self._suite(line.orelse, indent)

    def _suite(self, lines: Sequence[Line], indent: int) -> None:
        self.write(lines, indent + INDENT)
        if not lines:
            self.out.append(f"{' ' * (indent + INDENT)}pass")

    def _for(self, line: For, indent: int) -> None:
        if filled(self, line, indent):
            return
        self.notes(line.notes, indent)
        head, targets = self._targets(line)
        order = self._order(line)
        whole = self.clause(line).removesuffix(order)
        # black breaks a call of one argument last
        several = ", " in order
        called = order.partition("(")[0] + "(" if several else f"{order}:"
        if width(f"{' ' * indent}{whole}{called}") <= self.limit or len(targets) == 1:
            self._over(whole, order, indent)
        else:
            margin, inner = " " * indent, " " * (indent + INDENT)
            self.out.append(f"{margin}for {head or '('}")
            for target in targets:
                self.out += layout.bracketed(target, inner, ",", self.limit)
            self._over(") in ", order, indent)
        self._suite(line.body, indent)

    def clause(self, line: For) -> str:
        """`for x, y in zip(xs, ys)`, as in a comprehension."""
        head, targets = self._targets(line)
        bound = f"{head}{', '.join(targets)}{')' * bool(head)}"
        return f"for {bound} in {self._order(line)}"

    def _over(self, head: str, order: str, indent: int) -> None:
        """Append `head order:`; black leaves lists on one line, or one a line, if all
        fit.
        """
        lines = layout.statement(head, order, ":", indent, self.limit)
        lists = layout.items(order.partition("(")[2].removesuffix(")"))
        is_broken = len(lists) > 1 and len(lines) in (3, len(lists) + 2)
        if is_broken and max(map(width, lines)) <= self.limit:
            self.out += lines
        else:
            self.statement(head, order, ":", indent)

    def _targets(self, line: For) -> tuple[str, list[str]]:
        """The names that a trip binds. Of one tuple beside an index only the items are
        listed, behind `index, (`; so are tuples that are numbered.
        """
        groups = [[self.names[var] for var in group] for group, _ in line.entries]
        index = [] if line.index is None else [self.names[line.index]]
        if len(groups) == 1 and (len(groups[0]) == 1 or not index):
            return "", [*index, *groups[0]]
        if len(groups) == 1 and index:
            return f"{index[0]}, (", groups[0]
        tuples = [g[0] if len(g) == 1 else f"({', '.join(g)})" for g in groups]
        if index and not line.bounds:
            return f"{index[0]}, (", tuples
        return "", [*index, *tuples]

    def _order(self, line: For) -> str:
        """The sequence that a loop goes over."""
        reference = self.reference
        is_numbered = line.index is not None and not line.bounds
        lists = [self.text(stack) for _, stack in line.entries]
        if line.backwards:
            lists = [f"{reference('builtins.reversed')}({one})" for one in lists]
        if line.index is not None and line.bounds:
            bounds = [self.text(bound) for bound in line.bounds]
            written = reversed_range if line.backwards else range_of
            lists = [written(bounds, reference), *lists]
        if len(lists) > 1:
            lists = [f"{reference('builtins.zip')}({', '.join(lists)})"]
        if is_numbered:
            return f"{reference('builtins.enumerate')}({lists[0]})"
        return lists[0]

    def _loop(self, line: Loop, indent: int) -> None:
        self.notes(line.notes, indent)
        test = "True" if line.test is None else self.text(line.test)
        self.statement("while ", test, ":", indent)
        self._suite(line.body, indent)

    def _continue(self, line: Continue, indent: int) -> None:
        self.out.append(f"{' ' * indent}continue")

    def _return(self, line: Return, indent: int) -> None:
        self.leave(line.values, indent)

    def leave(self, values: Sequence[Piece], indent: int) -> None:
        """Append `return values`; groups of them are laid out by `returned`."""
        texts = [self.text(piece) for piece in values]
        if self.returned is None:
            self.statement("return ", texts[0], "", indent)
        else:
            self.out += self.returned(texts, indent)

    def _take(self, line: Take, indent: int) -> None:
        names = [self.names[var] for var in line.vars]
        self.unpacked(names, f"{self.names[line.held]}.pop()", indent)

    def _break(self, line: Break, indent: int) -> None:
        self.out.append(f"{' ' * indent}break")


def _only(lines: Sequence[Line]) -> If | None:
    """The only line behind an `else`, if it is a branch."""
    only = lines[0] if len(lines) == 1 else None
    return only if isinstance(only, If) and not only.notes else None


WRITERS: dict[type[Line], Any] = {
    Bind: Writer._bind,
    BindAll: Writer._bind_all,
    Unpack: Writer._unpack,
    Update: updates.update,
    StartCount: Writer._start_count,
    StartList: Writer._start_list,
    StartStates: states.start_states,
    Stops: states.stops,
    Hold: states.hold,
    HoldMore: states.hold_more,
    Resume: states.resume,
    Step: Writer._step,
    Append: Writer._append,
    Take: Writer._take,
    Do: Writer._do,
    Reverse: Writer._reverse,
    Assert: Writer._assert,
    Raise: Writer._raise,
    Print: Writer._print,
    If: Writer._if,
    For: Writer._for,
    Loop: Writer._loop,
    Break: Writer._break,
    Continue: Writer._continue,
    Return: Writer._return,
}


def _error(line: Raise) -> str:
    """The exception that is raised, by its qualified name."""
    if isinstance(line.error, Maker):
        return line.error.qualified
    return f"builtins.{line.error}"


def referred(lines: Sequence[Line]) -> Iterator[str]:
    """The references of lines beside those of their expressions."""
    for line in walk(lines):
        if type(line) is Bind:  # nearly always
            continue
        if isinstance(line, Raise):
            yield _error(line)
        elif isinstance(line, Print):
            yield "builtins.print"
        elif isinstance(line, StartList):
            if ANYTHING in list_of_items(line.types):
                yield "typing.Any"
        elif isinstance(line, For):
            if line.index is not None:
                yield "builtins.range" if line.bounds else "builtins.enumerate"
            if line.backwards:
                yield "builtins.reversed"
            if len(line.entries) + (line.index is not None and bool(line.bounds)) > 1:
                yield "builtins.zip"
        else:
            yield from states.referred(line)
