"""What derivatives cost by size: operations for a pair, a step, an entry."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from sized_sources import lennard_jones, network, pair_potential, runge_kutta
from support import run

Source = Callable[[int, str], str]


def pairs(atoms: int) -> int:
    return atoms * (atoms - 1) // 2


def itself(size: int) -> int:
    return size


@pytest.mark.parametrize(
    "source, kind, parts, sizes, limit",
    [
        pytest.param(pair_potential, "gradient", pairs, (8, 16, 32), 1.05, id="pairs"),
        pytest.param(
            pair_potential, "hessian", pairs, (8, 16, 32), 1.05, id="second by pairs"
        ),
        pytest.param(
            lennard_jones, "hessian", pairs, (8, 16, 24), 1.07, id="powers by pairs"
        ),
        pytest.param(
            runge_kutta, "gradient", itself, (10, 30, 100, 300), 1.05, id="steps"
        ),
        pytest.param(network, "jacobian", itself, (10, 30, 100), 1.05, id="reactions"),
    ],
)
def test_cost_of_a_part_does_not_grow(
    request: pytest.FixtureRequest,
    source: Source,
    kind: str,
    parts: Callable[[int], int],
    sizes: tuple[int, ...],
    limit: float,
) -> None:
    costs = []
    for size in sizes:
        start = time.process_time()
        (derived,) = run(source(size, kind), inline="always").derived
        costs.append(derived.counts.total / parts(size))
        took = time.process_time() - start
        print(f"{request.node.callspec.id:16} {size:4} {costs[-1]:7.2f} {took:6.2f} s")
    assert max(costs) < limit * costs[0]
