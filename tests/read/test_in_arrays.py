"""`v in x` of a whole array: whether some element is equal."""

import numpy as np
import pytest

from tests.support import load, load_generated

SOURCES = [
    ("Vector[n]", "    y = 2.0 * x\n    return s if s in y else sum(y)\n"),
    ("Vector[n]", "    y = 2.0 * x\n    return s if s not in y else np.sum(y * s)\n"),
    (
        "Matrix[m, n]",
        "    y = 2.0 * x\n    return s * y[0, 1] if s in y else y[0, 0]\n",
    ),
]


@pytest.mark.parametrize("s", [2.0, 3.0, 4.0])
@pytest.mark.parametrize(("shape", "body"), SOURCES)
def test_some_element_is_equal(shape: str, body: str, s: float) -> None:
    head = "import numpy as np\n# ad: gradient(s, value=True)\n"
    source = f"{head}def f(x: '{shape}', s: float):\n{body}"
    x = np.array([1.0, 2.0, 0.0]).reshape((1, 3) if "Matrix" in shape else 3)
    f = load(source)["f"]
    value, slope = load_generated(source)["f_value_and_grad"](x, s)
    assert value == f(x, s)
    found = s in 2.0 * x
    wanted = {0: float(found), 1: 6.0 if found else 1.0, 2: 4.0 * found}
    assert slope == wanted[SOURCES.index((shape, body))]
