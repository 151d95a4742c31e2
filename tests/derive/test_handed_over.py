"""What the arms of a branch hand over to the way back."""

from ad_transform.derive.sweep.handing import in_slots
from ad_transform.ir.dims import ANY
from ad_transform.ir.nodes import Var
from ad_transform.ir.types import FLOAT, Kind, Type

LIST, NUMBER = Var(Type(Kind.FLOAT, ("m",)), "row"), Var(FLOAT, "x")


def test_an_array_that_one_arm_has_not_is_of_any_length() -> None:
    outs, (there, absent) = in_slots([(LIST, NUMBER), (NUMBER,)])
    assert [out.type.dims for out in outs] == [(ANY,), ()]
    assert there.values == (LIST, NUMBER)
    assert absent.values[0].type.dims == (ANY,)


def test_an_array_that_all_arms_have_has_its_length() -> None:
    outs, _ = in_slots([(LIST,), (LIST, NUMBER)])
    assert [out.type for out in outs] == [LIST.type, FLOAT]
