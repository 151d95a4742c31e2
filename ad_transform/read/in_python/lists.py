"""Functions on lists that the reader has operations for: the place of an item, the
items of two equally long lists, the value stored last under a key.
"""

from collections.abc import Iterator
from typing import Any


def place_in(group: list[Any], wanted: Any) -> int:
    for place, item in enumerate(group):
        if item == wanted:
            return place
    return -1


def items(keys: list[Any], values: list[Any]) -> Iterator[tuple[Any, Any]]:
    return zip(keys, values, strict=True)


def stored(keys: list[Any], values: list[Any], wanted: Any, value: Any) -> None:
    """Note that `value` stands at the place of a key."""


def is_stored(keys: list[Any], values: list[Any], wanted: Any) -> bool:
    """Whether that has been noted, and nothing has changed since."""
    return False


def last_stored(keys: list[Any], values: list[Any], wanted: Any) -> Any:
    return values[place_in(keys, wanted)]
