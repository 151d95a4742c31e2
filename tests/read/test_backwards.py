"""What goes back is read as one would write it."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import ANY_ORDER
from support import generate, load

FORMS = [
    "b = a[::-1]\n    for i in range(n):\n        s = s + b[i] * b[i] * a[i]",
    "for i, k in zip(range(n), range(n - 1, -1, -1)):\n        s += a[k] ** 2 * a[i]",
]


@pytest.mark.parametrize("form", FORMS)
def test_an_index_that_falls_is_a_difference(form):
    head = '# ad: gradient(a)\ndef f(a: "Vector[n]", n: int):\n    s = 0.0\n    '
    text = generate(f"{head}{form}\n    return s\n", **ANY_ORDER)
    assert " - i]" in text or " - i\n" in text
    assert "* -1" not in text
    a = np.array([1.0, 2.0, 4.0, 8.0])
    slopes = 2.0 * a * a[::-1] + a[::-1] ** 2
    assert load(text)["f_grad"](a, 4).tolist() == slopes.tolist()
