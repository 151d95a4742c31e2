"""Branches as the builder makes them: one for each question, none for no question."""

from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Apply, Block, Branch, Check, Literal, Var
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.types import BOOL, FLOAT

ZERO, ONE = Literal(0.0), Literal(1.0)


def picked(value):
    return Block((), (), (value,))


def given():
    """A builder, and a test."""
    return Builder(TABLE, LAWS), Var(BOOL, "sure")


def test_equal_literals_are_no_choice():
    builder, test = given()
    assert builder.branch(test, (), picked(ONE), picked(ONE)) == (ONE,)
    assert not builder.body


def test_zeros_of_different_signs_are_a_choice():
    builder, test = given()
    (out,) = builder.branch(test, (), picked(ZERO), picked(Literal(-0.0)))
    assert isinstance(builder.definition[out], Branch)


def test_what_an_arm_checks_is_checked():
    for arms in ((True, False), (False, True)):
        builder, test = given()
        never = Check(Literal(False))
        blocks = [Block((), (never,) if checked else (), (ONE,)) for checked in arms]
        builder.branch(test, (), *blocks)
        (branch,) = builder.body
        assert [bool(block.body) for block in (branch.then, branch.orelse)] == [*arms]


def test_a_choice_of_choices_by_one_test_is_one():
    builder, test = given()
    x = Var(FLOAT, "x")
    p, q = Var(FLOAT), Var(FLOAT)
    arms = Block((p,), (), (p,)), Block((q,), (), (ZERO,))
    (inner,) = builder.branch(test, (x,), *arms)
    arms = Block((p,), (), (p,)), Block((q,), (), (ONE,))
    (outer,) = builder.branch(test, (inner,), *arms)
    choice = builder.definition[outer]
    assert choice.args == (x,)
    assert choice.then.results == choice.then.params
    assert choice.orelse.results == (ONE,)


def test_arms_have_no_arguments_that_neither_reads():
    builder, test = given()
    x, y, z = (Var(FLOAT, name) for name in "xyz")
    p, q, r = Var(FLOAT), Var(FLOAT), Var(FLOAT)
    s, t, u = Var(FLOAT), Var(FLOAT), Var(FLOAT)
    sine = Apply(Var(FLOAT), TABLE["sin"], (p,))
    arms = Block((p, q, r), (sine,), (sine.out,)), Block((s, t, u), (), (u,))
    (out,) = builder.branch(test, (x, y, z), *arms)
    choice = builder.definition[out]
    assert choice.args == (x, z)
    assert [len(block.params) for block in choice.blocks] == [2, 2]


def test_arms_are_simplified_where_a_value_has_become_a_number():
    builder, test = given()
    shared, count = Var(FLOAT, "shared"), Var(FLOAT, "count")
    p, q, r, s = (Var(FLOAT) for _ in range(4))
    part = Apply(Var(FLOAT), TABLE["div"], (p, q))
    arms = Block((p, q), (part,), (part.out,)), Block((r, s), (), (ZERO,))
    out = Var(FLOAT)
    branch, env = Branch((out,), test, (shared, count), *arms), {shared: ZERO}
    builder.simplify(branch, env)
    assert env[out] == ZERO and not builder.body
