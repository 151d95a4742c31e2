"""Arrays of three axes, of lengths that only a run knows, computed with as a whole."""

from __future__ import annotations

from textwrap import indent
from typing import Any

import numpy as np
import pytest
from amounts import LONG, NUMBERS, part
from support import generate, load, run

SHAPES = {
    "A": "Matrix[m, d]",
    "B": "Matrix[n, d]",
    "W": "Matrix[d, p]",
    "X": "Array[k, m, d]",
    "Y": "Array[k, d, p]",
    "Q": "Array[k, k, k]",
    "L": "Array[2, 3, 4]",
    "I": "Array[1, m, d]",
    "u": "Vector[k]",
    "v": "Vector[d]",
}
SIZES = {"m": 3, "n": 4, "d": 2, "k": 2, "p": 3}
C = 1.3

BODIES = {
    # differences of all pairs
    "AB": [
        "D = A[:, None, :] - B[None, :, :]\n"
        "return c * np.sum(np.exp(-(D ** 2).sum(axis=-1)))",
        "D = A[:, None] - B[None]\nr = np.sqrt((D * D).sum(axis=2) + c)\n"
        "return r.mean()",
        "D = A[:, np.newaxis, :] - B\n"
        "return np.exp(-c * np.einsum('ijk,ijk->ij', D, D)).sum()",
        "d = np.abs(A[:, None] - B[None]).sum(axis=-1)\nreturn c * d.min(axis=1).sum()",
        "D = A[:, None, :] - B\nq = -0.5 * np.sum(D ** 2, axis=2)\n"
        "m = q.max(axis=1)\n"
        "return c * np.sum(m + np.log(np.sum(np.exp(q - m[:, None]), axis=1)))",
        "d = np.sort(np.abs(A[:, None] - B[None]), axis=-1)\n"
        "return np.sum(d[:, :, 0] + c * d[:, :, 1])",
        "r = A[:, None] - B[None, :]\nq = np.einsum('ijk,ijk->ij', r, r) + c\n"
        "f = r / q[..., None] ** 1.5\nreturn np.sum(f.sum(axis=1) ** 2)",
    ],
    "A": [
        "n = len(A)\nD = A[None, :, :] - A[:, None, :]\n"
        "r = np.linalg.norm(D, axis=-1) + np.eye(n)\n"
        "F = (D / (r ** 3)[:, :, None]).sum(axis=1)\nreturn c * np.sum(F ** 2)",
        "D = A[:, None, :] - A[None, :, :]\nr2 = (D ** 2).sum(-1) + 0.01\n"
        "return np.sum(c / r2)",
        "n = A.shape[0]\nd = A[:, None, :] - A[None, :, :]\n"
        "r2 = np.sum(d * d, axis=-1)\ni, j = np.triu_indices(n, 1)\n"
        "s = c / (r2[i, j] + 0.5) ** 3\nreturn 4.0 * np.sum(s * s - s)",
        "d = A[:, None, :] - A[None, :, :]\nd = d - c * np.round(d / c)\n"
        "return np.sum(np.cos(d).prod(axis=2))",
        "P = A.copy()\nfor t in range(n):\n    D = P[:, None] - P[None]\n"
        "    F = (D * np.exp(-(D ** 2).sum(axis=2))[:, :, None]).sum(axis=1)\n"
        "    P = P + c * F\nreturn np.sum(P ** 2)",
        "if c > 1.0:\n    D = A[:, None] - A[None]\n    s = np.sum(D ** 4)\n"
        "else:\n    s = np.sum(A)\nreturn s * c",
        "S = np.stack([A, A * c, A ** 2])\nreturn np.sum(S.max(axis=0)) + S.mean()",
        "S = np.stack([A, c * A], axis=-1)\nreturn np.sum(np.prod(S, axis=-1))",
        "S = np.array([A * k * c for k in range(4)])\nreturn np.sum(S ** 2)",
        "m, d = A.shape\nT = A.reshape(m, 1, d) * A.reshape(1, m, d)\n"
        "return np.sum(T.sum(axis=2) ** 2) * c",
        "T = np.broadcast_to(A, (2, A.shape[0], A.shape[1]))\n"
        "return np.sum(T ** 2) * c",
    ],
    # sums, means and products of batches
    "X": [
        "mu = X.mean(axis=2, keepdims=True)\nsd = X.std(axis=2, keepdims=True)\n"
        "return np.sum(((X - mu) / (sd + c)) ** 2 * X)",
        "e = np.exp(X - X.max(axis=-1, keepdims=True))\n"
        "p = e / e.sum(axis=-1, keepdims=True)\nreturn np.sum(p * np.log(p + c))",
        "S = X @ X.transpose(0, 2, 1)\nreturn np.sum(np.exp(0.1 * c * S))",
        "return np.sum(np.where(X > 0.0, X, c * X ** 2)) + np.sum((X > 0.2) * X)",
        "D = X[:, 1:, :] - c * X[:, :-1, :]\n"
        "return np.sum(D ** 2) + np.sum((X[..., 1:] - X[..., :-1]) ** 2)",
        "return np.sum(np.diff(X, axis=1) ** 2) * c + np.sum(np.cumsum(X, axis=0))",
        "Y = X * c\nY += 1.0\nY *= X\nY[0] *= c\nreturn np.sum(Y)",
        "Y = np.exp(X)\nreturn Y[0, 1, 1] * c + np.sum(Y[1]) + np.sum(Y[:, 0] ** 2)",
        "if c > 0.0:\n    Y = X * c\nelse:\n    Y = X ** 2\nreturn np.sum(Y ** 2)",
        "Y = X\nfor t in range(n):\n    Y = np.sin(Y * c) + X\nreturn np.sum(Y ** 2)",
        "Y = X * 1.0\nwhile np.sum(Y ** 2) > 0.1:\n    Y = Y * 0.7 * np.cos(c)\n"
        "return np.sum(Y ** 3)",
        "Y = X * c\nY[Y < 0.0] *= 2.0\nreturn np.sum(Y ** 2) + np.mean(X[X > 0.1])",
        "return c * np.sum(X[[0, 1, 1]] ** 2) + np.sum(X[:, [1, 0], 0] ** 3)",
        "return c * np.sum(np.roll(X, 1, axis=1) * X + np.flip(X, axis=2) * X)",
        "return c * np.sum(np.repeat(X, 2, axis=1) ** 2) + np.sum(np.clip(X, -0.5, c))",
        "return np.sum(np.hypot(X, c)) + np.sum(np.arctan2(X, 2.0 + X ** 2))",
        "return c * sum(np.sum(x) * i for i, x in enumerate(X * 2.0))",
        "Y = X * c\nY[..., 0] = X[0, 0, 0]\nY[:, 1:] += 1.0\nY[1:] = X[1:] * X[0]\n"
        "return np.sum(Y ** 2)",
        "return c * np.sum(np.mean(X, axis=(0, 1), keepdims=True) * X)",
        "C = np.concatenate([X, X * c], axis=1)\nreturn np.sum(C[:, ::2] ** 3)",
    ],
    "XA": ["return c * np.sum((X * A).sum(axis=(1, 2)) ** 2) + np.sum(X + A[None])"],
    "XI": ["return np.sum((X - I) ** 2) + c * np.sum(X @ I.transpose(0, 2, 1))"],
    "XY": [
        "return np.sum(np.sin(c * X @ Y))",
        "return c * np.sum(np.einsum('kmd,kdp->mp', X, Y) ** 2)",
        "return c * np.sum(np.einsum('bij,bjk->bik', X, Y) ** 2)",
    ],
    "XW": [
        "return np.sum(np.tanh(np.einsum('bnd,de->bne', X, c * W)))",
        "H = np.maximum(X @ W, 0.0)\nreturn c * np.mean(H ** 2)",
        "return c * np.einsum('kmd,de,kme->k', X, W[:, :2], X).sum()",
    ],
    "Xv": [
        "return c * np.sum((X @ v) ** 3) + np.sum(X * v)",
        "return c * np.sum(np.dot(X, v) * np.einsum('ijk,k->ij', X, v))",
    ],
    "Xu": ["return c * np.sum(np.einsum('kmd,k->md', X, u) ** 2)"],
    "Q": [
        "return c * np.sum(Q * Q.transpose(2, 0, 1) + Q.T * np.swapaxes(Q, 0, 1) ** 2)",
        "return c * np.sum(np.einsum('ijk,jkl->il', Q, Q) ** 2)",
        "return c * np.einsum('abc,bcd->abd', Q, Q).sum()",
        "return c * np.einsum('abc,cba->', Q, Q)",
        "return c * np.sum(np.tensordot(Q, Q, axes=([0, 1], [1, 0])) ** 2)",
        "return c * np.sum(np.moveaxis(Q, 0, -1)[0] ** 2) + np.sum(np.ravel(Q)[1:])",
    ],
    "uvA": [
        "T = u[:, None, None] * A[None] + v[None, None]\nreturn np.sum(np.sin(c * T))",
        "return c * np.sum(np.einsum('i,j,jk->ijk', v, u, A[:2]) ** 2)",
    ],
    "L": ["return np.sum(np.exp(c * L).sum(axis=1) ** 2)"],
}
CASES = [(names, body) for names, bodies in BODIES.items() for body in bodies]
BENT = part(CASES, 2)
"""Those whose second derivatives are made, tangents of slopes; of the others tangents
are.
"""


def source(names: str, body: str, kinds: str) -> str:
    given = "".join(f'{name}: "{SHAPES[name]}", ' for name in names)
    head = (
        f"import numpy as np\n\n\n# ad: {kinds}\ndef f({given}c: float, n: int = 2):\n"
    )
    return head + indent(body, "    ") + "\n"


def made_for(names: str) -> list[Any]:
    """An array for each name, and a number."""
    rng = np.random.default_rng(3)
    found: list[Any] = []
    for name in names:
        dims = SHAPES[name].partition("[")[2].strip("]").split(", ")
        found.append(rng.normal(size=[SIZES.get(n) or int(n) for n in dims]))
    return [*found, C]


@pytest.mark.parametrize(("names", "body"), CASES)
def test_value_and_derivatives(names: str, body: str) -> None:
    kinds = f"({', '.join(names)}, c"
    more = f", hvp{kinds})" if (names, body) in BENT else ""
    more += f", jvp{kinds})" if LONG or not more else ""
    text = source(names, body, f"gradient{kinds}, value=True){more}")
    made, plain = load(generate(text, **NUMBERS)), load(text)["f"]
    x = made_for(names)
    dx = [np.cos(np.arange(np.size(a)) + 1.0).reshape(np.shape(a)) for a in x]

    def at(t: float) -> list[Any]:
        moved = [a + t * d for a, d in zip(x[:-1], dx[:-1], strict=True)]
        return [*moved, C + t * float(dx[-1])]

    value, bars = made["f_value_and_grad"](*x)
    assert value == pytest.approx(plain(*at(0.0)), rel=1e-14)
    assert [np.shape(bar) for bar in bars] == [np.shape(a) for a in x]
    rise = (plain(*at(1e-5)) - plain(*at(-1e-5))) / 2e-5
    parts = [float(np.sum(bar * d)) for bar, d in zip(bars, dx, strict=True)]
    size = sum(map(abs, parts)) + 1.0
    assert abs(sum(parts) - rise) < 2e-8 * size
    seeds = [*dx[:-1], float(dx[-1])]
    if "f_jvp" in made:
        assert abs(made["f_jvp"](*x, *seeds)[1] - sum(parts)) < 1e-13 * size
    if "f_hvp" not in made:
        return
    ends = [made["f_value_and_grad"](*at(t))[1] for t in (1e-5, -1e-5)]
    for gain, up, down in zip(made["f_hvp"](*x, *seeds), *ends, strict=True):
        slope = (np.asarray(up) - np.asarray(down)) / 2e-5
        assert np.allclose(
            gain, slope, rtol=1e-5, atol=1e-6 * (1 + np.abs(slope).max())
        )


def test_results_of_three_axes() -> None:
    text = source("AX", "return (A @ X.transpose(0, 2, 1)) * c", "vjp(X), jvp(X)")
    a, x, c = made_for("AX")
    made, dx = load(generate(text, **NUMBERS)), np.cos(x)
    value, tangent = made["f_jvp"](a, x, dx, c)
    assert value.shape == tangent.shape == (2, 3, 3)
    assert np.allclose(value, (a @ x.transpose(0, 2, 1)) * c, rtol=1e-15)
    x_bar = made["f_vjp"](a, x, np.sin(value), c)[1]
    assert np.sum(x_bar * dx) == pytest.approx(np.sum(np.sin(value) * tangent))


def test_matrices_and_estimates() -> None:
    body = "D = A[:, None, :] - B[None]\nreturn np.exp(-c * (D ** 2).sum(axis=-1))"
    text = source("AB", body, "jacobian(A), error")
    a, b, c = made_for("AB")
    made, plain = load(generate(text, **NUMBERS)), load(text)["f"]
    J, dA = made["f_jac"](a, b, c), np.cos(a)
    rise = (plain(a + 1e-6 * dA, b, c) - plain(a - 1e-6 * dA, b, c)) / 2e-6
    assert J.shape == (12, 6) and np.allclose(J @ dA.ravel(), rise.ravel(), atol=1e-9)
    value, bound, rms = made["f_err"](a, b, c)
    assert (value == plain(a, b, c)).all() and bound.shape == rms.shape == (3, 4)
    assert (rms > 0.0).all() and (rms <= bound).all() and (bound < 1e-13).all()


def test_taylor_coefficients() -> None:
    body = "D = A[:, None, :] * c - A[None]\nZ = (np.swapaxes(X, 1, 2) * c) @ (X + c)\n"
    body += "return np.sum(np.exp(-(D ** 2).sum(axis=-1))) + np.sum(Z ** 2)"
    text = source("AX", body, "taylor(c, degree=3)")
    a, x, c = made_for("AX")
    made, plain = load(generate(text, **NUMBERS)), load(text)["f"]
    found = made["f_taylor"](a, x, c)
    assert found[0] == plain(a, x, c)
    for h in (1e-2, -1e-2):
        sums = sum(term * h**k for k, term in enumerate(found))
        assert abs(sums - plain(a, x, c + h)) < 1e-6 * abs(found[0])


@pytest.mark.parametrize(
    "body",
    [
        "V = A[:, None, :]\nA[0, 0] = c\nreturn np.sum(V ** 2)",
        "V = A[:, None, :]\nV[0, 0, 0] = c\nreturn np.sum(A ** 2)",
        "V = X.transpose(2, 1, 0)\nV[0, 0, 0] = c\nreturn np.sum(X ** 2)",
        "V = X.reshape(-1)\nX[0, 0, 0] = c\nreturn np.sum(V ** 2)",
        "V = X.ravel()\nV[0] = c\nreturn np.sum(X ** 2)",
        "V = X[:, :, None, 0]\nX[0, 0, 0] = c\nreturn np.sum(V ** 2)",
    ],
)
def test_a_view_and_its_array_do_not_change(body: str) -> None:
    found = run(source("AX", body, "gradient(A, X)")).diagnostics
    assert {d.code for d in found} == {"AD124"}


def test_lengths_are_checked() -> None:
    text = source("XA", "return np.sum(X * A.T[:, :1])", "gradient(X)")
    made = load(generate(text, **NUMBERS))
    with pytest.raises(ValueError, match="lengths differ"):
        made["f_grad"](np.ones((2, 3, 2)), np.ones((3, 2)), 1.0)


@pytest.mark.parametrize("body", ["return x[...]", "d = {1: x}\nreturn d[...]"])
def test_dots_are_an_index_of_arrays_alone(body: str) -> None:
    text = f"# ad: gradient\ndef f(x):\n{indent(body, '    ')}\n"
    assert {d.code for d in run(text).diagnostics} <= {"AD102", "AD107"}
