"""Random programs with arrays: kinds against differences, text against evaluation."""

from __future__ import annotations

import random

import pytest
from amounts import seeds
from array_kinds import check, made, text_of
from structured import Sizes, point, program
from support import flat, load

from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Function


def some(seed: int, results: int) -> Function:
    rng = random.Random(seed)
    sizes = Sizes(rng.randint(2, 6), rng.randint(0, 2), 2, results, arrays=2)
    return program(rng, sizes)


@pytest.mark.parametrize("kind", ["gradient", "hvp", "jvp", "vjp"])
@pytest.mark.parametrize("seed", seeds(5, 8))
def test_random_programs_with_arrays(seed, kind):
    function = some(seed, 1 if kind in ("gradient", "hvp") else 2)
    check(function, kind, list(point(function, seed)), seed)


@pytest.mark.parametrize("kind", ["gradient", "hvp"])
@pytest.mark.parametrize("seed", range(20, 24))
def test_the_text_computes_what_the_program_says(seed, kind):
    function = some(seed, 1)
    derived = made(function, kind).function
    own = dict(zip(function.block.params, point(function, seed), strict=True))
    values = [
        own.get(v, [0.5] * 4 if v.type.dims else 0.5) for v in derived.block.params
    ]
    names = [p.name for p in derived.parameters]
    found = load(text_of(derived))[derived.name](
        **dict(zip(names, values, strict=True))
    )
    assert flat(found) == flat(list(evaluate(derived, values)))
