"""The machine that runs compact code on drafts and so flattens a function.

Calls of functions of the file are run in place, which is inlining; tuples, lists and
functions exist only while it runs. Nothing is merged, reordered or simplified.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from ad_transform.diagnostics import Span
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Literal
from ad_transform.ir.types import BOOL, INT, STR
from ad_transform.ir.typing import result_type
from ad_transform.read import choices, sequences
from ad_transform.read.binding import annotate, bind, named
from ad_transform.read.branches import FALSE, TRUE, fork, guarded, result
from ad_transform.read.calls import call
from ad_transform.read.code import (
    Assert,
    Attribute,
    Bind,
    Body,
    Call,
    Choose,
    Code,
    Compare,
    Contains,
    Cut,
    Define,
    Drop,
    Each,
    Fail,
    Fork,
    Gather,
    Haze,
    Instruction,
    IsNone,
    Item,
    Keep,
    Lazy,
    Leave,
    Load,
    Operate,
    Pack,
    Push,
    Repeat,
    Skip,
)
from ad_transform.read.exits import AWAY, BROKEN, RESULT, RETURNED
from ad_transform.read.gathers import gather
from ad_transform.read.module import Module, in_library, is_library
from ad_transform.read.physics import PREFIX
from ad_transform.read.repeats import each, repeat
from ad_transform.read.values import (
    Closure,
    Dotted,
    Draft,
    DraftApply,
    DraftCheck,
    DraftStatement,
    FileFunction,
    Frame,
    Group,
    Names,
    Number,
    Partial,
    Promise,
    Special,
    Value,
    describe,
)
from ad_transform.read.workshop import Mark

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
_ORDERED = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})

Definitions = Callable[[str], Value]


class Machine:
    """Runs code on a stack; `statements` is the program so far.

    `define` gives the closure of a function of the file, REFUSED where it was.
    """

    def __init__(self, module: Module, define: Definitions) -> None:
        self.module = module
        self.define = define
        self.statements: list[DraftStatement] = []
        self.stack: list[Value] = []
        self.frame = Frame()
        self.running: list[Code] = []
        self.seen: set[Code] = set()
        self.endless: set[Code] = set()
        self.count = 0
        self.is_full = False
        self.left: Span | None = None
        self.wholes: dict[Draft, int] = {}  # whole numbers that are known
        self.truths: dict[Draft, bool] = {}  # comparisons of what is known
        self.counters: dict[Draft, Each] = {}  # by what depends on a loop's index
        self.parting: tuple[str, ...] = ()  # comments at the last `return`

    # --- what the instructions share -------------------------------------------------

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
            _RUN[kind](self, instruction)
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
        elif out.type is INT and self.counters:
            self._count(out, args)
        self.add(DraftApply(out, op, tuple(args)))
        return out

    def _count(self, out: Draft, args: Sequence[Number]) -> None:
        """Remember that a whole number depends on the index of a loop."""
        for arg in args:
            if isinstance(arg, Draft) and arg in self.counters:
                self.counters[out] = self.counters[arg]

    def mark(self) -> Mark:
        """What `back` takes everything back to."""
        frame, statements = self.frame, self.statements
        return Mark(
            frame,
            len(frame.trail),
            frame.loops,
            frame.hazy,
            statements,
            len(statements),
            len(self.stack),
            len(self.running),
            self.count,
            frozenset(self.seen),
            (self.left, self.parting),
        )

    def back(self, mark: Mark) -> None:
        """Take back all that has been done since a mark."""
        frame = self.frame = mark.frame
        while len(frame.trail) > mark.trail:
            frame.restore(frame.trail.pop())
        frame.loops, frame.hazy = mark.loops, mark.hazy
        self.statements = mark.statements
        del self.statements[mark.length :]
        del self.stack[mark.stack :]
        del self.running[mark.running :]
        self.count, self.seen = mark.count, set(mark.seen)
        self.left, self.parting = mark.said

    def add(self, statement: DraftStatement) -> None:
        """Put a statement behind the others."""
        self.statements.append(statement)

    def block(self, run: Callable[[], T]) -> tuple[list[DraftStatement], T]:
        """What `run` computes in a block of its own, and its value."""
        outer, self.statements = self.statements, []
        value = run()
        body, self.statements = self.statements, outer
        return body, value

    def number(self, value: Value, span: Span) -> Number | None:
        """A value as an operand; None (and a report of AD107) where it is none."""
        if isinstance(value, Draft | Literal):
            if value.type is not STR:
                return value
        elif value is Special.REFUSED:
            return None
        if isinstance(value, Dotted) and not value.name.startswith("builtins."):
            self.foreign(value, span)
            return None
        message = f"{describe(value)} cannot be used as a number"
        self.refuse("AD107", message, span, _WAYS_OUT.get(type(value), ""))
        return None

    def foreign(self, value: Dotted, span: Span) -> Value:
        """Refuse something of another module that is not called."""
        if not is_library(value.name):
            message = f"{value.name.lstrip('.')!r} lives in another module"
            return self.refuse("AD121", message, span, "define it in this file")
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
            if type(value) not in _NUMBERS or cast(Number, value).type is STR:
                break
        else:
            if op.name == "pos" and numbers[0].type is not BOOL:
                return numbers[0]
            return self.apply(op, numbers, span)
        if op.name in _ORDERED and _are_texts(values):
            return self.apply(op, numbers, span)
        made = sequences.joined(self, op.name, tuple(values), self.wholes, span)
        if made is not None:
            return made
        for value in values:
            self.number(value, span)
        return Special.REFUSED

    def materialise(self, value: Value) -> Value:
        """A function of the file as a closure; any other value as it is."""
        return self.define(value.name) if isinstance(value, FileFunction) else value

    def enter(self, closure: Closure, names: dict[str, Value], span: Span) -> Value:
        """The result of a function of the file with its parameters bound."""
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
        frame, self.frame = self.frame, Frame(
            closure.around,
            cast(Names, names),
            len(self.running) + 1,
            quiet,
            function=code.name if self.running else "",
        )
        self.running.append(code)
        value = self.run(code.body)
        returned = result(self, self.frame, code.name, span)
        self.running.pop()
        self.seen.add(code)
        self.frame = frame
        return value if returned is None else returned

    def _too_large(self, span: Span) -> Value:
        if not self.is_full:  # said once, or every call on the way out would say it
            self.is_full = True
            message = f"more than {OPERATIONS} operations when functions are inlined"
            self.refuse("AD004", message, span, "mark smaller functions")
        return Special.REFUSED

    def _recursion(self, code: Code, span: Span) -> Value:
        last = len(self.running) - 1 - self.running[::-1].index(code)
        self.endless.update(self.running[last:])
        cycle = " -> ".join(c.name for c in (*self.running[last:], code))
        message = f"{code.name!r} calls itself: {cycle}"
        help_ = "write the steps out, or one function for each level"
        return self.refuse("AD120", message, span, help_)

    def _pop(self, count: int) -> list[Value]:
        if not count:
            return []
        taken = self.stack[-count:]
        del self.stack[-count:]
        return taken

    # --- instructions ---------------------------------------------------------------

    def push(self, i: Push) -> None:
        self.stack.append(i.value)

    def load(self, i: Load) -> None:
        frame: Frame | None = self.frame
        for _ in range(i.up):
            frame = frame.around if frame else None
        assert frame is not None
        value = frame.names.get(i.name)
        if isinstance(value, Promise):
            value = value.at(i.span)
        elif value is None:
            value = Special.REFUSED
            if not frame.hazy:
                message = f"{i.name!r} is used before it is bound"
                help_ = "it is local, for the function binds it somewhere"
                self.refuse("AD103", message, i.span, help_)
        self.stack.append(value)

    def operation(self, i: Operate) -> None:
        values = self._pop(i.arity)
        self.stack.append(self.operate(i.op, values, i.span))

    def compare(self, i: Compare) -> None:
        left, right = self._pop(2)
        self.stack.append(self._link(i.op, left, right, i.links, i.span))

    def _link(
        self,
        op: Elemental,
        left: Value,
        right: Value,
        links: tuple[tuple[Elemental, Body], ...],
        span: Span,
    ) -> Value:
        test = self.operate(op, (left, right), span)
        if not links:
            return test
        (following, body), *rest = links

        def link() -> Value:
            value = self.run(body)
            return self._link(following, right, value, tuple(rest), span)

        return choices.lazily(self, test, True, link, span)

    def lazy(self, i: Lazy) -> None:
        test = self.stack.pop()

        def rest() -> Value:
            value = self.run(i.body)
            return choices.truth(self, value, _sign(i), i.span) if i.tests else value

        if i.tests:
            test = choices.truth(self, test, _sign(i), i.span)

        result = choices.lazily(self, test, i.conjunction, rest, i.span)
        self.stack.append(result)

    def choice(self, i: Choose) -> None:
        test = self.stack.pop()
        result = choices.choose(
            self,
            test,
            lambda: self.run(i.then),
            lambda: self.run(i.orelse),
            "a conditional expression",
            i.span,
        )
        self.stack.append(result)

    def call(self, i: Call) -> None:
        values = self._pop(len(i.arguments))
        callee = self.materialise(self.stack.pop())
        self.stack.append(call(self, callee, i, values))

    def pack(self, i: Pack) -> None:
        items: list[Value] = []
        for value, spread in zip(self._pop(len(i.starred)), i.starred, strict=True):
            if not spread:
                items.append(value)
            elif isinstance(value, Group):
                items += value.items
            else:
                items.append(self.unspreadable(value, i.span))
        self.stack.append(Group(i.container, tuple(items)))

    def unspreadable(self, value: Value, span: Span) -> Value:
        """Refuse to take something apart that is neither a tuple nor a list."""
        if value is Special.REFUSED:
            return value
        message = f"{describe(value)} cannot be taken apart"
        return self.refuse("AD107", message, span, sequences.SCALAR)

    def item(self, i: Item) -> None:
        group, index = self._pop(2)
        taken = sequences.item(self, group, index, self.wholes, i.span)
        self.stack.append(taken)

    def cut(self, i: Cut) -> None:
        group, *bounds = self._pop(4)
        self.stack.append(sequences.cut(self, group, bounds, self.wholes, i.span))

    def contains(self, i: Contains) -> None:
        value, group = self._pop(2)
        found = sequences.contains(self, value, group, i.negated, i.span)
        self.stack.append(found)

    def attribute(self, i: Attribute) -> None:
        value = self.stack.pop()
        if isinstance(value, Dotted):
            self.stack.append(in_library(f"{value.name}.{i.name}"))
        elif value is Special.REFUSED:
            self.stack.append(value)
        else:
            message = f"the attribute {i.name!r} of {describe(value)} is not supported"
            help_ = "take it as a parameter of its own"
            self.stack.append(self.refuse("AD102", message, i.span, help_))

    def define_function(self, i: Define) -> None:
        values = self._pop(len(i.defaults))
        defaults = dict(zip(i.defaults, values, strict=True))
        self.stack.append(Closure(i.code, self.frame, defaults))

    def keep(self, i: Keep) -> None:
        self.stack[-1] = named(self.frame, self.stack[-1], i.name, ())
        self.frame.bind(i.name, self.stack[-1])

    def bind(self, i: Bind) -> None:
        value = self.stack.pop()
        notes = i.notes
        for target in i.targets:
            if bind(self, self.frame, target, value, notes):
                notes = ()

    def leave(self, i: Leave) -> None:
        value = self.stack.pop()
        frame = self.frame
        if frame.depth > 1 or frame.trail:
            annotate(frame, value, i.notes)
        self.left, self.parting = i.span, () if frame.trail else i.notes
        frame.bind(RESULT, value)
        self._away()

    def _away(self) -> None:
        """The function is over."""
        self.frame.bind(AWAY, TRUE)
        if self.frame.loops:
            self.frame.bind(RETURNED, TRUE)

    def skip(self, i: Skip) -> None:
        self.frame.bind(AWAY, TRUE)
        if i.breaks:
            self.frame.bind(BROKEN, TRUE)

    def gather(self, i: Gather) -> None:
        self.stack.append(gather(self, self.stack.pop(), i))

    def each(self, i: Each) -> None:
        each(self, self.stack.pop(), i)

    def repeat(self, i: Repeat) -> None:
        repeat(self, i)

    def fail(self, i: Fail) -> None:
        message = self._message(i)
        if message is not None:
            holds = Literal(False)
            self.add(DraftCheck(holds, message, i.formats, i.span, i.notes, i.error))
        self._away()

    def _message(self, i: Assert | Fail) -> tuple[str | Number, ...] | None:
        """The parts of a message; None where one is refused."""
        values = self._pop(sum(text is None for text in i.message))
        numbers = iter([self.said(value, i.span) for value in values])
        parts = [next(numbers) if text is None else text for text in i.message]
        return None if None in parts else cast(tuple[str | Number, ...], tuple(parts))

    def said(self, value: Value, span: Span) -> Number | None:
        """A value that a message shows, a text too; None after a report."""
        is_plain = isinstance(value, Draft | Literal)
        return cast(Number, value) if is_plain else self.number(value, span)

    def fork(self, i: Fork) -> None:
        fork(self, self.stack.pop(), i)

    def is_none(self, i: IsNone) -> None:
        value = self.stack.pop()
        if value is not Special.REFUSED:
            value = Literal((value is Special.NONE) is not i.negated)
        self.stack.append(value)

    def drop(self, i: Drop) -> None:
        if self.stack.pop() is Special.REFUSED:  # perhaps a `yield`
            self.frame.hazy = True

    def check(self, i: Assert) -> None:
        message = self._message(i)
        test = self.said(self.stack.pop(), i.span)
        if test is None or message is None:
            return
        notes = () if self.frame.quiet else i.notes
        self.add(DraftCheck(test, message, i.formats, i.span, notes))

    def haze(self, i: Haze) -> None:
        self.frame.hazy = True


_WAYS_OUT: dict[type, str] = {
    Group: "take its elements: `a, b = t`, or `t[0]`",
    Closure: "call it",
    Partial: "call it",
    FileFunction: "call it",
    Dotted: "call it",
    Special: "a function without `return` gives None",
    Draft: "a str can be compared and passed on",
    Literal: "a str can be compared and passed on",
}


def _sign(i: Lazy) -> str:
    return "`and`" if i.conjunction else "`or`"


def _are_texts(values: Sequence[Value]) -> bool:
    return all(isinstance(v, Draft | Literal) and v.type is STR for v in values)


_RUN: dict[type[Instruction], Callable[[Machine, Any], None]] = {
    Push: Machine.push,
    Load: Machine.load,
    Operate: Machine.operation,
    Compare: Machine.compare,
    Lazy: Machine.lazy,
    Call: Machine.call,
    Pack: Machine.pack,
    Item: Machine.item,
    Cut: Machine.cut,
    Contains: Machine.contains,
    Choose: Machine.choice,
    Attribute: Machine.attribute,
    Define: Machine.define_function,
    Keep: Machine.keep,
    Bind: Machine.bind,
    Drop: Machine.drop,
    Leave: Machine.leave,
    Fail: Machine.fail,
    Fork: Machine.fork,
    Skip: Machine.skip,
    Gather: Machine.gather,
    Each: Machine.each,
    Repeat: Machine.repeat,
    IsNone: Machine.is_none,
    Assert: Machine.check,
    Haze: Machine.haze,
}
