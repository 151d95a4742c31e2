"""Functions that call themselves and go down what is known are written out."""

from __future__ import annotations

from typing import Any

import pytest
from amounts import NUMBERS
from numpy.testing import assert_allclose
from reading import bits, codes, indented
from support import hessian, jacobian, load, load_exact, load_generated

HEAD = """import math
from dataclasses import dataclass

FUNCTIONS = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "neg": lambda a: -a,
    "sin": math.sin,
    "exp": math.exp,
}
DEEP = ("neg", ("mul", "a", ("add", ("mul", "b", "a"), ("sin", ("mul", "a", "b")))))
TREE = ("add", ("mul", "a", ("sin", "b")), ("exp", DEEP))


def evaluated(node, known):
    if isinstance(node, str):
        return known[node]
    name, *operands = node
    return FUNCTIONS[name](*(evaluated(one, known) for one in operands))


@dataclass
class Node:
    weight: float
    inner: tuple = ()


def total(node, x):
    if not node.inner:
        return node.weight * x
    return sum(total(one, x * node.weight) for one in node.inner)


def walked(links, x, known):
    if not links:
        return x * known["scale"]
    head, *rest = links
    if head > 2.0 and x > 100.0:
        return 0.0
    return walked(rest, x * head + known["scale"], known)


def endless(known):
    return known["a"] * endless({"a": known["a"] + 1.0})


def doubled(known, n):
    if n == 0:
        return known["a"]
    return doubled(known, n - 1) + doubled(known, n - 1)


# ad: gradient(a, b, value=True), hessian(a, b)
def f(a: float, b: float):
"""
BODIES = {
    "terms": 'return evaluated(TREE, {"a": a, "b": b})',
    "objects": (
        "deep = Node(a, (Node(2.0, (Node(b),)),))\n"
        "inner = Node(a, (Node(1.5, (deep,)), Node(3.0)))\n"
        "return total(Node(b, (inner, Node(b))), a)"
    ),
    "lists": 'return walked([1.0, a, 3.0, 0.2, 0.1, 0.4, 0.3], b, {"scale": a})',
}


@pytest.mark.parametrize("name", BODIES)
def test_is_what_python_and_sixty_digits_say(name: str) -> None:
    source = HEAD + indented(BODIES[name])
    ours = load_generated(source, **NUMBERS)
    theirs, exact = load(source)["f"], load_exact(source)["f"]
    values: dict[str, Any] = {"a": 0.7, "b": 1.3}
    value, slopes = ours["f_value_and_grad"](**values)
    assert bits(value) == bits(theirs(**values))
    wanted = [float(v) for v in jacobian(exact, values, "ab")[0]]
    assert_allclose(slopes, wanted, rtol=1e-13, atol=1e-15)
    curves = [[float(v) for v in row] for row in hessian(exact, values, "ab")]
    assert_allclose(ours["f_hess"](**values), curves, 1e-12, 1e-12)


@pytest.mark.parametrize(
    "body", ['return endless({"a": a}) * b', 'return doubled({"a": a}, 25) * b']
)
def test_what_has_no_end_or_too_many_calls_is_refused(body: str) -> None:
    assert codes(HEAD + indented(body)) == ["AD120"]
