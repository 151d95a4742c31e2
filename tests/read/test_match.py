"""`match`: objects, dicts and sequences taken apart, and guards on what they name."""

from __future__ import annotations

import pytest
from amounts import NUMBERS
from reading import codes
from support import flat, generate, load, same_bits

from ad_transform.read import read

HEAD = """\
from collections import deque
from dataclasses import dataclass
from typing import NamedTuple, TypedDict

import numpy as np


@dataclass
class Disc:
    r: float


@dataclass
class Box:
    w: float
    h: float
    name: str = "box"


@dataclass(kw_only=True)
class Ring:
    r: float
    s: float


class Wedge(NamedTuple):
    w: float
    h: float


class Spring(TypedDict):
    k: float
    x: float


class Own:
    def __init__(self, v):
        self.v = v


# ad: gradient(a, b, value=True)
def f(a: float, b: float, k: int = 1):
"""
OBJECTS = """\
def area(shape):
    match shape:
        case Disc(r):
            return 3.0 * r * r
        case Box(w, h) if w > h:
            return w * h * a
        case Box(w=w, name="box", h=h):
            return w * h
        case Wedge(w, h) if (s := w * h) > 100.0:
            return s
        case Wedge() | Box():
            return 0.5 * shape.w + shape.h
        case Ring(s=s):
            return s * s
        case Own(v=float(v)):
            return v
shapes = Disc(a), Box(a, b), Box(b, a), Box(a, a, "other"), Wedge(b, a)
return sum(map(area, (*shapes, Ring(r=a, s=b), Own(2.5)))) * b
"""
DICTS = """\
parts = [{"kind": "spring", "k": a, "x": b}, {"m": 2.0}, {"kind": "rod"}, {}]
parts.append(Spring(k=b, x=a))
energy = 0.0
for part in parts:
    match part:
        case {"kind": "spring", "k": s, "x": x}:
            energy += 0.5 * s * x * x
        case {"m": m}:
            energy += m * a
        case {"kind": str(kind)}:
            energy += len(kind) * b
        case {"k": s, "x": x} if s > x:
            energy += s
        case {"k": s}:
            energy -= s * b
return energy
"""
TERMS = """\
def value(e):
    match e:
        case float() | int():
            return e
        case "a":
            return a
        case "b":
            return b
        case ("+", *terms):
            return sum(map(value, terms))
        case ("*", first, *rest):
            return value(first) * (value(("*", *rest)) if rest else 1.0)
        case ("^", base, int(n)) if n > 1:
            return value(base) * value(("^", base, n - 1))
        case (str(), only, _):
            return value(only)
return value(("+", ("*", "a", ("^", "b", 3), "b"), ("*", 3.0, "a"), 1))
"""
STARS = """\
def nested(xs):
    match xs:
        case []:
            return 1.0
        case [x]:
            return x
        case [first, *middle, last]:
            return first * nested(middle) + last
match (a, b, a * b, 2.0):
    case (*most, p, q):
        s = sum(most) * p - q
match [a, b, a]:
    case [_, *rest] if len(rest) > 2:
        s = 0.0
    case [p, *rest]:
        rest.append(s)
        s += rest[-1] * p
return nested([a, b, 2.0, a * b, b]) * s
"""
GUARDS = """\
total = 0.0
for i in range(k + 4):
    match (a * i > b, i):
        case (True, n) if n < 3:
            total += n * a * b
        case (True, n) if a > 1.0:
            total *= a + n
        case (False, n):
            total -= b * b + n
        case _:
            total += a
return total + n
"""
MACHINE = """\
stack = []
for step in [("push", "a"), ("push", "b"), ("mul",), ("push", 2.5), ("add",), ("dup",)]:
    match step:
        case ("push", "a"):
            stack.append(a)
        case ("push", "b"):
            stack.append(b)
        case ("push", v):
            stack.append(v)
        case (op,) if op in ("add", "mul"):
            y, x = stack.pop(), stack.pop()
            stack.append(x + y if op == "add" else x * y)
        case ("dup",):
            stack.append(stack[-1] * a)
return stack.pop() * stack.pop()
"""
UNLIKE = """\
s = 0.0
for v in ["a", 2.5, (a, b), [a], Own(b)]:
    s += a if v == "a" else b
    s += a * b if v != 2.5 else 1.0
return s * (2.0 if k == "a" else a)
"""
VIEWS = """\
d = {1: a, 2: b}
s = 0.0
for v in (d.keys(), d.values(), d.items(), list(d.values()), "ab", np.array([a, b, a])):
    match v:
        case [x, y]:
            s += x * y * a
        case _:
            s += b
return s
"""
# fmt: off
BODIES = {
    "objects": OBJECTS, "dicts": DICTS, "terms": TERMS, "stars": STARS,
    "guards": GUARDS, "a machine": MACHINE, "values of unlike kinds": UNLIKE,
    "views of a dict": VIEWS,
}
REFUSED = {
    "by places": ("Own(v)", "AD101"),
    "too many": ("Disc(r, s)", "AD101"),
    "by place of keywords": ("Ring(r)", "AD101"),
    "the rest of a dict": ('{"k": s, **rest}', "AD101"),
    "only a run knows": ("float()", "AD107"),
}
SEQUENCES = {
    "a list": "[a * i for i in range(k)]",
    "a tuple": "tuple(a * i for i in range(k))",
    "a deque": "deque([a, b])",
    "a range": "range(2)",
}
# fmt: on


def source(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


def rise(function, a, b, h):
    """How fast a function of two numbers rises in each: exact but for terms of h**4."""
    ends = [function(a + s * h, b) - function(a - s * h, b) for s in (1, 2)]
    sides = [function(a, b + s * h) - function(a, b - s * h) for s in (1, 2)]
    return [(8 * one - two) / (12 * h) for one, two in (ends, sides)]


@pytest.mark.parametrize("name", BODIES)
def test_values_and_slopes(name):
    text = source(BODIES[name])
    made, plain = load(generate(text, **NUMBERS))["f_value_and_grad"], load(text)["f"]
    for a, b in ((1.25, 0.75), (0.5, 1.875)):
        value, slopes = made(a, b)
        assert same_bits(value, plain(a, b))
        assert flat(slopes) == pytest.approx(rise(plain, a, b, 1e-3), rel=1e-8)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name):
    pattern, code = REFUSED[name]
    body = f"match a:\n    case {pattern}:\n        return b\nreturn a"
    assert code in codes(source(body))


@pytest.mark.parametrize("name", SEQUENCES)
def test_sequences_that_python_takes_apart_do_not_fall_through(name):
    body = f"match {SEQUENCES[name]}:\n    case [x, y]:\n        return b\nreturn a"
    first = read(source(body).encode(), "model.py").diagnostics[0]
    known = "this pattern needs items that are known"
    assert (first.code, first.message) == ("AD107", f"{known}, not {name}")


@pytest.mark.parametrize("array", ["np.ones(2)", "np.array([a, b])", "np.zeros(k)"])
def test_arrays_fit_in_new_releases_of_numpy_alone(array):
    body = f"match {array}:\n    case [x, y]:\n        return b\nreturn a"
    first = read(source(body).encode(), "model.py").diagnostics[0]
    message = "an array fits this pattern since numpy 2.5, and not before"
    assert (first.code, first.message) == ("AD107", message)
