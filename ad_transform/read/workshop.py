"""What a call needs of the machine that runs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from ad_transform.diagnostics import Span
from ad_transform.ir.elemental import Elemental
from ad_transform.read.code import Body
from ad_transform.read.values import Closure, DraftStatement, Frame, Number, Value

T = TypeVar("T")


class Shop(Protocol):
    """Operations, and reports of what cannot be done; see `Machine`."""

    frame: Frame

    def refuse(self, code: str, message: str, span: Span, help_: str = "") -> Value: ...

    def unspreadable(self, value: Value, span: Span) -> Value: ...

    def number(self, value: Value, span: Span) -> Number | None: ...

    def apply(self, op: Elemental, args: Sequence[Number], span: Span) -> Value: ...

    def operate(self, op: Elemental, values: Sequence[Value], span: Span) -> Value: ...

    def enter(self, closure: Closure, names: dict[str, Value], span: Span) -> Value: ...

    def materialise(self, value: Value) -> Value: ...

    def add(self, statement: DraftStatement) -> None: ...

    def block(self, run: Callable[[], T]) -> tuple[list[DraftStatement], T]: ...

    def perform(self, body: Body) -> None: ...
