"""Types of results: nothing loses the shape of an array."""

import pytest

from ad_transform.derive.sweep.shapes import fitted
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Var
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.types import BOOL, FLOAT, INT, Kind, Type
from ad_transform.ir.typing import result_type

ROW = Type(Kind.FLOAT, ("n",))
WHOLE = Type(Kind.FLOAT, (), ("n",))
COUNTS = Type(Kind.INT, (), ("n",))
COLUMN = Type(Kind.FLOAT, (), ("m", 1))


@pytest.mark.parametrize(
    ("op", "args", "expected"),
    [
        ("mul", (FLOAT, INT), FLOAT),
        ("mul", (INT, INT), INT),
        ("mul", (FLOAT, WHOLE), WHOLE),
        ("add", (WHOLE, WHOLE), WHOLE),
        ("add", (COUNTS, INT), COUNTS),
        ("add", (COUNTS, FLOAT), WHOLE),
        ("add", (WHOLE, COLUMN), Type(Kind.FLOAT, (), ("m", "n"))),
        ("sin", (WHOLE,), WHOLE),
        ("gt", (WHOLE, FLOAT), Type(Kind.BOOL, (), ("n",))),
        ("where", (Type(Kind.BOOL, (), ("n",)), FLOAT, INT), WHOLE),
        ("cut_between", (WHOLE, INT, INT), Type(Kind.FLOAT, (), ("?",))),
        ("sum_columns", (COLUMN,), Type(Kind.FLOAT, (), ("m",))),
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


def test_lists_are_computed_with_element_by_element():
    with pytest.raises(ValueError, match="element by element"):
        result_type(TABLE["add"], (Var(ROW), Var(FLOAT)))


def test_what_a_law_makes_of_an_array_gets_its_shape_again():
    builder, array = Builder(TABLE, LAWS), Var(WHOLE)
    number = builder.apply("sub", array, array)
    assert fitted(builder, number, array).type == WHOLE
