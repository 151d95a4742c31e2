"""Sets as lists of items, each of which is there once; new ones go into `found`."""

from typing import Any

from ad_transform.read.in_python.lists import place_in


def unite(found: list[Any], one: list[Any], other: list[Any]) -> None:
    for item in one:
        found.append(item)
    for item in other:
        if item not in one:
            found.append(item)


def intersect(found: list[Any], one: list[Any], other: list[Any]) -> None:
    """Of 0.0 and -0.0 it is that of the smaller set, or of the other one."""
    if len(other) > len(one):
        pick(found, other, one)
    else:
        pick(found, one, other)


def pick(found: list[Any], one: list[Any], other: list[Any]) -> None:
    for item in other:
        if item in one and item not in found:
            found.append(item)


def subtract(found: list[Any], one: list[Any], other: list[Any]) -> None:
    for item in one:
        if item not in other:
            found.append(item)


def differ(found: list[Any], one: list[Any], other: list[Any]) -> None:
    subtract(found, one, other)
    subtract(found, other, one)


def discard(items: list[Any], wanted: Any) -> None:
    place = place_in(items, wanted)
    if not place < 0:
        items.pop(place)


def remove(items: list[Any], wanted: Any) -> None:
    place = place_in(items, wanted)
    if place < 0:
        raise KeyError(wanted)
    items.pop(place)


def replace(items: list[Any], other: list[Any]) -> None:
    items.clear()
    for item in other:
        items.append(item)


def leave_out(items: list[Any], other: list[Any]) -> None:
    for place in range(len(items) - 1, -1, -1):
        if items[place] in other:
            items.pop(place)


def within(one: list[Any], other: list[Any]) -> bool:
    return all(item in other for item in one)


def apart(one: list[Any], other: list[Any]) -> bool:
    return all(item not in other for item in one)


def around(one: list[Any], other: list[Any]) -> bool:
    return within(other, one)


def below(one: list[Any], other: list[Any]) -> bool:
    return len(one) < len(other) and within(one, other)


def above(one: list[Any], other: list[Any]) -> bool:
    return below(other, one)


def same(one: list[Any], other: list[Any]) -> bool:
    return len(one) == len(other) and within(one, other)


def unlike(one: list[Any], other: list[Any]) -> bool:
    return not same(one, other)
