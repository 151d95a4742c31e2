"""The text form reads back to the function it was written from."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from programs import (
    ARRAYS,
    BRANCHING,
    DERIVING,
    KEEPING,
    LOOPING,
    PRINTING,
    RECORDING,
    SCANNING,
    STRAIGHT,
    deep,
    program,
)
from support import same_bits

from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import LEAF, Container, Literal, Origin, group
from ad_transform.ir.parse import parse_function
from ad_transform.ir.text import format_function


def read_back(function):
    text = format_function(function)
    again = parse_function(text, TABLE)
    assert format_function(again) == text
    return again


def giving(value, name="", origin=Origin.NUMBER):
    function = program(STRAIGHT)
    results = (Literal(value, name, origin),)
    return replace(function, block=replace(function.block, results=results))


@pytest.mark.parametrize(
    "text",
    [
        STRAIGHT,
        BRANCHING,
        SCANNING,
        LOOPING,
        RECORDING,
        DERIVING,
        ARRAYS,
        KEEPING,
        PRINTING,
    ],
)
def test_every_statement_reads_back(text):
    assert format_function(program(text)) == text


@pytest.mark.parametrize(
    "value",
    [
        0.0,
        -0.0,
        1,
        -3,
        10**30,
        1e-320,
        1e300,
        True,
        "it's\n",
        math.inf,
        -math.inf,
        math.nan,
    ],
)
def test_literals_keep_type_and_value(value):
    (result,) = evaluate(read_back(giving(value)), (1.0, 2.0))
    assert same_bits(result, value)


@pytest.mark.parametrize("origin", list(Origin))
def test_literals_keep_their_names(origin):
    (literal,) = read_back(giving(math.pi, "math.pi", origin)).results
    assert (literal.value, literal.name, literal.origin) == (math.pi, "math.pi", origin)


def test_nests_read_back():
    row = group((LEAF, LEAF), Container.ARRAY)
    nest = group((group((row, row), Container.ARRAY), group(()), LEAF), Container.LIST)
    assert read_back(replace(program(STRAIGHT), nest=nest)).nest == nest


def test_depth_is_no_limit():
    assert evaluate(read_back(deep(1_200)), (True, 2.0)) == (2.0,)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("mul(", "mull(", "line 6: expected an elemental"),
        ("    give %7, %5\n", "", "line 12: expected a value"),
        ("mul(%5, %6)", "mul(%5, %99)", "line 6: expected a value that is bound"),
        ("primal 1", "1", "line 1: expected 'primal'"),
        ("give %2, %8\n", "give %2, %8\n%9", "expected the end"),
    ],
)
def test_another_text_is_refused_with_its_line(old, new, message):
    assert old in SCANNING
    with pytest.raises(ValueError, match=message):
        program(SCANNING.replace(old, new))
