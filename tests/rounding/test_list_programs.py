"""Programs over lists are what the tool reads of their text in Python."""

from __future__ import annotations

from pathlib import Path

from read.reading import reading

import ad_transform.derive.rounding as home
from ad_transform.ir.text import format_function

TEXT = Path(home.__file__).with_name("list_programs.txt")


def test_programs_are_those_of_their_text() -> None:
    """Where they are not, what is read of the text is to be written."""
    found = reading(TEXT.read_text()).requests
    made = "".join(format_function(request.function) for request in found)
    assert TEXT.with_suffix(".ir").read_text() == made
