"""Functions on lists that the reader has operations for: the place of an item,
whether two lists are equal, the items of two equally long ones, the value stored last
under a key.
"""

from collections.abc import Iterator
from typing import Any


def place_in(group: list[Any], wanted: Any) -> int:
    for place, item in enumerate(group):
        if item == wanted:
            return place
    return -1


def same(one: list[Any], other: list[Any]) -> bool:
    return len(one) == len(other) and all(one[k] == other[k] for k in range(len(one)))


def items(keys: list[Any], values: list[Any]) -> Iterator[tuple[Any, Any]]:
    return zip(keys, values, strict=True)


def stored(keys: list[Any], values: list[Any], wanted: Any, value: Any) -> None:
    """Note that `value` stands at the place of a key."""


def is_stored(keys: list[Any], values: list[Any], wanted: Any) -> bool:
    """Whether that has been noted, and nothing has changed since."""
    return False


def last_stored(keys: list[Any], values: list[Any], wanted: Any) -> Any:
    return values[place_in(keys, wanted)]
