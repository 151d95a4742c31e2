"""Dataclasses whose methods are written with their first call are as Python's."""

import copy
import dataclasses
import pickle

import pytest

from ad_transform.dataclass import dataclass, field


@dataclass(frozen=True, slots=True)
class Point:
    x: float
    name: str = "p"
    seen: list[int] = field(default_factory=list, compare=False)


@dataclass(frozen=True, slots=True)
class Named(Point):
    note: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class Plain:
    x: float
    name: str = "p"
    seen: list[int] = dataclasses.field(default_factory=list, compare=False)


def test_objects_are_those_of_the_standard_library():
    late, plain = Point(1.0), Plain(1.0)
    assert repr(late).replace("Point", "Plain") == repr(plain)
    assert hash(late) == hash(plain)
    assert late == Point(1.0, seen=[1]) != Point(2.0)
    assert dataclasses.replace(late, x=2.0) == Point(2.0)


def test_frozen_objects_do_not_change_and_have_no_dict():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Point(1.0).x = 2.0
    assert not hasattr(Point(1.0), "__dict__")


def test_a_class_that_is_derived_from_has_its_fields():
    made = Named(1.0, note="n")
    assert (made.x, made.name, made.seen, made.note) == (1.0, "p", [], "n")
    assert Named.__slots__ == ("note",)
    assert Named.__match_args__ == (*Plain.__match_args__, "note")


@pytest.mark.parametrize("again", [copy.copy, lambda p: pickle.loads(pickle.dumps(p))])
def test_copies_are_equal(again):
    assert again(Named(1.0, "q", [1], "n")) == Named(1.0, "q", [1], "n")


def test_a_mistake_in_a_first_call_is_the_standard_library_s():
    @dataclass(frozen=True, slots=True)
    class Fresh:
        x: float

    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        Fresh()
    assert Fresh(1.0) == Fresh(1.0)
