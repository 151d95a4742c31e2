"""Lists that only tell others how long they are do not stand in the output."""

import pytest
from amounts import ANY_ORDER
from support import generate, load, load_generated

SOURCE = """
# ad: jacobian
def f(x: "Vector[n]"):
    y = [0.0] * len(x)
    for i in range(1, len(x)):
        y[i] = x[i] * x[i - 1] + y[i - 1]
    return y
"""


def test_a_list_of_tangents_is_made_by_its_length() -> None:
    text = generate(SOURCE, **ANY_ORDER)
    assert " y = " not in text and "len(y)" not in text


def test_the_numbers_are_those_of_differences() -> None:
    rows = load_generated(SOURCE)["f_jac"]([2.0, 3.0, 5.0]).tolist()
    assert rows == [[0.0, 0.0, 0.0], [3.0, 2.0, 0.0], [3.0, 7.0, 3.0]]


TWICE = """
# ad: hvp(x)
def f(x: "Vector[n]", steps: int):
    s = 0.5
    for _ in range(steps):
        for i in range(len(x)):
            s = s + x[i] * s * x[i]
    return s * s
"""


def test_a_list_as_long_as_one_that_nobody_reads_is_made_by_what_that_was_made_by():
    text = generate(TWICE, **ANY_ORDER)
    assert "x_bar_dot = [0.0] * len(x_list)" in text and "x_bar = " not in text
    found = load(text)["f_hvp"]([0.5, 2.0], [1.0, 0.0], 1)
    # s * s is 0.25 (1 + x*x)**2 (1 + y*y)**2
    assert found.tolist() == pytest.approx([43.75, 25.0])


ROWS = """
# ad: hvp(A)
def f(A: "Matrix[m, n]", steps: int):
    s = 0.5
    for _ in range(steps):
        for i in range(len(A)):
            s = s + A[i, 0] * s * A[i, 0]
    return s * s
"""


def test_a_list_of_rows_that_nobody_reads_is_not_made() -> None:
    text = generate(ROWS, **ANY_ORDER)
    assert "A_bar_dot = _rows_like(A_list, 0.0)" in text and "A_bar = " not in text
    found = load(text)["f_hvp"]([[0.5, 1.0], [2.0, 1.0]], [[1.0, 0.0], [0.0, 0.0]], 1)
    assert found.tolist() == [pytest.approx([43.75, 0.0]), pytest.approx([25.0, 0.0])]
