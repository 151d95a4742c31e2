"""The flattener as instructions see it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Protocol, TypeVar

from ad_transform.diagnostics import Span
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Container
from ad_transform.ir.types import Type
from ad_transform.later import later
from ad_transform.read.code import Body, Code, Each
from ad_transform.read.machine.drafts import DraftCheck, DraftStatement
from ad_transform.read.machine.heap import Heap
from ad_transform.read.machine.lines import Lines
from ad_transform.read.machine.rows_out import RowsOut
from ad_transform.read.values.callables import Closure
from ad_transform.read.values.frames import Frame
from ad_transform.read.values.layouts import Layout
from ad_transform.read.values.storage import Array, Cell
from ad_transform.read.values.structured import Dict, Group, Key
from ad_transform.read.values.values import Draft, Number, Value

with later():
    from ad_transform.read.loops.foreseen import Foreseen

if TYPE_CHECKING:
    from ad_transform.read.arrays.rebinding import Changed
    from ad_transform.read.machine.snapshots import Snapshot
    from ad_transform.read.objects.objects import Remembered
    from ad_transform.read.project.module import Module
    from ad_transform.read.texts.printed import Printer

T = TypeVar("T")


class Context(Protocol):
    """Operations, and reports of what cannot be done; see `Flattener`."""

    module: Module
    frame: Frame
    heap: Heap
    sites: Mapping[Span, Type | None]
    statements: list[DraftStatement]
    outer: list[list[DraftStatement]]  # of the blocks around
    prelude: list[DraftStatement]
    printer: Printer
    inputs: set[Draft]  # the numbers of all parameters
    tables: dict[Value, Value]
    keyed: dict[tuple[Value, tuple[Key, ...]], DraftCheck]  # keys that are there
    rows_out: RowsOut  # what has been taken out of lists of lists
    views: dict[Draft | Cell, tuple[Draft | Cell, ...]]  # what arrays may see
    lines: Lines  # what lists of layers are made of
    viewed: set[Cell]  # those of which whole arrays may be views
    changes: list[Changed]  # of whole arrays, one after the other
    remembered: list[Remembered]  # properties that objects remember
    wholes: dict[Draft, int]  # whole numbers that are known
    truths: dict[Draft, bool]  # comparisons of what is known
    told: dict[Draft, tuple[tuple[bool, Draft, bool], ...]]
    absent: dict[Draft, Draft]
    turned: dict[Draft, Draft]
    gathered: dict[Draft, tuple[Draft, tuple[Number, ...]]]
    given_here: dict[Draft, bool]
    counters: dict[Draft, Each]  # by what depends on the index of a loop
    foreseen: list[Foreseen]  # of the loops around, innermost last
    tried: list[bool]  # loops that stay for a try: are they very long?
    stack: list[Value]
    changed: set[Cell]  # arrays whose elements are written
    rounding: set[Cell]  # arrays of whole numbers, made of lists that floats go into
    equations: int  # that are being solved: there no function is kept
    protected: int  # statements that are running in a `try` with handlers
    made: set[Span]  # where arrays are made that may be whole ones
    displays: dict[Span, Container]  # where lists stand as `[...]`, and their rows
    layouts: Mapping[Span, Layout]  # of those that are lists of tuples
    running: list[Code]  # the functions that are running, innermost last
    callers: list[Frame]  # that wait for the function that is running
    giving: list[Code]  # the generators that loops go over, innermost last
    left: Span | None  # the last `return`, and the comments at it
    parting: tuple[str, ...]

    @property
    def boxed(self) -> Set[Span]: ...  # where dicts are made that are objects

    def refuse(self, code: str, message: str, span: Span, help_: str = "") -> Value: ...

    def unspreadable(self, value: Value, span: Span) -> Value: ...

    def number(self, value: Value, span: Span) -> Number | None: ...

    def pop(self, count: int) -> list[Value]: ...

    def apply(self, op: Elemental, args: Sequence[Number], span: Span) -> Value: ...

    def declare(
        self, op: Elemental, args: Sequence[Number], type_: Type, span: Span
    ) -> Draft: ...

    def widen(self, cell: Cell, wide: Type) -> None: ...

    def relay(self, site: Span, layout: Layout) -> None: ...

    def rewhole(self, array: Array) -> None: ...

    def remake(self, array: Array) -> None: ...

    def refit(self, group: Group) -> None: ...

    def rekey(self, table: Dict, *new: Value) -> None: ...

    def box(self, table: Dict) -> None: ...

    def operate(self, op: Elemental, values: Sequence[Value], span: Span) -> Value: ...

    def computed(
        self,
        name: str,
        values: Sequence[Value],
        keywords: Mapping[str, Value],
        span: Span,
    ) -> Value | None: ...

    def enter(self, closure: Closure, names: dict[str, Value], span: Span) -> Value: ...

    def materialise(self, value: Value) -> Value: ...

    def add(self, statement: DraftStatement) -> None: ...

    def block(self, run: Callable[[], T]) -> tuple[list[DraftStatement], T]: ...

    def run(self, body: Body) -> Value: ...

    def snapshot(self) -> Snapshot: ...

    def restore(self, saved: Snapshot) -> None: ...

    def perform(self, body: Body) -> None: ...
