"""Random functions with whole arrays: products against differences, and each other."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from amounts import NUMBERS, seeds
from random_wholes import Program
from support import flat, generate, load

SEEDS = seeds(5, 16)
KINDS = "# ad: jvp(x, z, A, S, t), vjp(x, z, A, S, t)\n"
SHAPES: list[tuple[int, ...]] = [(3,), (2,), (2, 3), (3, 3), ()]
STEP = 2.0**-13


@cache
def modules() -> tuple[dict[str, Any], dict[str, Any]]:
    """The functions as they are written, and their derivatives."""
    texts = [Program(seed).text(f"f{seed}") for seed in SEEDS]
    plain = "import numpy as np\n" + "\n\n".join(texts)
    marked = "import numpy as np\n" + "\n\n".join(KINDS + text for text in texts)
    return load(plain), load(generate(marked, **NUMBERS))


def drawn(phase: float) -> list[Any]:
    sizes = [int(np.prod(shape, dtype=int)) for shape in SHAPES]
    return [
        (
            (0.3 + np.sin(phase + 2.3 * k + 1.7 * np.arange(n) ** 2)).reshape(shape)
            if shape
            else phase
        )
        for k, (n, shape) in enumerate(zip(sizes, SHAPES, strict=True))
    ]


@pytest.mark.parametrize("trips", [1, 2])
@pytest.mark.parametrize("seed", SEEDS)
def test_products_are_those_of_differences(seed: int, trips: int) -> None:
    plain, made = modules()
    at, way = drawn(0.7), drawn(0.2)

    def along(step: float) -> Any:
        moved = [np.copy(a + step * w) for a, w in zip(at, way, strict=True)]
        return np.array(flat(plain[f"f{seed}"](*moved, trips)))

    value, tangent = made[f"f{seed}_jvp"](*at, *way, trips)
    assert flat(value) == pytest.approx(along(0.0).tolist(), rel=1e-12)
    near, far = (along(h) - along(-h) for h in (STEP, 2.0 * STEP))
    slope = (8.0 * near - far) / (12.0 * STEP)
    size = float(np.max(np.abs(slope)))
    assert flat(tangent) == pytest.approx(slope.tolist(), rel=1e-6, abs=1e-6 * size)
    seed_of = tuple(np.cos(part) for part in value)
    _, bars = made[f"f{seed}_vjp"](*at, seed_of, trips)
    want = float(np.dot(flat(seed_of), flat(tangent)))
    scale = float(np.dot(np.abs(flat(list(bars))), np.abs(flat(way))))
    assert np.dot(flat(list(bars)), flat(way)) == pytest.approx(want, abs=1e-10 * scale)
