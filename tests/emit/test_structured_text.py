"""What is printed of a structured program computes what the program says."""

from __future__ import annotations

import black
from amounts import amount
from hand import text_of
from hypothesis import given, settings
from structured import point, programs
from support import flat, load, same_bits

from ad_transform.ir.evaluate import evaluate


@settings(deadline=None)
@given(programs(arrays=2) | programs())
def test_printed_programs_compute_the_same_bits(function):
    printed = load(text_of(function))["f"]
    for seed in range(3):
        args = point(function, seed)
        for found, expected in zip(
            flat(printed(*args)), evaluate(function, args), strict=True
        ):
            assert same_bits(found, expected)


@settings(deadline=None, max_examples=amount(10, 25))
@given(programs(arrays=2) | programs())
def test_black_leaves_them_unchanged(function):
    text = text_of(function)
    assert black.format_str(text, mode=black.Mode()) == text
