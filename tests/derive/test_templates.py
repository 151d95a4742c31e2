"""Matrices that are mostly constant begin as copies: the numbers are those of lists."""

from functools import cache

import numpy as np
import pytest
from amounts import ANY_ORDER
from support import generate, load_generated

SOURCE = """
RATE = 3

# ad: {items}
def chain(x: "Vector[7]"):
    return [(RATE - x[i]) * x[i] - 2.0 * RATE * x[i - 1] for i in range(1, 7)]

# ad: {scalar}
def valley(x: "Vector[7]"):
    return sum([(x[i] - x[i - 1] ** 2) ** 2 for i in range(1, 7, 3)])
"""
ITEMS = "jacobian", "jacobian(value=True)", "jacobian(packed=q, name=packed)"
SCALAR = "hessian", "hessian(value=True)"
POINT = [0.3, -1.2, 0.7, 2.0, -0.4, 1.1, 0.9]


@cache
def made(**options: str) -> dict[str, object]:
    items, scalar = ", ".join(ITEMS), ", ".join(SCALAR)
    return load_generated(SOURCE.format(items=items, scalar=scalar), **options)


@pytest.mark.parametrize(
    "name", ["chain_jac", "chain_value_and_jac", "packed", "valley_value_and_hess"]
)
def test_entries_are_those_of_nested_lists(name: str) -> None:
    found, wanted = made()[name](POINT), made(container="tuple")[name](POINT)
    if isinstance(found, tuple):
        found, wanted = found[-1], wanted[-1]
    assert found.tolist() == [list(row) for row in wanted]
    assert found.dtype == float
    assert found.flags.writeable


def test_only_what_varies_is_written() -> None:
    text = generate(
        SOURCE.format(items="jacobian, " + ITEMS[1], scalar="hessian"), **ANY_ORDER
    )
    head, jac, both, hess = text.split("\ndef ")
    assert "        [0.0, _MINUS_2RATE, 0.0, 0.0, 0.0, 0.0, 0.0],\n" in head
    assert head.count("np.array(") == 1
    assert jac.count("    jac[") == both.count("    jac[") == 6
    assert "np.zeros((7, 7))" in hess


CONSTANT = """
_F_JAC = 2.0
RATE = math.pi

# ad: jacobian
def f(x: "Vector[3]"):
    rate = 4.0
    return x[0] * _F_JAC, x[0] + RATE * x[1], rate * x[2]
"""


def test_what_is_all_constant_is_copied() -> None:
    made = load_generated("import math\n" + CONSTANT)
    wanted = [[2.0, 0.0, 0.0], [1.0, np.pi, 0.0], [0.0, 0.0, 4.0]]
    for _ in range(2):
        found = made["f_jac"](POINT[:3])
        assert found.tolist() == wanted
        found[:] = 7.0


def test_small_and_full_matrices_are_lists() -> None:
    source = '# ad: jacobian\ndef f(x: "Vector[5]"):\n    return [a * a for a in x]\n'
    assert "zeros" not in generate(source)
    assert np.array_equal(
        load_generated(source)["f_jac"](POINT[:5]).nonzero()[0], range(5)
    )
