"""Dataclasses whose methods are written with their first call are as Python's."""

import copy
import dataclasses
import pickle
import subprocess
import sys
from dataclasses import field

import pytest

from ad_transform.dataclass import (
    dataclass,
    found_once,
    hurried,
    kept,
    replace,
)


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


@dataclass(frozen=True, slots=True)
class Sorted(Point):
    last: int = field(kw_only=True)
    sum: int = field(init=False, compare=False)
    first: int = 0


@dataclasses.dataclass(frozen=True)
class Held:
    x: int
    note: str = field(kw_only=True)
    y: int = 2


@pytest.mark.parametrize(
    ("made", "changes"),
    [
        (Named(1.0, "q", [1], "n"), {"note": "m", "x": 2.0}),
        (Named(1.0, "q", [1], "n"), {"x": 2.0, "note": "m"}),
        (Named(1.0, "q", [1], "n"), {}),
        (Sorted(1.0, last=3, first=4), {"first": 5}),
        (Sorted(1.0, last=3, first=4), {"last": 5, "name": "r"}),
        (Held(1, note="n"), {"x": 3, "note": "m"}),
    ],
)
def test_what_is_replaced_once_or_often_is_what_the_library_replaces(made, changes):
    wanted = dataclasses.replace(made, **changes)
    for _ in range(20):
        found = replace(made, **changes)
        assert found == wanted and type(found) is type(made)


@pytest.mark.parametrize("word", ["sum", "other"])
def test_no_other_field_is_replaced(word):
    for _ in range(20):
        with pytest.raises(TypeError):
            replace(Sorted(1.0, last=3), **{word: 1})


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


@dataclass(slots=True)
class Pair:
    one: int
    two: int

    @kept
    def total(self) -> int:
        return self.one + self.two


@dataclass(slots=True)
class Triple(Pair):
    three: int = 0

    @kept
    def product(self) -> int:
        return self.one * self.two * self.three


def test_what_is_kept_is_found_out_once_and_is_no_field():
    made = Triple(2, 3, 4)
    assert (made.total, made.product) == (5, 24)
    made.one = 7
    assert made.total == 5
    assert [each.name for each in dataclasses.fields(Triple)] == ["one", "two", "three"]
    assert repr(Pair(1, 2)) == "Pair(one=1, two=2)"
    assert Pair(1, 2) == Pair(1, 2) != Pair(2, 1)
    assert dataclasses.replace(Triple(2, 3, 4), one=1).product == 12


@pytest.mark.parametrize("again", [copy.copy, lambda p: pickle.loads(pickle.dumps(p))])
def test_copies_have_what_is_kept(again):
    assert again(Triple(2, 3, 4)).product == 24


ASKED = []


@dataclass(slots=True)
class Square:
    side: int

    @found_once
    def area(self) -> int:
        ASKED.append(self.side)
        return self.side**2


def test_what_is_found_once_is_found_when_it_is_asked_for_and_is_no_field():
    ASKED.clear()
    made = Square(3)
    assert not ASKED
    assert (made.area, made.area, ASKED) == (9, 9, [3])
    made.side = 4
    assert made.area == 9
    assert [each.name for each in dataclasses.fields(Square)] == ["side"]
    assert dataclasses.replace(made, side=5).area == 25
    assert (repr(made), made) == ("Square(side=4)", Square(4))
    assert not hasattr(made, "__dict__")


@dataclass(frozen=True, slots=True)
class Line:
    ends: tuple[int, int]

    @found_once
    def length(self) -> list[int]:
        return [self.ends[1] - self.ends[0]]


def test_frozen_objects_find_out_once_as_well():
    made = Line((1, 4))
    assert made.length == [3] and made.length is made.length
    assert made == Line((1, 4)) and hash(made) == hash(Line((1, 4)))


@pytest.mark.parametrize("again", [copy.copy, lambda p: pickle.loads(pickle.dumps(p))])
def test_a_copy_finds_out_for_itself(again):
    made = Square(3)
    assert made.area == 9
    made.side = 4
    assert again(made).area == 16


def test_a_mistake_in_a_first_call_is_the_standard_library_s():
    @dataclass(frozen=True, slots=True)
    class Fresh:
        x: float

    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        Fresh()
    assert Fresh(1.0) == Fresh(1.0)


def with_slots(made):
    """A class made of another one, as LibCST does it."""
    held = {x.name for x in dataclasses.fields(made)}
    own = {k: v for k, v in vars(made).items() if k not in {*held, "__dict__"}}
    return type(made)(made.__name__, made.__bases__, {**own, "__slots__": (*held,)})


def classes():
    """Frozen classes of a library: with and without slots, derived and with methods."""

    @dataclasses.dataclass(frozen=True)
    class Base:
        def __post_init__(self):
            assert self.x

    @with_slots
    @dataclasses.dataclass(frozen=True)
    class Slots(Base):
        x: float
        seen: list = dataclasses.field(default_factory=list, compare=False)
        name: str = dataclasses.field(default="p", kw_only=True)

    @dataclasses.dataclass(frozen=True)
    class Loose(Base):
        x: float
        y: float = 2.0

    @dataclasses.dataclass(frozen=True)
    class Own(Base):
        x: float
        __hash__ = object.__hash__

        def __eq__(self, other):
            return self is other

        def __repr__(self):
            return "own"

    @dataclasses.dataclass
    class Open:
        x: float

    return Slots, Loose, Own, Open


def deeds(made):
    """What objects of a class do, as text."""
    one, other = made(1.0), made(2.0)
    said = [repr(one), one == made(1.0), one == other, dataclasses.replace(one, x=3.0)]
    said += [x.name for x in dataclasses.fields(one)]
    said += [made.__match_args__, made.__dataclass_params__.frozen]
    said += [made.__hash__ is None, made.__hash__ is object.__hash__]
    for wrong in (lambda: setattr(one, "x", 2.0), lambda: delattr(one, "x"), made):
        try:
            said.append(wrong())
        except (AttributeError, TypeError) as error:
            said.append(type(error))
    if hash(made) and made.__hash__ not in (None, object.__hash__):
        said.append(hash(one) == hash(made(1.0)) != hash(other))
    return list(map(str, said))


def test_classes_of_libraries_are_those_of_the_standard_library():
    with hurried():
        late = classes()
    assert [deeds(made) for made in late] == [deeds(made) for made in classes()]
    assert dataclasses.dataclass.__module__ == "dataclasses"


LIBRARY = """\
import functools, hashlib, inspect
from ad_transform.dataclass import hurried
{}:
    import libcst as cst
text = inspect.getsource(functools)
tree = cst.parse_module(text)
assert tree.code == text
first = tree.body[0]
again = first.deep_clone()
assert again.deep_equals(first) and again != first and hash(again) != hash(first)
around = {{"lpar": [cst.LeftParen()], "rpar": [cst.RightParen()]}}
named = cst.Name("x").with_changes(value="y", **around)
try:
    cst.Name("")
except cst.CSTValidationError as error:
    print(error)
print(named, hashlib.sha256(repr(tree).encode()).hexdigest())
"""


def test_libcst_is_the_same_when_it_is_hurried():
    def said(line):
        command = [sys.executable, "-c", LIBRARY.format(line)]
        return subprocess.run(command, check=True, capture_output=True).stdout

    assert said("with hurried()") == said("if hurried") != b""


@dataclass(slots=True)
class Worded:
    first: int
    second: list[int] = field(default_factory=list)
    third: str = field(default="c", kw_only=True)
    fourth: str = field(kw_only=True)


@dataclass(slots=True)
class OtherWords:
    one: int
    two: list[int] = field(default_factory=list)
    three: str = field(default="z", kw_only=True)
    four: str = field(kw_only=True)


def test_what_is_compiled_once_has_the_names_and_defaults_of_each_class():
    assert repr(Worded(1, fourth="d")) == (
        "Worded(first=1, second=[], third='c', fourth='d')"
    )
    other = OtherWords(one=1, four="d", two=[3])
    assert (other.one, other.two, other.three, other.four) == (1, [3], "z", "d")
    with pytest.raises(TypeError, match="argument: 'fourth'"):
        Worded(1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'first'"):
        OtherWords(first=1, four="d")
