"""Names that nothing else has: the wish, or the first of `wish_2`, `wish_3`, ..."""

from __future__ import annotations

from collections.abc import Container


def unlike(wish: str, taken: Container[str]) -> str:
    """A name that is not taken."""
    name, k = wish, 1
    while name in taken:
        k += 1
        name = f"{wish}_{k}"
    return name


def claimed(wish: str, taken: set[str]) -> str:
    """A name that was not taken, and is from now on."""
    name = unlike(wish, taken)
    taken.add(name)
    return name
