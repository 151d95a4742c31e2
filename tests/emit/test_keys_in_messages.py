"""Arrays in TypedDicts: their shapes are checked, in a message that is a program."""

import numpy as np
import pytest
from support import load_generated

SOURCE = """\
from typing import TypedDict

import numpy as np


class Layer(TypedDict):
    weights: "Matrix[2, 3]"
    start: "Vector[2]"
    more: "Vector[n]"
    rows: "Matrix[n, 2]"
    pair: tuple[float, float]


# ad: gradient(p), gradient(p, container="tuple", name="tupled")
def f(p: Layer, x: "Vector[3]"):
    low, high = p["pair"]
    s = low * high
    for k in range(2):
        for j in range(3):
            s += p["weights"][k, j] * x[j] * p["start"][k]
    for i, v in enumerate(p["more"]):
        s += v**2 * p["rows"][i, 1]
    return s
"""


def _given(**changed):
    p = {"weights": np.ones((2, 3)), "start": np.ones(2), "more": np.ones(4)}
    return {**p, "rows": np.ones((4, 2)), "pair": (1.0, 2.0), **changed}, np.arange(3.0)


@pytest.mark.parametrize("name", ["f_grad", "tupled"])
def test_shapes_of_entries_are_checked(name):
    made = load_generated(SOURCE)[name]
    slopes = made(*_given())
    assert np.array_equal(slopes["weights"], [[0.0, 1.0, 2.0]] * 2)
    assert np.array_equal(slopes["more"], [2.0] * 4)
    for entry in ("weights", "start", "rows"):
        with pytest.raises(ValueError, match=rf"p\['{entry}'\] has shape"):
            made(*_given(**{entry: np.ones((3, 3))}))
    with pytest.raises(ValueError, match="too many"):
        made(*_given(pair=(1.0, 2.0, 3.0)))
