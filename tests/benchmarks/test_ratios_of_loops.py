"""Times of gradients through loops and branches, as ratios to the primal's."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from measuring import seconds
from support import flat, generate, load, run

from ad_transform.ir.elemental import Elemental
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Function

VAN_DER_POL = """\
# ad: gradient(x, v)
def f(x, v, mu, n: int):
    h = 0.01
    for _ in range(n):
        k1, l1 = v, mu * (1.0 - x * x) * v - x
        a, b = x + 0.5 * h * k1, v + 0.5 * h * l1
        k2, l2 = b, mu * (1.0 - a * a) * b - a
        a, b = x + 0.5 * h * k2, v + 0.5 * h * l2
        k3, l3 = b, mu * (1.0 - a * a) * b - a
        a, b = x + h * k3, v + h * l3
        k4, l4 = b, mu * (1.0 - a * a) * b - a
        x += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        v += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4)
    return x * x + v
"""
LORENZ = """\
def rhs(x, y, z, s, r, b):
    return s * (y - x), x * (r - z) - y, x * y - b * z


# ad: gradient(x, y, z, s, r, b)
def f(x, y, z, s, r, b, n: int):
    h = 0.005
    for _ in range(n):
        a1, b1, c1 = rhs(x, y, z, s, r, b)
        a2, b2, c2 = rhs(x + 0.5 * h * a1, y + 0.5 * h * b1, z + 0.5 * h * c1, s, r, b)
        a3, b3, c3 = rhs(x + 0.5 * h * a2, y + 0.5 * h * b2, z + 0.5 * h * c2, s, r, b)
        a4, b4, c4 = rhs(x + h * a3, y + h * b3, z + h * c3, s, r, b)
        x = x + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
        y = y + h / 6.0 * (b1 + 2.0 * b2 + 2.0 * b3 + b4)
        z = z + h / 6.0 * (c1 + 2.0 * c2 + 2.0 * c3 + c4)
    return x * y + z
"""
BISECTION = """\
# ad: gradient
def f(c, scale):
    low, high = 0.0, 2.0
    while high - low > 1e-12:
        middle = 0.5 * (low + high)
        if middle * middle * middle + middle < c:
            low = middle
        else:
            high = middle
    return scale * (low + (c - low * low * low - low) / (3.0 * high * high + 1.0))
"""
NEWTON = """\
import math

# ad: gradient
def f(mean, e):
    guess = mean
    for _ in range(50):
        step = (guess - e * math.sin(guess) - mean) / (1.0 - e * math.cos(guess))
        guess -= step
        if abs(step) < 1e-13:
            break
    return guess * e
"""
ADAPTIVE = """\
# ad: gradient
def f(rate, y, end):
    t, h = 0.0, 0.5
    while t < end:
        h = min(h, end - t)
        slope = -rate * y
        middle = -rate * (y + 0.5 * h * slope)
        error = abs(h * (middle - slope))
        if error > 0.02:
            h = 0.5 * h
            continue
        y, t = y + h * middle, t + h
        if error < 0.005:
            h = 2.0 * h
    return y * t
"""
# fmt: off
LOOPS = {
    "van der pol": (VAN_DER_POL, (1.5, 0.5, 1.2, 1000), 2.3),
    "with mu":     (VAN_DER_POL.replace("(x, v)", "(x, v, mu)", 1),
                    (1.5, 0.5, 1.2, 1000), 2.6),
    "lorenz":      (LORENZ, (1.0, 2.0, 20.0, 10.0, 28.0, 8 / 3, 1000), 2.6),
    "bisection":   (BISECTION, (2.0, 1.5), 3.0),
    "newton":      (NEWTON, (1.5, 0.3), 3.0),
    "adaptive":    (ADAPTIVE, (2.0, 1.5, 3.0), 3.0),
}
# fmt: on


@pytest.mark.parametrize("name", LOOPS)
def test_a_gradient_takes_few_times_the_primal(name: str) -> None:
    source, point, limit = LOOPS[name]
    result = run(source, container="tuple")
    assert result.text is not None
    primal, made = load(source)["f"], load(result.text)["f_grad"]
    one, other = seconds((primal, point), (made, point))
    print(f"{name:40s} {other / one:6.2f}   limit {limit}")
    assert other <= limit * one
    assert all(map(math.isfinite, made(*point)))


# What is written straight is the arm that the point takes.
NASA = """\
def f(T):
    if T < 1000.0:
        return T * (2.3 + T * (7.9e-3 + T * (-1.9e-5 + T * (2.0e-8 - T * 7.3e-12))))
    return T * (3.3 + T * (-4.9e-5 + T * (4.9e-7 + T * (-1.7e-10 + T * 2.0e-14))))
"""
NASA_LOW = """\
def f(T):
    return T * (2.3 + T * (7.9e-3 + T * (-1.9e-5 + T * (2.0e-8 - T * 7.3e-12))))
"""
RATE = """\
import math

def rate(v, v0, scale):
    u = (v - v0) / scale
    if abs(u) < 1e-6:
        return scale * (1.0 + u / 2.0)
    return scale * u / (1.0 - math.exp(-u))

def f(v, m, h, n):
    alpha_m = 0.1 * rate(v, -40.0, 10.0)
    alpha_n = 0.01 * rate(v, -55.0, 10.0)
    sodium = 120.0 * m**3 * h * (v - 50.0)
    potassium = 36.0 * n**4 * (v + 77.0)
    return sodium + potassium + alpha_m * (1.0 - m) + alpha_n * (1.0 - n)
"""
GUARD = "    if abs(u) < 1e-6:\n        return scale * (1.0 + u / 2.0)\n"
RATE_FAR = RATE.replace(GUARD, "")
SPLINE = """\
import math

def f(x, a):
    if x < 0.0:
        y = a * x
    elif x < 1.0:
        y = a * x * x
    elif x < 2.0:
        y = a * math.sqrt(x) * (2.0 * x - 1.0) * math.exp(-a * x)
    elif x < 3.0:
        y = a * math.sqrt(x) + x
    else:
        y = math.log(x) * a
    return y * a
"""
SPLINE_THIRD = """\
import math

def f(x, a):
    y = a * math.sqrt(x) * (2.0 * x - 1.0) * math.exp(-a * x)
    return y * a
"""
DRAG = """\
import math

def f(v, rho, area):
    reynolds = rho * abs(v) * 10.0
    if reynolds < 1.0:
        drag = 24.0
    elif reynolds < 1000.0:
        drag = 24.0 / reynolds * (1.0 + 0.15 * reynolds**0.687)
    else:
        drag = 0.44
    force = 0.5 * rho * v * abs(v) * area * drag
    return force if abs(force) < 50.0 else math.copysign(50.0, force)
"""
DRAG_MIDDLE = """\
def f(v, rho, area):
    reynolds = rho * abs(v) * 10.0
    drag = 24.0 / reynolds * (1.0 + 0.15 * reynolds**0.687)
    return 0.5 * rho * v * abs(v) * area * drag
"""
# fmt: off
BRANCHES = {
    "nasa":           (NASA, NASA_LOW, (600.0,)),
    "hodgkin huxley": (RATE, RATE_FAR, (-65.0, 0.05, 0.6, 0.32)),
    "spline":         (SPLINE, SPLINE_THIRD, (1.5, 0.5)),
    "drag":           (DRAG, DRAG_MIDDLE, (3.0, 1.2, 0.5)),
}
# fmt: on


def with_mark(text: str) -> str:
    head, _, tail = text.rpartition("def f(")
    return f"{head}# ad: gradient\ndef f({tail}"


def taken(function: Function, point: tuple[float, ...]) -> int:
    """The operations that a program carries out at a point."""
    done: list[str] = []

    def library(op: Elemental) -> Callable[..., Any]:
        def compute(*args: Any) -> Any:
            done.extend(op.classes)
            return op.compute(*args)

        return compute

    evaluate(function, point, library)
    return len(done)


@pytest.mark.parametrize("name", BRANCHES)
def test_an_operation_in_an_arm_costs_what_it_costs_in_straight_code(name: str) -> None:
    *texts, point = BRANCHES[name]
    calls, counts = [], []
    for text in texts:
        result = run(with_mark(text), container="tuple")
        assert result.text is not None
        calls.append((load(result.text)["f_grad"], point))
        counts.append(taken(result.derived[0].function, point))
    times = seconds(*calls)
    each, straight = (t / n for t, n in zip(times, counts, strict=True))
    print(f"{name:40s} {each / straight:6.2f}   limit 1.15")
    assert each <= 1.15 * straight


# Times faster than autograd; bisections and controlled steps mostly compare.
FASTER = dict.fromkeys((*LOOPS, *BRANCHES), 500.0) | {
    "bisection": 80.0,
    "adaptive": 400.0,
}


@pytest.mark.parametrize("name", FASTER)
def test_a_gradient_is_hundreds_of_times_faster_than_autograd(name: str) -> None:
    autograd = pytest.importorskip("autograd")
    source, point = marked(name)
    derived = run(source, container="tuple").derived[0]
    made = load(generate(source, container="tuple"))[derived.function.name]
    function = load(source, {"math": with_functions_of(autograd.numpy)})["f"]
    names = list(inspect.signature(function).parameters)
    theirs = autograd.grad(function, [names.index(x) for x in derived.independents])
    expected = [float(v) for v in theirs(*point)]
    assert flat(made(*point)) == pytest.approx(expected, rel=1e-9)
    ours, tape = seconds((made, point), (theirs, point))
    print(f"{name:40s} {tape / ours:6.0f}   limit {FASTER[name]}")
    assert tape >= FASTER[name] * ours


def marked(name: str) -> tuple[str, tuple[float, ...]]:
    """The source of a loop or of branches, marked, and its point; steps are few."""
    if name in LOOPS:
        source, point, _ = LOOPS[name]
        return source, tuple(20 if x == 1000 else x for x in point)
    source, _, point = BRANCHES[name]
    return with_mark(source), point


def with_functions_of(numpy: ModuleType) -> ModuleType:
    """The module `math` with functions that autograd can follow."""
    module = ModuleType("math")
    vars(module).update(vars(math))
    for name in ("sin", "cos", "exp", "log", "sqrt"):
        setattr(module, name, getattr(numpy, name))
    return module


UNROLLED = """\
# ad: gradient
def f(x, y):
    for k in {over}:
        x = x * y + 0.1 * k
        y = y - 0.01 * x * k
    return x * y
"""


def test_an_unrolled_loop_is_not_slower_than_one_that_is_kept() -> None:
    kept = UNROLLED.replace("f(x, y)", "f(x, y, n: int)").format(over="range(n)")
    sources = (UNROLLED.format(over="range(6)"), kept)
    texts = [run(source, container="tuple").text for source in sources]
    one, other = (load(text)["f_grad"] for text in texts if text)
    unrolled, looped = seconds((one, (0.5, 0.7)), (other, (0.5, 0.7, 6)))
    assert unrolled <= looped
