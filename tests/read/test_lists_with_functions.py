"""Known lists that functions inside a function read, change or stand in."""

from __future__ import annotations

import pytest
from reading import indented, slopes
from support import generate, load, same_bits

HEAD = """\
import math


class Layers:
    def __init__(self, gain):
        self.steps = []
        self.gain = gain

    def add(self, name, function, *args):
        self.steps.append((name, function, args))
        return self

    def run(self, x):
        for name, function, args in self.steps:
            x = function(x, *args) * self.gain + len(name)
        return x


# ad: gradient(a, b, value=True)
def f(a: float, b: float, n: int):
"""
MAKE = """\
def make(p):
    def g(x):
        return a * x**p
    return g
"""
# fmt: off
BODIES = {
    "functions that are made": MAKE + "fs = []\nfor p in (1, 2, 3):\n"
    "    fs.append(make(p))\nreturn sum(g(b) for g in fs) * fs[-1](a)",
    "functions and numbers": MAKE + "fs = [make(1)]\nw = []\nfor p in range(2):\n"
    "    fs.append(make(p))\n    w.append(b * p)\nfs += [make(n)]\n"
    "return sum(g(v + b) for g, v in zip(fs, w)) * fs[-1](b)",
    "functions in fields": "p = Layers(b).add('sine', math.sin)\n"
    "p.add('power', lambda x, k: x**k, n)\nq = Layers(a)\nq.steps = p.steps[:1]\n"
    "q.add('square', lambda v: v * v)\ny = p.run(a)\n"
    "return q.run(y) * y + len(p.steps) * len(q.steps) * b",
    "a list that functions read": "u = [a]\ndef total():\n    return sum(u) * len(u)\n"
    "def push(v):\n    u.append(v * a)\n    return total()\ns = push(b)\nu.append(a)\n"
    "s += push(a * b) + total()\nu[0] = s\nfor k in range(3):\n    u.append(b * k)\n"
    "    s += total()\nalias = u\nu.append(1.0)\nreturn s + sum(alias) + alias[-1]",
    "a list that has another name": "u = [a, b]\ndef ends():\n"
    "    return u[0] * u[-1]\ndef more(w):\n    w.append(a * b)\n    return ends()\n"
    "v = u\ns = more(u) + ends()\n"
    "u.append(3.0 * a)\ns += ends() + len(v)\nu = u + [b]\ns += ends() + len(v)\n"
    "u.sort()\nreturn s + ends() + v[-1]",
    "a default": "u = [a, b]\ndef last(w=u):\n    return w[-1] * len(w)\n"
    "u.append(a * b)\n"
    "s = last()\nu = [b]\nu.append(s)\nreturn last() + last(u)",
    "a list of the function around": "u = [a]\ndef outer():\n    def inner():\n"
    "        return u[-1] * len(u)\n    w = [b]\n    w.append(inner())\n"
    "    u.append(w[-1])\n    return inner() + sum(w)\n"
    "return outer() * outer() + u[-1]",
}
# fmt: on


@pytest.mark.parametrize("name", BODIES)
def test_values_and_slopes(name):
    source = HEAD + indented(BODIES[name])
    f, made = load(source)["f"], load(generate(source, effort=0))["f_value_and_grad"]
    for point in ((0.5, 1.25, 2), (1.5, 0.75, 1)):
        value, found = made(*point)
        assert same_bits(value, f(*point))
        assert list(found) == pytest.approx(slopes(f, *point), rel=1e-6)
