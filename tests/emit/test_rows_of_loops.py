"""Loops over the rows of a matrix have names for them, as their sources do."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import ANY_ORDER
from support import generate, load, same_bits

HEAD = """\
# ad: gradient(a, value=True)
def f(a: float, A: "Matrix[m, n]", x: "Vector[n]", y: "Vector[m]") -> float:
    s = 0.0
"""
A = [[0.5, -0.25, 1.0], [2.0, 0.75, -1.5]]
POINT = 0.7, A, [0.3, 0.2, 0.1], [1.5, -0.5]

NAMED = {
    "an inner loop": (
        "for row in A:\n        for u, v in zip(row, x):\n            s += a * u * v",
        "    for A_i in A_list:\n        for u, v in zip(A_i, x_list):\n",
    ),
    "beside items": (
        "for row, w in zip(A, y):\n        s += w * a * row[0] - row[1] * s",
        "    for A_i, w in zip(A_list, y_list):\n",
    ),
    "rows beside rows": (
        "for row in A:\n        for other in A:\n"
        "            s += a * row[0] * other[1] * row[2] * other[0]",
        "    for A_i in A_list:\n        for A_i_2 in A_list:\n",
    ),
    "in an arm": (
        "for row in A:\n        if s > 0.1:\n            s -= a * row[0]\n"
        "        else:\n            s += a * row[1]",
        "            a_bar_2 = A_i[1]\n",
    ),
    "two loops deep": (
        "for row in A:\n        for p in row:\n            for q in row:\n"
        "                s += a * p * q",
        "            for q in A_i:\n",
    ),
    "in a while": (
        "for row in A:\n        k = 0\n        while k < 2 and row[k] > 0.4:\n"
        "            s += a * row[k]\n            k += 1",
        "        while k < 2 and A_i[k] > 0.4:\n",
    ),
}
AS_THEY_ARE = {
    "an index of the user": (
        "for i in range(len(A)):\n        for j in range(len(x)):\n"
        "            s += a * A[i, j] * x[j]"
    ),
    "an element": "for row in A:\n        s += a * row[0]",
    "a matrix that changes": (
        "B = A.copy()\n    for row in B:\n        for j in range(len(x)):\n"
        "            row[j] = a * row[j] + s\n            s += row[j]"
    ),
    "rows that may be fewer than trips": (
        "for v, row in zip(x, A):\n        s += a * v * row[0] * row[1]"
    ),
    "the row before": (
        "for k, v in enumerate(y[1:]):\n        for j in range(len(x)):\n"
        "            s += a * A[k, j] * v"
    ),
}
BODIES = {name: body for name, (body, _) in NAMED.items()} | AS_THEY_ARE


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_values_and_slopes(body: str) -> None:
    text = f"import numpy as np\n\n\n{HEAD}    {body}\n    return s\n"
    theirs, made = (
        load(text)["f"],
        load(generate(text, **ANY_ORDER))["f_value_and_grad"],
    )
    point = (POINT[0], *(np.array(one) for one in POINT[1:]))
    value, slope = made(*point)
    assert same_bits(value, float(theirs(*point)))
    ahead, behind = (theirs(POINT[0] + h, *point[1:]) for h in (1e-6, -1e-6))
    assert slope == pytest.approx((ahead - behind) / 2e-6, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(("body", "lines"), NAMED.values(), ids=NAMED)
def test_rows_have_names(body: str, lines: str) -> None:
    assert lines in generate(f"{HEAD}    {body}\n    return s\n", **ANY_ORDER)


@pytest.mark.parametrize("body", AS_THEY_ARE.values(), ids=AS_THEY_ARE)
def test_other_elements_are_read_where_they_stand(body: str) -> None:
    text = generate(f"{HEAD}    {body}\n    return s\n", **ANY_ORDER)
    assert "A_i" not in text.replace("A_ij", "")
    assert "B_i" not in text.replace("B_ij", "")
