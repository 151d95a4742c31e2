"""Matrices by their entries through arrays that are joined, or have a border."""

from __future__ import annotations

import numpy as np
import pytest
from support import generate, load, run

HEAD = 'import numpy as np\n\n\n# ad: {}\ndef f(x: "Vector[n]", c: float):\n'
LAST = "y = np.concatenate(([c], x, [c, c]))\nreturn y[-1] * x + y[0]"
JACOBIANS = {
    "y = np.concatenate(([0.0], x, [c]))\nreturn (y[2:] - y[1:-1] ** 2) * y[:-2]": 3,
    "y = np.concatenate(([0.0], x, [c]))[2:]\nreturn y ** 2": 1,
    "y = np.pad(x, 1)\nreturn y[2:] - 2.0 * y[1:-1] + y[:-2] + np.exp(x)": 3,
    "y = np.pad(x, 2)\nreturn y[4:] * y[:-4] + y[1:-3] * y[3:-1]": 4,
    "y = np.hstack([c, x])\nreturn y[:-1] * x": 2,
    "y = np.r_[0.0, x, 0.0]\nreturn (y[2:] * y[:-2])[1:]": 2,
    "y = np.r_[c, x, c]\nz = y[1:] - y[:-1]\nreturn z[1:] * z[:-1]": 3,
    LAST: 1,
    "y = np.pad(x, 1)[1:-1]\nreturn y * np.pad(x, 1)[2:]": 2,
}
HESSIANS = [
    "y = np.concatenate(([0.0], x, [c]))\nreturn np.sum((y[1:] - y[:-1]) ** 4)",
    "y = np.pad(x, 1)\nreturn np.sum(np.exp(y[2:] - y[:-2])) + x @ x",
    "y = np.append(x, c)\nreturn np.sum(y[1:] ** 2 * x)",
]


def source(body: str, kinds: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return HEAD.format(kinds) + lines


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7])
@pytest.mark.parametrize("body", JACOBIANS)
def test_jacobians_are_those_that_differences_give(body: str, n: int) -> None:
    text = source(body, 'jacobian(x, sparse="coo")')
    x, c = np.linspace(0.4, 1.7, n), 1.3
    plain, made = load(text)["f"], load(generate(text, effort=0))["f_jac_sparse"]
    try:
        value = plain(x, c)
    except (ValueError, IndexError):
        return  # there is no such part of so short an array
    rows, cols, values = made(x, c)
    J = np.zeros((len(value), n))
    np.add.at(J, (rows, cols), values)
    h = 1e-6 * np.eye(n)
    slopes = [(plain(x + d, c) - plain(x - d, c)) / 2e-6 for d in h]
    assert np.allclose(J.T, np.reshape(slopes, J.T.shape), atol=1e-8)
    assert len(values) <= JACOBIANS[body] * n


def test_elements_that_no_part_has_are_none_in_other_orders() -> None:
    text = source(LAST, 'jacobian(x, sparse="coo")')
    plain, made = (generate(text, effort=0, order=o) for o in ("auto", "forward"))
    assert plain.split("import ")[1:] == made.split("import ")[1:]
    (refused,) = run(text, effort=0, order="reverse").diagnostics
    assert refused.code == "AD031" and refused.help == "leave out the order"
    assert refused.message.endswith("in the order 'reverse'")


@pytest.mark.parametrize("n", [0, 1, 2, 6])
@pytest.mark.parametrize("body", HESSIANS)
def test_hessians_are_those_of_gradients(body: str, n: int) -> None:
    text = source(body, 'hessian(x, sparse="coo"), gradient(x)')
    x, c = np.linspace(0.4, 1.7, n), 1.3
    made = load(generate(text, effort=0))
    rows, cols, values = made["f_hess_sparse"](x, c)
    H = np.zeros((n, n))
    np.add.at(H, (rows, cols), values)
    slopes = [
        (made["f_grad"](x + d, c) - made["f_grad"](x - d, c)) / 2e-6
        for d in 1e-6 * np.eye(n)
    ]
    assert np.allclose(H, np.reshape(slopes, (n, n)), atol=1e-7)


@pytest.mark.parametrize(
    "body",
    [
        "y = np.concatenate((x, 2.0 * x))\nreturn y[1:]",
        "y = np.pad(x, 1)\nreturn y[:3]",
        "y = np.pad(x, 1)\nreturn y[1] * x",
        "y = np.pad(x, 1)\nreturn y[::2]",
        "y = np.append(x, c)\nreturn y[1:] - x * y[0]",
        "y = np.concatenate((x[:2], x[1:]))\nreturn y[:2] * 2.0",
    ],
)
def test_what_the_length_decides_is_refused(body: str) -> None:
    found = run(source(body, 'jacobian(x, sparse="coo")')).diagnostics
    assert [d.code for d in found] == ["AD031"] and "sparse" in found[0].message
