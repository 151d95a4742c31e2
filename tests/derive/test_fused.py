"""Loops back whose trips only add run with their loops forth."""

from __future__ import annotations

from functools import cache
from math import exp

import black
import pytest
from amounts import ANY_ORDER, search
from support import flat, generate, load

from ad_transform.derive.trips.fused import fused
from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Scan
from ad_transform.ir.parse import parse_function
from ad_transform.ir.verify import verify

HEAD = "import math\n\n\n# ad: gradient(a, x)\n# ad: gradient(a, x, value=True)\n"
HEAD += '# ad: hvp(a, x)\ndef f(a: float, x: "Vector[n]", y: "Vector[n]") -> float:\n'
# fmt: off
FUSED = {
    "squares": """
total = 0.0
for i in range(len(x)):
    total += (y[i] - a * math.exp(x[i])) ** 2
return total / len(x)""",
    "ratios": """
total = 0.0
for xi, yi in zip(x, y):
    r = yi - a * math.exp(xi)
    total += r * r / (1.0 + r * r)
return total""",
    "pairs": """
total = 0.0
for i in range(len(x)):
    for j in range(i):
        d = x[i] - a * x[j]
        total += 1.0 / (d * d + 0.5)
return total""",
    "arms": """
total = 0.0
for i in range(len(x)):
    r = x[i] - a * y[i]
    if abs(r) < 0.5:
        total += math.sin(r) * r
    else:
        total -= math.cosh(r) / (1.0 + y[i])
return total""",
    "after a recursion": """
s = a
total = 0.0
for i in range(len(x)):
    s = math.sin(s) + x[i]
for i in range(len(x)):
    total += math.tanh(s * x[i]) / (1.0 + x[i] * x[i])
return total""",
    "two sums": """
p = 0.0
q = 0.0
for i in range(len(x)):
    p += math.exp(a * x[i])
    q += math.log(2.0 + x[i] * y[i])
return p - 2.0 * q""",
    "rows of a list": """
total = 0.0
for i in range(len(x)):
    row = [x[i] * k * a for k in range(3)]
    for k in range(3):
        total += math.sin(row[k]) * row[k]
return total""",
    "sums that others add to": """
total = 0.0
for i in range(len(y)):
    z = a
    for k in range(len(x)):
        z += x[k] * math.sin(k + y[i])
    total += math.log1p(math.exp(-abs(z))) - 0.25 * z
for k in range(len(x)):
    total += 0.5 * a * x[k] ** 2
return total""",
}
APART = {
    "seed that waits": """
total = 0.0
for i in range(len(x)):
    total += math.exp(a * x[i]) / (1.0 + x[i] ** 2)
return math.sqrt(total)""",
    "recursion": """
s = a
for i in range(len(x)):
    s = math.sin(s * x[i]) + y[i]
return s""",
    "product": """
p = 1.0
for i in range(len(x)):
    p *= math.cos(x[i] * a)
return p""",
    "leaving": """
total = 0.0
for i in range(len(x)):
    if x[i] > 2.0:
        break
    total += math.exp(a * x[i]) / (1.0 + x[i])
return total""",
    "two sums of the same": """
total = 0.0
for i in range(len(x)):
    total += x[i] * y[i] * a
for i in range(len(x)):
    total += math.sin(x[i] * a)
return total""",
    "what it changes is read": """
w = [0.0] * len(x)
total = 0.0
for i in range(len(x)):
    w[i] = x[i] * a
    if i > 0:
        total += math.sin(w[i] * w[i - 1])
return total""",
}
ONE_LOOP_BACK = {
    "two sums of the same": APART["two sums of the same"],
    "a norm": """
norm = math.sqrt(sum(v * v for v in x))
dot = a
for u, v in zip(x, y):
    dot += u * v
return dot / norm""",
    "sums of a sum": """
mean = sum(v for v in x) / len(x)
total = 2.0 + a * a
for v in x:
    total += (v - mean) ** 2
third = 0.0
for v in x:
    third += (v - mean) ** 3
return third / total ** 1.5""",
}
# fmt: on
POINTS = [
    (0.75, [0.25, -0.5, 1.25, 0.875], [0.5, 1.5, -0.25, 0.125]),
    (-1.25, [1.5], [0.75]),
    (0.5, [0.375, 2.5, 0.25], [1.0, 2.0, 3.0]),
]


def source(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.strip().splitlines())


@cache
def made_of(name):
    """The text that a body is derived to."""
    text = source((FUSED | APART | ONE_LOOP_BACK)[name])
    return generate(text, **search(text))


def gradient(plain, a, x, y):
    """The gradient by differences of fourth order."""

    def slope(at):
        h = 1e-3
        return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)

    yield slope(lambda h: plain(a + h, x, y))
    for k in range(len(x)):
        yield slope(
            lambda h, k=k: plain(a, [v + h * (i == k) for i, v in enumerate(x)], y)
        )


@pytest.mark.parametrize("name", [*FUSED, *APART, *ONE_LOOP_BACK])
def test_derivatives_are_those_of_python(name):
    text = source((FUSED | APART | ONE_LOOP_BACK)[name])
    made, plain = load(made_of(name)), load(text)["f"]
    for a, x, y in POINTS:
        wanted = list(gradient(plain, a, x, y))
        found = flat(made["f_grad"](a, x, y))
        assert found == pytest.approx(wanted, rel=1e-7, abs=1e-7)
        value, both = made["f_value_and_grad"](a, x, y)
        assert value == plain(a, x, y)
        assert flat(both) == pytest.approx(found, rel=1e-13)
        ahead = made["f_grad"](a + 1e-6, x, y), made["f_grad"](a - 1e-6, x, y)
        second = [(p - q) / 2e-6 for p, q in zip(*map(flat, ahead), strict=True)]
        products = flat(made["f_hvp"](a=a, x=x, y=y, a_dot=1.0, x_dot=[0.0] * len(x)))
        assert products == pytest.approx(second, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("name", FUSED)
def test_nothing_is_recorded(name):
    text = made_of(name)
    start = text.index("def f_value_and_grad")
    made = text[start : text.index("def f_hvp")]
    assert "values for each trip" not in made
    assert "reversed" not in made.split("s = a")[0]
    assert black.format_str(text, mode=black.Mode()) == text


def test_a_value_and_its_gradient_are_one_loop():
    text = generate(source(FUSED["ratios"]), **ANY_ORDER)
    start = text.index("def f_value_and_grad")
    made = text[start : text.index("def f_hvp")]
    assert made.count("for ") == made.count("exp(") == 1


def test_a_value_its_gradient_and_a_product_are_one_loop():
    text = source(FUSED["ratios"]).replace("hvp(a, x)", "hvp(a, x, value=True)")
    made = generate(text, **ANY_ORDER)
    product = made[made.index("def f_value_and_hvp") :]
    assert product.count("    for ") == 1 and ".append(" not in product
    at = {"a": 0.75, "x": [0.5, -1.0], "y": [1.0, 0.25]}
    space, h = load(made), 1e-6
    value, slopes, found = space["f_value_and_hvp"](**at, a_dot=1.0, x_dot=[0.0, 0.0])
    assert (value, flat(slopes)) == (load(text)["f"](**at), flat(space["f_grad"](**at)))
    ahead = (space["f_grad"](**{**at, "a": 0.75 + d}) for d in (h, -h))
    second = [(p - q) / (2 * h) for p, q in zip(*map(flat, ahead), strict=True)]
    assert flat(found) == pytest.approx(second, rel=1e-6)


@pytest.mark.parametrize("name", ["seed that waits", "leaving"])
def test_sums_behind_are_read_in_order(name):
    text = generate(source(APART[name]), **ANY_ORDER)
    assert "reversed" not in text[: text.index("def f_hvp")]


@pytest.mark.parametrize("name", ONE_LOOP_BACK)
def test_loops_back_of_one_range_are_one(name):
    made = generate(source(ONE_LOOP_BACK[name]), **ANY_ORDER)
    made = made[made.index("def f_grad") : made.index("def f_value_and_grad")]
    assert made.count("x_bar[i] ") == 1 or "x_bar = [" in made


def test_no_trips():
    made = load(generate(source(FUSED["pairs"]), **ANY_ORDER))
    value, (a_bar, x_bar) = made["f_value_and_grad"](1.0, [], [])
    assert (value, a_bar, x_bar.tolist()) == (0.0, 0.0, [])


def test_a_value_keeps_its_bits():
    body = """
total = 0.0
for i in range(len(x)):
    total += a * y[i]
for i in range(len(x)):
    total += x[i] * x[i]
return total"""
    text = source(body)
    made, plain = load(generate(text, **ANY_ORDER)), load(text)["f"]
    point = 1.0, [1.0, 1.0], [1e16, 1.0]
    assert made["f_value_and_grad"](*point)[0] == plain(*point)


def test_a_sum_down_keeps_its_bits():
    body = "total = a\nfor v in reversed(x):\n    total += v * 3.0\nreturn total"
    text = source(body)
    made, plain = load(generate(text, **ANY_ORDER)), load(text)["f"]
    point = 1.0, [1e16, 1.0, 1.0, 1.0], [1.0] * 4
    assert made["f_value_and_grad"](*point)[0] == plain(*point)


TWICE = """\
function f primal 0 nest .
parameter x (%0: float)
parameter n (%1: int)
  %2: float, %3: float[k] = scan (0, %1, 1) (0.0) (%0, 0.5, 0.5) ()
  body (%10 i: int, %11: float, %12: float, %13: float, %14: float)
    %15: float = mul(%12, %13)
    %16: float = mul(%15, %14)
    %17: float = add(%11, %16)
    give %17, %16
  %4: float = scan (0, %1, 1) (0.0) (0.5, 0.5) (%3) backwards
  body (%20 i: int, %21: float, %22: float, %23: float, %24: float)
    %25: float = mul(%24, %22)
    %26: float = mul(%25, %23)
    %27: float = add(%21, %26)
    give %27
  %5: float = add(%2, %4)
  give %5
"""


def test_what_a_loop_is_given_twice():
    function = parse_function(TWICE, TABLE)
    made = fused(function)
    verify(made)
    assert sum(isinstance(s, Scan) for s in made.body) == 1
    assert evaluate(made, (3.0, 4)) == evaluate(function, (3.0, 4))


OTHER_RECORDS = """\
function f primal 0 nest .
parameter x (%0: float)
parameter n (%1: int)
  %2: float, %3: float[p] = scan (0, %1, 1) (0.0) (%0) ()
  body (%10 i: int, %11: float, %12: float)
    %13: float = mul(%12, 0.5)
    %14: float = add(%11, %13)
    give %14, %13
  %4: float, %5: float[q] = scan (0, %1, 1) (1.0) (%0) ()
  body (%20 i: int, %21: float, %22: float)
    %23: float = mul(%22, %21)
    give %23, %21
  %6: float = scan (0, %1, 1) (0.0) (%2) (%3) backwards
  body (%30 i: int, %31: float, %32: float, %33: float)
    %34: float = mul(%32, %33)
    %35: float = add(%31, %34)
    give %35
  %7: float = scan (0, %1, 1) (0.0) (%4) (%5) backwards
  body (%40 i: int, %41: float, %42: float, %43: float)
    %44: float = mul(%42, %43)
    %45: float = add(%41, %44)
    give %45
  %8: float = add(%6, %7)
  give %8
"""


def test_loops_over_other_records_stay_apart():
    """What goes over the records of one loop is as long as these are."""
    function = parse_function(OTHER_RECORDS, TABLE)
    assert fused(function) is function


GOES_ON = """\
function f primal 0 nest .
parameter x (%0: float)
parameter n (%1: int)
  %2: float = scan (0, %1, 1) (1.0) (%0) ()
  body (%10 i: int, %11: float, %12: float)
    %13: float = {host}(%11, %12)
    give %13
  %3: float = scan (0, %1, 1) (%2) (%0) ()
  body (%20 i: int, %21: float, %22: float)
    %23: float = mul(%22, 0.5)
    %24: float = add(%21, %23)
    give %24
  %4: float = mul(%3, {read})
  give %4
"""


@pytest.mark.parametrize(
    ("host", "read", "loops"), [("add", "%0", 1), ("mul", "%0", 2), ("add", "%2", 2)]
)
def test_sums_that_go_on(host, read, loops):
    """But not from what is no sum, nor from what others read."""
    function = parse_function(GOES_ON.format(host=host, read=read), TABLE)
    made = fused(function)
    verify(made)
    assert sum(isinstance(s, Scan) for s in made.body) == loops
    assert evaluate(made, (3.0, 4)) == evaluate(function, (3.0, 4))


LOSS = """\
import math


# ad: gradient(w, b, v, value=True)
def loss(w: "Matrix[h, d]", b: "Vector[h]", v: "{v}", xs: "Matrix[n, d]", ys: "{ys}"):
    total = 0.0
    for x, y in zip(xs, ys):
        hidden = []
        for j in range(len(b)):
            z = b[j]
            for i in range(len(x)):
                z += w[j][i] * x[i]
            hidden.append(math.tanh(z))
{ends}    return total / len(ys)
"""
ONE_RESULT = """\
        out = 0.0
        for j, h in enumerate(hidden):
            out += v[j] * h
        total += (out - y) ** 2
"""
SEVERAL = """\
        for k in range(len(y)):
            out = 0.0
            for j, h in enumerate(hidden):
                out += v[k][j] * h
            total += (out - y[k]) ** 2
"""
W, B = [[0.5, -1.0], [0.25, 2.0], [1.5, 0.75]], [0.1, -0.2, 0.3]
XS, V, Y = [[1.0, 0.5], [-0.75, 0.25]], [1.0, -0.5, 0.25], [0.5, -1.0]
LOSSES = {
    "one result": (
        LOSS.format(v="Vector[h]", ys="Vector[n]", ends=ONE_RESULT),
        (W, B, V, XS, Y),
        "hidden_bar",
    ),
    "several": (
        LOSS.format(v="Matrix[o, h]", ys="Matrix[n, o]", ends=SEVERAL),
        (W, B, [V, B], XS, XS),
        "saved",
    ),
}


@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_records_nothing(name):
    """Not of its trips, nor of the units: slopes of one result by these are numbers."""
    source, point, gone = LOSSES[name]
    text = generate(source, **ANY_ORDER)
    assert text.count(".append(") == 1
    assert "pop(" not in text
    assert gone not in text
    assert text.count("for j, h in enumerate(hidden):") == 2
    made, plain = load(text), load(source)["loss"]
    value, gradient = made["loss_value_and_grad"](*point)
    assert value == plain(*point)
    step = 1e-6
    for k, slopes in enumerate(gradient):
        for place, slope in enumerate(flat(slopes)):
            ends = [plain(*_moved(point, k, place, s)) for s in (step, -step)]
            assert slope == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-8)


def _moved(point, k, place, step):
    """A point with one of its numbers moved."""
    rows = point[k] if isinstance(point[k][0], list) else [point[k]]
    moved = [list(row) for row in rows]
    moved[place // len(moved[0])][place % len(moved[0])] += step
    changed = moved if isinstance(point[k][0], list) else moved[0]
    return (*point[:k], changed, *point[k + 1 :])


IN_TURN = """\
import math


# ad: gradient(x)
def f(x: "Vector[n]", a: float) -> float:
    n = len(x)
    y = [0.0] * n
    for i in range(n):
        y[i] = math.sin(x[i]) * a
    z = [0.0] * n
    for i in range(n):
        z[i] = y[i] * y[i] + x[i]
    t = 0.0
    for i in range(n):
        t += z[i] * math.exp(-z[i])
    return t
"""


def test_loops_over_items_of_each_other_are_one():
    text = generate(IN_TURN, **ANY_ORDER)
    assert text.count("for ") == 1
    made, plain = load(text)["f_grad"], load(IN_TURN)["f"]
    x, step = [0.5, -1.0, 2.0], 1e-6
    for k, slope in enumerate(made(x, 0.75)):
        up, down = (plain([*x[:k], x[k] + s, *x[k + 1 :]], 0.75) for s in (step, -step))
        assert slope == pytest.approx((up - down) / (2 * step), abs=1e-8)


SHORT = """\
# ad: gradient(x, value=True)
# ad: gradient(x)
def f(x: float, n: int) -> float:
    y = [0.0] * 3
    s = 0.0
    for i in range(n):
        y[i] = x * i
{read}
    return s
"""
READ = {
    "in the same trip": "        s += y[i] * y[i]",
    "in another loop": "    for i in range(n):\n        s += y[i] * y[i]",
}


@pytest.mark.parametrize("name", READ)
def test_a_list_of_the_user_that_is_too_short_is_still_too_short(name):
    source = SHORT.format(read=READ[name])
    made = load(generate(source, **ANY_ORDER))
    assert made["f_value_and_grad"](0.5, 3) == (1.25, 5.0)
    for derived in ("f_value_and_grad", "f_grad"):
        with pytest.raises(IndexError):
            made[derived](0.5, 4)


OFFSET = """\
import math


# ad: hessian(a, b, c, value=True)
def fit(a: float, b: float, c: float, ts: "Vector[m]", ys: "Vector[m]") -> float:
    sse = 0.0
    for t, y in zip(ts, ys):
        r = y - (a * math.exp(-b * t) + c)
        sse += r * r
    return sse
"""


def test_a_record_that_is_one_number_is_that_in_what_reads_it():
    text = generate(OFFSET, **ANY_ORDER)
    ts, a = [0.0, 0.5, 2.0], 0.75
    _, _, rows = load(text)["fit_value_and_hess"](a, 1.0, 0.25, ts, [1.0, 0.25, -0.5])
    mixed = [sum(2.0 * exp(-t) for t in ts), sum(-2.0 * a * t * exp(-t) for t in ts)]
    assert rows[2].tolist() == pytest.approx([*mixed, 6.0], rel=1e-14)
    assert " = dc_bar_dc + 2.0\n" in text


CLEARED = """
import math

# ad: gradient(x, p)
def f(x: "Vector[n]", p: float) -> float:
    n = len(x)
    w = [math.cos(v) for v in x]
    for i in range(n):
        w[i] = 0.25
    d = [0.0] * n
    for i in range(n - 1):
        d[i] += w[i] - p
    u = list(x)
    for i in range(n):
        u[i] -= d[i] * w[i]
    return sum(u[i] * w[i] for i in range(n))
"""


def test_a_loop_back_that_clears_stays_behind_those_that_add():
    made = load(generate(CLEARED, container="tuple", **ANY_ORDER))["f_grad"]
    assert made([0.5, 0.75, -1.0], 0.5) == ((0.25, 0.25, 0.25), 0.125)


SORTED = """
# ad: gradient(x)
def f(x: "Vector[n]", w: "Vector[n]") -> float:
    y = list(x)
    n = len(y)
    for i in range(n):
        for j in range(n - 1 - i):
            if y[j] > y[j + 1]:
                y[j], y[j + 1] = y[j + 1], y[j]
    return sum(a * b for a, b in zip(w, y))
"""


def test_a_nest_takes_in_no_loop_that_has_nothing_to_do_with_it():
    text = generate(SORTED, **ANY_ORDER)
    assert "    y_bar = w_list.copy()\n    for i, y_test_list in zip(" in text
    assert load(text)["f_grad"]([3.0, 1.0, 2.0], [1.0, 2.0, 4.0]).tolist() == [4, 1, 2]


def test_arms_of_pairs_compute_nothing_twice():
    text = generate(
        """
# ad: gradient(x, p, value=True)
def f(x: "Vector[n]", p: float):
    s = 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            if i != j:
                d = x[i] - x[j]
                s += d * d / (1.0 + p * p + d * d)
    return sum(v * v for v in x) + s
""",
        order="reverse",
    )
    assert text.count(" = x_list[i] - x_list[j]\n") == text.count("if i != j:") == 1
