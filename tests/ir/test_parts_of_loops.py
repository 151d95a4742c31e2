"""The parts of a loop: which parameter stands for what, and where each result goes."""

from __future__ import annotations

import pytest
from programs import LOOPING, RECORDING, SCANNING, program

from ad_transform.ir.nodes import Scan, While

LOOPS = [
    statement
    for text in (SCANNING, LOOPING, RECORDING)
    for statement in program(text).nested
    if isinstance(statement, Scan | While)
]


@pytest.mark.parametrize("loop", LOOPS, ids=lambda loop: type(loop).__name__)
def test_each_parameter_and_result_is_one_of_the_parts(loop: Scan | While):
    index = loop.body.params[: loop.first_carry]
    assert len(index) == isinstance(loop, Scan)
    parts = (loop.carry_params, loop.read_params, loop.entry_params)
    assert sum(parts, index) == loop.body.params
    outside = (loop.carries, loop.reads, loop.entries)
    assert [*map(len, parts)] == [*map(len, outside)]
    assert loop.handed_on + loop.records == loop.body.results
    trips = (loop.trips,) if isinstance(loop, While) else ()
    assert loop.finals + loop.stacks + trips == loop.outs


def test_there_are_loops_of_both_kinds_with_every_part():
    assert {type(loop) for loop in LOOPS} == {Scan, While}
    assert any(loop.entry_params for loop in LOOPS)
    assert any(loop.records for loop in LOOPS)
