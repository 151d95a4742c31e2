"""Functions with lists, dicts and arrays as people write them: values bit for bit,
derivatives of all kinds as differences have them, or refused by name.

`list_bodies.txt` holds the functions of (a, b, x, k), and what becomes of each. Those
that are `right long` lead to no place in the tool that the others do not reach.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from amounts import LONG, NUMBERS, part
from support import flat, load, run

HEAD, *CASES = re.split(
    r"(?m)^(?=#! )", (Path(__file__).parent / "list_bodies.txt").read_text()
)
RIGHT = [case for case in CASES if case.startswith("#! right")]
TRIED = [case for case in RIGHT if LONG or not case.startswith("#! right long\n")]
TWICE = [case for case in RIGHT if case.startswith("#! right twice\n")]
REFUSED = [case for case in CASES if case.startswith("#! AD")]
PULLED = part(RIGHT, 4)
BENT = [*part(RIGHT, 8), *TWICE]
PUSHED = part([case for case in RIGHT if LONG or case not in BENT], 3)
"""Of which an adjoint is made and not, by the same sweep, a gradient; those of which a
product with the Hessian is made, with value and gradient and by default alone; and
every third of the others, of which a tangent is.
"""
GIVEN = '(a: float, b: float, x: "Vector[n]", k: int)'
POINTS: list[tuple[float, float, list[float], int]] = [
    (0.7, 1.3, [0.3, -0.8, 1.1, 0.45], 3),
    (-0.4, 0.6, [1.2, 0.9, -0.35], 1),
]
STEP = 2.0**-10


def source(case: str) -> str:
    """A file with one function, marked."""
    text = case.partition("\n")[2].replace("(a, b, x, k)", GIVEN)
    marks = "".join(f"# ad: {kind}\n" for kind in kinds(case))
    return HEAD + re.sub(r"(?m)^def f\(", f"{marks}def f(", text)


def kinds(case: str) -> list[str]:
    """What a function is asked for: once at least its value is beside the slopes."""
    if case in BENT and not LONG:
        return ["hvp(a, b, x, value=True)"]
    if case in PULLED:
        found = ["vjp(a, b, x)"]
    elif case in PUSHED or case not in RIGHT:
        found = ["gradient(a, b, x)"]
    else:
        found = ["gradient(a, b, x, value=True)"]
    if case in PUSHED or case not in RIGHT:
        found.append("jvp(a, b, x)")
    return [*found, "hvp(a, b, x)"] if case in BENT else found


def named(case: str) -> str:
    """The first statement of a function."""
    return case.partition("def f(")[2].split("\n")[1].strip()[:30]


def slopes(f: Any, at: Any, along: Any) -> Any:
    """A derivative along a direction by differences of fourth order."""
    one, two = (
        np.array(f(at + h * along)) - np.array(f(at - h * along))
        for h in (STEP, 2.0 * STEP)
    )
    return (8.0 * one - two) / (12.0 * STEP)


def test_there_are_no_other_cases() -> None:
    assert len(RIGHT) + len(REFUSED) == len(CASES) and RIGHT


@pytest.mark.parametrize("case", TRIED, ids=named)
def test_is_what_python_computes(case: str) -> None:
    text = source(case)
    result = run(text, **NUMBERS)
    assert result.text is not None, result.diagnostics
    model, made = load(text)["f"], load(result.text)
    for a, b, x, k in POINTS:
        at = np.array([a, b, *x])
        along = np.cos(3.0 * np.arange(at.size))
        seeds = (*along[:2], along[2:])

        def value(z: Any, k: int = k) -> Any:
            return model(float(z[0]), float(z[1]), np.array(z[2:]), k)

        def gradient(z: Any, k: int = k, seeds: Any = seeds) -> Any:
            given = *z[:2], z[2:]
            if "f_value_and_hvp" in made:
                return np.array(flat(made["f_value_and_hvp"](*given, *seeds, k)[1]))
            if "f_vjp" in made:
                return np.array(flat(made["f_vjp"](*given, 2.0, k)[1])) / 2.0
            if "f_grad" in made:
                return np.array(flat(made["f_grad"](*given, k)))
            return np.array(flat(made["f_value_and_grad"](*given, k)[1]))

        wanted, known = value(at), gradient(at)
        beside = {"f_vjp": (2.0,), "f_value_and_grad": (), "f_value_and_hvp": seeds}
        for name in made.keys() & beside.keys():
            assert made[name](a, b, x, *beside[name], k)[0] == wanted
        assert known == pytest.approx(
            [slopes(value, at, unit) for unit in np.eye(at.size)], rel=1e-6, abs=1e-7
        )
        if "f_jvp" in made:
            assert made["f_jvp"](a, b, x, *seeds, k) == (
                wanted,
                pytest.approx(known @ along, rel=1e-9, abs=1e-10),
            )
        for name in made.keys() & {"f_hvp", "f_value_and_hvp"}:
            found = made[name](a, b, x, *seeds, k)
            product = found[-1] if name == "f_value_and_hvp" else found
            assert flat(product) == pytest.approx(
                slopes(gradient, at, along), rel=1e-5, abs=1e-6
            )


@pytest.mark.parametrize("case", REFUSED, ids=named)
def test_is_refused(case: str) -> None:
    result = run(source(case))
    wanted = case.partition("\n")[0].removeprefix("#! ")
    errors = [d for d in result.diagnostics if d.severity == "error"]
    assert result.text is None
    assert {d.code for d in errors} == {*wanted.split()}
    assert all(d.help for d in errors)


def test_too_few_items_raise_as_in_python() -> None:
    body = "h = [a * i for i in range(k)]\n    p, q, *rest = h\n    return p + q"
    text = source(f"#! right\ndef f(a, b, x, k):\n    {body}\n")
    result = run(text)
    assert result.text is not None
    for function in (load(text)["f"], load(result.text)["f_grad"]):
        with pytest.raises(ValueError):
            function(1.0, 2.0, [1.0], 1)


def test_an_item_that_is_not_there_raises_as_in_python() -> None:
    body = "u = [a * v for v in x]\n    return u[u.index(b)] * a"
    text = source(f"#! right\ndef f(a, b, x, k):\n    {body}\n")
    result = run(text)
    assert result.text is not None
    for function in (load(text)["f"], load(result.text)["f_grad"]):
        with pytest.raises(ValueError, match="5\\.0 is not in list"):
            function(1.0, 5.0, [1.0, 2.0], 1)


def test_what_has_not_been_given_raises_as_in_python() -> None:
    body = "u = [None] * k\n    u[0] = a\n    return u[1] * b"
    text = source(f"#! right\ndef f(a, b, x, k):\n    {body}\n")
    result = run(text)
    assert result.text is not None
    for function in (load(text)["f"], load(result.text)["f_grad"]):
        with pytest.raises(TypeError):
            function(1.0, 2.0, [1.0], 2)
