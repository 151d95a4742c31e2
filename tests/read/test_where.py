"""`numpy.where` of single numbers: the value that is not taken contributes nothing."""

from __future__ import annotations

import math

import pytest
from amounts import ANY_ORDER
from support import generate, load, load_generated, run

SOURCE = """\
import math
import numpy as np

# ad: gradient(value=True)
def root(x):
    return float(np.where(x > 0.0, np.sqrt(x), 0.0))

# ad: gradient(value=True)
def named(x):
    a = np.sqrt(x)
    b = np.log(x) * a
    return np.where(x > 0.0, a + b, x)

# ad: gradient(value=True)
def sinc(x):
    return np.where(abs(x) < 1e-8, 1.0 - x * x / 6.0, np.sin(x) / x)

# ad: gradient(value=True)
def shared(x):
    a = math.exp(x)
    return np.where(x > 1.0, a, a * x) + a

# ad: gradient(value=True)
def looped(x, n: int):
    s = 0.0
    for k in range(n):
        t = np.sqrt(x - k)
        s = s + np.where(x > k, t, 0.0)
    return s

# ad: gradient(value=True)
def nested(x):
    return np.where(x > 1.0, np.where(x > 2.0, np.log(x - 2.0), np.sqrt(x - 1.0)), x)
"""
CASES = {
    "root": (((0.0,), 0.0, 0.0), ((-1.0,), 0.0, 0.0), ((4.0,), 2.0, 0.25)),
    "named": (((0.0,), 0.0, 1.0), ((1.0,), 1.0, 1.5)),
    "sinc": (
        ((0.0,), 1.0, 0.0),
        ((math.pi,), math.sin(math.pi) / math.pi, -1 / math.pi),
    ),
    "shared": (((0.0,), 1.0, 2.0),),
    "looped": (
        ((1.0, 3), 1.0, 0.5),
        ((4.25, 1), math.sqrt(4.25), 0.5 / math.sqrt(4.25)),
    ),
    "nested": (((0.5,), 0.5, 1.0), ((2.0,), 1.0, 0.5), ((3.0,), 0.0, 1.0)),
}


@pytest.fixture(scope="module")
def made() -> dict:
    result = run(SOURCE, container="tuple", **ANY_ORDER)
    assert result.text is not None, result.diagnostics
    return load(result.text)


@pytest.mark.parametrize("name", CASES)
def test_value_and_slope(made: dict, name: str) -> None:
    for point, value, slope in CASES[name]:
        got, gradient = made[f"{name}_value_and_grad"](*point)
        assert abs(got - value) < 1e-15
        assert abs(gradient - slope) < 1e-14


def test_a_gradient_of_whole_factors_is_of_floats() -> None:
    body = "return np.sum(x * np.where(x > 0.5, 1, 0))"
    source = f'import numpy as np\n# ad: gradient\ndef f(x: "Vector[n]"):\n    {body}\n'
    found = load_generated(source)["f_grad"]([0.2, 0.7])
    assert (found.dtype, found.tolist()) == (float, [0.0, 1.0])


UNTAKEN = (
    "np.maximum(1.0, np.sqrt(x))",
    "np.maximum(np.sqrt(x), 1.0)",
    "np.minimum(-1.0, -np.sqrt(x))",
    "np.clip(np.sqrt(x), 0.5, 1.5)",
    "np.where(x > 0.1, 1.0, 0.0) * np.where(x < 9.0, np.sqrt(x), 0.0)",
)


@pytest.mark.filterwarnings("ignore:divide by zero")
@pytest.mark.parametrize("body", UNTAKEN)
def test_whole_arrays_that_are_not_taken_make_no_nan(body: str) -> None:
    head = 'import numpy as np\n# ad: gradient\ndef f(x: "Vector[n]"):\n'
    found = load_generated(f"{head}    return np.sum({body})\n")["f_grad"]([0.0, 1.44])
    assert abs(found) == pytest.approx([0.0, 0.5 / 1.2])


def test_loops_back_over_whole_arrays_read_as_what_stands_outside() -> None:
    head = 'import numpy as np\n# ad: gradient\ndef f(W: "Matrix[n, n]"):\n    D = W\n'
    trip = "D = np.minimum(D, D[:, k][:, None] + D[k])"
    loop = f"    for k in range(len(W)):\n        {trip}\n"
    text = generate(f"{head}{loop}    return np.sum(D)\n")
    assert "[:, None][:, 0]" not in text and "[None, :][0]" not in text
    slopes = load(text)["f_grad"]([[0.1, 9.1, 1.1], [2.1, 0.1, 9.2], [9.2, 3.2, 0.2]])
    assert slopes.tolist() == [[1.0, 0.0, 3.0], [3.0, 1.0, 0.0], [0.0, 3.0, 1.0]]


def test_a_tie_of_whole_arrays_is_shared() -> None:
    head = (
        'import numpy as np\n# ad: gradient\ndef f(x: "Vector[n]", y: "Vector[n]"):\n'
    )
    body = "return np.sum(np.maximum(x, y) - 3.0 * np.minimum(x, y))"
    x, y = load_generated(f"{head}    {body}\n")["f_grad"](
        [1.0, 2.0, 3.0], [1.0, 1.0, 4.0]
    )
    assert x.tolist() == [-1.0, 1.0, -3.0] and y.tolist() == [-1.0, -3.0, 1.0]
    body = "return np.maximum.accumulate(x) @ y"
    x, _ = load_generated(f"{head}    {body}\n")["f_grad"](
        [1.0, 1.0, 0.0], [1.0, 2.0, 4.0]
    )
    assert x.tolist() == [4.0, 3.0, 0.0]
