"""Carries change in turn where they can, and at once where they read each other."""

from __future__ import annotations

from textwrap import indent

import pytest
from amounts import ANY_ORDER
from support import generate, load, same_bits

SOURCE = """\
# ad: jvp(a)
def f(a: float, b: float, n: int) -> float:
    p, q, r = a, b, a * b
    for _ in range(n):
        {body}
    return p * q + r
"""
CUBES = (
    "p, q = (p * q + 0.25 * q * q * q - p * p * p) * (1.5 * p - 2.5 * q) + p * q, "
    "(q * p - 0.75 * p * p - q * q * q) * (3.5 * p - 1.5 * q) - p * q"
)

ENDS = {
    "at once where all fit on a line": (
        "p, q = q, p",
        "q, p, q_dot, p_dot = p, q, p_dot, q_dot\n",
    ),
    "three in a circle": (
        "p, q, r = q, r, p",
        "q, r, p, q_dot, r_dot, p_dot = r, p, q, r_dot, p_dot, q_dot\n",
    ),
    "in turn": (
        "p, q, r = q, r, r * r",
        "p = q\nq = r\np_dot = q_dot\nq_dot = r_dot\n"
        "r_dot = 2.0 * (r * r_dot)\nr = r * r\n",
    ),
    "last what the others read": (
        "p, q, r = q + r, p - q, 1.0",
        "q_dot, p_dot = p_dot - q_dot, r_dot + q_dot\nr_dot = 0.0\nr = 1.0\n",
    ),
    "by one name where a line is too short": (
        CUBES,
        "    - p_diff_2 * (3.0 * (sq_p * p_dot - times_p) - plus_q)\n)\n"
        "q_dot = q_diff * (3.5 * p_dot - 1.5 * q_dot) - times_q - plus_q\n"
        "p_dot = p_dot_2\n",
    ),
    "only what changes": ("p = p * r", "p_dot = p * r_dot + r * p_dot\np = p * r\n"),
}


@pytest.mark.parametrize(("body", "end"), ENDS.values(), ids=ENDS)
def test_the_end_of_a_trip(body: str, end: str) -> None:
    searched = {} if body == CUBES else ANY_ORDER
    text = generate(SOURCE.format(body=body), **searched)
    loop, behind, _ = text.partition("    return ")
    assert behind
    assert loop.endswith("\n" + indent(end, " " * 8))


@pytest.mark.parametrize("body", [body for body, _ in ENDS.values()], ids=ENDS)
def test_values_and_slopes(body: str) -> None:
    text = SOURCE.format(body=body)
    theirs, made = load(text)["f"], load(generate(text, **ANY_ORDER))["f_jvp"]
    for a, b, n in ((0.7, 0.4, 0), (0.7, 0.4, 1), (-0.3, 0.6, 3)):
        value, slope = made(a, 1.0, b, n)
        assert same_bits(value, theirs(a, b, n))
        ahead, behind = (theirs(a + h, b, n) for h in (1e-6, -1e-6))
        assert slope == pytest.approx((ahead - behind) / 2e-6, rel=1e-6, abs=1e-6)
