"""Slices of lists that get more items, or fewer, as Python has them."""

from __future__ import annotations

import pytest
from amounts import NUMBERS
from support import generate, load, run

HEAD = """import math

# ad: gradient(x), jvp(x)
def f(x: float, n: int):
    p = []
    for k in range(n + 1):
        p.append(x * k + 1.0)
    q = p
"""
BODIES = (
    "p[1:] = [a * x for a in p]",
    "p[1:] = range(n)",
    "p[:2] = [x]",
    "p[1:2] = [x, 2.0 * x, 3.0]",
    "p[5:] = p",
    "p[:0] = p",
    "p[:] = p + [x]",
    "p[2:1] = [x]",
    "p[-2:] = [x * p[0]]",
    "p[::2] = [x * a for a in p[::2]]",
    "for k in range(n):\n        p[k : k + 1] = [x, p[k]]",
    "p[1:] = (a * a for a in p)",
    "p[1:4] = reversed(p[1:4])",
    "p[::2] = map(math.sin, p[::2])",
    "p[:2] = (p[0] * a for a in p if a > 0.5)",
    "def each():\n        for a in p:\n            yield x * a\n    p[1:3] = each()",
    "p += [x * a for a in p]",
    "p.extend([x * a for a in p])",
)


@pytest.mark.parametrize("body", BODIES)
def test_values_are_those_of_python(body: str) -> None:
    text = f"{HEAD}    {body}\n    return p[-1] * q[0] + sum(q) + len(p)\n"
    f, made = load(text)["f"], load(generate(text, **NUMBERS))
    for n in (0, 1, 4):
        value, slope = made["f_jvp"](0.7, 1.0, n)
        assert value == pytest.approx(f(0.7, n), rel=1e-15)
        ahead, behind = f(0.7 + 1e-6, n), f(0.7 - 1e-6, n)
        assert slope == pytest.approx((ahead - behind) / 2e-6, rel=1e-7, abs=1e-7)
        assert made["f_grad"](0.7, n) == pytest.approx(slope, rel=1e-14)


def test_a_slice_with_steps_gets_as_many() -> None:
    text = f"{HEAD}    p[::2] = [x]\n    return p[0]\n"
    made = load(generate(text, **NUMBERS))
    with pytest.raises(ValueError, match=r"lengths differ in p\[::2\]: 3 and 1"):
        made["f_grad"](0.7, 4)


def test_what_has_no_items_is_refused() -> None:
    (found,) = run(f"{HEAD}    p[1:] = x\n    return p[0]\n").diagnostics
    assert (found.code, found.help) == ("AD107", "give it a list")
