"""What `generate` keeps is not given to a test that changes the tool."""

from functools import cache

import pytest
from amounts import ANY_ORDER
from support import generate

SOURCE = "# ad: gradient\ndef f(x):\n    return x * x\n"


@cache
def kept() -> str:
    """Made once, so that the tests of this file go to one process."""
    return generate(SOURCE, **ANY_ORDER)


@pytest.fixture
def seen_in_setup(monkeypatch: pytest.MonkeyPatch) -> int:
    """How many texts are kept where a fixture begins to change the tool."""
    monkeypatch.setattr("ad_transform.emit.python.signature.WIDEST", 30)
    return generate.cache_info().currsize


def test_a_text_is_kept() -> None:
    assert generate(SOURCE, **ANY_ORDER) is kept()


def test_nothing_is_kept_where_the_tool_is_changed(seen_in_setup: int) -> None:
    assert seen_in_setup == 0
    generate(SOURCE, **ANY_ORDER)


def test_nothing_is_left_of_a_tool_that_was_changed() -> None:
    assert generate.cache_info().currsize == 0
