"""Lists of tuples that a comprehension makes: they grow, shrink and are sorted."""

from __future__ import annotations

import pytest
from amounts import ANY_ORDER
from reading import indented
from support import generate, load, same_bits

HEAD = """\
# ad: gradient(x, a, value=True)
def f(x: "Vector[n]", a: float, k: int):
    u = [(v, v * a) for v in x]
"""
END = """\
s = a * len(u)
for i, (p, q) in enumerate(u):
    s += (i + 1.5) * p * q * q
return s
"""
# fmt: off
BODIES = {
    "append": "u.append((a, 2.0))\nu.append(u[0])",
    "append in an arm": "if x[0] > a:\n    u.append((a, a))\nelse:\n    u.pop()",
    "insert": "u.insert(1, (a * a, 2.0))",
    "insert from the end": "u.insert(k - 4, (a, u[k][1]))",
    "extend": "u.extend((v + a, a) for v in x)",
    "pop": "p, q = u.pop()\nu[0] = (p * a, q)",
    "pop the first": "p, q = u.pop(0)\nu.append((q, p))",
    "pop at a place": "p, q = u.pop(k)\nu[0] = (p, u[0][1] * q)",
    "pop from the end": "p, q = u.pop(k - 3)\nu[-1] = (p, q)",
    "a queue": "n = 0\nwhile u and n < 6:\n    p, q = u.pop(0)\n    a += p * q\n"
               "    n += 1\n    if p > 0.4:\n        u.append((p / 2, q * a))",
    "a list": "u = [[v, a] for v in x]\nu.append([a, a])\nu.pop(0)",
    "a known list": "m = [[a, x[0]], [a * a, 2.0]]\np, q = m.pop()\n"
                    "m.append([q, p])\nu = [(v, w) for v, w in m]",
    "pairs": "u = list(zip(x, [v * a for v in x]))\nu.append((a, 1.0))\nu.pop(k)",
    "sort": "u.append((0.31, a))\nu.sort()",
    "sort alone": "u.sort(reverse=True)",
    "sorted": "u = sorted((v * a, v) for v in x)\nu.append((a, a))",
    "reverse": "u += [(a, a)]\nu.reverse()",
    "whole numbers": "u = [(i, i + 1) for i in range(k)]\nu.append((2, a))",
    "chosen": "w = [e for e in u if e[0] > 0.4]\nw.append(u[0])\nu = w",
}
NUMBERS = {
    "pop at a place": "w = [v * a for v in x]\na += w.pop(k)\nu.append((w[0], a))",
    "pop from the end": "w = [v * a for v in x]\na += w.pop(k - 3)\nu += [(a, w[-1])]",
    "delete": "w = [v * a for v in x]\ndel w[k - 2]\nu.append((w[0], w[1]))",
    "what is too small": "w = [v * a for v in x]\ni = 0\nwhile i < len(w):\n"
                         "    if w[i] < 0.5:\n        a += w.pop(i)\n    else:\n"
                         "        i += 1\nu.append((sum(w), a))",
}
# fmt: on
POINTS = (([0.5, 0.3, 0.9, 1.25], 0.75, 2), ([0.25, 1.5, 0.875], 1.5, 1))


def rises(function, x, a, k, h=1e-6):
    """How fast a function rises in each of x, and in a."""
    found = []
    for j in range(len(x) + 1):
        ends = [
            function(
                [v + s * (i == j) for i, v in enumerate(x)], a + s * (j == len(x)), k
            )
            for s in (h, -h)
        ]
        found.append((ends[0] - ends[1]) / (2 * h))
    return found


@pytest.mark.parametrize("body", [*BODIES.values(), *NUMBERS.values()])
def test_values_and_slopes(body):
    source = HEAD + indented(body + "\n" + END)
    made, plain = (
        load(generate(source, **ANY_ORDER))["f_value_and_grad"],
        load(source)["f"],
    )
    for x, a, k in POINTS:
        value, (by_x, by_a) = made(x, a, k)
        assert same_bits(value, plain(x, a, k))
        expected = pytest.approx(rises(plain, x, a, k), rel=1e-6, abs=1e-6)
        assert [*by_x, by_a] == expected


def test_a_place_that_is_not_there_raises_as_in_python():
    source = HEAD + indented("w = [v * a for v in x]\nreturn w.pop(k)")
    made, plain = (
        load(generate(source, **ANY_ORDER))["f_value_and_grad"],
        load(source)["f"],
    )
    x, a, _ = POINTS[0]
    assert made(x, a, -4)[0] == plain(x, a, -4)
    for k in (4, -5):
        for function in (made, plain):
            with pytest.raises(IndexError):
                function(x, a, k)
