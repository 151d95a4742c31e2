# ruff: noqa: E501
"""Constructs inside constructs: what is nested is differentiated rightly."""

from __future__ import annotations

from functools import cache
from textwrap import indent

import pytest
from amounts import NUMBERS, pairs, part
from flows import Flows
from mpmath import mp, mpf
from support import generate, load, load_exact

# What stands inside is a few lines that change x, y and s.
CONSTRUCTS = {
    "plain": "x = x + 0.25 * y\n{0}",
    "when": "if x > y:\n    x = 0.5 * x\n{1}",
    "either": "if s < 1.0 and not x > 2.0:\n{1}else:\n    y = x * y\n",
    "cases": "if x > 2.5:\n    s += 1.0\nelif y > 0.3 or s > 2.0:\n{1}else:\n    y = -y\n",
    "guard": "if s > 6.0:\n    return s * x\n{0}",
    "counted": "for k in range(n):\n    s += x * k\n{1}",
    "down": "for k in range(n, -1, -2):\n{1}    s = s - 0.125 * k * y\n",
    "each": "for v in (x, 0.5, y):\n    s = s + v * v\n{1}",
    "pairs": "for a, (b, c) in ((x, (y, 1)), (y, (0.5, 2))):\n{1}    s += a * b / c\n",
    "until": "j{d} = 0\nwhile j{d} < n and s < 40.0:\n    j{d} += 1\n{1}",
    "endless": "j{d} = n\nwhile True:\n{1}    j{d} -= 1\n    if j{d} < 1:\n        break\n",
    "first": "for k in range(n):\n{1}    if s > 3.0:\n        break\nelse:\n    y = y * 1.5\n",
    "odd": "for k in range(n):\n    if k % 2:\n        continue\n    s += x\n{1}",
    "found": "for k in range(n):\n{1}    if s > 20.0:\n        return s * y\n",
    "match": "match n % 3:\n    case 0:\n        s = s + x\n    case 1 | 2:\n{2}",
    "sum": "s += sum(x / (k + 2.0) for k in range(n))\n{0}",
    "bound": "j{d} = 0\nwhile (t := x * j{d}) < 2.0 and j{d} < n:\n    j{d} += 1\n    s += t\n{1}",
}
LAST = "x = x - 0.125 * math.sin(s)\ns = 0.5 * s + x * y\n"
POINTS = ((0.75, 1.25, 3), (1.5, 0.375, 4), (-0.75, 0.5, 0), (2.75, -0.25, 2))


def written(*names: str) -> str:
    """The function of constructs inside one another, outermost first."""
    inside = LAST
    for depth, name in reversed(list(enumerate(names))):
        levels = [indent(inside, "    " * k) for k in range(3)]
        inside = CONSTRUCTS[name].format(*levels, d=depth)
    body = f"s = 0.5\n{inside}return s * x + y\n"
    return f"def f_{'_'.join(names)}(x, y, n: int):\n{indent(body, '    ')}"


OUTER = (
    *("when", "cases", "guard", "counted", "each"),
    *("until", "endless", "first", "found", "match"),
)
PAIRS = pairs(OUTER, CONSTRUCTS, 3)
"""Each construct inside a third of those that others stand in, or in all of them."""
PUSHED = part(PAIRS, 2)
"""Those that have tangents beside their adjoints."""


@cache
def flows(outer: str) -> Flows:
    """All that stands in one construct, derived in one run."""
    inside = [pair for pair in PAIRS if pair[0] == outer]
    source = "import math\n\n" + "\n\n".join(written(*pair) for pair in inside)
    named = {pair: f"f_{'_'.join(pair)}" for pair in inside}
    pushed = [name for pair, name in named.items() if pair in PUSHED]
    return Flows(source, [*named.values()], pushed)


@pytest.mark.parametrize("outer", OUTER)
def test_pairs(outer: str) -> None:
    for pair in PAIRS:
        if pair[0] == outer:
            for point in POINTS:
                flows(outer).check(f"f_{'_'.join(pair)}", point)


DEEP = [
    ("when", "counted", "counted", "first"),
    ("cases", "until", "counted", "odd"),
    ("guard", "each", "until", "bound"),
    ("match", "counted", "either", "down"),
    ("endless", "when", "counted", "found"),
    ("found", "counted", "match", "endless"),
]
STEP = mpf(10) ** -20


@pytest.mark.parametrize("names", DEEP, ids="-".join)
def test_curvature_of_what_stands_deeper(names: tuple[str, ...]) -> None:
    source, name = f"import math\n\n\n{written(*names)}", f"f_{'_'.join(names)}"
    product = load(generate(source.replace("\ndef f", "\n# ad: hvp\ndef f"), **NUMBERS))
    function = load_exact(source)[name]
    for x, y, n in POINTS:
        with mp.workdps(70):
            ends = [
                function(mpf(x) + k * STEP, mpf(y) - k * STEP, n) for k in (-1, 0, 1)
            ]
            bend = (ends[0] - 2 * ends[1] + ends[2]) / STEP**2
        by_x, by_y = product[f"{name}_hvp"](x, y, 1.0, -1.0, n)
        assert by_x - by_y == pytest.approx(float(bend), rel=1e-9, abs=1e-9)
