"""One number is kept for the arm that was taken, not a test for each level."""

from __future__ import annotations

from typing import Any

import in_c
import in_fortran
import pytest
from amounts import ANY_ORDER
from support import flat, generate, hessian, jacobian, load, load_exact, load_generated
from targets import Targets

HEAD = """\
import math


# ad: gradient(a, b), hessian(a, b)
def f(a: float, b: float, n: int):
    x = a
"""
STRAIGHT = """\
c = a * b
if c * a < 1.0:
    x = math.sin(c)
elif c > a + b:
    x = c * c
elif c + a > 2.0 * b:
    x = c * c * b
else:
    x = math.exp(c)
return x * c * math.cos(x)"""
LOOP = """\
for i in range(n):
    if x * i < b + x * b:
        x = x + 0.1 * b * math.sin(x)
    elif x > a * b + i:
        x = x * 0.5
    elif x * b > 0.1 * a:
        x = x - 0.25 * a * b
    else:
        x = x + 0.1 * b
return x * b"""
NESTED = """\
for i in range(n):
    for k in range(i + 1):
        if x * k > 0.3 * b + a:
            if x * b > a + 0.2 * k:
                if x + b > a * k:
                    x = x - 0.125 * a
            else:
                x = x + 0.25 * b
        else:
            x = x + 0.5 * a
return x * x"""
LEFT = """\
for i in range(n):
    if x * a > 40.0 + b:
        break
    if x * b < i:
        x = x + b
        continue
    if x * b * b < 2 * i:
        x = x * a
    else:
        if x * b < 0.5 * a:
            return x * x
        x = x + 0.3 * b
else:
    x = x * 2.0
return x * b"""
BODIES = {"straight": STRAIGHT, "loop": LOOP, "nested": NESTED, "left": LEFT}
POINTS = [
    {"a": a, "b": b, "n": n}
    for n in (0, 1, 7)
    for a in (-1.3, 0.4, 1.7, 3.1)
    for b in (-0.6, 0.7, 1.4)
]


def source(name: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in BODIES[name].splitlines())


def levels(count: int) -> str:
    """A loop with a chain of so many tests that an arm computes."""
    chain = [
        f"{'el' if k else ''}if x * {k}.5 < y + {k}:\n        x = x + {k}.25 * b\n    "
        for k in range(count)
    ]
    body = "while True:\n    y = x * b\n    if y > 99:\n        break\n    "
    return body + "".join(chain) + "else:\n        x = x + b\nreturn x"


@pytest.mark.parametrize("name", BODIES)
def test_derivatives_are_those_of_the_arm_taken(name):
    text = source(name)
    made, exact = load_generated(text), load_exact(text)["f"]
    for point in POINTS:
        first = [float(v) for v in jacobian(exact, point, ("a", "b"))[0]]
        assert flat(made["f_grad"](**point)) == pytest.approx(first, rel=1e-9, abs=1e-9)
        second = [float(v) for v in flat(hessian(exact, point, ("a", "b")))]
        assert flat(made["f_hess"](**point)) == pytest.approx(
            second, rel=1e-6, abs=1e-6
        )


@pytest.mark.parametrize("name", BODIES)
def test_arms_are_told_by_a_number(name):
    text = generate(source(name), **ANY_ORDER)
    text = text[text.index("def f_grad") : text.index("def f_hess")]
    text = text.replace("left = False", "").replace("returned = False", "")
    assert " arm == " in text and "_test" not in text and " = False\n" not in text


def test_a_chain_of_tests_is_linear_text_and_one_value_a_trip():
    few, many = (
        generate(
            "# ad: gradient\ndef f(a: float, b: float):\n    x = a\n"
            + "".join(f"    {line}\n" for line in levels(count).splitlines()),
            **ANY_ORDER,
        )
        for count in (10, 40)
    )
    assert "Its loop holds 1 value for each trip." in many
    assert len(many.splitlines()) < 4 * len(few.splitlines())


def test_tests_that_are_asked_again_are_not_numbered():
    text = generate(source("loop").replace("x * i < b + x * b", "x < b"), **ANY_ORDER)
    assert "if x < b:" in text


def targets() -> Targets:
    own = (source(name).replace("def f(", f"def {name}(") for name in BODIES)
    head = "import math\n\n\n"
    return Targets(head + "\n\n".join(text.removeprefix(head) for text in own))


MADE = targets()


def check(functions: Any) -> None:
    """See that all give what Python gives."""
    own = load(MADE.text("math"))
    for one in MADE.derived:
        name = one.function.name
        for point in POINTS:
            wanted = flat(own[name](**point))
            got = functions[name](dict(point))
            assert got == pytest.approx(wanted, rel=1e-11, abs=1e-12), name


def test_they_are_those_of_python_in_c(tmp_path):
    library = in_c.compiled([in_c.counted(MADE.text("c"))], tmp_path)[0]
    check(in_c.functions(library, MADE.flat("c")))
    assert library.ad_test_live() == 0


def test_they_are_those_of_python_in_fortran(tmp_path):
    library = in_fortran.compiled(MADE.text("fortran"), tmp_path)
    check(in_fortran.functions(library, "model_grad", MADE.flat("fortran")))
