"""Classes whose `__init__` makes the fields: what is read, and what is refused."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from amounts import ANY_ORDER
from support import flat, generate, load, load_generated, run, same_bits

from ad_transform.ir.evaluate import evaluate
from ad_transform.read import read

HEAD = """import math
import numpy as np
from dataclasses import InitVar, dataclass, field, replace

class Spring:
    rate = 0.5

    def __init__(self, k, m=2.0, *, n=3):
        self.k = k
        self.m = m
        self.n = n
        self.omega = math.sqrt(k / m)
        if k > 1.0:
            self.extra = k

    def push(self, x):
        self.__total = x
        return self.__total * self.rate

class Pull:
    def __init__(self, k):
        self.k = k
        self.pull = lambda x: self.k * x
        self.push = self._push

    def _push(self, x):
        return x - self.k

class Hook(Spring):
    def __init__(self, k, c):
        self.c = c
        Spring.__init__(self, k, c)

    def push(self, x):
        return super().push(x) + self.c

class Empty:
    def __call__(self, x):
        return x * x

class Lazy:
    def fill(self, x):
        self.x = x
        return self

class Kept:
    def __init__(self, x):
        self.x = x
        self.inner = Link(self, x)

class Link:
    def __init__(self, of, x):
        self.of = of

@dataclass
class Base:
    a: float
    b: float = 2.0

class Derived(Base):
    def __init__(self, a):
        super().__init__(a)
        self.c = self.a * self.b

@dataclass
class Late(Base):
    scale: InitVar[float] = 3.0
    items: list = field(default_factory=lambda: [1.0, 2.0])

    def __post_init__(self, scale):
        self.a *= scale
        self._seen = self.a

class Odd:
    def __new__(cls, x):
        return x

class Table:
    def __init__(self, w):
        self.params = {"w": w, "b": 0.0}

    def step(self, lr):
        self.params["w"] -= lr * self.params["b"]
        self.params["b"] += lr * self.params["w"]

class Named:
    rate = 3.0

    def __init__(self, x):
        self.x = x

    def push(self, x):
        return self.rate * x

class Shifted(Named):
    def push(self, x):
        return super().push(x) + self.x

class Scaled(Named):
    rate = 0.25

    def push(self, x):
        return super().push(x) * self.k

class Both(Shifted, Scaled):
    def __init__(self, x, k):
        super().__init__(x)
        self.k = k

@dataclass
class Weighed:
    w: float = 1.5
    a: float = 0.5

@dataclass
class Mixed(Weighed, Base):
    c: float = 1.0

class Rod:
    def __init__(self, n, left):
        self.u = np.zeros(n)
        self.u[0] = left

    @property
    def left(self):
        return self.u[0]

    @left.setter
    def left(self, value):
        self.u[0] = 2.0 * value

    def step(self, dt):
        self.u[1:-1] += dt * (self.u[:-2] - 2.0 * self.u[1:-1] + self.u[2:])

"""

BODIES = {
    "defaults": "s = Spring(a)\nreturn s.k * s.m * s.n * s.omega",
    "named": "s = Spring(m=a, k=b, n=2)\nreturn s.push(a) * s.n",
    "lambda": "s = Pull(a)\ns.k = b\nreturn s.pull(a) * s.push(b * b)",
    "base": "h = Hook(a, b)\nreturn h.push(a) * h.omega + h.k",
    "empty": "g = Empty()\nreturn g(a) * g(b)",
    "filled": "return Lazy().fill(a).x * b",
    "dataclass": "d = Derived(a)\nreturn d.c * d.b",
    "late": "p = Late(a, b)\nreturn p.a * sum(p.items) + replace(p, scale=2.0).a",
    "kind": "s = Hook(a, b)\nt = type(s)(b, a)\nreturn t.c * s.__class__(a, a).k",
    "open": "if a > 0.5:\n    s = Spring(b)\nelse:\n    s = Spring(a)\nreturn s.omega",
    "diamond": "s = Both(a, b)\nreturn s.push(b) * isinstance(s, Scaled) * Both.rate",
    "fields": "m = Mixed(a, b)\nreturn m.a * m.b * m.c + m.w",
    "loop": """
s = Spring(a)
for _ in range(k):
    t = Spring(s.k * 0.9, b)
    s.k += 0.1 * t.omega
return s.k
""",
    "lambdas": """
s = Pull(a)
for i in range(k):
    s.k = s.pull(b)
    t = Pull(s.k)
    t.k += s.push(a)
t = Pull(b)
return s.pull(b) * t.push(a)
""",
    "table": """
p, q = Table(a), Table(b)
for i in range(k):
    p.step(0.1)
    if i > 1:
        q.step(0.2)
return p.params["w"] * q.params["b"]
""",
}


@pytest.mark.parametrize("name", BODIES)
def test_values_are_those_of_python(name):
    body = "".join(f"    {line}\n" for line in BODIES[name].splitlines())
    text = f"{HEAD}# ad: gradient(a, b)\ndef f(a: float, b: float, k: int):\n{body}"
    found = read(text.encode(), "model.py")
    assert not [d for d in found.diagnostics if d.severity == "error"]
    program = found.requests[0].function
    for point in ((0.7, 1.3, 4), (1.2, 0.3, 0)):
        wanted = flat(load(text)["f"](*point))
        assert same_bits(list(evaluate(program, point)), list(wanted))


REFUSED = [
    ("x", "return Spring(x).extra", "AD103", "may not be assigned yet"),
    ("x", "return Spring(x).last", "AD102", "has no 'last'"),
    ("x", "return Spring().k * x", "AD106", "misses 'k'"),
    ("x", "return Empty(x)(x)", "AD106", "takes no arguments"),
    ("x", "return Kept(x).x", "AD107", "holds itself"),
    ("x", "return Odd(x)", "AD107", "defines `__new__`"),
    ("x", "return replace(Spring(x), k=x).k", "AD107", "no dataclass"),
    ("x", "return Spring(x)", "AD105", "makes its fields in `__init__`"),
    ("x", "return Late(x)", "AD105", "defines `__post_init__`"),
    ("x", "return Lazy().x * x", "AD103", "may not be assigned yet"),
    ("s: Spring", "return s.omega * s.k", "AD107", "only its methods know"),
    (
        "x",
        "p = Pull(x) if x > 1.0 else Pull(2.0)\n    return p.pull(x)",
        "AD103",
        "may not be assigned yet",
    ),
    (
        "x, k: int",
        "r = Rod(k, x)\n    u = r.u\n    r.step(x)\n    return u[0]",
        "AD124",
        "'u'",
    ),
    ("x", "return super().x * x", "AD107", "in a method itself"),
]


@pytest.mark.parametrize(("parameters", "body", "code", "message"), REFUSED)
def test_what_is_refused_is_said(parameters, body, code, message):
    text = f"{HEAD}# ad: gradient\ndef f({parameters}):\n    {body}\n"
    found = run(text).diagnostics
    assert any(d.code == code and message in d.message for d in found), found


def test_parameters_are_known_by_what_init_puts_into_the_fields():
    text = f"{HEAD}# ad: gradient\ndef f(s: Spring, x: float):\n"
    text += "    return s.k * s.m * x + s.push(x)\n"
    made = load_generated(text)["f_grad"](load(text)["Spring"](2.0, 5.0), 3.0)
    assert made == ((15.0, 6.0, None, None, 0.0, None), 10.5)


def test_methods_of_ordinary_classes_are_marked():
    text = """
class Beam:
    def __init__(self, length: float, stiffness: float):
        self.length = length
        self.stiffness = stiffness

    # ad: gradient(self, load), jvp(self)
    def sag(self, load: float) -> float:
        return load * self.length**3 / self.stiffness

# ad: vjp
def twice(beam: Beam) -> Beam:
    return Beam(2.0 * beam.length, beam.stiffness)
"""
    given = load(text)
    beam = given["Beam"](2.0, 4.0)
    here = {"model": SimpleNamespace(Beam=given["Beam"])}
    made = load(generate(text, **ANY_ORDER), here)
    assert made["sag_grad"](beam, 3.0) == ((9.0, -1.5), 2.0)
    value, adjoint = made["twice_vjp"](beam, (1.0, 1.0))
    assert vars(value) == {"length": 4.0, "stiffness": 4.0}
    assert adjoint == (2.0, 1.0)


def test_fields_of_a_dataclass_are_those_that_it_declares():
    text = f"{HEAD}# ad: gradient\ndef f(p: Late):\n    return p.a * p.b\n"
    made = load_generated(text)["f_grad"](load(text)["Late"](2.0, 5.0))
    assert made == (5.0, 6.0, None)


def test_a_dict_in_a_field_is_the_dict():
    text = f"""{HEAD}
# ad: gradient(value=True)
def f(x: float):
    t = Table(1.0)
    d = {{"a": x}}
    t.params = d
    d["a"] = 2.0 * x
    return t.params["a"]
"""
    assert load_generated(text)["f_value_and_grad"](3.0) == (6.0, 2.0)


def test_arrays_in_fields_change_in_place():
    body = """rod, other = Rod(k + 3, a), Rod(5, b)
for _ in range(k):
    rod.step(0.1)
    if a > 0.9:
        other.step(0.2)
other.left = b
rod.left += a
return np.sum(rod.u) * rod.left + np.sum(other.u)"""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    text = f"{HEAD}# ad: jvp(a, b)\ndef f(a: float, b: float, k: int):\n{lines}"
    made, given = load_generated(text), load(text)
    for a, b, k in ((0.7, 1.3, 4), (1.2, 0.3, 3)):
        value, tangent = made["f_jvp"](a, b, 1.0, -2.0, k)
        assert value == given["f"](a, b, k)
        rise = given["f"](a + 1e-6, b - 2e-6, k) - given["f"](a - 1e-6, b + 2e-6, k)
        assert tangent == pytest.approx(rise / 2e-6, rel=1e-7)


@pytest.mark.parametrize("decorator", ["cached_property", "lru_cache(maxsize=None)"])
def test_what_an_object_remembers_is_not_computed_anew(decorator):
    text = f"""from functools import cached_property, lru_cache
class A:
    def __init__(self, x):
        self.x = x

    @{decorator}
    def square(self):
        return self.x * self.x

# ad: gradient
def f(x: float, y: float):
    a = A(x)
    s = a.square{"" if decorator == "cached_property" else "()"}
    CHANGE
    return s * a.x
"""
    found = run(text.replace("CHANGE", "a.x = y")).diagnostics
    wanted = "objects of 'A' remember 'square', and are changed"
    assert wanted in [d.message for d in found if d.code == "AD107"]
    assert load_generated(text.replace("CHANGE", ""))["f_grad"](2.0, 3.0) == (12.0, 0.0)


@pytest.mark.parametrize("decorator", ["cached_property", "lru_cache(maxsize=None)"])
@pytest.mark.parametrize("held", ["[x, y]", "np.array([x, y])", "np.full(n, x)"])
def test_what_remembered_values_are_made_of_is_not_changed(decorator, held):
    call = "" if decorator == "cached_property" else "()"
    text = f"""from functools import cached_property, lru_cache
import numpy as np
class A:
    def __init__(self, u):
        self.u = u

    @{decorator}
    def square(self):
        return self.u[0] * self.u[1]

# ad: gradient
def f(x: float, y: float, n: int):
    a = A({held})
    s = a.square{call}
    CHANGE
    return s * a.square{call}
"""
    wanted = "objects of 'A' remember 'square', and what they hold is changed"
    for change in ("a.u[0] = y", "v = a.u\n    v[1] = y", "a.u[0:1] = [y]"):
        found = run(text.replace("CHANGE", change)).diagnostics
        assert wanted in [d.message for d in found if d.code == "AD107"]
    whole = generate(
        text.replace("CHANGE", "").replace("ad: gradient", "ad: jvp(x)"), **ANY_ORDER
    )
    value = (2.0 * (2.0 if "full" in held else 3.0)) ** 2
    assert load(whole)["f_jvp"](x=2.0, y=3.0, n=2, x_dot=0.0) == (value, 0.0)
