"""Random sources over arrays: values are Python's, slopes those of forward mode."""

from __future__ import annotations

from typing import Any

import duals
import numpy as np
import pytest
from amounts import NUMBERS, seeds
from array_sources import calling_source, source
from support import load, run
from test_corpus_arrays import flat, lifted, modules, shaped

POINTS = 3


def points(number: int) -> list[tuple[list[float], list[float], float, int]]:
    rng = np.random.default_rng(number)
    return [
        (
            rng.uniform(-1.5, 1.5, rng.integers(2, 5)).tolist(),
            rng.uniform(-1.5, 1.5, rng.integers(2, 5)).tolist(),
            float(rng.uniform(-1, 1)),
            int(rng.integers(0, 4)),
        )
        for _ in range(POINTS)
    ]


def generated(text: str, **options: str) -> dict[str, Any] | None:
    """The functions made of a source; None where names may stand for one array
    or a list may grow while a loop goes over it.
    """
    found: dict[str, Any] = {}
    for kind in ("jvp", "vjp"):
        result = run(text.replace("KIND", kind), **NUMBERS | options)
        if result.text is None:
            for said in result.diagnostics:
                assert said.code == "AD124" or "may grow" in said.message, said
            return None
        found |= load(result.text)
    return found


def check(number: int, text: str, **options: str) -> str:
    """A source is differentiated rightly at points of a number, or refused by name."""
    ours = generated(text, **options)
    if ours is None:
        return "refused"
    plain = load(text, modules())["f"]
    for x, y, a, k in points(number):
        rng = np.random.default_rng(number)
        dots = [rng.normal(size=len(x)).tolist(), rng.normal(size=len(y)).tolist(), 0.5]
        args = [lifted(v, d) for v, d in zip((x, y, a), dots, strict=True)]
        try:
            result = plain(*args, k)
        except IndexError:
            continue
        want = [duals.dual(v) for v in flat(result)]
        value, tangent = ours["f_jvp"](x, y, a, *dots, k)
        assert flat(value) == [v.value for v in want], (number, x, y, a, k)
        slopes = [v.slope for v in want]
        assert np.allclose(flat(tangent), slopes, rtol=1e-8, atol=1e-10), number
        bar = shaped(result, iter(rng.normal, None))
        _, adjoint = ours["f_vjp"](x, y, a, bar, k)
        one = sum(b * s for b, s in zip(flat(bar), slopes, strict=True))
        other = sum(b * s for b, s in zip(flat(adjoint), flat(dots), strict=True))
        assert abs(one - other) <= 1e-8 * (1 + abs(one)), (number, x, y, a, k)
    return "right"


@pytest.mark.parametrize("number", seeds(4, 8))
def test_slopes(number: int) -> None:
    check(number, source(number))


@pytest.mark.parametrize("number", seeds(4, 8))
def test_slopes_through_functions_that_are_kept(number: int) -> None:
    check(number, calling_source(number), inline="never")
