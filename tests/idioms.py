# ruff: noqa
"""Idioms of ordinary Python in models of numbers: generators, exceptions, closures."""

import math

TABLE = ((0.0, 1.0), (1.0, 2.5), (2.0, 4.0), (3.0, 9.0))


def first_above(x, limit):
    """`next` of a generator with a default."""
    rows = [x * k for k in range(1, 6)]
    return next((v * v for v in rows if v > limit), limit)


def first_of_many(x, limit, n: int):
    v = next((x * k for k in range(n) if x * k > limit), limit)
    return v * limit


def first_or_raise(x, limit, n: int):
    return limit + next(x**k for k in range(n) if x * k > limit)


def first_pair(x, limit, n: int):
    return limit * next((x**i + j for i in range(n) for j in range(n) if x * i + j > limit), 0.5)


def first_or_none(x, limit, n: int):
    v = next((x * k for k in range(n) if x * k > limit), None)
    if v is None:
        return limit
    return v * limit


def piece(x):
    i = next((k for k, (t, _) in enumerate(TABLE) if t > x), len(TABLE) - 1)
    (x0, y0), (x1, y1) = TABLE[i - 1], TABLE[i]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)


POINTS = {
    "first_above": [(0.7, 1.5), (0.7, 9.0), (0.7, 0.1)],
    "first_of_many": [(0.7, 1.5, 6), (0.7, 9.0, 3), (0.7, 1.0, 0)],
    "first_or_raise": [(0.7, 1.5, 6)],
    "first_pair": [(0.7, 1.5, 3), (0.7, 50.0, 3)],
    "first_or_none": [(0.7, 1.5, 6), (0.7, 9.0, 3)],
    "piece": [(0.4,), (1.4,), (7.0,)],
}
