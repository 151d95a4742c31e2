"""Tables of short tuples: each column is one list, made once, in front of all loops."""

import pytest

from tests.support import generate, load, load_generated

DOSES = "DOSES = [(0.0, 100.0), (12.0, 50.0), (12.0, 25.0)]\n"
LOADS = "LOADS = (('point', 1.5, 900.0), ('spread', 2.0, 400.0))\n"
GRID = "GRID = ((1.0, 2.0), (3.0, -4.0))\n"
MARK = "# ad: gradient(x, value=True)\n"
CASES = [
    (
        DOSES,
        "n: float = 12.5",
        "    s = 0.0\n    i = 0\n    while i < len(DOSES) and DOSES[i][0] < n:\n"
        "        s += DOSES[i][1] * x * (n - DOSES[i][0])\n        i += 1\n"
        "    return s * s\n",
    ),
    (
        LOADS,
        "n: int = 1",
        "    kind, at, force = LOADS[n]\n    if kind == 'point':\n"
        "        return force * (x - at)\n    return force * (x - at) ** 2\n",
    ),
    (
        GRID,
        "n: int = 2",
        "    s = 0.0\n    for i in range(n):\n        for j in range(n):\n"
        "            s += GRID[i][j] * x\n    return s * s\n",
    ),
    (
        "",
        "n: int = 2",
        "    u = ((x, 1.0), (x * x, 2.0), (3.0, x))\n    s = 0.0\n"
        "    for i in range(n):\n        s += u[i][0] * u[i + 1][1]\n    return s\n",
    ),
]


@pytest.mark.parametrize(("table", "last", "body"), CASES)
def test_rows_are_those_of_python(table: str, last: str, body: str) -> None:
    source = f"{table}{MARK}def f(x, {last}):\n{body}"
    f = load(source)["f"]
    value, slope = load_generated(source)["f_value_and_grad"](1.5)
    assert value == f(1.5)
    assert slope == pytest.approx((f(1.5 + 1e-6) - f(1.5 - 1e-6)) / 2e-6, rel=1e-7)


def test_columns_are_made_once() -> None:
    table, last, body = CASES[0]
    text = generate(f"{table}# ad: gradient(x)\ndef f(x, {last}):\n{body}")
    assert text.count("[0.0, 12.0, 12.0]") == 1 and text.count("[100.0, 50.0") == 1
    assert "while i < 3 and _DOSES_0[i] < n:" in text


def test_zeros_of_both_signs_are_told_apart() -> None:
    source = (
        "import math\n# ad: gradient(x, value=True)\ndef f(x, n: int = 1):\n"
        "    t, u = (0.0, 1.0), (-0.0, 1.0)\n    k = n - 1\n"
        "    return x * (math.copysign(1.0, t[k]) - math.copysign(2.0, u[k]))\n"
    )
    assert load_generated(source)["f_value_and_grad"](2.0) == (6.0, 3.0)
