"""Eigenvalues and pseudo-inverses by rotations that make columns orthogonal (Jacobi,
1846; Hestenes, 1958), of lists that hold matrices row by row.
"""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "_turned": '''\
def _turned(
    x: list[float], y: list[float], c: float, s: float
) -> tuple[list[float], list[float]]:
    """Two rows, turned by an angle with this cosine and sine."""
    turned = [c * u - s * v for u, v in zip(x, y)]
    return turned, [s * u + c * v for u, v in zip(x, y)]
''',
    "_eigen": '''\
def _eigen(a: list[float], n: int) -> list[float]:
    """The eigenvalues of a symmetric matrix, the least first, and the eigenvectors, row
    by row in columns. What is above the diagonal is not read. The first element of each
    vector that is not small among the others is above 0.
    """
    rows = [[a[n * max(i, j) + min(i, j)] for j in range(n)] for i in range(n)]
    if not sum(abs(x) for row in rows for x in row) < inf:
        return [nan] * (n * (n + 1))
    found = [[1.0 if i == j else 0.0 for j in range(n)] for i in range(n)]
    for _ in range(60):
        if not sum(abs(rows[i][j]) for i in range(n) for j in range(i)) > 0.0:
            break
        for p in range(n):
            for q in range(p + 1, n):
                one, low, high = rows[p][q], rows[p][p], rows[q][q]
                if min(abs(low), abs(high)) + abs(one) > min(abs(low), abs(high)):
                    gap = high - low
                    t = 2.0 * one / (gap + copysign(hypot(gap, 2.0 * one), gap))
                    c = 1.0 / hypot(1.0, t)
                    found[p], found[q] = _turned(found[p], found[q], c, t * c)
                    x, y = _turned(rows[p], rows[q], c, t * c)
                    x[p], y[q] = low - t * one, high + t * one
                    rows[p], rows[q] = x, y
                    for row, u, v in zip(rows, x, y):
                        row[p], row[q] = u, v
                rows[p][q] = rows[q][p] = 0.0
    order = sorted(range(n), key=lambda k: rows[k][k])
    for k in order:
        largest = max(map(abs, found[k]))
        if next((x for x in found[k] if 2.0 * abs(x) > largest), 1.0) < 0.0:
            found[k] = [-x for x in found[k]]
    return [rows[k][k] for k in order] + [found[k][i] for i in range(n) for k in order]
''',
    "_inverted": '''\
def _inverted(a: list[float], m: int, n: int, cut: float) -> list[float]:
    """The pseudo-inverse of a matrix with m rows and n columns, which is as if its
    singular values up to `cut` times the largest were 0.
    """
    total = sum(map(abs, a))
    if not 0.0 < total < inf:
        return [0.0 * total] * (m * n)
    size = max(map(abs, a))
    is_long, count = m >= n, min(m, n)
    lines = [a[k::n] if is_long else a[n * k : n * (k + 1)] for k in range(count)]
    lines = [[x / size for x in line] for line in lines]
    turns = [[1.0 if i == j else 0.0 for j in range(count)] for i in range(count)]
    for _ in range(60):
        is_done = True
        for p in range(count):
            for q in range(p + 1, count):
                x, y = lines[p], lines[q]
                low, high = sum(u * u for u in x), sum(v * v for v in y)
                both = sum(u * v for u, v in zip(x, y))
                least = 2.0**-52 * sqrt(max(m, n)) * sqrt(low) * sqrt(high)
                if abs(both) > least:
                    is_done, gap = False, high - low
                    t = 2.0 * both / (gap + copysign(hypot(gap, 2.0 * both), gap))
                    c = 1.0 / hypot(1.0, t)
                    lines[p], lines[q] = _turned(x, y, c, t * c)
                    turns[p], turns[q] = _turned(turns[p], turns[q], c, t * c)
        if is_done:
            break
    squares = [sum(u * u for u in line) for line in lines]
    kept = [k for k in range(count) if sqrt(squares[k]) > cut * sqrt(max(squares))]
    left, right = (turns, lines) if is_long else (lines, turns)
    return [
        sum(left[k][i] * right[k][j] / squares[k] for k in kept) / size
        for i in range(n)
        for j in range(m)
    ]
''',
}
