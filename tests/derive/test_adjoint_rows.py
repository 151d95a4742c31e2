"""A Jacobian of a few numbers by arrays of run-time length is filled row by row."""

from __future__ import annotations

import pytest
from amounts import ANY_ORDER
from support import generate, load, load_generated

HEAD = """\
import math


# ad: jacobian({of})
# ad: jacobian({of}, value=True)
def f(a: float, x: "Vector[n]", y: "Vector[m]", A: "Matrix[p, 2]"):
"""
# fmt: off
ROWS = {
    "an arm of joints": ("x", """
    u = v = phi = 0.0
    for t in x:
        phi += t
        u += math.cos(phi)
        v += a * math.sin(phi)
    return u, v, phi"""),
    "arrays and numbers": ("y, a, x", """
    s = t = 0.0
    for k in range(len(x)):
        s += x[k] * math.exp(a * y[k % len(y)])
        t = math.sin(t) + s * x[k]
    return s, t"""),
    "a matrix": ("A, a", """
    s = t = 1.0
    for k in range(len(A)):
        s *= 1.0 + A[k, 0] * a
        t += A[k, 1] * s
    return t, s"""),
    "what does not matter": ("x, y", """
    s = 0.0
    for u in x:
        s += u * u * a
    return s, a"""),
    "one": ("x", """
    s = 0.0
    for u in x:
        s += math.sin(u * s) + u
    return (s,)"""),
}
# fmt: on
POINT = 0.5, [0.25, -0.5, 0.75], [0.5, -1.5], [[0.5, 0.25], [-0.75, 1.0]]
NAMES = "a", "x", "y", "A"


def slopes(plain, of):
    """Columns by differences of fourth order."""
    h = 1e-3
    for name in of.split(", "):
        k = NAMES.index(name)
        value = POINT[k]
        rows = value if k == 3 else [value] if k else [[value]]
        for i, row in enumerate(rows):
            for j, _ in enumerate(row):

                def at(d, k=k, rows=rows, i=i, j=j):
                    moved = [
                        [v + d * ((p, q) == (i, j)) for q, v in enumerate(each)]
                        for p, each in enumerate(rows)
                    ]
                    args = list(POINT)
                    args[k] = moved if k == 3 else moved[0] if k else moved[0][0]
                    args[3] = Matrix(args[3])
                    return plain(*args)

                ends = at(h), at(-h), at(2 * h), at(-2 * h)
                yield [
                    (8 * (p - q) - (r - s)) / (12 * h)
                    for p, q, r, s in zip(*ends, strict=True)
                ]


class Matrix(list):
    """Rows, read as `A[i, j]`."""

    def __getitem__(self, place):
        return super().__getitem__(place[0])[place[1]]


@pytest.mark.parametrize("name", ROWS)
def test_entries_are_those_of_differences(name):
    of, body = ROWS[name]
    text = HEAD.format(of=of) + body.lstrip("\n") + "\n"
    made, plain = load_generated(text), load(text)["f"]
    columns = list(slopes(plain, of))
    wanted = [list(row) for row in zip(*columns, strict=True)]
    found = made["f_jac"](*POINT)
    assert found.tolist() == [pytest.approx(row, rel=1e-8, abs=1e-9) for row in wanted]
    value, both = made["f_value_and_jac"](*POINT)
    assert tuple(value) == plain(*POINT[:3], Matrix(POINT[3]))
    assert both.tolist() == [pytest.approx(row, rel=1e-12) for row in found.tolist()]


def test_no_sweep_is_made_for_each_column():
    of, body = ROWS["an arm of joints"]
    text = generate(HEAD.format(of=of) + body.lstrip("\n") + "\n", **ANY_ORDER)
    alone = text[text.index("def f_jac") : text.index("def f_value_and_jac")]
    assert alone.count("\n    for ") == 2
    assert "[2][i] = 1.0" in alone
