"""What is made of what is 0 in an arm, and only added, goes into the other arm."""

from __future__ import annotations

import re

import black
import pytest
from amounts import ANY_ORDER, NUMBERS
from programs import program
from support import flat, generate, hessian, jacobian, load, load_exact

from ad_transform.elementals import TABLE
from ad_transform.ir.arms.conditional import conditional
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Apply
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import verify

HEAD = "import math\n\n\n# ad: gradient(a, x)\n# ad: hvp(a, x)\n"
HEAD += 'def f(a: float, x: "Vector[n]") -> float:\n'
# fmt: off
TAKEN = {
    "pairs within reach": """
e = 0.0
for i in range(len(x)):
    for j in range(i):
        d = x[i] - a * x[j]
        if d * d > 1.0:
            continue
        e += d * d / (1.0 + d * d)
return e""",
    "in the first arm": """
e = 0.0
for i in range(1, len(x)):
    d = x[i] * x[i - 1]
    if d < a:
        e += math.sin(d) * d
return e * a""",
    "the nearest": """
best = math.inf
for i in range(len(x) - 1):
    d = (x[i] - a) * (x[i + 1] - a)
    if d * d < best:
        best = d * d
return best""",
    "loops in the arm": """
best = math.inf
for i in range(len(x)):
    d = 0.0
    for j in range(1, len(x)):
        d += (x[j] - a * x[i] * x[j - 1] + 0.3 * i) ** 2
    if d < best:
        best = d
return best""",
    "arms in the arm": """
e = 0.0
for i in range(1, len(x)):
    d = x[i] - a * x[i - 1]
    if abs(d) < 1.0:
        if d > 0.25:
            e += d * math.exp(d)
        elif d < -0.25:
            e -= d * d * a
return e""",
}
STAY = {
    "given to the next trip": """
s = a
for i in range(1, len(x)):
    if x[i] * s > x[i - 1]:
        s = s * math.sin(x[i]) * x[i - 1]
return s""",
    "an array that both arms give": """
e = a
if e > 0.4:
    e = e * math.sin(x[0]) * x[0]
return e""",
    "one sum": """
e = 0.0
for i in range(len(x)):
    if x[i] > 0.0:
        e += math.sin(x[i])
return e * a""",
}
# fmt: on
POINTS = [
    (0.75, [0.25, -0.5, 1.25, 0.875, -1.5]),
    (-1.25, [0.5, 1.5, -0.125]),
    (0.5, [2.5]),
]


def source(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.strip().splitlines())


def slopes(plain, a, x):
    """Derivatives by differences of fourth order."""

    def slope(at):
        h = 1e-3
        return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)

    def moved(k, h):
        return [v + h * (i == k) for i, v in enumerate(x)]

    yield slope(lambda h: plain(a + h, x))
    yield from (slope(lambda h, k=k: plain(a, moved(k, h))) for k in range(len(x)))


@pytest.mark.parametrize("name", [*TAKEN, *STAY])
def test_derivatives_are_those_of_python(name):
    text = source((TAKEN | STAY)[name])
    made, plain = load(generate(text, **ANY_ORDER)), load(text)["f"]
    for a, x in POINTS:
        if name in ("the nearest", "loops in the arm") and len(x) == 1:
            continue
        found = flat(made["f_grad"](a, x))
        assert found == pytest.approx(list(slopes(plain, a, x)), rel=1e-7, abs=1e-7)
        for k in range(len(x)):
            dot = [float(i == k) for i in range(len(x))]
            more, less = (
                made["f_grad"](a, [v + h * d for v, d in zip(x, dot, strict=True)])
                for h in (1e-6, -1e-6)
            )
            pairs = zip(flat(more), flat(less), strict=True)
            second = [(p - q) / 2e-6 for p, q in pairs]
            products = flat(made["f_hvp"](a=a, x=x, a_dot=0.0, x_dot=dot))
            assert products == pytest.approx(second, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("name", list(TAKEN)[:3])
def test_the_other_arm_adds_nothing(name):
    text = generate(source(TAKEN[name]), **ANY_ORDER)
    gradient = text[text.index("def f_grad") : text.index("def f_hvp")]
    trips = gradient[gradient.rindex("    for ") :]
    assert "_bar = 0.0" not in trips.replace("best_bar = 0.0", "")
    assert "sin_d = 0.0" not in trips
    assert black.format_str(text, mode=black.Mode()) == text


def test_a_loop_that_adds_nothing_runs_in_the_other_arm():
    text = generate(source(TAKEN["loops in the arm"]), **ANY_ORDER)
    gradient = text[text.index("def f_grad") : text.index("def f_hvp")]
    trip = gradient[gradient.rindex("        if best_test:") :]
    assert trip.index("for j in range(1, ") < trip.index("best_bar = 0.0")
    assert "a_bar = a_bar " in trip and "a_bar_2" not in trip


HANDED_ON = {
    "a value that is left at once": (
        """
s = a
for v in x:
    s = s * math.tanh(v)
    if s > 0.5:
        return 0.0
return s * s""",
        [(0.6, [2.0, 3.0]), (0.4, [2.0, -3.0]), (0.4, [])],
    ),
    "a loop in each trip": (
        """
e = 0.0
for k in range(3):
    h = a - 0.5 * k
    for v in x:
        h = h * v + 0.1 * math.sin(h)
    if h > 0.0:
        e += h
return e""",
        [(1.3, [0.5, 0.7]), (0.3, [0.5, -0.7]), (-0.5, [1.0])],
    ),
}


@pytest.mark.parametrize("name", HANDED_ON)
def test_a_loop_that_hands_on_zeros_runs_in_the_other_arm(name):
    body, points = HANDED_ON[name]
    text = generate(source(body), **ANY_ORDER)
    gradient = text[text.index("def f_grad") : text.index("def f_hvp")]
    if name == "a value that is left at once":
        assert "        if s_2 > 0.5:\n            return 0.0, " in gradient
        assert "s_list.append(s)\n        s = s_2\n" in gradient
    else:
        trip = gradient[gradient.index("        if h > 0.0:") :]
        assert "            for i, " in trip and "h_bar = 0.0" not in trip
    assert black.format_str(text, mode=black.Mode()) == text
    made, plain = load(text), load(source(body))["f"]
    for a, x in points:
        found = flat(made["f_grad"](a, x))
        assert found == pytest.approx(list(slopes(plain, a, x)), rel=1e-7, abs=1e-7)


KNOCKED_OUT = """
import math


# ad: gradient
# ad: gradient(value=True)
def f(a: float, b: float, x: "Vector[n]") -> float:
    s, t = a, 0.0
    for v in x:
        s = s * math.exp(b * v)
        t += s
        if s > 2.0:
            return 0.0
    return s * t
"""


def test_zeros_of_numbers_and_arrays_are_returned_at_once():
    text = generate(KNOCKED_OUT, **ANY_ORDER)
    for zeros in ("0.0, 0.0, np.zeros(", "0.0, (0.0, 0.0, np.zeros("):
        assert re.search(
            rf"        if .*:\n            return {re.escape(zeros)}", text
        )
    assert "if left:" not in text
    assert black.format_str(text, mode=black.Mode()) == text
    made, plain = load(text), load(KNOCKED_OUT)["f"]
    for b, x in [(0.75, [0.25, -0.5]), (-1.5, [-0.25, -1.0, 3.0]), (0.5, [])]:
        found = flat(made["f_grad"](0.875, b, x))
        by_a = list(slopes(lambda a, x, b=b: plain(a, b, x), 0.875, x))
        by_b = next(slopes(lambda b, x: plain(0.875, b, x), b, x))
        expected = [by_a[0], by_b, *by_a[1:]]
        assert found == pytest.approx(expected, rel=1e-7, abs=1e-7)
        value, gradient = made["f_value_and_grad"](0.875, b, x)
        assert value == plain(0.875, b, x) and flat(gradient) == found


ADDED_TO = """
import math


# ad: gradient(a, name="by_a")
# ad: gradient(x, name="by_x")
def f(a: float, x: "Vector[n]") -> float:
    s, t = 0.75, 0.0
    for v in x:
        s = s * math.tanh(a * v)
        t = t + a * v * v
    if s > 0.25:
        s = 0.0
    else:
        s = s * s
    return s + t
"""


@pytest.mark.parametrize("point", [(2.0, [0.5, 1.5]), (2.0, [0.5, -1.5])])
def test_a_loop_that_adds_something_else_runs_in_both_arms(point):
    made, plain = load(generate(ADDED_TO, **ANY_ORDER)), load(ADDED_TO)["f"]
    by_a, *by_x = slopes(plain, *point)
    assert made["by_a"](*point) == pytest.approx(by_a, rel=1e-7)
    assert flat(made["by_x"](*point)) == pytest.approx(by_x, rel=1e-7)


def test_what_serves_the_arm_alone_is_computed_there():
    text = generate(source(TAKEN["the nearest"]), **ANY_ORDER)
    gradient = text[text.index("def f_grad") : text.index("def f_hvp")]
    trip = gradient[gradient.rindex("for ") :]
    assert trip.index("if ") < trip.index("x_list[")


LARGEST_OF_THREE = """
# ad: gradient(a)
def f(a: "Vector[n]", b: "Vector[n]") -> float:
    c = [0.0] * len(a)
    for i in range(2, len(a)):
        c[i] = a[i] * b[i] + max(c[i - 1], a[i - 1], c[i - 2])
    return c[-1]
"""


def test_a_branch_waits_for_the_array_that_it_adds_to():
    text = generate(LARGEST_OF_THREE, **ANY_ORDER)
    back = text[text.index("reversed(") :]
    assert back.count("        if ") == 3 and " else " not in back
    a, b = [0.5, 1.5, -0.25, 0.75, 2.0], [1.0, -0.5, 2.0, 0.25, 0.5]
    found = load(text)["f_grad"](a, b)
    plain = load(LARGEST_OF_THREE)["f"]
    for k in range(5):
        up = [1e-6 * (j == k) for j in range(5)]
        high = [v + h for v, h in zip(a, up, strict=True)]
        low = [v - h for v, h in zip(a, up, strict=True)]
        rise = plain(high, b) - plain(low, b)
        assert found[k] == pytest.approx(rise / 2e-6, abs=1e-8)


ADDED_BEHIND = """\
function f primal 0 nest .
parameter x (%0: float)
parameter a (%1: float[n])
  %2: float[n] = copy(%1)
  %3: bool = gt(%0, 1.0)
  %4: float = branch %3 (%0)
  then (%5: float)
    give 0.0
  else (%6: float)
    %7: float = exp(%6)
    give %7
  %8: float = mul(%4, %0)
  {between}
  %10: float[n] = add_at(%2, %8, 0)
  %11: float = get(%10, 0)
  %12: float = mul(%11, %9)
  give %12
"""
READ = "%9: float = get(%2, 0)"
READ_BY_A_BRANCH = """%9: float = branch %3 (%2)
  then (%20: float[n])
    %21: float = get(%20, 0)
    give %21
  else (%22: float[n])
    give 0.5"""


@pytest.mark.parametrize(
    ("between", "taken"), [(READ, True), (READ_BY_A_BRANCH, False)]
)
def test_an_array_is_read_before_an_arm_adds_to_it(between, taken):
    function = program(ADDED_BEHIND.format(between=between))
    made = conditional(function, TABLE)
    verify(made)
    assert (made is not function) == taken
    for x in (0.5, 1.5):
        assert evaluate(made, (x, [2.0])) == evaluate(function, (x, [2.0]))


IN_AN_ARM = """\
function f primal 0 nest .
parameter x (%0: float)
parameter a (%1: float[n])
  %2: bool = gt(%0, 0.5)
  %3: float[n] = copy(%1)
  %4: float = branch %2 (%0)
  then (%5: float)
    give 0.0
  else (%6: float)
    give %6
  %7: float, %8: float[n] = branch %2 (%4, %3)
  then (%9: float, %10: float[n])
    give 0.0, %10
  else (%11: float, %12: float[n])
    %13: bool = gt(%11, 0.25)
    %14: float = branch %13 (%11)
    then (%15: float)
      %16: float = mul(%15, %15)
      give %16
    else (%17: float)
      give 0.0
    give %14, %12
  %18: float[n] = add_at(%8, %7, 0)
  %19: float = get(%18, 0)
  give %19
"""


def test_an_arm_in_an_arm_has_what_is_added():
    function = program(IN_AN_ARM)
    made = conditional(function, TABLE)
    verify(made)
    assert format_function(made).count("add_at(") == 1
    assert not any(isinstance(s, Apply) and s.op.name == "add_at" for s in made.body)
    for x in (0.125, 0.375, 0.75):
        assert evaluate(made, (x, [2.0])) == evaluate(function, (x, [2.0]))


TAKEN_BETWEEN = """
import math


# ad: gradient(x)
def f(x: "Vector[n]", c: float):
    y = [0.0] * (len(x) + 1)
    s = 0.0
    for i in range(len(x)):
        t = y[i]
        y[i + 1] = x[i] * c
        if t > 1.0:
            r = 0.0
        else:
            r = math.exp(t)
        s = s + r * x[i]
    return s
"""


def test_a_trip_takes_an_element_before_an_arm_stores_one():
    text = generate(TAKEN_BETWEEN, **ANY_ORDER)
    assert text.index("= y_bar[i + 1]") < text.index("        if not r_test:")
    made, plain = load(text), load(TAKEN_BETWEEN)["f"]
    x = [0.25, -0.5, 1.5, 0.75]
    expected = list(slopes(lambda c, x: plain(x, c), 1.25, x))[1:]
    assert flat(made["f_grad"](x, 1.25)) == pytest.approx(expected, abs=1e-8)


WAITING = """\
function f primal 0 nest .
parameter x (%0: float)
parameter a (%1: float[n])
  %2: float[n] = copy(%1)
  %3: bool = gt(%0, 1.0)
  {branch}
  %10: float[n] = set(%2, {stored}, 0)
  %11: float = mul(%4, %0)
  %12: float[n] = add_at(%10, %11, 1)
  %13: float = get(%12, 0)
  %14: float = get(%12, 1)
  %15: float = sub(%13, %14)
  give %15
"""
OF_A_NUMBER = """%4: float = branch %3 (%0)
  then (%5: float)
    give 0.0
  else (%6: float)
    %7: float = exp(%6)
    give %7"""
OF_AN_ARRAY = """%4: float = branch %3 (%2)
  then (%5: float[n])
    give 0.0
  else (%6: float[n])
    %7: float = get(%6, 0)
    give %7"""
OF_TWO = """%4: float, %8: float = branch %3 (%0)
  then (%5: float)
    give 0.0, %5
  else (%6: float)
    %7: float = exp(%6)
    give %7, %7"""


@pytest.mark.parametrize(
    ("branch", "stored", "waits"),
    [(OF_A_NUMBER, "%0", True), (OF_AN_ARRAY, "%0", False), (OF_TWO, "%8", False)],
)
def test_a_branch_of_numbers_waits_if_nothing_else_needs_it(branch, stored, waits):
    function = program(WAITING.format(branch=branch, stored=stored))
    made = conditional(function, TABLE)
    verify(made)
    assert (made is not function) == waits
    for x in (0.5, 1.5):
        args = (x, [2.0, 3.0])
        assert evaluate(made, args) == evaluate(function, args)


RESET = """\
function f primal 0 nest .
parameter x (%0: float)
parameter y (%1: float)
  %2: bool = gt(%0, 1.0)
  %3: float = branch %2 (%0)
  then (%4: float)
    give 0.0
  else (%5: float)
    %6: float = exp(%5)
    give %6
  %7: float, %8: float, %9 y_bar: float = scan (0, 3, 1) (%3, %3, %1) (%1) ()
  body (%10: int, %11: float, %12: float, %13: float, %14: float)
    %15: float = mul(%11, %14)
    %16: float = add(%13, %12)
    give {given}, %15, %16
  give %9
"""


@pytest.mark.parametrize(("given", "goes"), [("0.0", True), ("0.5", False)])
def test_a_loop_may_hand_on_a_zero_that_is_written_out(given, goes):
    function = program(RESET.format(given=given))
    made = conditional(function, TABLE)
    verify(made)
    assert (made is not function) == goes
    for x in (0.5, 1.5):
        assert evaluate(made, (x, 0.75)) == evaluate(function, (x, 0.75))


CHANGED_IN_PLACE = """
# ad: gradient, gradient(value=True), jacobian, jvp, vjp, hessian, hvp, error
def f(a: float, b: float):
    c = [a]
    c[0] += 1.0
    p = c[0]
    c[0] += 2.0
    q = 2.0 * c[0]
    c[0] += b
    r = b * c[0]
    return max([p, q, r]) * c[0]
"""


def test_the_largest_of_what_a_list_was_when_it_changed():
    """The largest is the first at one point, the second and the third at others."""
    made = load(generate(CHANGED_IN_PLACE, **NUMBERS))
    plain = load_exact(CHANGED_IN_PLACE)["f"]
    for a, b in ((-4.0, 0.5), (0.75, 1.5), (1.0, 3.0)):
        point = {"a": a, "b": b}
        value, (slopes,) = plain(a, b), jacobian(plain, point, ("a", "b"))
        rows = hessian(plain, point, ("a", "b"))
        assert made["f_value_and_grad"](a, b)[0] == value
        assert made["f_grad"](a, b) == pytest.approx(slopes)
        assert flat(made["f_jac"](a, b)) == pytest.approx(slopes)
        assert made["f_jvp"](a, b, 1.0, 2.0)[1] == pytest.approx(
            slopes[0] + 2 * slopes[1]
        )
        assert made["f_vjp"](a, b, 2.0)[1] == pytest.approx([2 * v for v in slopes])
        assert flat(made["f_hess"](a, b)) == pytest.approx(flat(rows))
        product = [u + 2 * v for u, v in rows]
        assert made["f_hvp"](a, b, 1.0, 2.0) == pytest.approx(product)
        assert made["f_err"](a, b)[0] == value
