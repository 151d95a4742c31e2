"""Loops that only copy an array are a copy."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import ANY_ORDER
from programs import program
from support import generate, load

from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.lists.copied import copied
from ad_transform.ir.nodes import Scan
from ad_transform.ir.verify import verify

LIST = """\
function f primal 1 nest array(.)
parameter x (%0: float[n]) nest array(.)
parameter k (%1: int)
  %2: int = {length}
  %3: float[{dim}] = full(0.5, {room})
  %4: float[{dim}] = scan ({start}, %2, 1) (%3) (%0, %1) ()
  body (%5: int, %6: float[{dim}], %7: float[n], %8: int)
    %9: float = get(%7, {read})
    %10: float[{dim}] = set(%6, {value}, {stored})
    give %10
  give %4
"""
PLAIN = {
    "length": "size(%0)",
    "dim": "n",
    "room": "%2",
    "start": "0",
    "read": "%5",
    "value": "%9",
    "stored": "%5",
}
X = [1.0, 2.0, 4.0]


def loops(function):
    return [s for s in function.body if isinstance(s, Scan)]


def test_a_list_is_copied():
    function = program(LIST.format(**PLAIN))
    made = copied(function, TABLE)
    verify(made)
    assert not loops(made) and len(made.body) == 1
    assert evaluate(made, (X, 0)) == evaluate(function, (X, 0))


@pytest.mark.parametrize(
    "words",
    [
        pytest.param({"length": "add(%1, 0)"}, id="a length that may be another"),
        pytest.param({"start": "1"}, id="not all places"),
        pytest.param({"read": "%8"}, id="one element"),
        pytest.param({"stored": "%8"}, id="into one place"),
        pytest.param({"value": "0.5"}, id="another value"),
        pytest.param({"dim": "m"}, id="another length"),
    ],
)
def test_other_loops_stay(words):
    function = program(LIST.format(**PLAIN | words))
    assert copied(function, TABLE) is function


def test_what_else_a_loop_fills_is_filled():
    text = LIST.format(**PLAIN).replace(
        "%4: float[n] =", "%4: float[n], %20: float[n] ="
    )
    text = text.replace("(%3) (%0", "(%3, %21) (%0").replace(
        "%6: float[n], %7", "%6: float[n], %22: float[n], %7"
    )
    text = text.replace(
        "    give %10\n",
        "    %23: float = sin(%9)\n"
        "    %24: float[n] = set(%22, %23, %5)\n"
        "    give %10, %24\n",
    )
    text = text.replace("  %4:", "  %21: float[n] = full(0.0, %2)\n  %4:")
    text = text.replace(
        "nest array(.)\nparameter x", "nest tuple(array(.), array(.))\nparameter x"
    )
    function = program(text.replace("give %4", "give %4, %20"))
    made = copied(function, TABLE)
    verify(made)
    (loop,) = loops(made)
    assert len(loop.carries) == 1
    assert evaluate(made, (X, 0)) == evaluate(function, (X, 0))


CHANGED = """\
import math


# ad: gradient(x)
def f(x: "Vector[n]") -> float:
    m = [0.0] * len(x)
    y = list(x)
    for i in range(len(x)):
        m[i] = y[i]
        y[i] = math.sin(y[i])
    return m[0] * y[1]
"""


def test_a_list_that_the_trips_change_is_not_copied():
    found = load(generate(CHANGED, **ANY_ORDER))["f_grad"]([0.5, 0.25])
    assert found.tolist() == pytest.approx([0.24740395925452294, 0.4844562108553224])


MATRIX = """
import math


# ad: gradient(a, value=True)
def logdet(a: "Matrix[n, n]") -> float:
    n = len(a)
    m = {rows}
    total = 0.0
    for k in range(n):
        for i in range(k + 1, n):
            f = m[i][k] / m[k][k]
            for j in range(k + 1, n):
                m[i][j] -= f * m[k][j]
        total += math.log(m[k][k])
    return total
"""
ROWS = {
    "element by element": "[[a[i][j] for j in range(n)] for i in range(n)]",
    "row by row": "[row.copy() for row in a]",
    "items of rows": "[[v for v in row] for row in a]",
}


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_a_matrix_is_copied(rows):
    text = generate(MATRIX.format(rows=rows), **ANY_ORDER)
    assert "m = _copied_rows(a_list)\n" in text
    assert "return total, np.array(m_bar, dtype=float)" in text
    value, slopes = load(text)["logdet_value_and_grad"]([[4.0, 1.0], [2.0, 3.0]])
    assert value == pytest.approx(2.302585092994046, rel=1e-14)
    assert slopes == pytest.approx(np.array([[0.3, -0.2], [-0.1, 0.4]]), rel=1e-13)


def test_the_transpose_is_no_copy():
    rows = "[[a[j][i] for j in range(n)] for i in range(n)]"
    text = generate(MATRIX.format(rows=rows), **ANY_ORDER)
    assert "_copied_rows" not in text
    _, slopes = load(text)["logdet_value_and_grad"]([[4.0, 1.0], [2.0, 3.0]])
    assert slopes.tolist()[0] == pytest.approx([0.3, -0.2], rel=1e-13)


ROWS = """\
function f primal 1 nest array(array(.))
parameter x (%0: float[n, 2]) nest array(array(.))
parameter k (%1: int)
  %2: int = size(%0)
  %3: float[n, 2] = grid(0.5, %2, 2)
  %4: float[n, 2] = scan (0, {stop}, 1) (%3) (%0, %1) ()
  body (%5: int, %6: float[n, 2], %7: float[n, 2], %8: int)
    %9: float = get(%7, {row}, 0)
    %10: float[n, 2] = set(%6, %9, {into}, 0)
    %11: float = get(%7, %5, {column})
    %12: float[n, 2] = set(%10, {value}, %5, {last})
    give %12
  give %4
"""
OF_TWO = {
    "stop": "%2",
    "row": "%5",
    "into": "%5",
    "column": "1",
    "value": "%11",
    "last": "1",
}
GRID = [[1.0, 2.0], [4.0, 8.0], [16.0, 32.0]]


def test_rows_of_a_few_elements_are_copied():
    function = program(ROWS.format(**OF_TWO))
    made = copied(function, TABLE)
    verify(made)
    assert not loops(made)
    assert evaluate(made, (GRID, 0)) == evaluate(function, (GRID, 0))


@pytest.mark.parametrize(
    "words",
    [
        pytest.param({"stop": "%1"}, id="not all rows"),
        pytest.param({"row": "%8"}, id="one row"),
        pytest.param({"into": "%8"}, id="into one row"),
        pytest.param({"column": "0"}, id="one column twice"),
        pytest.param({"last": "0"}, id="into one column twice"),
        pytest.param({"value": "%9"}, id="another value"),
    ],
)
def test_other_elements_of_rows_are_not(words):
    function = program(ROWS.format(**OF_TWO | words))
    assert copied(function, TABLE) is function
