"""What a call needs of the machine that runs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from ad_transform.diagnostics import Span
from ad_transform.ir.elemental import Elemental
from ad_transform.read.values import Closure, Draft, DraftStatement, Number, Value


class Shop(Protocol):
    """Operations, and reports of what cannot be done; see `Machine`."""

    def refuse(self, code: str, message: str, span: Span, help_: str = "") -> Value: ...

    def unspreadable(self, value: Value, span: Span) -> Value: ...

    def number(self, value: Value, span: Span) -> Number | None: ...

    def apply(self, op: Elemental, args: Sequence[Number], span: Span) -> Value: ...

    def operate(self, op: Elemental, values: Sequence[Value], span: Span) -> Value: ...

    def enter(self, closure: Closure, names: dict[str, Value], span: Span) -> Value: ...

    def materialise(self, value: Value) -> Value: ...

    def add(
        self, statement: DraftStatement, sources: Mapping[Draft, Sequence[Value]]
    ) -> None: ...

    def moves(self, value: Value) -> bool: ...

    def block(self, run: Callable[[], Value]) -> tuple[list[DraftStatement], Value]: ...
