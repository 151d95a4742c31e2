"""Constant lists of several lengths, read by an index or key that only a run knows."""

from __future__ import annotations

import pytest
from amounts import NUMBERS
from support import flat, generate, load, run

HEAD = """
from collections import deque

ROWS = [[1, 2], [3], [3, 4], [], [5], []]
TUPLES = ((1, 2), (2,), (3,), ())
KEYS = {0: [1, 2], 1: [2], 2: [3], 3: []}
EDGES = {0: [(1, 1.0), (2, 4.0)], 1: [(2, 0.5)], 2: []}
EVEN = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]

"""
BODIES = {
    "rows": """
queue, seen, s = deque([0]), [0.0] * len(ROWS), 0.0
while queue:
    node = queue.popleft()
    s += x * y ** node
    for other in ROWS[node]:
        if seen[other] == 0.0:
            seen[other] = 1.0
            queue.append(other)
return s
""",
    "tuples": """
k, s = 0, 0.0
for _ in range(n - 1):
    s += sum(x * y ** m for m in TUPLES[k]) * len(TUPLES[k])
    k = TUPLES[k][-1]
return s
""",
    "keys": """
k, s = 0, 0.0
while len(KEYS[k]) > 0:
    s += x * y ** len(KEYS[k])
    k = KEYS[k][0]
return s
""",
    "edges": """
k, s = 0, 0.0
for _ in range(n - 1):
    for other, w in EDGES[k]:
        s += x * w + y * w * w * other
    k += 1
return s
""",
    "even": "return sum(x * EVEN[k][1] for k in range(n)) * y",
}


def source(body: str) -> str:
    lines = body.strip().replace("\n", "\n    ")
    return f"{HEAD}# ad: gradient, hvp\ndef f(x, y, n: int):\n    {lines}\n"


@pytest.mark.parametrize("name", BODIES)
def test_slopes_are_those_of_differences(name: str) -> None:
    text = source(BODIES[name])
    made = generate(text, **NUMBERS)
    assert "not True" not in made
    f, grad = load(text)["f"], load(made)["f_grad"]
    ends = [(1e-6, 0.0), (0.0, 1e-6)]
    wanted = [(f(0.5 + h, 0.7 + k, 3) - f(0.5 - h, 0.7 - k, 3)) / 2e-6 for h, k in ends]
    assert flat(grad(0.5, 0.7, 3)) == pytest.approx(wanted, rel=1e-8, abs=1e-9)


def test_what_is_read_is_not_written() -> None:
    body = "k = int(x)\nrow = ROWS[k]\nrow.append(3)\nreturn x * len(row)"
    assert run(source(body)).text is None
