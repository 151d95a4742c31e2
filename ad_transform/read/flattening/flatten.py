"""The flattener runs compact code on values without numbers and writes one program.

Tuples, lists and functions exist only while it runs. Nothing is merged, reordered or
simplified.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from functools import partial
from typing import TypeVar, cast

from ad_transform.diagnostics import Span
from ad_transform.ir.arms.threaded import DEEP
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Container, Function, Literal
from ad_transform.ir.types import BOOL, INT, Type
from ad_transform.ir.typing import result_type
from ad_transform.later import later
from ad_transform.read.branches import maybe
from ad_transform.read.branches.branches import guarded
from ad_transform.read.branches.flags import AWAY, FALSE, TRUE
from ad_transform.read.code import (
    Attempt,
    Body,
    Code,
    Each,
    Fail,
    FailAgain,
    Fork,
    Leave,
    Repeat,
    Skip,
)
from ad_transform.read.containers import sequences
from ad_transform.read.flattening import inlining
from ad_transform.read.flattening.instructions import RUN
from ad_transform.read.flattening.outputs import Outputs
from ad_transform.read.kept.kept import Keeper
from ad_transform.read.machine import (
    operands,
    refits,
    snapshots,
)
from ad_transform.read.machine.drafts import DraftApply, DraftCheck, DraftStatement
from ad_transform.read.machine.fitted import Fitted
from ad_transform.read.machine.heap import Heap
from ad_transform.read.machine.lines import Lines
from ad_transform.read.machine.rows_out import RowsOut
from ad_transform.read.objects.objects import Remembered
from ad_transform.read.project.module import Module
from ad_transform.read.texts.printed import Printer, dropped
from ad_transform.read.values.callables import FileFunction
from ad_transform.read.values.frames import Frame
from ad_transform.read.values.layouts import Layout
from ad_transform.read.values.storage import Cell
from ad_transform.read.values.structured import Key
from ad_transform.read.values.values import Draft, Number, Special, Value

with later():
    from ad_transform.read.arrays import extents
    from ad_transform.read.arrays.rebinding import Changed
    from ad_transform.read.loops.foreseen import Foreseen

EXITS = frozenset({Leave, Fail, FailAgain, Fork, Attempt, Skip, Each, Repeat})
"""Instructions behind which nothing may run."""

T = TypeVar("T")

_NATURAL = frozenset({
    "add", "mul", "floordiv", "mod", "min", "max",
    "bit_and", "bit_or", "bit_xor", "shift_left", "shift_right",
})  # fmt: skip
"""Operations that make no whole number below 0 of others that are not."""

_SHIFTS = frozenset({"add", "sub"})


class Flattener:
    """Runs code on a stack; `statements` is the program so far."""

    def __init__(
        self,
        module: Module,
        keeper: Keeper | None = None,
        fitted: Fitted | None = None,
    ) -> None:
        self.module = module
        self.keeper = keeper
        self.fitted = fitted
        self.sites: Mapping[Span, Type | None] = fitted.sites if fitted else {}
        self.layouts: Mapping[Span, Layout] = fitted.layouts if fitted else {}
        self.displays: dict[Span, Container] = {}
        self.heap = Heap()
        self.prelude: list[DraftStatement] = []  # statements before all others
        # views, and copies that stand for others
        self.rows_out = RowsOut()  # values taken out of lists of lists
        self.views: dict[Draft | Cell, tuple[Draft | Cell, ...]] = {}
        # rows, or numbers, taken at places that are written out
        self.gathered: dict[Draft, tuple[Draft, tuple[Number, ...]]] = {}
        self.turned: dict[Draft, Draft] = {}  # transposes, and the arrays viewed
        self.lines = Lines()  # vectors of lists of layers
        self.viewed: set[Cell] = set()  # those of which whole arrays may be views
        self.changes: list[Changed] = []  # of whole arrays, one after the other
        self.remembered: list[Remembered] = []  # properties that objects remember
        self.foreseen: list[Foreseen] = []  # of the loops around, innermost last
        self.tried: list[bool] = []  # loops that stay for a try: are they very long?
        self.given: set[Draft] = set()  # arrays that are parameters
        self.inputs: set[Draft] = set()  # the numbers of all parameters
        self.changed: set[Cell] = set()  # arrays whose elements are written
        self.rounding: set[Cell] = set()  # of whole numbers, of lists that get floats
        self.made: set[Span] = set()  # where arrays are made that may be whole ones
        self.tables: dict[Hashable, Value] = {}  # constants that are indexed
        self.keyed: dict[tuple[Value, tuple[Key, ...]], DraftCheck] = {}
        self.statements: list[DraftStatement] = []
        self.outer: list[list[DraftStatement]] = []  # of the blocks around
        self.stack: list[Value] = []
        self.outputs = Outputs()
        self.printer: Printer = dropped
        self.frame = Frame()
        self.is_kept = False  # the function made is called by another one
        self.running: list[Code] = []
        self.callers: list[Frame] = []  # frames that wait for the running one
        self.seen: set[Code] = set()
        self.endless: set[Code] = set()
        self.giving: list[Code] = []  # the generators that loops go over
        self.deep = 0  # calls of functions that were running REENTRIES times
        self.protected = 0  # statements that are running in a `try` with handlers
        self.equations = 0  # that are being solved here: there no function is kept
        self.failing: list[DraftCheck] = []  # what the handlers that run have caught
        self.count, self.is_full = 0, False
        self.left: Span | None = None
        self.wholes: dict[Draft, int] = {}  # whole numbers that are known
        self.truths: dict[Draft, bool] = {}  # comparisons whose outcome is known
        # by tests for None: flags that are known where one has an outcome
        self.told: dict[Draft, tuple[tuple[bool, Draft, bool], ...]] = {}
        self.absent: dict[Draft, Draft] = {}  # tests for None, by flags of given values
        self.given_here: dict[Draft, bool] = {}  # tests that are known in this block
        self.counters: dict[Draft, Each] = {}  # loops, by values of their index
        self.parting: tuple[str, ...] = ()  # comments at the last `return`

    # Methods that stand in modules of their own.
    number = operands.number
    operate = operands.operate
    unspreadable = operands.unspreadable
    enter = inlining.enter
    inlined = inlining.inlined
    widen = refits.widen
    relay = refits.relay
    refit = refits.refit
    rekey = refits.rekey
    box = refits.box
    pile = refits.pile
    rewhole = refits.rewhole
    remake = refits.remake
    snapshot = snapshots.snapshot
    restore = snapshots.restore

    @property
    def boxed(self) -> Set[Span]:
        """The places where dicts are made that are objects."""
        return self.fitted.boxed if self.fitted is not None else frozenset()

    @property
    def fits(self) -> bool:
        """Whether lists may be made in other forms than the source has them."""
        return self.fitted is not None

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
        """Run a body to its end; statements behind a fork that may leave it run under a
        flag.
        """
        rest = self._perform(body)
        while rest:
            fork, *behind = rest
            away = cast(Value, self.frame.names.get(AWAY, FALSE))
            run = partial(self._perform, tuple(behind))
            rest = guarded(self, away, run, cast(Fork, fork).span) or ()

    def _perform(self, body: Body) -> Body:
        """Run a body. Deep inside of others it stops at a fork that may leave the body,
        and gives the fork with the statements behind it.
        """
        for place, instruction in enumerate(body):
            kind = type(instruction)
            RUN[kind](self, instruction)
            if kind not in EXITS:
                continue
            away = self.frame.names.get(AWAY, FALSE)
            if away is FALSE:  # nearly always
                continue
            rest = body[place + 1 :]
            if away == TRUE or (away != FALSE and not rest):
                return ()
            if away != FALSE:
                if len(self.outer) >= DEEP:
                    return body[place:]
                run = partial(self.perform, rest)
                guarded(self, cast(Value, away), run, cast(Fork, instruction).span)
                return ()
        return ()

    def apply(self, op: Elemental, args: Sequence[Number], span: Span) -> Value:
        """The value of `op(*args)`, a new draft."""
        if self.count >= inlining.OPERATIONS:
            return inlining.too_large(self, span)
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
            self._shift(out, op, args)
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
        """The result of a function of the library that only constants are computed by;
        None where it is no such function.
        """
        return None

    def _shift(self, out: Draft, op: Elemental, args: Sequence[Number]) -> None:
        """Remember that a whole number is another one, plus or minus a number."""
        if op.name in _SHIFTS and any(isinstance(arg, Literal) for arg in args):
            self.heap.shifted[out] = op.name, args[0], args[1]

    def _count(self, out: Draft, args: Sequence[Number]) -> None:
        """Remember that a whole number depends on the index of a loop."""
        for arg in args if self.counters else ():
            if isinstance(arg, Draft) and arg in self.counters:
                self.counters[out] = self.counters[arg]

    def add(self, statement: DraftStatement) -> None:
        """Put a statement behind the others."""
        self.statements.append(statement)

    def block(self, run: Callable[[], T]) -> tuple[list[DraftStatement], T]:
        """The statements of `run` in a block of its own, and its value."""
        self.outer.append(self.statements)
        known, self.given_here = self.given_here, dict(self.given_here)
        self.statements = []
        value = run()
        body, self.statements = self.statements, self.outer.pop()
        self.given_here = known
        return body, value

    def materialise(self, value: Value) -> Value:
        """A function of a file as a closure; any other value as it is."""
        if not isinstance(value, FileFunction):
            return value
        return value.module.definitions.define(value.name)

    def kept_function(self, name: str) -> Function | None:
        """The function that is kept under a name; None while it is being made."""
        return self.keeper.function(name) if self.keeper is not None else None

    def apart(self) -> Flattener:
        """A flattener for a function that is kept."""
        other = Flattener(self.module, self.keeper, self.fitted)
        other.printer = self.printer
        return other

    def pop(self, count: int) -> list[Value]:
        """The topmost values of the stack, taken from it."""
        if not count:
            return []
        taken = self.stack[-count:]
        del self.stack[-count:]
        return taken
