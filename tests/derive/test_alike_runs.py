"""Runs that are alike are solved once, each with its own names and numbers."""

from __future__ import annotations

from amounts import ANY_ORDER
from support import generate

from ad_transform.derive.factoring import extract
from ad_transform.derive.progress import PLANNER, listening
from ad_transform.derive.sweep.context import REMEMBERED

HEAD = "# ad: gradient\ndef f(x: float, y: float, n: int):\n"
LOOP = """\
    for {i} in range(n):
        {a} = x * y + {c}
        x = {a} * x / (1.0 + {a} * y)
"""
FIRST = {"i": "i", "a": "a", "c": "0.0"}
RENAMED = {"i": "j", "a": "rate", "c": "0.0"}


def source(*loops):
    return HEAD + "".join(LOOP.format(**names) for names in loops) + "    return x\n"


def orders_tried(text):
    """How many orders all runs together were tried in."""
    heard = []
    REMEMBERED.clear()
    with listening(lambda level, what: heard.append(level)):
        generate(text, **ANY_ORDER)
    return heard.count(PLANNER)


def test_three_loops_alike_are_planned_as_one():
    three = source(FIRST, RENAMED, FIRST)
    assert orders_tried(three) == orders_tried(source(FIRST)) > 0


def test_runs_are_remembered_when_their_program_is_done():
    generate(source(FIRST), **ANY_ORDER)
    heard = []
    with listening(lambda level, what: heard.append(level)):
        text = generate(source(RENAMED), **ANY_ORDER)
    assert PLANNER not in heard
    REMEMBERED.clear()
    assert generate(source(RENAMED), **ANY_ORDER) == text


def test_numbers_that_are_added_may_differ():
    three = source(FIRST | {"c": "2.5"}, RENAMED | {"c": "7.0"})
    assert orders_tried(three) == orders_tried(source(FIRST | {"c": "2.5"})) > 0
    text = generate(three)
    assert "a = x * y + 2.5\n" in text and "rate = x_3 * y + 7.0\n" in text


def test_a_run_of_its_own_is_planned():
    other = RENAMED | {"c": "-0.0"}
    assert orders_tried(source(FIRST, other)) > orders_tried(source(FIRST))


def test_names_of_an_alike_run_are_its_own():
    text = generate(source(FIRST, RENAMED))
    for own in ("plus_a, diff_a", "plus_rate, diff_rate"):
        assert f"for x_sum, {own} in reversed(" in text


def test_questions_about_products_are_asked_once(monkeypatch):
    asked = []
    ask = extract.defined

    def defined(*question):
        asked.append(question)
        return ask(*question)

    monkeypatch.setattr(extract, "defined", defined)
    extract.ANSWERED.clear()
    generate(source(FIRST), **ANY_ORDER)
    assert asked
    REMEMBERED.clear()
    asked.clear()
    generate(source(FIRST), **ANY_ORDER)
    assert not asked
