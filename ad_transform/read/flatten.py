"""The flattener runs compact code on values without numbers and writes one program.

Calls of functions of the file are run in place, which is inlining; tuples, lists and
functions exist only while it runs. Nothing is merged, reordered or simplified.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar, cast

from ad_transform.diagnostics import Span
from ad_transform.ir.dims import ANY
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import BOOL, INT, STR, Type
from ad_transform.ir.typing import result_type
from ad_transform.read import (
    elementwise,
    extents,
    indexing,
    lending,
    maybe,
    of_arrays,
    remembering,
    sequences,
)
from ad_transform.read.branches import guarded, result
from ad_transform.read.classes import Class
from ad_transform.read.code import Body, Code, Each, Fail, Fork, Leave, Repeat, Skip
from ad_transform.read.context import Snapshot
from ad_transform.read.described import describe
from ad_transform.read.drafts import DraftApply, DraftCheck, DraftStatement
from ad_transform.read.equations import through_function
from ad_transform.read.flags import AWAY, FALSE, TRUE
from ad_transform.read.frames import Frame, Names
from ad_transform.read.heap import Heap
from ad_transform.read.instructions import RUN
from ad_transform.read.kept import Keeper
from ad_transform.read.lines import Lines
from ad_transform.read.module import Module
from ad_transform.read.objects import Remembered
from ad_transform.read.outputs import chosen
from ad_transform.read.passive import made_passive
from ad_transform.read.physics import PREFIX
from ad_transform.read.printed import Printer, dropped
from ad_transform.read.rebinding import Changed
from ad_transform.read.values import (
    Array,
    Cell,
    Closure,
    Dict,
    Dotted,
    Draft,
    FileFunction,
    FileModule,
    Group,
    Key,
    Layout,
    Lists,
    Maybe,
    Number,
    Object,
    Once,
    Outputs,
    Partial,
    Rows,
    Special,
    Stack,
    Unread,
    Value,
    View,
    is_whole,
)
from ad_transform.read.views import refuse_aliases
from ad_transform.read.wholes import MOST

OPERATIONS = 1_000_000
"""Operations after inlining above which a program is refused."""

CALLS = 200
"""Functions that may be running inside one another."""

REENTRIES = 4
"""Times that a function may be running: `g(lambda t: g(abs, t), x)` comes to an end."""


EXITS = frozenset({Leave, Fail, Fork, Skip, Each, Repeat})
"""Instructions behind which nothing may run."""

T = TypeVar("T")

_NUMBERS = (Draft, Literal)

_NATURAL = frozenset({
    "add", "mul", "floordiv", "mod", "min", "max",
    "bit_and", "bit_or", "bit_xor", "shift_left", "shift_right",
})  # fmt: skip
"""Operations that make no whole number below 0 of others that are not."""

_OF_TRUTHS = {"both": ("&", "and"), "either": ("|", "or")}
_ORDERED = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})


class Flattener:
    """Runs code on a stack; `statements` is the program so far."""

    def __init__(
        self,
        module: Module,
        sites: Mapping[Span, Type | None] | None = None,
        keeper: Keeper | None = None,
        layouts: Mapping[Span, Layout] | None = None,
    ) -> None:
        self.module = module
        self.keeper = keeper
        self.sites = sites or {}  # lists and tuples that have to be arrays, see `Refit`
        self.fits = sites is not None
        self.layouts = layouts or {}
        self.displays: set[Span] = set()
        self.heap = Heap()
        self.prelude: list[DraftStatement] = []  # what stands before all others
        # what arrays may see
        self.views: dict[Draft | Cell, tuple[Draft | Cell, ...]] = {}
        self.lines = Lines()  # what lists of layers are made of
        self.viewed: set[Cell] = set()  # those of which whole arrays may be views
        self.changes: list[Changed] = []  # of whole arrays, one after the other
        self.remembered: list[Remembered] = []  # properties that objects remember
        self.tried: list[bool] = []  # loops that stay for a try: are they very long?
        self.given: set[Draft] = set()  # arrays that are parameters
        self.inputs: set[Draft] = set()  # the numbers of all parameters
        self.changed: set[Cell] = set()  # arrays whose elements are written
        self.rounding: set[Cell] = set()  # of whole numbers, of lists that get floats
        self.made: set[Span] = set()  # where arrays are made that may be whole ones
        self.tables: dict[Value, Value] = {}  # constants that are indexed
        self.keyed: dict[tuple[Value, tuple[Key, ...]], DraftCheck] = {}
        self.statements: list[DraftStatement] = []
        self.outer: list[list[DraftStatement]] = []  # of the blocks around
        self.stack: list[Value] = []
        self.outputs = Outputs()
        self.printer: Printer = dropped
        self.frame = Frame()
        self.is_kept = False  # what this makes is called: it has a frame around it
        self.running: list[Code] = []
        self.callers: list[Frame] = []  # the frames that wait for what is running
        self.seen: set[Code] = set()
        self.endless: set[Code] = set()
        self.equations = 0  # that are being solved here: there no function is kept
        self.count = 0
        self.is_full = False
        self.left: Span | None = None
        self.wholes: dict[Draft, int] = {}  # whole numbers that are known
        self.truths: dict[Draft, bool] = {}  # comparisons of what is known
        # by tests of what may be None: where one is so, what is given is so
        self.told: dict[Draft, tuple[tuple[bool, Draft, bool], ...]] = {}
        self.given_here: dict[Draft, bool] = {}  # what is known in this block
        self.counters: dict[Draft, Each] = {}  # by what depends on a loop's index
        self.parting: tuple[str, ...] = ()  # comments at the last `return`

    def refuse(self, code: str, message: str, span: Span, help_: str = "") -> Value:
        """Report, and go on with a value that is known to be refused."""
        self.module.report.add(code, message, span, help_)
        return Special.REFUSED

    def run(self, body: Body) -> Value:
        """The value that a body leaves on the stack."""
        height = len(self.stack)
        self.perform(body)
        if len(self.stack) > height:
            return self.stack.pop()
        return Special.REFUSED if self.frame.hazy else Special.NONE

    def perform(self, body: Body) -> None:
        """Run a body as far as it goes; what may have been left runs under a flag."""
        for place, instruction in enumerate(body, 1):
            kind = type(instruction)
            RUN[kind](self, instruction)
            if kind not in EXITS:
                continue
            away = self.frame.names.get(AWAY, FALSE)
            if away == TRUE:
                return
            if away != FALSE:
                rest = body[place:]
                if rest:
                    guarded(self, cast(Value, away), rest, cast(Fork, instruction).span)
                return

    def apply(self, op: Elemental, args: Sequence[Number], span: Span) -> Value:
        """The value of `op(*args)`, a new draft."""
        if self.count >= OPERATIONS:
            return self._too_large(span)
        self.count += 1
        out = Draft(result_type(op, args), span)  # type: ignore[arg-type]
        number = sequences.computed(op, tuple(args), self.wholes)
        if number is not None:
            self.wholes[out] = number
        elif out.type is BOOL:
            holds = sequences.decided(op, tuple(args), self)
            if holds is not None:
                self.truths[out] = holds
            if self.told and op.name == "not" and isinstance(args[0], Draft):
                maybe.turned(self, args[0], out)
        elif out.type is INT:
            self._count(out, args)
            if op.name in _NATURAL and all(extents.is_natural(self, a) for a in args):
                self.heap.naturals.add(out)
                if op.name == "floordiv":
                    self.heap.quotients[out] = args[0]
        self.add(DraftApply(out, op, tuple(args)))
        return out

    def declare(
        self, op: Elemental, args: Sequence[Number], type_: Type, span: Span
    ) -> Draft:
        """The value of an operation whose type the statement says."""
        self.count += 1
        out = Draft(type_, span)
        self.add(DraftApply(out, op, tuple(args)))
        return out

    def computed(
        self,
        name: str,
        values: Sequence[Value],
        keywords: Mapping[str, Value],
        span: Span,
    ) -> Value | None:
        """What a function of the library gives that only constants are computed by;
        None where none is.
        """
        return None

    def widen(self, cell: Cell, wide: Type) -> None:
        """Begin again with a list of wider elements, if that has not been tried."""
        if self.sites.get(cell.span) != wide:
            raise Refit(cell.span, wide)

    def relay(self, site: Span, layout: Layout) -> None:
        """Begin again with a list of rows, if the list stands as `[...]`."""
        if self.fits and site in self.displays and self.layouts.get(site) != layout:
            raise Refit(site, layout=layout)

    def refit(self, group: Group) -> None:
        """Begin again with an array for a list or tuple, if it is known where.

        One that is still there the second time is made elsewhere: a module constant.
        """
        if group.site is not None and self.fits and group.site not in self.sites:
            fits = sequences.is_even(group)
            is_long = all(self.tried) or sequences.is_table(group)
            if self.tried and not (fits and is_long):
                raise sequences.Unmade
            raise Refit(group.site)

    def rewhole(self, array: Array) -> None:
        """Begin again with a parameter as a whole array, if it is one as it came."""
        origin = array.cell.origin
        is_given = origin in self.given and array.cell not in self.changed
        if is_given and self.fits and ANY not in origin.type.dims:
            wide = Type(origin.type.kind, (), origin.type.dims)
            raise Refit(array.cell.span, wide)

    def remake(self, array: Array) -> None:
        """Begin again with an array as a whole one from where it is made."""
        if len(array.cell.type.dims) > MOST:
            return
        self.rewhole(array)
        span, dims = array.cell.span, array.cell.type.dims
        is_new = span in self.made
        if array.cell not in self.changed and ANY not in dims:  # a name in a loop
            is_new |= any(span == given.span for given in self.given)
        if is_new and self.fits and self.sites.get(span) is None:
            raise Refit(span, Type(array.cell.type.kind, (), dims))

    def _count(self, out: Draft, args: Sequence[Number]) -> None:
        """Remember that a whole number depends on the index of a loop."""
        for arg in args if self.counters else ():
            if isinstance(arg, Draft) and arg in self.counters:
                self.counters[out] = self.counters[arg]

    def snapshot(self) -> Snapshot:
        """What `restore` takes everything back to."""
        frame, statements = self.frame, self.statements
        return Snapshot(
            frame,
            len(frame.trail),
            frame.loops,
            frame.hazy,
            statements,
            len(statements),
            len(self.outer),
            len(self.stack),
            len(self.running),
            self.count,
            frozenset(self.seen),
            (frozenset(self.endless), self.is_full),
            (self.left, self.parting),
            (
                len(self.heap.trail),
                len(self.heap.running),
                len(self.heap.fields.trail),
            ),
            self.heap.aliases.mark(),
            dict(self.given_here),
        )

    def restore(self, saved: Snapshot) -> None:
        """Take back all that has been done since a saved."""
        frame = self.frame = saved.frame
        while len(frame.trail) > saved.trail:
            frame.restore(frame.trail.pop())
        trail, running, kept = saved.heap
        del self.heap.running[running:]
        while len(self.heap.trail) > trail:
            self.heap.restore(self.heap.trail.pop())
        fields = self.heap.fields
        while len(fields.trail) > kept:
            fields.restore(fields.trail.pop())
        self.heap.aliases.back(saved.history)
        frame.loops, frame.hazy = saved.loops, saved.hazy
        self.statements = saved.statements
        del self.statements[saved.length :]
        del self.outer[saved.outer :]
        del self.stack[saved.stack :]
        del self.running[saved.running :]
        del self.callers[saved.running :]
        self.count, self.seen = saved.count, set(saved.seen)
        endless, self.is_full = saved.refused  # what is taken back is said again
        self.endless = set(endless)
        self.left, self.parting = saved.said
        self.given_here = dict(saved.given_here)

    def add(self, statement: DraftStatement) -> None:
        """Put a statement behind the others."""
        self.statements.append(statement)

    def block(self, run: Callable[[], T]) -> tuple[list[DraftStatement], T]:
        """What `run` computes in a block of its own, and its value."""
        self.outer.append(self.statements)
        known, self.given_here = self.given_here, dict(self.given_here)
        self.statements = []
        value = run()
        body, self.statements = self.statements, self.outer.pop()
        self.given_here = known
        return body, value

    def number(self, value: Value, span: Span) -> Number | None:
        """A value as an operand; None (and a report of AD107) where it is none."""
        value = maybe.certain(self, value, span)
        if isinstance(value, Draft | Literal):
            if not _is_special(value):
                return value
        elif value is Special.REFUSED:
            return None
        if isinstance(value, Dotted) and not value.name.startswith("builtins."):
            self.foreign(value, span)
            return None
        message = f"{describe(value)} cannot be used as a number"
        kind = Array if is_whole(value) else type(value)
        self.refuse("AD107", message, span, _WAYS_OUT.get(kind, ""))
        return None

    def foreign(self, value: Dotted, span: Span) -> Value:
        """Refuse something of another module that is not called."""
        if value.name.startswith(PREFIX):
            message = f"{value.name!r} may change with the next release of scipy"
            return self.refuse("AD107", message, span, "write the number in this file")
        message = f"{value.name!r} cannot be used as a number"
        help_ = "call it if it is a function; write the number if it is a constant"
        return self.refuse("AD107", message, span, help_)

    def operate(self, op: Elemental, values: Sequence[Value], span: Span) -> Value:
        """The value of `op(*values)` where all of them are fit for it."""
        numbers = cast(Sequence[Number], values)
        for value in values:
            if type(value) not in _NUMBERS or _is_special(cast(Number, value)):
                break
        else:
            if op.name == "pos" and numbers[0].type != BOOL:
                return numbers[0]
            if op.name in _OF_TRUTHS and any(n.type != BOOL for n in numbers):
                return self._refuse_truths(op, span)
            return self.apply(op, numbers, span)
        if any(isinstance(value, Maybe) for value in values):
            known = [maybe.certain(self, value, span) for value in values]
            return self.operate(op, known, span)
        if op.name in _ORDERED and _are_texts(values):
            return self.apply(op, numbers, span)
        made = elementwise.operated(self, op, values, span)
        if made is not None:
            return made
        made = sequences.joined(self, op.name, tuple(values), self.wholes, span)
        if made is None:
            made = indexing.repeated(self, op.name, values, span)
            made = made or of_arrays.joined(self, op.name, values, span)
        elif isinstance(made, Group):
            made = indexing.made(self, made, span)
        if made is not None:
            return made
        for value in values:
            self.number(value, span)
        return Special.REFUSED

    def _refuse_truths(self, op: Elemental, span: Span) -> Value:
        sign, word = _OF_TRUTHS[op.name]
        message = f"`{sign}` takes truth values"
        return self.refuse("AD107", message, span, f"write `{word}`")

    def materialise(self, value: Value) -> Value:
        """A function of a file as a closure; any other value as it is."""
        if not isinstance(value, FileFunction):
            return value
        return value.module.definitions.define(value.name)

    def enter(self, closure: Closure, names: dict[str, Value], span: Span) -> Value:
        """The result of a function of the file with its parameters bound."""
        value = self._entered(closure, names, span)
        return made_passive(self, value, span) if closure.code.passive else value

    def _entered(self, closure: Closure, names: dict[str, Value], span: Span) -> Value:
        if self.keeper is None or self.equations:
            return self.inlined(closure, names, span)
        kept = self.keeper.kept(self, closure, names, span)
        if kept is not None:
            return kept
        before = self.count
        value = self.inlined(closure, names, span)
        is_outermost = len(self.running) == 1
        self.keeper.enter(closure.code, self.count - before, is_outermost)
        return value

    def apart(self) -> Flattener:
        """A flattener for a function that is kept."""
        sites = self.sites if self.fits else None
        other = Flattener(self.module, sites, self.keeper, self.layouts)
        other.printer = self.printer
        return other

    def inlined(self, closure: Closure, names: dict[str, Value], span: Span) -> Value:
        """The same, written out here."""
        code = closure.code
        if code in self.endless:
            return Special.REFUSED
        if self.running.count(code) >= REENTRIES:
            return self._recursion(code, span)
        if len(self.running) >= CALLS:
            message = f"more than {CALLS} functions call one another"
            return self.refuse("AD004", message, span, "write fewer levels")
        if self.count >= OPERATIONS:
            return self._too_large(span)
        quiet = self.frame.quiet or code in self.seen
        self.callers.append(self.frame)
        frame, self.frame = self.frame, Frame(
            closure.around,
            cast(Names, names),
            len(self.running) + 1,
            quiet,
            function=code.name if self.running else "",
            given=tuple(value for value in names.values() if is_whole(value)),
            lent=lending.lent(closure, names) if self.running or self.is_kept else {},
        )
        self.running.append(code)
        value = through_function(
            self, code, names, lambda: self._returned(code, span), span
        )
        given, own = self.frame.lent, self.frame.names
        ends = {name: lending.at_end(own, name, span) for name in given}
        self.running.pop()
        self.callers.pop()
        self.seen.add(code)
        self.frame = frame
        lending.give_back(self, given, ends, span)
        if not self.running:
            refuse_aliases(self, value, self.left or span)
            remembering.refuse_changed(self)
        return value

    def _returned(self, code: Code, span: Span) -> Value:
        """What the body of a function gives."""
        value = self.run(code.body)
        returned = result(self, self.frame, code.name, span)
        value = value if returned is None else returned
        if self.outputs.names and len(self.running) == 1:
            return chosen(self, self.outputs, value)
        return value

    def _too_large(self, span: Span) -> Value:
        if not self.is_full:  # said once, or every call on the way out would say it
            self.is_full = True
            message = f"more than {OPERATIONS} operations when functions are inlined"
            self.refuse("AD004", message, span, "mark smaller functions")
        return Special.REFUSED

    def _recursion(self, code: Code, span: Span) -> Value:
        last = len(self.running) - 1 - self.running[::-1].index(code)
        self.endless.update(self.running[last:])
        if self.keeper is not None:
            self.keeper.endless.update(self.running[last:])
            if Special.REFUSED in self.frame.names.values():
                return Special.REFUSED  # something else is wrong with what it is given
            if code in self.keeper.unkept:
                why, help_ = self.keeper.unkept[code]
                message = f"{code.name!r} calls itself and {why}"
                return self.refuse("AD120", message, span, help_)
            if code in self.keeper.faults:
                self.module.report.extend((self.keeper.faults[code],))
                return Special.REFUSED
        cycle = " -> ".join(c.name for c in (*self.running[last:], code))
        message = f"{code.name!r} calls itself: {cycle}"
        help_ = "write it as a loop, or let it return numbers or a new array"
        if self.equations:
            message += ", where an equation is solved"
            help_ = "write it as a loop, or compute what it gives before the equation"
        elif self.keeper is not None and not self.keeper.keeps(code):
            help_ = "leave out `inline=always`, or write it as a loop"
        return self.refuse("AD120", message, span, help_)

    def pop(self, count: int) -> list[Value]:
        """The topmost values of the stack, taken from it."""
        if not count:
            return []
        taken = self.stack[-count:]
        del self.stack[-count:]
        return taken

    def unspreadable(self, value: Value, span: Span) -> Value:
        """Refuse to take something apart that is neither a tuple nor a list."""
        if value is Special.REFUSED:
            return value
        message = f"{describe(value)} cannot be taken apart"
        help_ = _WAYS_OUT[Object] if isinstance(value, Object) else sequences.SCALAR
        return self.refuse("AD107", message, span, help_)


class Refit(Exception):
    """A list or tuple made at `site` has to be an array of run-time index (`wide` says
    of which elements, if that is known), or a list of rows of a `layout`: the
    function is flattened once more.
    """

    def __init__(
        self, site: Span, wide: Type | None = None, layout: Layout | None = None
    ) -> None:
        super().__init__(site)
        self.site = site
        self.wide = wide
        self.layout = layout


_TEXT = 'a str can be compared and passed on; messages are f-strings, `f"{x:.2f}"`'

_WAYS_OUT: dict[type, str] = {
    Array: "write a loop over its elements: `for k in range(len(x)):`",
    Rows: "write a loop over its rows, or take a row: `rows[-1]`",
    Lists: "write a loop over its lists, or take a list: `rows[-1]`",
    View: "write a loop over its items, or take one of the dict: `d[key]`",
    Group: "take its elements: `a, b = t`, or `t[0]`",
    Object: "take its fields: `p.x`",
    Dict: 'take its entries: `d["a"]`, or the tuple of them, `(d["a"], d["b"])`',
    Stack: "write a loop over its arrays, or take one: `hist[-1]`",
    Class: "call it, or take a constant of it",
    Once: "go over its items, or make a list of them: `list(u)`",
    Unread: "annotate the field `float`, `int`, `bool` or `str`",
    Closure: "call it",
    Partial: "call it",
    FileFunction: "call it",
    FileModule: "take something of it: `module.K`",
    Dotted: "call it",
    Special: "a function without `return` gives None",
    Draft: _TEXT,
    Literal: _TEXT,
}


def _is_special(number: Number) -> bool:
    return number.type == STR or bool(number.type.shape)


def _are_texts(values: Sequence[Value]) -> bool:
    return all(isinstance(v, Draft | Literal) and v.type == STR for v in values)
