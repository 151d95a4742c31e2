"""Types of results: nothing loses the shape of an array."""

import pytest

from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Literal, Var
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.types import BOOL, FLOAT, INT, Kind, Type
from ad_transform.ir.typing import result_type

ROW = Type(Kind.FLOAT, ("n",))
WHOLE = Type(Kind.INT, ("n",))


@pytest.mark.parametrize(
    ("op", "args", "expected"),
    [
        ("mul", (FLOAT, INT), FLOAT),
        ("mul", (INT, INT), INT),
        ("mul", (FLOAT, ROW), ROW),
        ("add", (ROW, ROW), ROW),
        ("add", (WHOLE, INT), WHOLE),
        ("add", (WHOLE, FLOAT), ROW),
        ("sin", (ROW,), ROW),
        ("gt", (ROW, FLOAT), Type(Kind.BOOL, ("n",))),
        ("gt", (FLOAT, FLOAT), BOOL),
        ("get", (ROW, INT), FLOAT),
        ("append", (ROW, FLOAT), Type(Kind.FLOAT, ("n+1",))),
        ("pop", (Type(Kind.FLOAT, (3,)),), Type(Kind.FLOAT, (2,))),
        ("pack", (ROW, ROW), Type(Kind.FLOAT, (2, "n"))),
        ("size", (ROW,), INT),
        ("sum_of", (ROW,), FLOAT),
    ],
)
def test_the_type_of_a_result(op, args, expected):
    assert result_type(TABLE[op], tuple(map(Var, args))) == expected


def test_arrays_of_different_lengths_do_not_go_together():
    other = Var(Type(Kind.FLOAT, ("m",)))
    with pytest.raises(ValueError, match="arrays of"):
        result_type(TABLE["add"], (Var(ROW), other))


@pytest.mark.parametrize("op", ["mul", "add", "sub", "div"])
@pytest.mark.parametrize("number", [0.0, 1.0])
def test_no_law_makes_a_number_of_an_array(op, number):
    for place in (0, 1):
        args = [Var(ROW), Var(ROW)]
        args[place] = Literal(number)
        assert Builder(TABLE, LAWS).apply(op, *args).type == ROW
    array = Var(ROW)
    assert Builder(TABLE, LAWS).apply("sub", array, array).type == ROW
