"""What is tried and taken back leaves nothing behind: lists, objects and names of
functions around hold what they held before the trial.
"""

from __future__ import annotations

import pytest
from reading import codes
from support import load, load_generated

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container
from ad_transform.ir.types import FLOAT
from ad_transform.read.machine.aliases import Aliases
from ad_transform.read.values.storage import Cell
from ad_transform.read.values.values import Draft

HEAD = """
class Box:
    def __init__(self, v):
        self.v = v

    def next(self, k):
        self.v = 2 * self.v + k
        return self.v


def grown(x, u):
    u.append(x)
    yield 2 * u[-1]
    if x > 0.25:
        u.append(2 * x)
        yield 3 * u[-1]


# ad: gradient(x, value=True)
def f(x: float, n: int):
    box, u, y = Box(x), [x], x

    def next(k):
        nonlocal y
        y = 2 * y + k
        return y

    """

BODIES = [
    "w = [box.next(k) for k in range(n)]\n    return sum(w) * box.v",
    "w = max(next(k) for k in range(n))\n    return w * y",
    "w = [next(k) for k in (1, 2) if k < 2 or x > 0]\n    return sum(w) * y",
    "w = list(grown(x, u))\n    return sum(w) + sum(u) * len(u) + w[-1]",
]


LISTS = """
# ad: gradient(x, value=True)
def f(x: float, n: int):
    u, d = [x, 2.0, x * x], {"a": x}
    for k in range(n):
        for j in range(n):
            u[k] -= x
            d["a"] = u[j]
        u = [v * x for v in u]
    w = []
    if w:
        x *= w.pop()
    w.append(x)
    for k in range(n):
        w.append(x * k)
    return u[0] * u[2] + d["a"] + sum(w)
"""


OTHERS = """
class Box:
    def __init__(self, v):
        self.v = v


# ad: gradient(x, value=True)
def f(x: float, n: int):
    box = Box(0.0)
    for i in range(n):
        for j in range(n):
            box = Box(1.0 + x * j)
    for k in range(n):
        box.v *= x
    if x > 0.0:
        box.v += x
    return box.v * x
"""
DICTS = """
# ad: gradient(x, value=True)
def f(x: float, n: int):
    d = {"v": 0.0}
    e = d
    for i in range(n):
        for j in range(n):
            d = {"v": 1.0 + x}
    for k in range(n):
        d["v"] *= x
    return d["v"] + e["v"]
"""


@pytest.mark.parametrize("body", BODIES)
def test_values_and_derivatives(body: str) -> None:
    agrees(f"{HEAD}{body}\n", 3)


@pytest.mark.parametrize("n", [0, 1, 3])
def test_a_list_of_a_loop_that_a_loop_inside_reads_first(n: int) -> None:
    agrees(LISTS, n)


@pytest.mark.parametrize("n", [0, 1, 3])
def test_an_object_of_loops_that_a_loop_behind_reads_first(n: int) -> None:
    agrees(OTHERS, n)


def test_a_dict_of_loops_that_a_loop_behind_reads_first() -> None:
    assert codes(DICTS) == ["AD124"]


def test_a_dict_of_the_function_around() -> None:
    """What a function inside changes of it was not taken back."""
    body = """x *= n
    d = {"a": x}

    def put(k):
        d["a"] = 2 * d["a"] + k
        return d["a"]

    def total():
        return sum([put(k) for k in (1, 2) if k < 2 or x > 0])

    return total() * d["a"]
"""
    agrees(HEAD + body, 1)


def test_a_dict_of_a_function_that_calls_the_one_that_runs() -> None:
    """What was known of it was no longer there: an internal error."""
    source = """
def total(put, x):
    return sum([put(k) for k in (1, 2) if k < 2 or x > 0])

# ad: gradient(x, value=True)
def f(x, n: int):
    d = {"a": x * n}

    def put(k):
        d["a"] = 2 * d["a"] + k
        return d["a"]

    return total(put, x) * d["a"]
"""
    agrees(source, 1)


def agrees(source: str, n: int) -> None:
    """The value is that of the source, the gradient that of differences."""
    f, derived = load(source)["f"], load_generated(source)["f_value_and_grad"]
    value, slope = derived(0.5, n)
    assert value == f(0.5, n)
    found = (f(0.5 + 1e-5, n) - f(0.5 - 1e-5, n)) / 2e-5
    assert slope == pytest.approx(found, rel=1e-7)


def test_what_is_found_out_of_an_earlier_time_stays_known():
    span = Span(1, 1, 1, 2)
    cell = Cell(FLOAT, Container.LIST, "[0]", span, Draft(FLOAT, span))
    aliases = Aliases()
    before = aliases.tick()
    mark = aliases.mark()
    aliases.look(cell, span, before)
    aliases.look(cell, span)
    aliases.back(mark)
    assert [look.time for look in aliases.looks] == [before]


def test_a_list_of_an_arm_that_a_loop_asks_for_first_is_still_there():
    source = """
# ad: gradient(x, value=True)
def f(x: float, n: int):
    u = [x, 2.0]
    u[1] *= x
    if n > 1:
        w = u[:]
    for _ in range(3):
        for _ in range(3):
            if n > 1:
                return u[-1] * w[-1]
            u = [w[-1], x]
    return x
"""
    agrees(source, 2)
