"""A walrus in a comprehension binds a name of the comprehension."""

from __future__ import annotations

import pytest
from amounts import NUMBERS
from reading import codes
from support import load, load_generated

HEAD = 'import math\n\n\n# ad: gradient(a, value=True)\ndef f(a, v: "Vector[n]"):\n'
BODIES = [
    "return sum([y * a for x in v if (y := math.sin(x * a)) > 0.0])",
    "return sum(y * y for x in v if (y := x * a) > -0.5 if (z := y + x) > -1)",
    "return max((y := x * a) + y * y for x in v)",
    "w = [y for x in v if (y := x * a) < 2]\n"
    "u = [y * a for x in w if (y := x + a) > 0]\n"
    "return sum(w) * sum(u)",
    "return sum(r * r for x in v for y in v if (r := x - y * a) > 0.0)",
    "u = [y * a for x in (a, 0.25, -a) if (y := x * a) > 0.0]\nreturn u[0] * u[1]",
]


@pytest.mark.parametrize("body", BODIES)
def test_it_is_read_in_the_comprehension(body: str) -> None:
    source = HEAD + "".join(f"    {line}\n" for line in body.splitlines())
    plain, h, v = load(source)["f"], 1e-5, [0.5, -0.25, 1.5]
    value, slope = load_generated(source, **NUMBERS)["f_value_and_grad"](0.75, v)
    assert value == plain(0.75, v)
    assert slope == pytest.approx((plain(0.75 + h, v) - plain(0.75 - h, v)) / (2 * h))


@pytest.mark.parametrize(
    "body",
    [
        "w = [y for x in v if (y := x * a) > 0]\nreturn sum(w) * y",  # read behind it
        "y = a\nw = [y for x in v if (y := x * a) > 0]\nreturn sum(w) * y",
        "def g():\n    nonlocal y\n    y = a\n    return y\n"
        "u = [y * g() * y for x in v if (y := a + x) > 0.0]\nreturn sum(u) * g() * y",
        "return sum([y for x in v if a > 1 or (y := x * a) > 0])",
        "return sum([(lambda: a > 1 and (y := x))() for x in v if (y := x * a) > 0])",
    ],
)
def test_it_is_refused_where_it_may_be_read_elsewhere_or_may_not_run(body: str) -> None:
    source = HEAD + "".join(f"    {line}\n" for line in body.splitlines())
    assert {"AD102", "AD103"} & set(codes(source))
