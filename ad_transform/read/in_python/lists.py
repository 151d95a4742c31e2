"""Where an item is in a list, and items of two that are equally long, which the reader
has operations for.
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
