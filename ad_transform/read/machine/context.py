"""The flattener as instructions see it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Protocol, TypeVar

from ad_transform.diagnostics import Span
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Container, Function
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
    """The flattener: its operations, its state, and reports of refusals; see
    `Flattener`.
    """

    module: Module
    frame: Frame
    heap: Heap
    sites: Mapping[Span, Type | None]
    statements: list[DraftStatement]
    outer: list[list[DraftStatement]]  # those of the blocks around
    prelude: list[DraftStatement]
    printer: Printer
    inputs: set[Draft]  # the numbers of all parameters
    tables: dict[Hashable, Value]
    keyed: dict[tuple[Value, tuple[Key, ...]], DraftCheck]  # checked keys
    rows_out: RowsOut  # rows that have been taken out
    views: dict[Draft | Cell, tuple[Draft | Cell, ...]]  # arrays behind views
    lines: Lines  # vectors behind lists of layers
    viewed: set[Cell]  # cells of which whole arrays may be views
    changes: list[Changed]  # of whole arrays, one after the other
    remembered: list[Remembered]  # cached properties of objects
    wholes: dict[Draft, int]  # known whole numbers
    truths: dict[Draft, bool]  # known comparisons
    told: dict[Draft, tuple[tuple[bool, Draft, bool], ...]]
    absent: dict[Draft, Draft]
    turned: dict[Draft, Draft]
    gathered: dict[Draft, tuple[Draft, tuple[Number, ...]]]
    given_here: dict[Draft, bool]
    counters: dict[Draft, Each]  # loops by drafts that depend on their index
    foreseen: list[Foreseen]  # of the loops around, innermost last
    tried: list[bool]  # loops that stay for a try: are they very long?
    stack: list[Value]
    changed: set[Cell]  # arrays whose elements are written
    rounding: set[Cell]  # arrays of whole numbers, made of lists that floats go into
    equations: int  # the number being solved: no function is kept there
    protected: int  # the number of running statements in a `try` with handlers
    failing: list[DraftCheck]  # what the running handlers have caught
    made: set[Span]  # places of arrays that may be whole ones
    displays: dict[Span, Container]  # places of lists `[...]`, and of their rows
    layouts: Mapping[Span, Layout]  # layouts of lists of tuples
    running: list[Code]  # the functions that are running, innermost last
    callers: list[Frame]  # that wait for the function that is running
    giving: list[Code]  # the generators that loops go over, innermost last
    left: Span | None  # the last `return`, and the comments at it
    parting: tuple[str, ...]

    @property
    def boxed(self) -> Set[Span]: ...  # places of dicts that are objects

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

    def pile(self, site: Span) -> None: ...

    def operate(self, op: Elemental, values: Sequence[Value], span: Span) -> Value: ...

    def computed(
        self,
        name: str,
        values: Sequence[Value],
        keywords: Mapping[str, Value],
        span: Span,
    ) -> Value | None: ...

    def enter(self, closure: Closure, names: dict[str, Value], span: Span) -> Value: ...

    def kept_function(self, name: str) -> Function | None: ...

    def materialise(self, value: Value) -> Value: ...

    def add(self, statement: DraftStatement) -> None: ...

    def block(self, run: Callable[[], T]) -> tuple[list[DraftStatement], T]: ...

    def run(self, body: Body) -> Value: ...

    def snapshot(self) -> Snapshot: ...

    def restore(self, saved: Snapshot) -> None: ...

    def perform(self, body: Body) -> None: ...
