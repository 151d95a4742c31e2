"""Comments stand where they stood, once, and go with what they are about."""

from __future__ import annotations

import ast
from functools import cache

import black
from amounts import ANY_ORDER
from support import generate

SOURCE = """\
A, B, C = 8.07, 1730.6, 233.4  # of water
# ascending powers
K0, K1 = 1.1, 2.2


# ad: gradient(value=True), gradient
def f(x: float, y: float) -> float:
    P, Q = 2.0, 3.0  # both
    # kinetic
    kin = 0.5 * P * y**2  # J
    u, v = x * y, Q * x / y  # a pair
    s = kin + u  # noqa: E501
    w = (A + B * u + C * u * u) * s  # pylint: disable=invalid-name
    dead = x + y  # for nothing
    # in joule
    return w * v * K0 + K1 * x  # J/m
"""


@cache
def functions() -> tuple[str, str, str]:
    """Text above the functions, that with the value and that without."""
    text = generate(SOURCE, **ANY_ORDER)
    assert black.format_str(text, mode=black.Mode()) == text
    ast.parse(text)
    head, _, rest = text.partition("def f_value_and_grad")
    both, _, alone = rest.partition("def f_grad")
    return head, both, alone


def test_comments_of_constants_come_once():
    head, _, _ = functions()
    assert "A = 8.07  # of water\nB = 1730.6\nC = 233.4\n" in head
    assert "# ascending powers\nK0 = 1.1\nK1 = 2.2\n" in head


def test_comments_stand_above_or_behind_as_they_stood():
    _, both, _ = functions()
    assert "    P = 2.0  # both\n    Q = 3.0\n" in both
    assert "    # kinetic\n    kin = 0.5 * P * y**2  # J\n" in both
    assert both.count("# a pair") == 1
    assert both.count("# in joule") == both.count("# J/m") == 1
    assert both.index("# in joule") < both.index("    return")


def test_comments_for_tools_and_of_what_is_gone_are_left_out():
    for text in functions():
        for word in ("noqa: E501", "pylint: dis", "for nothing"):
            assert word not in text
    assert "in joule" not in functions()[2]
