"""States that are lists, made anew in each trip: they are recorded as they are."""

from __future__ import annotations

from itertools import takewhile

import hyperduals
import pytest
from amounts import ANY_ORDER
from hyperduals import Hyper
from support import generate, load

SOURCE = """
import math

# ad: gradient(w, x)
def f(w: "Vector[m]", x: "Vector[m]", k: int):
    n = len(x)
    u = [v * w[0] for v in x]
    last = [0.5] * n
    total = 0.0
    for t in range(k):
        new = [0.0] * n
        for i in range(n):
            z = w[i]
            for j in range(n):
                z += w[j] * u[j] * x[i]
            new[i] = math.tanh(z)
{rest}
        total += u[0] * u[-1]
    return total + sum(v * v for v in u) + last[0]
"""
# fmt: off
RESTS = {
    "made anew":          ["u = new"],
    "changed before":     ["u[0] = math.sin(new[0] + u[-1])", "u = new"],
    "changed behind":     ["u = new", "u[0] = u[0] * w[1]"],
    "kept beside":        ["last = u", "u = new"],
    "handed round":       ["last, u = u, [v + l for v, l in zip(new, last)]"],
    "perhaps":            ["if total < 0.6:", "    u = new"],
    "perhaps in place":   ["if total < 0.6:", "    u = new", "else:",
                           "    u[0] = u[0] * new[-1]"],
    "copied":             ["u = list(new)", "last = new"],
    "left":               ["if new[0] > 0.7:", "    return -1.0", "u = new"],
    "left with a state":  ["if new[0] > 0.7:", "    return u[0] * w[0]", "u = new"],
    "broken off":         ["if new[0] > 0.7:", "    break", "u = new"],
}
# fmt: on
POINTS = [
    ([0.5, 0.25], [0.75, -0.5]),
    ([1.0, 0.5, -0.75], [0.5, 0.75, 1.0]),
    ([2.0], [1.0]),
]
AS_THEY_ARE = ["made anew", "copied", "changed before", "left"]


def source(name):
    return SOURCE.format(rest="\n".join(f"        {line}" for line in RESTS[name]))


@pytest.mark.parametrize("name", RESTS)
def test_gradients_are_those_of_forward_mode(name):
    text = source(name)
    made = load(generate(text, **ANY_ORDER))["f_grad"]
    dual = load(text, hyperduals.modules())["f"]
    for w, x in POINTS[: 2 if name == "changed behind" else 3]:  # it reads w[1]
        for k in (0, 1, 4):
            got = [slope for part in made(w, x, k) for slope in part]
            n, every = len(x), [*w, *x]
            for j in range(2 * n):
                args = [Hyper(v, float(i == j), 0.0) for i, v in enumerate(every)]
                value = hyperduals.hyper(dual(args[:n], args[n:], k))
                assert got[j] == pytest.approx(value.s, rel=1e-9, abs=1e-12)


def inner_loop(name):
    """The lines of the innermost loop forth."""
    lines = generate(source(name), **ANY_ORDER).splitlines()
    place = lines.index("            for j in range(n):")
    inside = lines[place + 1 :]
    margin = len(inside[0]) - len(inside[0].lstrip())
    return list(takewhile(lambda line: line.startswith(" " * margin), inside))


@pytest.mark.parametrize("name", AS_THEY_ARE)
def test_a_list_that_nothing_changes_is_recorded_as_it_is(name):
    (line,) = inner_loop(name)
    assert line.strip().startswith("z = z + w_list[j] * u")


@pytest.mark.parametrize("name", ["perhaps", "perhaps in place"])
def test_of_a_list_that_is_changed_a_copy_is_recorded(name):
    (line,) = inner_loop(name)
    assert line.strip().startswith("z = z + w_list[j] * u")
    assert "u_before = u.copy()" in generate(source(name), **ANY_ORDER)


LEFT = """
# ad: hessian(p, q)
def f(x: "Vector[n]", p: float, q: float, k: int):
    n = len(x)
    w = [p] * n
    total = q
    for i in range(n):
        if x[i] > 0.5:
            return 0.0
        for j in range(1, k):
            w = [v * v * 0.5 for v in w]
            total += w[0] * q
    return total
"""


def test_an_arm_without_trips_gives_empty_lists_of_states():
    """Loops over them were put into one, of lists of another length (exit 3)."""
    made = load(generate(LEFT, container="tuple", **ANY_ORDER))["f_hess"]
    dual = load(LEFT, hyperduals.modules())["f"]
    for x in ([0.25, -0.5], [0.25, 0.75], [0.125]):
        got = made(x, 1.5, 0.75, 3)
        for i in (0, 1):
            for j in (0, 1):
                p = Hyper(1.5, float(i == 0), float(j == 0))
                q = Hyper(0.75, float(i == 1), float(j == 1))
                bend = hyperduals.hyper(dual(x, p, q, 3)).st
                assert got[i][j] == pytest.approx(bend, rel=1e-9, abs=1e-12)
