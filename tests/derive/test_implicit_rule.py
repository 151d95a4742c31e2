"""`# ad: implicit(residual=g)`: derivatives of the equation, not of the trips."""

from __future__ import annotations

import math

import black
import pytest
from amounts import ANY_ORDER, search
from support import flat, generate, load, load_generated, run

KEPLER = """\
import math

def equation(E, e, M):
    return E - e * math.sin(E) - M

# ad: gradient(e, M), hessian(e, M), jvp(e, M), vjp(e, M)
def f(e, M):
    E = M
    trips, step = 0, 1.0
    # ad: implicit(residual=equation)
    while abs(E - e * math.sin(E) - M) > 1e-14:
        step = (E - e * math.sin(E) - M) / (1.0 - e * math.cos(E))
        E = E - step
        trips += 1
    return E * E * M + 0.0 * trips
"""

TWO = """\
import math

def both(x, y, a, b):
    return x * x + y * y - a, x * y - b

# ad: gradient(a, b), hessian(a, b), jvp(a, b)
def f(a, b):
    x = math.sqrt(a)
    y = 0.1 * x
    # ad: implicit(residual=both)
    for _ in range(50):
        f, g = both(x, y, a, b)
        det = 2.0 * (x * x - y * y)
        dx = (f * x - g * 2.0 * y) / det
        dy = (2.0 * x * g - y * f) / det
        x -= dx
        y -= dy
        if abs(dx) + abs(dy) < 1e-14:
            break
    else:
        raise RuntimeError("no convergence")
    return x * math.exp(y)
"""

HELPER = """\
def g(x, p, q):
    return x * x * x + p * x - q

# ad: implicit(residual=g)
def cubic(p, q):
    x = q
    while True:
        dx = (x * x * x + p * x - q) / (3.0 * x * x + p)
        x = x - dx
        if abs(dx) < 1e-14:
            return x

# ad: gradient(p, q), hessian(p, q)
def f(p, q):
    total = 0.0
    for k in range(2):
        if p > k:
            total += cubic(p + k, q) * cubic(q, p)
    return total
"""

IN_A_LOOP = """\
import math

def g(y_new, y, h, k):
    return y_new - y + h * k * y_new * y_new

# ad: gradient(y, k), hvp(y, k), jvp(y, k)
def f(y, k, n: int):
    h = 0.1
    for i in range(n):
        y_new = y
        # ad: implicit(residual=g)
        while abs(y_new - y + h * k * y_new**2) > 1e-15:
            y_new -= (y_new - y + h * k * y_new**2) / (1.0 + 2.0 * h * k * y_new)
        y = y_new
    return math.sin(y)
"""


IN_ARMS = """\
import math

def g(x, p):
    if p > 0.5:
        return x * x - p
    return x * x * x - p

def solve(p):
    x = 1.0
    # ad: implicit(residual=g)
    for _ in range(60):
        if p > 0.5:
            x = 0.5 * (x + p / x)
        else:
            x = (2.0 * x + p / (x * x)) / 3.0
    return x

# ad: gradient(a, b), jvp(a, b), hessian(a, b)
def f(a, b, n: int):
    t = a
    # ad: checkpoint(snapshots=2)
    for _ in range(n):
        if t > b:
            t = solve(t) + 0.3 * b
        else:
            t = t + math.sin(a) * solve(b)
    return t * t
"""


def system(count: int) -> str:
    """Jacobi's iteration of a slightly nonlinear system of so many equations."""
    xs = [f"x{k}" for k in range(count)]
    pairs = list(zip(xs, [*xs[1:], xs[0]], strict=True))
    lines = [f"{x} * 4.0 + {y} * {x} * b - a - {k}.0" for k, (x, y) in enumerate(pairs)]
    steps = [f"{x} - 0.2 * ({line})" for x, line in zip(xs, lines, strict=True)]
    starts = ", ".join(["0.3"] * count)
    return f"""\
def g({", ".join(xs)}, a, b):
    return [{", ".join(lines)}]

# ad: gradient(a, b), hessian(a, b), jvp(a, b)
def f(a, b):
    {", ".join(xs)} = {starts}
    # ad: implicit(residual=g)
    for _ in range(200):
        {", ".join(xs)} = {", ".join(steps)}
    return {" + ".join(f"{k + 1}.0 * {x} * {x}" for k, x in enumerate(xs))}
"""


CASES = {
    "kepler": (KEPLER, (0.3, 1.2)),
    "two": (TWO, (5.0, 0.7)),
    "helper": (HELPER, (1.7, 2.3)),
    "loop": (IN_A_LOOP, (0.8, 1.3, 4)),
    "arms": (IN_ARMS, (0.4, 0.45, 5)),
    "system 3": (system(3), (0.4, 0.2)),
    "system 4": (system(4), (0.4, 0.2)),
    "system 6": (system(6), (0.4, 0.2)),
}


def slope(function, point, k, h=1e-3):
    """The derivative by argument k, of order h^6."""
    rows = []
    for step, weight in ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60)):
        ends = []
        for sign in (1, -1):
            moved = list(point)
            moved[k] += sign * step * h
            ends.append(flat(function(*moved)))
        rows.append([weight / h * (a - b) for a, b in zip(*ends, strict=True)])
    return [sum(column) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize("name", CASES)
def test_all_kinds_agree_with_differences(name):
    source, point = CASES[name]
    text = generate(source, **search(source))
    assert black.format_str(text, mode=black.Mode()) == text
    made, plain = load(text), load(source)
    want = [slope(plain["f"], point, k)[0] for k in range(2)]
    assert flat(made["f_grad"](*point)) == pytest.approx(want, rel=1e-8)
    if "f_hess" in made:
        rows = [slope(made["f_grad"], point, k) for k in range(2)]
        assert made["f_hess"](*point).tolist() == [
            pytest.approx(row, rel=1e-7, abs=1e-9) for row in rows
        ]
    if "f_jvp" in made:
        value, tangent = made["f_jvp"](*point[:2], 0.3, -0.7, *point[2:])
        assert value == plain["f"](*point)
        assert tangent == pytest.approx(0.3 * want[0] - 0.7 * want[1], rel=1e-8)
    if "f_hvp" in made:
        product = flat(made["f_hvp"](*point[:2], 0.3, -0.7, *point[2:]))
        rows = [slope(made["f_grad"], point, k) for k in range(2)]
        rows = [[0.3 * a - 0.7 * b for a, b in zip(*rows, strict=True)]]
        assert product == pytest.approx(rows[0], rel=1e-7)


def test_the_trips_are_not_differentiated():
    text = generate(KEPLER, **ANY_ORDER)
    gradient = text.partition("def f_grad")[2].partition("\n\n\n")[0]
    assert "append" not in gradient
    assert gradient.count("while") == 1
    assert "has the derivatives of the equation" in gradient


def test_a_decorator_says_the_same():
    source = HELPER.replace("# ad: implicit(residual=g)", "@ad.implicit(residual=g)")
    source = f"import ad_transform as ad\n\n{source}"
    texts = [generate(s, **ANY_ORDER) for s in (source, HELPER)]
    body = [t.partition("\n\ndef")[2] for t in texts]
    assert body[0] == body[1]


def test_a_marked_function_may_be_implicit():
    source = HELPER.replace("# ad: implicit", "# ad: gradient(q), implicit")
    slope_of = load_generated(source)["cubic_grad"]
    x = load(source)["cubic"](1.5, 2.0)
    assert slope_of(1.5, 2.0) == pytest.approx(1.0 / (3.0 * x * x + 1.5), rel=1e-14)


REFUSED = [
    ("residual=equation)", "residual=kepler)", "AD103", "'kepler'"),
    ("residual=equation)", "residual=math)", "AD113", "the residual 'math' is"),
    ("residual=equation)", "residual=3)", "AD020", "is not the name of a function"),
    ("(E, e, M):\n    return E", "(x, e, M):\n    E = x\n    return E", "AD113",
     "the loop computes none of x, e, M"),
    ("(E, e, M):", "(E, e, M, z):", "AD113", "takes 'z'"),
    ("(E, e, M):", "(E, step, e, M):", "AD113", "gives 1 value for 2 unknowns"),
    ("- M\n\n#", "- M, E\n\n#", "AD113", "gives 2 values for 1 unknown: E"),
    ("- M\n\n#", "- M > 0\n\n#", "AD113", "gives a bool for 1 unknown: E"),
    ("return E * E", "return step * E", "AD113", "'step' is read behind"),
    ("(E, e, M):", "(trips, e, M):\n    E = trips", "AD113",
     "'trips', an unknown of 'equation', is no float"),
    ("        trips += 1\n", "        if trips > 9:\n            return E\n", "AD101",
     "a `return` inside"),
    ("# ad: gradient(e, M), hessian(e, M), jvp(e, M), vjp(e, M)",
     '# ad: error(model="enclosure")',
     "AD031", "what solves an equation"),
    ("    # ad: implicit", "    # ad: checkpoint(snapshots=3)\n    # ad: implicit",
     "AD020", "either checkpointed or implicit"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "code", "message"), REFUSED)
def test_what_does_not_fit_is_refused(old, new, code, message):
    assert old in KEPLER
    found = run(KEPLER.replace(old, new)).diagnostics
    errors = [d for d in found if d.severity == "error"]
    assert [d.code for d in errors][:1] == [code], found
    assert message in errors[0].message
    assert errors[0].help
    assert len({d.message for d in errors}) == 1


def test_a_function_needs_a_residual_of_its_result_and_parameters():
    source = HELPER.replace("def g(x, p, q)", "def g(x, p)").replace("- q", "- 1.0")
    assert not [d for d in run(source).diagnostics if d.severity == "error"]
    source = HELPER.replace("def g(x, p, q)", "def g(x, u, v, w)").replace(
        "+ p * x - q", "- 1.0"
    )
    found = {d.message for d in run(source).diagnostics if d.severity == "error"}
    assert ["takes 4 arguments" in message for message in found] == [True]


def test_the_value_is_that_of_the_loop():
    made, plain = load_generated(KEPLER), load(KEPLER)
    for e in (0.0, 0.3, 0.9):
        value, _ = made["f_vjp"](e, 1.2, 1.0)
        assert math.copysign(1.0, value) * value == plain["f"](e, 1.2)


ARRAYS = """\
import numpy as np

def g(x, p, q):
    return x + 0.3 * x ** 3 * p - q

# ad: gradient(p, q), jvp(p, q), hessian(p, q)
def f(u: "Vector[n]", p: float, q: float):
    x, v = q, {start}
    # ad: implicit(residual=g)
    for k in range(60):
        {change}
        x = x - g(x, p, q) / (1.0 + 0.9 * x * x * p)
    return {result}
"""


@pytest.mark.parametrize(
    ("start", "change", "read"),
    [
        ("u", "v = u * x", "v[0]"),
        ("u * p", "v[1:] = x", "v[1]"),
        ("u * p", "v.sort()", "v[0]"),
        ("u.copy()", "v[0] = x * p", "v[0]"),
        ("[p]", "v.append(x)", "v[-1]"),
        ("[p, q]", "v[0] = x * p", "v[0]"),
        ('{"a": p}', 'v["a"] = x', 'v["a"]'),
        ("[p, q]", "v = [x, p]", "v[0]"),
        ("u", "v = np.zeros(len(u))", "v[0]"),
    ],
)
def test_arrays_that_a_loop_changes_are_not_read_behind_it(start, change, read):
    """They had no derivative, or were an internal error."""
    text = ARRAYS.replace("{start}", start).replace("{change}", change)
    found = run(text.replace("{result}", f"x + {read}"), **ANY_ORDER).diagnostics
    assert {(d.code, d.message[:16]) for d in found} == {("AD113", "'v' is read behi")}
    assert not run(text.replace("{result}", "x * x"), **ANY_ORDER).diagnostics


DEFAULTS = """\
def g(x, p=2.0, scale=1.0):
    return x * x - scale * p

# ad: implicit(residual=g)
def named(p):
    x = 1.0
    for _ in range(40):
        x = 0.5 * (x + p / x)
    return x

def h(x, c=2.0):
    return x * x - c

# ad: implicit(residual=h)
def placed(p):
    x = 1.0
    for _ in range(40):
        x = 0.5 * (x + p / x)
    return x

# ad: gradient
def at_loop(p: float):
    x = 1.0
    # ad: implicit(residual=g)
    for _ in range(40):
        x = 0.5 * (x + p / x)
    return x

# ad: gradient
def by_name(p: float):
    return named(p)

# ad: gradient
def by_place(p: float):
    return placed(p)
"""


@pytest.mark.parametrize("name", ["at_loop", "by_name", "by_place"])
def test_variables_stand_before_the_defaults_of_a_residual(name: str) -> None:
    made = load_generated(DEFAULTS)
    assert made[f"{name}_grad"](3.0) == pytest.approx(0.5 / math.sqrt(3.0), rel=1e-14)


def test_defaults_alone_are_not_what_a_function_solves() -> None:
    text = DEFAULTS.replace("def placed(p)", "def placed(p, most)")
    result = run(text.replace("return placed(p)", "return placed(p, 40)"))
    assert [d.code for d in result.diagnostics] == ["AD113"]
