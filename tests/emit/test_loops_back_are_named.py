"""Loops back that stand side by side say which loop of the source they go through."""

from __future__ import annotations

import re

import pytest
from support import generate

TWO = """\
# ad: gradient
def f(x: float, y: float, n: int) -> float:
    s = x
    # heat up
    for _ in range(n):
        s = s * y * s
    while s > 0.1:
        s = s * y
    return s * s
"""

ALONE = """\
# ad: gradient
def f(x: float, y: float, n: int) -> float:
    s = x
    # heat up
    for _ in range(n):
        # damp
        for k in range(3 * n):
            s = s * y * s
    return s * s
"""

INSIDE = """\
# ad: gradient
def f(x: float, y: float, n: int) -> float:
    s = x
    for k in range(n):
        for i in range(k):
            s = s * y * s
        for j in range(n - k):
            s = s * y * s * s
    return s * s
"""


def named(text: str, sign: str = "#") -> list[tuple[str, str]]:
    """The loops that comments name, each with the first word of the line below."""
    return re.findall(rf"{sign} back through: (.*)\n +(\w+)", text)


@pytest.mark.parametrize(
    ("target", "sign"), [("math", "#"), ("c", "//"), ("fortran", "!")]
)
def test_two_loops_back_are_named_by_their_comment_or_their_head(
    target: str, sign: str
):
    loop = "do" if target == "fortran" else "for"
    assert named(generate(TWO, target=target), sign) == [
        ("while s > 0.1", loop),
        ("heat up", loop),
    ]


def test_a_loop_back_alone_in_its_body_is_not_named():
    assert named(generate(ALONE)) == []


def test_loops_back_inside_of_another_one_are_named():
    assert named(generate(INSIDE)) == [
        ("for j in range(n - k)", "for"),
        ("for i in range(k)", "for"),
    ]


def test_second_derivatives_name_the_loops_that_go_back_alone():
    text = generate(TWO.replace("# ad: gradient", "# ad: hessian"))
    lines = text.splitlines()
    below = [k + 1 for k, line in enumerate(lines) if "# back through" in line]
    assert below
    assert all("reversed(" in " ".join(lines[k : k + 3]) for k in below)


def test_tangents_have_no_loops_back():
    assert named(generate(TWO.replace("# ad: gradient", "# ad: jvp"))) == []


FILLED = """\
import numpy as np


# ad: gradient
def f(A: "Matrix[n, n]") -> float:
    B, C = A.copy(), A.copy()
    # growing
    for k in range(1, len(A)):
        B[k, :k] = B[k - 1, :k] * B[k - 1, k]
    for k in range(1, len(A)):
        C[k:, k] = C[k:, k - 1] * C[k, k - 1]
    return np.sum(B) * np.sum(C)
"""


def test_loops_back_that_read_a_finished_array_are_named():
    text = generate(FILLED)
    assert "append" not in text
    assert named(text) == [("for k in range(1, len(A))", "for"), ("growing", "for")]
