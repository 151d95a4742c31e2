"""Results that are objects: values of the user's classes, derivatives in tuples."""

from __future__ import annotations

from types import ModuleType, SimpleNamespace

import pytest
from amounts import ANY_ORDER
from support import generate, load, run

SOURCE = """from dataclasses import dataclass
from typing import NamedTuple

class State(NamedTuple):
    x: float
    v: float

@dataclass(frozen=True)
class Out:
    state: State
    energy: float

{mark}
def f(s: State, k: float) -> Out:
    return Out(State(s.x * k, s.v), energy=0.5 * s.v**2 + k * s.x**2)
"""


def derived(mark):
    """The classes and the functions; the output imports the classes from the source."""
    text = SOURCE.format(mark=f"# ad: {mark}")
    model = ModuleType("model")
    vars(model).update(load(text))
    made = load(generate(text, **ANY_ORDER), {"model": model})
    return SimpleNamespace(**{**vars(model), **made})


def test_a_value_is_an_object_and_its_tangent_a_tuple():
    m = derived("jvp(s)")
    value, tangent = m.f_jvp(m.State(1.0, 2.0), (1.0, 0.5), 3.0)
    assert value == m.f(m.State(1.0, 2.0), 3.0)
    assert tangent == ((3.0, 0.5), 7.0)


def test_a_seed_of_a_result_is_a_tuple():
    m = derived("vjp(s)")
    value, adjoint = m.f_vjp(m.State(1.0, 2.0), ((1.0, 2.0), 3.0), 3.0)
    assert value == m.f(m.State(1.0, 2.0), 3.0)
    assert adjoint == (3.0 + 3.0 * 6.0, 2.0 + 3.0 * 2.0)


def test_estimates_are_tuples():
    m = derived("error(s)")
    value, bound, rms = m.f_err(m.State(1.0, 2.0), 3.0)
    assert value == m.f(m.State(1.0, 2.0), 3.0)
    assert [len(bound), len(bound[0]), len(rms), len(rms[0])] == [2, 2, 2, 2]


def test_a_jacobian_needs_no_class():
    text = generate(SOURCE.format(mark="# ad: jacobian(s)"), **ANY_ORDER)
    assert "from model import" not in text


REFUSED = [
    ("{'x': p.x}", "a dict cannot be a result"),
    ("Held(p, p.x)", "the class defines `__post_init__`"),
    ("p", "a value of type 'object' cannot be a result"),
]


@pytest.mark.parametrize(("result", "message"), REFUSED)
def test_what_cannot_be_a_result(result, message):
    source = f"""from dataclasses import dataclass

@dataclass
class P:
    x: float
    log: object

@dataclass
class Held:
    p: P
    x: float
    def __post_init__(self):
        pass

# ad: jvp
def f(p: P, h: Held):
    return {result.replace("Held(p, p.x)", "h")}
"""
    assert any(message in d.message for d in run(source).diagnostics)
