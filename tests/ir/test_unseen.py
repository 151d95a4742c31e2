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
from ad_transform.ir.blocks.blocks import another
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.lists.added_to_all import added_to_all
from ad_transform.ir.lists.read_at_once import read_at_once
from ad_transform.ir.lists.unseen import without_unseen
from ad_transform.ir.loops import sites
from ad_transform.ir.nodes import Apply, Block, Branch, Literal, Scan, Var, walk
from ad_transform.ir.text import format_function
from ad_transform.ir.types import BOOL
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
LAST = {**FORTH, "behind": "get(%6, -1)"}
MOVES_ON = {"back": {}, "forth": FORTH, "down": DOWN, "to the last": LAST}
COMES_BACK = {
    "to the one before": {"other": "add(%10, 1)", "range": "1, %20, 1"},
    "to what is read behind the loop": {"behind": "get(%6, 1)"},
    "to what is read from the end": {"behind": "get(%6, -1)"},
    "to the last but one": {**FORTH, "behind": "get(%6, -2)"},
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


@pytest.mark.parametrize("length, is_gone", [("%3", True), ("%20", False)])
def test_the_end_of_a_list_is_where_it_was_made_to_be(length, is_gone):
    text = MOVING.format(**BACK | LAST).replace("= copy(%1)", f"= full(0.5, {length})")
    before = program(text if is_gone else text.replace("float[n]", "float[n-1]"))
    assert (without_unseen(before, TABLE) is not before) == is_gone


THOMAS = """
# ad: gradient
def f(a: "Vector[n]", b: "Vector[n]", d: "Vector[n]"):
    n = len(d)
    x = [0.0] * n
    x[-1] = d[-1] / b[-1]
    for i in range(n - 2, -1, -1):
        x[i] = (d[i] - a[i] * x[i + 1]) / b[i]
    return x[0] * x[0]
"""


def test_no_zero_is_stored_on_the_way_back_to_the_last_unknown():
    text = generate(THOMAS)
    assert "] = 0.0\n" not in text
    a, b, d = [0.5, -0.25, 0.0], [2.0, 1.5, 4.0], [1.0, -3.0, 2.0]
    _, _, d_bar = load(text)["f_grad"](a, b, d)
    x = (1.0 - 0.5 * ((-3.0 + 0.25 * 0.5) / 1.5)) / 2.0
    assert d_bar.tolist() == pytest.approx([x, -x / 3.0, -x / 48.0])


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


# fmt: off
READ_BEHIND = {
    "by an operation on all of it": "%7: float = sum_of(%6)",
    "with another list":
        "%30: float[n] = copy(%1)\n  %31: float[n] = added(%30, %6)\n"
        "  %7: float = get(%31, 1)",
    "in an arm":
        "%30: bool = gt(%2, 1)\n  %7: float = branch %30 (%6)\n"
        "  then (%31: float[n])\n    %32: float = get(%31, 1)\n    give %32\n"
        "  else (%33: float[n])\n    give 0.0",
    "behind another store":
        "%30: float[n] = set(%6, 0.5, 0)\n  %7: float = get(%30, 1)",
    "by what adds to it":
        "%30: float[n] = add_at(%6, 0.0, 1)\n  %7: float = neg(0.5)",
    "as the items of a loop":
        "%7: float = scan (0, %3, 1) (0.0) () (%6)\n"
        "  body (%30: int, %31: float, %32: float)\n"
        "    %33: float = add(%31, %32)\n    give %33",
    "behind a loop that stores others":
        "%30: float[n] = scan (0, 1, 1) (%6) () ()\n"
        "  body (%31: int, %32: float[n])\n"
        "    %33: float[n] = add_at(%32, 0.5, 0)\n    give %33\n"
        "  %7: float = get(%30, 1)",
    "behind a loop that turns two lists round":
        "%34: float[n] = copy(%1)\n"
        "  %30: float[n], %31: float[n] = scan (0, 1, 1) (%34, %6) () ()\n"
        "  body (%32: int, %35: float[n], %36: float[n])\n    give %36, %35\n"
        "  %7: float = get(%30, 1)",
}
# fmt: on


@pytest.mark.parametrize("behind", READ_BEHIND.values(), ids=READ_BEHIND)
def test_what_is_read_in_any_way_behind_is_stored(behind):
    text = READ_IN_A_LOOP.format(behind=behind)
    before = program(text)
    verify(before)
    assert without_unseen(before, TABLE) is before


@pytest.mark.parametrize("change", ["set(%6, 0.5, 1)", "add_at(%6, 1.0, 0)"])
def test_what_others_store_behind_is_not_seen(change):
    behind = f"%30: float[n] = {change}\n  %7: float = get(%30, 0)"
    before = program(READ_IN_A_LOOP.format(behind=behind))
    made = without_unseen(before, TABLE)
    verify(made)
    assert ", 0.0, " not in format_function(made)
    point = [1.0, 2.0, 4.0], 2
    assert evaluate(made, point) == evaluate(before, point)


IN_ARMS = """function f primal 0 nest tuple(., .)
parameter x (%1: float[n]) nest array(.)
parameter k (%2: int)
  %3: int = size(%1)
  %4: float[n] = copy(%1)
  %9: float[s] = scan (1, %3, 1) () () ()
  body (%10: int)
    %11: float = float(%10)
    give %11
  %5: float, %6: float[n] = scan (1, %3, 1) (0.0, %4) (%2) (%9)
  body (%10: int, %11: float, %12: float[n], %13: int, %14: float)
    %15: bool = gt(%10, %13)
    %16: float[n], %17: float = branch %15 (%12, %10)
    then (%20: float[n], %21: int)
      %22: float = get(%20, %21)
      %23: float[n] = set(%20, 0.0, %21)
      give %23, %22
    else (%30: float[n], %31: int)
{other}
    %18: float[n] = branch %15 (%16)
    then (%40: float[n])
      {first}
    else (%42: float[n])
      %43: float[n] = set(%42, 4.0, 0)
      give %43
    %24: float = mul(%17, %14)
    %19: float = add(%11, %24)
    give %19, %18
  %7: float = get(%6, 0)
  give %5, %7
"""
SAME = "give %40"
OTHERS_STORE = "%41: float[n] = set(%40, 2.0, 0)\n      give %41"
AS_IT_IS = "      give %30, 0.25"
STORES = "      %32: float[n] = add_at(%30, 8.0, 0)\n      give %32, 0.25"


def _loop(function):
    """The last loop of a function."""
    return [s for s in function.body if isinstance(s, Scan)][-1]


@pytest.mark.parametrize("first", [SAME, OTHERS_STORE])
@pytest.mark.parametrize("other", [AS_IT_IS, STORES])
def test_a_store_in_an_arm_that_nobody_sees_goes_alone(first, other):
    before = program(IN_ARMS.format(first=first, other=other))
    verify(before)
    made = without_unseen(before, TABLE)
    verify(made)
    text = format_function(made)
    assert ", 0.0, " not in text
    assert text.count("_at(") + text.count("set(") == 1 + (first != SAME) + (
        other != AS_IT_IS
    )
    (_, first_branch, second, *_) = _loop(made).body.body
    is_kept = second.args[0] is _loop(made).body.params[2]
    assert (
        is_kept == (other == AS_IT_IS) == (second.args[0] is not first_branch.outs[0])
    )
    for k in range(4):
        point = [1.0, 2.0, 4.0, 8.0], k
        assert evaluate(made, point) == evaluate(before, point)


IN_ROWS = """function f primal 0 nest .
parameter x (%1: float[m, n]) nest list(list(.))
  %3: int = size(%1)
  %7: int = size(%1, 0)
  %4: float[m, n] = copy_rows(%1)
  %8: float[s] = scan (0, %3, 1) () () ()
  body (%10: int)
    %11: float = float(%10)
    give %11
  %5: float, %6: float[m, n] = scan (0, %3, 1) (0.0, %4) (%7) (%8) {way}
  body (%10: int, %11: float, %12: float[m, n], %13: int, %9: float)
    %14: float, %15: float[m, n] = scan (0, %13, 1) (%11, %12) (%10, %9) ()
    body (%20: int, %21: float, %22: float[m, n], %23: int, %28: float)
      %24: float = get(%22, %23, %20)
      %25: float[m, n] = set(%22, 0.0, %23, %20)
      %26: float = add(%21, %24)
      %27: float = mul(%26, %28)
      give %27, %25
    give %14, %15
  {behind}
  %31: float = add(%5, %30)
  give %31
"""


@pytest.mark.parametrize("way", ["", "backwards"])
def test_a_loop_in_a_loop_reads_what_it_stores_no_more(way):
    before = program(IN_ROWS.format(way=way, behind="%30: float = neg(0.5)"))
    verify(before)
    made = without_unseen(before, TABLE)
    verify(made)
    assert "set(" not in format_function(made)
    assert [len(s.carries) for s in walk(made.body) if isinstance(s, Scan)] == [0, 1, 1]
    matrix = [[1.0, 2.0, -3.0], [0.5, 0.0, 4.0]]
    assert evaluate(made, (matrix,)) == evaluate(before, (matrix,))


@pytest.mark.parametrize("place", ["-1, 0", "0, -1"])
def test_an_element_of_a_row_that_is_told_from_the_end_is_stored(place):
    before = program(IN_ROWS.format(way="", behind=f"%30: float = get(%6, {place})"))
    verify(before)
    assert without_unseen(before, TABLE) is before


APART = """\
    %13: bool = ne(%10, 2)
    %14: float[n] = branch %13 (%12, %10)
    then (%20: float[n], %21: int)
      %22: float[n] = set(%20, 0.0, %21)
      give %22
    else (%20: float[n], %21: int)
      give %20
    %15: float = get(%14, {place})
    %16: float = add(%11, %15)
    give %16, %14"""


@pytest.mark.parametrize("place, is_gone", [(2, True), (3, False)])
def test_an_element_that_trips_leave_out_is_not_what_they_store(place, is_gone):
    before = program(INSIDE.format(body=APART.format(place=place)))
    verify(before)
    made = without_unseen(before, TABLE)
    verify(made)
    assert ("set(" not in format_function(made)) == is_gone
    point = ([1.0, 2.0, 4.0, 8.0, 16.0],)
    assert evaluate(made, point) == evaluate(before, point)


INSIDE = """function f primal 0 nest .
parameter x (%1: float[n]) nest array(.)
  %3: int = size(%1)
  %4: float[n] = copy(%1)
  %5: float, %6: float[n] = scan (0, %3, 1) (0.0, %4) () ()
  body (%10: int, %11: float, %12: float[n])
{body}
  give %5
"""
# fmt: off
MET_INSIDE = {
    "a loop that stores, and what reads behind it": """\
    %13: float[n] = scan (0, 1, 1) (%12) (%10) ()
    body (%20: int, %21: float[n], %22: int)
      %23: int = add(%22, 1)
      %24: int = add(%23, 1)
      %25: float[n] = set(%21, 0.0, %22)
      give %25
    %14: float = get(%13, %10)
    %15: float = add(%11, %14)
    give %15, %13""",
    "a store, and a loop that reads behind it": """\
    %13: float = get(%12, %10)
    %14: float = add(%11, %13)
    %15: float[n] = set(%12, 0.0, %10)
    %16: float = scan (0, 1, 1) (%14) (%15, %10) ()
    body (%20: int, %21: float, %22: float[n], %23: int)
      %24: float = get(%22, %23)
      %25: float = sub(%21, %24)
      give %25
    give %16, %15""",
    "a loop in an arm": """\
    %13: bool = gt(%10, 0)
    %14: float, %15: float[n] = branch %13 (%11, %12)
    then (%20: float, %21: float[n])
      %22: float, %23: float[n] = scan (1, 3, 1) (%20, %21) () ()
      body (%24: int, %25: float, %26: float[n])
        %27: int = sub(%24, 1)
        %28: float = get(%26, %27)
        %29: float = add(%25, %28)
        %30: float[n] = set(%26, 0.0, %24)
        give %29, %30
      give %22, %23
    else (%31: float, %32: float[n])
      give %31, %32
    give %14, %15""",
}
# fmt: on


@pytest.mark.parametrize("body", MET_INSIDE.values(), ids=MET_INSIDE)
def test_what_is_read_in_the_same_trip_is_stored(body):
    before = program(INSIDE.format(body=body))
    verify(before)
    assert without_unseen(before, TABLE) is before


def test_what_is_read_in_another_list_by_turns_is_stored():
    before = program("""function f primal 0 nest .
parameter x (%1: float[n]) nest array(.)
  %3: int = size(%1)
  %4: float[n] = copy(%1)
  %5: float[n] = copy(%1)
  %6: float, %7: float[n], %8: float[n] = scan (1, %3, 1) (0.0, %4, %5) () ()
  body (%10: int, %11: float, %12: float[n], %13: float[n])
    %14: int = sub(%10, 1)
    %15: float = get(%13, %14)
    %16: float = add(%11, %15)
    %17: float[n] = set(%12, 0.0, %10)
    give %16, %13, %17
  give %6
""")
    verify(before)
    assert without_unseen(before, TABLE) is before


def test_a_loop_that_holds_states_stores_all_of_them():
    before = program(LOOP.format(**NOT_SEEN | {"way": "snapshots 3 ''"}))
    assert without_unseen(before, TABLE) is before


def test_a_store_that_two_arms_share_stays_where_one_reads_it():
    text = IN_ARMS.format(first=SAME, other=AS_IT_IS)
    before = program(text)
    loop = before.body[-2]
    first = loop.body.body[1]
    read, store = first.then.body
    seen = Apply(another(read.out, {}), TABLE["get"], (store.out, first.then.params[1]))
    other = Block(
        first.then.params, (read, store, seen), (first.then.results[0], seen.out)
    )
    both = replace(first, orelse=other)
    body = tuple(both if s is first else s for s in loop.body.body)
    changed = replace(loop, body=replace(loop.body, body=body))
    statements = tuple(changed if s is loop else s for s in before.body)
    function = replace(before, block=replace(before.block, body=statements))
    verify(function)
    made = without_unseen(function, TABLE)
    verify(made)
    for k in range(4):
        point = [1.0, 2.0, 4.0, 8.0], k
        assert evaluate(made, point) == evaluate(function, point)


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


# fmt: off
NO_ZEROS = {
    "a number that is added": """\
    %14: float[n] = add_at(%11, 0.0, %10)
    %17: float[n] = add_at(%14, %13, %10)
    %15: int = add(%10, 1)
    %16: float[n] = set(%17, 0.5, %15)
    give %16
""",
    "a zero behind": """\
    %14: float[n] = add_at(%11, %13, %10)
    %17: float[n] = set(%14, 0.0, %10)
    give %17
""",
    "a zero that is read": """\
    %14: float[n] = set(%11, 0.0, %10)
    %15: float = get(%14, %10)
    %16: int = add(%10, 1)
    %18: float[n] = set(%14, %15, %16)
    %17: float[n] = add_at(%18, %13, %10)
    give %17
""",
    "another number is stored": """\
    %14: float[n] = set(%11, 0.0, %10)
    %16: float[n] = set(%14, 0.5, %10)
    %17: float[n] = add_at(%16, %13, %10)
    give %17
""",
    "an arm that adds": """\
    %14: float[n] = set(%11, 0.0, %10)
    %15: bool = gt(%10, 1)
    %17: float[n] = branch %15 (%14, %13, %10)
    then (%20: float[n], %21: float, %22: int)
      %25: int = add(%22, 1)
      %26: int = sub(%25, 1)
      %23: float[n] = add_at(%20, %21, %26)
      give %23
    else (%20: float[n], %21: float, %22: int)
      give %20
    give %17
""",
    "another list from a loop between": """\
    %14: float[n] = set(%11, 0.0, %10)
    %16: float[n] = scan (0, 1, 1) (%14) (%13) ()
    body (%20: int, %21: float[n], %22: float)
      %23: float[n] = like(%21, %22)
      give %23
    %17: float[n] = add_at(%16, %13, %10)
    give %17
""",
}
# fmt: on


@pytest.mark.parametrize("body", NO_ZEROS.values(), ids=NO_ZEROS)
def test_what_is_added_to_no_zero_is_added(body):
    text = AGAIN.format(**PLAIN)
    before = program(text[: text.index("    %14")] + body + "  give %5\n")
    verify(before)
    made = without_unseen(before, TABLE)
    verify(made)
    assert format_function(made).count("add_at(") == body.count("add_at(")
    point = [1.0, 2.0, 4.0, 8.0, 16.0], 3, 0.25
    assert evaluate(made, point) == evaluate(before, point)


def test_what_is_stored_for_a_zero_and_nobody_sees_goes():
    text = AGAIN.format(**PLAIN | {"primal": 0, "between": "%15"})
    text = text.replace("nest array(.)\nparameter x", "nest .\nparameter x")
    text = text.replace("scan (0, ", "scan (1, ")
    before = program(text.replace("  give %5", "  %6: float = get(%5, 0)\n  give %6"))
    made = without_unseen(before, TABLE)
    verify(made)
    assert "set(" not in format_function(made)
    point = [1.0, 2.0, 4.0, 8.0], 3, 0.25
    assert evaluate(made, point) == evaluate(before, point)


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
