"""A source that asks for everything that compiled languages have, and its points."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest
from support import flat, invoke, load
from targets import Targets

from ad_transform.derive.kinds.kinds import Derived
from ad_transform.ir.nodes import Function

SOURCE = '''\
import math
from typing import NamedTuple

import numpy as np
from scipy.special import beta, exprel, kl_div, logit, rel_entr, xlog1py

SCALE = 0.75


class Spring(NamedTuple):
    stiffness: float
    mass: float
    kind: int


# ad: gradient, gradient(value=True), jacobian(value=True), jvp, vjp
# ad: hessian(value=True), hvp, hvp(value=True), hessian(sparse="coo")
def straight(x, y):
    """What every kind is asked of."""
    a = math.sin(x * y)  # the sine
    return a * a + SCALE * math.exp(-x) / (y + 2.0)


# ad: gradient, hessian
def choosing(x, y):
    assert x > -10.0, "x is too small"
    if x > y:
        u = x * x
        v = u + y
    elif x > 0.0:
        u = math.sqrt(x)
        v = 2.0 * y
    else:
        u = v = x * y
    return u * v + max(x, y)


# ad: gradient(x, value=True)
def of_one(x, y):
    """Sums of one number."""
    u = [x - y]
    v = [-0.3]
    return sum(u) * y + sum(v)


# ad: gradient(x, value=True), hvp(x)
def powers(x, n: int):
    total = 0.0
    term = 1.0
    for k in range(1, n + 1):
        term = term * x / k
        total = total + math.sin(term)
    return total


# ad: gradient(a), jvp(a)
def heron(a, tolerance: float):
    x = a
    while abs(x * x - a) > tolerance:
        x = 0.5 * (x + a / x)
    return x


# ad: gradient(x)
def newton(x, int):
    y = x
    for _ in range(60):
        step = (y * y - x) / (2.0 * y)
        y = y - step
        if abs(step) < 1e-15:
            break
    return y * int


# ad: gradient(x, value=True), hessian(x)
def chain(x: "Vector[n]", A: "Matrix[n, n]", k: float):
    s = 0.0
    n = len(x)
    for i in range(n):
        t = 0.0
        for j in range(n):
            t = t + A[i, j] * math.sin(x[j])
        s = s + k * t * x[i] * x[i - 1]
    return s


# ad: vjp(x), jacobian(x)
def heat(x: "Vector[n]", steps: int, c: float):
    u = x.copy()
    n = len(x)
    for _ in range(steps):
        v = np.zeros(n)
        for i in range(1, n - 1):
            v[i] = u[i] + c * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
        u = v
    return u


# ad: gradient(x)
def nested(x, n: int):
    if n < 1:
        if x > 9.0:
            raise ValueError("x is too large")
        return x
    return nested(math.sin(x) * n, n - 1) + x


# ad: gradient(x)
def whole(x, k: int, kind: str, flip: bool):
    y = (x % 3.0) * (k // 2) + -k % 5 * x + 2 ** abs(k) * x + round(x) * x + k / 7 * x
    y = y + x // 0.3 + math.log(abs(x) + 1.0, 3) * math.degrees(x)
    y = y + x * (2 * int(x < 1.0) - 5 * math.floor(k - 3))
    y = y * math.log(3) - math.fabs(k) * math.atan2(k, 3) * x
    if kind == "sin" or flip & (k > 1):
        y = y * math.sin(x)
    if x > 1.0:
        one, other = kind, "none"
    else:
        one, other = "sin", kind
    return -y if flip or one == other else y


# ad: gradient(p)
def spring(p: Spring, x: "Vector[3]", t: tuple[float, float]):
    w = math.sqrt(p.stiffness / p.mass)
    return p.kind * np.sum(x * x) * math.cos(w * t[0]) + math.hypot(*x) * t[1]


# ad: jvp, expand
def several(x, y):
    u = [x, y * x]
    u.append(x / y)
    return min(u), (sum(u), x > y), 3


# ad: gradient(x, y)
def held(x, y, n: int):
    # ad: checkpoint(snapshots=3)
    for i in range(n, 0, -1):
        x, y = x * math.sin(y) + 0.1 * i, y * 0.9 + x
    k = 0
    # ad: checkpoint(snapshots=4)
    while k < n:
        x = math.sin(x) * y
        k += 1
    return x * y


# ad: error, error(model="actual"), error(model="enclosure"), error(model="iri")
def doubtful(x, y):
    a = math.sin(x * y) / (x - y)
    b = math.sqrt(a * a + 1.0) + math.atan2(x, y) * x**3 + x % 0.3 + math.pow(x, y)
    return math.fsum((b * math.exp(-a), math.floor(x), x)) + (y if a > 0.0 else b)


# ad: gradient(value=True), hvp
def special(x, y):
    z = rel_entr(x, y) + kl_div(y, x) * exprel(x - y) + np.sinc(x) * np.sinc(0.1 * y)
    return z + xlog1py(x, y) * logit(x / (x + y)) + beta(x, y) * round(y, 2)


# ad: gradient(x, value=True)
def perhaps(x, k: float | None = None, kind: str | None = None, on: bool | None = None):
    for _ in range(3):
        x = x * math.cos(x) if k is None else k * x
    if k == 0.5 or kind != "a":
        x = x * x
    if (kind and not k) or on:
        x = x * 3.0
    return x if on is not None else math.sin(x)


# ad: gradient(x, value=True)
def alike(x, n: int, k: float | None = None, j: float | None = None):
    m = k if k is not None and x > 0.5 else 3.0
    for i in range(n):
        x = x * 0.75 if k == j else x
        if k is None or j is None:
            continue
        x = x * 5.0 if k != j else x * m
        x = x / 3.0 if m == 7.0 else x
    return x * x


# ad: gradient, gradient(name="other_Grad")
def cases(t, T):
    m = t * T
    M = m + T if m > 0.5 else m
    return m * M * (T > t)
'''

MATRIX = [[0.5, 0.25, -1.0], [1.5, 2.0, 0.75], [0.1, -0.3, 0.9]]
POINTS: dict[str, tuple[dict[str, Any], ...]] = {
    "straight": ({"x": 0.5, "y": 1.25}, {"x": -1.0, "y": 3.0}),
    "of_one": ({"x": 0.5, "y": 1.25}, {"x": -1.0, "y": 3.0}),
    "choosing": ({"x": 2.0, "y": 1.0}, {"x": 1.0, "y": 2.0}, {"x": -1.0, "y": -1.0}),
    "powers": ({"x": 1.5, "n": 7}, {"x": 0.5, "n": 0}),
    "heron": ({"a": 2.0, "tolerance": 1e-12}, {"a": 9.0, "tolerance": 1e-9}),
    "newton": ({"x": 2.0, "int": 3.0}, {"x": 1.0, "int": 1.0}),
    "chain": ({"x": [0.5, -1.25, 2.0], "A": MATRIX, "k": 0.75},),
    "heat": ({"x": [0.1, 0.9, 0.4, 0.2], "steps": 3, "c": 0.2},),
    "nested": ({"x": 1.1, "n": 3}, {"x": 0.3, "n": 0}),
    "whole": tuple(
        {"x": x, "k": k, "kind": kind, "flip": k < 0}
        for x in (-4.5, 2.5, 0.7)
        for k in (-3, 2, 4)
        for kind in ("sin", "none")
    ),
    "spring": ({"p": (4.0, 2.0, 3), "x": [0.5, 4.875, -7.25], "t": (0.3, 0.4)},),
    "cases": ({"t": 0.5, "T": 2.0}, {"t": 0.25, "T": 0.125}),
    "held": tuple({"x": 0.7, "y": 0.2, "n": n} for n in (0, 1, 7, 40)),
    "doubtful": ({"x": 0.625, "y": 1.7}, {"x": 3.0, "y": -1.0}),
    "special": (
        {"x": 0.6, "y": 0.625},
        {"x": 12.5, "y": 170.3},
        {"x": 2.5, "y": 300.0},
    ),
    "perhaps": tuple(
        {"x": 0.7, "k": k, "kind": kind, "on": on}
        for k in (None, 0.0, 0.5)
        for kind in (None, "", "a")
        for on in (None, True)
    ),
    "alike": tuple(
        {"x": x, "n": 2, "k": k, "j": j}
        for x in (0.25, 0.7)
        for k in (None, 2.5, 7.0)
        for j in (None, 2.5, 7.0)
    ),
    "several": ({"x": 0.6, "y": 0.8}, {"x": 2.0, "y": -1.0}),
}

REFUSED = {
    "the constant 'K', which only Python computes,": "import math\n"
    "def g(x):\n    return x if x > 2.0 else 2.0\nK = g(math.exp(1.0))\n"
    "# ad: gradient\ndef f(x):\n    return K * x * x\n",
    "a list of lists whose lengths no argument tells": "# ad: jvp(x)\n"
    "def f(x, k: int):\n    return [[x * j for j in range(k)] for _ in range(k)]\n",
    "a report, whose rows have texts,": "# ad: error(report=True)\n"
    "def f(x):\n    return x * x - 1.0\n",
    "a value that is None in one arm, one trip or one call only": "# ad: gradient(x)\n"
    "def f(x, k: float | None = None):\n    m = k if x > 1.0 else 2.0\n"
    "    return x if m == 2.0 else x * x\n",
}
"""What is refused, and a source of each."""

CLOSE = {"doubtful": 1e-15, "special": 1e-14}
"""What has lengths of vectors or a gamma function of its own, and how close it is."""
if sys.version_info >= (3, 12):
    CLOSE["several"] = 1e-15  # Python compensates `sum` since then


class Made(NamedTuple):
    """What a source becomes: the text of a target, and that in Python."""

    derived: tuple[Derived, ...]
    text: str
    python: str


_MADE = Targets(SOURCE)


def made_in(target: str) -> Made:
    """The derived functions, printed in a language and in Python."""
    return Made(tuple(_MADE.flat(target)), _MADE.text(target), _MADE.text("math"))


def with_seeds(function: Function, values: dict[str, Any]) -> dict[str, Any]:
    """The arguments, and numbers for the seeds among the parameters."""
    own = dict(values)
    for parameter in function.parameters:
        shape = own.get("x") if parameter.vars[0].type.dims else parameter.vars
        numbers = [0.75 - 0.5 * k for k in range(len(shape))]
        own.setdefault(
            parameter.name, numbers[0] if parameter.nest.is_leaf else numbers
        )
    return own


_ANY = {"k": 7.0, "j": 7.0, "kind": "b", "on": True}
"""What stands for None, which nothing may read."""


def told_apart(values: dict[str, Any]) -> dict[str, Any]:
    """The arguments with numbers for None, and which of them are given."""
    made = {name: _ANY[name] if v is None else v for name, v in values.items()}
    stems = (n.removesuffix("_is_given") for n in values if n.endswith("_is_given"))
    return made | {f"{stem}_is_given": values[stem] is not None for stem in stems}


def check(made: Made, functions: Mapping[str, Callable[[dict[str, Any]], Any]]) -> None:
    """See that all functions give what those in Python give, most bit for bit."""
    python, spring = load(made.python), load(SOURCE)["Spring"]
    for derived in made.derived:
        name = derived.function.name
        for values in POINTS[derived.source]:
            own = with_seeds(derived.function, values)
            with_class = own | ({"p": spring(*own["p"])} if "p" in own else {})
            own = told_apart(own)
            wanted = [
                w for w in flat(invoke(python[name], with_class)) if w is not None
            ]
            close = CLOSE.get(derived.source)
            if close is not None:
                wanted = pytest.approx([*map(float, wanted)], rel=close, abs=0.0)
            assert functions[name](own) == wanted, (name, own)
