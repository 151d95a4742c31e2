"""`# ad: checkpoint(snapshots=k)`: loops that hold few of their states."""

from __future__ import annotations

import re
from functools import cache
from math import comb

import black
import pytest
from amounts import ANY_ORDER
from support import flat, generate, load, load_generated, run

from ad_transform.elementals import TABLE
from ad_transform.elementals.helpers import called
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.parse import parse_function
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import verify

PENDULUM = """\
import math

# ad: gradient(x0, k), hvp(x0), vjp(x0, h)
def f(x0, v0, k, h, n: int):
    x = x0
    v = v0
    # ad: checkpoint(snapshots=3)
    for i in range(n):
        a = -k * math.sin(x) + i * 0.01
        x = x + h * v
        v = v + h * a
    return x * v
"""

NEWTON = """\
# ad: gradient(p)
def f(p, tol):
    x = p
    # ad: checkpoint(snapshots=2)
    while abs(x * x - p) > tol:
        x = 0.9 * x + 0.1 * (p / x)
    return x * p
"""

NESTED = """\
import math

# ad: gradient(y), hessian(y)
def f(y, n: int):
    t = 0.0
    # ad: checkpoint(snapshots=2)
    for i in range(2, n):
        # ad: checkpoint(snapshots=3)
        for j in range(i, -1, -2):
            y = math.sin(y) * y + 0.1 * j
            t = t + j * y
        t = t + y * y
    return t
"""

INNER = NESTED.replace("    # ad: checkpoint(snapshots=2)\n", "")

LEFT = """\
import math

# ad: gradient(x, p)
def f(x, p, n: int):
    # ad: checkpoint(snapshots=3)
    for i in range(n):
        x = x + p * math.cos(x) / (i + 1)
        if x > 3.0:
            break
    return math.exp(-x)
"""

IN_AN_ARM = """\
import math

def walk(u, p, n):
    # ad: checkpoint(snapshots=2)
    for _ in range(n):
        u = u + p * math.cos(u)
    return u

# ad: gradient(x, p)
def f(x, p, n: int):
    u = walk(x, p, n)
    if u > x:
        u = walk(u * x, p + x, n)
    return u * p
"""

CASES = {
    "pendulum": (PENDULUM, [(0.3, 0.2, 1.5, 0.1, n) for n in (0, 1, 2, 7, 40)]),
    "newton": (NEWTON, [(2.0, 1e-3), (2.0, 10.0), (0.3, 1e-6)]),
    "nested": (NESTED, [(0.7, n) for n in (0, 3, 9)]),
    "inner": (INNER, [(0.7, n) for n in (0, 3, 9)]),
    "left": (LEFT, [(0.3, 0.9, n) for n in (0, 1, 30)]),
    "arm": (IN_AN_ARM, [(0.3, 0.9, n) for n in (0, 1, 12)]),
}


def without_marks(source: str) -> str:
    return re.sub(r" *# ad: checkpoint.*\n", "", source)


def seeded(function, point):
    """The arguments with ones for the seeds, which stand behind the first floats."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    values = iter(point)
    return tuple(
        1.0 if name.endswith(("_dot", "_bar")) else next(values) for name in names
    )


@pytest.mark.parametrize("name", CASES)
def test_derivatives_are_those_of_the_plain_loop(name):
    source, points = CASES[name]
    text = generate(source, **ANY_ORDER)
    assert "snapshots" in text
    assert black.format_str(text, mode=black.Mode()) == text
    held, plain = load(text), load_generated(without_marks(source))
    kinds = [n for n in plain if n.startswith("f_")]
    assert kinds
    for kind in kinds:
        for point in points:
            args = seeded(plain[kind], point)
            got, want = (flat(m[kind](*args)) for m in (held, plain))
            assert got == pytest.approx(want, rel=1e-12, abs=1e-14), (kind, point)


@cache
def fewest(trips: int, states: int) -> int:
    """Steps forward that the way back of so many trips needs, by dynamic programming.

    Griewank & Walther 2000, equation (2): hold the state after m trips, or none.
    """
    if trips <= 1:
        return 0
    if states == 1:
        return trips * (trips - 1) // 2
    return min(
        m + fewest(trips - m, states - 1) + fewest(m, states) for m in range(1, trips)
    )


def counted(module, name):
    """The number of calls of a function of a module, counted from now on."""
    calls = []
    step = module[name]

    def counting(*args):
        calls.append(args)
        return step(*args)

    module[name] = counting
    return calls


@pytest.fixture(scope="module")
def pendulum():
    return generate(
        re.sub(r"# ad: gradient.*", "# ad: gradient(x0)", PENDULUM), **ANY_ORDER
    )


@pytest.mark.parametrize("snapshots", [1, 2, 3, 5, 8])
def test_the_way_back_runs_the_fewest_steps(pendulum, snapshots):
    text, count = re.subn(r"\b3( - len|\)\))", rf"{snapshots}\1", pendulum)
    assert count == 2
    module = load(text)
    calls = counted(module, "_f_grad_step")
    for trips in (0, 1, 2, 3, 10, 37):
        calls.clear()
        module["f_grad"](0.3, 0.2, 1.5, 0.1, trips)
        assert len(calls) == (fewest(trips, snapshots) + 1 if trips else 0)


@pytest.mark.parametrize("snapshots", [1, 2, 4, 9])
def test_a_while_runs_each_trip_once_more_at_most(snapshots):
    source = NEWTON.replace("snapshots=2", f"snapshots={snapshots}")
    module = load_generated(source)
    for tolerance in (10.0, 0.3, 1e-2, 1e-4):
        x, trips = 2.0, 0
        while abs(x * x - 2.0) > tolerance:
            x, trips = 0.9 * x + 0.1 * (2.0 / x), trips + 1
        calls = counted(module, "_f_grad_step")
        module["f_grad"](2.0, tolerance)
        assert trips <= len(calls) <= trips + fewest(trips, snapshots)
        r = next(r for r in range(999) if comb(snapshots + r, snapshots) >= trips)
        runs = [calls.count(call) for call in calls]
        assert max(runs, default=0) <= r + 1


@pytest.mark.parametrize("states", [2, 3, 5])
def test_states_of_a_while_give_way_to_later_ones(states):
    held, levels = [0], []
    for trip in range(1, 200):
        gone = called("_giving_way", levels, states)
        del held[gone : gone + 1]
        held.append(trip)
        assert len(held) == len(levels) + 1 <= states
        assert held == sorted(held) and held[0] == 0


@pytest.mark.parametrize("states", [1, 2, 3, 4, 7])
def test_no_more_states_are_held_and_no_trip_runs_too_often(states):
    for trips in (1, 2, 5, 20, 63, 200):
        held, most = [0], 1
        runs = [0] * trips
        stops = set(called("_stops", range(trips), states))
        for i in range(trips):
            if i in stops:
                held.append(i)
            runs[i] += 1
        for i in reversed(range(trips)):
            place = held.pop()
            for stop in called("_stops", range(place, i + 1), states - len(held)):
                held.append(place)
                most = max(most, len(held))
                for k in range(place, stop):
                    runs[k] += 1
                place = stop
            assert place == i
        assert most <= states
        assert sum(runs) == fewest(trips, states) + 1
        r = next(r for r in range(trips + 1) if comb(states + r, states) >= trips)
        assert max(runs) <= max(r, 1)


def test_docstrings_say_what_is_held(pendulum):
    text = " ".join(pendulum.split())
    assert "A loop holds 3 states: up to comb(3 + r, 3) trips, none runs" in text
    plain = generate(without_marks(NEWTON), **ANY_ORDER)
    assert "Its loop holds 1 value for each trip." in plain


@pytest.mark.parametrize("kind", ["jvp(x0)", "error"])
def test_what_is_not_run_back_does_not_see_the_mark(kind):
    source = re.sub(r"# ad: gradient.*", f"# ad: {kind}", PENDULUM)
    marked, plain = (
        [
            line
            for line in generate(s, **ANY_ORDER).splitlines()
            if not line.startswith("#")
        ]
        for s in (source, without_marks(source))
    )
    assert marked == plain


WRONG = [
    ("# ad: checkpoint", "AD020", "has its 'snapshots' nowhere"),
    ("# ad: checkpoint(snapshots=0)", "AD020", "is not a whole number from 1 on"),
    ("# ad: checkpoint(snapshots=2.5)", "AD020", "is not a whole number from 1 on"),
    ("# ad: checkpoint(snapshot=3)", "AD020", "unknown option 'snapshot'"),
    ("# ad: checkpoint(i, snapshots=3)", "AD020", "takes no names"),
    ("# ad: checkpoints(snapshots=3)", "AD020", "unknown mark of a loop"),
    ("# ad: gradient", "AD021", "'gradient' stands above a loop"),
    ("# ad: checkpoint(snapshots=3)\n", "AD021", "stands above no function"),
]


@pytest.mark.parametrize(("mark", "code", "message"), WRONG)
def test_marks_that_are_wrong_are_refused(mark, code, message):
    source = PENDULUM.replace("# ad: checkpoint(snapshots=3)", mark)
    (found,) = [d for d in run(source).diagnostics if d.severity == "error"]
    assert (found.code, message in found.message) == (code, True), found
    assert found.help


def test_a_checkpoint_above_a_function_is_refused():
    source = PENDULUM.replace("# ad: gradient(x0, k)", "# ad: checkpoint(snapshots=3)")
    (found,) = [d for d in run(source).diagnostics if d.severity == "error"]
    assert found.code == "AD021"
    assert "above no loop" in found.message


HELD = """\
function f primal 1 nest .
parameter x (%0 x!: float)
parameter n (%1 n!: int)
  %2 x!: float, %3 x: float[m] = scan (0, %1, 1) (%0) () () snapshots 3 '_step'
  body (%4: int, %5 x: float)
    %6: float = mul(%5, %5)
    give %6, %5
  %7 x!: float, %8: int = while (%2) () snapshots 2 ''
  test (%9: float)
    %10: bool = lt(%9, 3.0)
    give %10
  body (%11: float)
    %12: float = mul(%11, 2.0)
    give %12
  give %7
"""


def test_snapshots_stand_in_the_text_of_a_program():
    function = parse_function(HELD, TABLE)
    verify(function)
    assert format_function(function) == HELD
    assert evaluate(function, (1.5, 1)) == (4.5,)
