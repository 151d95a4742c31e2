"""A sum that the source has made, `sum(n)`, is found again in derivatives."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from amounts import ANY_ORDER
from support import generate, load

SOURCE = """\
import math
from math import log


# ad: gradient(n), hessian(n), hvp(n)
def mixing(n: "Vector[4]", T: float) -> float:
    total = {total}
    return T * sum(ni * log(ni / total) for ni in n)
"""


@pytest.mark.parametrize("total", ["sum(n)", "math.fsum(n)", "sum(n, 0.0)"])
def test_derivatives_add_up_nothing_again(total: str) -> None:
    text = generate(SOURCE.format(total=total), **ANY_ORDER)
    _, gradient, hessian, _ = text.split("\ndef ")
    for one in (gradient, hessian):
        assert "n_0 + n_1" not in one and "n_1 + n_0" not in one
        assert "n_3 + n_2" not in one and "n_2 + n_3" not in one
    made, n = load(text), np.array([0.3, 1.2, 0.7, 2.0])
    logs = [2.5 * log(x / n.sum()) for x in n]
    assert made["mixing_grad"](n, 2.5) == pytest.approx(logs, rel=1e-14)
    full = 2.5 * (np.diag(1.0 / n) - 1.0 / n.sum())
    assert made["mixing_hess"](n, 2.5) == pytest.approx(full, rel=1e-13)
    along = np.array([1.0, -0.5, 0.25, 2.0])
    found = made["mixing_hvp"](n, along, 2.5)
    assert found == pytest.approx(full @ along, rel=1e-13)


def test_a_start_of_zero_is_no_term() -> None:
    source = SOURCE.replace("gradient(n), hessian(n), hvp(n)", "hessian(n)")
    text = generate(source.format(total="sum(n, 0.0)"))
    assert "n_2 + n_1" not in text and "n_1 + n_2" not in text
