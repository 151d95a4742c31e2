"""Python's `sum` of a matrix adds its rows; that of a list of rows is no number."""

import numpy as np
import pytest

from tests.support import load, load_generated, run

HEAD = "import numpy as np\n# ad: vjp(A)\ndef f(A: 'Matrix[{}]'):\n    return {}\n"
RESULTS = [
    "sum(A)",
    "sum(A) * 2.0 + A[0]",
    "sum(A[1:])",
    "sum(np.exp(A.T))",
    "max(sum(A))",
    "sum(A, start=np.ones(A.shape[1]))",
    "sum(A[:, :2])[1] * sum(sum(A))",
]
CASES = [("m, n", result) for result in RESULTS]
CASES += [("m, 3", "sum(A)"), ("2, n", "sum(A)"), ("2, 3", "sum(A)")]


@pytest.mark.parametrize(("shape", "result"), CASES)
def test_rows_are_added(shape: str, result: str) -> None:
    source = HEAD.format(shape, result)
    f = load(source)["f"]
    matrix = np.array([[0.5, 1.5, -2.5], [3.5, 4.0, 5.5]])
    value = f(matrix)
    bar = np.linspace(1.0, 2.0, np.size(value)).reshape(np.shape(value))
    seed = bar if np.shape(value) else float(bar)
    made, adjoint = load_generated(source)["f_vjp"](matrix, seed)
    assert np.array_equal(made, value)
    for place in np.ndindex(2, 3):
        step = np.zeros((2, 3))
        step[place] = 1e-6
        slope = np.sum(bar * (f(matrix + step) - f(matrix - step))) / 2e-6
        assert adjoint[place] == pytest.approx(slope, rel=1e-7, abs=1e-8)


def test_a_list_of_rows_is_refused() -> None:
    source = HEAD.format("m, n", "sum(x)").replace(
        "    return", "    x = [list(row) for row in A]\n    return"
    )
    (found,) = run(source).diagnostics
    assert found.message == "'sum' of a list of rows is not supported"
