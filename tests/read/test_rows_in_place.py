"""Lists in lists, in dicts and in fields that are sorted, turned round, shortened and
lengthened where they stand: refused as one of two names before (AD124).
"""

import numpy as np
import pytest
from support import generate, load, run

HEAD = """class Node:
    def __init__(self, v):
        self.v = v
        self.near = []


# ad: gradient(value=True)
def f(x: "Vector[m]", n: int):
    rows = [[x[k] * (k - i) + x[1] for k in range(i + 2)] for i in range(n)]
    d = {}
    for i, v in enumerate(x):
        d.setdefault(i % n, []).append(v * v)
"""
END = """
    s = 0.0
    for q in rows:
        s += len(q) + sum(v * v * (k + 1) for k, v in enumerate(q))
    return s + sum(v * v * (k + 3) for i in range(n) for k, v in enumerate(d[i]))
"""
BODIES = {
    "sort": "for i in range(n):\n    rows[i].sort()\n    d[i].sort(reverse=True)",
    "sort by a key": "rows[1].sort(key=lambda v: -v * v)",
    "each": "for r in rows:\n    r.sort()\n    r[0] *= 2.0",
    "reverse": "rows[n - 1].reverse()\nd[1].reverse()",
    "the last": "rows[-1].sort()\nrows[-1].append(x[0])\nrows[-1].reverse()",
    "all items": "rows[1][:] = sorted(rows[1])\nd[0][:] = d[0][::-1]",
    "other items": "rows[0][1:] = [x[0], x[2], x[3]]\nrows[1][:1] = []",
    "insert": "for i in 0, 1:\n    rows[i].insert(0, x[i])\n    d[i].insert(1, x[0])",
    "remove": "for k in range(n):\n    d[k].remove(max(d[k]))",
    "pop": "rows[1].pop(1)\nv = rows[0].pop(0)\nrows[1].append(v * v)",
    "clear": "for i in range(1, n):\n    rows[i].clear()\n    rows[i].append(x[2])",
    "a name": (
        "r = rows[1]\nr.insert(0, x[0])\nr.sort()\nr[0] *= x[1]\nrows[1][1] = x[0]"
    ),
    "a slice by a name": (
        "r = rows[-1]\nr.append(x[0])\nr[1:] = [x[0], x[1], x[2], x[3]]"
    ),
    "in an arm": "for i in range(n):\n    if len(rows[i]) > 2:\n        rows[i].sort()",
    "a field": (
        "a = [Node(v) for v in x]\nfor i in range(n):\n    a[0].near.append(x[i])\n"
        "    a[i].near.append(x[0])\na[0].near.sort()\na[0].near.pop(1)\n"
        "rows.append(list(a[0].near))"
    ),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_list_in_a_list_changes_where_it_stands(name: str) -> None:
    body = "".join(f"    {line}\n" for line in BODIES[name].split("\n"))
    source = HEAD + body + END.lstrip("\n")
    plain, made = load(source)["f"], load(generate(source))["f_value_and_grad"]
    h = 2.0**-16
    for x in ([0.75, 1.25, 0.5, 1.5, 0.25], [1.8125, 0.25, 1.375, 0.125, 1.0]):
        value, slopes = made(x, 2)
        assert value == plain(x, 2)
        steps = h * np.eye(5)
        wanted = [(plain(x + e, 2) - plain(x - e, 2)) / (2.0 * h) for e in steps]
        assert slopes == pytest.approx(wanted, rel=1e-7, abs=1e-8)


def test_a_list_that_another_name_sees_is_not_lengthened() -> None:
    lines = "    r = rows[0]\n    rows[1].insert(0, x[0])\n    rows[1][0] += r[0]"
    (refused,) = run(HEAD + lines + END).diagnostics
    assert refused.code == "AD124"
