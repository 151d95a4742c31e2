"""Arrays of three dims: read and written by element, row, layer and slice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from amounts import LONG, NUMBERS, pairs
from support import generate, load, run

HEAD = 'import numpy as np\n\n\ndef f(a: float, x: "Array[{dims}]"):\n'
X, A = np.arange(1.0, 13.0).reshape(2, 2, 3) / 4.0, 1.7
DX = np.cos(X)
BODIES = [
    "return x[0, 1, 2] * x[-1][0][1] * a",
    "s = 0.0\nfor i, l in enumerate(x):\n    for r in l:\n"
    "        s += r[0] * i * sum(r)\nreturn s * a",
    "k, m, n = x.shape\nz = np.zeros((k, m, n))\n"
    "for i in range(k):\n    for j in range(m):\n"
    "        z[i, j, n - 1] = x[i, j, 0] * a\n        z[i][j][0] += x[i, 0, j]\n"
    "return sum(sum(z[i, j]) * z[0, j, 0] for i in range(k) for j in range(m))",
    "z = x.copy()\nz[0] = x[1] * a\nz[1, 0] = 2.0\nz[:, 1, 1] = a * a\n"
    "return z[0, 0, 1] * z[1, 0, 2] * z[0, 1, 1] * z[1, 1, 0]",
    "z = x[1:, :, ::2]\nreturn z[0, 1, 1] * len(z) * a * x.size",
    "for i in range(1, len(x)):\n    x[i, 0] = x[i - 1, 1]\n    x[i, 0, 0] *= a\n"
    "return x[1, 0, 0] * x[1, 0, 1]",
    "r, q = x[0], x\nq[0, 0, 1] = a * a\nreturn r[0, 1] * a",
    "s = 0.0\nfor B in x:\n    s += np.sum(B @ B.T) * a\nreturn s",
    "return np.sum((x[0] + x[1]) * a)",
    "return np.sum(x) * np.max(x) * a + x.mean() * np.linalg.norm(x) * x.std()",
    "z = x.copy()\nz[0, 0] = a\n"
    "return z.sum() * np.median(z) * np.prod(z[:, 0]) + np.min(x)",
    "r = np.prod(x, axis=1) + np.median(x, axis=1) * a\n"
    "s = np.sum(x, axis=(0, 2)) * np.std(x, axis=2)[1] + np.max(x, axis=(1, 2))\n"
    "return np.sum(r) * a + np.sum(s) * np.quantile(x, 0.3, axis=0)[1, 2]",
    "(r, s), t = x\nreturn r[0] * s[1] * t[1, 0] * a",
]


def source(body: str, dims: str, kinds: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    head, _, rest = HEAD.format(dims=dims).partition("def")
    return f"{head}# ad: {kinds}\ndef{rest}{lines}"


KNOWN = ("2, 2, n", "2, 2, 3")
SHAPED = [*pairs(BODIES, ["k, m, n"], 1), *pairs(BODIES, KNOWN, 2)]
"""Bodies with dims that a run knows, and with some or all known before it."""


@pytest.mark.parametrize(("body", "dims"), SHAPED)
def test_value_and_derivatives(body: str, dims: str) -> None:
    is_bent = LONG or dims not in KNOWN
    kinds = "gradient(a, x, value=True)" + ", hvp(a, x)" * is_bent
    kinds += ", jvp(a, x)" * (LONG or not is_bent)
    made = load(generate(source(body, dims, kinds), **NUMBERS))
    plain = load(source(body, dims, kinds))["f"]

    def at(t: float) -> Any:
        return plain(A + t, (X + t * DX).copy())

    value, (a_bar, x_bar) = made["f_value_and_grad"](A, X)
    assert value == pytest.approx(plain(A, X.copy()), rel=1e-15)
    along = a_bar + np.sum(x_bar * DX)
    assert along == pytest.approx((at(2e-6) - at(-2e-6)) / 4e-6, rel=1e-7)
    if "f_jvp" in made:
        assert made["f_jvp"](A, X, 1.0, DX)[1] == pytest.approx(along, rel=1e-13)
    if not is_bent:
        return
    gains = made["f_hvp"](A, X, 1.0, DX)
    ends = [made["f_value_and_grad"](A + t, X + t * DX)[1] for t in (1e-5, -1e-5)]
    for gain, up, down in zip(gains, *ends, strict=True):
        assert np.allclose(gain, (np.array(up) - down) / 2e-5, rtol=1e-6, atol=1e-7)


def test_results_and_jacobians() -> None:
    body = "for l in x:\n    l[0, 0] *= l[1, 0] * a\nreturn x"
    text = generate(source(body, "k, m, n", "vjp(x), jvp(x), jacobian(x)"), **NUMBERS)
    made, given = load(text), X.copy()
    value, tangent = made["f_jvp"](A, given, DX)
    assert value.shape == tangent.shape == X.shape and np.array_equal(given, X)
    x_bar = made["f_vjp"](A, X, np.sin(X))[1]
    assert np.sum(x_bar * DX) == pytest.approx(np.sum(np.sin(X) * tangent), rel=1e-14)
    J = made["f_jac"](A, X)
    assert np.allclose(J @ DX.ravel(), tangent.ravel(), rtol=1e-14)


def test_tuples_of_any_sequences() -> None:
    body = "x[0, 0, 0] *= a\nreturn x"
    text = generate(source(body, "k, m, n", "vjp(x)"), container="tuple", effort=0)
    assert "numpy" not in text
    value, x_bar = load(text)["f_vjp"](A, X.tolist(), DX.tolist())
    assert value[0][0][0] == X[0, 0, 0] * A and value[1] == tuple(map(tuple, X[1]))
    assert x_bar[0][0][0] == DX[0, 0, 0] * A and x_bar[1] == tuple(map(tuple, DX[1]))


@pytest.mark.parametrize(
    ("shape", "said"),
    [((2, 3), r"\(2, 3\), not \(k, m, n\)"), ((2, 2, 3, 1), "not")],
)
def test_the_shape_is_checked(shape: tuple[int, ...], said: str) -> None:
    made = load(generate(source(BODIES[0], "k, m, n", "gradient(x)"), **NUMBERS))
    with pytest.raises(ValueError, match=f"x has shape .*{said}"):
        made["f_grad"](A, np.zeros(shape))


@pytest.mark.parametrize(
    "body",
    [
        "return np.sum(np.tril(x) * a)",
        "return np.sum(np.einsum('iij->j', x))",
        "return np.sum(x[:, None] * x)",
        "return np.sum(np.outer(x, x))",
    ],
)
def test_what_is_not_there_is_refused_with_a_way_out(body: str) -> None:
    found = run(source(body, "k, m, n", "gradient(x)")).diagnostics
    assert found and all(d.code.startswith("AD1") and d.help for d in found)


@pytest.mark.parametrize(
    "product",
    ["x @ y", "x @ v", "np.matmul(v, x)", "w @ x", "x[:1] @ y", "y @ (x[:1] * a)"],
)
def test_products_of_small_arrays_go_layer_by_layer(product: str) -> None:
    text = 'import numpy as np\n\n\n# ad: jvp(x), vjp(x)\ndef f(x: "Array[2, 2, 2]", '
    text += 'y: "Array[2, 2, 2]", v: "Vector[2]", w: "Matrix[2, 2]", a: float):\n'
    text += f"    return {product}\n"
    made, plain = load(generate(text, **NUMBERS)), load(text)["f"]
    x = np.sin(np.arange(8.0)).reshape(2, 2, 2)
    dx, rest = np.cos(x), (np.cos(x * 3.0), np.array([0.3, -0.7]), x[0] * 2.0, A)
    value, tangent = made["f_jvp"](x, dx, *rest)
    assert np.allclose(value, plain(x, *rest), rtol=1e-14)
    assert np.allclose(tangent, plain(dx, *rest), rtol=1e-14)  # linear in x
    x_bar = made["f_vjp"](x, np.sin(value), *rest)[1]
    assert np.sum(x_bar * dx) == pytest.approx(np.sum(np.sin(value) * tangent))
