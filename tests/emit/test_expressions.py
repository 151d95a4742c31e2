"""Expressions: parentheses, literals, blanks."""

from __future__ import annotations

import math

import pytest
from hand import Hand, body_of, text_of, values

from ad_transform.elementals import TABLE
from ad_transform.emit.python.spelling import spelled

A, B, C = values("a b c")


def expression(build) -> str:
    hand = Hand((A, B, C))
    return body_of(hand.function(build(hand))).removeprefix("return ")


# fmt: off
CASES = [
    (lambda h: h.neg(h.add(A, B)),             "-(a + b)"),
    (lambda h: h.pow(h.neg(A), 2),             "(-a) ** 2"),
    (lambda h: h.neg(h.pow(A, 2)),             "-(a**2)"),
    (lambda h: h.sub(A, h.sub(B, C)),          "a - (b - c)"),
    (lambda h: h.sub(h.sub(A, B), C),          "a - b - c"),
    (lambda h: h.add(A, h.add(B, C)),          "a + (b + c)"),
    (lambda h: h.div(A, h.mul(B, C)),          "a / (b * c)"),
    (lambda h: h.mul(h.div(A, B), C),          "a / b * c"),
    (lambda h: h.mul(h.mul(2.0, A), B),        "2.0 * a * b"),
    (lambda h: h.mul(A, h.mul(B, C)),          "a * (b * c)"),
    (lambda h: h.mul(h.neg(A), B),             "-a * b"),
    (lambda h: h.neg(h.mul(A, B)),             "-(a * b)"),
    (lambda h: h.mul(A, h.neg(B)),             "a * -b"),
    (lambda h: h.pow(-2.0, A),                 "(-2.0) ** a"),
    (lambda h: h.sub(A, -2.0),                 "a - -2.0"),
    (lambda h: h.pow(A, -2),                   "a**-2"),
    (lambda h: h.pow(A, h.neg(B)),             "a**-b"),
    (lambda h: h.pow(A, h.pow(B, C)),          "a ** (b**c)"),
    (lambda h: h.pow(h.pow(A, B), C),          "(a**b) ** c"),
    (lambda h: h.pow(h.sin(A), 2),             "sin(a) ** 2"),
    (lambda h: h.pow(A, h.sin(B)),             "a ** sin(b)"),
    (lambda h: h.mul(2, A),                    "2.0 * a"),
    (lambda h: h.pow(A, 3),                    "a**3"),
    (lambda h: h.pow(2, A),                    "2.0**a"),
    (lambda h: h.mul(A, 1e-05),                "a * 1e-05"),
    (lambda h: h.mul(A, 1e22),                 "a * 1e22"),
    (lambda h: h.mul(A, math.inf),             "a * inf"),
    (lambda h: h.mul(A, -math.inf),            "a * -inf"),
    (lambda h: h.max(A, B),                    "b if b > a else a"),
    (lambda h: h.mul(2.0, h.max(A, B)),        "2.0 * (b if b > a else a)"),
    (lambda h: h.hypot(A, B, C),               "hypot(a, b, c)"),
    (lambda h: h.sum(A, B),                    "sum((a, b))"),
    (lambda h: h.sum_from(A, B),               "sum((b,), a)"),
    (lambda h: h.dist(A, B, C, 0.0),           "dist((a, b), (c, 0.0))"),
    (lambda h: h.abs(h.floordiv(h.mod(A, B), C)), "abs(a % b // c)"),
]
# fmt: on


@pytest.mark.parametrize("build, text", CASES)
def test_expression(build, text):
    # a vague type is bound before it is returned
    assert expression(build).split(" = ")[-1].split("\n")[0] == text


def test_operand_used_twice_by_the_spelling_gets_a_name():
    hand = Hand((A, B))
    assert body_of(hand.function(hand.max(hand.sin(A), B))) == (
        "sin_a = sin(a)\nreturn b if b > sin_a else sin_a"
    )


def test_operand_that_may_not_be_evaluated_gets_a_name():
    for name in ("heaviside", "max", "fmin"):
        assert spelled(TABLE[name], 2).uses[1] == 2


def test_long_whole_number_stays_whole():
    assert expression(lambda h: h.mul(A, 2**53 + 1)) == f"a * {2**53 + 1}"


def test_file_is_typed_where_typeshed_says_any():
    text = text_of((hand := Hand((A, B))).function(hand.pow(A, B)))
    assert "value: float = a**b\n    return value" in text
