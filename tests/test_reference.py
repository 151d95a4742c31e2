"""The derivatives written by hand in fixtures/reference are right, so worth beating."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import Case, corpus, exactly, flat, invoke, jacobian, load_exact

FOLDER = Path(__file__).parent.parent / "fixtures" / "reference"
HAND = [
    (path.stem, name)
    for path in sorted(FOLDER.glob("*.py"))
    for name, value in load_exact(path.read_text(encoding="utf-8")).items()
    if getattr(value, "__module__", None) == "model"
]


def case_of(name: str) -> Case:
    return next(c for c in corpus() if c.name == name)


@pytest.mark.parametrize(("file", "name"), HAND)
def test_it_is_right(file, name):
    text = (FOLDER / f"{file}.py").read_text(encoding="utf-8")
    case = case_of(name)
    source = load_exact(case.source)[name]
    for point in case.points:
        values = exactly(point)
        value, slopes = load_exact(text)[name](*values.values())
        want = [
            *flat(invoke(source, values)),
            *flat(jacobian(source, point, case.actives)),
        ]
        for g, w in zip([*flat(value), *flat(slopes)], want, strict=True):
            assert abs(g - w) <= 1e-14 * max(abs(w), 1e-3)
