"""Functions that numpy has, for lists that hold arrays row by row."""

from __future__ import annotations

_PIVOT = """\
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
"""

TEXTS: dict[str, str] = {
    "_pairwise": '''\
def _pairwise(array: list[float], first: int, count: int) -> float:
    """The sum of so many elements from a place on, in pairs of halves as in numpy."""
    if count < 8:
        total = 0.0
        for x in array[first : first + count]:
            total += x
        return total
    if count > 128:
        half = count // 2 - count // 2 % 8
        low = _pairwise(array, first, half)
        return low + _pairwise(array, first + half, count - half)
    r = array[first : first + 8]
    last = first + count - count % 8
    for k in range(first + 8, last, 8):
        r = [x + y for x, y in zip(r, array[k : k + 8])]
    total = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]))
    for x in array[last : first + count]:
        total += x
    return total
''',
    "_sorting": '''\
def _sorting(array: list[float] | list[int]) -> list[int]:
    """The places of the elements from the least to the largest; NaN comes last."""
    return sorted(range(len(array)), key=lambda k: (array[k] != array[k], array[k]))
''',
    "_behind": '''\
def _behind(array: list[float] | list[int], x: float) -> int:
    """How many elements of a sorted list are not larger than x; NaN is the largest."""
    low, high = 0, len(array)
    while low < high:
        middle = (low + high) // 2
        if array[middle] <= x or x != x:
            low = middle + 1
        else:
            high = middle
    return low
''',
    "_before": '''\
def _before(array: list[float] | list[int], x: float) -> int:
    """How many elements of a sorted list are less than x; NaN is the largest."""
    low, high = 0, len(array)
    while low < high:
        middle = (low + high) // 2
        at = array[middle]
        if at < x or (x != x and at == at):
            low = middle + 1
        else:
            high = middle
    return low
''',
    "_solved": '''\
def _solved(a: list[float], b: list[float], n: int, columns: int) -> list[float]:
    """What solves a x = b, whose matrices stand row by row."""
    rows = [a[n * i : n * i + n] + b[columns * i : columns * (i + 1)] for i in range(n)]
    width = n + columns
    for k in range(n):
'''
    + _PIVOT
    + """\
        if rows[k][k] == 0.0:
            raise ValueError("singular matrix")
        for row in rows[k + 1 :]:
            factor = row[k] / rows[k][k]
            for j in range(k + 1, width):
                row[j] -= factor * rows[k][j]
    for k in reversed(range(n)):
        for j in range(n, width):
            for i in range(k + 1, n):
                rows[k][j] -= rows[k][i] * rows[i][j]
            rows[k][j] /= rows[k][k]
    return [x for row in rows for x in row[n:]]
""",
    "_rooted": '''\
def _rooted(a: list[float], n: int) -> list[float]:
    """The lower triangle whose product with its transpose is a, row by row."""
    root = [0.0] * (n * n)
    for i in range(n):
        for j in range(i + 1):
            rest = a[n * i + j]
            for k in range(j):
                rest -= root[n * i + k] * root[n * j + k]
            if i == j and not rest > 0.0:
                raise ValueError("matrix is not positive definite")
            root[n * i + j] = sqrt(rest) if i == j else rest / root[n * j + j]
    return root
''',
    "_measured": '''\
def _measured(a: list[float], n: int) -> list[float]:
    """The sign of the determinant of a, and the logarithm of its size."""
    rows = [a[n * i : n * i + n] for i in range(n)]
    sign, size = 1.0, 0.0
    for k in range(n):
'''
    + _PIVOT
    + """\
        one = rows[k][k]
        if one == 0.0:
            return [0.0, -inf]
        sign = sign if (one > 0.0) == (pivot == k) else -sign
        size += log(abs(one))
        for row in rows[k + 1 :]:
            factor = row[k] / one
            for j in range(k + 1, n):
                row[j] -= factor * rows[k][j]
    return [sign, size]
""",
    "_pivoting": '''\
def _pivoting(a: list[float], n: int) -> list[int]:
    """The order of the rows of a in which elimination finds the largest pivots."""
    return _pivots(_in_rows(a, n, n))
''',
    "_in_rows": '''\
def _in_rows(array: list[float], rows: int, columns: int) -> list[list[float]]:
    """The rows of a matrix that stand one behind the other."""
    return [array[columns * i : columns * (i + 1)] for i in range(rows)]
''',
    "_in_layers": '''\
def _in_layers(
    array: list[float], layers: int, rows: int, columns: int
) -> list[list[list[float]]]:
    """The matrices that stand one behind the other, row by row."""
    lines = [array[columns * i : columns * (i + 1)] for i in range(layers * rows)]
    return [lines[rows * i : rows * (i + 1)] for i in range(layers)]
''',
    "_floor_of": '''\
def _floor_of(x: float) -> float:
    """The largest whole number that is not above x, as a float."""
    return copysign(floor(x), x) if isfinite(x) else x
''',
    "_ceil_of": '''\
def _ceil_of(x: float) -> float:
    """The least whole number that is not below x, as a float."""
    return copysign(ceil(x), x) if isfinite(x) else x
''',
    "_trunc_of": '''\
def _trunc_of(x: float) -> float:
    """The whole number next to x towards 0, as a float."""
    return copysign(trunc(x), x) if isfinite(x) else x
''',
    "_rint_of": '''\
def _rint_of(x: float) -> float:
    """The whole number nearest to x, the even one of two, as a float."""
    return copysign(round(x), x) if isfinite(x) else x
''',
}
