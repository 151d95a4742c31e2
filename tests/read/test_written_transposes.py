"""What is written through the transpose of an array is in the array, and back."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import NUMBERS
from support import load, run

HEAD = (
    'import numpy as np\n\n# ad: gradient\ndef f(A: "Matrix[n, n]", b: "Vector[n]"):\n'
)
READ = (
    "B = A.copy()\nB.T[0] = b\nreturn np.sum(B**3 * A)",
    "B = A.copy()\nB.T[1] += b\nB.T[0, 1:] *= 2.0\nreturn np.sum(B**3 * A)",
    "B = A.copy()\nBT = B.T\nBT[0] = b\nB[0] += 1.0\nreturn np.sum(B**3 * A)",
    "B = A.copy()\nBT = B.T\nBT[0] = b\nBT[1] = BT[0] * 2\nreturn np.sum(B**3 * BT)",
    "B = np.zeros(A.shape)\nB.T[1] = b\nreturn np.sum(B * A * A)",
    "B = A.copy()\nfor i in range(3):\n    B.T[i] = b * B[0]\nreturn np.sum(B * A)",
    "B = A.copy()\nif b[0] > 0.2:\n    B.T[0] = b\nreturn np.sum(B**3 * A)",
    "B = A.copy()\nif b[0] > 0.2:\n    BT = B.T\n    BT[0] = b\nreturn np.sum(B * B)",
    "w = (A * b).T\nw[0] += b\nreturn np.sum(w**3 * A)",
)
OPEN = (
    "B = A.copy()\nr = B[0]\nB.T[0] = b\nreturn np.sum(B * A) + np.sum(r)",
    "B = A.copy()\nBT, C = B.T, B.T\nBT[0] = b\nreturn np.sum(C * A)",
    "B = A.copy()\nBT = B.T\nfor i in range(3):\n    BT[i] = b * B[0]\nreturn B[0, 0]",
    "B = A.copy()\nC = B.T\nif b[0] > 0.2:\n    C[0] = b\nC[1] = b\nreturn B[0, 1]",
    "B = A.copy()\nC = B\nBT = B.T\nBT[0] = b\nreturn np.sum(C * A)",
    "B = A.copy()\nBT = B.T\nB[0] = b\nBT[1] = b * b\nreturn np.sum(B * A)",
    "B = A.copy()\nBT = B.T\nBT.T[0] = b\nreturn np.sum(B * A * BT)",
    "B = [A.copy(), A * 2]\nC = B[0]\nB[0].T[0] = b\nreturn np.sum(C * A)",
    "A.T[0] = b\nreturn np.sum(A**3)",
)


@pytest.mark.parametrize("body", [*READ, *OPEN])
def test_is_what_python_has_or_is_refused(body: str) -> None:
    source = HEAD + "".join(f"    {line}\n" for line in body.splitlines())
    result = run(source, **NUMBERS)
    if result.text is None:
        assert body in OPEN
        assert {d.code for d in result.diagnostics} <= {"AD124", "AD107"}
        return
    ours, plain = load(result.text)["f_grad"], load(source)["f"]
    A, b = np.cos(np.arange(9.0)).reshape((3, 3)), np.array([0.3, -0.7, 1.1])
    slopes = ours(A, b)
    for place, got in enumerate(slopes):
        for at in np.ndindex(got.shape):
            ends = []
            for h in (1e-5, -1e-5):
                given = [A.copy(), b.copy()]
                given[place][at] += h
                ends.append(plain(*given))
            assert got[at] == pytest.approx((ends[0] - ends[1]) / 2e-5, abs=1e-7)
