"""Functions that call themselves and change the arrays of their caller."""

from __future__ import annotations

import math

import numpy as np
import pytest
from amounts import ANY_ORDER, NUMBERS, pairs
from support import generate, load, load_generated, marked, run

SOURCE = """\
import math
import numpy as np


def relax(u, level: int):
    if level == 0:
        return
    for i in range(1, len(u) - 1):
        u[i] = 0.5 * (u[i - 1] + u[i + 1]) + 0.1 * u[i] * u[i]
    relax(u, level - 1)


def relaxed(x: "Vector[n]", k: int):
    u = x.copy()
    relax(u, k)
    return np.sum(u * u)


def cycle(u, level: int):
    u[1:-1] = 0.5 * (u[:-2] + u[2:])
    if level > 0:
        coarse = u[::2].copy()
        cycle(coarse, level - 1)
        u[::2] = coarse
    u[1:-1] = np.sin(u[1:-1])


def multigrid(x: "Vector[n]", k: int):
    u = x.copy()
    cycle(u, k)
    return np.sum(u * u)


def fft(re, im):
    n = len(re)
    if n <= 1:
        return
    a, b = re[::2].copy(), im[::2].copy()
    c, d = re[1::2].copy(), im[1::2].copy()
    fft(a, b)
    fft(c, d)
    for k in range(n // 2):
        t = -2.0 * math.pi * k / n
        p = c[k] * math.cos(t) - d[k] * math.sin(t)
        q = c[k] * math.sin(t) + d[k] * math.cos(t)
        re[k] = a[k] + p
        im[k] = b[k] + q
        re[k + n // 2] = a[k] - p
        im[k + n // 2] = b[k] - q


def spectrum(x: "Vector[n]", k: int):
    re, im = x.copy(), np.zeros(len(x))
    fft(re, im)
    return re[k] * re[k] + im[k] * im[k]


def halves(v):
    n = len(v)
    if n < 2:
        return
    halves(v[: n // 2])
    halves(v[n // 2 :])
    v[0] = v[0] * v[n - 1] + v[n // 2]


def halved(x: "Vector[n]", k: int):
    v = x.copy()
    halves(v)
    return v[0] * v[3] + k * v[2]


def scan(u, lo: int, hi: int):
    if hi - lo == 1:
        u[lo] = math.sin(u[lo])
        return u[lo]
    mid = (lo + hi) // 2
    s = scan(u, lo, mid)
    t = scan(u, mid, hi)
    for i in range(lo, mid):
        u[i] = u[i] * t + s
    return s * t + u[mid]


def scanned(x: "Vector[n]", k: int):
    u = [v for v in x]
    s = scan(u, 0, len(u))
    return s * u[1] + u[k]


def ping(u, w, k: int):
    if k == 0:
        return
    u[0] = u[0] + 0.5 * w[1] * w[0]
    pong(w, u, k - 1)


def pong(a, b, k: int):
    if k == 0:
        return
    a[1] = math.sin(a[1]) * b[0]
    ping(b, a, k - 1)


def mutual(x: "Vector[n]", k: int):
    u, w = x.copy(), [1.0 + v for v in x]
    ping(u, w, k)
    return u[0] * w[1] + u[1] * w[0]


def powers(u, k: int):
    for i in range(1, len(u)):
        u[i] = u[i] * u[i - 1]
    if k > 0:
        return powers(u, k - 1)
    return u


def same(x: "Vector[n]", k: int):
    u = x.copy()
    w = powers(u, k)
    w[0] = 3.0 * w[1]
    return w[0] * w[1] * u[2]


def hanoi(n: int, a, b, c):
    if n == 0:
        return
    hanoi(n - 1, a, c, b)
    b[0] = b[0] + 0.5 * math.sin(a[0])
    hanoi(n - 1, c, b, a)


def moved(x: "Vector[n]", k: int):
    a, b, c = [x[0]], [x[1] * x[0]], [0.3]
    hanoi(k, a, b, c)
    return a[0] * b[0] + c[0]


def shift(u, k: int):
    if k > 0:
        u += 1.0
        shift(u, k - 1)


def shifted(x: "Vector[n]", k: int):
    u = np.array([x[0], 2.0 * x[1]])
    shift(u, k)
    return u[0] * u[1]


def eliminate(A, k: int):
    if k == len(A):
        return
    A[k + 1 :, k] = A[k + 1 :, k] / A[k, k]
    A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :])
    eliminate(A, k + 1)


def factored(x: "Vector[n]", k: int):
    A = np.outer(np.sin(x), x) + np.diag(x + 4.0)
    eliminate(A, 0)
    return np.sum(np.log(np.abs(np.diag(A)))) * k
"""
NAMES = [
    "relaxed",
    "multigrid",
    "spectrum",
    "halved",
    "scanned",
    "mutual",
    "same",
    "moved",
    "shifted",
    "factored",
]
TURNS = ("gradient(x)", "jvp(x)", "vjp(x)"), ("gradient(x)", "hvp(x)")
"""The kinds that the functions have in turn."""
POINT = np.array([0.7, 1.2, -0.3, 0.8])
ALONG = np.array([0.5, -0.2, 0.3, 1.1])


@pytest.mark.parametrize(("name", "kinds"), pairs(NAMES, TURNS, 2))
def test_what_is_changed_for_the_caller_is_differentiated(name, kinds):
    function = load(SOURCE)[name]
    made = load(generate(marked(SOURCE, name, *kinds), **NUMBERS))
    for k in (1, 2, 3):
        check(function, made, name, k)


def check(function, made, name, k):
    """Compare all kinds with differences of the source, and with each other."""
    x = POINT.copy()
    grad = made[f"{name}_grad"]
    slopes = [slope(lambda at: function(at, k), e) for e in np.eye(len(POINT))]
    assert grad(x, k) == pytest.approx(slopes, rel=1e-7, abs=1e-7)
    assert (x == POINT).all()
    if f"{name}_jvp" in made:
        value, tangent = made[f"{name}_jvp"](x, ALONG, k)
        assert value == function(POINT.copy(), k) and (x == POINT).all()
        assert tangent == pytest.approx(grad(x, k) @ ALONG, rel=1e-12)
        _, back = made[f"{name}_vjp"](x, 0.5, k)
        assert back == pytest.approx(0.5 * grad(x, k), rel=1e-12)
        return
    curves = slope(lambda at: grad(at, k), ALONG)
    assert made[f"{name}_hvp"](x, ALONG, k) == pytest.approx(curves, rel=1e-6, abs=1e-6)


def slope(function, along, h=1e-5):
    """A central difference of the fourth order."""

    def at(t):
        return function(POINT + t * along)

    return (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h)


PAIR = """\
import numpy as np


def step(u, w, k: int):
    if k == 0:
        return 0.0
    u[0] = u[0] * w[0] + w[1]
    return u[1] + step(u, w, k - 1)


# ad: gradient(x)
def f(x: "Vector[n]", k: int):
    u = x.copy()
    w = [2.0 * v for v in x]
    s = step({}, k)
    return s + u[0] * w[1]
"""


@pytest.mark.parametrize("given", ["u, u", "u[1:], u[:2]", "u, u[1:]", "w, w[:]"])
def test_two_names_of_an_array_that_is_changed_are_refused(given):
    made = run(PAIR.format(given))
    if given == "w, w[:]":  # a slice of a list is a copy
        assert made.text is not None
        return
    assert [found.code for found in made.diagnostics] == ["AD124"]


def test_what_may_be_the_array_that_is_changed_is_refused():
    source = PAIR.format("u, w").replace("x.copy()", "[v for v in x]")
    source = source.replace("    s =", "    w = u if k > 2 else w\n    s =")
    assert {found.code for found in run(source).diagnostics} == {"AD124"}


def test_lists_may_grow_in_each_call():
    source = PAIR.format("[x[0], x[1]], w").replace("step(u, w,", "step([*u, 1.0], w,")
    source = source.replace("def step([*u, 1.0], w,", "def step(u, w,")
    source = source.replace("    u[0] = u[0] * w[0]", "    w[1] = u[-1] * w[0]")
    found = load(generate(source, **ANY_ORDER))["f_grad"](POINT, 2)
    function = load(source)["f"]
    wanted = [slope(lambda at: function(at, 2), e) for e in np.eye(len(POINT))]
    assert found == pytest.approx(wanted, rel=1e-8)


def test_tuples_that_grow_in_each_call_are_refused_soon():
    source = PAIR.format("(x[0], x[1]), w").replace("step(u, w,", "step((*u, u[0]), w,")
    source = source.replace("def step((*u, u[0]), w,", "def step(u, w,")
    (found,) = run(source.replace("    u[0] = ", "    t = ")).diagnostics
    assert found.code == "AD120"
    assert found.message.endswith("gives itself lists or tuples that grow")


def test_the_source_is_followed_where_a_part_of_an_array_is_given():
    text = generate(PAIR.format("u[1:], w"), **ANY_ORDER)
    found = load(text)["f_grad"](POINT, 2)
    function = load(PAIR.format("u[1:], w"))["f"]
    wanted = [slope(lambda at: function(at, 2), e) for e in np.eye(len(POINT))]
    assert found == pytest.approx(wanted, rel=1e-8)
    assert math.isfinite(sum(found))


TURNED = """\
import numpy as np


def turn(u, w, k: int):
    if k <= 0:
        return u
    z = turn(u, w, k - 1)
    w *= 0.3
    return u


# ad: gradient(x)
def f(x: "Vector[n]", k: int):
    a = np.sin(x)
    b = np.array([x[0], x[1], 1.0, x[2]])
    turn(a[:], b[::-1], k)
    return a[0] * b[3] + a[1] * b[1]
"""


def test_a_part_that_becomes_another_array_is_not_lost():
    made = TURNED.replace("np.array([x[0], x[1], 1.0, x[2]])", "np.append(x, x)")
    for refused in (TURNED, made):  # an array that is written out is one like others
        (found,) = run(refused).diagnostics
        assert found.code == "AD124" and found.span.line == 16
    source = TURNED.replace("b[::-1], k)", "b, k)")
    found, function = load_generated(source)["f_grad"](POINT, 3), load(source)["f"]
    wanted = [slope(lambda at: function(at, 3), e) for e in np.eye(len(POINT))]
    assert found == pytest.approx(wanted, rel=1e-7, abs=1e-7)


MIXED = """\
def step(u, k: int):
    if k == 0:
        return u, 0.0
    v, s = step(u, k - 1)
    if s > 1.0:
        v[0] = v[0] * 0.5
    u[1] = u[1] * v[0]
    return u, s + u[0] * u[1]


# ad: gradient(x)
def f(x: "Vector[n]", k: int):
    u, s = step([v for v in x], k)
    return u[0] * s + u[1]
"""


def test_arrays_that_are_changed_are_returned_beside_numbers():
    found = load_generated(MIXED)["f_grad"](POINT, 3)
    function = load(MIXED)["f"]
    wanted = [slope(lambda at: function(at, 3), e) for e in np.eye(len(POINT))]
    assert found == pytest.approx(wanted, rel=1e-7, abs=1e-7)


LENGTHS = """\
def turned(u, w, k: int):
    if k == 0:
        return u[0] * w[0]
    return u[1] * turned(w, u[::-1], k - 1)


# ad: gradient(x)
def f(x: "Vector[n]", y: "Vector[m]", k: int):
    return turned(x, y, k)
"""


def test_lengths_of_parts_are_not_taken_for_those_of_other_arrays():
    made, function = load_generated(LENGTHS), load(LENGTHS)["f"]
    y = np.array([0.5, 2.0])
    wanted = [slope(lambda at: function(at, y, 3), e) for e in np.eye(len(POINT))]
    assert made["f_grad"](POINT, y, 3) == pytest.approx(wanted, rel=1e-8, abs=1e-9)


COPIED = """\
import numpy as np


def r(u, w, k: int, c):
    v = w[:]
    if k <= 0:
        return v
    r(u, w, k - 1, c + 0.1)
    v = u * c
    r(np.array(w), u[:], k - 2, c)
    return v


# ad: gradient(x)
def f(x: "Vector[n]", k: int, c: float):
    b = np.array([x[0], x[1], 1.0])
    return r(x, b[::-1], k, c)[0]
"""


def test_copies_of_what_is_known_and_whole_by_turns_are_no_internal_error():
    made = run(COPIED, inline="never")
    assert "AD120" in {found.code for found in made.diagnostics}
