"""Functions with control flow: first derivatives against sixty-digit differences."""

from __future__ import annotations

from pathlib import Path

import pytest
from amounts import LONG, search
from mpmath import mpf
from support import (
    Case,
    cases_in,
    exactly,
    flat,
    invoke,
    jacobian,
    load,
    load_exact,
    marked,
    run,
    same_bits,
)

FOLDER = Path(__file__).parent / "control_flow"
CASES = [case for path in sorted(FOLDER.glob("*.py")) for case in cases_in(path)]
SWEPT = "jacobian(value=True)", "vjp"
"""What a scalar has in turn, for it is swept alike, or all of it with `--long`."""


def kinds(case: Case) -> tuple[str, ...]:
    """What is derived of a case."""
    in_turn = case.scalar and not LONG
    return ("jvp", *(SWEPT[case.turn % 2 :][:1] if in_turn else SWEPT))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_first_derivatives_are_right_and_values_kept(case: Case) -> None:
    text = marked(case.source, case.name, *kinds(case))
    result = run(text, container="tuple", **search(text))
    assert result.text is not None, result.diagnostics
    ours, exact = load(result.text), load_exact(result.text)
    source, truth = load(case.source)[case.name], load_exact(case.source)[case.name]
    for point in case.points:
        seeds = {f"{x}_dot": 1.0 for x in case.actives}
        value, _ = invoke(ours[f"{case.name}_jvp"], {**point, **seeds})
        assert same_bits(value, invoke(source, point))
        rows = jacobian(truth, point, case.actives)
        _close(*_tangents(exact, case, point, rows))
        if SWEPT[0] in kinds(case):
            value, _ = invoke(ours[f"{case.name}_value_and_jac"], point)
            assert same_bits(value, invoke(source, point))
            _, made = invoke(exact[f"{case.name}_value_and_jac"], exactly(point))
            _close(flat(made), flat(rows))
        if SWEPT[1] in kinds(case):
            _close(*_adjoints(exact, case, point, rows))


def _close(made: list, wanted: list) -> None:
    for got, want in zip(made, wanted, strict=True):
        assert abs(got - want) <= 1e-14 * (1 + abs(want)), (got, want)


def _tangents(exact: dict, case: Case, point: dict, rows: list) -> tuple[list, list]:
    seeds = {f"{x}_dot": mpf(k + 2) / 3 for k, x in enumerate(case.actives)}
    _, made = invoke(exact[f"{case.name}_jvp"], {**exactly(point), **seeds})
    wanted = [
        sum(a * b for a, b in zip(row, seeds.values(), strict=True)) for row in rows
    ]
    return flat(made), wanted


def _adjoints(exact: dict, case: Case, point: dict, rows: list) -> tuple[list, list]:
    bars = [mpf(k + 2) / 7 for k in range(len(rows))]
    bar = bars[0] if case.scalar else tuple(bars)
    seeds = {f"{case.name}_bar": bar}
    _, made = invoke(exact[f"{case.name}_vjp"], {**exactly(point), **seeds})
    columns = zip(*rows, strict=True)
    wanted = [sum(a * b for a, b in zip(bars, c, strict=True)) for c in columns]
    return flat(made), wanted
