"""Constant lists that are read at an index of the run stand in the output by name."""

from __future__ import annotations

import ast

import numpy as np
import pytest
from amounts import NUMBERS
from support import generate, load, load_generated

HEADER = """
from dataclasses import dataclass
import numpy as np
# of the cell
OCV = [3.0, 3.4, 3.6]  # in V
WEIGHTS = (1.0, 2.0, 4.0)
MIXED = [1, 2.5, 3]
COUNTS = [3, 1, 2]
NAMES = ["hot", "cold", "hot"]
GRID = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
ARRAY = np.array([0.5, 1.5, 2.5])
MADE = [0.25 * k for k in range(3)]
SAME = [3.0, 3.4, 3.6]
RATES = {"hot": [1.0, 2.0, 3.0], "cold": (0.5, 0.25, 0.125)}
ROWS = [(0.1, "a", 2), (0.2, "b", 3), (0.4, "a", 1)]


@dataclass(frozen=True)
class Link:
    length: float
    mass: float


LINKS = [Link(1.0, 0.5), Link(2.0, 0.75), Link(3.0, 0.25)]


class Cell:
    LOSS = [0.5, 0.75, 0.125]


def at(k):
    return OCV[k]

"""
# fmt: off
BODIES = {
    "OCV[k] * x * x":                                "OCV = [3.0, 3.4, 3.6]",
    "WEIGHTS[k] * x * x":                            "WEIGHTS = (1.0, 2.0, 4.0)",
    "MIXED[k] * x * x":                              "MIXED = [1.0, 2.5, 3.0]",
    "x ** COUNTS[k]":                                "COUNTS = [3, 1, 2]",
    'x * x if NAMES[k] == "hot" else x':             'NAMES = ["hot", "cold", "hot"]',
    "GRID[k][1] * x * x":
        "GRID = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]",
    "ARRAY[k] * x * x":                              "_ARRAY = [0.5, 1.5, 2.5]",
    "MADE[k] * x * x":                               "MADE = [0.0, 0.25, 0.5]",
    "at(k) * x * x":                                 "OCV = [3.0, 3.4, 3.6]",
    "SAME[k] * x * x":                               "SAME = [3.0, 3.4, 3.6]",
    'RATES["cold"][k] * x':               "_RATES_cold = [0.5, 0.25, 0.125]",
    "ROWS[k][0] * x * x":                            "_ROWS_0 = [0.1, 0.2, 0.4]",
    'x ** 2 if ROWS[k][1] == "a" else x':            '_ROWS_1 = ["a", "b", "a"]',
    "x ** ROWS[k][2]":                               "_ROWS_2 = [2, 3, 1]",
    "LINKS[k].mass * x * x":                         "_LINKS_mass = [0.5, 0.75, 0.25]",
    "Cell.LOSS[k] * x * x":                          "_Cell_LOSS = [0.5, 0.75, 0.125]",
    "sum(OCV[(k + j) % 3] * x ** j for j in range(k))": "OCV = [3.0, 3.4, 3.6]",
}
# fmt: on


def _source(body: str) -> str:
    head = "# ad: gradient(value=True)\ndef f(x, k: int):\n"
    return f"{HEADER}\n{head}    return {body}\n"


@pytest.mark.parametrize("container", ["array", "tuple"])
@pytest.mark.parametrize("body", BODIES)
def test_it_is_defined_once_and_read(body: str, container: str) -> None:
    source = _source(body)
    text = generate(source, container=container, **NUMBERS)
    defined = [
        ast.get_source_segment(text, s)
        for s in ast.parse(text).body
        if isinstance(s, ast.Assign)
    ]
    assert defined == [BODIES[body]]
    assert "pack" not in text
    made, f = load(text)["f_value_and_grad"], load(source)["f"]
    for k in range(3):
        value, slope = made(1.25, k)
        assert value == f(1.25, k)
        h = 1e-6
        assert slope == pytest.approx((f(1.25 + h, k) - f(1.25 - h, k)) / (2 * h))


def test_its_comments_stay() -> None:
    text = generate(_source("OCV[k] * x"))
    assert "# of the cell\nOCV = [3.0, 3.4, 3.6]  # in V\n" in text


def test_a_loop_over_it_names_it() -> None:
    items = ", ".join(f"{0.1 * k:.1f}" for k in range(200))
    source = f"import math\nTIMES = [{items}]\n# ad: gradient(value=True)\ndef f(x):\n"
    source += "    s = 0.0\n    for t in TIMES:\n        s += math.sin(x * t)\n"
    source += "    return s\n"
    text = generate(source, **NUMBERS)
    assert "for t in TIMES:" in text
    assert load(text)["f_value_and_grad"](1.5)[0] == load(source)["f"](1.5)


def test_names_of_the_function_hide_none() -> None:
    source = _source("at(k) * OCV").replace("def f(x,", "def f(OCV,")
    assert load_generated(source)["f_value_and_grad"](2.0, 1) == (2.0 * 3.4, 3.4)
    source = source.replace("[3.0, 3.4, 3.6]", "(3.0, 3.4, 3.6)")
    assert load_generated(source)["f_value_and_grad"](2.0, 1) == (2.0 * 3.4, 3.4)
    source = _source("0").replace(" return 0", " OCV = at(k) * x\n    return OCV")
    source = source.replace("[3.0, 3.4, 3.6]", "(3.0, 3.4, 3.6)")
    assert load_generated(source)["f_value_and_grad"](2.0, 1) == (2.0 * 3.4, 3.4)


def test_a_copy_that_changes_is_made_in_the_function() -> None:
    body = "    u = list(OCV)\n    u[k] = x * u[k]\n    return u[k] * OCV[k]\n"
    source = _source("0").replace("    return 0\n", body)
    text = generate(source, **NUMBERS)
    made = load(text)["f_value_and_grad"]
    assert made(2.0, 1) == made(2.0, 1) == (2.0 * 3.4 * 3.4, 3.4 * 3.4)


def test_whole_arrays_of_that_name_stay_arrays() -> None:
    source = f'{HEADER}\n# ad: gradient(value=True)\ndef f(x: "Vector[n]", k: int):\n'
    source += "    return x @ ARRAY * ARRAY[k]\n"
    made = load_generated(source, **NUMBERS)["f_value_and_grad"]
    value, slopes = made(np.array([1.0, 2.0, 3.0]), 2)
    assert value == 2.5 * (0.5 + 3.0 + 7.5)
    assert slopes.tolist() == [1.25, 3.75, 6.25]


KEPT = """
import numpy as np
OCV = [3.0, 3.4, 3.6]
K = np.array([[1.0, 2.0], [3.0, 4.0]])


def scaled(x, k):
    return OCV[k] * x * x


def energy(x: "Vector[n]"):
    return x @ (K @ x)


# ad: gradient(value=True)
def f(x, n: int):
    s = 0.0
    for k in range(n):
        s += scaled(x, k % 3) * scaled(2.0 * x, 1)
    return s


# ad: gradient(value=True)
def g(x: "Vector[n]", n: int):
    s = 0.0
    for k in range(n):
        s += energy(x) * energy(2.0 * x)
    return s
"""


def test_functions_that_are_called_read_it_too() -> None:
    text = generate(KEPT, inline="never", **NUMBERS)
    assert text.count("[3.0, 3.4, 3.6]") == 1 and "\nOCV = " in text
    assert "def _scaled" in text
    made, f = load(text), load(KEPT)
    value, slope = made["f_value_and_grad"](1.25, 5)
    assert value == f["f"](1.25, 5)
    assert slope == pytest.approx(4.0 * value / 1.25)
    x = np.array([0.5, 2.0])
    value, slopes = made["g_value_and_grad"](x, 3)
    assert value == pytest.approx(f["g"](x, 3))
    assert x @ slopes == pytest.approx(4.0 * value)


def test_columns_stand_in_the_order_of_their_use() -> None:
    rows = ", ".join(f"({', '.join(f'{k}.{j}' for j in range(9))})" for k in range(3))
    source = f"ROWS = [{rows}]\n# ad: gradient\ndef f(x, k: int):\n    a = ROWS[k]\n"
    source = source.replace("(0.0,", '("a", 0.0,').replace("(1.0,", '("b", 1.0,')
    source = source.replace("(2.0,", '("c", 2.0,')
    parts = " + ".join(f"a[{j}] * x**{j + 2}" for j in range(1, 10))
    text = generate(f"{source}    return {parts}\n", **NUMBERS)
    names = [
        line.partition(" =")[0] for line in text.split("\n") if "_ROWS_" in line[:6]
    ]
    assert names == [f"_ROWS_{j}" for j in range(1, 10)]


NUMBERS_OF_MANY = [0.25 * (k % 7) - 0.5 + 0.125 * k for k in range(80)]
SLICES = f"""
LONG = {NUMBERS_OF_MANY}


# ad: gradient(x, value=True)
def f(x: "Vector[n]"):
    s = 0.0
    for v in x:
        for c in LONG[2:]:
            s = 0.1 * s * v + c
        for c, d in zip(LONG[:75], LONG[74::-1]):
            s += c * d * v
    return s


# ad: gradient(x, value=True, inline="never")
def g(x: float):
    return poly(x) * poly(2.0 * x)


def poly(x):
    s = 0.0
    for c in LONG[2:]:
        s = 0.1 * s * x + c
    return s
"""


def test_slices_of_constants_stand_in_the_output_too() -> None:
    text = generate(SLICES, **NUMBERS)
    names = [line.partition(" = ")[0] for line in text.split("\n") if "= [" in line]
    tables = [name for name in names if "LONG" in name]
    assert tables == ["_LONG_from_2", "_LONG_to_75", "_LONG_to_75_reversed"]
    assert "_table" not in text and text.count("for c in _LONG_from_2:") == 2
    made, plain = load(text), load(SLICES)
    x = np.array([0.5, 1.25])
    value, slopes = made["f_value_and_grad"](x)
    assert value == plain["f"](x)
    for slope, step in zip(slopes, 1e-6 * np.eye(2), strict=True):
        rise = plain["f"](x + step) - plain["f"](x - step)
        assert slope == pytest.approx(rise / 2e-6, rel=1e-6)
    value, slope = made["g_value_and_grad"](0.75)
    assert value == plain["g"](0.75)
    rise = plain["g"](0.75 + 1e-6) - plain["g"](0.75 - 1e-6)
    assert slope == pytest.approx(rise / 2e-6, rel=1e-6)
