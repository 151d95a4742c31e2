"""What a loop stores and nobody reads is not stored; a number is added to all elements
in a loop; an element is read with what is added to it.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from programs import program
from structured import point, programs
from support import generate, load

from ad_transform.elementals import TABLE
from ad_transform.ir import sites
from ad_transform.ir.added_to_all import added_to_all
from ad_transform.ir.blocks import another
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Apply, Block, Branch, Literal, Scan, Var
from ad_transform.ir.read_at_once import read_at_once
from ad_transform.ir.text import format_function
from ad_transform.ir.types import BOOL
from ad_transform.ir.unseen import without_unseen
from ad_transform.ir.verify import verify

LOOP = """function f primal 0 nest .
parameter x (%1: float[n]) nest array(.)
parameter k (%2: int)
  %3: int = size(%1)
  %4: float[n] = copy(%1)
  %5: float, %6: float[n] = scan ({start}, %3, 1) (0.0, %4) (%2) () {way}
  body (%10: int, %11: float, %12: float[n], %13: int)
    %14: float = get(%12, {read})
    %15: float[n] = set(%12, 0.0, {stored})
    %16: float = mul(%14, 0.5)
    %17: float = add(%11, %16)
    give %17, %15
  {behind}
"""
NOT_SEEN = {"start": 0, "way": "", "read": "%10", "stored": "%10", "behind": "give %5"}
SEEN = {
    "behind the loop": {"behind": "%7: float = get(%6, 0)\n  give %7"},
    "by other trips": {"read": "%13"},
    "at another place": {"stored": "%13"},
    "from the end": {"start": -1},
}


@pytest.mark.parametrize("way", ["", "backwards"])
def test_what_nobody_sees_is_not_stored(way):
    before = program(LOOP.format(**NOT_SEEN | {"way": way}))
    made = without_unseen(before, TABLE)
    verify(made)
    assert "set(" not in format_function(made)
    assert evaluate(made, ([1.0, 2.0], 0)) == evaluate(before, ([1.0, 2.0], 0))


@pytest.mark.parametrize("name", SEEN)
def test_what_is_seen_is_stored(name):
    before = program(LOOP.format(**NOT_SEEN | SEEN[name]))
    assert without_unseen(before, TABLE) is before


MOVING = """function f primal 0 nest tuple(., .)
parameter x (%1: float[n]) nest array(.)
parameter v (%2: float)
  %3: int = size(%1)
  %20: int = sub(%3, 1)
  %4: float[n] = copy(%1)
  %5: float, %6: float[n] = scan ({range}) (0.0, %4) (%2) () {way}
  body (%10: int, %11: float, %12: float[n], %13: float)
    %18: int = {other}
    %14: float = get(%12, %10)
    %15: float[n] = set(%12, 0.0, %10)
    %16: float = mul(%14, %13)
    %17: float[n] = add_at(%15, %16, {added})
    %19: float = add(%11, %14)
    give %19, %17
  %7: float = {behind}
  give %5, %7
"""
BACK = {
    "range": "1, %3, 1",
    "way": "backwards",
    "other": "sub(%10, 1)",
    "added": "%18",
    "behind": "get(%6, 0)",
}
FORTH = {
    "range": "0, %20, 1",
    "way": "",
    "other": "add(%10, 1)",
    "behind": "neg(%2)",
}
DOWN = {"range": "%20, 0, -1", "way": ""}
MOVES_ON = {"back": {}, "forth": FORTH, "down": DOWN}
COMES_BACK = {
    "to the one before": {"other": "add(%10, 1)", "range": "1, %20, 1"},
    "to what is read behind the loop": {"behind": "get(%6, 1)"},
    "to what is read from the end": {"behind": "get(%6, -1)"},
    "to a place that nobody knows": {"other": "mod(%10, 2)"},
    "to the one before, forth": {**FORTH, "range": "1, %20, 1", "other": "sub(%10, 1)"},
    "from an end that nobody knows": {"range": "%20, %3, 1"},
    "to the last one": {"other": "sub(%10, 2)"},
}


@pytest.mark.parametrize("name", MOVES_ON)
def test_a_zero_to_which_no_trip_comes_back_is_not_stored(name):
    before = program(MOVING.format(**BACK | MOVES_ON[name]))
    made = without_unseen(before, TABLE)
    verify(made)
    assert "set(" not in format_function(made)
    args = ([1.0, 2.0, 4.0], 0.25)
    assert evaluate(made, args) == evaluate(before, args)


@pytest.mark.parametrize("name", COMES_BACK)
def test_a_zero_to_which_something_comes_back_is_stored(name):
    before = program(MOVING.format(**BACK | COMES_BACK[name]))
    assert without_unseen(before, TABLE) is before


READ_IN_A_LOOP = """function f primal 0 nest tuple(., .)
parameter x (%1: float[n]) nest array(.)
parameter k (%2: int)
  %3: int = size(%1)
  %4: float[n] = copy(%1)
  %5: float, %6: float[n] = scan (1, %3, 1) (0.0, %4) () ()
  body (%10: int, %11: float, %12: float[n])
    %13: float = get(%12, %10)
    %14: float[n] = set(%12, 0.0, %10)
    %15: float = add(%11, %13)
    give %15, %14
  {behind}
  give %5, %7
"""


@pytest.mark.parametrize(
    "place, is_gone", [("0", True), ("%20", False), ("%23", False)]
)
@pytest.mark.parametrize("changes", [False, True])
def test_what_a_loop_behind_reads_is_stored(place, is_gone, changes):
    if changes:
        head = "%7: float, %8: float[n] = scan (0, %3, 1) (0.0, %6) (%2) ()"
        params, end = "%22: float, %21: float[n], %23: int", ", %26"
        change = f"    %26: float[n] = add_at(%21, 1.0, {place})\n"
    else:
        head = "%7: float = scan (0, %3, 1) (0.0) (%6, %2) ()"
        params, end, change = "%22: float, %21: float[n], %23: int", "", ""
    behind = (
        f"{head}\n  body (%20: int, {params})\n"
        f"    %24: float = get(%21, {place})\n    %25: float = add(%22, %24)\n"
        f"{change}    give %25{end}"
    )
    before = program(READ_IN_A_LOOP.format(behind=behind))
    made = without_unseen(before, TABLE)
    verify(made)
    assert (", 0.0, " not in format_function(made)) == is_gone
    point = [1.0, 2.0, 4.0], 2
    assert evaluate(made, point) == evaluate(before, point)


AGAIN = """function f primal {primal} nest array(.)
parameter x (%1: float[n]) nest array(.)
parameter k (%2: int)
parameter v (%3: float)
  %4: float[n] = copy(%1)
  %5: float[n] = scan (0, %2, 1) (%4) (%2, %3) ()
  body (%10: int, %11: float[n], %12: int, %13: float)
    %14: float[n] = set(%11, {first}, %10)
    %15: int = {other}
    %16: float[n] = add_at(%14, 0.5, {between})
    %17: float[n] = {op}(%16, %13, {place})
    give %17
  give %5
"""
PLAIN = {"primal": 0, "first": "0.0", "op": "add_at", "place": "%10"}
PLAIN |= {"other": "add(%10, 1)", "between": "%15"}
OTHERS = {
    "another number": ({"first": "1.0"}, 2),
    "another place": ({"place": "%15"}, 2),
    "a number by now": ({"between": "%10"}, 1),
    "perhaps a number by now": ({"other": "mul(%10, %10)"}, 2),
    "the value": ({"primal": 1}, 2),
}


@pytest.mark.parametrize("op", ["add_at", "sub_at"])
def test_what_is_added_to_a_zero_is_stored(op):
    before = program(AGAIN.format(**PLAIN | {"op": op}))
    made = without_unseen(before, TABLE)
    verify(made)
    text = format_function(made)
    assert text.count("set(") == 1 and ", 0.0, " not in text
    assert text.count("_at(") == 1  # what is added to the next place
    point = [1.0, 2.0, 4.0, 8.0], 3, 0.25
    assert evaluate(made, point) == evaluate(before, point)


def test_statements_that_two_arms_share_are_changed_in_both_or_in_none():
    before = program(AGAIN.format(**PLAIN))
    (loop,) = (s for s in before.body if isinstance(s, Scan))
    array, index = loop.body.params[1], loop.body.params[0]
    arm = Block(loop.body.params, loop.body.body, loop.body.results)
    other = Block(loop.body.params, loop.body.body[:-1], (loop.body.body[-2].outs[0],))
    test = Apply(Var(BOOL), TABLE["gt"], (index, Literal(1)))
    branch = Branch((another(array, {}),), test.out, loop.body.params, arm, other)
    body = Block(loop.body.params, (test, branch), branch.outs)
    both = replace(loop, body=body)
    statements = tuple(both if s is loop else s for s in before.body)
    function = replace(before, block=replace(before.block, body=statements))
    verify(function)
    made = without_unseen(function, TABLE)
    verify(made)
    point = [1.0, 2.0, 4.0, 8.0], 3, 0.25
    assert evaluate(made, point) == evaluate(function, point)


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_added_to_something_else_is_added(name):
    words, count = OTHERS[name]
    before = program(AGAIN.format(**PLAIN | words))
    made = without_unseen(before, TABLE)
    assert format_function(made).count("add_at(") == count
    point = [1.0, 2.0, 4.0, 8.0, 16.0], 3, 0.25
    assert evaluate(made, point) == evaluate(before, point)


ALIKE = """function f primal 0 nest array(.)
parameter x (%1: float[n]) nest array(.)
parameter v (%2: float)
  %4: float[n] = {own}
  %5: float[n] = like({model}, {value})
  %6: float[n] = added(%4, %5)
  give {result}
"""
# fmt: off
LOOPS = {
    "a value":  {"own": "copy(%1)", "model": "%4", "value": "%2"},
    "a number": {"own": "copy(%1)", "model": "%4", "value": "0.5"},
    "by another": {"own": "like(%1, %2)", "model": "%1", "value": "%2"},
}
# fmt: on


@pytest.mark.parametrize("name", LOOPS)
def test_a_number_is_added_to_all_elements(name):
    before = program(ALIKE.format(**LOOPS[name], result="%6"))
    made = added_to_all(before, TABLE)
    verify(made)
    text = format_function(made)
    assert "added(" not in text and text.count("add_at(") == 1
    assert evaluate(made, ([1.0, 2.0], 0.25)) == evaluate(before, ([1.0, 2.0], 0.25))


def test_what_others_read_stays():
    text = ALIKE.format(**LOOPS["a value"], result="%7")
    text = text.replace("array(.)\nparameter x", ".\nparameter x")
    two = "  %3: float = get(%6, 0)\n  %7: float = get(%4, 0)\n  give"
    before = program(text.replace("  give", two))
    assert added_to_all(before, TABLE) is before


def test_a_parameter_stays_as_it_is():
    text = ALIKE.format(**LOOPS["a value"] | {"model": "%1"}, result="%6")
    before = program(
        text.replace("  %4: float[n] = copy(%1)\n", "").replace("%4", "%1")
    )
    assert added_to_all(before, TABLE) is before


RENEWED = """function f primal {primal} nest .
parameter x (%1: float[n]) nest array(.)
parameter v (%2: float)
parameter k (%3: int)
  %4: float[n] = copy(%1)
  %5: float[n] = {op}(%4, %2, %3)
  %6: float = get(%5, {place})
  %7: float[n] = set(%5, 0.0, %3)
  %8: float = sum_of(%7)
  %9: float = sub(%6, %8)
  give %9
"""


@pytest.mark.parametrize("op", ["add_at", "sub_at"])
def test_an_element_is_read_with_what_is_added(op):
    before = program(RENEWED.format(primal=0, op=op, place="%3"))
    made = read_at_once(before, TABLE)
    verify(made)
    assert op not in format_function(made)
    point = [1.0, 2.0], 0.25, 1
    assert evaluate(made, point) == evaluate(before, point)


@pytest.mark.parametrize("other", [{"primal": 1}, {"place": 0}])
def test_other_elements_are_added_to(other):
    before = program(
        RENEWED.format(**{"primal": 0, "op": "add_at", "place": "%3"} | other)
    )
    assert read_at_once(before, TABLE) is before


@settings(deadline=None)
@given(programs(arrays=2))
def test_results_stay(function):
    function, args = replace(function, primal=0), point(function, 1)
    made = added_to_all(without_unseen(read_at_once(function, TABLE), TABLE), TABLE)
    verify(made)
    assert repr(evaluate(made, args)) == repr(evaluate(function, args))


MANY = """
# ad: gradient
def f(p: float, n: int) -> float:
    u = [p] * (n + 3)
    for i in range(2, n):
{lines}
    return sum(u)
"""


@pytest.mark.parametrize("count", [10, 100])
def test_loops_with_many_stores_are_not_searched(count, monkeypatch):
    asked = []
    before = sites.impossible
    monkeypatch.setattr(sites, "impossible", lambda c: asked.append(c) or before(c))
    line = "        u[i] = 0.5 * u[i - 1] + p * u[i - 2]"
    text = MANY.format(lines="\n".join([line] * count))
    derived = generate(text, order="reverse", effort=0)
    assert len(asked) < 4_000
    assert load(derived)["f_grad"](0.5, 2) == 5.0
