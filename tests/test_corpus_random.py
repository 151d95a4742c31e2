"""Random straight-line programs, as text through the whole pipeline, against mpmath."""

from __future__ import annotations

import pytest
from amounts import amount, search
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from mpmath import mpf
from support import (
    exactly,
    flat,
    generate,
    hessian,
    invoke,
    jacobian,
    load,
    load_exact,
    same_bits,
)

CONSTANTS = ["2", "3.0", "0.5", "-1.25", "1", "0.0", "-1", "math.pi", "K"]
UNARY = [
    "-{a}",
    "math.sin({a})",
    "math.cos({a})",
    "math.tanh({a})",
    "math.atan({a})",
    "math.exp(-{a} * {a})",
    "math.sqrt(1.0 + {a} * {a})",
    "math.log1p({a} * {a})",
    "abs({a})",
    "{a} ** 2",
    "{a} ** 3",
    "({a} * {a} + 1) ** 1.5",
    "(2.0 + {a} * {a}) ** -1",
    "helper({a})",
]
BINARY = [
    "{a} + {b}",
    "{a} - {b}",
    "{a} * {b}",
    "{a} / (2.0 + {b} * {b})",
    "max({a}, {b})",
    "min({a}, {b})",
    "math.atan2({a}, 2.0 + {b} * {b})",
    "math.hypot({a}, {b}, 1.0)",
    "(1.5 + {a} * {a}) ** {b}",
    "sum([{a}, {b}, 1.0])",
    "other({a}, b={b})",
    "({a} + {b}) * ({a} - {b})",
]
TARGETS = ["{t} = {e}", "{t} = {t2} = {e}", "{t}, {t2} = {e}, {e2}", "{t} += {e}"]
NAMES = ["x", "y", "z", "u", "v", "w"]
HEAD = """\
import math

K = 1.75


def helper(t):
    s = t * t
    return s / (1.0 + s) + t


def other(a, b=0.5):
    return a * b - K * b

"""


@st.composite
def programs(draw):
    """The source of a function f of x and y that is smooth almost everywhere."""
    bound = ["x", "y"]

    def operand():
        return draw(st.sampled_from([*bound, *bound, draw(st.sampled_from(CONSTANTS))]))

    def expression():
        form = draw(st.sampled_from(UNARY + BINARY))
        a, b = operand(), operand()
        a = f"({a})" if a.startswith("-") else a
        b = f"({b})" if b.startswith("-") else b
        return form.format(a=a, b=b)

    lines = []
    for _ in range(draw(st.integers(1, 6))):
        t, t2 = draw(st.permutations(NAMES))[:2]
        forms = TARGETS if t in bound else TARGETS[:-1]
        form = draw(st.sampled_from(forms))
        lines.append(form.format(t=t, t2=t2, e=expression(), e2=expression()))
        bound = [n for n in NAMES if n in bound or n == t or (n == t2 and "t2" in form)]
    result = f"1.0 * {bound[-1]} * {bound[0]} + {draw(st.sampled_from(bound))}"
    body = "".join(f"    {line}\n" for line in lines)
    second = draw(st.sampled_from(["hessian", "hvp(value=True)"]))
    items = f"gradient(value=True), jacobian, {second}, jvp, vjp"
    return f"{HEAD}\n# ad: {items}\ndef f(x, y):\n{body}    return {result}\n"


COORDINATES = st.floats(-2.0, 2.0).filter(lambda v: abs(v) > 1e-3)


@pytest.mark.parametrize("order", ["auto", "forward", "reverse", "markowitz"])
@settings(
    max_examples=amount(3, 8),
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(programs(), COORDINATES, COORDINATES)
def test_random_programs(order, source, x, y):
    point = {"x": x, "y": y}
    original = load_exact(source)["f"]
    value = invoke(original, exactly(point))
    assume(abs(value) < 1e6)
    (rows,) = jacobian(original, point, ("x", "y"))
    second = hessian(original, point, ("x", "y"))
    assume(max(map(abs, flat(second))) < 1e8)  # no kink between the stencil's points
    text = generate(source, **search(source) | {"order": order, "container": "tuple"})
    seeds = {"x_dot": 0.75, "y_dot": -1.5, "f_bar": 0.25}
    product = [r[0] * 0.75 - r[1] * 1.5 for r in second]
    want = {
        "value_and_grad": [value, *rows],
        "jac": rows,
        "hess": flat(second),
        "value_and_hvp": [value, *rows, *product],
        "jvp": [value, rows[0] * 0.75 - rows[1] * 1.5],
        "vjp": [value, *(0.25 * r for r in rows)],
    }
    made = load_exact(text)
    asked = {suffix: want[suffix] for suffix in want if f"f_{suffix}" in made}
    assert len(asked) == 5
    for suffix, leaves in asked.items():
        got = flat(invoke(made[f"f_{suffix}"], exactly({**point, **seeds})))
        size = max(1, *map(abs, flat(second)), *map(abs, leaves))
        for g, w in zip(got, leaves, strict=True):
            assert abs(mpf(g) - w) <= 1e-13 * size, suffix
    doubles = invoke(load(text)["f_value_and_grad"], point)
    assert same_bits(doubles[0], invoke(load(source)["f"], point))
