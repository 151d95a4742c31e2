"""What was tried is freed at once, and does not wait for the collector of garbage."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
from amounts import ANY_ORDER
from support import corpus, generate, marked

from ad_transform.eliminate.replay import State

CASE = next(case for case in corpus() if case.name == "huber")


@pytest.fixture
def _no_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("_no_collector")
def test_nothing_refers_to_a_graph_whose_elimination_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[weakref.ref[Any]] = []
    begin = State.__init__

    def noted(self: State[Any], *values: Any) -> None:
        made.append(weakref.ref(self))
        begin(self, *values)

    monkeypatch.setattr(State, "__init__", noted)
    generate(marked(CASE.source, CASE.name, "gradient", "hessian"), **ANY_ORDER)
    assert made
    assert not [state for state in made if state()]
