"""Loops go back without the trip that left them, where that changes no adjoint."""

from __future__ import annotations

import math
import re
from typing import Any

import in_c
import in_fortran
import pytest
from amounts import ANY_ORDER, part
from support import flat, generate, hessian, jacobian, load, load_exact, load_generated
from targets import Targets

HEAD = """\
import math


# ad: gradient(a, b), jvp(a, b), hessian(a, b)
def f(a: float, b: float, n: int):
    x = a
    s = 0.0
"""
NEWTON = """\
for _ in range(n):
    g = x * x * x - b * x - 1.0
    if abs(g) < 1e-12:
        break
    x = x - g / (3.0 * x * x - b)
return x * a"""
KEPLER = """\
x = 1.5
while True:
    step = (x - 0.3 * b * math.sin(x) - a) / (1.0 - 0.3 * b * math.cos(x))
    if abs(step) < 1e-13:
        break
    x -= step
return math.cos(x) * b"""
TWO_WAYS_OUT = """\
for i in range(n):
    g = x * x - b
    if abs(g) < 1e-10 or s > 100.0:
        break
    if i > 3 and g > 5.0:
        break
    x = 0.5 * (x + b / x)
    s += x
else:
    s *= 2.0
return s"""
RETURNED = """\
for k in range(n):
    g = math.exp(x) - b * x - 3.0
    if abs(g) < 1e-12:
        return x * k
    x = x - g / (math.exp(x) - b)
return x"""
STEPS = """\
for k in range(3):
    y = x
    for _ in range(n):
        g = y - x - 0.2 * b * math.sin(y)
        if abs(g) < 1e-13:
            break
        y = y - g / (1.0 - 0.2 * b * math.cos(y))
    x = y
return x * b"""
IN_AN_ARM = """\
if a > 1.0:
    for _ in range(n):
        g = x * x - b
        if abs(g) < 1e-13:
            break
        x = x - g / (2.0 * x)
    x = x * a
return x * x"""
ASKED_AGAIN = """\
for i in range(n):
    if x > 7.0:
        break
    x = x * 1.5 + b
return x * x"""
LISTED = """\
xs = []
for _ in range(n):
    g = x * x - b
    if abs(g) < 1e-13:
        break
    x = x - g / (2.0 * x)
    xs.append(x)
for v in xs:
    s += v * v
return s + x"""
HANDED_ON = """\
last = 0.0
for i in range(n):
    last = x * b
    if last > 4.0:
        break
    x = x + 0.5 * last
return x * last"""
MOVED = """\
for i in range(n):
    x = x * b + 0.5
    if x > 3.0:
        break
return x"""
IDLE = {
    "newton": NEWTON,
    "kepler": KEPLER,
    "two ways out": TWO_WAYS_OUT,
    "returned": RETURNED,
    "steps": STEPS,
    "in an arm": IN_AN_ARM,
    "asked again": ASKED_AGAIN,
}
BODIES = {**IDLE, "listed": LISTED, "handed on": HANDED_ON, "moved": MOVED}
POINTS = [
    {"a": a, "b": b, "n": n}
    for a, b, n in (
        (1.3, 0.9, 0),
        (1.3, 0.9, 40),
        (2.5, 1.75, 2),
        (2.5, 1.75, 40),
        (6.0, 2.25, 40),
    )
]


BENT = part([*BODIES], 2)
"""Those that are differentiated twice, too."""


def source(name: str) -> str:
    lines = "".join(f"    {line}\n" for line in BODIES[name].splitlines())
    return (HEAD if name in BENT else HEAD.replace(", hessian(a, b)", "")) + lines


@pytest.mark.parametrize("name", BODIES)
def test_derivatives_are_right_whether_a_loop_is_left_or_not(name):
    text = source(name)
    made, exact = load_generated(text), load_exact(text)["f"]
    for point in POINTS[: 4 if name == "kepler" else None]:
        rows = jacobian(exact, point, ("a", "b"))
        first = [float(entry) for entry in rows[0]]
        assert flat(made["f_grad"](**point)) == pytest.approx(first, rel=1e-8)
        tangent = made["f_jvp"](**point, a_dot=0.5, b_dot=-2.0)[1]
        assert tangent == pytest.approx(0.5 * first[0] - 2.0 * first[1], rel=1e-8)
        if point["a"] == 1.3 or name not in BENT:
            continue
        second = [float(entry) for entry in flat(hessian(exact, point, ("a", "b")))]
        assert flat(made["f_hess"](**point)) == pytest.approx(
            second, rel=1e-6, abs=1e-9
        )


@pytest.mark.parametrize("name", IDLE)
def test_the_trip_that_leaves_records_nothing(name):
    text = generate(source(name), **ANY_ORDER)
    text = text[: text.index("def f_jvp")]
    way_out, rest = text.split("break\n", 1)
    counts = name == "asked again"  # nothing is recorded
    assert ".append(" not in way_out and (".append(" in rest) is not counts
    assert "trips += 1" not in way_out and ("trips" in text) is counts
    back = text[text.rindex("range(trips)" if counts else "reversed(") :]
    assert not re.search(r"if |continue", back)


@pytest.mark.parametrize("name", ["handed on", "moved"])
def test_a_trip_that_changes_something_is_recorded(name):
    text = generate(source(name))
    loop = re.search(r"(?s)\n    for [^\n]*\n(.*?)\n    \w", text)
    assert loop is not None
    assert ".append(" in loop.group(1).split("break")[0]


def targets() -> Targets:
    own = (
        source(name).replace("def f(", f"def {name.replace(' ', '_')}(")
        for name in (
            "newton",
            "two ways out",
            "returned",
            "steps",
            "in an arm",
            "moved",
        )
    )
    head = "import math\n\n\n"
    return Targets(head + "\n\n".join(text.removeprefix(head) for text in own))


MADE = targets()


def check(functions: Any) -> None:
    """See that all give what Python gives."""
    own = load(MADE.text("math"))
    for one in MADE.derived:
        name = one.function.name
        names = {p.name for p in one.function.parameters}
        for point in POINTS:
            seeds = {"a_dot": 0.5, "b_dot": -2.0}
            values = point | {n: s for n, s in seeds.items() if n in names}
            wanted = flat(own[name](**values))
            assert functions[name](values) == pytest.approx(wanted, rel=1e-11), name


def test_they_are_those_of_python_in_c(tmp_path):
    library = in_c.compiled([in_c.counted(MADE.text("c"))], tmp_path)[0]
    check(in_c.functions(library, MADE.flat("c")))
    assert library.ad_test_live() == 0


def test_they_are_those_of_python_in_fortran(tmp_path):
    library = in_fortran.compiled(MADE.text("fortran"), tmp_path)
    check(in_fortran.functions(library, "model_grad", MADE.flat("fortran")))


def test_a_test_of_the_way_out_may_be_asked_again_in_a_trip():
    source = """\
from math import sin


# ad: gradient(x), jvp(x)
def f(x: float, k: int) -> float:
    a, c, q = x * x, x, 0
    while True:
        q += 1
        if q > k or k > 3:
            break
        c = x * a if k > 3 else (sin(x) if c < -0.2 else c / 2.5)
        a += sin(a) if x < 0.4 else x * a
    return a + c
"""
    made = load_generated(source)
    slope = made["f_jvp"](0.7, 1.0, 2)[1]
    assert abs(made["f_grad"](0.7, 2) - slope) < 1e-12 * abs(slope)


def test_a_branch_on_the_way_out_is_one_with_others_but_not_with_a_number_of_trips():
    source = """\
import math


# ad: hvp(a, b, value=True)
def f(a: float, b: float, n: int):
    u = 0.0
    v = 0.0
    t = max(v, b)
    for _ in range(n):
        if 0.5 + b > 0.7:
            return math.sqrt(1.0 + math.sin(a) ** 2)
        u += v
        v = a if 0.25 + math.tanh(a) > 0.2 else 0.25 + math.tanh(a)
    return t * a + u
"""
    made = load_generated(source)["f_value_and_hvp"]
    for a in (0.5, -0.5):
        value, gradient, product = made(a, 0.125, 1.0, 2.0, 2)
        slope = 1.0 - math.tanh(a) ** 2
        bend = -2.0 * math.tanh(a) * slope
        v, own, more = (a, 1.0, 0.0) if a > 0 else (0.25 + math.tanh(a), slope, bend)
        assert value == 0.125 * a + v
        assert gradient == pytest.approx((0.125 + own, a))
        assert product == pytest.approx((2.0 + more, 1.0))


FILLED = """
# ad: hvp(a, b)
def f(a: float, b: float, n: int):
    k, u = 0, [a, b, 0.5]
    u[0] = 0.5 * b
    for i in range(n):
        if b > 0.6:
            return a - u[k % len(u)] * b
    y = 0.5 * a
    for v in u:
        if v > 2.5:
            break
        y += v * a
    return y
"""


@pytest.mark.parametrize("at", [(0.3, 0.9, 2), (0.3, 0.9, 0), (0.3, 0.4, 2)])
def test_a_loop_that_is_copied_in_front_of_another_one_has_trips_of_its_own(at):
    made, exact = load_generated(FILLED)["f_hvp"], load_exact(FILLED)["f"]
    point = dict(zip("abn", at, strict=True))
    rows = hessian(exact, point, ("a", "b"))
    wanted = [float(p + 2.0 * q) for p, q in rows]
    a, b, n = at
    assert made(a, b, 1.0, 2.0, n) == pytest.approx(tuple(wanted), rel=1e-12)
