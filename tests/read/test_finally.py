"""`finally`: values are Python's to the bit, derivatives those of sixty digits."""

from __future__ import annotations

from typing import Any

import pytest
from amounts import NUMBERS, pairs
from numpy.testing import assert_allclose
from reading import bits, codes, indented
from support import hessian, jacobian, load, load_exact, load_generated

HEAD = """import math


def logged(x, log):
    log.append(x)
    try:
        if x < 0.0:
            return -x
        for k in range(3):
            x = x * 1.1
            if x > 1.0:
                break
        return math.sqrt(x) + len(log)
    finally:
        log.append(2.0 * x)


class Depth:
    def __init__(self, scale):
        self.scale = scale
        self.depth = 0

    def enter(self, x, k):
        self.depth += 1
        try:
            if k == 0:
                return x * self.depth
            return self.scale * self.enter(x * 1.1, k - 1)
        finally:
            self.depth -= 1


# ad: gradient(a, b, value=True), hessian(a, b)
def f(a: float, b: float, n: int):
"""

# fmt: off
BODIES = {
    "plain": (
        "s = b\ntry:\n    s = s * math.log(a)\nfinally:\n    a = a * s\nreturn a * s"
    ),
    "return": "try:\n    return a * b\nfinally:\n    a = 7.0",
    "return of a list": (
        "def g(u):\n    y = [u * b, b]\n    try:\n        return y\n"
        "    finally:\n        y.append(u * u)\nreturn math.prod(g(a)) + len(g(b)) * a"
    ),
    "return of a comprehension": (
        "def g(u):\n    try:\n        return [u * k for k in range(n)]\n"
        "    finally:\n        u = 9.0\nreturn sum(g(a)) * b + a"
    ),
    "handler": (
        "s = b\ntry:\n    s = a / n\nexcept ZeroDivisionError:\n    s = a * b\n"
        "finally:\n    s = s * s + a\nreturn s * b"
    ),
    "else": (
        "s = b\ntry:\n    t = a / n\nexcept ZeroDivisionError:\n    return s * a\n"
        "else:\n    s = s * t\nfinally:\n    a = a * s\nreturn a + s"
    ),
    "loop": (
        "s = b\nfor k in range(4):\n    try:\n"
        "        if k == 1:\n            continue\n"
        "        if n == 5 and k == 2:\n            break\n        s += a * k\n"
        "    finally:\n        s = s * 1.5 + a\nreturn s"
    ),
    "loop with a handler": (
        "s = b\nfor k in range(4):\n    try:\n        if n == 5 and k == 3:\n"
        "            return s * a + s\n        s += a / (n - k)\n"
        "    except ZeroDivisionError:\n        s += b * b\n        break\n"
        "    finally:\n        s = s * 1.5 + a\nreturn s"
    ),
    "arms that leave and a handler that goes on": (
        "s = b\nt = a\nfor k in range(4):\n    try:\n"
        "        if k == 1:\n            continue\n"
        "        if n == 5 and s > 1.0:\n            break\n"
        "        s = s * a / (n - k) + a\n        t += s\n"
        "    except ZeroDivisionError:\n        s += b * a\n"
        "    finally:\n        t += s * s\nreturn s * t"
    ),
    "loop inside": (
        "s = b\ntry:\n    for k in range(n):\n        if s > 3.0:\n            break\n"
        "        if k == 2:\n            return s * s\n        s += a * s\n"
        "finally:\n    s = s * a\nreturn s"
    ),
    "one in another": (
        "s = b\ntry:\n    try:\n        if n:\n"
        "            return s * a\n        s = a\n"
        "    finally:\n        s = s * b + 1.0\nfinally:\n    b = s * a\nreturn b * s"
    ),
    "what fails in the end": (
        "s = a\ntry:\n    try:\n        return s / n\n    except ZeroDivisionError:\n"
        "        return b\nfinally:\n    s = b / (n - 1)"
    ),
    "helper": "log = [b]\nr = logged(a, log) + logged(-b, log)\nreturn r * sum(log)",
    "object": (
        "c = Depth(b)\nr = c.enter(a, 2)\nreturn r + c.depth + b * c.enter(a * a, 1)"
    ),
}
# fmt: on


INLINE = "auto", "never"
BENT = pairs(BODIES, INLINE, 2)
"""What is differentiated twice, too."""


@pytest.mark.parametrize("inline", INLINE)
@pytest.mark.parametrize("name", BODIES)
def test_is_what_python_and_sixty_digits_say(name: str, inline: str) -> None:
    is_bent = (name, inline) in BENT
    head = HEAD if is_bent else HEAD.replace(", hessian(a, b)", "")
    source = head + indented(BODIES[name])
    ours = load_generated(source, inline=inline, **NUMBERS)
    theirs, exact = load(source)["f"], load_exact(source)["f"]
    for n in (5, 2, 0):
        values: dict[str, Any] = {"a": 0.7, "b": 0.9, "n": n}
        value, slopes = ours["f_value_and_grad"](**values)
        assert bits(value) == bits(float(theirs(**values)))
        wanted = [float(v) for v in jacobian(exact, values, "ab")[0]]
        assert_allclose(slopes, wanted, rtol=1e-13)
        if not is_bent:
            continue
        curves = [[float(v) for v in row] for row in hessian(exact, values, "ab")]
        assert_allclose(ours["f_hess"](**values), curves, 1e-12, 1e-12)


def test_what_fails_raises() -> None:
    source = HEAD + indented(BODIES["plain"])
    for function in (load(source)["f"], load_generated(source, **NUMBERS)["f_hess"]):
        with pytest.raises(ValueError, match="domain"):
            function(-0.7, 0.9, 2)


REFUSED = {
    "returns": "try:\n    s = a / n\nfinally:\n    return b",
    "breaks": (
        "for k in range(n):\n    try:\n        a /= k\n    finally:\n        break"
    ),
    "in a try": (
        "s = b\ntry:\n    try:\n        s = a / n\n    finally:\n        b = a\n"
        "except ZeroDivisionError:\n    s = a\nreturn s * b"
    ),
    "called in a try": (
        "log = [b]\ntry:\n    s = logged(a / n, log)\nexcept ZeroDivisionError:\n"
        "    s = a\nreturn s * sum(log)"
    ),
    "of a generator": (
        "def g(u):\n    try:\n        yield u\n    finally:\n        u = 0.0\n"
        "return sum(g(a)) * b"
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_is_refused_where_it_takes_the_place_of_what_fails(name: str) -> None:
    assert codes(HEAD + indented(REFUSED[name])) == ["AD101"]
