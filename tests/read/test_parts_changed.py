"""`f[a:b] += v`: the lengths of part and value are compared once."""

import numpy as np
import pytest

from tests.support import generate, load, load_generated

HEAD = "import numpy as np\n# ad: vjp(a)\ndef f(a: 'Vector[n]', {}, m: int):\n"
CASES = [
    ("b: 'Vector[k]'", "y = np.zeros(m)", "y[i : i + len(b)] += a[i] * b", 1),
    ("b: 'Vector[k]'", "y = np.ones((m, m))", "y[i, : len(b)] *= a[i] * b", 1),
    ("b: 'Matrix[k, k]'", "y = np.zeros((m, m))", "y[i : i + 2, :2] -= a[i] * b", 2),
    ("b: 'Vector[k]'", "y = np.ones(m)", "y[: len(b)] = y[: len(b)] / a[i] - b", 1),
    ("b: 'Vector[k]'", "y = np.zeros(m)", "y[i : i + len(b)] = a[i] * b", 1),
]


def _source(case: tuple[str, str, str, int]) -> str:
    parameter, start, change, _ = case
    body = f"    {start}\n    for i in range(len(a)):\n        {change}\n    return y\n"
    return HEAD.format(parameter) + body


@pytest.mark.parametrize("case", CASES)
def test_lengths_are_compared_once(case: tuple[str, str, str, int]) -> None:
    assert generate(_source(case)).count("lengths differ") == case[-1]


@pytest.mark.parametrize("case", CASES)
def test_a_part_at_the_end_is_too_short(case: tuple[str, str, str, int]) -> None:
    source = _source(case)
    f, f_vjp = load(source)["f"], load_generated(source)["f_vjp"]
    a = np.array([1.0, 2.0])
    b = np.ones((2, 2)) if "Matrix" in case[0] else np.array([3.0, 4.0])
    value = f(a, b, 3)
    assert np.array_equal(f_vjp(a, np.ones_like(value), b, 3)[0], value)
    with pytest.raises(ValueError, match="lengths differ"):
        f_vjp(a, np.ones_like(value), b, 1)
