"""Functions that belong together: a derived function and those that it calls."""

from __future__ import annotations

from dataclasses import replace

import black
import pytest
from hand import text_of
from support import flat, load

from ad_transform.derive.kinds.kinds import derive
from ad_transform.derive.rounding.derive import estimate
from ad_transform.elementals import TABLE
from ad_transform.emit.python.module import print_function, print_module
from ad_transform.ir.blocks.live import live
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import LEAF, Bundle
from ad_transform.ir.parse import parse_function
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import LawBroken, verify, verify_bundle
from ad_transform.options import Options

STEP = """\
function _step primal 0 nest tuple(., .)
parameter x (%0 x!: float)
parameter h (%1 h!: float)
  %2: float = sin(%0)
  %3: float = mul(%1, %2)
  %4: float = add(%0, %3)
  give %4, %2
"""

LAST = """\
function _last primal 0 nest .
parameter x (%0: float[n])
parameter k (%1: int)
  %2: float = get(%0, %1)
  give %2
"""

MAIN = """\
function walk primal 1 nest tuple(., .)
parameter x (%0 x!: float)
parameter n (%1 n!: int)
  %2 slope: float, %3 x: float = scan (0, %1, 1) (0.0, %0) () ()
  body (%4: int, %5: float, %6: float)
    %7 x_next: float, %8 slope: float = call _step (%6, 0.5)
    give %8, %7
  %9: float[2] = pack(%2, %3)
  %10: float = call _last (%9, 1)
  %11: float[2] = set(%9, 7.0, 1)
  %12: float = get(%11, 1)
  %13: float = mul(%10, %12)
  give %13, %2
"""


def bundle():
    step, last, main = (parse_function(text, TABLE) for text in (STEP, LAST, MAIN))
    return Bundle(main, (step, last))


def test_a_bundle_is_verified_and_read_back():
    verify_bundle(bundle())
    for function, text in zip(bundle().functions, (STEP, LAST, MAIN), strict=True):
        verify(function)
        assert format_function(function) == text


BROKEN = [
    ("call _step (%6, 0.5)", "call _stop (%6, 0.5)", "_stop is no function"),
    ("call _step (%6, 0.5)", "call _step (%6)", "1 arguments of a call, not 2"),
    ("%10: float = call", "%10: int = call", "number 1 is float, not int"),
]


@pytest.mark.parametrize(("old", "new", "message"), BROKEN)
def test_a_broken_call_is_named(old, new, message):
    assert old in MAIN
    main = parse_function(MAIN.replace(old, new), TABLE)
    with pytest.raises(LawBroken, match=message):
        verify_bundle(Bundle(main, bundle().before))


def test_a_call_changes_no_array_of_its_caller():
    changing = LAST.replace("get(%0, %1)", "get(%3, %1)").replace(
        "  %2:", "  %3: float[n] = set(%0, 1.0, 0)\n  %2:"
    )
    main = parse_function(MAIN.replace("call _step", "call _step"), TABLE)
    before = (bundle().before[0], parse_function(changing, TABLE))
    with pytest.raises(LawBroken, match="_last changes"):
        verify_bundle(Bundle(main, before))


FILL = """\
function _fill primal 0 nest .
parameter a (%0 a: float[n])
  %1 a: float[n] = set(%0, 3.0, 0)
  give %1
"""
FILLED = """\
function filled primal 1 nest .
parameter x (%0 x!: float)
  %1 a: float[2] = pack(%0, %0)
  %2: float = get(%1, 0)
  %3 a: float[2] = call _fill (%1) changes 0
  %4: float = get(%3, 0)
  %5: float = mul(%2, %4)
  give %5
"""


def test_a_call_that_says_so_changes_an_array_in_place():
    fill, filled = (parse_function(text, TABLE) for text in (FILL, FILLED))
    verify_bundle(Bundle(filled, (fill,)))
    assert format_function(filled) == FILLED
    text = text_of(filled)
    assert text.index("a_i = a[0]") < text.index("a = _fill(a)")


def test_what_a_call_has_changed_is_not_read_again():
    late = FILLED.replace("get(%3, 0)", "get(%1, 0)")
    main, fill = (parse_function(text, TABLE) for text in (late, FILL))
    with pytest.raises(LawBroken, match="consumed"):
        verify_bundle(Bundle(main, (fill,)))


def test_calls_that_nobody_needs_are_left_out():
    main = bundle().main
    body = live(main.body, main.results[1:])
    assert [type(s).__name__ for s in body] == ["Scan"]


def test_what_is_printed_computes_what_the_bundle_says():
    whole = bundle()
    functions = {function.name: function for function in whole.functions}
    derived = derive(functions["_step"], "jacobian", ("x",))
    made = replace(derived, function=whole.main, before=whole.before, program=None)
    printed = print_function(made, {"walk", "_step", "_last"}, Options())
    text = print_module([printed], {}, None)
    assert text.index("def _step") < text.index("def _last") < text.index("def walk")
    assert "        x_2, slope_2 = _step(x_3, 0.5)" in text or "_step(" in text
    walk = load(text)["walk"]
    for args in ((0.3, 0), (1.2, 5)):
        expected = evaluate(whole.main, args, functions=functions)
        assert flat(walk(*args)) == list(expected), text
    assert black.format_str(text, mode=black.Mode()) == text


def test_a_local_never_has_the_name_of_what_is_called():
    main = parse_function(MAIN.replace("%13: float", "%13 _last!: float"), TABLE)
    twice = main.block.results[0]
    text = text_of(replace(main, block=replace(main.block, results=(twice, twice))))
    assert "_last = " not in text
    assert "_last_2 = " in text


def test_calls_are_refused_where_they_would_be_taken_for_constants():
    main = bundle().main
    with pytest.raises(ValueError, match=r"cannot (differentiate|linearise)"):
        derive(
            replace(
                main, nest=LEAF, block=replace(main.block, results=main.results[1:])
            ),
            "gradient",
            ("x",),
        )
    with pytest.raises(ValueError, match=r"the errors of '_(last|step)': not given"):
        estimate(main, ("x",))
