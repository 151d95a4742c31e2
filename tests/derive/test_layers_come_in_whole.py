"""Parameters of three axes that are computed with as a whole come in as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from amounts import LONG, NUMBERS, pairs
from support import generate, load

HEAD = "import numpy as np\n\n\n"
X = np.sin(np.arange(12.0)).reshape(2, 3, 2)
V = np.array([0.3, -0.7])
DX, DV = np.cos(X), np.cos(V)
WHOLE = [
    "return np.sum(np.sin(x) * x[::-1])",
    "s = 0.0\nfor A in x:\n    s += np.sum((A @ v) ** 2)\nreturn s",
    "s = 0.0\nfor i in range(len(x)):\n    s += np.sum(np.tanh(x[i] @ v)) * i\n"
    "return s",
    "return np.sum(x[:, 1] * x[:, 0]) + np.sum(x[:, :, 0] ** 3) * (x[0, 1] @ v)",
    "return np.sum(x[1, :, 0] ** 2) + np.sum(x[:, 2, 1] * x[:, -1, 0])",
    "return np.sum(x[:, ::2] ** 3) + np.sum(x[:, ::-1, 1] ** 2) + x[-1, 0] @ v",
    "return np.sum(x[:, 2:1] ** 2) + np.sum(x[0, 1:] @ v)",
    "k = 0\nwhile k < len(x) and v @ v < 9.0:\n    v = x[k, :2] @ v + 1.0\n    k += 1\n"
    "return v @ v",
]
CHANGED = [
    "y = x * 2.0\nfor i in range(1, len(x)):\n    y[i] = y[i - 1] * np.sin(x[i])\n"
    "    y[i, 0] += v\nreturn np.sum(y ** 2)",
    "s = np.sum(x ** 2)\nfor i in range(len(x)):\n    s += np.sum(x[i] @ v)\n"
    "    x[i] = x[i] * s\n    s += np.sum(x[i] ** 2)\nreturn s",
    "s = np.sum(x ** 2)\nfor i in range(len(x)):\n    A = x[i]\n"
    "    s += np.sum(A @ v)\n"
    "    A[0, 0] = s\n    s += np.sum(A ** 2)\nreturn s",
    "s = np.sum(x ** 3)\nfor i in range(len(x)):\n"
    "    for j in range(x.shape[1]):\n"
    "        s += x[i, j, 0] * v[1] * i\nreturn s",
]


def source(body: str, kinds: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f'{HEAD}# ad: {kinds}\ndef f(x: "Array[l, m, n]", v: "Vector[n]"):\n{lines}'


TURNS = "hvp(x, v)", "jacobian(x, v), error"
"""What a body has in turn beside slopes and tangents, or all of it with `--long`."""


@pytest.mark.parametrize(("body", "more"), pairs(WHOLE + CHANGED, TURNS, 2))
def test_value_and_derivatives(body: str, more: str) -> None:
    pushed = LONG or more == TURNS[1]  # a product has the tangent of slopes
    kinds = f"gradient(x, v, value=True), {more}" + ", jvp(x, v)" * pushed
    text = generate(source(body, kinds), **NUMBERS)
    made, plain = load(text), load(source(body, kinds))["f"]

    def at(t: float) -> Any:
        return plain(X + t * DX, V + t * DV)

    def slopes(t: float) -> list[Any]:
        return list(made["f_value_and_grad"](X + t * DX, V + t * DV)[1])

    value, bars = made["f_value_and_grad"](X, V)
    assert value == pytest.approx(at(0.0), rel=1e-14)
    along = np.sum(bars[0] * DX) + bars[1] @ DV
    assert along == pytest.approx((at(1e-6) - at(-1e-6)) / 2e-6, rel=1e-6)
    if "f_jvp" in made:
        assert made["f_jvp"](X, V, DX, DV)[1] == pytest.approx(along, rel=1e-12)
    if more == TURNS[1]:
        row = made["f_jac"](X, V)
        assert np.allclose(row, [np.concatenate([b.ravel() for b in bars])], rtol=1e-12)
        value, bound, rms = made["f_err"](X, V)
        assert value == pytest.approx(at(0.0), rel=1e-14)
        assert 0.0 < rms <= bound < 1e-12 * (1.0 + abs(value))
        return
    for gain, up, down in zip(
        made["f_hvp"](X, V, DX, DV), slopes(1e-5), slopes(-1e-5), strict=True
    ):
        assert np.allclose(gain, (up - down) / 2e-5, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("body", WHOLE)
def test_no_lists_are_made(body: str) -> None:
    text = generate(source(body, "gradient(x, v), jvp(x)"), **NUMBERS)
    assert "x.tolist" not in text and "x_list" not in text and "for i_2" not in text


def test_what_a_trip_changes_is_read_anew() -> None:
    assert "tolist" in generate(source(CHANGED[1], "gradient(x)"), effort=0)


SHARED = [
    ("Array[l, m, n]", "return x.ravel(), x + 0.0, x"),
    ("Array[l, m, n]", "y = x * 2.0\n    return y, y.ravel(), y[0]"),
    ("Matrix[l, n]", "return x.ravel()"),
    ("Matrix[l, n]", "return x.reshape(-1, 2), np.diag(x)"),
    ("Matrix[l, n]", "return x[:, None, :].transpose(2, 1, 0), x.ravel()"),
]


@pytest.mark.parametrize(("shape", "body"), SHARED)
def test_results_share_no_memory(shape: str, body: str) -> None:
    head = f'{HEAD}# ad: jvp(x), vjp(x)\ndef f(x: "{shape}"):\n    '
    made = load(generate(f"{head}{body}\n", **NUMBERS))
    x = X if shape.startswith("Array") else X.ravel()[:4].reshape(2, 2)
    dx = np.cos(x)
    value, tangent = made["f_jvp"](x, dx)
    parts = [*value, *tangent] if isinstance(value, tuple) else [value, tangent]
    bar, adjoint = value, made["f_vjp"](x, value)[1]
    parts += [adjoint, x, dx]
    assert all(part.flags.writeable for part in parts)
    for k, one in enumerate(parts):
        assert not any(np.shares_memory(one, other) for other in parts[:k])
    sums = [np.sum(a * b) for a, b in zip(_parts(bar), _parts(tangent), strict=True)]
    assert np.sum(adjoint * dx) == pytest.approx(sum(sums), rel=1e-13)


def _parts(value: Any) -> list[Any]:
    return list(value) if isinstance(value, tuple) else [value]


def test_arrays_of_fortran_are_read_row_by_row() -> None:
    """Seen without a compiler: its arrays stand column by column."""
    text = 'import numpy as np\n\n\n# ad: gradient\ndef f(T: "Array[h, i, j]"):\n'
    made = generate(f"{text}    return np.sum(np.sin(T) * T)\n", target="fortran")
    turned = "[size(T, 3), size(T, 2), size(T, 1)], order=[3, 2, 1]), [size(T)]))"
    assert turned in " ".join(line.strip(" &") for line in made.splitlines())
