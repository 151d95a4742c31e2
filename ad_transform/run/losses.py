"""The table of `--explain --at` as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_HEAD = ("line", "bound", "error", "digits", "operation", "text")


def loss_lines(figures: Mapping[str, Any]) -> Iterator[str]:
    """Where the error at the inputs comes from; nothing without inputs."""
    if "at" not in figures:
        return
    values = ", ".join(f"{name}={value!r}" for name, value in figures["at"].items())
    yield f"  at {values or 'the defaults'}" + (
        f": raises {figures['raises']}" if figures["raises"] else ""
    )
    for result in figures["results"]:
        yield from _result_lines(result)


def _result_lines(result: Mapping[str, Any]) -> Iterator[str]:
    yield (
        f"  value {_number(result['value'], '.17g')}, error {_number(result['error'])}"
        f" within {_number(result['uncertainty'])}, bound {_number(result['bound'])},"
        f" rms {_number(result['rms'])}"
    )
    rows = [_HEAD, *map(_cells, result["rows"])]
    if len(rows) > 1:
        yield from _aligned(rows)
    yield f"  {_verdict(result)}"


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        str(row["line"] or ""),
        _percent(row["bound"]),
        _percent(row["error"]),
        f"{row['digits']:.1f}" if row["digits"] else "",
        row["operation"],
        row["text"],
    )


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:z.1%}"


def _number(value: float | None, form: str = ".3g") -> str:
    return "unknown" if value is None else format(value, form)


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns of one width; figures to the right, words to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            f"{cell:>{width}}" if k < 4 else f"{cell:<{width}}"
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield f"    {'  '.join(cells)}".rstrip()


def _verdict(result: Mapping[str, Any]) -> str:
    line = result["loses_digits"]
    if line is None:
        return "no line loses digits"
    lost = max(r["digits"] or 0.0 for r in result["rows"] if r["line"] == line)
    return f"line {line} loses the digits: {lost:.1f} cancel there"
