"""`sum` of arrays: rows that a comprehension gives, and a start that is an array."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support import flat, load, load_generated, run, same_bits

HEAD = "import numpy as np\n# ad: jvp, vjp\n"
MATRIX = 'def f(A: "Matrix[m, n]", w: "Vector[m]"):\n    '
START = "z = A[1] * w[2]\n    "
RESULTS = {
    "rows": "return sum(r for r in A) * w[0]",
    "squares": "return np.sum(sum(r * r for r in A) ** 2) * w[1]",
    "weighted": "return sum([v * r for v, r in zip(w, A)])",
    "by index": "return sum(w[i] * A[i] for i in range(len(A)))",
    "picked": "return sum(v * r for v, r in zip(w, A) if v > 0.5)",
    "of numbers": "return sum(A[i] for i in range(len(A))) * w[0] + sum(w.tolist())",
    "changed": "s = sum(r for r in A)\n    s[0] = s[-1]\n    return s * A[0] * w[0]",
    "zeros": "return sum((v * r for v, r in zip(w, A)), np.zeros(A.shape[1]))",
    "a row": f"{START}return sum((v * r for v, r in zip(w, A)), z) * z",
    "known items": f"{START}return sum((w[k] * A[k] for k in range(3)), z)",
    "known": f"{START}return sum([A[0] * w[1], z], start=z + 1.0)",
}


def _points() -> Any:
    for m, n in ((4, 3), (3, 1), (5, 2)):
        yield (
            np.cos(np.arange(1.0 * m * n)).reshape(m, n),
            0.7 + 0.5 * np.sin(np.arange(1.0 * m)),
        )


@pytest.mark.parametrize(
    "shape", ['"Matrix[m, n]"', '"Matrix[m, 2]"', '"Matrix[4, 3]"']
)
@pytest.mark.parametrize("name", RESULTS)
def test_rows_are_added(name: str, shape: str) -> None:
    text = MATRIX.replace('"Matrix[m, n]"', shape) + RESULTS[name] + "\n"
    own, made = load(HEAD + text)["f"], load_generated(HEAD + text)
    for A, w in _points():
        fits = {'"Matrix[m, 2]"': A.shape[1] == 2, '"Matrix[4, 3]"': len(A) == 4}
        if not fits.get(shape, True):
            continue
        A_dot, w_dot = np.sin(9.0 * A), np.cos(5.0 * w)
        value, tangent = made["f_jvp"](A.copy(), w.copy(), A_dot, w_dot)
        wanted = own(A.copy(), w.copy())
        assert all(map(same_bits, flat(value), flat(wanted)))
        h = 1e-5
        ends = own(A + h * A_dot, w + h * w_dot), own(A - h * A_dot, w - h * w_dot)
        slope = (np.array(ends[0]) - np.array(ends[1])) / (2.0 * h)
        assert flat(tangent) == pytest.approx(flat(slope), rel=1e-7, abs=1e-8)
        bar = np.cos(np.asarray(wanted) * 3.0)
        _, adjoint = made["f_vjp"](A, w, bar)
        back = np.sum(adjoint[0] * A_dot) + np.sum(adjoint[1] * w_dot)
        assert back == pytest.approx(np.sum(bar * np.array(tangent)), rel=1e-12)


REFUSED = {
    "return sum(np.outer(r, r) for r in A)": "AD107",
    "return sum([v * w[0] for v in r] for r in A)[0]": "AD107",
    f"{START}s = sum((r for r in A), z)\n    s[0] = 1.0\n    return s * z": "AD124",
}


@pytest.mark.parametrize("body", REFUSED)
def test_other_items_and_the_start_itself_are_refused(body: str) -> None:
    found = run(f"{HEAD}{MATRIX}{body}\n").diagnostics
    assert {one.code for one in found} == {REFUSED[body]}
