"""Items of generators that change something when they are made: who reads them one by
one sees what each has changed, as in Python, or they are refused.
"""

from __future__ import annotations

from typing import Any

import pytest
from amounts import NUMBERS
from numpy.testing import assert_allclose
from reading import bits, codes, indented
from support import jacobian, load, load_exact, load_generated

HEAD = """from functools import reduce
from itertools import (
    accumulate, chain, combinations, cycle, islice, pairwise, product, starmap,
    zip_longest,
)


class Tank:
    def __init__(self, level):
        self.level = level
        self.uses = 0

    def add(self, v):
        self.level += v
        self.uses += 1
        return v * self.level


# ad: gradient(a, b, value=True)
def f(a: float, b: float, n: int):
    x = [a * k + b for k in range(n)]
    known = (1.0, b, 2.0)
    c, t = [a], Tank(b)

    def g(v):
        c[0] += v
        return v * c[0]

    def h(u, v):
        c[0] += v
        return u * v + 1.0

"""

# fmt: off
BODIES = {
    "a comprehension": "return sum(p * c[0] for p in (g(w) for w in known)) + c[0]",
    "of unknown length": "return sum(p * c[0] for p in (g(w) for w in x)) + c[0]",
    "a list": "return sum([p * c[0] for p in map(g, x)]) + c[0]",
    "two clauses": "return sum(p * q * c[0] for p in map(g, known) for q in map(g, x))",
    "conditions": "return c[0] + sum(p * c[0] for p in map(g, known) if p > a)",
    "what it is made of": (
        "return sum(h(a, p) for p in (v * c[0] for v in known)) * c[0]"
    ),
    "that and a condition": (
        "return sum(h(a, p) for p in (v * c[0] for v in known) if p > b) * c[0]"
    ),
    "map of map": "return sum(map(lambda p: p * c[0], map(g, known)))",
    "map of map of unknown length": "return sum(map(lambda p: p * c[0], map(g, x)))",
    "enumerate": (
        "s = b\nfor k, p in enumerate(g(w) for w in known):\n    s += p * c[0]\n"
        "    if k == 1:\n        break\nreturn s * c[0]"
    ),
    "enumerate of unknown length": (
        "s = b\nfor k, p in enumerate(map(g, x), 1):\n    s += k * p * c[0]\n"
        "    if k == 2:\n        break\nreturn s * c[0]"
    ),
    "enumerate that waits": (
        "it = enumerate(map(g, known))\nc[0] += 3.0\nreturn sum(k * v for k, v in it)"
    ),
    "starmap": (
        "return sum(starmap(lambda k, p: p * k * c[0], enumerate(map(g, known))))"
    ),
    "accumulate": "return sum(islice(accumulate(known, h), 2)) * c[0]",
    "accumulate of what waits": (
        "s = b\nfor t in accumulate(map(g, x)):\n    s += t * c[0]\n"
        "    if s > 4.0:\n        break\nreturn s * c[0]"
    ),
    "product": (
        "s = b\nfor u, v in product((g(w) for w in known), (a, b)):\n    s += u * v\n"
        "return s + c[0]"
    ),
    "combinations": (
        "s = b\nfor u, v in combinations(map(g, known), 2):\n    s += u * v\n"
        "return s + c[0]"
    ),
    "combinations of unknown length": (
        "s = b\nfor u, v in combinations(map(g, x), 2):\n    s += u * v\n"
        "return s + c[0]"
    ),
    "next": "return next(p * c[0] for p in map(g, known) if p > 0.0) + c[0]",
    "any": "return c[0] + b * any(p > 2.0 for p in map(g, known)) + c[0]",
    "reduce": "return reduce(lambda p, q: p * c[0] + q, map(g, known), b) + c[0]",
    "an object": (
        "t = Tank(a)\nreturn sum(p * t.level for p in map(t.add, known)) + t.uses"
    ),
    "an object that is left": (
        "t = Tank(a)\ns = b\nfor k, p in enumerate(map(t.add, known)):\n"
        "    if k == 1:\n        break\n    s += p * t.level\nreturn s * t.level"
    ),
    "a new object": (
        "return sum(p * q for p, q in zip((Tank(v).add(b) for v in known), (a, b, 1)))"
    ),
    "product that is changed beside": (
        "return c[0] + sum(\n"
        "    u * h(u, v) for u, v in product((v * c[0] for v in known), (a, b)))"
    ),
    "map of two": "return sum(map(h, x, [a, b, 1.0, 2.0])) + c[0]",
    "reduce from": (
        "return reduce(lambda p, q: h(p, q), (v * c[0] for v in x), b) + c[0]"
    ),
    "zip of what changes nothing": (
        "s = b\nfor p, q in zip((w * c[0] for w in known), x):\n    s += p * q\n"
        "return s"
    ),
}
# fmt: on


@pytest.mark.parametrize("name", BODIES)
def test_is_what_python_and_sixty_digits_say(name: str) -> None:
    source = HEAD + indented(BODIES[name])
    ours = load_generated(source, **NUMBERS)["f_value_and_grad"]
    theirs, exact = load(source)["f"], load_exact(source)["f"]
    for n in (4, 1, 0):
        values: dict[str, Any] = {"a": 0.7, "b": 0.9, "n": n}
        value, slopes = ours(**values)
        assert bits(value) == bits(float(theirs(**values)))
        wanted = [[float(v) for v in row] for row in jacobian(exact, values, "ab")]
        assert_allclose(slopes, wanted[0], rtol=1e-13, atol=1e-14)


REFUSED = {
    "zip": ("sum(p * q * c[0] for p, q in zip(map(g, known), x))", "AD107"),
    "zip of unknown length": ("sum(p * q for p, q in zip(map(g, x), x[1:]))", "AD107"),
    "pairwise": ("sum(p * q * c[0] for p, q in pairwise(map(g, known)))", "AD107"),
    "zip_longest": (
        "sum(p * q for p, q in zip_longest(map(g, known), x, fillvalue=c[0]))",
        "AD107",
    ),
    "any of them": ("c[0] if any(map(g, known)) else b", "AD107"),
    "next of them": ("next(g(v) for v in known) * c[0]", "AD107"),
    "reduce": ("reduce(lambda p, q: p * c[0] + q, map(g, known))", "AD107"),
    "an object": ("sum(p * q for p, q in zip(map(t.add, known), (a, b, 1)))", "AD107"),
    "changed beside": (
        "sum(h(p, q) for p, q in zip((v * c[0] for v in known), (a, b, 1)))",
        "AD107",
    ),
    "changed beside in a loop": (
        "sum(h(p, q) for p, q in zip((v * c[0] for v in x), x))",
        "AD107",
    ),
    "changed beside in a list": (
        "sum([h(p, q) for p, q in enumerate(v * c[0] for v in x)])",
        "AD107",
    ),
    "changed beside in map": ("sum(map(h, (v * c[0] for v in x), x))", "AD107"),
    "reduce what changes": ("reduce(h, (v * c[0] for v in known))", "AD107"),
    "cycle": ("sum(islice(cycle(map(g, known)), 2)) + c[0]", "AD106"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_made_at_once_here_and_not_in_python_is_refused(name: str) -> None:
    body, code = REFUSED[name]
    assert codes(HEAD + indented(f"return {body}")) == [code]


@pytest.mark.parametrize("given", ["map(g, known)", "(g(v) for v in known)"])
def test_chain_makes_each_item_in_its_trip(given: str) -> None:
    source = HEAD + indented(f"return sum(p * c[0] for p in chain({given}, (a, b)))")
    value, _ = load_generated(source, **NUMBERS)["f_value_and_grad"](0.7, 0.9, 3)
    assert bits(value) == bits(load(source)["f"](0.7, 0.9, 3))


@pytest.mark.parametrize("name", ["zip", "pairwise"])
def test_a_list_of_the_items_is_the_way_out(name: str) -> None:
    body = REFUSED[name][0].replace("map(g, known)", "list(map(g, known))")
    source = HEAD + indented(f"return {body}")
    value, _ = load_generated(source, **NUMBERS)["f_value_and_grad"](0.7, 0.9, 3)
    assert bits(value) == bits(load(source)["f"](0.7, 0.9, 3))


def test_what_is_accumulated_in_no_trip_is_not_computed() -> None:
    source = HEAD + indented(
        "s = 1.0\nfor t in accumulate((a + 3.0, b, 0.0), lambda u, v: u / v):\n"
        "    s *= t\n    if s > 1.0:\n        break\nreturn s"
    )
    value, _ = load_generated(source, **NUMBERS)["f_value_and_grad"](0.7, 0.9, 0)
    assert bits(value) == bits(load(source)["f"](0.7, 0.9, 0))
