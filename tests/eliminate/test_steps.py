"""The step language: printed, parsed, compared."""

import pytest

from ad_transform.eliminate import (
    BackEliminateEdge,
    Contract,
    CopyVariable,
    EliminateFace,
    EliminateVertex,
    FrontEliminateEdge,
    Sequence,
    SplitVertex,
    format_sequence,
    parse_sequence,
)

STEPS = (
    EliminateVertex(4),
    FrontEliminateEdge(2, 4),
    BackEliminateEdge(3, 4),
    EliminateFace(0, 5),
    CopyVariable(2, 4, 9),
    SplitVertex(4, 10, (1, 2), (6,)),
    Contract((4, 5, 6)),
)
TEXT = """\
vertex 4
front 2 4
back 3 4
face 0 5
copy 2 4 9
split 4 10 : 1 2 : 6
contract 4 5 6
"""


def test_sequences_are_printed_parsed_and_compared():
    sequence = Sequence(STEPS)
    assert str(sequence) == format_sequence(sequence) == TEXT
    assert parse_sequence(TEXT) == sequence
    assert parse_sequence("vertex 4 # first") != sequence
    assert len(sequence) == 7
    assert tuple(sequence) == STEPS


@pytest.mark.parametrize(
    "line",
    ["vertex", "vertex 1 2", "front 1", "back x 2", "split 1 2 3", "merge 1 2"],
)
def test_what_is_not_a_step_is_refused_with_its_line(line):
    with pytest.raises(ValueError, match=f"line 2: not a step: '{line}'"):
        parse_sequence(f"vertex 4\n{line}\n")
