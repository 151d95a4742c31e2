"""A new kind is one row: here `directional`, the gradient by another name."""

from __future__ import annotations

from dataclasses import replace

import pytest
from amounts import ANY_ORDER
from support import generate, load

import ad_transform as ad
from ad_transform.derive.kinds.kind_rows import KINDS, Says

SOURCE = """\
# ad: directional(x, name="slope_of_f")
def f(x: float, y: float) -> float:
    return x * x * y


# ad: directional(x, value=True)
def g(x: float, y: float) -> float:
    return x * x * y
"""


def test_a_kind_is_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    says = {
        "": Says("Slope of {source} along {names}."),
        "value": Says("Value and slope of {source} along {names}."),
    }
    row = replace(
        KINDS["gradient"],
        name="directional",
        says=says,
        value_suffix="value_and_slope",
    )
    monkeypatch.setitem(KINDS, row.name, row)
    text = generate(SOURCE, **ANY_ORDER)
    assert '"""Slope of f along x.' in text
    assert '"""Value and slope of g along x.' in text
    made = load(text)
    assert made["slope_of_f"](3.0, 2.0) == 12.0
    assert made["g_value_and_slope"](3.0, 2.0) == (18.0, 12.0)


OTHERS = ("external", "implicit", "passive", "rule", "shapes")
"""Marks of functions that ask for nothing."""


def test_every_kind_has_a_mark_and_every_mark_a_row() -> None:
    marks = {name for name, value in vars(ad).items() if value is ad.gradient}
    assert marks - {*OTHERS, "_mark"} == KINDS.keys()


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_rows_are_complete(kind) -> None:
    assert kind.says
    assert kind.estimates or kind.formed_by
    assert ("value" in kind.own) == bool(kind.value_suffix)
    assert not (kind.returns_value and "value" in kind.own)
