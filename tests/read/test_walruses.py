"""A walrus in a comprehension binds a name of it, one in an `if` that of a function."""

from __future__ import annotations

import pytest
from amounts import ANY_ORDER, NUMBERS
from reading import codes
from support import generate, load, load_generated

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


BEHIND = [
    "if len(v) > 2 and (y := max(v)) > a:\n    return y * a * a\nreturn a",
    "if a > 0 and (y := math.sqrt(a)) > 0.5 and (z := y * v[0]) > 0:\n    r = z * y\n"
    "else:\n    r = a * a\nif not a > 0:\n    return r\nreturn r * y",
    "s, k = a, 0\nfor i, x in enumerate(v):\n"
    "    if i > 0 and x > -1 and (d := x * a - v[i - 1]) > 0.5:\n        s += d * d\n"
    "        k += 1\n    elif i and (d := x * a) < 0:\n        s -= d\n"
    "        continue\n"
    "    elif x > 1 and (e := s * x) > a:\n        break\n    else:\n        s *= 1.5\n"
    "    if k > 0 and (m := s / k) > 3:\n        return m * s\nreturn s",
    "t = 1.0\nfor k in range(20):\n    if k > 2 and (e := abs(t * t - a * a)) < 0.1:\n"
    "        return t + e\n    t = 0.5 * (t + a * a / t)\nreturn t",
]


@pytest.mark.parametrize("body", BEHIND)
def test_it_is_bound_where_what_stands_before_it_holds(body: str) -> None:
    source = HEAD + "".join(f"    {line}\n" for line in body.splitlines())
    text = generate(source, **NUMBERS)
    assert "not True" not in text
    made, plain, h = load(text)["f_value_and_grad"], load(source)["f"], 1e-5
    for a, v in ((0.75, [0.5, -0.25, 1.5]), (1.25, [1.0, 0.5]), (-0.5, [2.0, 0.3])):
        value, slope = made(a, v)
        assert value == plain(a, v)
        assert slope == pytest.approx((plain(a + h, v) - plain(a - h, v)) / (2 * h))


def test_it_is_not_bound_where_that_does_not_hold() -> None:
    body = "    if a > 0 and (y := a * a) > 2:\n        a = 1.0\n    return a * y\n"
    made, plain = load(generate(HEAD + body, **ANY_ORDER)), load(HEAD + body)["f"]
    for function in (made["f_value_and_grad"], plain):
        with pytest.raises(UnboundLocalError):
            function(-1.0, [])
    assert made["f_value_and_grad"](0.5, []) == (plain(0.5, []), 0.75)


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
