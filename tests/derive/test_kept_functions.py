"""Functions that stay functions: called, with derivatives of their own."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import ANY_ORDER, LONG, NUMBERS, part
from support import (
    FIRST,
    SECOND,
    corpus,
    exactly,
    flat,
    generate,
    hessian,
    invoke,
    jacobian,
    load,
    load_exact,
    load_generated,
    marked,
    run,
)

from ad_transform.derive.calls.forms import Choice
from ad_transform.ir.count import count
from ad_transform.read.flattening.flatten import Flattener

RECURSIVE = """\
import math

LN = math.log(3.0)


def power(x, n):
    return 1.0 if n == 0 else x * power(x, n - 1)


def even(x, n: int):
    if n == 0:
        return x
    return odd(x * x, n - 1)


def odd(y, n: int):
    if n == 0:
        return -y * LN
    return even(math.sin(y), n - 1)


def pair(p, n):
    if n <= 0:
        return p
    a, b = pair((p[1], p[0] * 0.5), n - 1)
    return a + b, a * b


def whole(n):
    return 1 if n < 2 else n * whole(n - 1)


def product(x, y, n: int):
    return power(x, n) * y + power(2.0, 3) + whole(n)


def mutual(x, y, n: int):
    return even(x * y, n) + y


def pairs(x, y, n: int):
    a, b = pair((x, y), n)
    return a * b


def looped(x, y, n: int):
    s = y
    for k in range(n):
        if s < 3.0:
            s = s + power(x, k)
        else:
            s = s * power(s, 2) + x
    return s


def chosen(x, y, n: int):
    return power(x * y, n) if x < y else 2.0 * power(y, n)
"""
NAMES = ("product", "mutual", "pairs", "looped", "chosen")
KINDS = ("gradient(x, y)", "hessian(x, y)", "jvp(x, y)", "vjp(x, y)", "hvp(x, y)")
POINTS = [{"x": x, "y": 0.9, "n": n} for x in (0.7, 1.3) for n in (0, 1, 4)]


@pytest.mark.parametrize("name", NAMES)
def test_recursion_is_differentiated(name):
    made = load_generated(marked(RECURSIVE, name, *KINDS), container="tuple")
    exact = load_exact(RECURSIVE)[name]
    for at in POINTS:
        (slopes,) = jacobian(exact, at, ("x", "y"))
        curves = hessian(exact, at, ("x", "y"))
        dots = {"x_dot": 0.3, "y_dot": -1.1, f"{name}_bar": 0.7, **at}
        along = [0.3 * a - 1.1 * b for a, b in curves]
        value = float(invoke(exact, exactly(at)))
        tangent = 0.3 * slopes[0] - 1.1 * slopes[1]
        expected = {
            "grad": slopes,
            "hess": flat(curves),
            "jvp": [value, tangent],
            "vjp": [value, *(0.7 * s for s in slopes)],
            "hvp": along,
        }
        for suffix, wanted in expected.items():
            found = flat(invoke(made[f"{name}_{suffix}"], dots))
            assert found == pytest.approx([float(w) for w in wanted], rel=1e-12)


def test_a_recursion_calls_itself_once_a_level():
    text = generate(
        marked(RECURSIVE, "product", "gradient(x)", "hessian(x)"), **ANY_ORDER
    )
    made = load(text)
    calls = []
    inner = made["_power_jac"]
    made["_power_jac"] = lambda x, n: calls.append(n) or inner(x, n)
    made["product_grad"](1.1, 1.0, 30)
    assert calls == list(range(30, -1, -1))


CASES = [case for case in corpus() if case.file == "calls"]


@pytest.mark.parametrize("case", part(CASES, 2), ids=str)
def test_kept_and_written_out_are_the_same(case):
    kinds = FIRST | (SECOND[case.turn % 4] if case.scalar else {})
    source = marked(case.source, case.name, *kinds)
    kept = load(generate(source, inline="never", **NUMBERS))
    out = load(generate(source, inline="always", **NUMBERS))
    for at in case.points:
        dots = {f"{name}_dot": 0.5 + k for k, name in enumerate(case.actives)}
        for kind, suffix in kinds.items():
            if kind == "vjp":
                continue
            name = f"{case.name}_{suffix}"
            ours, theirs = (flat(invoke(m[name], {**at, **dots})) for m in (kept, out))
            assert ours == pytest.approx(theirs, rel=1e-11, abs=1e-13)
            if kind in ("jvp", "jacobian(value=True)"):
                assert ours[0] == theirs[0]


# --- when, and how ------------------------------------------------------------------

STEP = """\
def rhs(x, v, mu):
    return v, mu * (1.0 - x * x) * v - x


def step(x, v, h, mu):
    k1x, k1v = rhs(x, v, mu)
    k2x, k2v = rhs(x + 0.5 * h * k1x, v + 0.5 * h * k1v, mu)
    k3x, k3v = rhs(x + 0.5 * h * k2x, v + 0.5 * h * k2v, mu)
    k4x, k4v = rhs(x + h * k3x, v + h * k3v, mu)
    return (
        x + h / 6.0 * (k1x + 2.0 * k2x + 2.0 * k3x + k4x),
        v + h / 6.0 * (k1v + 2.0 * k2v + 2.0 * k3v + k4v),
    )


# ad: gradient(x, v)
def end(x, v, mu=1.0, h=0.05):
"""


def steps(count):
    return STEP + "    x, v = step(x, v, h, mu)\n" * count + "    return x * x + v\n"


def test_many_calls_of_a_long_function_stay_calls():
    kept = generate(steps(60), **NUMBERS)
    assert kept.count("_step_forth(") == 61 and "rhs(" not in kept
    assert len(kept.splitlines()) < 300


def test_what_is_kept_computes_what_is_written_out():
    ways = "auto", "always"
    kept, out = (generate(steps(9), inline=way, **NUMBERS) for way in ways)
    assert kept.count("_step_back(") == 10 and "_step" not in out
    ours, theirs = load(kept)["end_grad"], load(out)["end_grad"]
    assert ours(1.0, 0.5) == pytest.approx(theirs(1.0, 0.5), rel=1e-13)


def test_what_is_kept_is_not_written_out_to_the_end(monkeypatch):
    made, apply = [], Flattener.apply
    monkeypatch.setattr(
        Flattener, "apply", lambda *args: made.append(args) or apply(*args)
    )
    text = generate(steps(400), **NUMBERS)  # 22,000 operations, written out
    assert text.count("_step_forth(") == 401 and "rhs(" not in text
    assert len(made) < 2_500


def doubled(levels):
    """Functions that call the one below twice, and a loop around the last of them."""
    text = "import math\n\ndef h0(u, v):\n    return u * v + math.sin(u)\n"
    for k in range(1, levels):
        text += f"def h{k}(u, v):\n    if u > 1.0:\n        return h{k - 1}(u * v, v)\n"
        text += f"    return h{k - 1}(math.cos(u), v)\n"
    text += "# ad: gradient(x)\ndef f(x, y, m: int):\n    for _ in range(m):\n"
    return text + f"        y = h{levels - 1}(y, x)\n    return y\n"


def test_functions_inside_one_that_is_called_once_are_kept_early(monkeypatch):
    made, apply = [], Flattener.apply
    monkeypatch.setattr(
        Flattener, "apply", lambda *args: made.append(args) or apply(*args)
    )
    text = generate(doubled(15), **NUMBERS)  # 100,000 operations, written out
    assert len(made) < 50_000 and len(text.splitlines()) < 1_500
    slope, plain = load(text)["f_grad"](0.75, 0.5, 3), load(doubled(15))["f"]
    ends = (plain(0.75 + h, 0.5, 3) for h in (1e-6, -1e-6))
    assert slope == pytest.approx(np.subtract(*ends) / 2e-6, rel=1e-7)


def test_few_calls_are_written_out():
    assert "step" not in generate(steps(3), **ANY_ORDER).partition('"""')[0]


def test_estimates_keep_functions_as_gradients_do():
    source = CUBE.replace("MARK", "gradient, error")
    text = generate(source, inline="never", **ANY_ORDER)
    assert "_cube_jac(" in text and "_cube_linear(" in text.partition("def f_err")[2]
    text = generate(source, inline="auto", **ANY_ORDER)
    assert "cube(" not in text.partition("def f_err")[2]
    kept = generate(marked(RECURSIVE, "pairs", "error"), inline="always", **ANY_ORDER)
    assert "_linear(" in kept


CUBE = """\
def cube(t):
    assert t > 0.0, "negative"
    return t * t * t


# ad: MARK
def f(x, y):
    cube(y)
    return cube(x) + cube(y)
"""


@pytest.mark.parametrize(
    ("mark", "options"),
    [("gradient(inline='never')", {}), ("gradient", {"inline": "never"})],
)
def test_the_option_keeps_what_is_called(mark, options):
    text = generate(CUBE.replace("MARK", mark), **options)
    assert text.count("def _cube_jac(") == 1 and text.count("_cube_jac(") == 3
    assert load(text)["f_grad"](1.0, 2.0) == (3.0, 12.0)


def test_what_a_function_checks_is_checked_whatever_is_needed():
    text = generate(CUBE.replace("MARK", "gradient(x)"), inline="never", **ANY_ORDER)
    made = load(text)["f_grad"]
    assert made(1.0, 2.0) == 3.0
    with pytest.raises(AssertionError, match="negative"):
        made(1.0, -1.0)


def test_functions_of_several_marks_are_printed_once():
    source = CUBE.replace("MARK", "gradient, jvp, hessian, gradient(x, name='g')")
    text = generate(source, inline="never", **ANY_ORDER)
    for name in ("_cube_jac", "_cube_hess"):
        assert text.count(f"def {name}(") == 1


def test_names_of_functions_that_are_kept_are_free():
    source = CUBE.replace("MARK", "gradient") + "\n\n_cube_jac = 1.0\n"
    text = generate(source, inline="never", **ANY_ORDER)
    assert "def _cube_2_jac(" in text


def test_constants_and_functions_may_be_passed():
    source = (
        "import math\n\nLN = math.log(3.0)\nK = (1.0, math.exp(2.0))\n\n\n"
        "def twice(g, t, k=LN):\n    return g(g(t)) * k + K[1]\n\n\n"
        "# ad: gradient\ndef f(x, y):\n    return twice(math.sin, x) + twice(h, y, x)\n"
        "\n\ndef h(t):\n    return t * t\n"
    )
    ours = load_generated(source, inline="never")["f_grad"](0.7, 1.2)
    theirs = load_generated(source, inline="always")["f_grad"](0.7, 1.2)
    assert ours == pytest.approx(theirs, rel=1e-14)


@pytest.mark.parametrize(
    "body",
    [
        "return f(x) * x",  # never ends
        "return g(x, 3)\n\n\ndef g(x, n):\n    return lambda: g(x, n - 1)",
    ],
)
def test_recursion_that_cannot_be_kept_is_refused(body):
    found = run(f"# ad: gradient\ndef f(x):\n    {body}\n").diagnostics
    assert found and {d.code for d in found} <= {"AD120", "AD105", "AD107"}


def test_conventions_of_functions_that_are_kept_are_told():
    source = (
        "def size(t, n: int):\n    return abs(t) if n else 2.0\n\n\n"
        "# ad: gradient(x)\ndef f(x, n: int = 1):\n    return size(x, n) * x\n"
    )
    text = generate(source, inline="never", **ANY_ORDER)
    assert "abs'(0) = 0" in text and "the taken arm" in text.replace("The", "the")
    assert load(text)["f_grad"](-2.0) == 4.0


def test_an_independent_that_a_function_ignores_is_idle():
    source = (
        "def first(s, t):\n    return s * s\n\n\n"
        "# ad: gradient\ndef f(x, y):\n    return first(x, y)\n"
    )
    result = run(source, inline="never")
    assert [d.code for d in result.diagnostics] == ["AD030"]
    assert load(result.text)["f_grad"](3.0, 1.0) == (6.0, 0.0)


# --- partials once, or an adjoint ---------------------------------------------------


def test_a_jacobian_is_accumulated_once_and_multiplied_in():
    derived = run(steps(60), effort=0, target="c").derived[0]
    (jac,) = derived.before
    assert derived.forms == {"_step": ["partials"]}
    assert (derived.counts.total, count(jac).total) == (419, 112)


SPRINGS = """\
def pull(x, y, z, k):
    return k * ((y - x) + (z - x)) - 0.1 * x * x * x


def step(x, y, u, v, k, h):
    u, v = u + h * pull(x, 0.0, y, k), v + h * pull(y, x, 0.0, k)
    x, y = x + h * u, y + h * v
    u, v = u + h * pull(x, 0.0, y, k), v + h * pull(y, x, 0.0, k)
    return x, y, u, v


def end(x, y, u, k, n: int):
    v = 0.5
    for _ in range(n):
        x, y, u, v = step(x, y, u, v, k, 0.1)
    return x * x + v
"""


def test_many_values_of_many_arguments_have_a_record():
    source = marked(SPRINGS, "end", "gradient")
    derived = run(source, inline="never", **ANY_ORDER).derived[0]
    assert derived.forms == {"_pull": ["partials"], "_step": ["record"]}


def test_tangents_and_compiled_functions_take_no_record():
    compiled = {"target": "c", "effort": 0}
    for kind, options in (("jvp", ANY_ORDER), ("gradient", compiled)):
        source = marked(SPRINGS, "end", kind)
        derived = run(source, inline="never", **options).derived[0]
        assert "record" not in {form for own in derived.forms.values() for form in own}


def test_what_is_swept_computes_what_is_written_out():
    kinds = "jvp", "vjp", "hvp", *["hessian", "gradient(value=True)"] * LONG
    source, at = marked(SPRINGS, "end", *kinds), (0.7, -0.4, 0.3, 1.2)
    kept = load(generate(source, inline="never", **NUMBERS))
    out = load(generate(source, inline="always", **NUMBERS))
    dots = (0.3, -1.0, 0.5, 2.0)
    calls = {"hess": (), "jvp": dots, "vjp": (0.7,), "hvp": dots, "value_and_grad": ()}
    for suffix, seeds in calls.items():
        if f"end_{suffix}" not in kept:
            continue
        ours, theirs = (made[f"end_{suffix}"](*at, *seeds, 3) for made in (kept, out))
        assert flat(list(ours)) == pytest.approx(flat(list(theirs)), rel=1e-11), suffix


THRICE = """\
def turn(x, y):
    return x * y - y, x + y * y


# ad: gradient(x, y)
def f(x: float, y: float):
    x, y = turn(x, y)
    x, y = turn(x, y)
    x, y = turn(x, y)
    return x * y
"""


def test_calls_that_are_alike_are_weighed_up_once(monkeypatch):
    weighed, weigh = [], Choice._is_dearer

    def spy(choice, call, *how):
        weighed.append(call.callee)
        return weigh(choice, call, *how)

    monkeypatch.setattr(Choice, "_is_dearer", spy)
    generate(THRICE, inline="never", **ANY_ORDER)
    assert weighed == ["_turn"]


WITHIN_REACH = """\
import math


def near(x: float, k: float, n: int) -> float:
    s = 0.0
    for i in range(n):
        d = x - 0.5 * i
        if d < 0.0:
            continue
        s += math.exp(-k * d) * d
    return s


# ad: gradient(k, b, inline="never")
def f(k: float, b: float, m: int) -> float:
    total = 0.0
    for i in range(m):
        total += near(i * b, k, 7) ** 2
    return total
"""


def test_what_is_called_has_the_form_of_what_calls_it():
    text = generate(WITHIN_REACH, **ANY_ORDER)
    helper = text[text.index("def _near_jac") : text.index("def f_grad")]
    assert helper.count("for ") == 1 and ".append(" not in helper
    assert "            continue\n" in helper
    made, plain = load(text)["f_grad"], load(WITHIN_REACH)["f"]
    h = 1e-5
    wanted = [
        (plain(0.5 + h, 0.6875, 5) - plain(0.5 - h, 0.6875, 5)) / (2 * h),
        (plain(0.5, 0.6875 + h, 5) - plain(0.5, 0.6875 - h, 5)) / (2 * h),
    ]
    assert made(0.5, 0.6875, 5) == pytest.approx(wanted, rel=1e-7)


ASKED = """
class Part:
    def __init__(self, cost):
        self.cost = cost

    def __lt__(self, other):
        return self.cost < other.cost


# ad: {kind}(a, value=True)
def f(a: float, k: int):
    one, other = Part(a * a), Part(a * k)
    return one.cost if one < other else other.cost * a
"""


@pytest.mark.parametrize("kind", ["gradient", "hessian"])
@pytest.mark.parametrize("k", [0, 3])
def test_a_function_that_is_asked_has_no_derivative(kind: str, k: int) -> None:
    """What it tells is no real number: its graph was an internal error."""
    source = ASKED.format(kind=kind)
    made = load(generate(source, inline="never", order="reverse", effort=0))
    name = {"gradient": "f_value_and_grad", "hessian": "f_value_and_hess"}[kind]
    assert made[name](0.7, k)[0] == load(source)["f"](0.7, k)
    slope = flat(made[name](0.7, k)[1])[0]
    assert slope == pytest.approx(1.4 if k else 0.0)


def test_a_list_of_a_list_that_is_given_is_no_other_list() -> None:
    """A dict was asked for its lists by a function that made them anew."""
    source = """
# ad: gradient(a)
def f(a: float, k: int):
    d = {i: [a] for i in range(k + 1)}
    e = [d[i] for i in range(k + 1)]
    e[0][0] = a * 2.0
    return sum(d[0]) * a
"""
    found = run(source, inline="never", order="reverse", effort=0)
    assert [one.code for one in found.diagnostics] == ["AD124"]
