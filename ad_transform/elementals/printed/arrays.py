"""Lists of floats as a whole, and lists of such lists."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "_added": '''\
def _added(array: list[float], other: list[float]) -> list[float]:
    """The sums of the elements of two lists."""
    return [x + y for x, y in zip(array, other)]
''',
    "_copied_rows": '''\
def _copied_rows(array: list[list[float]]) -> list[list[float]]:
    """The same rows as lists of their own."""
    return [row.copy() for row in array]
''',
    "_rows_like": '''\
def _rows_like(array: list[list[float]], value: float) -> list[list[float]]:
    """Rows as long as those of a list, filled with a value."""
    return [[value] * len(row) for row in array]
''',
    "_grid": '''\
def _grid(value: float, rows: int, columns: int) -> list[list[float]]:
    """Rows filled with a value."""
    return [[value] * columns for _ in range(rows)]
''',
    "_sum_of_rows": '''\
def _sum_of_rows(array: list[list[float]]) -> float:
    """The sum of all elements, row by row."""
    return sum([x for row in array for x in row], 0.0)
''',
    "_added_rows": '''\
def _added_rows(
    array: list[list[float]], other: list[list[float]]
) -> list[list[float]]:
    """The sums of the elements of two lists of rows."""
    return [[x + y for x, y in zip(p, q)] for p, q in zip(array, other)]
''',
}
