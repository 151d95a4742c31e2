"""Members of an Enum, and `is` between objects: what is read, and what is refused."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from amounts import ANY_ORDER
from support import flat, generate, load, load_generated, run

HEAD = """from enum import Enum, IntEnum, StrEnum, auto
from dataclasses import dataclass

class Level(IntEnum):
    LOW = 1
    HIGH = 3

class Shape(str, Enum):
    ROUND = "round"
    FLAT = "flat"

class End(Enum):
    FIXED = auto()
    FREE = 0.5

    @property
    def factor(self):
        return 2.0 if self is End.FIXED else self.value

class Point:
    def __init__(self, x):
        self.x = x

@dataclass(frozen=True)
class Frozen:
    x: float

class Start(IntEnum):
    FIRST = 5
    SECOND = auto()
    THIRD = auto()

class Colour(StrEnum):
    RED = auto()

class Same(Enum):
    A = 1

    def weight(self):
        return 3.0

class Falling(IntEnum):
    A = 5
    B = 2
    C = auto()

class Words(str, Enum):
    A = auto()

class Walking(IntEnum):
    A = 1

    def step(self):
        return 2.0

class Twice(Enum):
    A = 1
    B = 1

RATE = {End.FIXED: 2.0, End.FREE: 3.0}

"""
BODIES = {
    "values": "return x * Level.HIGH + y * End.FREE.value * End.FIXED.value",
    "by name": 'm = End["FREE"]\nreturn x * y if m is End.FREE else x * Level["HIGH"]',
    "methods": "return x * End.FIXED.factor + y * End.FREE.factor",
    "texts": "return x if Shape.ROUND == 'round' and Shape.FLAT.value == 'flat' else y",
    "loops": "return sum(x * RATE[e] + y * e.factor for e in End)",
    "made": "return x if End(0.5) is End.FREE and End.FREE.name == 'FREE' else y",
    "numbered": "return x * Start.SECOND + y * Start.THIRD.value + End.FIXED.value",
    "lowered": "return x if Colour.RED == 'red' else y",
    "alike": "return x * Same.A.weight() + y * (1.0 if Same.A is End.FIXED else 2.0)",
    "states": """
end, s = End.FIXED if x > 0.4 else End.FREE, 0.0
for _ in range(n):
    s += RATE[end] * x + (y if end is not End.FREE else y * y)
    end = End.FREE if end == End.FIXED else End.FIXED
return s
""",
    "objects": """
points, s = [Point(x), Point(y), Point(x * y)], 0.0
for p in points:
    for q in points:
        if p is not q:
            s += (p.x - q.x) ** 2 * p.x
return s if points[0].__class__ is Point else x
""",
}


def source(body: str, parameters: str = "x, y, n: int") -> str:
    lines = body.strip().replace("\n", "\n    ")
    return f"{HEAD}# ad: gradient\ndef f({parameters}):\n    {lines}\n"


@pytest.mark.parametrize("name", BODIES)
def test_slopes_are_those_of_differences(name: str) -> None:
    text = source(BODIES[name])
    f, grad = load(text)["f"], load_generated(text)["f_grad"]
    ends = [(1e-6, 0.0), (0.0, 1e-6)]
    wanted = [(f(0.5 + h, 0.7 + k, 3) - f(0.5 - h, 0.7 - k, 3)) / 2e-6 for h, k in ends]
    assert flat(grad(0.5, 0.7, 3)) == pytest.approx(wanted, rel=1e-8, abs=1e-9)


REFUSED = [
    (
        "x, end: Twice",
        "return x if end is Twice.A else 0.0",
        "AD104",
        "two names of one",
    ),
    ("x, end: End", "return x * end", "AD107", "a str cannot be used as a number"),
    ("end: End", "return 1.0", "AD023", "carries a derivative"),
    ("x, end: End | None = None", "return x if end is None else 0.0", "AD104", ""),
    ("x, k: int", "return x if End(k) is End.FREE else 0.0", "AD107", "which member"),
    ("x", "return x if Twice.A is Twice.B else 0.0", "AD107", "two names of one"),
    ("x", "return x * Level['NONE']", "AD107", "no member that is named so"),
    ("x", "return x if End.FREE in End else 0.0", "AD102", "of the class 'End'"),
    ("x", "return x * Falling.C", "AD107", "not in order"),
    ("x", "return x if Words.A == 'a' else 0.0", "AD107", "`auto()` for a text"),
    ("x", "return x * Walking.A", "AD107", "mixes methods"),
    ("x", "return x if Frozen(x) is Frozen(x) else 0.0", "AD102", "is not known"),
    ("x, y", "return x if x is y else 0.0", "AD102", "is not known"),
    (
        "x",
        "p = Point(x)\np = p if x > 1.0 else Point(x)\nreturn End.OFF",
        "AD102",
        "OFF",
    ),
]


@pytest.mark.parametrize(("parameters", "body", "code", "message"), REFUSED)
def test_what_is_refused_is_said(
    parameters: str, body: str, code: str, message: str
) -> None:
    found = run(source(body, parameters)).diagnostics
    assert [d.code for d in found][:1] == [code]
    assert message in found[0].message


GIVEN = """
# ad: gradient
def f(x: float, end: End, level: Level = Level.HIGH, idle: End = End.FIXED):
    if end is End.FREE and end in End and end not in Colour:
        return x * level + x**2 * end.value
    return x**level.value * end.factor

# ad: gradient(x)
def g(x: float, last: tuple[End, float], beam: Beam = Beam(2.0, End.FREE)):
    s = x if beam.end is last[0] else x * x
    for _ in range(2):
        s += x**2 * {End.FIXED: 2.0, End.FREE: 3.0}[beam.end] * last[1]
    return s * beam.length if beam.end.name == "FREE" else s

# ad: vjp(beam)
def h(beam: Beam, x: float, end=End.FREE):
    return beam.length**2 * x if end == beam.end else beam.length * x
"""
BEAM = """
@dataclass(frozen=True)
class Beam:
    length: float
    end: End = End.FIXED
"""


def test_members_are_given() -> None:
    text = HEAD + BEAM + GIVEN
    model = load(text)
    made = load(generate(text, **ANY_ORDER), {"model": SimpleNamespace(**model)})
    end, level = model["End"], model["Level"]
    for given in [(end.FREE,), (end.FIXED, level.LOW), (end.FIXED,)]:
        rise = model["f"](0.7 + 1e-6, *given) - model["f"](0.7 - 1e-6, *given)
        assert made["f_grad"](0.7, *given) == pytest.approx(rise / 2e-6, rel=1e-8)
    for given in [
        ((end.FREE, 0.5),),
        ((end.FIXED, 0.5), model["Beam"](3.0, end.FIXED)),
    ]:
        rise = model["g"](0.7 + 1e-6, *given) - model["g"](0.7 - 1e-6, *given)
        assert made["g_grad"](0.7, *given) == pytest.approx(rise / 2e-6, rel=1e-8)
    beam = model["Beam"](3.0, end.FREE)
    assert made["h_vjp"](beam, 1.0, 0.5) == (4.5, (3.0, None))
    assert made["h_vjp"](beam, 1.0, 0.5, end.FIXED) == (1.5, (0.5, None))
    assert "idle =" not in generate(text, **ANY_ORDER)
