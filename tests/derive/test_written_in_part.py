"""States of a few numbers are numbers beside lists whose length only a run knows."""

from __future__ import annotations

import re

import pytest
from amounts import ANY_ORDER
from support import generate, load, same_bits

from ad_transform.elementals import TABLE
from ad_transform.ir.parse import parse_function
from ad_transform.ir.written.written_out import ELEMENTS, written_in_part

HEAD = """\
# ad: gradient(a, b, value=True)
def f(a: float, b: float, z: "Vector[n]", k: int) -> float:
    s = [a, b]
    t = [0.5, a * b, 0.25]
"""
POINTS = (0.7, 0.4, [0.5, -0.25, 1.5], 1), (-0.3, 1.2, [], 0), (0.2, 0.9, [0.1], 1)

NUMBERS = {
    "in place": "for v in z:\n        s[0] += v * s[1]\n        s[1] *= 0.5 - s[0]",
    "made anew": (
        "for v in z:\n        s = [s[0] + v * s[1], s[1] - 0.1 * v]\n        s[0] *= b"
    ),
    "in an arm": (
        "for v in z:\n        if v > 0.0:\n            s[0], s[1] = s[1], 0.5 * s[0]\n"
        "        else:\n            t[1] -= v * s[0]\n        s[1] += 0.1 * t[1]"
    ),
    "swapped in an arm before one is stored": (
        "for v in z:\n        s = [s[0] * v, s[1] * b]\n        if s[0] < 0.42:\n"
        "            s[0], s[1] = s[1], s[0]\n        t[1] += s[0]\n        s[0] = a"
    ),
    "by short loops": (
        "for v in z:\n        for j in range(2):\n            s[j] += 0.1 * v * t[j]\n"
        "        t[1] = 0.3 * t[1] + s[0]"
    ),
    "by a comprehension": (
        "for v in z:\n        u = [x * v for x in s]\n        s[0] += u[1]\n"
        "        s[1] -= 0.2 * u[0]"
    ),
    "till a break": (
        "for v in z:\n        s[0] += v * s[1]\n        if s[0] > 1.0:\n"
        "            break\n        s[1] *= 0.9"
    ),
    "in a loop of many trips": (
        "for _ in range(40):\n        s[0] += 0.01 * s[1]\n"
        "        s[1] -= 0.01 * s[0]\n    for v in z:\n        s[1] += 0.1 * v * s[0]"
    ),
    "that a list records": (
        "path = []\n    for v in z:\n        s[0] += v * s[1]\n"
        "        path.append(s[0])\n        s[1] = 0.5 * s[1]\n"
        "    for p in path:\n        s[1] += p * p"
    ),
    "of rows": (
        "m = [[a, 1.0], [b, 0.5]]\n    for v in z:\n        m[0][1] += v * m[1][0]\n"
        "        m[1][0] = 0.5 * m[1][0] * m[0][1]\n    s[0] = m[0][1] + m[1][0]"
    ),
}
LONG = {
    "a list that got one item in trips that are known": (
        "u = []\n    for k in range(6):\n        if k == 2:\n"
        "            u.append(a * k)\n    for v in z:\n        s[0] += v * s[1]\n"
        "        u.append(u[-1] * v)\n"
        "        s[1] += 0.1 * u[-1]"
    ),
    "a list that an arm makes longer": (
        "u = []\n    for k in range(6):\n        if k == 2:\n"
        "            u.append(a * k)\n    if a > 0.5:\n        u.append(b)\n"
        "    for v in z:\n"
        "        s[0] += v * s[1] * u[0]\n    s[1] += sum(u)"
    ),
    "lists of trips that are known": (
        "for k in range(3):\n        w = [v * a for v in z]\n"
        "        s[0] += sum(w) * k\n        s[1] *= 0.5 + s[0]"
    ),
}
"""Lists that stay lists beside states, whose lengths are known better where loops are
written out.
"""
LISTS = {
    "at an index of a run": (
        "for v in z:\n        s[k] += v * t[1]\n        t[1] *= 0.5 - v"
    ),
    "at an index that is counted": (
        "j = 0\n    for v in z:\n        j = 1 - j\n        s[j] += v * s[0]\n"
        "        t[2] += s[1]"
    ),
    "beside one that becomes the other": (
        "u = [b, a]\n    for v in z:\n        u[k] += v\n        s[0] += v * s[1]\n"
        "        s = [u[0], s[0]]"
    ),
}
EVERY = NUMBERS | LISTS | LONG
END = "\n    return s[0] * s[1] + t[1] * t[2]\n"


@pytest.mark.parametrize("body", EVERY.values(), ids=EVERY)
def test_values_and_slopes(body: str) -> None:
    text = f"{HEAD}    {body}{END}"
    theirs, made = (
        load(text)["f"],
        load(generate(text, **ANY_ORDER))["f_value_and_grad"],
    )
    for a, b, z, k in POINTS:
        value, slopes = made(a, b, list(z), k)
        assert same_bits(value, theirs(a, b, list(z), k))
        for slope, (da, db) in zip(slopes, ((1e-6, 0.0), (0.0, 1e-6)), strict=True):
            ahead = theirs(a + da, b + db, list(z), k)
            behind = theirs(a - da, b - db, list(z), k)
            assert slope == pytest.approx((ahead - behind) / 2e-6, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("body", NUMBERS.values(), ids=NUMBERS)
def test_states_are_numbers(body: str) -> None:
    text = generate(f"{HEAD}    {body}{END}", **ANY_ORDER)
    assert not re.search(r"\b[stum](_\d)?(_bar)?\[", text)


@pytest.mark.parametrize("body", LISTS.values(), ids=LISTS)
def test_what_a_run_picks_from_stays_a_list(body: str) -> None:
    """And what is read at known places is numbers beside it."""
    text = generate(f"{HEAD}    {body}{END}", **ANY_ORDER)
    assert re.search(r"\b[su]\[", text)
    assert not re.search(r"\bt\[", text)


@pytest.mark.parametrize("body", LONG.values(), ids=LONG)
def test_states_beside_lists_of_other_lengths_are_numbers(body: str) -> None:
    assert not re.search(r"\bs\[", generate(f"{HEAD}    {body}{END}", **ANY_ORDER))


def test_rows_of_a_list_have_its_name() -> None:
    text = generate(f"{HEAD}    {NUMBERS['of rows']}{END}", **ANY_ORDER)
    assert "m_0" in text
    assert "m_1" in text
    assert "value_loop" not in text


def test_lists_of_several_trips_have_a_length_each():
    source = """
# ad: gradient(a, b, value=True)
def f(a: float, b: float, n: int) -> float:
    out = a * b
    w = [0.3 * b] * n
    for i in range(3):
        u = [b, a]
    for i in range(3):
        u = [x * b for x in w]
        w.append(out)
        for x, y in zip(u, w):
            out += 0.1 * x * y - 0.05 * x
    return out + sum(u)
"""
    function, made = (
        load(source)["f"],
        load(generate(source, **ANY_ORDER))["f_value_and_grad"],
    )
    for n in (0, 1, 4):
        value, (by_a, by_b) = made(0.7, 0.4, n)
        assert same_bits(value, function(0.7, 0.4, n))
        for k, slope in enumerate((by_a, by_b)):
            ends = [[0.7, 0.4], [0.7, 0.4]]
            ends[0][k] += 1e-6
            ends[1][k] -= 1e-6
            more, less = (function(*end, n) for end in ends)
            assert slope == pytest.approx((more - less) / 2e-6, rel=1e-7)


GIVEN = """\
function f primal 0 nest .
parameter x (%0: float[{length}]) nest array(.)
parameter a (%1: float)
  %2: float = sum_of(%0)
  %3: float = mul(%2, %1)
  give %3
"""


@pytest.mark.parametrize("length", ["m", 0, ELEMENTS + 1])
def test_nothing_is_written_out_where_no_length_is_known_and_small(
    length: int | str,
) -> None:
    function = parse_function(GIVEN.format(length=length), TABLE)
    assert written_in_part(function, TABLE, 100) is None


def test_a_list_of_known_length_is_numbers() -> None:
    made = written_in_part(parse_function(GIVEN.format(length=3), TABLE), TABLE, 100)
    assert made is not None
    assert len(made.block.params) == 4
