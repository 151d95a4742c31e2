"""Loops that end before their time are printed with `break`, as people write them."""

from __future__ import annotations

import black
import pytest
from amounts import QUICK
from support import load, run
from support_counts import counts_of

SOURCES = {
    "newton": """\
# ad: jvp, gradient
def f(a, x, n: int):
    for _ in range(50):
        dx = (x * x - a) / (2.0 * x)
        x = x - dx
        if abs(dx) < 1e-12:
            break
    return x * a
""",
    "first": """\
# ad: jvp, gradient
def f(a, x, n: int):
    for k in range(n, 0, -2):
        x = x + a * k
        if x > 2.0:
            return x * k
    return x * a
""",
    "endless": """\
# ad: jvp, gradient
def f(a, x, n: int):
    while True:
        x = x * a + 1.0
        if x > 9.0:
            break
    return x * a
""",
    "fixed": """\
# ad: jvp, gradient
def f(a, x, n: int):
    for _ in range(n):
        new = 0.5 * (x + a / x)
        if abs(new - x) < 1e-12:
            break
        x = new
    return x * a
""",
    "halved": """\
# ad: jvp, gradient
def f(a, x, n: int):
    low, total = 0.0, 1.0
    while True:
        middle = 0.5 * (low + x)
        total += middle * a
        if x - low < 1e-3 or total > 50.0:
            break
        if middle * middle < a:
            low = middle * 1.0
        else:
            x = middle + 0.0
    return total * middle + low * a
""",
    "tested": """\
# ad: jvp, gradient
def f(a, x, n: int):
    k = 0
    while x < 4.0 and k < 20:
        k += 1
        x = x + a
        if x > n:
            break
    return x * a * k
""",
}


def made(name):
    result = run(SOURCES[name], container="tuple", **QUICK)
    assert result.text is not None, result.diagnostics
    assert black.format_str(result.text, mode=black.Mode()) == result.text
    return result.text


def body(text, name):
    """The lines of a generated function below its docstring."""
    whole = text.partition(f"def {name}(")[2].partition("\n\n\n")[0]
    return [line[4:] for line in whole.rpartition('"""\n')[2].splitlines()]


def test_a_counted_loop_with_a_break_stays_one():
    assert body(made("newton"), "f_jvp") == [
        "times_a_dot = 0.5 * a_dot",
        "for _ in range(50):",
        "    dx = (x * x - a) / (2.0 * x)",
        "    x_dot = (times_a_dot + dx * x_dot) / x",
        "    x = x - dx",
        "    if abs(dx) < 1e-12:",
        "        break",
        "return x * a, x * a_dot + a * x_dot",
    ]


def test_what_a_trip_does_where_it_goes_on_stands_behind_break():
    assert body(made("fixed"), "f_jvp") == [
        "for _ in range(n):",
        "    new_ratio = a / x",
        "    new = 0.5 * (x + new_ratio)",
        "    new_dot = 0.5 * (x_dot + (a_dot - new_ratio * x_dot) / x)",
        "    if abs(new - x) < 1e-12:",
        "        break",
        "    x = new",
        "    x_dot = new_dot",
        "return x * a, x * a_dot + a * x_dot",
    ]
    lines = body(made("halved"), "f_jvp")
    assert lines.index("        break") < lines.index("    if middle * middle < a:")


def test_a_flag_that_is_read_behind_the_loop_is_raised_where_it_is_left():
    lines = body(made("first"), "f_grad")
    assert "for k in range(n, 0, -2):" in lines  # and k is there behind it
    place = lines.index("        left = True")
    assert lines[place - 1].startswith("    if ")
    assert lines[place + 1] == "        break"


def test_an_endless_loop_tests_nothing_first():
    assert "while True:" in body(made("endless"), "f_grad")


@pytest.mark.parametrize("name", SOURCES)
def test_what_is_counted_stands_in_the_text(name):
    text = made(name)
    for kind in ("grad", "jvp"):
        counts = counts_of(text, f"f_{kind}")
        below = text.partition(f"def f_{kind}(")[2].splitlines()
        line = next(line for line in below if "Operations: " in line)
        assert f"Operations: {counts.total} " in line


@pytest.mark.parametrize("name", SOURCES)
def test_the_value_is_that_of_the_source(name):
    ours, source = load(made(name))["f_jvp"], load(SOURCES[name])["f"]
    for a, x, n in ((2.0, 1.5, 5), (1.5, 0.25, 8), (1.25, 1.0, 0)):
        assert ours(a, x, 1.0, 0.5, n)[0] == source(a, x, n)


GUARDED = """\
# ad: gradient
def f(x, y, n: int):
    if n == 1:
        z = x * y
    elif n > 7:
        z = x - y
    else:
        if not n > 3:
            raise ValueError("unknown")
        z = x
    if n == 2:
        return z * z
    return z + x
"""


def test_a_guard_stands_where_its_value_is_and_nowhere_else():
    text = run(GUARDED, container="tuple").text
    assert text is not None
    assert text.count("raise ValueError") == 1


BISECTION = """\
# ad: jvp
def f(c, low, high):
    for _ in range(60):
        mid = 0.5 * (low + high)
        if mid * mid < c:
            low = mid
        else:
            high = mid
    return 0.5 * (low + high)
"""


def test_arms_bind_the_names_of_carries():
    text = run(BISECTION.replace("jvp", "gradient(c, value=True)")).text
    assert text is not None
    assert "        if mid * mid < c:\n            low = mid\n" in text
    assert "        else:\n            high = mid\n" in text


SKIPPED = """\
# ad: jvp
def f(x, y, n: int):
    for k in range(n):
        if k % 3 == 0:
            continue
        x = x + y * k
    return x
"""


def test_an_arm_without_work_is_continue():
    lines = body(run(SKIPPED, container="tuple").text, "f_jvp")
    assert lines[:3] == ["for k in range(n):", "    if k % 3 == 0:", "        continue"]


CARRIED = """\
# ad: gradient(a, b, c, value=True)
def f(a: float, b: float, c: float, n: int):
    d, i, j = b - 0.5 * a, n, 1
    for i in range(1, j + 3):
        match i % 4:
            case 0:
                w = 0
                while w < 4 and j % 2 == 1:
                    w += 1
                    d += 0.1 * d - 0.53 * j
                if 0.18 < d <= c + 1.0:
                    c += 0.41 * j + a
                    continue
            case q if q > 4:
                for a in (a, a * a, 0.5):
                    d += 0.5 * (a + c)
                continue
            case _:
                return d + a
        c = b - 0.68 * b
    return c + a + d * d
"""


def test_a_loop_in_an_arm_keeps_its_own_names():
    text = run(CARRIED, container="tuple", effort=0).text
    assert text is not None
    ours, source = load(text)["f_value_and_grad"], load(CARRIED)["f"]
    for point in ((0.5, 1.0, 0.25, 1), (2.0, 1.0, 3.0, 2), (0.5, -1.0, 2.0, 0)):
        assert ours(*point)[0] == source(*point)
