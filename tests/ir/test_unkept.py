"""Elements that a trip changes for itself alone are values."""

from __future__ import annotations

import pytest
from amounts import ANY_ORDER
from support import generate, load

from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.lists.unkept import without_unkept
from ad_transform.ir.parse import parse_function
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import verify

LOOP = """\
function f primal 0 nest .
parameter x (%0: float[n]) nest array(.)
parameter k (%1: int)
  %2: int = size(%0)
  %3: float[n] = copy(%0)
  %4: float[n], %5: float = scan ({start}, %2, 1) (%3, 0.0) (%1) ()
  body (%10 i: int, %11: float[n], %12: float, %13: int)
{body}
    %19: float = add(%12, {value})
    give {array}, {carried}
{end}
"""
ONE = """\
    %14: float[n] = {op}(%11, 0.5, {place})
    %15: float = get(%14, {read})"""
PLAIN = {
    "start": "0",
    "body": ONE.format(op="add_at", place="%10", read="%10"),
    "value": "%15",
    "array": "%14",
    "carried": "%19",
    "end": "  give %5",
}
VALUES = {
    "added": {},
    "taken off": {"body": ONE.format(op="sub_at", place="%10", read="%10")},
    "stored": {"body": ONE.format(op="set", place="%10", read="%10")},
    "carried on": {"carried": "%15"},
    "read before": {
        "body": "    %16: float = get(%11, %10)\n"
        "    %17: float = mul(%16, 2.0)\n"
        "    %14: float[n] = add_at(%11, %17, %10)\n"
        "    %15: float = get(%14, %10)"
    },
    "changed twice": {
        "body": "    %16: float[n] = add_at(%11, 0.25, %10)\n"
        "    %17: float = get(%16, %10)\n"
        "    %14: float[n] = add_at(%16, %17, %10)\n"
        "    %15: float = get(%14, %10)"
    },
}
KEPT = {
    "read behind": {
        "end": "  %6: float = get(%4, 1)\n  %7: float = add(%5, %6)\n  give %7"
    },
    "stored elsewhere": {"body": ONE.format(op="add_at", place="1", read="%10")},
    "read elsewhere": {"body": ONE.format(op="add_at", place="%10", read="0")},
    "one that is told": {"body": ONE.format(op="add_at", place="%13", read="%13")},
    "places from the end": {"start": "-2"},
    "all elements": {
        "body": "    %14: float[n] = add_at(%11, 0.5, %10)\n"
        "    %15: float = sum_of(%14)"
    },
}

X = [0.5, -1.25, 2.0, 0.75, -0.5]


def program(changes):
    function = parse_function(LOOP.format(**PLAIN | changes), TABLE)
    verify(function)
    after = without_unkept(function, TABLE)
    verify(after)
    for k in (1, 2):
        assert evaluate(after, (X, k)) == evaluate(function, (X, k))
    return format_function(after)


@pytest.mark.parametrize("name", VALUES)
def test_they_are_not_stored(name):
    text = program(VALUES[name])
    assert "_at(" not in text
    assert "set(" not in text


@pytest.mark.parametrize("name", KEPT)
def test_what_others_read_is(name):
    assert "add_at(" in program(KEPT[name])


PRODUCTS = """
# ad: gradient
def f(a: "Matrix[n, n]", x: "Vector[n]") -> float:
    w = [0.0] * len(x)
    for i in range(len(x)):
        for j in range(len(x)):
            w[i] += a[i, j] * x[j]
    s = 0.0
    for i in range(len(x)):
        s += w[i] ** 3
    return s
"""


def test_adjoints_that_an_inner_loop_reads_are_numbers() -> None:
    text = generate(PRODUCTS, **ANY_ORDER)
    assert "w_bar" not in text and "x_bar[j] += times_s * a_list[i][j]" in text
    a, x = [[1.0, 2.0], [0.5, -1.5]], [0.75, 1.25]
    w = [sum(p * q for p, q in zip(row, x, strict=True)) for row in a]
    of_a, of_x = load(text)["f_grad"](a, x)
    for i in range(2):
        assert list(of_a[i]) == pytest.approx([3.0 * w[i] ** 2 * v for v in x])
        slope = sum(3.0 * w[k] ** 2 * a[k][i] for k in range(2))
        assert of_x[i] == pytest.approx(slope)
