"""Lists that loops have lengthened are as long as their trips say, and no longer."""

from __future__ import annotations

from textwrap import indent

import pytest
from amounts import ANY_ORDER
from support import generate, load, same_bits

SOURCE = """\
# ad: gradient(a, value=True)
def f(a: float, x: "Vector[n]", m: int) -> float:
    y, z, s = [], list(x), 0.0
    for d in x:
        y.append(a * d)
"""
POINTS = (0.7, [0.5, -1.5, 2.0], 2), (1.3, [0.25], 0), (0.4, [], -3)


def _read(one: str, other: str) -> str:
    return f"for p, q in zip({one}, {other}):\n    s += p * q\n"


def _loop(*body: str) -> str:
    return "for _ in range(3):\n" + indent("".join(body), "    ")


BOTH = _read("y", "z") + _read("z", "y")
EQUAL = {
    "as they are": BOTH,
    "in a loop": _loop(BOTH),
    "changed before": f"for k in range(len(z)):\n    y[k] *= 0.5\n{BOTH}",
    "changed where they are read": _loop(BOTH, "if y:\n    y[0] = s\n", BOTH),
    "changed in an arm": _loop(BOTH, "if y:\n    y[0] = s\nelse:\n    s += a\n"),
    "longer in both arms": (
        "if a > 0.5:\n    y.append(a)\nelse:\n    y.append(s)\ny.pop()\n" + BOTH
    ),
    "changed in every trip": _loop(BOTH, "for k in range(len(x)):\n    y[k] = s\n"),
    "longer by one and shorter by one": f"y.append(s)\ny.pop()\n{BOTH}",
    "of loops that are as long": (
        "u, v = [], [a]\n"
        "for k in range(m):\n    u.append(k * a)\n    v.append(a)\n"
        "u.append(a)\n" + _read("u", "v")
    ),
}
OFF = {
    "longer by one": f"y.append(a)\n{BOTH}",
    "shorter": f"z.append(a)\nz.append(a)\ny.append(a)\nz.pop()\nz.pop()\n{BOTH}",
}
"""Lists whose lengths differ by what is known."""
APART = {
    "shorter by one": f"y.append(a)\ny.pop()\nif y:\n    y.pop()\n{BOTH}",
    "longer in an arm": f"if a > 0.5:\n    y.append(a)\n{BOTH}",
    "longer in both arms by what is not the same": (
        f"if a > 0.5:\n    y.append(a)\n    y.append(a)\nelse:\n    y.append(s)\n{BOTH}"
    ),
    "as long as one arm makes it": (
        "z.append(a)\nz.append(a)\nif a > 0.5:\n    y.append(a)\n    y.append(a)\n"
        f"else:\n    y.append(s)\n{BOTH}"
    ),
    "longer in an arm of each trip": (
        "for k in range(m):\n    z.append(a)\n    if s > k:\n        y.append(a)\n"
        f"    else:\n        s += a\n{BOTH}"
    ),
    "longer in later trips": _loop(BOTH, "y.append(s)\n"),
    "longer in inner loops": _loop(BOTH, "for k in range(2):\n    y.append(s + k)\n"),
    "a trip more": (
        "u, v = [a], []\n"
        "for k in range(m):\n    u.append(k * a)\n"
        "for k in range(m + 1):\n    v.append(a - k)\n" + _read("u", "v")
    ),
    "till a break": (
        "u = []\n"
        "for d in x:\n    u.append(d * a)\n    if d > 0.3:\n        break\n"
        + _read("z", "u")
    ),
}


def _text(body: str) -> str:
    return SOURCE + indent(body, "    ") + "    return s\n"


@pytest.mark.parametrize(
    "body",
    [*EQUAL.values(), *OFF.values(), *APART.values()],
    ids=[*EQUAL, *OFF, *APART],
)
def test_values_and_slopes(body: str) -> None:
    text = _text(body)
    theirs, made = load(text)["f"], load(generate(text, **ANY_ORDER))
    for a, x, m in POINTS:
        value, slope = made["f_value_and_grad"](a, list(x), m)
        assert same_bits(value, theirs(a, list(x), m))
        ahead, behind = (theirs(a + h, list(x), m) for h in (1e-6, -1e-6))
        assert slope == pytest.approx((ahead - behind) / 2e-6, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("body", [*EQUAL.values(), *OFF.values()], ids=[*EQUAL, *OFF])
def test_no_length_is_compared(body: str) -> None:
    assert " < " not in generate(_text(body), **ANY_ORDER)


@pytest.mark.parametrize("body", APART.values(), ids=APART)
def test_lengths_are_compared(body: str) -> None:
    assert "_size if " in generate(_text(body), **ANY_ORDER)


LENGTHS = """\
# ad: gradient
def f(a: float, n: int, steps: int) -> float:
    u = {made}
    for _ in range(steps):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * u[i] + u[i - 1] * u[i + 1]
    return sum(u)
"""


@pytest.mark.parametrize("made", ["[a] * n", "[a * i for i in range(n)]"])
def test_a_length_that_no_trip_changes_is_taken_once(made: str) -> None:
    text = generate(LENGTHS.format(made=made), **ANY_ORDER)
    assert text.count("u_size_minus_1 = len(u) - 1") == 1
    assert "for _ in" in text.partition("u_size_minus_1 = ")[2]
    assert "list[int]" not in text
