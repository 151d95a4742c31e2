"""A trip that leaves its loop does so where that is found out."""

from __future__ import annotations

import re

import pytest
from amounts import ANY_ORDER, QUICK
from support import flat, generate, hessian, jacobian, load, load_exact, load_generated

NEWTON = """\
# ad: gradient(a, b)
def f(a: float, b: float):
    x = 1.0
    for _ in range(50):
        g = x**3 - a * x - b
        if abs(g) < 1e-12:
            break
        x -= g / (3.0 * x * x - a)
    return x
"""
RETURNED = """\
# ad: gradient(a, b)
def f(a: float, b: float):
    x = a
    total = 0.0
    while total < 9.0:
        if x > 4.0:
            return total * b
        total += x * b
        x *= 1.0 + a
    return total + x
"""
COMPUTED = """\
# ad: gradient(a, b)
def f(a: float, b: float):
    x = a
    for i in range(20):
        y = x * b
        if y > 4.0:
            x = y * y + i
            break
        x = x + y
    return x
"""
SWAPPED = """\
# ad: gradient(a, b)
def f(a: float, b: float):
    x, last = a, b
    for i in range(20):
        y = x * b
        if y > 4.0:
            x, last = y * y + i + last, x
            break
        x, last = x + y, x * a
    return x * last
"""
IN_FRONT = """\
from math import exp


# ad: gradient(a, b), hvp(a, b)
def f(a: float, b: float):
    x = 1.0
    for _ in range(50):
        g = x**3 - a * x - b
        slope = 3.0 * x * x - a + 0.01 * exp(x)
        if abs(g) < 1e-12:
            break
        x -= g / slope
    return x
"""
POINTS = [{"a": 0.3, "b": 0.7}, {"a": 1.3, "b": 0.4}, {"a": 2.5, "b": 1.5}]
SOURCES = {"newton": NEWTON, "returned": RETURNED, "computed": COMPUTED}
SOURCES |= {"swapped": SWAPPED, "in front": IN_FRONT}


def forth(text):
    """The lines of the loop forth."""
    body = re.search(r"(?s)\n    (?:for|while)[^\n]*\n(.*?)\n    \w", text)
    return body.group(1).splitlines()


@pytest.mark.parametrize("name", SOURCES)
def test_gradients_are_right_whichever_way_a_loop_ends(name):
    made = load_generated(SOURCES[name])["f_grad"]
    exact = load_exact(SOURCES[name])["f"]
    for point in POINTS:
        (expected,) = jacobian(exact, point, ("a", "b"))
        assert made(**point) == pytest.approx(tuple(map(float, expected)), rel=1e-9)


@pytest.mark.parametrize("name", ["newton", "returned"])
def test_what_leaves_computes_nothing_more(name):
    lines = forth(generate(SOURCES[name], **ANY_ORDER))
    (place,) = (k for k, line in enumerate(lines) if line.strip() == "break")
    tests = [k for k, line in enumerate(lines) if line.lstrip().startswith("if ")]
    assert len(tests) == 1
    assert not any("else" in line for line in lines)
    way_out = lines[tests[0] + 1 : place]
    assert all(" = True" in line or ".append(" in line for line in way_out)


def test_an_update_is_computed_behind_the_record():
    *_, record, update = forth(generate(NEWTON, **ANY_ORDER))
    assert record.strip() == "saved.append((x, x_diff, x_ratio))"
    assert re.fullmatch(r" +x = x - \w+", update)


def test_an_arm_computes_in_front_of_its_way_out():
    source = COMPUTED.replace("(a, b)\ndef", "(a, b, value=True)\ndef")
    lines = [line.strip() for line in forth(generate(source, **ANY_ORDER))]
    place = lines.index("if y > 4.0:")
    assert lines[place + 1 :] == ["x = y * y + i", "break", "x = x + y"]


def test_an_arm_computes_nothing_that_nobody_reads():
    lines = [line.strip() for line in forth(generate(COMPUTED, **ANY_ORDER))]
    place = lines.index("if y > 4.0:")
    assert lines[place + 1 :] == ["break", "x = x + y"]


def test_a_trip_that_leaves_computes_no_tangents():
    text = generate(NEWTON.replace("gradient(a, b)", "hvp(a, b)"), **ANY_ORDER)
    lines = [line.strip() for line in forth(text)]
    place = lines.index("if abs(g) < 1e-12:")
    assert [line.split(" = ")[0] for line in lines[:place]] == ["g"]


def test_statements_of_the_source_stay_in_front_of_a_way_out():
    source = COMPUTED.replace("y = x * b", "y = x * b\n        z = x + y")
    text = generate(source.replace("x = x + y", "x = z"), **ANY_ORDER)
    lines = [line.strip() for line in forth(text)]
    stayed = ["y = x * b", "z = x + y", "x_list.append(x)", "if y > 4.0:"]
    assert lines[: len(stayed)] == stayed


def test_a_statement_of_the_source_that_is_not_needed_stays_in_front() -> None:
    text = generate(IN_FRONT.replace("gradient(a, b), ", ""), **ANY_ORDER)
    lines = [line.strip().partition(" = ")[0] for line in forth(text)]
    assert lines.index("slope") < lines.index("if abs(g) < 1e-12:")
    assert load(text)["f_hvp"](1.3, 0.4, 0.0, 0.0) == (0.0, 0.0)


def test_what_both_arms_record_is_recorded_once() -> None:
    text = generate(NEWTON.replace("gradient(a, b)", "hvp(a, b)"), **QUICK)
    assert "holds 7 values" in text
    assert "case_" not in text


IN_TURN = """
# ad: gradient(a, b)
def f(a: float, b: float, n: int):
    for k in range(n):
        for i in range(k):
            return a * k
        for j in range(n - 2):
            return b * a
    return a * b * b
"""


@pytest.mark.parametrize("n", range(5))
def test_a_second_loop_puts_up_the_flag_of_the_way_out(n):
    """A trip leaves where either loop has been run."""
    made, exact = load_generated(IN_TURN)["f_grad"], load_exact(IN_TURN)["f"]
    (expected,) = jacobian(exact, {"a": 0.5, "b": 1.5, "n": n}, ("a", "b"))
    assert made(0.5, 1.5, n) == tuple(map(float, expected))


RECORDED = """
from math import sin


# ad: hessian(p, q)
def f(p, q, n: int):
    y, s, k = q, 0.0, 0
    for i in range(n):
        if y > 0.6:
            return y
        if p < 0.45:
            pass
        elif p < 0.45:
            if k:
                return p
        else:
            y = sin(p)
        for k in range(2):
            s -= q * p
    return s
"""


@pytest.mark.parametrize("p", [0.3, 0.7])
def test_a_flag_that_a_trip_which_stays_records_is_down(p: float) -> None:
    """The Hessian records it beside the test of the first way out."""
    made, exact = load_generated(RECORDED)["f_hess"], load_exact(RECORDED)["f"]
    for q, n in (0.3, 3), (0.3, 1), (0.9, 3), (0.9, 0):
        expected = hessian(exact, {"p": p, "q": q, "n": n}, ("p", "q"))
        assert flat(made(p, q, n).tolist()) == pytest.approx(flat(expected))


HANDED_ROUND = """\
# ad: gradient(x, p)
def f(x: "Vector[n]", p: float, k: int):
    u = [v * p for v in x]
    w = [v + p for v in x]
    total = 0.0
    for t in range(k):
        if p <= -0.5:
            return -1.0
        new = []
        for j in range(len(x)):
            new.append(w[0] * u[j])
        u, w = w, new
        total += sum(u)
    return total + sum(v * v for v in u) + sum(v * v for v in w)
"""


def test_states_are_handed_round_behind_a_way_out():
    """The old state goes to the other name before it gets the new one."""
    made = load(generate(HANDED_ROUND, **ANY_ORDER))["f_grad"]
    f, h = load(HANDED_ROUND)["f"], 1e-6
    for x, p, k in (([0.5, 2.0], 0.75, 3), ([1.5], 0.5, 1), ([1.5], -0.75, 2)):
        slopes, p_bar = made(x, p, k)
        assert p_bar == pytest.approx((f(x, p + h, k) - f(x, p - h, k)) / (2 * h))
        for i, slope in enumerate(slopes):
            up, down = [*x], [*x]
            up[i] += h
            down[i] -= h
            assert slope == pytest.approx((f(up, p, k) - f(down, p, k)) / (2 * h))


def test_what_a_trip_does_if_it_stays_stands_behind_its_way_out() -> None:
    source = """
# ad: vjp
def f(a: float, n: int):
    u = [1.0, a]
    while len(u) < n:
        if u[-1] > 5.0:
            break
        u.append(u[-1] * a + 1.0)
    return sum(u)
"""
    text = generate(source)
    assert "        if u_i > 5.0:\n            break\n        u.append(" in text
    assert "not u" not in text
    for n in (1, 4, 9):
        assert load(text)["f_vjp"](1.5, 1.0, n)[0] == load(source)["f"](1.5, n)
