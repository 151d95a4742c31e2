"""Random loops over lists: values are Python's, derivatives those of forward mode."""

from __future__ import annotations

import random
from collections.abc import Callable

import hyperduals
import pytest
from amounts import LONG, NUMBERS, seeds
from elementwise import elementwise
from growing import growing
from hyperduals import Hyper
from recurrences import recurrence
from rewritten import rewritten
from states import states
from support import load, run, same_bits
from ways_through import ways_through

Point = tuple[float, float, int]

Source = tuple[Callable[[int], str], int]

ALSO: list[Source] = [
    (growing, 27),  # a list is longer in some trips that are written out
    (growing, 102),  # a constant list is read in trips that are run once more
    (growing, 942),  # the target of a loop that is left stands in a loop around it
    (growing, 945),  # a list has another known length after the last trip
    (rewritten, 24),  # `or` behind a list of which the length is known
]

TELLING = [(recurrence, k) for k in (6, 20, 59, 61, 81, 83, 99, 143)] + ALSO
"""Sources whose derivatives are wrong where a later store is overlooked, in the same
trip or in another one, where a relation is turned wrongly, where a store that somebody
reads is left out, and where something is stored in place of a sum.
"""


def _points(number: int) -> list[Point]:
    rng = random.Random(-1 - number)
    sizes = rng.randint(1, 3), rng.randint(3, 6)
    return [(rng.uniform(0.3, 1.5), rng.uniform(-1.0, 1.0), n) for n in sizes]


def _along(text: str, point: Point, one: int, other: int) -> Hyper:
    """What a source gives, with slopes by two of its floats."""
    p, q = (
        Hyper(x, float(k == one), float(k == other)) for k, x in enumerate(point[:2])
    )
    made = load(text, hyperduals.modules())["f"](p, q, point[2])
    return hyperduals.hyper(made)


def _made(text: str, *marks: str) -> dict:
    """What is derived from a source."""
    marked = text.replace("\ndef f", f"\n# ad: {', '.join(marks)}\ndef f")
    result = run(marked, container="tuple", **NUMBERS)
    assert result.text is not None, result.diagnostics
    return load(result.text)


Source = tuple[Callable[[int], str], int]


def _sources(every: int) -> list[Source]:
    """Sources of each kind, three by default, or two."""
    found: list[Source] = []
    for kind in (recurrence, elementwise, growing, states):
        found += [(kind, k) for k in seeds(3, every)]
    for kind in (rewritten, ways_through):  # some of many are refused
        found += [(kind, k) for k in seeds(2, 50)]
    return found


def _first() -> list[Source]:
    """What is differentiated once: without `--long` every other one."""
    found = [*TELLING, *_sources(1000)[:: 1 if LONG else 2]]
    return list(dict.fromkeys(found))


def _second() -> list[Source]:
    """What is differentiated twice, and has its gradient beside it: the others."""
    found = [*ALSO, *_sources(200)[0 if LONG else 1 :: 1 if LONG else 2]]
    return list(dict.fromkeys(found))


@pytest.mark.parametrize(("source", "number"), _first())
def test_value_and_gradient(source: Callable[[int], str], number: int) -> None:
    text = source(number)
    made = _made(text, "gradient(p, q, value=True)")
    for point in _points(number):
        _hold(text, point, *made["f_value_and_grad"](*point))


def _hold(text: str, point: Point, value: float, gradient: tuple[float, ...]) -> None:
    """The value is Python's, and the slopes are those of forward mode."""
    assert same_bits(value, load(text)["f"](*point)), point
    want = [_along(text, point, k, k).s for k in range(2)]
    assert gradient == pytest.approx(want, rel=1e-9, abs=1e-9), point


@pytest.mark.parametrize("number", seeds(4, 1000))
def test_gradient_alone(number: int) -> None:
    text = elementwise(number)
    made = _made(text, "gradient(p, q)")
    for point in _points(number):
        want = [_along(text, point, k, k).s for k in range(2)]
        assert made["f_grad"](*point) == pytest.approx(want, rel=1e-9, abs=1e-9), point


@pytest.mark.parametrize(("source", "number"), _second())
def test_hessian(source: Callable[[int], str], number: int) -> None:
    text = source(number)
    made = _made(text, "hessian(p, q, value=True)")
    for point in _points(number):
        *first, ((a, b), (c, d)) = made["f_value_and_hess"](*point)
        _hold(text, point, *first)
        want = [_along(text, point, j, k).st for j, k in ((0, 0), (0, 1), (1, 1))]
        assert (a, b, d) == pytest.approx(want, rel=1e-8, abs=1e-8), point
        assert b == c
