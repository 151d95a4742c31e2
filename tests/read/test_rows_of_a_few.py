"""Lists of run-time length whose rows are a few numbers, known one by one."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import ANY_ORDER
from reading import codes
from support import flat, generate, load, same_bits

HEAD = """\
# ad: gradient(x, value=True)
def f(x: "Matrix[n, 3]", a: float, k: int):
    n = len(x)
"""
BODIES = {
    "copies": "m = [row.copy() for row in x]\nm[0][1] += a * x[k][2]",
    "of numbers": "m = [[0.0, 0.0, 0.0] for _ in range(n)]\nm[k][0] = a * x[0][1]",
    "another number": "m = [[2.5, 2.5] for _ in range(n)]\nm[k][0] *= a * x[0][1]",
    "whole numbers": "m = [[1, 1] for _ in range(n)]\nm[k][0] += 2",
    "whole ones and floats": "m = [[1, a, x[i][0]] for i in range(n)]",
    "signs of 0": "m = [[0.0, -0.0] for _ in range(n)]\nm[k][0] += a * x[0][1]",
    "values": "m = [[r[0] * r[1], r[2] - a] for r in x]\nm[k][1] *= x[0][0]",
    "unpacked": "m = [[u * a, v + w] for u, v, w in x]",
    "of an arm": "m = [[u, v] if u > w else [v * w, a] for u, v, w in x]",
    "many": "m = [[r[0]] * 9 + [a] for r in x]",
    "texts and rows": "m = [[u * v, w] for u, v, w in x]\nm = [p + [a] for p in m]",
}
END = """\
t = 0.0
for row in m:
    for j, v in enumerate(row):
        t += (j + 1.5) * v * v + v
return t
"""
POINT = [[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]], 0.8, 1


def lines(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


@pytest.mark.parametrize("name", BODIES)
def test_values_and_gradients(name):
    source = HEAD + lines(BODIES[name]) + lines(END)
    made, plain = load(generate(source, **ANY_ORDER)), load(source)["f"]
    value, slopes = made["f_value_and_grad"](*POINT)
    assert same_bits(value, plain(*POINT))
    x, a, k = POINT
    step, found = 1e-6, flat(slopes)
    for place, slope in enumerate(found):
        ends = []
        for s in (step, -step):
            moved = [list(row) for row in x]
            moved[place // 3][place % 3] += s
            ends.append(plain(moved, a, k))
        assert slope == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-7)


def test_they_are_stored_one_by_one():
    text = generate(HEAD + lines(BODIES["values"]) + lines(END), **ANY_ORDER)
    assert "_table" not in text


def test_rows_of_zeros_are_a_grid():
    text = generate(HEAD + lines(BODIES["of numbers"]) + lines(END), **ANY_ORDER)
    assert "m = _grid(0.0, n, 3)" in text
    assert "_table" not in text


@pytest.mark.parametrize(
    "row",
    [
        "own",
        "both[0]",
        "held[1]",
        "own if i > 0 else other",
        "[a, 1.0] if i > 0 else own",
        "other if i > 1 else own if i > 0 else [a, 1.0]",
    ],
)
def test_a_row_that_has_another_name_is_not_written(row):
    body = "own = [a, a * a]\nother = [1.0, a]\nboth = [[a, a], own]\nheld = {1: own}\n"
    body += f"m = [{row} for i in range(n)]\nm[0][0] = a * x[0][1]\n"
    assert codes(HEAD + lines(body) + lines(END)) == ["AD124"]


@pytest.mark.parametrize("row", ["own[:]", "list(own)", "own + []", "make(i)"])
def test_a_copy_of_a_row_is_one(row):
    body = "own = [a, a * a]\ndef make(k):\n    r = [a, 1.0]\n    r[1] *= k\n"
    body += f"    return r\nm = [{row} for i in range(n)]\nm[0][0] = a * x[0][1]\n"
    source = HEAD + lines(body) + lines(END.replace("t = 0.0", "t = own[0]"))
    value, _ = load(generate(source, **ANY_ORDER))["f_value_and_grad"](*POINT)
    assert same_bits(value, load(source)["f"](*POINT))


@pytest.mark.parametrize("copy", ["m", "m[:]", "list(m)", "m.copy()", "m[::-1]"])
def test_rows_that_have_another_name_are_not_written_by_a_list_of_them(copy):
    body = f"own = [a, a * a]\nm = [own for i in range(n)]\nc = {copy}\n"
    assert codes(HEAD + lines(body + "c[0][0] = a\nreturn c[1][0]")) == ["AD124"]
    made = load(
        generate(HEAD + lines(body + "return c[1][0] * x[0][1] + own[1]"), **ANY_ORDER)
    )
    x, a, _ = POINT
    assert made["f_value_and_grad"](*POINT)[0] == a * x[0][1] + a * a


@pytest.mark.parametrize("copy", ["m[:]", "list(m)", "m.copy()"])
def test_a_shallow_copy_has_the_same_rows(copy):
    body = f"m = [[u * a, v] for u, v, _ in x]\nc = {copy}\nc[0][0] = a\n"
    assert set(codes(HEAD + lines(body + "return m[0][0]"))) == {"AD124"}


# fmt: off
ROWS = {
    "of an array":     ("m = x.copy()", "list(m)", "c[1][0]"),
    "of some rows":    ("m = x.copy()", "list(m[1:])", "c[0][0]"),
    "of a product":    ("m = x * a", "list(m)", "c[1][0]"),
    "of a transpose":  ("m = x.copy()", "list(m.T)", "c[0][1]"),
    "of another form": ("m = x.copy()", "list(m.reshape(3, n))", "c[1][0]"),
    "of layers":       ("m = np.stack([x, x * a])", "list(m)", "c[1][0][0]"),
}
# fmt: on
OF_ARRAYS = """\
import numpy as np

# ad: gradient(x, a, value=True)
def f(x: "Matrix[n, 3]", a: float):
    n = len(x)
"""


@pytest.mark.parametrize("name", ROWS)
def test_the_rows_of_a_list_are_those_of_the_array(name):
    first, made, place = ROWS[name]
    head = OF_ARRAYS + lines(f"{first}\nc = {made}\n")
    read, changed = f"{place} * a", f"{place} = a\n"
    seen = "m[1][0][0]" if name == "of layers" else "m[1][0]"
    assert codes(head + lines(f"{changed}return {seen} * a")) == ["AD124"]
    source = head + lines(f"return {seen} * {read}")
    x = np.array([[0.5, 2.0, -1.0], [0.25, 1.5, 3.0], [1.0, -2.0, 0.75]])
    value, (_, slope) = load(generate(source, **ANY_ORDER))["f_value_and_grad"](x, 0.5)
    plain, step = load(source)["f"], 1e-6
    assert value == plain(x, 0.5)
    ends = plain(x, 0.5 + step), plain(x, 0.5 - step)
    assert slope == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-8)


def test_a_list_of_a_list_of_an_array_has_rows_of_its_own():
    body = "m = x.copy()\nc = m.tolist()\nc[1][0] = a\nreturn m[1][0] * c[1][0]"
    source = OF_ARRAYS + lines(body)
    x = [[0.5, 2.0, -1.0], [0.25, 1.5, 3.0]]
    value, (_, slope) = load(generate(source, **ANY_ORDER))["f_value_and_grad"](x, 0.5)
    assert (value, slope) == (0.125, 0.25)
