"""Arms and loops in a `try` whose handlers go on behind it; exceptions raised again."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from amounts import ANY_ORDER
from reading import indented, slopes
from support import generate, load, run

HEAD = """import math


class NoRoot(Exception):
    pass


class Negative(NoRoot):
    pass


def root(v):
    if v < 0.0:
        raise Negative(f"{v} is negative")
    if v > 9.0:
        raise RuntimeError("large")
    return math.sqrt(v)


# ad: gradient(a, b, value=True)
def f(a: float, b: float, n: int):
"""
# fmt: off
BODIES = {
    "arms": """
s = 0.0
try:
    if n > 3:
        y = math.sqrt(a - 1.0)
    elif n > 2:
        y = math.log(b - 0.95)
    elif n > 1:
        y = a
    else:
        y = b / n
    s = y * y
    z = math.sqrt(s - 0.1) + y
except ValueError:
    z = s + a * a
except ZeroDivisionError:
    z = 0.5 * a
else:
    z = z * 2
return z + s
""",
    "a loop": """
y, i = a, 0
try:
    for k in range(n + 2):
        y = math.sqrt(y - 0.2 * b) + 1.0 / (k - 3)
        i += 1
        if y < 0.3:
            raise ValueError("small")
    y = y * y
except ValueError:
    y = y + b
except ZeroDivisionError:
    y = 7.0 * a * y
return y * a + i
""",
    "a while": """
y, i = a + 1.0, 0
try:
    v = 1.0 / n
    while 1.0 / (y - v) > 0.1:
        i += 1
        y = math.sqrt(y - 0.2 * b) / (n - 1)
        if i > 9:
            raise RuntimeError("no end")
    y = y + v
except (ValueError, RuntimeError):
    y = y * 3
except ZeroDivisionError:
    y = 7.0 * b
return y * a + i
""",
    "in a loop": """
s = 0.0
for k in range(n):
    try:
        if k % 2:
            s += math.sqrt(a - 0.3 * k)
        else:
            s += b / (k - 2)
        s *= 1.1
    except ValueError:
        s += a * b
        continue
    except ZeroDivisionError:
        s += 3 * a
    s *= b
return s
""",
    "raised again": """
try:
    y = root(a - n)
except NoRoot:
    if n == 4:
        raise
    y = a
except RuntimeError as error:
    raise error
return y * b
""",
    "an operation again": """
try:
    y = a / (n - 2)
except ArithmeticError as error:
    if b > 1.0:
        raise error
    y = b
return y * b
""",
    "a class of exceptions": """
try:
    y = root(a - n) * b
except Negative:
    y = a * a * b
except (NoRoot, RuntimeError):
    y = b
return y
""",
    "an assertion": """
try:
    assert a > 0.5, "small"
    y = math.log(a)
except AssertionError:
    y = b * b
return y * a
""",
    "known items": """
w = a
try:
    for v in (a, n - 2, b):
        w += b / v
    w *= 2.0
except ZeroDivisionError:
    w = w * w
return w * a
""",
    "a loop in a trip that is left": """
s = 0.0
for k in range(n + 1):
    try:
        for i in range(k + 1):
            s += math.sqrt(a - 0.23 * i * k) / (k - 2)
        s *= b
    except ValueError:
        s += a
        continue
    except ZeroDivisionError:
        s -= b
        if n > 3:
            break
    else:
        s += 0.5 * a
    s *= 1.5
return s
""",
    "left from a while": """
s, i = 0.0, 0
while i < n + 2:
    i += 1
    try:
        y = a
        while y < 3.0:
            y = y + 0.3 + math.sqrt(b - 0.21 * i)
            s += y
    except ValueError:
        if s > 2.0:
            break
        s += b
        continue
    s *= a
return s
""",
    "a try in it": """
s = 0.0
for k in range(n + 2):
    try:
        try:
            y = 1.0 / (k - 1) + math.sqrt(a - 0.31 * k)
        except ZeroDivisionError:
            y = math.sqrt(a - 1.0)
        else:
            y += math.log(b - 0.21 * k)
        z = math.log(y)
    except ValueError:
        z = 0.5 * a
    s += z * b
return s
""",
    "a try in a loop in it": """
s = a
try:
    for k in range(n + 2):
        try:
            s += math.log(a - 0.43 * k)
            for i in range(k):
                s += math.sqrt(b - 0.43 * i)
        except ValueError:
            s += math.sqrt(b - 0.31 * k)
            if k > 3:
                break
        s += b / (k - 3)
    s *= 2.0
except ValueError:
    s += 3.0 * a
except ZeroDivisionError:
    return s * b
return s
""",
    "a try that raises again": """
s = b
try:
    try:
        s += math.log(a - 0.35 * n)
    except ValueError:
        if n > 3:
            raise
        s += 1.0 / (n - 3)
    s += 2 * a
except ValueError:
    s += 3.0 * a
except ZeroDivisionError:
    s += 4.0 * a
return s
""",
    "left by one": """
try:
    if n > 2:
        y = math.sqrt(a - 1.0)
    else:
        y = b / (n - 2)
except ValueError:
    return a * b
except ZeroDivisionError:
    y = a
return y * b
""",
}
# fmt: on


@pytest.mark.parametrize("name", BODIES)
def test_what_runs_is_what_python_runs(name: str) -> None:
    source = HEAD + indented(BODIES[name])
    plain = load(source)
    modules = {"model": SimpleNamespace(**plain)}
    derived = load(generate(source, **ANY_ORDER), modules)
    for a, b, n in ((0.31, 0.9, 4), (0.77, 1.3, 2), (1.2, 0.4, 3), (1.4, 0.97, 0)):
        try:
            value = plain["f"](a, b, n)
        except (ArithmeticError, plain["NoRoot"]) as error:
            with pytest.raises(Exception) as raised:
                derived["f_value_and_grad"](a, b, n)
            assert raised.type.__name__ == type(error).__name__
            continue
        found, gradient = derived["f_value_and_grad"](a, b, n)
        assert found == value
        wanted = slopes(plain["f"], a, b, n)
        assert list(gradient) == pytest.approx(wanted, rel=1e-5, abs=1e-6)


def test_a_raise_alone_outside_a_handler_is_refused() -> None:
    found = run(HEAD + "    if a > b:\n        raise\n    return a * b\n").diagnostics
    assert [d.code for d in found] == ["AD101"]
