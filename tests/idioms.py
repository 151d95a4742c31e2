# ruff: noqa
"""Idioms of ordinary Python in models of numbers: generators, exceptions, closures."""

import math
from itertools import combinations, product

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
    return limit * next(
        (x**i + j for i in range(n) for j in range(n) if x * i + j > limit), 0.5
    )


def first_or_none(x, limit, n: int):
    v = next((x * k for k in range(n) if x * k > limit), None)
    if v is None:
        return limit
    return v * limit


def piece(x):
    i = next((k for k, (t, _) in enumerate(TABLE) if t > x), len(TABLE) - 1)
    (x0, y0), (x1, y1) = TABLE[i - 1], TABLE[i]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)


def ratio(a, b):
    try:
        return a / b**0.5
    except ZeroDivisionError:
        return 0.0 * a


def logs(x, y, eps):
    """A handler that goes on, in a loop."""
    total = 0.0
    for v in (x, y, x * y):
        try:
            total += math.log(v - eps)
        except ValueError:
            total -= v * eps
    return total


def secant(x0, x1, c):
    """A handler that leaves the loop, around functions."""
    f = lambda x: x**3 - c
    for _ in range(9):
        try:
            x2 = x1 - f(x1) * (x1 - x0) / (f(x1) - f(x0))
        except ZeroDivisionError:
            break
        x0, x1 = x1, x2
    return x1


def arms_inside(x, y, n: int):
    """Arms inside of a `try` whose handler leaves."""
    try:
        t = x / y
        if t > 2.0:
            u = math.sqrt(x - y) / (y - n)
        elif 1.0 / x > 3.0:
            u = y
        else:
            u = t + x
            for k in range(n):
                u += math.log(k - y) % 2.0
    except (ZeroDivisionError, ValueError):
        return x * y
    return u * t


def law(x):
    if x < 0.0:
        raise ValueError("negative")
    return x * x


def raised_inside(x, y):
    """What a function raises is caught; what stood before it has been done."""
    s = y
    try:
        s = s + x
        s = s * law(x - y)
    except ValueError:
        s = s * 3.0
    else:
        s = s + 1.0
    return s * x


def nested(x, y):
    try:
        a = x / y
        try:
            b = math.log(a)
        except ValueError:
            b = a
        c = b / x
    except ArithmeticError:
        c = y
    return c * x


def saturated(x):
    try:
        y = math.exp(x)
    except OverflowError:
        return 0.0 * x
    return 1.0 / (1.0 + y)


def visited(x, y, n: int, start: int):
    """A set of nodes that have been seen."""
    seen = set()
    stack = [start]
    total = 0.0
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        total += x * y**node
        for k in (2 * node + 1, 3 * node % 5):
            if k < n and k not in seen:
                stack.append(k)
    return total * len(seen)


def fixed_nodes(x, k, n: int):
    """A set that does not change."""
    fixed = {0, 3}
    r = 0.0
    for i in range(n):
        r += x**i if i in fixed else k * x
    return r + (x if n in {2, 4} else k)


def pairs_seen(x, y, n: int):
    seen = {(0, 0)}
    total = 0.0
    for i in range(n):
        key = (i % 2, i % 3)
        if key not in seen:
            total += x * i + y
        seen.add(key)
        seen.add(key)
    return total * len(seen)


def diversity(x, y, n: int):
    weights = [x, y, x * y, x + y]
    species = [(k * k) % n for k in range(4)]
    total = 0.0
    for s in sorted(set(species)):
        p = sum(v for v, k in zip(weights, species) if k == s) / sum(weights)
        total -= p * math.log(p)
    return total + x * max(set(species))


def potential(x, y, n: int):
    """All pairs, of which only a run knows the number."""
    q = [x + y * k for k in range(n)]
    e = 0.0
    for i, j in combinations(range(len(q)), 2):
        if q[i] > 3.0:
            continue
        e += q[i] * q[j] / (j - i)
    return e + sum(a * b for a, b in combinations(q, 2) if a < b)


def last_pair(x, n: int):
    i = j = 7
    for i, j in combinations(range(2, n), 2):
        if i * j > 30:
            return x**2 * i
    return x * (i + j)


def lattice(x, y, n: int, m: int):
    s = y
    for i, j in product(range(n), range(m)):
        s += x**i * (j + 1)
    return s + sum(x * i * j for i, j in product(range(n), repeat=2))


def pairs_of_what_changes(x, n: int):
    """`combinations` has its own copy of the items."""
    q = [x * k for k in range(n)]
    s = 0.0
    for a, b in combinations(q, 2):
        s += a * b
        q[1] = s
    return s + q[1]


FAILING = {
    # where something fails at this very point: the derivative is that of the handler
    "ratio": [((2.0, 0.0), (0.0, 0.0))],
    "logs": [((0.5, 2.0, 1.5), (-4.5, 1.25, -3.5))],
    "secant": [((1.0, 1.0, 5.0), (0.0, 1.0, 0.0))],
    "arms_inside": [
        ((5.0, 2.0, 2), (2.0, 5.0)),
        ((-5.0, -2.0, 1), (-2.0, -5.0)),
        ((1.0, 0.0, 1), (0.0, 1.0)),
        ((0.0, 1.5, 2), (1.5, 0.0)),
        ((1.0, 1.5, 2), (1.5, 1.0)),
    ],
    "nested": [
        ((1.0, 0.0), (0.0, 1.0)),
        ((0.0, 1.0), (1.0, 0.0)),
        ((1.0, -2.0), (-0.5, -0.25)),
    ],
    "saturated": [
        ((710.0,), (0.0,)),
        ((709.7827128933841,), (0.0,)),
        ((709.782712893384,), None),
    ],
}
POINTS = {
    "first_above": [(0.7, 1.5), (0.7, 9.0), (0.7, 0.1)],
    "first_of_many": [(0.7, 1.5, 6), (0.7, 9.0, 3), (0.7, 1.0, 0)],
    "first_or_raise": [(0.7, 1.5, 6)],
    "first_pair": [(0.7, 1.5, 3), (0.7, 50.0, 3)],
    "first_or_none": [(0.7, 1.5, 6), (0.7, 9.0, 3)],
    "ratio": [(2.0, 4.0)],
    "pairs_of_what_changes": [(1.2, 4), (1.2, 2)],
    "potential": [(0.7, 1.3, 0), (0.7, 1.3, 1), (0.7, 1.3, 4), (2.0, -0.5, 4)],
    "last_pair": [(0.7, 0), (0.7, 3), (0.7, 4), (0.7, 5), (0.7, 9)],
    "lattice": [(0.7, 1.3, 3, 2), (0.7, 1.3, 0, 2), (0.7, 1.3, 2, 0)],
    "visited": [(0.7, 1.3, 6, 0), (0.7, 1.3, 1, 3), (0.7, 1.3, 9, 1)],
    "fixed_nodes": [(0.7, 1.3, 2), (0.7, 1.3, 5)],
    "pairs_seen": [(0.7, 1.3, 0), (0.7, 1.3, 9)],
    "diversity": [(0.7, 1.3, 3), (0.7, 1.3, 7)],
    "logs": [(2.0, 1.0, 0.1)],
    "secant": [(1.0, 2.0, 5.0)],
    "arms_inside": [(1.0, 2.0, 0), (5.0, 2.0, 1), (0.2, 2.0, 1), (1.0, 0.7, 0)],
    "raised_inside": [(1.0, 2.0), (2.0, 1.0)],
    "nested": [(1.0, 2.0)],
    "saturated": [(1.0,)],
    "piece": [(0.4,), (1.4,), (7.0,)],
}

OBJECT_WITH_A_SET = """
class Seen:
    def __init__(self):
        self.nodes = set()

    def visit(self, k):
        new = k not in self.nodes
        self.nodes.add(k)
        return new


# ad: gradient
def visits(x, n: int):
    seen = Seen()
    total = 0.0
    for i in range(n):
        if seen.visit(i % 3):
            total += x**i
    return total
"""
