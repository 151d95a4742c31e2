"""What several values have in common is made once."""

from __future__ import annotations

import ast

import pytest
from amounts import amount
from hypothesis import given, settings
from hypothesis import strategies as st

from ad_transform.derive.factoring.multiples import LONG
from ad_transform.derive.factoring.sharing import (
    BINOMIALS,
    MULTIPLES,
    MULTIPLES_OF_LONG,
    NEGATIONS,
    PRODUCTS,
    REUSED,
    SIGNS,
    SUMS,
    TURNED,
    TURNED_DIFFERENCES,
)
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.count import count_statements
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import (
    LEAF,
    Block,
    Function,
    Literal,
    Parameter,
    Var,
    group,
)
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.types import FLOAT

PARAMETERS = tuple(Var(FLOAT, name) for name in "wxyz")
LISTS = st.lists(
    st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=1, max_size=4),
    min_size=2,
    max_size=6,
)


def built(rows, plus="add", minus="sub"):
    """A body of the rows, and what each gives; a row may read those before it."""
    b, results = Builder(TABLE, {}), []
    for operands in rows:
        total = b.keep(TABLE["neg"], (PARAMETERS[0],))
        for k, negative in operands:
            pool = (*PARAMETERS, *results)
            value = pool[k % len(pool)]
            total = b.keep(TABLE[minus if negative else plus], (total, value))
        results.append(total)
    return tuple(b.body), tuple(results)


NAMES = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div"}


def read(formulas):
    """A body of formulas of w, x, y and z, and what each gives."""
    b = Builder(TABLE, {})

    def value(node):
        if isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant):
            return b.keep(TABLE["neg"], (value(node.operand),))
        if isinstance(node, ast.BinOp):
            args = value(node.left), value(node.right)
            return b.keep(TABLE[NAMES[type(node.op)]], args)
        if isinstance(node, ast.Name):
            return PARAMETERS["wxyz".index(node.id)]
        return Literal(float(ast.literal_eval(node)))

    results = [value(ast.parse(f.strip()).body[0].value) for f in formulas.split(";")]
    return tuple(b.body), tuple(results)


def values(body, results, point):
    """What the results are at a point."""
    parameters = tuple(Parameter(p.hint, (p,), LEAF) for p in PARAMETERS)
    nest = group((LEAF,) * len(results))
    function = Function("f", parameters, Block(PARAMETERS, body, results), nest, 0)
    return evaluate(function, point)


# all sums and products are exact
KINDS = [
    (SUMS, ("add", "sub"), [3.0, 17.0, 1024.0, 5.0]),
    (PRODUCTS, ("mul", "div"), [0.5, 4.0, 8.0, 0.125]),
    (MULTIPLES, ("add", "sub"), [3.0, 17.0, 1024.0, 5.0]),
    (MULTIPLES, ("mul", "div"), [0.5, 4.0, 8.0, 0.125]),
    (TURNED, ("add", "sub"), [3.0, 17.0, 1024.0, 5.0]),
    (TURNED, ("mul", "div"), [0.5, 4.0, 8.0, 0.125]),
    (SIGNS, ("add", "sub"), [3.0, 17.0, 1024.0, 5.0]),
    (SIGNS, ("mul", "div"), [0.5, 4.0, 8.0, 0.125]),
    (REUSED, ("add", "sub"), [3.0, 17.0, 1024.0, 5.0]),
    (REUSED, ("mul", "div"), [0.5, 4.0, 8.0, 0.125]),
    (BINOMIALS, ("add", "sub"), [3.0, 17.0, 1024.0, 5.0]),
    (BINOMIALS, ("mul", "div"), [0.5, 4.0, 8.0, 0.125]),
    (NEGATIONS, ("add", "sub"), [3.0, 17.0, 1024.0, 5.0]),
    (NEGATIONS, ("mul", "div"), [0.5, 4.0, 8.0, 0.125]),
]


@settings(max_examples=amount(30, 80), deadline=None)
@given(LISTS, st.integers(0, 2), st.sampled_from(KINDS))
def test_random_rows_stay_what_they_are(rows, primal, kind):
    shares, words, point = kind
    body, results = built(rows, *words)
    made = shares.share(Builder(TABLE, LAWS), body, results, primal)
    assert values(*made, point) == values(body, results, point)
    kept = {out for s in made[0] for out in s.outs}
    assert set(results[:primal]) <= kept


# fmt: off
SHARED = [  # after -w; 1 is x
    ([[1, 2], [2, 3, 1]],     0, 3),  # x + y
    ([[1, ~2], [2, ~1, 3]],   0, 4),  # x - y, subtracted as well
    ([[3, 1, 2], [~1, ~2, 3]], 0, 4),  # z - w; x + y, subtracted as well
    ([[1], [2, 1]],           0, 2),  # a sum that is there
    ([[1], [2, 1]],           1, 2),  # and belongs to the value
]
# fmt: on


@pytest.mark.parametrize(("sums", "primal", "adds"), SHARED)
def test_pairs_are_made_once(sums, primal, adds):
    body, results = built([[(max(k, ~k), k < 0) for k in terms] for terms in sums])
    made = SUMS.share(Builder(TABLE, LAWS), body, results, primal)
    assert count_statements(*made).add == adds < count_statements(body, results).add


def test_a_product_is_made_of_one_that_is_there():
    rows = [[(1, False), (2, True)], [(1, False), (3, False), (2, True)]]
    body, results = built(rows, "mul", "div")
    made = PRODUCTS.share(Builder(TABLE, LAWS), body, results, 0)
    assert count_statements(*made).total == 4 < count_statements(body, results).total


EXACT = [2.0, 4.0, 8.0, 16.0]


def counts(sharing, formulas):
    """Operations before and after, of equal values."""
    body, results = read(formulas)
    made = sharing.share(Builder(TABLE, LAWS), body, results, 0)
    assert values(*made, EXACT) == values(body, results, EXACT)
    return count_statements(body, results), count_statements(*made)


# fmt: off
MADE_OF_OTHERS = [  # values of w, x, y, z; the last of which is made of another, or not
    ("x-3*y; (y-x)-3*y+5*x",         6, "4*x-2*y is no multiple of it"),
    ("x-3*y; x+x-6*y",               3, "twice the first"),
    ("x*(y+z); z*x+x*y",             2, "the first, multiplied out"),
    ("2*y+2*z; w+x; (3*y+3*z)*(w+x)", 6, "one and a half times the first"),
    ("y+z; w/x*y+w*z/x",             3, "a sum times a quotient"),
    ("w/(x*y); w/x/y",               2, "the same divisors"),
    ("x-3*y; y-3*x; x-3*y+2*x; y-3*x+2*y", 7, "the last is the third with a minus"),
    ("(x+y)-y; x+w",                 3, "what cancels is left alone"),
    ("x*y/x; y+w",                   3, "so is a factor over itself"),
    ("1e200*x+1e-200*y; 1e200*x+2e-200*y", 5, "numbers whose quotients are 0"),
    ("1e-200*x+1e200*y; 1e-200*x+2e200*y", 5, "and inf"),
    ("1e-200*x*y; 1e200*x*y",        4, "a number beside it that is inf"),
    ("1e-70*x*y; 1e70*x*y",          4, "a number that takes most floats to inf"),
    ("1e20*x+y; 1e20*x+y-x",         3, "a term that is lost in another"),
]
# fmt: on


@pytest.mark.parametrize(("formulas", "least", "why"), MADE_OF_OTHERS)
def test_multiples_are_made_of_earlier_values(formulas, least, why):
    _, after = counts(MULTIPLES, formulas)
    assert after.total == least, why


@pytest.mark.parametrize(
    ("formulas", "least"),
    [("z+(x-y); y-x", 2), ("x-y; y-x", 2), ("z*(x-y)/w; w/(y-x); z+(y-x)", 6)],
)
def test_a_difference_is_the_negative_of_the_other_one(formulas, least):
    before, after = counts(TURNED_DIFFERENCES, formulas)
    assert after.total == least <= before.total
    body, results = read(formulas)
    kept = TURNED_DIFFERENCES.share(Builder(TABLE, LAWS), body, results, len(results))
    assert kept == (body, results)


def test_multiples_are_made_in_long_code_where_that_is_asked_for():
    others = [f"z+{k}" for k in range(LONG)]
    body, results = read("; ".join(["x-3*y", "x+x-6*y", *others]))
    assert len(body) > LONG
    given = Builder(TABLE, LAWS), body, results, 0
    assert MULTIPLES.share(*given) == (body, results)
    made, _ = MULTIPLES_OF_LONG.share(*given)
    assert len(made) == len(body) - 2


# fmt: off
TAKEN_IN = [  # values of w, x, y, z, and the negations that are left
    ("-(x-y)",                    0, "a difference is turned round"),
    ("-((2*x+y)/z+w)",            0, "a number in a quotient in a sum"),
    ("-(x+y)",                    1, "a sum without either"),
    ("-(x*y/z)",                  1, "a product of names"),
    ("-(w*(x-y)+z)",              0, "a difference in a product in a sum"),
    ("w/-(x-y)",                  0, "below the line"),
    ("x*-(3*y)",                  0, "a negation inside"),
    ("-(w/(2*x))",                0, "a number below the line"),
]
# fmt: on


@pytest.mark.parametrize(("formula", "left", "why"), TAKEN_IN)
def test_negations_go_into_what_costs_as_much_with_the_other_sign(formula, left, why):
    before, after = counts(NEGATIONS, formula)
    assert (after.neg, after.total) == (left, before.total - before.neg + left), why


def test_what_is_used_twice_keeps_its_sign():
    body, results = read("x-y")
    b = Builder(TABLE, {})
    b.absorb(body, results)
    turned = b.keep(TABLE["neg"], results)
    given = tuple(b.body), (*results, turned)
    assert NEGATIONS.share(Builder(TABLE, LAWS), *given, 0) == given


def test_what_the_value_needs_keeps_its_negations():
    given = read("-(x-y)")
    assert NEGATIONS.share(Builder(TABLE, LAWS), *given, 1) == given


# fmt: off
TURNED_ROUND = [  # values of w, x, y, z, and the negations that are left
    ("-(x*y); -(x*y)*-(z/w)",      1, "two negatives are multiplied"),
    ("z-w*-(x*y); -(x*y)/z+w",     0, "a negative that is added twice"),
    ("-(w*x+2*y); 3*y-(w*x+2*y)",  0, "a number takes the sign in"),
    ("-(x+3); -(3+y)",             0, "so does one that is added"),
    ("-(x*y)*z; -(x*y)*w",         1, "a result is what it is"),
    ("x-y*-z; w*(-z/(x+y))+x",     0, "nothing else needs the value that is turned"),
    ("w-x/-(y*z); (x/-(y*z)-w)/z", 1, "one of two differences has the wrong sign"),
    ("w-x/-(y*z); (x/-(y*z)+w)/z", 0, "a sum is a difference instead"),
]
# fmt: on


@pytest.mark.parametrize(("formulas", "left", "why"), TURNED_ROUND)
def test_values_are_computed_with_the_sign_that_saves_negations(formulas, left, why):
    before, after = counts(TURNED, formulas)
    assert (after.neg, after.total) == (left, before.total - before.neg + left), why


# fmt: off
CHOSEN = [  # values of w, x, y, z, operations behind turned signs, and chosen ones
    ("(w*x-y)/z+w; x-(w*x-y)*z; -(z*y+(w*x-y))*w", 10, 9, "through what is used once"),
    ("w*(x-y); w*(y-x)/z",                          5, 4, "of two differences"),
    ("w*(x/y-z); y*-w+z; z+w*(z-x/y)",              8, 6, "and products of these"),
    ("w-x/-(y*z); (x/-(y*z)-w)/z",                  6, 5, "one result is turned"),
    ("-x*(y*z-w)+w; -w*(y*z-w)+x; (y*z-w)*-z",      8, 7, "none of three is left"),
    ("-x*(y+z); -w*(y+z)",                          5, 5, "both have to be negative"),
]
# fmt: on


@pytest.mark.parametrize(("formulas", "turned", "chosen", "why"), CHOSEN)
def test_signs_are_chosen_of_whole_expressions(formulas, turned, chosen, why):
    made = [counts(share, formulas)[1].total for share in (TURNED, SIGNS)]
    assert made == [turned, chosen], why


# fmt: off
WRITTEN_ANEW = [  # values of w, x, y, z, and the operations that are left
    ("2*x*(1/y)-1/y",              3, "a reciprocal that both terms have"),
    ("x*(w/y)+z*(w/y)",            3, "a quotient"),
    ("2*x*(1/y)-1/y; 1/y",         4, "another result needs it"),
    ("(x+y)*z-(x+y)*w",            4, "only products are looked into"),
]
# fmt: on


@pytest.mark.parametrize(("formulas", "left", "why"), WRITTEN_ANEW)
def test_what_one_sum_uses_several_times_is_taken_apart(formulas, left, why):
    _, after = counts(REUSED, formulas)
    assert after.total == left, why


@pytest.mark.parametrize("shares", [TURNED, SIGNS, REUSED])
def test_what_the_value_needs_is_neither_turned_nor_taken_apart(shares):
    given = read("-(x*y)*-(z/w); 2*x*(1/y)-1/y")
    assert shares.share(Builder(TABLE, LAWS), *given, 2) == given
