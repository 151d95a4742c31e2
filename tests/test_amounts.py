"""What is left out by default is there."""

from __future__ import annotations


def test_all_that_elsewhere_lists_are_tests(unknown: list[str]) -> None:
    """A test with another name is listed under that one."""
    assert not unknown
