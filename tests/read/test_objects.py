"""Objects of the user's classes as functions are read."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from amounts import ANY_ORDER
from support import generate, load, load_generated, run

HEAD = """import math
from collections import namedtuple
from dataclasses import asdict, astuple, dataclass, field, replace
from typing import NamedTuple, NotRequired, TypedDict

class V(NamedTuple):
    x: float
    y: float = 2.0

@dataclass
class P:
    v: V
    m: float
    log: "Logger" = None

class Air:
    G = 9.81
    ROOT = math.sqrt(G)

class Plain:
    def __init__(self, a):
        self.a = a

@dataclass
class Post:
    a: float
    def __post_init__(self):
        assert self.a > 0.0

class Odd(NamedTuple):
    a: float
    def __lt__(self, other):
        return self.a < other.a

class Part(TypedDict, total=False):
    a: float

class Maybe(TypedDict):
    a: float
    b: NotRequired[float]

class Sub(namedtuple("Base", "a b")):
    @property
    def c(self):
        return self.a * self.b

class Loop(NamedTuple):
    inner: "Loop"
    a: float

Pair = namedtuple("Pair", "a b")
ORIGIN = V(1.0)

"""


def source(parameters: str, *body: str) -> str:
    lines = "\n    ".join(body)
    return f"{HEAD}# ad: gradient\ndef f({parameters}):\n    {lines}\n"


REFUSED = [
    ("p: V", ["p.x = 2.0", "return p.x"], "AD107", "cannot be assigned"),
    ("p: P, q: P", ["return p.m if p < q else 1.0"], "AD107", "object of 'P'"),
    ("p: P", ["v, m, log = p", "return m"], "AD107", "cannot be taken apart"),
    ("p: P", ["return p[0].x"], "AD107", "cannot be subscripted"),
    ("p: P", ["return p.q"], "AD102", "'P' has no 'q'"),
    ("p: V", ["return p.z"], "AD102", "the attribute 'z' of an object of 'V'"),
    ("p: P", ["return p.log * p.m"], "AD107", "a value of type \"'Logger'\""),
    ("p: Air", ["return p.G"], "AD104", "'Air', which has no fields"),
    ("p: Odd", ["return p.a"], "AD104", "'Odd', which defines `__lt__`"),
    ("p: Part", ["return p['a']"], "AD104", "has keys that may be missing"),
    ("p: Maybe", ["return p['a']"], "AD104", "has keys that may be missing"),
    ("p: Loop", ["return p.a"], "AD104", "objects without end"),
    ("p: V | None", ["return p.x"], "AD104", "may be None"),
    ("p: dict", ["return p['x']"], "AD104", "no number"),
    ("p: list[V]", ["return p[0].x"], "AD104", "unknown length"),
    ("x", ["return Air(x).G"], "AD106", "'Air' takes no arguments"),
    ("x", ["return replace(Plain(x), a=x).a"], "AD107", "no dataclass"),
    ("x", ["return Odd(x)[0]"], "AD107", "'Odd' defines `__lt__`"),
    ("x", ["return V().y * x"], "AD106", "'V' misses 'x'"),
    ("x", ["return V(x, x, x).y"], "AD106", "takes 2 values, not 3"),
    ("x", ["return V(x, z=x).y"], "AD106", "has no field 'z'"),
    ("x", ["return V(x, x=x).y"], "AD106", "several values for 'x'"),
    ("x", ["return V(x)._replace(z=x).y"], "AD106", "has no field 'z'"),
    ("x", ["return Air * x"], "AD107", "the class 'Air'"),
    ("x", ["return Air.H * x"], "AD102", "'Air' has no 'H'"),
]


@pytest.mark.parametrize(("parameters", "body", "code", "message"), REFUSED)
def test_what_is_refused_is_said(parameters, body, code, message):
    found = run(source(parameters, *body)).diagnostics
    assert any(d.code == code and message in d.message for d in found), found


READ = [
    ("x", "V(x).y * x", "return 2.0"),
    ("x", "V(y=x, x=1.0).y", "return 1.0"),
    ("x", "Pair(x, 2.0).b * x", "return 2.0"),
    ("x", "Air.G * x", "return Air_G"),
    ("x", "Air.ROOT * x", "return Air_ROOT"),
    ("x", "ORIGIN.y * x", "return 2.0"),
    ("x", "sum(V(x, x))", "return 2.0"),
    ("x", "len(V(x)) * x", "return 2.0"),
    ("x", "V(*V(1.0, x)).y", "return 1.0"),
    ("x", "V(x)._asdict()['x']", "return 1.0"),
    ("x", "len(V._fields) * x", "return 2.0"),
    ("x", "astuple(P(V(x), x))[0].x", "return 1.0"),
    ("x", "asdict(P(V(x), x))['v'].y * x", "return 2.0"),
    ("x", "replace(P(V(1.0), x), m=3.0 * x).m", "return 3.0"),
    ("p: V", "p.x", "return 1.0, 0.0"),
    ("p: Sub", "p.c", "return p_b, p_a"),
    ("p: P", "p.m", "return (0.0, 0.0), 1.0, None"),
    ("p: 'P'", "p.v.y", "return (0.0, 1.0), 0.0, None"),
    ("p: tuple[float, int]", "p[0] * p[1]", "return float(p_2), None"),
    ("p: Pair", "p.a + p[1]", "return 1.0, 1.0"),
]


@pytest.mark.parametrize(("parameters", "result", "text"), READ)
def test_what_is_read_is_known(parameters, result, text):
    assert f"    {text}\n" in generate(
        source(parameters, f"return {result}"), **ANY_ORDER
    )


METHOD = """from dataclasses import dataclass

@dataclass
class Spring:
    k: float
    rest: float = 0.5

    # ad: gradient
    def energy(self, x):
        return 0.5 * self.k * (x - self.rest) ** 2
"""


def test_a_method_is_marked_with_self_as_an_object():
    source, made = load(METHOD), load_generated(METHOD)
    found = made["energy_grad"](source["Spring"](2.0), 1.5)
    assert found == ((0.5, -2.0), 2.0)


def test_methods_of_one_name_need_names_for_their_derivatives():
    other = METHOD.replace("Spring", "Other").partition("\n")[2]
    assert [d.code for d in run(METHOD + other).diagnostics] == ["AD024"]


def test_a_method_that_is_bound_twice_cannot_be_marked():
    again = "\n    def energy(self, x):\n        return x\n"
    assert [d.code for d in run(METHOD + again).diagnostics] == ["AD028"]


def test_only_what_is_used_is_read():
    text = generate(source("p: P, x", "return p.v.x * x"), **ANY_ORDER)
    assert "p_v_x = p.v.x\n" in text and "p.m" not in text


def test_objects_that_are_defaults_are_made_anew():
    text = generate(source("x, p: V = ORIGIN", "return p.x * x"), **ANY_ORDER)
    assert "p: Any = V(x=" in text and "import V\n" in text


SETS = [
    "Air.G = 2.0",
    "def other(air):\n    air.G = 2.0",
    "setattr(Air, 'G', 2.0)",
    "def other(air):\n    object.__setattr__(air, 'G', 2.0)",
    "def other(air, name):\n    setattr(air, name, 2.0)",
    "del Air.G",
]


@pytest.mark.parametrize("setting", SETS)
def test_what_the_file_sets_is_no_constant(setting):
    found = run(f"{source('x', 'return Air.G * x')}\n{setting}\n").diagnostics
    assert (found[0].code == "AD107" and "which the file sets" in found[0].message) or (
        "that the file may set" in found[0].message
    )


MEMBERS = [
    "if True:\n        K = 1.0",
    "for K in (1.0, 2.0):\n        pass",
    "class K:\n        pass",
    "K = 1.0\n    K = 2.0",
    "K = 1.0\n    del K",
    "K: float",
    "K = [1.0]\n    K.append(2.0)",
]


@pytest.mark.parametrize("member", MEMBERS)
def test_what_is_bound_otherwise_is_no_constant(member):
    text = f"class A:\n    {member}\n\n# ad: gradient\ndef f(x):\n    return A.K * x\n"
    assert {d.code for d in run(text).diagnostics} <= {"AD102", "AD122"}
    assert run(text).text is None


def test_what_is_no_constant_is_said_to_be_none_wherever_it_is_read():
    """A function that was tried as one of its own was refused without a reason."""
    text = (
        "class A:\n    K, L = 1.0\n\n    def by(self, x):\n        return self.K * x\n"
    )
    text += "\n# ad: gradient\ndef f(x):\n    return A().by(x)\n"
    (found,) = run(text, inline="never").diagnostics
    assert (found.code, found.span.line) == ("AD122", 2)


def test_a_list_that_begins_with_a_named_tuple_grows_by_more_of_them():
    loop = "for i in range(n): vs.append(V(vs[-1].x * vs[-1].y, 3.0))"
    text = source("p: V, n: int", "vs = [p]", loop, "return vs[-1].x")
    point = SimpleNamespace(x=2.0, y=5.0)
    assert load_generated(text)["f_grad"](point, 2) == (15.0, 6.0)


def test_a_list_of_named_tuples_has_an_index_of_run_time():
    text = source("p: V, q: V, n: int", "return [p, q][n % 2].x * p.y")
    p, q = SimpleNamespace(x=2.0, y=5.0), SimpleNamespace(x=3.0, y=7.0)
    assert load_generated(text)["f_grad"](p, q, 3) == ((0.0, 3.0), (5.0, 0.0))


def test_what_holds_no_float_carries_no_derivative():
    text = "# ad: gradient(p)\ndef f(p: tuple[int, str], x):\n    return x * p[0]\n"
    (found,) = run(text).diagnostics
    assert found.code == "AD023" and "annotated `tuple[int, str]`" in found.message


def test_a_tuple_of_nothing_is_one():
    assert "return 1.0" in generate(source("p: tuple[()], x", "return x"), **ANY_ORDER)
