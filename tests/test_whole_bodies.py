"""Bodies of functions with whole arrays: as numpy computes them, or refused by name.

`whole_bodies.txt` holds the bodies and what becomes of each. Those that are `right
long` lead to no place in the tool that the others do not reach.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from amounts import LONG, NUMBERS
from support import flat, generate, load, run

CASES = (Path(__file__).parent / "whole_bodies.txt").read_text().split("---\n")
RIGHT = [case for case in CASES if case.startswith("#! right")]
TRIED = [
    k for k, case in enumerate(RIGHT) if LONG or not case.startswith("#! right long\n")
]
"""The places of those that are derived."""
REFUSED = [case for case in CASES if case.startswith("#! AD")]
PUSHED, PULLED = "# ad: jvp(x, y)\n", "# ad: vjp(x, y)\n"
MATRIX = "# ad: jacobian(x, y)\n"
HEAD = "import numpy as np\nfrom scipy import special, stats\n"
STEP = 2.0**-17
AT = np.array([2, 0, -1])


def function(name: str, body: str) -> str:
    given = '(x: "Vector[n]", y: "Vector[n]", S: "Matrix[n, n]", k: int, '
    head = f'def {name}{given}i: "Vector[m, int]"):\n'
    return head + "".join(f"    {line}\n" for line in body.splitlines())


def source(marks: Mapping[str, Sequence[int]], bodies: list[str]) -> str:
    """The bodies as functions with marks; each mark has the places of its bodies."""
    text = HEAD
    for k, body in enumerate(bodies):
        own = "".join(mark for mark, places in marks.items() if k in places)
        text += f"\n\n{own}{function(f'f{k}', body)}"
    return text


@cache
def modules() -> tuple[dict[str, Any], dict[str, Any]]:
    """The functions as they are written, and their derivatives: the adjoints of every
    fourth one are those that test_without_numpy.py has.
    """
    pulled = [k for k in TRIED if LONG or k % 4]
    rows = [k for k in TRIED if LONG or not k % 4]
    marks = {PUSHED: TRIED, PULLED: pulled, MATRIX: rows}
    return load(source({}, RIGHT)), load(generate(source(marks, RIGHT), **NUMBERS))


def drawn(*shape: int) -> Any:
    count = int(np.prod(shape))
    return (0.7 + 0.3 * np.sin(np.arange(count) + 5.0 * count)).reshape(shape)


def test_there_are_no_other_cases() -> None:
    assert len(RIGHT) + len(REFUSED) == len(CASES) and RIGHT


@pytest.mark.parametrize("trips", [1, 2])
@pytest.mark.parametrize("case", TRIED)
def test_is_what_numpy_computes(case: int, trips: int) -> None:
    plain, made = modules()
    x, y, S = drawn(3), drawn(3) + 0.1, drawn(3, 3)
    dx, dy = np.cos(x + 1.0), np.sin(3.0 * y)

    def at(t: float) -> Any:
        return plain[f"f{case}"](x + t * dx, y + t * dy, S.copy(), trips, AT)

    value, tangent = made[f"f{case}_jvp"](x, y, dx, dy, S, trips, AT)
    assert shapes(value) == shapes(at(0.0))
    assert flat(value) == pytest.approx(flat(at(0.0)), rel=1e-14)
    slope = (np.array(flat(at(STEP))) - flat(at(-STEP))) / (2.0 * STEP)
    assert flat(tangent) == pytest.approx(slope.tolist(), rel=1e-8, abs=1e-8)
    if f"f{case}_jac" in made:
        matrix = made[f"f{case}_jac"](x, y, S, trips, AT)
        assert matrix @ flat([dx, dy]) == pytest.approx(flat(tangent), rel=1e-11)
    if f"f{case}_vjp" not in made:
        return
    seed = seeds(value)
    _, bars = made[f"f{case}_vjp"](x, y, seed, S, trips, AT)
    want = np.dot(flat(seed), flat(tangent))
    assert np.dot(flat(list(bars)), flat([dx, dy])) == pytest.approx(want, rel=1e-11)


def shapes(value: Any) -> Any:
    """The shape of an array or a number, or those of the parts of a tuple."""
    if isinstance(value, tuple):
        return [shapes(part) for part in value]
    return np.shape(value)


def seeds(value: Any) -> Any:
    """Numbers in the form of a result."""
    if isinstance(value, tuple | list):
        return type(value)(seeds(part) for part in value)
    return np.cos(value)


@pytest.mark.parametrize("body", REFUSED)
def test_is_refused_by_name(body: str) -> None:
    found = run(source({PUSHED + PULLED + MATRIX: [0]}, [body])).diagnostics
    code = body.splitlines()[0].removeprefix("#! ")
    assert {d.code for d in found} == {code} and found[0].help


MIXED = [
    "for _ in range(k):\n    x = np.roll(x, 1)[i] * y\nreturn np.sum(x)",
    "z = x * y\nif k > 1:\n    z = np.sort(z) * x\nreturn z @ y",
    "w = x[i] if k > 1 else x * y\nreturn w @ w + w[[0, 2]] @ y[[1, 1]]",
]


@pytest.mark.parametrize("body", MIXED)
def test_arrays_of_known_elements_become_whole_ones(body: str) -> None:
    text = source({"# ad: gradient(x, y)\n": [0]}, [body]).replace("n]", "3]")
    plain, made = load(text)["f0"], load(generate(text, **NUMBERS))["f0_grad"]
    x, y, S = drawn(3), drawn(3) + 0.1, drawn(3, 3)
    ends = (plain(x + t * y, y + t, S, 2, AT) for t in (STEP, -STEP))
    slope = flat(list(made(x, y, S, 2, AT)))
    rise = np.dot(slope, [*y, 1.0, 1.0, 1.0])
    assert rise == pytest.approx(np.subtract(*ends) / (2.0 * STEP), rel=1e-8)
