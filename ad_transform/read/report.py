"""The report: the passes of the reader put their diagnostics there."""

from __future__ import annotations

from collections.abc import Iterable

from ad_transform.diagnostics import Diagnostic, Span


class Report:
    """Diagnostics without repetitions: a fault in code that is inlined twice is one."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, Span | None, str], Diagnostic] = {}

    def add(self, code: str, message: str, span: Span, help_: str = "") -> None:
        """Add a diagnostic."""
        self.extend((Diagnostic(code, message, span, help_),))

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Add several diagnostics."""
        for item in diagnostics:
            self._found.setdefault((item.code, item.span, item.message), item)

    @property
    def has_error(self) -> bool:
        """Whether something was refused."""
        return any(item.severity == "error" for item in self._found.values())

    def sorted(self) -> tuple[Diagnostic, ...]:
        """All of them by place; those of the whole file first, of other files last."""
        nowhere = Span(0, 0, 0, 0)

        def place(item: Diagnostic) -> tuple[str, Span, str]:
            span = item.span or nowhere
            return span.path, span, item.code

        return tuple(sorted(self._found.values(), key=place))
