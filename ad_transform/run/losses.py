"""The table of `--explain --at` as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_HEAD = ("place", "bound", "error", "digits", "operation", "text")


def loss_lines(figures: Mapping[str, Any]) -> Iterator[str]:
    """The sources of the error at the inputs, as lines; none without inputs."""
    if "at" not in figures:
        return
    path = figures["path"]
    values = ", ".join(f"{name}={value!r}" for name, value in figures["at"].items())
    yield f"  at {values or 'the defaults'}" + (
        f": raises {figures['raises']}" if figures["raises"] else ""
    )
    for result in figures["results"]:
        yield from _result_lines(result, path)


def _result_lines(result: Mapping[str, Any], path: str) -> Iterator[str]:
    yield (
        f"  value {_number(result['value'], '.17g')}, error {_number(result['error'])}"
        f" within {_number(result['uncertainty'])}, bound {_number(result['bound'])},"
        f" rms {_number(result['rms'])}"
    )
    rows = [_HEAD, *(_cells(row, path) for row in result["rows"])]
    if len(rows) > 1:
        yield from _aligned(rows)
    yield f"  {_verdict(result)}"


def _cells(row: Mapping[str, Any], path: str) -> tuple[str, ...]:
    return (
        _place(row, path),
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


def _place(row: Mapping[str, Any], path: str) -> str:
    """`model.py:7:12-24`: the first and the last column; `7:12-8:3` across lines."""
    if row["line"] is None:
        return ""
    last = str(row["end_column"] - 1)
    if row["end_line"] != row["line"]:
        last = f"{row['end_line']}:{last}"
    return f"{row.get('path', path)}:{row['line']}:{row['column']}-{last}"


def _verdict(result: Mapping[str, Any]) -> str:
    place = result["loses_digits"]
    if place is None:
        return "no operation loses digits"
    lost = max(
        row["digits"] or 0.0
        for row in result["rows"]
        if place.endswith(f":{row['line']}:{row['column']}")
    )
    return f"{place} loses the digits: {lost:.1f} cancel there"
