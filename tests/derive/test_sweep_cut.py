"""What a backward pass is handed: a minimum cut, and all that it reads is there."""

from __future__ import annotations

from ad_transform.derive.sweep.cut import split
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Apply, Literal, Var
from ad_transform.ir.types import FLOAT, Kind, Type


def apply(op, *args):
    return Apply(Var(FLOAT), TABLE[op], args)


def test_one_product_is_handed_over_for_two_factors():
    x, y, seed = Var(FLOAT), Var(FLOAT), Var(FLOAT)
    product = apply("mul", x, y)
    end = apply("mul", product.out, seed)
    part = split([product, end], [end.out], [seed], [])
    assert part.saved == (product.out,)
    assert (part.early, part.late) == ((product,), (end,))


def test_ties_stay_on_the_way_back():
    x, seed = Var(FLOAT), Var(FLOAT)
    square = apply("mul", x, x)
    end = apply("mul", square.out, seed)
    part = split([square, end], [end.out], [seed], [])
    assert (part.early, part.saved, part.late) == ((), (x,), (square, end))


def test_what_is_free_is_not_handed_over():
    x, seed = Var(FLOAT), Var(FLOAT)
    end = apply("mul", x, seed)
    assert split([end], [end.out], [seed], [x]).saved == ()


def test_what_both_sides_need_is_done_on_both():
    x, a, b, seed = (Var(FLOAT) for _ in range(4))
    shared = apply("sin", x)
    mixed = [apply("mul", a, shared.out)]
    mixed.append(apply("mul", b, mixed[0].out))
    ends = [apply("mul", mixed[1].out, seed), apply("mul", shared.out, seed)]
    back = [shared, *mixed, *ends]
    part = split(back, [end.out for end in ends], [seed], [])
    assert {*part.saved} == {x, mixed[1].out}
    assert shared in part.early
    assert shared in part.late


def test_an_array_that_the_way_forth_changes_is_not_handed_over():
    x, y, p, q, seed = (Var(FLOAT) for _ in range(5))
    made = Apply(Var(Type(Kind.FLOAT, (2,))), TABLE["pack"], (x, y))
    last = Apply(Var(FLOAT), TABLE["get"], (made.out, Literal(-1)))
    rest = Apply(Var(Type(Kind.FLOAT, (1,))), TABLE["pop"], (made.out,))
    total = Apply(Var(FLOAT), TABLE["sum_of"], (rest.out,))
    mixed = [apply("mul", p, total.out)]
    mixed.append(apply("mul", q, mixed[0].out))
    ends = [apply("mul", last.out, seed), apply("mul", mixed[1].out, seed)]
    back = [made, last, rest, total, *mixed, *ends]
    part = split(back, [end.out for end in ends], [seed], [])
    assert {*part.saved} == {last.out, mixed[1].out}
    assert part.early == (made, last, rest, total, *mixed)
