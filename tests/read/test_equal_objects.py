"""`==` of objects: what a dataclass generates, what a class defines, or which is it."""

from __future__ import annotations

from itertools import product

import pytest
from amounts import NUMBERS
from reading import bits, codes, indented
from support import flat, load, load_generated, run

HEAD = """from dataclasses import dataclass, field


@dataclass
class Point:
    a: float
    b: float = 1.0
    name: str = ""
    uses: int = field(default=0, compare=False)


@dataclass
class Line:
    p: Point
    q: Point | None = None


@dataclass(eq=False)
class Tank:
    level: float


class Near:
    def __init__(self, a):
        self.a = a

    def __eq__(self, other):
        return abs(self.a - other.a) < 0.1


@dataclass
class Exact(Near):
    a: float


class Named(Point):
    pass


@dataclass(frozen=True)
class Alloy:
    e: float
    nu: float
    name: str


STEEL, ZINC = Alloy(210.0, 0.3, "steel"), Alloy(108.0, 0.25, "zinc")


# ad: gradient(x, y, value=True)
def f(x: float, y: float, kind: str = "steel"):
"""
TESTS = {
    "fields": "Point(x, y) == Point(y, x)",
    "fields that differ": "Point(x, y) != Point(y, x)",
    "what is left out": "Point(x, uses=2) == Point(x, 1.0, uses=3)",
    "a text": 'Point(x, y, "u") == Point(x, y)',
    "a class derived": "Named(x) == Point(x)",
    "a field inherited": "Named(x) == Named(y)",
    "objects in objects": "Line(Point(x)) == Line(Point(y))",
    "None in objects": "Line(Point(x), Point(y)) != Line(Point(x))",
    "one object": "(lambda t: t == t)(Tank(x))",
    "two objects": "Tank(x) != Tank(x)",
    "another class": "Point(x) == Tank(x)",
    "a method": "Near(x) == Near(y)",
    "a method that is turned": "Near(x) != Near(y)",
    "a method in the way": "Exact(x) == Exact(y)",
    "None": "Point(x) == None",
    "a constant": '(STEEL if kind == "steel" else ZINC) == STEEL',
}
POINTS = [*product((0.3, 0.35), (0.3, 0.35), ("steel", "zinc"))]


@pytest.mark.parametrize("name", TESTS)
def test_chooses_what_python_chooses(name: str) -> None:
    lines = f"if {TESTS[name]}:\n    return x * y\nreturn x * x + y"
    source = HEAD + indented(lines)
    theirs, ours = load(source)["f"], load_generated(source, **NUMBERS)
    for x, y, kind in POINTS:
        value, slopes = ours["f_value_and_grad"](x, y, kind)
        assert bits(value) == bits(theirs(x, y, kind))
        is_product = load(source.replace("x * y\n", "True\n"))["f"](x, y, kind) is True
        assert flat(slopes) == ([y, x] if is_product else [2.0 * x, 1.0])


def test_objects_that_are_parameters_are_compared() -> None:
    head = HEAD[: HEAD.index("# ad:")]
    source = head + (
        "# ad: gradient(p)\ndef f(p: Point, q: Point):\n"
        "    return p.a * q.a if p == q else p.b\n"
    )
    made = load_generated(source, **NUMBERS)["f_grad"]
    point = load(source)["Point"]
    assert made(point(2.0, 3.0), point(2.0, 3.0, uses=4))[:2] == (2.0, 0.0)
    assert made(point(2.0, 3.0), point(2.0, 3.0, "u"))[:2] == (0.0, 1.0)


def test_arrays_are_not_compared() -> None:
    source = (
        "import numpy as np\nfrom dataclasses import dataclass\n\n\n@dataclass\n"
        "class Mesh:\n    x: np.ndarray\n\n\n# ad: gradient(x)\n"
        'def f(x: "Vector[n]"):\n'
        "    return x[0] if Mesh(x) == Mesh(x * 2.0) else x[1]\n"
    )
    assert codes(source) == ["AD107"]
    assert "of two objects are not compared" in str(run(source).diagnostics)
