"""Operations in the emitted text, counted there, of a fixed set of functions."""

from __future__ import annotations

from typing import Any

import pytest
from amounts import QUICK, only_long, part
from support import corpus, everything, generate, marked, otherwise, run
from support_counts import counts_of

RACED = [case for case in corpus() if case.is_raced]


def source_of(name: str) -> str:
    (case,) = (c for c in corpus() if c.name == name and c.file != "papers")
    return case.source


def emitted(name: str, item: str, suffix: str, **options: Any) -> Any:
    text = generate(marked(source_of(name), name, item), container="tuple", **options)
    return counts_of(text, f"{name}_{suffix}")


# The issue aims at 200, 140 and 94 operations.
SEARCHED = [
    pytest.param("robot_arm", 172, marks=only_long),
    pytest.param("heart_dipole", 113, marks=only_long),
    ("propane_combustion", 91),
    pytest.param("pendulum", 66, marks=only_long),
]


@pytest.mark.parametrize(("name", "most"), SEARCHED)
def test_effort_2_reaches_what_the_issue_aims_at(name, most):
    counts = emitted(name, "jacobian(value=True)", "value_and_jac", effort=2)
    assert counts.total <= most


# fmt: off
PLAIN = [
    ("heart_dipole",       "jacobian(value=True)", "value_and_jac",  "keep",     113),
    ("propane_combustion", "jacobian(value=True)", "value_and_jac",  "keep",      91),
    ("lighthouse",         "jacobian(value=True)", "value_and_jac",  "keep",      20),
    ("powell",             "gradient(value=True)", "value_and_grad", "multiply",  29),
    ("powell",             "hvp(value=True)",      "value_and_hvp",  "multiply",  47),
    ("rosenbrock",         "gradient(value=True)", "value_and_grad", "multiply",  11),
    ("rosenbrock",         "hvp(value=True)",      "value_and_hvp",  "multiply",  20),
]
FOUND = [
    ("pendulum",           "jacobian(value=True)", "value_and_jac",  "keep",      66),
    ("colebrook",          "hessian",              "hess",           "keep",      29),
    ("softmax3",           "jacobian(value=True)", "value_and_jac",  "keep",      22),
    ("with_closure",       "hvp",                  "hvp",            "keep",      26),
]
LARGE = [
    ("colebrook",          "hvp",                  "hvp",            "keep",      32),
    ("robot_arm",          "jacobian(value=True)", "value_and_jac",  "keep",     172),
    ("robot_arm",          "jacobian",             "jac",            "keep",     149),
    ("haversine",          "hessian(value=True)",  "value_and_hess", "keep",      89),
    ("brachistochrone",    "hessian",              "hess",           "keep",     121),
    ("helmholtz3",         "hessian(value=True)",  "value_and_hess", "keep",     125),
    ("planck",             "hessian(value=True)",  "value_and_hess", "keep",      31),
    ("planck",             "hessian",              "hess",           "keep",      25),
    ("black_scholes",      "hessian",              "hess",           "keep",     143),
    ("diode",              "hvp",                  "hvp",            "keep",      40),
    ("redlich_kwong_fugacity", "gradient",         "grad",           "keep",      30),
]
# fmt: on
"""Those of no effort; those that only a search finds; and such as take seconds."""


@pytest.mark.parametrize(
    ("name", "item", "suffix", "powers", "total"),
    [*PLAIN, *FOUND, *(pytest.param(*row, marks=only_long) for row in LARGE)],
)
def test_counts_are_what_they_were(name, item, suffix, powers, total):
    """A change is welcome if it is downwards: then lower the figure."""
    options = QUICK if (name, item, suffix, powers, total) in PLAIN else {}
    assert emitted(name, item, suffix, powers=powers, **options).total == total


@pytest.mark.parametrize("case", corpus(), ids=str)
def test_text_and_ir_count_alike(case):
    """The printer neither adds nor removes an operation."""
    result = everything(case)
    for derived in result.derived:
        assert counts_of(result.text, derived.function.name) == derived.counts


@pytest.mark.parametrize("case", RACED, ids=str)
def test_auto_is_never_dearer(case):
    """`auto` against an order one can ask for, on every kind that is searched; what
    `--explain` lists is what it gives.
    """
    order = case.other_order
    others = {b.function.name: b for b in otherwise(case).derived}
    for a in everything(case).derived:
        b = others[a.function.name]
        assert a.counts.total <= b.counts.total, (a.function.name, order)
        listed = a.rivals.get(order, b.counts.total)
        assert listed == b.counts.total, (a.function.name, order)


@pytest.mark.parametrize("case", RACED, ids=str)
def test_auto_is_the_cheapest_of_all_that_is_explained(case):
    for derived in everything(case).derived:
        listed = list(derived.rivals.values())
        assert listed or any(s.blocks for s in derived.function.body)  # it is swept
        assert derived.counts.total <= min(listed, default=derived.counts.total)


@pytest.mark.parametrize("case", part(RACED[::2], 2), ids=str)
def test_the_default_is_never_dearer_than_no_effort(case):
    """On every kind that is searched, but for Hessians."""
    asked = [item for item in case.searched if not item.startswith("hess")]
    source = marked(case.source, case.name, *asked)
    default = {d.function.name: d.counts.total for d in everything(case).derived}
    for derived in run(source, effort=0, container="tuple").derived:
        assert default[derived.function.name] <= derived.counts.total
