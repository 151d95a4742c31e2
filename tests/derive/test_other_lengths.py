"""Lists of other lengths than those beside them, parts of lists, copies that change:
what passes over loops take for alike has to be alike.
"""

from __future__ import annotations

import numpy as np
import pytest
from amounts import NUMBERS
from support import flat, generate, load

HEAD = "import numpy as np\n\n\n# ad: {kind}\ndef f(k: float, x, n: int):\n"
# fmt: off
GRADIENTS = {
    "two grown lists": """
xs = []
ys = []
for i in range(n):
    xs.append(k * i)
    ys.append(k * k * i)
    ys.append(k + i)
s = 0.0
for i in range(len(ys)):
    s += ys[i] * k
for i in range(len(xs)):
    s += xs[i] * xs[i]
return s + sum(xs) ** 2 + sum(ys) ** 2""",
    "a copy that grows": """
a = []
for i in range(n):
    a.append(k * i)
b = a.copy()
b.append(k * k)
s = 0.0
for v in b:
    s += v * v
return s * len(a)""",
    "rows of other lengths": """
rows = []
for i in range(n):
    row = []
    for j in range(n - i):
        row.append(k * j + i)
    rows.append(row)
s = 0.0
for i in range(1, n):
    for j in range(len(rows[i])):
        b = rows[i - 1][j]
        s += b * k * rows[i][j]
return s""",
    "a part of a list": """
w = np.zeros(n)
for i in range(n):
    w[i] = k * x[i % len(x)]
A = np.zeros((n, 2))
for j in range(n - 1):
    A[j, 0] = w[j]
s = 0.0
for j in range(n):
    s += A[j, 0] ** 2 + A[j, 1]
return s""",
}
JACOBIANS = {
    "a part of a list": """
w = np.zeros(n)
for i in range(n):
    w[i] = k * x[i % len(x)]
A = np.zeros((n, 2))
for j in range(n - 1):
    A[j, 0] = w[j]
return A[:, 0] + A[:, 1]""",
    "two matrices": """
u = np.zeros(n)
v = np.zeros(n)
for i in range(n):
    u[i] = k * x[i % len(x)]
    v[i] = k * k * i
A = np.zeros((n, 1))
B = np.zeros((n, 1))
for j in range(n):
    A[j, 0] = u[j]
for j in range(n):
    B[j, 0] = v[j]
return A[:, 0] + B[:, 0]""",
}
# fmt: on
POINT = 0.7, np.array([0.5, -1.25, 2.0]), 4


def source(body: str, kind: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    head = HEAD.format(kind=kind).replace("x,", 'x: "Vector[m]",')
    return head + lines


def slope(plain):
    """The derivative with respect to k, by differences of fourth order."""
    _, x, n = POINT
    h = 1e-3
    near, far = (
        np.array(plain(0.7 + d, x, n)) - np.array(plain(0.7 - d, x, n))
        for d in (h, 2 * h)
    )
    return np.ravel((8 * near - far) / (12 * h)).tolist()


@pytest.mark.parametrize("name", GRADIENTS)
@pytest.mark.parametrize("kind", ["gradient(k)", "gradient(k, value=True)"])
def test_gradients_are_those_of_differences(name, kind):
    text = source(GRADIENTS[name], kind)
    made, plain = load(generate(text, **NUMBERS)), load(text)["f"]
    if "value" in kind:
        value, found = made["f_value_and_grad"](*POINT)
        assert value == plain(*POINT)
    else:
        found = made["f_grad"](*POINT)
    assert flat(found) == pytest.approx(slope(plain), rel=1e-8)


@pytest.mark.parametrize("name", JACOBIANS)
def test_jacobians_are_those_of_differences(name):
    text = source(JACOBIANS[name], "jacobian(k, value=True)")
    made, plain = load(generate(text, **NUMBERS)), load(text)["f"]
    value, found = made["f_value_and_jac"](*POINT)
    assert value.tolist() == plain(*POINT).tolist()
    assert np.ravel(found).tolist() == pytest.approx(slope(plain), rel=1e-8, abs=1e-12)
