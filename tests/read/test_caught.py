"""A handler runs where Python runs it, and finds what Python leaves it; else `try` is
refused.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import pytest
from amounts import ANY_ORDER, NUMBERS
from reading import read
from support import (
    generate,
    jacobian,
    load,
    load_exact,
    load_generated,
    run,
    same_bits,
)

INF, LARGEST = math.inf, 1.3407807929942596e154  # whose square is finite

# fmt: off
CASES: dict[str, tuple[str, str, list[tuple[float, float]]]] = {
    # what may fail, what is caught, and where it does and does not
    "square":  ("x**2", "OverflowError", [
        (LARGEST, 1.0), (math.nextafter(LARGEST, 1e300), 1.0), (-1e200, 1.0)]),
    "cube":    ("x ** (-3)", "ArithmeticError", [
        (0.0, 1.0), (2.0, 1.0), (1.78e-103, 1.0), (1.77e-103, 1.0), (-1e-200, 1.0)]),
    "root":    ("x**1.5", "Exception", [(3.1e205, 1.0), (3.2e205, 1.0)]),
    "power":   ("x**y", "ZeroDivisionError", [
        (0.0, -2.0), (-0.0, -0.5), (2.0, -2.0)]),
    "sine":    ("math.sin(x)", "ValueError", [(INF, 1.0), (-INF, 1.0), (1.0, 2.0)]),
    "growth":  ("math.exp(x)", "OverflowError", [
        (INF, 1.0), (710.0, 1.0), (-INF, 1.0)]),
    "arch":    ("math.cosh(x)", "OverflowError", [
        (INF, 1.0), (-711.0, 1.0), (710.4758, 1.0)]),
    "doubled": ("math.exp2(x)", "OverflowError", [
        (INF, 1.0), (1024.0, 1.0), (1023.9999, 1.0)]),
    "base":    ("math.log(x, y)", "(ValueError, ZeroDivisionError)", [
        (2.0, 1.0), (2.0, -1.0), (-2.0, 3.0), (2.0, 3.0)]),
    "whole":   ("math.floor(x)", "Exception", [
        (INF, 1.0), (math.nan, 1.0), (2.5, 1.0)]),
    "no_nan":  ("int(x)", "ValueError", [(INF, 1.0), (math.nan, 1.0), (2.5, 1.0)]),
    "stopped": ("checked(x)", "Exception", [(-1.0, 1.0), (2.0, 1.0), (9.0, 1.0)]),
    "passing": ("checked(x)", "ArithmeticError", [(-1.0, 1.0), (2.0, 1.0), (9.0, 1.0)]),
}
REFUSED = {
    # two lines of a `try`, what is caught, and what is said
    "z = x**y":                    ("Exception", "OverflowError may be raised"),
    "z = math.gamma(x)":           ("ValueError", "ValueError may be raised"),
    "z = math.fmod(x, y)":         ("ValueError", "ValueError may be raised"),
    "z = max(u[:n])":              ("ValueError", "ValueError may be raised"),
    "z = (w := x) / y":            ("ZeroDivisionError", "behind what it changes"),
    "z = grown(u, x)":             ("ZeroDivisionError", "behind what it changes"),
    "z = count.up(x)":             ("ZeroDivisionError", "behind what it changes"),
}
# fmt: on
HEAD = """import math

class Own(ValueError): pass

class Count:
    def __init__(self):
        self.n = 0.0
    def up(self, x):
        self.n += 1.0
        return 1.0 / x

def checked(x):
    if x > 8.0:
        raise KeyError("large")
    assert x > 0.0
    return x

def grown(u, x):
    u.append(x)
    return 1.0 / x
"""


def function(name: str, body: str, caught: str) -> str:
    return f"""
# ad: jvp
def {name}(x: float, y: float, n: int = 2):
    count, u, w, z = Count(), [x * k for k in range(n)], 3.0, 5.0
    try:
        {body}
    except {caught}:
        z = 7.0 * y
    return z + w * count.n * len(u)
"""


@cache
def made() -> tuple[dict[str, Any], dict[str, Any]]:
    rows = [function(k, f"z = {v[0]}", v[1]) for k, v in CASES.items()]
    source = HEAD + "".join(rows)
    text = run(source, **NUMBERS).text
    assert text is not None
    return load(source), load(text)


def outcome(function: Any, *args: float, **seeds: float) -> Any:
    try:
        return function(*args, **seeds)
    except (ArithmeticError, ValueError, LookupError, AssertionError) as error:
        return type(error)


@pytest.mark.parametrize("name", CASES)
def test_the_handler_that_python_runs(name: str) -> None:
    plain, own = made()
    for x, y in CASES[name][2]:
        want = outcome(plain[name], x, y)
        dots = {"x_dot": 0.0, "y_dot": 1.0}
        got = outcome(own[f"{name}_jvp"], x=x, y=y, **dots)
        if isinstance(want, float | int):
            assert same_bits(got[0], want), (x, y, got, want)
        else:
            assert got is want, (x, y)


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_not_tested_for_is_refused(body: str) -> None:
    caught, said = REFUSED[body]
    found = read((HEAD + function("f", body, caught)).encode(), "m.py").diagnostics
    assert any(d.code == "AD101" and said in d.message and d.help for d in found), found


@pytest.mark.parametrize(
    ("items", "what"),
    [
        ("(1 / (x - k) for k in range(n))", "generator"),
        ("quotients(x, n)", "generator"),
        ("[1 / (x - k) for k in range(n)]", "comprehension"),
    ],
)
def test_items_that_may_fail_in_their_trip_are_refused(items: str, what: str) -> None:
    source = f"""
def quotients(x, n):
    for k in range(n):
        yield 1 / (x - k)


# ad: jvp
def f(x: float, n: int):
    s = x
    try:
        for v in {items}:
            s += v
    except ZeroDivisionError:
        return 10.0 * x
    return s
"""
    found = read(source.encode(), "m.py").diagnostics
    assert f"what a {what} computes may fail" in found[0].message and found[0].help
    assert not read(source.replace("1 / ", "1 * ").encode(), "m.py").diagnostics


def test_the_else_of_a_loop_is_protected() -> None:
    source = """
# ad: gradient(x, value=True)
def f(x: float, n: int):
    s = 1.0
    try:
        for k in range(n):
            s += k * x
        else:
            s = s / x
    except ZeroDivisionError:
        return 4.0 * s + x
    return s
"""
    derived = load(generate(source, **ANY_ORDER))["f_value_and_grad"]
    assert derived(0.0, 3) == (4.0, 13.0) and derived(2.0, 2) == (1.5, -0.25)


LEAVING = {
    "continue":           "if k == 1: continue",
    "break":              "if k == 2: break",
    "return":             "if k == 2: return t * x",
    "continue and break": "if k == 1: continue\n            if s > 4.0: break",
}  # fmt: skip


@pytest.mark.parametrize("arm", LEAVING)
def test_nothing_runs_behind_an_arm_that_leaves(arm: str) -> None:
    source = f"""
# ad: gradient(x, value=True)
def f(x: float, n: int):
    s, t = 1.0, x
    for k in range(n):
        try:
            {LEAVING[arm]}
            s = s * x + 1.0
            t += s / k
        except ZeroDivisionError:
            t = t * x
    return s * t
"""
    plain, exact = load(source)["f"], load_exact(source)["f"]
    derived = load_generated(source, **NUMBERS)["f_value_and_grad"]
    for n in range(5):
        value, slope = derived(1.5, n)
        assert same_bits(value, plain(1.5, n))
        ((want,),) = jacobian(exact, {"x": 1.5, "n": n}, ["x"])
        assert slope == pytest.approx(float(want), rel=1e-13)


KEPT = """
import math

def fib(x, k):
    return x if k < 2 else fib(x, k - 1) * x + fib(x * 0.5, k - 2)

def even(x, k):
    return 1.0 if k == 0 else x * odd(x, k - 1)

def odd(x, k):
    return 0.5 if k == 0 else x / (1.0 + even(x, k - 1))

# ad: gradient(x, y, value=True)
def f(x: float, y: float, k: int):
    try:
        {}
    except {}:
        z = x
    return z * fib(y, 3)
"""


def test_functions_that_cannot_fail_are_kept_in_a_try() -> None:
    source = KEPT.format("z = fib(x, k) / (y - k)", "ZeroDivisionError")
    own, grad = load(source)["f"], load_generated(source)["f_value_and_grad"]
    for point in ((0.7, 2.0, 5), (0.7, 5.0, 5)):
        assert same_bits(grad(*point)[0], own(*point))
    wanted = jacobian(load_exact(source)["f"], {"x": 0.7, "y": 2.0, "k": 5}, "xy")
    assert grad(0.7, 2.0, 5)[1] == pytest.approx([float(d) for d in wanted[0]])
    slope = load(source)["fib"](5.0, 3)
    assert grad(0.7, 5.0, 5)[1][0] == slope


@pytest.mark.parametrize(
    ("line", "caught", "name"),
    [
        ("z = even(x, k) / y", "ZeroDivisionError", "_even"),
        ("z = even(x, k) / y", "Exception", "_even"),
        ("for i in range(k):\n            z = even(x, i)", "Exception", "_even"),
    ],
)
def test_those_that_may_fail_are_refused(line: str, caught: str, name: str) -> None:
    (found, *_) = run(KEPT.format(line, caught)).diagnostics
    wanted = f"{name!r} is kept as a function, and may raise ZeroDivisionError"
    assert (found.code, wanted in found.message) == ("AD101", True)
