"""Arrays of known numbers are made once, and no caller sees or changes them."""

from functools import cache

import numpy as np
from amounts import ANY_ORDER
from support import generate, load

SOURCE = """
import numpy as np
R = 3.0
K = np.array([[1.0, 2.0, 0.5], [3, 4, R]])

# ad: jvp(x), gradient(x)
def read(x: "Vector[n]"):
    w = np.array([0.5, 0.25, 0.125])
    return np.sum(np.sin(K @ x[:3])) + w @ x[1:4]


# ad: jvp(x)
def seen(x: "Vector[n]", k: int):
    A = np.array([[1, 2], [0.5, 1]])
    w = np.array([0.5, 0.25, 0.125])
    u = np.array([0.5, 0.25, 0.125])
    v = u
    v += x[1:]
    return A.T, w[1:], u, np.array([[1, 2], [0.5, 1]]) + x[0], A[::-1] if k else A
"""
BESIDE = """
import numpy as np

# ad: vjp(x), jvp(x)
def beside(x: "Vector[n]"):
    K = np.array([0.5, 0.25, 0.125])
    return np.concatenate((K, x)) * x[0]
"""
POINT = np.array([0.3, -1.2, 0.7, 2.0])


@cache
def text() -> str:
    return generate(SOURCE, **ANY_ORDER)


def test_arrays_are_written_once() -> None:
    head, jvp, grad, _ = text().split("\ndef ")
    assert "_READ_K = np.array([[1.0, 2.0, 0.5], [3.0, 4.0, R]])" in head
    assert "np.array(" not in jvp + grad
    assert "_READ_W.copy()" not in jvp + grad


def test_what_is_handed_out_is_a_copy() -> None:
    made, wanted = load(text()), load(SOURCE)["seen"](POINT, 1)
    for _ in range(2):
        found, _ = made["seen_jvp"](POINT, np.ones(4), 1)
        for got, want in zip(found, wanted, strict=True):
            assert np.array_equal(got, want)
            got[...] = 99.0


IN_LOOPS = """
import numpy as np

# ad: gradient
def f(x: "Vector[n]", k: int):
    t = np.array([0.0, 1.0, 2.0, 4.0])
    y = x[:2]
    s = 0.0
    for i in range(k):
        A = np.array([[1.0, -1.0], [0.5, 2.0]])
        y = np.tanh(A @ y) * x[i]
        if y[0] > 0.1:
            s += np.interp(x[i], t, np.array([1.0, 3.0, 2.0, 0.5]))
    return s * s + np.sum(y)


# ad: vjp
def changed(x: "Vector[n]", k: int):
    s = x[0]
    for i in range(k):
        w = np.array([0.5, 0.25])
        s += w @ x[i : i + 2]
        w += x[:2]
        s *= np.sum(w)
    return s
"""


def test_loops_and_arms_read_constants() -> None:
    text = generate(IN_LOOPS, **ANY_ORDER)
    made, plain = load(text), load(IN_LOOPS)
    head, f_grad, changed = text.split("\ndef ")
    assert head.count("np.array(") == 4 and "np.array([" not in changed
    assert not any(word in f_grad for word in ("A_list", ".copy()", "np.array([["))
    x, k = np.array([0.6, 0.3, 1.7, 0.9]), 3
    for name, slopes in (
        ("f", made["f_grad"](x, k)),
        ("changed", made["changed_vjp"](x, 1.0, k)[1]),
        ("changed", made["changed_vjp"](x, 1.0, k)[1]),
    ):
        for slope, step in zip(slopes, 1e-6 * np.eye(4), strict=True):
            ends = [plain[name](end, k) for end in (x + step, x - step)]
            assert abs(slope - (ends[0] - ends[1]) / 2e-6) < 1e-7 * max(1.0, abs(slope))


def test_what_asks_for_a_shape_only_needs_no_copy_and_a_known_length_no_call() -> None:
    text = generate(BESIDE, **ANY_ORDER)
    assert "len(_BESIDE_K)" not in text and ".copy()" not in text.partition("jvp(")[2]
    assert "spread__" not in text
    plain, made = load(BESIDE)["beside"], load(text)
    bar, dot = np.cos(np.arange(7.0)), np.sin(np.arange(4.0))
    value, tangent = made["beside_jvp"](POINT, dot)
    assert np.array_equal(value, plain(POINT))
    moved = plain(POINT + 1e-6 * dot) - plain(POINT - 1e-6 * dot)
    assert np.allclose(tangent, moved / 2e-6, atol=1e-9)
    _, adjoint = made["beside_vjp"](POINT, bar)
    assert np.isclose(adjoint @ dot, bar @ tangent, rtol=1e-14)


ROWS = [[0.25 * ((7 * j + 5 * k) % 11) - 1.0 for k in range(6)] for j in range(6)]
CALLED = f"""
import numpy as np
W = np.array({ROWS})

# ad: gradient(x, inline="never", value=True), jvp(x, inline="never")
def f(x: "Matrix[n, 6]"):
    s = 0.0
    for k in range(len(x)):
        s += layer(x[k])
    return s


def layer(x):
    return np.sum(np.tanh(W @ x)) + shifted(x)


def shifted(x):
    u = W.copy()
    u[1] += x
    return np.sum(u * u)
"""


def test_functions_that_are_called_read_constants_too() -> None:
    text = generate(CALLED, **ANY_ORDER)
    assert text.count("np.array(\n") == 1 and "def _layer" in text
    assert "_LAYER_W @ x" in text or "_SHIFTED_W @ x" in text
    made, plain = load(text), load(CALLED)["f"]
    x = np.cos(np.arange(12.0)).reshape(2, 6)
    first = made["f_value_and_grad"](x)
    value, grad = made["f_value_and_grad"](x)
    assert value == first[0] == plain(x) and np.array_equal(grad, first[1])
    dot = np.sin(np.arange(12.0)).reshape(2, 6)
    rise = (plain(x + 1e-6 * dot) - plain(x - 1e-6 * dot)) / 2e-6
    assert np.isclose(np.sum(grad * dot), rise, rtol=1e-7)
    assert np.isclose(made["f_jvp"](x, dot)[1], rise, rtol=1e-7)
