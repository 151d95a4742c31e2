"""Operations of issue 11: what a product adds, and a gradient beside one by hand."""

from __future__ import annotations

import pytest
from support import run
from support_counts import counts_of

LIMIT = 2.2
BY_HAND = 1.1

HEAD = """import math

B = ({b})
A = ({a})
R, T, ROOT = 8.314, 300.0, math.sqrt(2.0)

# ad: gradient(x, value=True), hvp(x, value=True)
"""
POWELL = """def f(x: "Vector[4]"):
    f = (x[0] + 10.0 * x[1]) ** 2 + 5.0 * (x[2] - x[3]) ** 2
    return f + (x[1] - 2.0 * x[2]) ** 4 + 10.0 * (x[0] - x[3]) ** 4
"""
ROSENBROCK = """def f(x: "Vector[10]"):
    s = 0.0
    for i in range(9):
        s += 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2
    return s
"""
HELMHOLTZ = """def f(x: "Vector[10]"):
    bx = sum(b * xi for b, xi in zip(B, x))
    xax = sum(x[i] * sum(A[i][j] * x[j] for j in range(10)) for i in range(10))
    free = 1.0 - bx
    ideal = sum([xi * math.log(xi / free) for xi in x])
    attraction = math.log((1.0 + (1.0 + ROOT) * bx) / (1.0 + (1.0 - ROOT) * bx))
    return R * T * ideal - xax / (2.0 * ROOT * bx) * attraction
"""


def _head() -> str:
    b = ", ".join(f"{0.02 + 0.003 * i:.3f}" for i in range(10))
    rows = (
        ", ".join(f"{0.2 + 0.01 * ((7 * i * j + i + j) % 13):.2f}" for j in range(10))
        for i in range(10)
    )
    return HEAD.format(b=b, a=", ".join(f"({row})" for row in rows))


def _by_hand() -> str:
    """Value and gradient of Helmholtz's energy as a careful person writes them."""
    n = range(10)
    lines = ["bx = " + " + ".join(f"b{i} * x{i}" for i in n)]
    for i in n:
        lines.append(f"a{i} = " + " + ".join(f"a{i}_{j} * x{j}" for j in n))
    lines.append("xax = " + " + ".join(f"x{i} * a{i}" for i in n))
    lines.append("free = 1.0 - bx")
    lines += [f"l{i} = log(x{i} / free)" for i in n]
    lines.append("ideal = " + " + ".join(f"x{i} * l{i}" for i in n))
    lines += [
        "above = 1.0 + P * bx",
        "below = 1.0 + Q * bx",
        "w = log(above / below)",
        "k = w / (S * bx)",
        "value = RT * ideal - xax * k",
        f"total = {' + '.join(f'x{i}' for i in n)}",
        "slope = P / above - Q / below",
        "every = RT * total / free + xax * (k - slope / S) / bx",
        "twice = 2.0 * k",
    ]
    lines += [f"g{i} = RT * l{i} + RT + b{i} * every - twice * a{i}" for i in n]
    return "def f():\n" + "".join(f"    {line}\n" for line in lines)


@pytest.mark.parametrize("body", [POWELL, ROSENBROCK, HELMHOLTZ])
def test_a_product_beside_value_and_gradient(body: str) -> None:
    gradient, product = (made.counts.total for made in run(_head() + body).derived)
    print(f"{product} operations beside {gradient}: {product / gradient:.2f}")
    assert product <= LIMIT * gradient


def test_a_gradient_beside_one_by_hand() -> None:
    by_hand = counts_of(_by_hand(), "f").total
    total = run(_head() + HELMHOLTZ).derived[0].counts.total
    print(f"{total} operations, {by_hand} by hand: {total / by_hand:.2f}")
    assert total <= BY_HAND * by_hand
