"""What gets a statement and what is nested."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import black
import pytest
from hand import Hand, body_of, constant, text_of, values

from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Behind,
    Block,
    Branch,
    Check,
    Container,
    Literal,
    Var,
    group,
)
from ad_transform.ir.parse import parse_function
from ad_transform.ir.types import BOOL, FLOAT

sys.path.append(str(Path(__file__).parents[1] / "ir"))
import programs

X, Y = values("x y")
PAIR = group((LEAF, LEAF))


def test_single_use_is_nested_and_shared_is_not():
    h = Hand((X, Y))
    s = h.sin(X)
    assert body_of(h.function(h.mul(s, Y), h.add(s, 1.0), nest=PAIR)) == (
        "sin_x = sin(x)\nreturn sin_x * y, sin_x + 1.0"
    )


def test_name_of_the_user_is_kept():
    h = Hand((X,))
    speed = h.sin(X, name="speed", notes=(Behind("in m/s"),))
    assert body_of(h.function(h.mul(speed, 2.0))) == (
        "speed = sin(x)  # in m/s\nreturn speed * 2.0"
    )


def test_result_that_is_just_a_named_value_is_returned_at_once():
    h = Hand((X,))
    assert body_of(h.function(h.sin(X, name="y"))) == "return sin(x)"


def test_notes_that_do_not_fit_stand_above():
    h = Hand((X,))
    y = h.sin(X, name="y", notes=("the sine", "of x", "fmt: off"))
    assert body_of(h.function(h.mul(y, y))) == (
        "# the sine\n# of x\ny = sin(x)\nreturn y * y"
    )


def test_comments_stand_where_they_stood():
    h = Hand((X,))
    y = h.sin(X, name="y", notes=("above",))
    z = h.sin(y, name="z", notes=("both", Behind("behind")))
    wide = Behind("too wide " * 9)
    w = h.sin(z, name="w", notes=(wide,))
    function = replace(h.function(h.mul(w, z)), notes=(Behind("in J"),))
    assert body_of(function) == (
        "# above\ny = sin(x)\n# both\nz = sin(y)  # behind\n"
        f"# {wide.strip()}\nw = sin(z)\nreturn w * z  # in J"
    )


def test_long_expression_is_cut_at_its_largest_parts():
    h = Hand((X, Y))
    product = h.mul(X, Y)
    for _ in range(12):
        product = h.mul(product, h.sin(X))
    other = h.sub(Y, product)
    lines = body_of(h.function(h.div(other, h.cos(Y)))).splitlines()
    bound = [line.partition(" = ")[0] for line in lines if " = " in line]
    assert bound == ["value_prod"]
    assert max(map(len, lines)) <= 84


def test_long_sum_has_a_term_a_line():
    h = Hand((X, Y))
    total = X
    for _ in range(6):
        total = h.add(total, h.mul(h.sin(X), h.exp(Y)))
    assert body_of(h.function(total)) == "\n".join(
        ["return (", "    x", *["    + sin(x) * exp(y)"] * 6, ")"]
    )


def test_endless_sum_is_cut():
    h = Hand((X,))
    total = X
    for _ in range(20_000):
        total = h.add(total, X)
    compile(text_of(h.function(total)), "<text>", "exec")


def test_check_holds_back_what_comes_after():
    h = Hand((X,))
    positive = h.gt(X, 0.0)
    h.body.append(Check(positive, ("x is ", X)))
    assert body_of(h.function(h.log(X))) == (
        'assert x > 0.0, f"x is {x}"\nreturn log(x)'
    )


def branch(h, test, *, then, orelse, named=""):
    out = Var(FLOAT, named, None, bool(named))
    inner = []
    for op in (then, orelse):
        p = Var(FLOAT)
        v = Var(FLOAT)
        inner.append(Block((p,), (Apply(v, TABLE[op], (p,)),), (v,)))
    h.body.append(Branch((out,), test, (X,), *inner))
    return out


def test_branch_of_expressions_is_a_conditional_expression():
    h = Hand((X,))
    out = branch(h, h.gt(X, 0.0), then="log", orelse="exp")
    assert body_of(h.function(h.mul(2.0, out))) == (
        "return 2.0 * (log(x) if x > 0.0 else exp(x))"
    )


def test_values_from_outside_do_not_sink_into_an_arm():
    h = Hand((X,))
    s = h.sin(X)
    p, q = Var(FLOAT), Var(FLOAT)
    out = Var(FLOAT)
    arms = Block((p,), (), (p,)), Block((q,), (), (Literal(0.0),))
    h.body.append(Branch((out,), h.gt(X, 0.0), (s,), *arms))
    assert (
        body_of(h.function(out)) == "sin_x = sin(x)\nreturn sin_x if x > 0.0 else 0.0"
    )


def test_arm_with_shared_values_becomes_a_statement():
    h = Hand((X,))
    p, s, v, q = Var(FLOAT), Var(FLOAT), Var(FLOAT), Var(FLOAT)
    body = (Apply(s, TABLE["sin"], (p,)), Apply(v, TABLE["mul"], (s, s)))
    out = Var(FLOAT, "y", None, True)
    h.body.append(
        Branch(
            (out,), h.gt(X, 0.0), (X,), Block((p,), body, (v,)), Block((q,), (), (q,))
        )
    )
    assert body_of(h.function(h.exp(out))) == (
        "if x > 0.0:\n    y_sin = sin(x)\n    y = y_sin * y_sin\n"
        "else:\n    y = x\nreturn exp(y)"
    )


def test_constants_of_the_user_come_first_in_their_order():
    h = Hand((X,))
    v = h.add(h.mul(constant("A10", 1.5), X), h.mul(constant("A2", -2.0), X))
    assert body_of(h.function(v)) == ("A2, A10 = -2.0, 1.5\nreturn A10 * x + A2 * x")


def test_matrix_rows_stay_on_a_line():
    h = Hand((X, Y))
    entries = []
    for k in range(6):
        wide = h.mul(h.sin(h.mul(float(k), X)), h.cos(h.mul(Y, X)), hint=f"df{k}_dx")
        entries += [wide, 0.0]
    row = group((LEAF,) * 6, Container.ARRAY)
    function = h.function(*entries, nest=group((row, row), Container.ARRAY))
    assert "            [df0_dx, 0.0, " in text_of(function)


def test_array_is_one_of_floats_even_for_whole_arguments():
    h = Hand((X, Y))
    nest = group((LEAF, LEAF), Container.ARRAY)
    assert "np.array([y, x], dtype=float)" in text_of(h.function(Y, X, nest=nest))
    assert "np.array([y, 0.0])" in text_of(h.function(Y, 0.0, nest=nest))


def test_type_of_a_name_is_that_of_both_arms():
    h = Hand((X,))
    p, q, v = Var(FLOAT), Var(FLOAT), Var(FLOAT, "v", None, True)
    arms = Block((p,), (), (Literal(0), p)), Block((q,), (), (q, Literal(1.0)))
    out = Var(FLOAT, "y", None, True)
    h.body.append(Branch((out, v), h.lt(X, 0.0), (X,), *arms))
    assert body_of(h.function(h.mul(out, X), v, nest=PAIR)) == (
        "if x < 0.0:\n    y: float = 0\n    v = x\n"
        "else:\n    y = x\n    v = 1.0\nreturn y * x, v"
    )


def test_branches_in_the_other_arm_are_elif():
    h = Hand((X,))
    block = Block((a := Var(FLOAT),), (), (a, a))
    for _ in range(1500):
        p, q, t = Var(FLOAT), Var(FLOAT), Var(BOOL)
        outs = (Var(FLOAT), Var(FLOAT))
        body = (
            Apply(t, TABLE["gt"], (p, Literal(1.0))),
            Branch(outs, t, (p,), Block((q,), (), (q, Literal(2.0))), block),
        )
        block = Block((p,), body, outs)
    outs = (Var(FLOAT, "y", None, True), Var(FLOAT, "z", None, True))
    then = Block((b := Var(FLOAT),), (), (b, b))
    h.body.append(Branch(outs, h.gt(X, 0.0), (X,), then, block))
    text = body_of(h.function(h.mul(outs[0], X), outs[1], nest=PAIR))
    assert text.startswith(
        "if x > 0.0:\n    y = x\n    z = x\n"
        "elif x > 1.0:\n    y = x\n    z = 2.0\nelif x > 1.0:\n"
    )
    assert text.count("elif") == 1500


@pytest.mark.parametrize(
    "name", ["STRAIGHT", "BRANCHING", "SCANNING", "LOOPING", "RECORDING"]
)
def test_structured_programs_compute_what_they_say(name):
    function = parse_function(getattr(programs, name), TABLE)
    text = text_of(function)
    namespace: dict[str, object] = {}
    exec(text, namespace)
    for args in ((2.0, 1), (4.5, 4)):
        used = args[: len(function.parameters)]
        named = dict(zip((p.name for p in function.parameters), used, strict=True))
        result = flat(namespace[function.name](**named))
        assert result == list(evaluate(function, used))
    assert black.format_str(text, mode=black.Mode()) == text


def flat(value):
    if isinstance(value, tuple | list):
        return [leaf for item in value for leaf in flat(item)]
    return [value]
