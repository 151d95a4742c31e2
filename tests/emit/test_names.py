"""Names: the user's win, and nothing is hidden that is used."""

from __future__ import annotations

import re

import pytest
from amounts import ANY_ORDER, NUMBERS
from hand import Hand, body_of, text_of, values
from support import generate, jacobian, load, load_exact, load_generated

from ad_transform.emit.schedule.homes import Homes
from ad_transform.ir.nodes import LEAF, Function, Literal, Origin, Parameter, Var, group
from ad_transform.ir.types import FLOAT

PAIR = group((LEAF, LEAF))


def run(text: str, *args: float):
    namespace: dict[str, object] = {}
    exec(text, namespace)
    return namespace["f"](*args)


@pytest.mark.parametrize("names", ["sin x", "math sin", "abs x", "_abs abs", "np sin"])
def test_parameters_hide_functions_and_keep_their_names(names):
    params = values(names)
    h = Hand(params)
    v = h.add(h.abs(h.sin(params[1])), params[0])
    text = text_of(h.function(v))
    assert f"def f({', '.join(f'{n}: float' for n in names.split())})" in text
    assert run(text, 0.5, -1.0) == pytest.approx(0.5 + 0.8414709848078965)


def test_only_the_hidden_function_is_reached_through_its_module():
    x, sin = values("x sin")
    h = Hand((x, sin))
    text = text_of(h.function(h.mul(h.sin(x), h.cos(sin))))
    assert text.startswith("import math\nfrom math import cos\n")
    assert "return math.sin(x) * cos(sin)" in text


def test_local_of_the_user_gives_way_to_a_builtin_only():
    (x,) = values("x")
    h = Hand((x,))
    own = h.sin(x, name="abs")
    cos = h.abs(own, name="cos")
    text = text_of(h.function(h.mul(cos, h.cos(cos))))
    assert "abs_2 = sin(x)" in text
    assert "cos = abs(abs_2)" in text
    assert "math.cos(cos)" in text


def test_name_bound_again_is_used_again_when_the_old_value_is_dead():
    (x,) = values("x")
    h = Hand((x,))
    first = h.mul(x, 2.0, name="s")
    second = h.add(h.mul(first, first), 1.0, name="s")
    assert body_of(h.function(h.mul(second, second))) == (
        "s = x * 2.0\ns = s * s + 1.0\nreturn s * s"
    )
    third = h.mul(second, first, name="s")
    assert "s_2 = s * s + 1.0" in body_of(h.function(h.mul(third, second)))


def test_parts_leave_their_names_to_the_user():
    x, y = values("x sin_x")
    h = Hand((x, y))
    s = h.sin(x)
    assert body_of(h.function(h.mul(s, s))) == (
        "sin_x_2 = sin(x)\nreturn sin_x_2 * sin_x_2"
    )
    x, y = values("x s_sin")
    h = Hand((x, y))
    part = h.sin(h.mul(x, y))
    user = h.mul(h.mul(part, part), h.cos(y), name="s")
    assert "s_sin_2 = sin(x * s_sin)" in body_of(h.function(h.mul(user, user)))


def test_hints_give_way_to_names_of_the_user():
    (x,) = values("x")
    h = Hand((x,))
    mine = h.sin(x, hint="x_bar")
    users = h.mul(mine, mine, name="x_bar")
    lines = body_of(h.function(h.mul(users, users))).splitlines()
    assert lines[:2] == ["x_bar_2 = sin(x)", "x_bar = x_bar_2 * x_bar_2"]


def test_dead_names_are_used_again_in_large_functions():
    (x,) = values("x")
    h = Hand((x,))
    v = x
    for _ in range(1000):
        v = h.sin(v)
        v = h.mul(v, v)
    text = text_of(h.function(v))
    assert "t2" not in text
    compile(text, "<text>", "exec")


def test_constant_of_the_module_hides_a_function():
    (x,) = values("x")
    h = Hand((x,))
    gamma = Literal(1.4, "gamma", Origin.MODULE)
    text = text_of(h.function(h.mul(h.gamma(x), gamma)), {"gamma": "1.4"})
    assert "return math.gamma(x) * gamma" in text
    assert run(text, 3.0) == 2.0 * 1.4


def test_constant_that_a_parameter_hides_is_printed_as_a_number():
    x, k = values("x k")
    h = Hand((x, k))
    outer = Literal(2.5, "k", Origin.MODULE)
    assert "return x * 2.5 + k" in text_of(
        h.function(h.add(h.mul(x, outer), k)), {"k": "2.5"}
    )


def test_structured_parameter_is_unpacked_once():
    x, a, b = values("x a_bar b_bar")
    h = Hand((x, a, b))
    function = h.function(h.mul(x, b))
    seed = Parameter("f_bar", (a, b), PAIR)
    function = Function(
        "f", (function.parameters[0], seed), function.block, function.nest
    )
    assert text_of(function) == (
        "def f(x: float, f_bar: tuple[float, float]) -> float:\n"
        '    """Doc."""\n'
        "    _, b_bar = f_bar\n"
        "    return x * b_bar\n"
    )


def test_values_without_hint_of_a_structured_parameter_are_numbered():
    x, a, b = (*values("x"), Var(FLOAT), Var(FLOAT))
    h = Hand((x, a, b))
    block = h.function(h.mul(a, b)).block
    seed = Parameter("f_bar", (a, b), PAIR)
    text = text_of(Function("f", (Parameter("x", (x,)), seed), block, LEAF))
    assert "    f_bar_1, f_bar_2 = f_bar\n    return f_bar_1 * f_bar_2\n" in text


@pytest.mark.parametrize("name", ["gamma", "abs", "math"])
def test_constant_of_the_function_hides_a_function(name):
    (x,) = values("x")
    h = Hand((x,))
    v = h.mul(h.abs(h.gamma(x)), Literal(1.5, name, Origin.LOCAL))
    assert run(text_of(h.function(v)), 3.0) == 3.0


def test_an_index_that_begins_with_a_number_is_called_otherwise():
    text = generate(INDICES, **ANY_ORDER)
    assert "i_minus_1 = i - 1" in text
    assert "1_plus" not in text


INDICES = """\
# ad: gradient(x)
def f(x: "Vector[n]"):
    total = 0.0
    for i in range(1, len(x) - 1):
        total += x[i - 1] * x[1 + i] * x[i - 1] * x[1 + i]
    return total
"""


EARLY = """
from math import sin, tanh

# ad: taylor(t, degree=1)
def f(t, k, n: int):
    a = sin(t * k)
    if t > 0.2:
        return tanh(a)
    for i in range(n):
        a *= t
    return tanh(a + k)
"""


def test_an_arm_that_returns_binds_no_name_that_it_reads(monkeypatch):
    monkeypatch.setattr(
        "ad_transform.emit.python.composer.PythonComposer.most_names", 0
    )
    made, f = load_generated(EARLY)["f_taylor"], load(EARLY)["f"]
    slope = (f(0.500001, 1.3, 3) - f(0.499999, 1.3, 3)) / 2e-6
    assert made(0.5, 1.3, 3)[1] == pytest.approx(slope, rel=1e-8)


def test_a_start_is_no_constant_where_its_name_goes_on():
    source = (
        "c = 3.0\n    s = 0.0  # all\n    for i in range(3):\n        s += c * x**i\n"
    )
    text = generate(
        f"# ad: gradient(value=True)\ndef f(x):\n    {source}    return s\n",
        **ANY_ORDER,
    )
    assert "    c = 3.0\n" in text and "    s = 0.0 + " in text


def test_rows_of_a_list_that_grows_are_called_after_it_and_are_as_many_in_each_place():
    text = generate(ROWS, **ANY_ORDER)
    assert "rows_0.append(" in text and "rows_1_bar = " in text
    assert "lengths differ" not in text


def test_the_last_item_is_taken_and_removed_at_once():
    text = generate(
        ROWS.replace("for i in range(n)", "while len(rows) < n"), **ANY_ORDER
    )
    assert "rows_1_bar.pop()\n" in text and "rows_0_bar.pop()\n" in text
    assert "[-1]" not in text


def test_items_of_trips_are_read_at_their_index():
    text = generate(ROWS, **ANY_ORDER)
    assert "rows_0_bar[i] + 2.0 * rows_1_bar[i]" in text
    assert "pop()" not in text


ROWS = """\
import numpy as np
# ad: vjp
def f(x: float, n: int):
    rows = []
    for i in range(n):
        x = 0.5 * x * x
        rows.append([x, 2.0 * x])
    return np.array(rows)
"""


def test_arrays_are_called_after_what_they_are_to_a_reader():
    text = generate(STORED, **ANY_ORDER)
    for word in (" q[0] = 3.0", " q_bar[0] = 0.0", "w_bar_part", "q_part", "x_part"):
        assert word in text
    for operation in ("adopted", "beside", "cut_from", "own", "new_", "zeros_x"):
        assert operation not in text


STORED = """\
import numpy as np
# ad: gradient
def f(x: "Vector[n]"):
    q = x * 2.0
    q[0] = 3.0
    w = np.zeros_like(x)
    w[1:] = q[:-1] * x[1:]
    return np.sum(w * w)
"""


INNER_LOOPS = """
# ad: gradient
def f(x: "Vector[n]", k: int):
    s = 0.0
    for t in range(k):
        for i in range(len(x)):
            a = x[i] * s
            s = s + a * a
        for i in range(len(x)):
            a = x[i] + s
            s = s + a / (1.0 + a * a)
    return s
"""


def test_loops_inside_one_trip_share_the_names_of_their_own_values() -> None:
    text = generate(INNER_LOOPS, **ANY_ORDER)
    assert " a = " in text and "a_2 = " not in text and " i_2 in " not in text


HELD = """
import numpy as np

# ad: gradient
def f(u: "Vector[n]", k: float, steps: int):
    # ad: checkpoint(snapshots=3)
    for _ in range(steps):
        u = u + k * np.sin(u)
    return np.sum(u)
"""


def test_an_index_without_a_name_that_is_read_is_called_a_trip() -> None:
    text = generate(HELD, **ANY_ORDER)
    assert "for trip in range(steps):\n        if trip in stops:" in text
    assert "for trip in reversed(range(steps)):" in text
    assert "for _ in range(place, stop):" in text and "_2 in range" not in text


LORENZ = """
# ad: gradient(x, y)
def f(x: float, y: float, n: int, dt: float):
    p, q = x, y
    for _ in range(n):
        p, q = p + dt * (q - p * p), q - dt * p * q
    {behind}
    return p * q
"""


def test_a_loop_back_has_the_names_of_the_loop_forth() -> None:
    text = generate(LORENZ.format(behind="q = q + 1.0"), **ANY_ORDER)
    assert "for q, p in zip(reversed(q_list), reversed(p_list)):" in text
    x_bar, y_bar = load(text)["f_grad"](0.5, 0.7, 4, 0.1)
    exact = load_exact(LORENZ.format(behind="q = q + 1.0"))["f"]
    point = {"x": 0.5, "y": 0.7, "n": 4, "dt": 0.1}
    (expected,) = jacobian(exact, point, ("x", "y"))
    assert (x_bar, y_bar) == pytest.approx(tuple(map(float, expected)), rel=1e-13)


def test_the_name_of_a_value_that_is_read_behind_the_loop_back_is_not_taken() -> None:
    text = generate(
        LORENZ.replace("gradient", "vjp").format(behind="q = q + p"), **ANY_ORDER
    )
    (targets,) = re.findall(r"for (.*) in zip", text)
    value, _ = load(text)["f_vjp"](0.5, 0.7, 1.0, 4, 0.1)
    source = LORENZ.format(behind="q = q + p")
    assert value == load(source)["f"](0.5, 0.7, 4, 0.1)
    returned = text.rpartition("return ")[2].partition(", (")[0]
    assert not set(re.findall(r"\w+", targets)) & set(re.findall(r"\w+", returned))


STEPS = """
# ad: gradient(rate, end)
def f(rate: float, y: float, end: float):
    t, h = 0.0, 0.3
    while True:
        if t >= end:
            break
        h = min(h, end - t)
        error = abs(h * h * rate * y)
        if error > 1e-2:
            h *= 0.5
            continue
        y += h * rate * y
        t += h
        if error < 1e-3:
            h *= 2.0
    return y
"""


def test_a_value_of_the_loop_forth_has_no_name_of_what_that_hands_on() -> None:
    point = {"rate": 0.9, "y": 0.2, "end": 2.0}
    made = load_generated(STEPS)["f_grad"](**point)
    (expected,) = jacobian(load_exact(STEPS)["f"], point, ("rate", "end"))
    assert made == pytest.approx(tuple(map(float, expected)), rel=1e-12)


def test_what_stands_around_a_body_is_not_hidden_by_a_local() -> None:
    source = """
# ad: gradient(value=True)
def f(a: float, x: "Vector[n]") -> float:
    float = 0.0
    for len in x:
        float = float * len + a
    return float * a
"""
    value, (slope, adjoint) = load_generated(source)["f_value_and_grad"](
        0.5, [2.0, 3.0]
    )
    assert (value, slope, adjoint.tolist()) == (1.0, 4.0, [0.0, 0.25])


@pytest.mark.parametrize("target", ["c", "fortran"])
def test_a_value_that_is_called_as_nobody_is_declared(target: str) -> None:
    source = """
# ad: gradient
def f(a: float, module: int) -> float:
    _ = a * module
    function = _ * _
    for _ in range(3):
        function = function * a
    return function * _
"""
    text = generate(source, target=target, **NUMBERS)
    assert not re.search(r"\b_\b", text)
    assert target == "c" or "module_2" in text


def test_a_parameter_called_as_a_type_is_no_type_of_the_results() -> None:
    source = """
import numpy as np


# ad: jacobian
def f(float: float, int: int):
    y = np.zeros(4)
    y[int] = float * float
    return y[1:]
"""
    made = load_generated(source)["f_jac"](3.0, 2)
    assert made.tolist() == [[0.0], [6.0], [0.0]]


def test_a_function_of_a_number_is_called_after_it():
    text = generate(
        """
import math


# ad: hvp
def f(x, y):
    return math.exp(x * math.log(0.5)) + 10.0**y * x
""",
        **ANY_ORDER,
    )
    assert "log_10 = log(10.0)" in text and "log_0_5 = log(0.5)" in text


def test_arguments_of_a_long_call_stand_on_one_line():
    text = generate(
        """
import math


# ad: gradient(decay_of_level)
def f(y: "Vector[n]", decay_of_level: float):
    level, trend, total = y[0], y[1], 0.0
    for i in range(1, len(y)):
        forecast = math.sin(level + trend)
        level = decay_of_level * y[i] + (1.0 - decay_of_level) * forecast
        trend = decay_of_level * trend + (1.0 - decay_of_level) * level * forecast
        total += (y[i] - forecast * level) ** 2
    return total
""",
        **ANY_ORDER,
    )
    assert "reversed(range(1, y_size)), reversed(saved)\n    ):\n" in text


def test_parts_of_whole_arrays_are_called_in_plain_words():
    text = generate(
        """
import numpy as np


# ad: gradient(A, value=True), hessian(theta, name="curved")
def f(A: "Matrix[n, n]", theta: float):
    L = np.linalg.cholesky(A)
    return np.sum(np.log(np.diag(L))) * np.sum(np.exp(theta * A)) / np.max(A)
""",
        **ANY_ORDER,
    )
    names = re.findall(r"^    (\w+)(?:: [^=]*)? = ", text, re.MULTILINE)
    assert any(name.startswith("solved_") for name in names)
    assert any(name.endswith("_sum") for name in names)
    assert not any("_all" in name or "all_" in name for name in names)


def test_what_is_tied_is_called_so():
    source = (
        '# ad: gradient\ndef f(x: "Vector[n]"):\n    m = max(x)\n    return m * m\n'
    )
    text = generate(source, **ANY_ORDER)
    assert "tied_bar = " in text and "total" not in text
    assert load(text)["f_grad"]([1.0, 3.0, 3.0]).tolist() == [0.0, 3.0, 3.0]


@pytest.mark.parametrize("names", ["tuple map", "map tuple"])
def test_what_takes_lists_apart_and_makes_tuples_is_not_hidden(names):
    """`tuple(x_bar)` called a parameter, `list(map(float, x))` a value of below."""
    given, own = names.split()
    source = f"""
# ad: gradient
def f(x: "Vector[n]", A: "Matrix[m, n]", {given}: float):
    {own} = [v * {given} for v in x]
    return {own}[0] * {own}[1] * A[0, 1]
"""
    slopes = load_generated(source, container="tuple")["f_grad"]
    found = slopes((2.0, 3.0), ((1.0, 5.0),), 0.5)
    assert found == ((3.75, 2.5), ((0.0, 1.5),), 30.0)


def test_values_of_one_trip_are_named_in_linear_time(monkeypatch):
    asked, enter = [], Homes.enter

    def counted(homes, *given):
        asked.append(None)
        return enter(homes, *given)

    def times(steps):
        asked.clear()
        lines = [
            f"        a = x * s + {k}.5\n"
            f"        if a > 0.25:\n            s = s + a * x\n"
            f"        else:\n            s = s * 0.5 - a\n"
            for k in range(steps)
        ]
        head = "# ad: gradient\ndef f(x, n: int):\n    s = x\n    for i in range(n):\n"
        generate(f"{head}{''.join(lines)}    return s\n", **ANY_ORDER)
        return len(asked)

    monkeypatch.setattr(Homes, "enter", counted)
    assert times(40) < 2.2 * times(20)
