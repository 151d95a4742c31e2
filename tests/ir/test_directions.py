"""The direction in which loops run."""

from __future__ import annotations

import pytest
from amounts import ANY_ORDER
from programs import program
from support import generate, load

from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.loops.directions import downwards, upwards
from ad_transform.ir.nodes import Scan
from ad_transform.ir.verify import verify

DOWN = """\
function f primal 0 nest tuple({results})
parameter x (%0: float[n])
  %1: int = size(%0)
  %2: int = sub(%1, {less})
  %3: float{more} = scan ({start}, %1, 1) (0.0) (%2, %0) ()
  body (%4{name}: int, %5: float, %6: int, %7: float[n])
    %8: int = {place}
    %9: float = get(%7, %8)
    %10: float = mul(%5, 0.5)
    %11: float = add(%10, %9)
    {other}: float = float(%4)
    give %11{record}
  give {given}
"""
PLAIN = {
    "results": ".",
    "less": "1",
    "start": "0",
    "name": "",
    "place": "sub(%6, %4)",
    "more": "",
    "record": "",
    "given": "%3",
    "other": "%20",
}


def source(**words: str):
    lines = DOWN.format(**PLAIN | words).splitlines()
    kept = [line for line in lines if "%20: float" not in line]
    return program("\n".join(kept) + "\n")


def test_a_place_that_is_counted_down_is_the_index_of_a_loop_down():
    function = source()
    made = downwards(function)
    verify(made)
    (loop,) = (s for s in made.body if isinstance(s, Scan))
    assert loop.backwards and len(loop.body.body) == 3
    for x in ([], [1.0], [1.0, 2.0, 4.0]):
        assert evaluate(made, (x,)) == evaluate(function, (x,))


@pytest.mark.parametrize(
    "words",
    [
        pytest.param({"less": "2"}, id="from another place"),
        pytest.param({"start": "1"}, id="another range"),
        pytest.param({"name": " i!"}, id="an index that has a name"),
        pytest.param({"place": "add(%6, %4)"}, id="counted up"),
        pytest.param({"other": "%21"}, id="the index is read elsewhere"),
        pytest.param(
            {
                "more": ", %12: float[s]",
                "record": ", %9",
                "results": "., .",
                "given": "%3, 0.0",
            },
            id="what is recorded goes with the range",
        ),
    ],
)
def test_other_loops_stay(words):
    function = source(**words)
    assert downwards(function) is function


UP = """\
function f primal 0 nest .
parameter x (%0: float[n])
parameter stop (%1: int)
  %2: int = size(%0)
  %3: int = sub(%2, 2)
{known}  %5: float = scan (%3, {stop}, {step}) (0.0) (%0) (){way}
  body (%6: int, %7: float, %8: float[n])
    %9: float = get(%8, %6)
    %10: float = mul(%7, 0.5)
    %11: float = add(%10, %9)
    give %11
  give %5
"""
BACK = {"known": "", "stop": "-1", "step": "-1", "way": " backwards"}


@pytest.mark.parametrize(
    "words, statements",
    [({}, 3), ({"stop": "%1"}, 4), ({"known": "  %4: int = sub(%2, 1)\n"}, 3)],
)
def test_a_range_down_that_is_run_backwards_is_a_range_up(words, statements):
    function = program(UP.format(**BACK | words))
    made = upwards(function, TABLE)
    verify(made)
    (loop,) = (s for s in made.body if isinstance(s, Scan))
    assert not loop.backwards and loop.step.value == 1
    assert len(made.body) == statements
    for x in ([1.0], [1.0, 2.0], [1.0, 2.0, 4.0, 8.0]):
        for stop in (-1, 0, 1):
            assert evaluate(made, (x, stop)) == evaluate(function, (x, stop))


@pytest.mark.parametrize("words", [{"way": ""}, {"step": "-2"}, {"step": "%1"}])
def test_other_ranges_stay(words):
    function = program(UP.format(**BACK | words))
    assert upwards(function, TABLE) is function


HORNER = """
# ad: gradient
def p(coeffs: "Vector[n]", x: float) -> float:
    total = 0.0
    for c in reversed(coeffs):
        total = total * x + c
    return total
"""


def test_horner_reads_as_in_the_source():
    text = generate(HORNER, **ANY_ORDER)
    assert "for c in reversed(coeffs_list):\n" in text and "minus_1" not in text
    slopes, slope = load(text)["p_grad"]([1.0, 2.0, 4.0], 0.5)
    assert list(slopes) == [1.0, 0.5, 0.25] and slope == 6.0
