"""Kinds of lists in compiled languages, and the parts of their support that a text
needs.

A list of numbers is called `reals`, `wholes` or `truths`; lists of such lists have the
depth behind the name, as in `reals_2`. The functions for a kind are called `ad_`, the
part and the kind: `ad_push_reals`; the type itself is `ad_reals`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ad_transform.ir.types import Kind, Type

_NAMES = {Kind.FLOAT: "reals", Kind.INT: "wholes", Kind.BOOL: "truths"}

PARTS = (
    *("type", "new", "push", "drop", "pack", "reverse", "full", "like", "copy"),
    *("added", "sum", "pairwise", "behind", "before", "solved", "rooted", "measured"),
    *("max", "min", "largest", "find", "beside", "among", "give", "hand", "take"),
    *("sorting", "pivoting", "stay", "turn", "eigen", "inverted"),
)
"""The parts of the support for each kind of list, in the order of a file."""

_NEEDED = re.compile(
    rf"\bad_(?:({'|'.join(PARTS)})_)?((?:{'|'.join(_NAMES.values())})(?:_\d)?)\b"
)


def list_name(type_: Type) -> str:
    """`reals`, `reals_2`."""
    depth = len(type_.dims)
    return _NAMES[type_.kind] + (f"_{depth}" if depth > 1 else "")


def needed(text: str, written: Callable[[str, Type], str]) -> list[tuple[str, str]]:
    """The parts that a text needs, with their texts: types first, then each behind
    those of its items.

    `written` is a part of a kind of list as text.
    """
    waiting, found = [text], dict[tuple[str, str], str]()
    while waiting:
        for part, name in _NEEDED.findall(waiting.pop()):
            for one in ((part or "type", name), ("type", name)):
                if one not in found:
                    found[one] = written(one[0], _kind_of(name))
                    waiting.append(found[one])
    return [(one[0], found[one]) for one in sorted(found, key=_place)]


def _kind_of(name: str) -> Type:
    word, _, depth = name.partition("_")
    kind = next(kind for kind, own in _NAMES.items() if own == word)
    return Type(kind, ("n",) * int(depth or 1))


def _place(one: tuple[str, str]) -> tuple[bool, int, int, int]:
    """The place of a part in a file, as a key to sort by."""
    part, name = one
    type_ = _kind_of(name)
    kind = list(_NAMES).index(type_.kind)
    if part in ("sorting", "pivoting"):  # which make lists of whole numbers
        kind = len(_NAMES)
    return (part != "type", len(type_.dims), kind, PARTS.index(part))
