"""Properties of structured programs: the law, the text, and what passes keep."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from structured import point, programs
from support import same_bits

from ad_transform.derive.primal import copy_primal
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.blocks import renewed, shape
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Block, walk
from ad_transform.ir.parse import parse_function
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import verify


def agree(function, other):
    """Whether two functions compute the same bits at some points."""
    verify(other)
    for seed in range(3):
        args = point(function, seed)
        expected, found = evaluate(function, args), evaluate(other, args)
        assert all(map(same_bits, expected, found)), (args, expected, found)


def of_block(function, block):
    parameters = tuple(
        replace(p, vars=(var,))
        for p, var in zip(function.parameters, block.params, strict=True)
    )
    return replace(function, block=block, parameters=parameters)


@settings(deadline=None)
@given(programs(arrays=2) | programs())
def test_programs_are_under_the_law(function):
    verify(function)
    for seed in range(3):
        for value in evaluate(function, point(function, seed)):
            assert abs(value) < 1e9


@settings(deadline=None)
@given(programs(arrays=2) | programs())
def test_the_text_is_read_back(function):
    text = format_function(function)
    again = parse_function(text, TABLE)
    assert format_function(again) == text
    agree(function, again)


@settings(deadline=None)
@given(programs(arrays=2) | programs())
def test_a_copy_means_the_same(function):
    block = renewed(function.block)
    assert shape(block) == shape(function.block)
    agree(function, of_block(function, block))


@settings(deadline=None)
@given(programs(arrays=2) | programs())
def test_what_is_not_needed_is_left_out(function):
    body = live(function.body, function.results)
    block = Block(function.block.params, body, function.results)
    assert len(list(walk(body))) <= len(list(walk(function.body)))
    agree(function, replace(function, block=block))


@settings(deadline=None)
@given(programs(arrays=2) | programs())
def test_what_is_sacred_is_laid_to_the_bit(function):
    builder = Builder(TABLE, LAWS)
    env = copy_primal(function, builder)
    results = tuple(env.get(r, r) for r in function.results)
    block = Block(function.block.params, tuple(builder.body), results)
    agree(function, replace(function, block=block))
