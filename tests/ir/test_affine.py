"""Linear forms of whole numbers, and conditions that exclude each other."""

from __future__ import annotations

import operator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from programs import program

from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.decided import facts
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.loops.affine import (
    AffineForms,
    impossible,
    minus,
    number,
    renamed,
    written,
)
from ad_transform.ir.nodes import LEAF, Block, Function, Literal, Parameter, Var
from ad_transform.ir.types import INT

VALUES = [Var(INT, name) for name in "ijk"]
SMALL = range(-3, 4)
OPERATORS = {
    name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")
}
BOX = [
    form
    for v in VALUES
    for form in ({v: 1, None: -min(SMALL)}, {v: -1, None: max(SMALL)})
]
FORMS = st.fixed_dictionaries(
    {}, optional={v: st.integers(-3, 3) for v in (*VALUES, None)}
)


def value(form, point):
    at = dict(zip(VALUES, point, strict=True))
    return sum(n * (1 if v is None else at[v]) for v, n in form.items())


@given(st.lists(FORMS, max_size=5))
def test_what_has_a_solution_is_not_impossible(conditions):
    points = product(SMALL, repeat=len(VALUES))
    has_one = any(all(value(c, p) >= 0 for c in conditions) for p in points)
    assert not (has_one and impossible((*conditions, *BOX)))


@given(st.lists(FORMS, min_size=1, max_size=3))
def test_what_contradicts_itself_is_impossible(conditions):
    first, *rest = conditions
    below = minus(number(-1), first)
    assert impossible((first, below, *rest))


def test_whole_numbers_leave_gaps():
    i, j, _ = VALUES
    between = {i: 2, None: -1}, {i: -2, None: 1}  # 2 i = 1
    assert impossible(between)
    odd_is_even = {i: 2, j: -2, None: 1}, {i: -2, j: 2, None: -1}
    assert impossible(odd_is_even)


@given(FORMS)
def test_a_form_is_written_as_whole_numbers(form):
    made, result = written(form, {v: v for v in VALUES}, TABLE)
    parameters = tuple(Parameter(v.hint, (v,)) for v in VALUES)
    block = Block(tuple(VALUES), tuple(made), (result,))
    function = Function("f", parameters, block, LEAF, 0)
    for point in ((0, 0, 0), (1, 2, -3), (5, -1, 2)):
        assert evaluate(function, point) == (value(form, point),)


def test_operations_of_whole_numbers_are_forms():
    function = program("""\
function f primal 0 nest .
parameter a (%0: int)
parameter b (%1: int)
  %2: int = mul(%0, 3)
  %3: int = neg(%1)
  %4: int = sub(%2, %3)
  %5: int = add(%4, 2)
  %6: int = mul(%0, %1)
  give %5
""")
    forms = AffineForms(function.body, {})
    a, b = (p.vars[0] for p in function.parameters)
    assert forms.of(function.results[0]) == {a: 3, b: 1, None: 2}
    (product_,) = function.body[-1].outs
    assert forms.of(product_) == {product_: 1}  # stands for itself


@pytest.mark.parametrize("holds", [True, False])
@pytest.mark.parametrize("relation", ["eq", "ne", "lt", "le", "gt", "ge"])
@pytest.mark.parametrize("around", [(), ("i", "j"), ("j", "i")])
def test_conditions_of_a_test_are_what_it_says(relation, holds, around):
    function = program(f"""\
function f primal 0 nest .
parameter i (%0: int)
parameter j (%1: int)
  %2: bool = {relation}(%0, %1)
  %3: bool = not(%2)
  give %2
""")
    i, j = (p.vars[0] for p in function.parameters)
    at = {"i": i, "j": j}
    before = [minus({at[a]: 1}, {at[b]: 1}) for a, b in ([around] if around else [])]
    forms = AffineForms(function.body, {})
    first, second = function.body
    found = forms.where(first.out, holds, tuple(before))
    assert forms.where(second.out, not holds, tuple(before)) == found
    says = OPERATORS[relation]
    for a, b in product(SMALL, repeat=2):
        point = a, b, 0
        names = {i: VALUES[0], j: VALUES[1]}
        if all(value(renamed(c, names), point) >= 0 for c in before):
            fulfilled = all(value(renamed(c, names), point) >= 0 for c in found)
            if fulfilled != (says(a, b) == holds):
                # that two numbers differ is said where it is known which is greater
                assert fulfilled and not around and not found
                assert (relation, holds) in (("ne", True), ("eq", False))


@pytest.mark.parametrize(("joined", "holds"), [("both", True), ("either", False)])
def test_two_tests_that_are_known_together_say_what_both_say(joined, holds):
    function = program(f"""\
function f primal 0 nest .
parameter i (%0: int)
parameter j (%1: int)
  %2: bool = lt(%0, %1)
  %3: bool = gt(%0, 5)
  %4: bool = {joined}(%2, %3)
  give %4
""")
    forms = AffineForms(function.body, {})
    first, second, last = (s.out for s in function.body)
    each = forms.where(first, holds) + forms.where(second, holds)
    assert len(each) == 2 and forms.where(last, holds) == each
    assert forms.where(last, not holds) == ()
    makers = {s.out: s for s in function.body}
    known = {first: holds, second: holds, last: holds}
    assert facts(makers, last, holds) == {v: Literal(w) for v, w in known.items()}
    assert facts(makers, last, not holds) == {last: Literal(not holds)}
