"""A search goes on from the race that less effort has run."""

from __future__ import annotations

import pytest
from amounts import LONG, only_long
from support import run

from ad_transform.derive.accumulation import race

SHORT = """\
    s = math.exp(x / y)
    return s / (x + s * y)
"""
WHOLE = """\
    r = math.sin(x) / y
    s = math.exp(r * x)
    return s * (r + y) / (x + s * y)
"""
BODY = WHOLE if LONG else SHORT
SOURCE = f"import math\n\n\n# ad: hessian\ndef f(x, y):\n{BODY}"


@only_long
def test_no_task_has_two_races_of_all_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = []
    once = race._run

    def watched(builder, task, options, names, rival):
        if not names:
            tasks.append(task)
        return once(builder, task, options, names, rival)

    monkeypatch.setattr(race, "_run", watched)
    (made,) = run(SOURCE, effort=2).derived
    assert len(tasks) == len({id(task) for task in tasks}) > 1
    assert made.counts.total <= run(SOURCE).derived[0].counts.total


@pytest.mark.parametrize(
    ("kind", "tasks"), [("hessian", 2), pytest.param("hvp", 4, marks=only_long)]
)
def test_a_second_derivative_derives_its_first_pass_once(kind, tasks, monkeypatch):
    """Both passes have one race of all orders: hvp goes both ways."""
    made = []
    once = race._run

    def watched(builder, task, options, names, rival):
        made.append((task, names))
        return once(builder, task, options, names, rival)

    source = SOURCE.replace("hessian", kind)
    simpler = "    return math.sin(math.exp(x / y) * x) + y\n"
    run(source.replace(BODY, simpler))  # makes what is made once in a process
    monkeypatch.setattr(race, "_run", watched)
    run(source)
    assert sum(not names for _, names in made) == tasks
    assert len({(id(task), tuple(names)) for task, names in made}) == len(made)


def test_orders_that_are_known_to_be_hopeless_are_not_drafted_again(monkeypatch):
    """The race of all orders has said what forward order costs on the same task."""
    names = [f"x{k}" for k in range(5)]
    lines = "".join(f"    s = s + math.sin({x} * s)\n" for x in names)
    source = (
        "import math\n\n\n# ad: hessian\n"
        f"def f({', '.join(names)}):\n    s = 1.0\n{lines}    return s\n"
    )
    once = race._run

    def watched(builder, task, options, names, rival):
        try:
            return once(builder, task, options, names, rival)
        except race.Dearer:
            pytest.fail(f"drafted for nothing: {names}")

    monkeypatch.setattr(race, "_run", watched)
    run(source, effort=0)
