"""Where an item is in a list, which the reader has an operation for."""

from typing import Any


def place_in(items: list[Any], wanted: Any) -> int:
    for place, item in enumerate(items):
        if item == wanted:
            return place
    return -1
