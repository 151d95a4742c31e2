"""Constants of the module: the output says what the source says, bit for bit."""

from __future__ import annotations

import black
import pytest
from amounts import ANY_ORDER
from support import generate, load, run

HEAD = """\
import math
import math as m
import numpy as np
from math import pi, sqrt, exp as e_to
A = 1.25
def _twice(t):
    return 2.0 * t
def _wave(t, s=A, *, phase=0.0):
    u = math.sin(t * s + phase)
    assert u < 2.0
    return u + np.cos(t)
def _pair(t):
    return t, math.exp(t)
"""

SPELLINGS = """\
K = 3.0
K = -3
K = 1_000.5
K = 1e-3
K: float = 4.0
K = J = 4.0
K, J = 1.0, 2.0
(K, J), L = (1.0, 2.0), 3.0
K = (3.0)
K = A
K = -A
K = 2 * A + 1
K = A**2
K = A / 3
K = 7 // 2 + 7 % 4
K = math.pi / 180
K = 2 * pi
K = np.pi * 2
K = m.tau
K = sqrt(2.0)
K = 2.0**0.5
K = 2**-0.5
K = np.log(2) / 5730
K = math.log(2)
K = math.log(8, 2)
K = math.radians(30)
K = np.radians(30)
K = math.exp(-1)
K = e_to(-1)
K = 4 * math.atan(1.0)
K = math.sin(A)
K = math.hypot(3.0, A)
K = math.prod([1.5, 2.0, A])
K = abs(math.cos(3.0))
K = max(A, math.exp(1))
K = min(A, 2)
K = float("2.5")
K = round(math.pi, 3)
K = math.floor(2.7)
K = sum((A, 2.0, 3.0))
K = sum([math.exp(1), 2.0])
K = (A, 2.0)[1]
K = _twice(3.0)
K = 2 * _twice(3.0)
K = math.sqrt(_twice(2.0))
K = _wave(0.5)
K = _wave(t=0.5, phase=A)
K = _wave(*(0.5, 2.0))
K = _twice(_wave(_twice(0.3)))
K = _pair(0.5)[1]
f_ = math.exp; K = f_(0.5)
g_ = _wave; K = g_(0.5)
h_ = lambda t: t * A; K = h_(2.0)
T = (math.exp(1), 2.0); K = T[0] + T[-1]
T = (1.0, 2.0, 3.0); K = sum(T)
B = math.exp(A); C = B * 2; K = math.log(C)
""".splitlines()


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_constant_is_what_it_is_in_the_source(spelling: str) -> None:
    source = HEAD + "\n".join(spelling.split("; ")) + "\n"
    source += "# ad: gradient(value=True)\ndef f(x, k: float = K):\n"
    source += "    return x * K + k * x\n"
    text = generate(source, **ANY_ORDER)
    assert black.format_str(text, mode=black.Mode()) == text
    there, here = load(text), load(source)
    assert there["f_value_and_grad"](0.7) == (
        here["f"](0.7),
        (2 * here["K"], 0.7),
    )


def test_what_a_constant_needs_is_copied_with_it() -> None:
    source = HEAD + "K = 2 * _wave(3.0)\n# ad: gradient\ndef f(x):\n    return K * x\n"
    text = generate(source, **ANY_ORDER)
    assert "\nK = 2 * _wave(3.0)\n" in text
    assert (
        "\ndef _wave(t: float, s: float = A, *, phase: float = 0.0) -> float:" in text
    )
    assert "_twice" not in text
    assert "numpy" not in text


@pytest.mark.parametrize("kind", ["hessian", "hvp", "jvp", "vjp", "error", "jacobian"])
def test_every_kind_takes_constants_without_a_number(kind: str) -> None:
    source = HEAD + "K = np.log(2) / 5730\nT = (math.exp(1), K)\n"
    body = "def f(x, y):\n    return math.exp(-K * x) * y**2 * T[0] ** 2 + T[1]\n"
    text = generate(f"{source}# ad: {kind}\n{body}", **ANY_ORDER)
    assert black.format_str(text, mode=black.Mode()) == text
    load(text)


def test_tuples_are_indexed_unpacked_spread_and_summed() -> None:
    source = "import math\nT = (1.0, math.exp(1), 3.0)\nU = ((1.0, 2.0), T[1])\n"
    source += "def g(a, b, c):\n    return a * b + c\n"
    source += (
        "# ad: gradient(value=True)\ndef f(x):\n    a, *b = T\n    (p, q), r = U\n"
    )
    source += "    return g(*T) * x + sum(T) * a * b[1] + p * q * r + T[1] ** 2\n"
    text = generate(source, **ANY_ORDER)
    here, there = load(source), load(text)
    assert there["f_value_and_grad"](0.3)[0] == here["f"](0.3)
    assert black.format_str(text, mode=black.Mode()) == text


def test_a_default_of_a_helper_that_is_computed_gets_a_name() -> None:
    source = "import math\ndef g(x, c=math.exp(0.5), d=(1.0, math.exp(2))):\n"
    source += "    return x * c + d[1]\n# ad: gradient(value=True)\ndef f(x):\n"
    source += "    return g(x) * g(x, 2.0)\n"
    text = generate(source, **ANY_ORDER)
    assert "_g_c = math.exp(0.5)" in text
    assert load(text)["f_value_and_grad"](0.3)[0] == load(source)["f"](0.3)


REFUSED = [
    ("K = math.log(-1.0)", "AD122"),
    ("K = 1 / 0", "AD122"),
    ("K = (-2) ** 0.5", "AD122"),
    ("K = _pair(1.0)", "AD107"),
    ("K = __import__('math').pi", "AD110"),
    ("K = 1.0\nif A:\n    K = 2.0", "AD108"),
    ("K = 1.0\nK = 2.0", "AD108"),
    ("def _own(t):\n    return K * t\nK = _own(1.0)", "AD122"),
    (
        "def _a(t):\n    return _b(t)\ndef _b(t):\n    return _a(t)\nK = _a(1.0)",
        "AD120",
    ),
    ("def _bad(t):\n    return t.real\nK = _bad(1.0)", "AD102"),
    ("def _tup(p):\n    return math.exp(p[0])\nK = _tup((1.0,))", "AD122"),
    ("def _h(t, s=K):\n    return t\nK = _h(1.0)", "AD122"),
    ("K = (lambda t, s=math.exp(1): s * t)(2.0)", "AD122"),
    ("square = lambda t, s=math.exp(1): s * t\nK = square(2.0)", "AD122"),
]


@pytest.mark.parametrize(("definition", "code"), REFUSED)
def test_what_cannot_be_known_is_refused_by_name(definition: str, code: str) -> None:
    source = f"{HEAD}{definition}\n# ad: gradient\ndef f(x):\n    return K * x\n"
    result = run(source)
    assert result.text is None
    assert code in [d.code for d in result.diagnostics], result.diagnostics


def test_faults_of_a_function_are_told_though_a_constant_met_them_first() -> None:
    source = "def bad(t):\n    return t.real\nK = bad(1.0)\n"
    source += "# ad: gradient\ndef f(K):\n    return bad(K)\n"
    assert [d.code for d in run(source).diagnostics] == ["AD102"]


def test_a_parameter_may_not_hide_what_a_helper_needs() -> None:
    source = "import math\nK = math.exp(1)\ndef g(x):\n    return K * x\n"
    source += "# ad: gradient\ndef f(K):\n    return g(K)\n"
    assert [d.code for d in run(source).diagnostics] == ["AD025"]
