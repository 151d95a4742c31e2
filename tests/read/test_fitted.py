"""Lists that have to be arrays are found together, and the function is read again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support import run

from ad_transform.diagnostics import Span
from ad_transform.ir.types import FLOAT
from ad_transform.read.machine.fitted import Fitted, Refit
from ad_transform.read.program import Program

HEAD = "from math import sin\n\n\n# ad: gradient(x)\n"

GROWING = """\
    a{k} = []
    for j in range(m):
        a{k}.append(sin(x) * j)
    for q in a{k}:
        x = x + q * {k}.5
"""


def growing(count: int) -> str:
    """A function with so many lists that grow."""
    body = "".join(GROWING.format(k=k) for k in range(count))
    return f"{HEAD}def f(x: float, m: int):\n{body}    return x\n"


def summed(count: int) -> str:
    """A function with so many sums over an array of run-time length."""
    body = "".join(f"    x = sum(x * w for w in v) + {k}.5\n" for k in range(count))
    return f'{HEAD}def f(x: float, v: "Vector[n]"):\n{body}    return x\n'


@pytest.mark.parametrize("source, most", [(growing, 3), (summed, 2)])
def test_a_function_is_not_read_again_for_each_list(
    source: Callable[[int], str], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[object] = []
    flattened = Program._flattened

    def counted(self: Program, *args: object) -> object:
        runs.append(args)
        return flattened(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Program, "_flattened", counted)
    assert run(source(8), effort=0, order="reverse").text is not None
    assert len(runs) == most


def place(line: int) -> Span:
    return Span(line, 0, line, 1)


def test_all_that_a_run_has_found_is_taken_up() -> None:
    fitted = Fitted()
    fitted.find(Refit(place(1)))
    fitted.find(Refit(place(2), FLOAT))
    fitted.find(Refit(place(1), FLOAT))  # what is found first counts
    assert not fitted.is_right(refused=True)
    assert fitted.sites == {place(1): None, place(2): FLOAT}
    assert fitted.is_right(refused=False)


def test_where_several_are_refused_then_they_are_looked_for_one_by_one() -> None:
    fitted = Fitted()
    fitted.find(Refit(place(1)))
    fitted.find(Refit(place(2)))
    assert not fitted.is_right(refused=True)
    assert not fitted.is_right(refused=True)
    assert fitted.one_by_one
    assert not fitted.sites
    fitted.find(Refit(place(1)))
    assert not fitted.is_right(refused=False)
    assert fitted.sites == {place(1): None}
    assert fitted.is_right(refused=True)


def test_where_they_do_not_come_to_an_end_they_are_looked_for_one_by_one() -> None:
    fitted = Fitted()
    for line in range(100):
        fitted.find(Refit(place(line)))
        fitted.find(Refit(place(line + 1)))
        assert not fitted.is_right(refused=False)
        if fitted.one_by_one:
            break
    assert fitted.one_by_one
