"""Arrays of whole numbers and truth values among the results have tangents of 0."""

import numpy as np
import pytest
from amounts import NUMBERS
from support import generate, load

LISTS = """
# ad: {}
def f(x: "Vector[n]", c: "Matrix[m, 2, int]", on: "Vector[m, bool]", k: int):
    d = []
    for i in range(k):
        d.append(i * k)
    return d, x[0] * x[1], c, on
"""
WHOLES = """
import numpy as np

# ad: {}
def f(x: "Vector[n]", c: "Matrix[m, 2, int]", on: "Vector[m, bool]", k: int):
    return np.argsort(x), x[0] * x[1] + 0.0 * np.sum(x), c, on
"""
KNOWN = """
# ad: {}
def f(x: "Vector[3]", c: "Matrix[m, 2, int]", on: "Vector[m, bool]", k: int):
    return [1, 2, 3], x[0] * x[1], c, on
"""
GIVEN = [0.5, 3.0, 0.7], [[1, 2], [3, 4]], [True, False], 3


@pytest.mark.parametrize("source", [LISTS, WHOLES, KNOWN])
def test_tangents_are_as_long_as_what_is_returned(source: str) -> None:
    made = load(generate(source.format("jvp(x), vjp(x), jacobian(x)"), **NUMBERS))
    x, *rest = GIVEN
    value, tangent = made["f_jvp"](x, [1.0, 2.0, 0.0], *rest)
    assert tangent[1] == 4.0
    for one, dot in zip(value, tangent, strict=True):
        assert np.shape(one) == np.shape(dot)
        assert not np.any(dot) or dot == 4.0
    seed = tuple(np.ones(np.shape(one)) for one in value)
    assert made["f_vjp"](x, seed, *rest)[1].tolist() == [3.0, 0.5, 0.0]
    matrix = made["f_jac"](*GIVEN)
    assert matrix.sum(axis=0).tolist() == [3.0, 0.5, 0.0]
    assert len(matrix) == sum(map(np.size, value))
