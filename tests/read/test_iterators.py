"""`itertools`, `filter` and generators in loops: values are Python's to the bit,
derivatives those of sixty digits, and what no trip reaches is not computed.
"""

from __future__ import annotations

from typing import Any

import pytest
from amounts import ANY_ORDER, NUMBERS, part
from numpy.testing import assert_allclose
from reading import bits, indented
from support import flat, generate, hessian, jacobian, load, load_exact, load_generated

HEAD = """import math
import operator
from functools import reduce
from itertools import (
    accumulate, combinations, combinations_with_replacement, compress, count, cycle,
    dropwhile, filterfalse, islice, permutations, product, repeat, starmap, takewhile,
    zip_longest,
)


def terms(x):
    t = 1.0
    k = 1
    while True:
        yield t
        t *= x / k
        k += 1


# ad: gradient(a, b, value=True)
def f(a: float, b: float, n: int):
    x = [a * k + b * b * (k % 3) - 1.0 for k in range(n)]
"""

# fmt: off
BODIES = {
    "islice": "return a + sum(v * v for v in islice(x, n // 2))",
    "islice from": "s = b\nfor v in islice(x, 1, n):\n    s += v * s\nreturn s",
    "a list made at once": (
        "for v in [v * a for v in x if v < b]:\n    a += v * b\n    b -= a\nreturn a"
    ),
    "rows made at once": (
        "for v, w in [[v * a, b] for v in x]:\n    a += v * w\nreturn a * b"
    ),
    "a list made at once, counted": (
        "for k, v in enumerate([v * a for v in x]):\n    a += v * k + x[k]\n"
        "    x[(k + 1) % len(x)] *= b\nreturn a"
    ),
    "lists made at once, in pairs": (
        "for v, w in zip(reversed([v * a for v in x]), [b for v in x if v < a]):\n"
        "    a += v * w\n    b -= a\nreturn a"
    ),
    "islice step": "return a * b + math.prod(islice(x, 1, 9, 2))",
    "islice to the end": "y = list(islice(x, 2, None))\nreturn a + sum(y) * b",
    "islice of a generator": "return a + sum(islice(terms(b), n))",
    "islice of a part": "return a + sum(islice(terms(b), 1, n, 2))",
    "islice that goes on": (
        "s = a\nfor k, t in enumerate(islice(terms(b), n)):\n"
        "    if k == 1:\n        continue\n    s += t * s\nreturn s"
    ),
    "islice that ends": (
        "s = a\nfor t in islice(terms(b), n):\n    if t > 1.5:\n        break\n"
        "    s *= t\nelse:\n    s += b\nreturn s"
    ),
    "islice of zip": "return a + sum(u * v for u, v in islice(zip(x, x), 1, 3))",
    "islice of a list": "return sum(islice([a, b, a * b], 1, 3))",
    "islice of a tuple": (
        "s = a\nfor v in islice((a, b, 2.0), n):\n    s *= v\nreturn s"
    ),
    "max of islice": "return a * max(islice(x, n), default=b)",
    "takewhile": "return a + sum(takewhile(lambda v: v < b, x))",
    "takewhile in a loop": (
        "s = a\nfor v in takewhile(lambda v: v < b, x):\n    s += v * s\nreturn s"
    ),
    "takewhile of terms": "return a + sum(takewhile(lambda t: t > 0.01, terms(b)))",
    "takewhile of known": (
        "y = list(takewhile(lambda v: v < 1.0, [a, b, a * b]))\n"
        "return a * len(y) + sum(y)"
    ),
    "dropwhile": "return a * sum(v * v for v in dropwhile(lambda v: v < b, x))",
    "dropwhile in a loop": (
        "s = a\nfor v in dropwhile(lambda v: v < 0.1, x):\n"
        "    if v > 2.0:\n        continue\n    s += v * s\nreturn s"
    ),
    "filter": "return b + a * sum(filter(lambda v: v > 0.2, x))",
    "filter of None": "s = a\nfor v in filter(None, x):\n    s += 1 / v\nreturn s",
    "filterfalse": "return b + a * sum(filterfalse(lambda v: v > 0.2, x))",
    "starmap": "return a + sum(starmap(operator.mul, zip(x, x[1:])))",
    "compress": "return b + a * sum(compress(x, [v > 0.2 for v in x]))",
    "count": (
        "s, t = 0.0, 1.0\nfor k in count(1):\n    s += t\n    t *= a * b / k\n"
        "    if abs(t) < 1e-9:\n        break\nreturn s"
    ),
    "count by steps": (
        "s = a\nfor t in count(0.5, 0.25):\n    if t > n:\n        return s\n"
        "    s += t * b\n"
    ),
    "repeat": "s = a\nfor _ in repeat(None, n):\n    s = 0.5 * (s + b / s)\nreturn s",
    "repeat for ever": "return sum(islice(repeat(a * b), n)) + a",
    "accumulate": "return a + sum(y * y for y in accumulate(x, max))",
    "accumulate beside": (
        "return b + a * sum(p - v for p, v in zip(accumulate(x, max), x))"
    ),
    "accumulate by a lambda": (
        "s = b\nfor y in accumulate(x, lambda u, v: a * u + (1 - a) * v):\n"
        "    s += y * y\nreturn s"
    ),
    "accumulate from": (
        "y = list(accumulate(x, lambda u, v: u * a + v, initial=b))\n"
        "return y[-1] * y[0]"
    ),
    "accumulate of ints": (
        "return a * sum(accumulate(range(n), lambda u, v: 2 * u + v))"
    ),
    "accumulate of terms": "return sum(islice(accumulate(terms(a)), n)) * b",
    "max of accumulate": "return a + max(accumulate(x, min), default=b)",
    "cycle": (
        "return a + sum(w * v for v, w in zip(x, cycle((4, 2)))) + b * sum(\n"
        "    u * v for u, v in zip((a, b, 2.0), cycle([1.0, a])))"
    ),
    "cycle alone": (
        "s = a\nfor v in cycle((b, 0.5)):\n    s *= v\n    if s < 0.01:\n"
        "        break\nreturn s + sum(islice(cycle((a, b)), n))"
    ),
    "count beside": (
        "s = b\nfor k, v in zip(count(n, -2), x):\n    s += k * v * s\n"
        "return s + sum(k * v for v, k in zip((a, b), count(1)))"
    ),
    "repeat beside": (
        "return a + sum(map(pow, x, repeat(2))) + sum(map(pow, (a, b), repeat(3)))"
    ),
    "zip_longest": (
        "s = a\nfor u, v in zip_longest(x, x[2:], fillvalue=b):\n    s += u * v\n"
        "for u, v in zip_longest((a, b, 2.0), (b,), fillvalue=1.0):\n    s *= u + v\n"
        "return s"
    ),
    "product": (
        "s = a\nfor u, v in product(x, (a, b)):\n    s += u * v * s\nreturn s"
    ),
    "product of numbered": (
        "s = a\nfor (i, u), (j, v) in product(enumerate(x), enumerate(x)):\n"
        "    s += u * v / (1 + i + j)\nreturn s"
    ),
    "product that ends": (
        "s = a\nfor i, j in product(range(n), range(n)):\n"
        "    if i * j > 4:\n        break\n    s += x[i] * x[j]\nreturn s"
    ),
    "product of one": "return b * sum(u * v * w for u, v, w in product(x, repeat=3))",
    "product of what changes": (
        "s = a\nfor u, v in product(x, x):\n    x[0] = u + v\n    s += x[0] * b\n"
        "return s"
    ),
    "product of a generator": (
        "s = a\nfor u, v in product((r * b for r in x), x):\n    s += u * v\n"
        "return s"
    ),
    "combinations": "return b + a * sum((u - v) ** 2 for u, v in combinations(x, 2))",
    "combinations of three": (
        "s = b\nfor i, j, k in combinations(range(n), 3):\n"
        "    s += x[i] * x[j] * x[k]\nreturn s * a"
    ),
    "combinations that end": (
        "s = b\nfor u, v in combinations(x, 2):\n    if u * v < 0.0:\n"
        "        continue\n    if s > 3.0:\n        return s * a\n    s += u * v\n"
        "return s"
    ),
    "combinations with replacement": (
        "return a + b * sum(u * v for u, v in combinations_with_replacement(x, 2))"
    ),
    "permutations": "return sum(u * v * v for u, v in permutations([a, b, 2.0], 2))",
    "lists written where they are read": (
        "s = sum(v * b for v in [u * a for u in x]) + sum(iter([u * b for u in x]))\n"
        "s += sum(starmap(lambda u, v: u * v, [(u, a) for u in x]))\n"
        "s += sum(u * v for u in (a, b) for v in [u * b for u in x if u > b])\n"
        "s += sum(u * v for u, v in combinations([u + a for u in x], 2))\n"
        "s += sum(u * v for u, v in product([u * b for u in x], (a, b)))\n"
        "s += sum(accumulate([u * b for u in x], lambda p, q: p * b + q))\n"
        "return s * reduce(lambda p, q: p * b + q, [u * a for u in [b, *x]])"
    ),
    "permutations of all": (
        "s = b\nfor p, q, r in permutations((a, b, 2.0)):\n    s += p * q * q * r\n"
        "for p, q in permutations([a, b], None):\n    s *= p + 2.0 * q\nreturn s"
    ),
    "generator": (
        "s = a\nfor r in (v * b for v in x if v != a):\n    s += r * s\nreturn s"
    ),
    "map": (
        "s = a\nfor u, r in zip(x, map(lambda v: v * b, x)):\n    s += u * r\n"
        "for r in map(lambda u, v: u * v * b, x, x[1:]):\n    s += r * s\nreturn s"
    ),
    "nested generator": (
        "s = a\nfor k, r in enumerate(u * v for u in x for v in (a, b)):\n"
        "    if k == 3:\n        break\n    s += r * k\nreturn s"
    ),
}
# fmt: on


TWICE = HEAD.replace("True)", "True), hessian(a, b)")
BENT = part([*BODIES], 3)
"""Those that are differentiated twice, too."""


@pytest.mark.parametrize("name", BODIES)
def test_is_what_python_and_sixty_digits_say(name: str) -> None:
    source = (TWICE if name in BENT else HEAD) + indented(BODIES[name])
    ours = load_generated(source, **NUMBERS)
    theirs, exact = load(source)["f"], load_exact(source)["f"]
    for n in (5, 1, 0):
        values: dict[str, Any] = {"a": 0.7, "b": 0.9, "n": n}
        value, slopes = ours["f_value_and_grad"](**values)
        assert bits(value) == bits(float(theirs(**values)))
        wanted = [[float(v) for v in row] for row in jacobian(exact, values, "ab")]
        assert_allclose(slopes, wanted[0], rtol=1e-13, atol=1e-14)
        if name not in BENT:
            continue
        curves = [float(v) for row in hessian(exact, values, "ab") for v in row]
        assert_allclose(flat(ours["f_hess"](**values)), curves, 1e-12, 1e-12)


LAZY = {
    "generator": "s = 0.0\nfor r in (math.sqrt(v) for v in x):\n    if r > 2:\n"
    "        break\n    s += r\nreturn s",
    "generator of known": "s = 0.0\nfor r in (1 / v for v in (x[0], x[1], 0.0)):\n"
    "    if r < 0.5:\n        break\n    s += r\nreturn s",
    "map": "s = 0.0\nfor r in map(math.sqrt, x):\n    if r > 2:\n        return s\n"
    "    s += r\nreturn s",
    "takewhile": "return sum(takewhile(lambda r: r < 2, (math.sqrt(v) for v in x)))",
    "islice": "return sum(islice((math.sqrt(v) for v in x), 2))",
}


@pytest.mark.parametrize("name", LAZY)
def test_what_no_trip_reaches_is_not_computed(name: str) -> None:
    head = HEAD[: HEAD.index("# ad:")]
    source = f'{head}# ad: gradient\ndef f(x: "Vector[n]"):\n{indented(LAZY[name])}'
    x = [1.0, 9.0 if name != "islice" else 1.0, -1.0]
    assert load(source)["f"](x) >= 1.0  # it does not raise
    found = load_generated(source, **NUMBERS)["f_grad"](x)
    assert found[0] in (0.5, -1.0)
    assert found[2] == 0.0


def test_a_bound_below_0_raises_as_python_does() -> None:
    source = TWICE + indented("return a * sum(islice(x, n))")
    namespaces = load(source)["f"], load_generated(source, **NUMBERS)["f_hess"]
    said = []
    for function in namespaces:
        with pytest.raises(ValueError, match="islice") as raised:
            function(0.7, 0.9, -1)
        said.append(str(raised.value))
    assert said[0] == said[1]


def test_an_item_that_a_trip_makes_has_no_list() -> None:
    body = "s = a\nfor r in (v * v for v in x):\n    s += r * b\nreturn s"
    text = generate(HEAD + indented(body), **ANY_ORDER)
    assert "r_list" not in text
    assert "v * v" in text
