"""Lists of floats as a whole, and lists of such lists."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "_recurred": '''\
def _recurred(factors: list[float], terms: list[float]) -> list[float]:
    """Elements that are each a term and a factor times the one before."""
    found, last = [], 0.0
    for factor, term in zip(factors, terms):
        last = term + factor * last
        found.append(last)
    return found
''',
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
    "_block": '''\
def _block(
    value: float, layers: int, rows: int, columns: int
) -> list[list[list[float]]]:
    """Layers of rows filled with a value."""
    return [[[value] * columns for _ in range(rows)] for _ in range(layers)]
''',
    "_layers_like": '''\
def _layers_like(
    array: list[list[list[float]]], value: float
) -> list[list[list[float]]]:
    """Layers of rows as long as those of a list, filled with a value."""
    return [[[value] * len(row) for row in layer] for layer in array]
''',
    "_copied_layers": '''\
def _copied_layers(array: list[list[list[float]]]) -> list[list[list[float]]]:
    """The same layers as lists of their own."""
    return [[row.copy() for row in layer] for layer in array]
''',
    "_sum_of_layers": '''\
def _sum_of_layers(array: list[list[list[float]]]) -> float:
    """The sum of all elements, layer by layer."""
    return sum([x for layer in array for row in layer for x in row], 0.0)
''',
    "_with_line": '''\
def _with_line(
    array: list[list[list[float]]], line: list[float]
) -> list[list[list[float]]]:
    """Layers of rows with the numbers of a line added, one after the other."""
    items = iter(line)
    return [[[x + next(items) for x in row] for row in layer] for layer in array]
''',
    "_added_layers": '''\
def _added_layers(
    array: list[list[list[float]]], other: list[list[list[float]]]
) -> list[list[list[float]]]:
    """The sums of the elements of two lists of layers."""
    return [
        [[x + y for x, y in zip(a, b)] for a, b in zip(p, q)]
        for p, q in zip(array, other)
    ]
''',
}
