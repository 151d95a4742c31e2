"""The target C: all kinds, compiled without a warning, give what Python gives."""

from __future__ import annotations

import ctypes
import errno
import math
import random
import re
from dataclasses import replace
from math import isnan
from typing import Any, NamedTuple, get_args

import pytest
from in_c import Compiled, compiled, counted, functions
from structured import Sizes, point, program
from support import ORIGIN, flat, invoke, load, run

from ad_transform.derive.kinds import Derived, derive
from ad_transform.diagnostics import Listing
from ad_transform.elementals import TABLE
from ad_transform.elementals.rows import row
from ad_transform.emit.c.dialect import C as DIALECT
from ad_transform.emit.c.function import written
from ad_transform.emit.c.module import InC, print_module
from ad_transform.emit.c.program import comments
from ad_transform.emit.c.signature import Order
from ad_transform.emit.c.target import C
from ad_transform.emit.c.text import WRITERS
from ad_transform.emit.compiled.spelling import spelled
from ad_transform.emit.schedule.lines import (
    Hold,
    HoldMore,
    Line,
    Resume,
    Return,
    StartStates,
    Stops,
)
from ad_transform.ir.elemental import COMPILED
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Function
from ad_transform.options import Options
from ad_transform.run.check import State, compare
from ad_transform.run.deriving import derive_all
from ad_transform.run.printing import print_all

SOURCE = '''\
import math
from typing import NamedTuple

import numpy as np

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
    y = y + x // 0.3 + math.log(abs(x) + 1.0, 3.0) * math.degrees(x)
    if kind == "sin" or flip and k > 1:
        y = y * math.sin(x)
    return -y if flip else y


# ad: gradient(p)
def spring(p: Spring, x: "Vector[3]", t: tuple[float, float]):
    w = math.sqrt(p.stiffness / p.mass)
    return p.kind * np.sum(x * x) * math.cos(w * t[0]) + math.hypot(*x) * t[1]


# ad: jvp, expand
def several(x, y):
    u = [x, y * x]
    u.append(x / y)
    return min(u), (sum(u), x > y), 3
'''

MATRIX = [[0.5, 0.25, -1.0], [1.5, 2.0, 0.75], [0.1, -0.3, 0.9]]
POINTS: dict[str, tuple[dict[str, Any], ...]] = {
    "straight": ({"x": 0.5, "y": 1.25}, {"x": -1.0, "y": 3.0}),
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
    "spring": ({"p": (4.0, 2.0, 3), "x": [0.5, 1.0, -2.0], "t": (0.3, 0.4)},),
    "several": ({"x": 0.6, "y": 0.8}, {"x": 2.0, "y": -1.0}),
}
SIZES = Sizes()
STRUCTURED = 16
"""Structured programs that are compiled."""

SWEPT = 5
"""The first of them are taken back as well."""

IDLE = ("-O0", "-Wno-unused-but-set-variable", "-Wno-unused-variable")
"""Made programs have values on purpose that nobody reads."""


class Made(NamedTuple):
    """What a source becomes."""

    derived: tuple[Derived, ...]
    text: str
    python: str


@pytest.fixture(scope="module")
def made():
    """The derived functions, printed in C and in Python."""
    options = Options(effort=0)
    reading, derived, _ = derive_all(SOURCE.encode(), "model.py", options, Listing())
    texts = (
        print_all(reading, derived, ORIGIN, replace(options, target=target))
        for target in ("c", "math")
    )
    return Made(derived, *texts)


@pytest.fixture(scope="module")
def library(made, tmp_path_factory):
    (found,) = compiled([counted(made.text)], tmp_path_factory.mktemp("c"))
    return found


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


def test_every_kind_gives_what_python_gives(made, library):
    python = load(made.python)
    spring = load(SOURCE)["Spring"]
    for name, function in functions(library, made.derived).items():
        (source,) = (d.source for d in made.derived if d.function.name == name)
        for values in POINTS[source]:
            own = with_seeds(function.function, values)
            with_class = own | ({"p": spring(*own["p"])} if "p" in own else {})
            wanted = flat(invoke(python[name], with_class))
            assert function(own) == [w for w in wanted if w is not None], (name, own)
    assert library.ad_test_live() == 0


def test_what_python_raises_gives_nan_and_errno(made, library):
    own = functions(library, made.derived)
    for name, values in (
        ("choosing_grad", {"x": -11.0, "y": 0.0}),
        ("nested_grad", {"x": 10.0, "n": 0}),
    ):
        ctypes.set_errno(0)
        assert all(map(isnan, own[name](values)))
        assert ctypes.get_errno() == errno.EDOM
    assert library.ad_test_live() == 0


def test_where_memory_ends_all_of_it_is_given_back(made, library):
    own = functions(library, made.derived)
    for name in ("chain_hess", "powers_value_and_grad", "heat_vjp"):
        (values,) = POINTS[name.partition("_")[0]][:1]
        for most in range(6):
            library.ad_test_most(most)
            found = own[name](with_seeds(own[name].function, values))
            assert all(map(isnan, found)) or (most and not any(map(isnan, found)))
            assert library.ad_test_live() == 0
    library.ad_test_most(-1)


def adjoint(function: Function) -> Function:
    """What takes a program back."""
    floats = (p.name for p in function.parameters if p.vars[0].type.is_real)
    return derive(function, "vjp", tuple(floats)).function


def test_structured_programs_and_their_adjoints_compute_the_same(tmp_path):
    programs = [program(random.Random(seed), SIZES) for seed in range(STRUCTURED)]
    programs += map(adjoint, programs[:SWEPT])
    made = [replace(one, name=f"f{k}") for k, one in enumerate(programs)]
    texts = [written(f, Order(), (), 88, {}, None).text for f in made]
    text = print_module([InC(t, (), (), ()) for t in texts], {}, None, {}, 88)
    (library,) = compiled([text], tmp_path, *IDLE)
    for seed, function in enumerate(made):
        values = point(function, seed)
        found = Compiled(library, function).at(values)
        wanted = flat(evaluate(function, values))
        assert found == pytest.approx(wanted, rel=1e-13), function.name


def test_names_and_nesting_are_those_of_python(made):
    assert "    // the sine\n    const double a = sin(a_prod);" in made.text
    assert "\ndouble newton_grad(double x, double int_) {" in made.text
    assert "\nstatic const double SCALE = 0.75;" in made.text
    assert "\nvoid straight_grad(double x, double y, double grad[2]) {" in made.text


def test_the_header_vouches_for_the_program(made):
    def state(text: str) -> State:
        return compare(text.encode(), made.text, "model.py", C)

    assert state(made.text) is State.CURRENT
    assert state(made.text.replace("    ", "\t")) is State.RELAID
    assert state(made.text.replace("// the sine", "")) is State.REWORDED
    assert state(made.text.replace("SCALE = 0.75", "SCALE = 0.5")) is State.EDITED
    assert state(made.text.removesuffix("}\n")) is State.EDITED
    assert state(made.text.replace("// ", "# ")) is State.FOREIGN
    assert "the sine" in comments(made.text)


def test_the_companion_declares_what_others_may_call(made, tmp_path):
    assert C.companion is not None
    text = C.companion.text(made.text, "model_grad.h")
    user = '#include "model_grad.h"\n#include "model_grad.c"\n'
    (tmp_path / "model_grad.h").write_text(text)
    (tmp_path / "model_grad.c").write_text(made.text)
    compiled([user], tmp_path, "-O0")
    declared = set(re.findall(r"(\w+)\(", re.sub("//.*", "", text)))
    assert declared == {derived.function.name for derived in made.derived}
    assert "static" not in text and "#ifndef MODEL_GRAD_H" in text


REFUSED = {
    "`error`": "# ad: error\ndef f(x):\n    return x * x\n",
    "`polygamma`": "from scipy.special import digamma\n"
    "# ad: gradient\ndef f(x):\n    return digamma(x)\n",
    "arithmetic on whole arrays of run-time length": "import numpy as np\n"
    '# ad: gradient\ndef f(x: "Vector[n]"):\n    return np.sum(x * x)\n',
    "`# ad: checkpoint`": "# ad: gradient(x)\ndef f(x, n: int):\n"
    "    # ad: checkpoint(snapshots=3)\n    for _ in range(n):\n        x = x * x\n"
    "    return x\n",
    "the constant 'K', which is known once Python runs": "import math\n"
    "K = math.exp(2.0)\n# ad: gradient\ndef f(x):\n    return K * x * x\n",
    "'k', which may be None": "# ad: gradient(x)\n"
    "def f(x, k: float | None = None):\n    return x if k is None else k * x\n",
    "the external function 'g_jac'": "# ad: external\ndef g(x):\n    return x\n"
    "def g_jac(x):\n    return 1.0\n"
    "# ad: gradient\ndef f(x):\n    return g(x)\n",
    "a result whose length no argument tells": '# ad: vjp\ndef f(x: "Vector[n]"):\n'
    "    u = []\n    for v in x:\n        if v > 0.0:\n            u.append(v)\n"
    "    return u\n",
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_not_written_is_refused_by_name(what):
    result = run(REFUSED[what], target="c", effort=0)
    errors = [d for d in result.diagnostics if d.severity == "error"]
    assert f"{what} is not written in C yet" in [d.message for d in errors]
    assert all(d.code == "AD033" and d.help and d.span for d in errors)


def test_a_function_with_a_name_of_c_is_refused():
    result = run(
        '# ad: gradient(name="exp2")\ndef f(x):\n    return x * x\n', target="c"
    )
    assert [d.code for d in result.diagnostics] == ["AD025"]


def test_every_kind_of_line_is_written_or_refused():
    held = {StartStates, Stops, Hold, HoldMore, Resume}  # `# ad: checkpoint`
    assert set(WRITERS) == set(get_args(Line)) - held - {Return}


def test_a_row_says_how_compiled_languages_spell_it():
    squash = row(
        "squash", "x", ("1 / x",), math.sqrt, points=((2.0,),), spelling="x / abs(x)",
        elsewhere={COMPILED: "x * math.sin(x)"},
    )  # fmt: skip
    assert spelled(DIALECT, squash, 1, False).uses == (2,)
    with pytest.raises(KeyError):
        spelled(DIALECT, TABLE["digamma"], 1, False)
