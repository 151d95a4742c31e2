"""docs/errors.md: every code has a section, and its examples do what they say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support import run

from ad_transform.diagnostics import CODES

PAGE = (Path(__file__).parents[1] / "docs" / "errors.md").read_text()
SECTION = re.compile(r"^## (AD\d{3}) (.*)$", re.MULTILINE)
EXAMPLE = re.compile(
    r"^(Fails|Works):\n\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
OF_A_SOURCE = [code for code in CODES if code >= "AD020"]
"""Codes that a source alone can cause; the others are about files and commands."""


def _examples(code: str) -> dict[str, str]:
    section = re.split(rf"^## {code} .*$", PAGE, flags=re.MULTILINE)[1]
    return dict(EXAMPLE.findall(SECTION.split(section)[0]))


OPTIONS = {"AD033": {"target": "c"}}
"""What the examples of a code are run with."""


def _codes(source: str, code: str) -> set[str]:
    return {d.code for d in run(source, **OPTIONS.get(code, {})).diagnostics}


def test_every_code_has_a_section_in_order_with_its_title() -> None:
    sections = SECTION.findall(PAGE)
    assert sections == [(code, row.title) for code, row in sorted(CODES.items())]


@pytest.mark.parametrize("code", OF_A_SOURCE)
def test_the_failing_example_gives_the_code(code: str) -> None:
    assert _codes(_examples(code)["Fails"], code) == {code}


@pytest.mark.parametrize("code", OF_A_SOURCE)
def test_the_working_example_gives_no_diagnostic(code: str) -> None:
    result = run(_examples(code)["Works"], **OPTIONS.get(code, {}))
    assert not result.diagnostics
    assert result.text
