"""Systems of linear equations."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "_solution": '''\
def _solution(matrix: list[float], right: list[float]) -> list[float]:
    """Solution of a linear system by Gaussian elimination with row pivoting."""
    n = len(right)
    rows = [matrix[n * i : n * i + n] + [right[i]] for i in range(n)]
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        for row in rows[k + 1 :]:
            factor = row[k] / rows[k][k]
            for j in range(k, n + 1):
                row[j] -= factor * rows[k][j]
    found = [0.0] * n
    for k in reversed(range(n)):
        known = sum(rows[k][j] * found[j] for j in range(k + 1, n))
        found[k] = (rows[k][n] - known) / rows[k][k]
    return found
''',
    "_inverse": '''\
def _inverse(matrix: list[float], size: int) -> list[float]:
    """The inverse of a matrix, both row by row; infinite where there is none."""
    n = size
    rows = [matrix[n * i : n * i + n] + [0.0] * n for i in range(n)]
    for i in range(n):
        rows[i][n + i] = 1.0
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        pivot = rows[k][k]
        if pivot == 0.0:
            return [inf] * (n * n)
        rows[k] = [x / pivot for x in rows[k]]
        for i in range(n):
            if i != k:
                factor = rows[i][k]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k])]
    return [x for row in rows for x in row[n:]]
''',
    "_pivots": '''\
def _pivots(matrix: list[list[float]]) -> list[int]:
    """The order of rows in which Gaussian elimination finds the largest pivots."""
    rows = [row.copy() for row in matrix]
    order = list(range(len(rows)))
    for k in range(len(rows)):
        best = max(range(k, len(rows)), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        order[k], order[best] = order[best], order[k]
        for row in rows[k + 1 :]:
            factor = row[k] / rows[k][k] if rows[k][k] else 0.0
            for j in range(k, len(rows)):
                row[j] -= factor * rows[k][j]
    return order
''',
}
