"""More effort is never dearer, whatever is asked for."""

from __future__ import annotations

from itertools import pairwise

import pytest
from amounts import LONG, amount, only_long
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import FIRST, corpus, marked, run

from ad_transform.derive.accumulation import race
from ad_transform.derive.accumulation.candidates import Candidates
from ad_transform.derive.accumulation.search import improved

(LIGHTHOUSE,) = (case for case in corpus() if str(case) == "published-lighthouse")
(ROSENBROCK,) = (case for case in corpus() if case.name == "rosenbrock")
ITEMS = tuple(FIRST) if LONG else ("jacobian", "vjp")
SAMPLE = [(LIGHTHOUSE, ITEMS), (ROSENBROCK, ("hessian", "vjp"))]


def prices(source, efforts):
    """Operations of every derived function, a row for each effort."""
    results = [run(source, effort=effort, container="tuple") for effort in efforts]
    return [[d.counts.total for d in result.derived] for result in results]


def never_dearer(rows):
    pairs = (zip(*two, strict=True) for two in pairwise(rows))
    return all(more <= less for two in pairs for less, more in two)


@pytest.mark.parametrize(("case", "items"), SAMPLE, ids=str)
def test_more_effort_is_never_dearer(case, items):
    rows = prices(marked(case.source, case.name, *items), (0, 1, 2))
    assert rows[0] and never_dearer(rows)


def test_the_highest_effort_is_not_dearer_either():
    rows = prices(marked(LIGHTHOUSE.source, LIGHTHOUSE.name, "jvp"), (2, 3))
    assert rows[0] and never_dearer(rows)


def test_drafts_of_equal_counts_are_factored_and_shared_once(monkeypatch):
    factored, shared = [], []

    class Noted(Candidates):
        def factor(self, draft, outcome, limit):
            factored.append((draft.outcome.counts, outcome.counts))
            return super().factor(draft, outcome, limit)

        def share(self, draft, outcome):
            shared.append(outcome.counts)
            return super().share(draft, outcome)

    def search(*given):
        factored.clear()
        shared.clear()
        return improved(*given)

    monkeypatch.setattr(race, "Candidates", Noted)
    monkeypatch.setattr(race, "improved", search)
    run(marked(LIGHTHOUSE.source, LIGHTHOUSE.name, "jacobian"), effort=2)
    assert factored and len(factored) == len(set(factored))
    assert shared and len(shared) == len(set(shared))


HOPELESS = [
    pytest.param("steps", "hessian", marks=only_long),
    pytest.param("planck", "jacobian", marks=only_long),
    ("uses_pi", "gradient"),
]


@pytest.mark.parametrize(("name", "item"), HOPELESS)
def test_without_a_gain_the_work_is_at_most_ten_times_that_of_no_search(
    name, item, monkeypatch
):
    """Work is edges and statements that are looked at, so no clock is asked."""
    (case,) = (case for case in corpus() if case.name == name)
    all_work = []
    for effort in (1, 2, 3):
        made = []

        class Noted(Candidates):
            def __init__(self, *given, made=made):
                super().__init__(*given)
                made.append(self)

        monkeypatch.setattr(race, "Candidates", Noted)
        result = run(marked(case.source, case.name, item), effort=effort)
        all_work.append((sum(c.work for c in made), result.derived[0].counts.total))
    (least, before), *others = all_work
    for work, total in others:
        assert total == before and least < work <= 10 * least


STATEMENTS = ("{} * {}", "{} + {}", "{} / (2.0 + {} ** 2)", "math.sin({}) - {}")


@st.composite
def programs(draw):
    """A function of three values, with two results made of up to eight others."""
    bound, lines = ["x", "y", "z"], []
    for k in range(draw(st.integers(2, 6))):
        form = draw(st.sampled_from(STATEMENTS))
        left, right = (draw(st.sampled_from(bound)) for _ in range(2))
        lines.append(f"    v{k} = {form.format(left, right)}\n")
        bound.append(f"v{k}")
    return (
        f"import math\n\n# ad: jacobian(value=True), vjp\ndef f(x, y, z):\n"
        f"{''.join(lines)}    return {bound[-1]}, {bound[-2]}\n"
    )


@settings(
    max_examples=amount(1, 6), deadline=None, suppress_health_check=list(HealthCheck)
)
@given(programs())
def test_more_effort_is_never_dearer_on_random_programs(source):
    assert never_dearer(prices(source, (0, 1, 2)))
