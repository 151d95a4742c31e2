"""Lists and dicts as tables: values are Python's, what may change is refused."""

from __future__ import annotations

from typing import Any

import pytest
from reading import codes, function
from support import load

from ad_transform.ir.evaluate import evaluate

HEAD = """A = {"air": 1.4, "he": 1.66}
B = {1: (1.5, 2), 5: (0.25, 3.0), 1.0: (2.5, 4)}
C = [1.5, 2, 0.25]
D = [[1.5, 2.0], [0.25, 3.0], [0.5, 4.0]]
E = ({"k": 1.5}, {"k": 2.5})


# ad: gradient
def f(x, y: float, k: int, gas: str):
"""

READ = [
    ("return x * A[gas] + A['he']", (1.5, 2.0, 0, "air")),
    ("return x * A[gas] if gas in A else y", (1.5, 2.0, 0, "ne")),
    ("a, b = B[k]\nreturn x * a + b", (1.5, 2.0, 5, "")),
    ("a, b = B[k]\nreturn x * a + b", (1.5, 2.0, 1, "")),
    ("d = {'a': x, 'b': x * y}\nreturn d['a'] * d['b'] + d[gas]", (1.5, 2.0, 0, "b")),
    ("return x * C[k] + sum(t * y for t in C) + len(C)", (1.5, 2.0, -1, "")),
    ("return x * D[k][k - 1] + E[1]['k']", (1.5, 2.0, 1, "")),
    ("return x * {True: 2.0, False: y}[x > 1]", (1.5, 2.0, 1, "")),
]


def source(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize(("body", "point"), READ)
def test_is_what_python_looks_up(body: str, point: tuple[Any, ...]) -> None:
    (found,) = evaluate(function(source(body)), point)
    assert found == load(source(body))["f"](*point)


def test_a_key_that_is_not_there_is_a_key_error() -> None:
    program = function(source("return x * A[gas]"))
    with pytest.raises(Exception, match="ne"):
        evaluate(program, (1.0, 2.0, 0, "ne"))


@pytest.mark.parametrize(
    "use",
    [
        "C[0] = 1.0",
        "C.append(1.0)",
        "del C[0]",
        "g(C)",
        "E = C",
        "E, F = C, 1",
        "C += [1]",
    ],
)
def test_a_table_that_may_change_is_no_constant(use: str) -> None:
    body = (
        source("return x * C[k]") + f"\n\ndef other(g):\n    global C, E\n    {use}\n"
    )
    assert "AD122" in codes(body) or "AD108" in codes(body)
