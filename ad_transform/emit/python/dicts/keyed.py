"""Dicts from keys to places, and sets of keys: their types, and rows for their
operations.

A list of keys that are all different is a dict from each key to its place; if the
program only asks for its keys, it is a set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from functools import cache
from itertools import chain
from typing import Any

from ad_transform.dataclass import dataclass
from ad_transform.elementals import TABLE
from ad_transform.elementals.rows import row
from ad_transform.ir.dims import ANY, Dim
from ad_transform.ir.elemental import EXACT, Elemental, Layout
from ad_transform.ir.nodes import Apply, Function, Var
from ad_transform.ir.types import Kind, Type


@dataclass(frozen=True, slots=True)
class Keyed(Type):
    """A dict from keys to places, or a set of keys: of as many parts as `keys` says."""

    keys: tuple[Kind, ...] = ()
    is_set: bool = False

    @property
    def annotation(self) -> str:
        """`dict[int, int]`, `set[tuple[int, str]]`."""
        key = ", ".join(kind.value for kind in self.keys)
        key = key if len(self.keys) == 1 else f"tuple[{key}]"
        return f"set[{key}]" if self.is_set else f"dict[{key}, int]"

    def renamed(self, meaning: Mapping[str, Dim]) -> Type:
        """The same type: the number of keys is unknown."""
        return self

    @property
    def empty(self) -> str:
        """The text of an empty dict or set."""
        return "set()" if self.is_set else "{}"


def keyed(keys: tuple[Kind, ...], is_set: bool) -> Keyed:
    """The type of a dict or a set that holds any number of keys."""
    return Keyed(keys[0], (ANY,), (), keys, is_set)


LOOKUPS: Mapping[str, tuple[int, bool]] = {
    "place": (1, True),
    "absent": (1, False),
    "place_beside": (2, True),
    "absent_beside": (2, False),
    "place_among": (3, True),
    "absent_among": (3, False),
}
"""Operations that look for an item: in how many lists, and whether they say where."""


def looks(function: Function) -> bool:
    """Whether a function looks for an item of a list."""
    return not function.block.all_operations.isdisjoint(LOOKUPS)


def taken(function: Function) -> Set[Var]:
    """The keys that a function takes out of dicts."""
    each = [block.operations.get("get", ()) for block in function.block.every]
    return {s.out for s in chain(*each) if takes(s)}


def takes(statement: Apply) -> bool:
    """Whether a statement takes a key out of a dict."""
    return statement.op.name == "get" and isinstance(statement.args[0].type, Keyed)


def _never(*_: object) -> Any:
    raise AssertionError("programs are computed with the lists that these were")


def _row(name: str, parameters: str, spelling: str, **flags: Any) -> Elemental:
    count = len(parameters.split())
    common = {"points": (), "ulps": EXACT, "classes": (), **flags}
    compute: Callable[..., Any] = _never
    partials = ("0",) * count
    layout = Layout(count, 1)
    return row(
        name, parameters, partials, compute, spelling=spelling, layout=layout, **common
    )


_CHANGES: dict[str, Any] = {"result": "grown", "linear": True, "consumes": True}
_ONE, _TWO = "array value", "array value second"
_THREE = "array value second last"

# fmt: off
PLACE = {
    1: _row("place", _ONE, "array.get(value, -1)", result="place"),
    2: _row("place", _TWO, "array.get((value, second), -1)", result="place"),
    3: _row("place", _THREE, "array.get((value, second, last), -1)", result="place"),
}
ABSENT = {
    1: TABLE["absent"],
    2: _row("absent", _TWO, "(value, second) not in array", result="truth",
        classes=("select",)),
    3: _row("absent", _THREE, "(value, second, last) not in array", result="truth",
        classes=("select",)),
}
ENTER = {
    1: _row("append", _ONE, "array[value] = len(array)", **_CHANGES),
    2: _row("append", _TWO, "array[value, second] = len(array)", **_CHANGES),
    3: _row("append", _THREE, "array[value, second, last] = len(array)", **_CHANGES),
}
ADD = {
    1: _row("append", _ONE, "array.add(value)", **_CHANGES),
    2: _row("append", _TWO, "array.add((value, second))", **_CHANGES),
    3: _row("append", _THREE, "array.add((value, second, last))", **_CHANGES),
}
LEAVE = _row("pop", "array", "array.popitem()", **{**_CHANGES, "result": "shrunk"})
KEYS = _row("keys", "array", "list(array)", result="same", linear=True)
"""Operations on dicts and sets, by the number of parts that keys have."""
# fmt: on


@cache
def written(count: int, is_set: bool) -> Elemental:
    """The operation that makes a set, or a dict with places, of keys that are written
    out: `{2, 3}`, `{2: 0, 3: 1}`.
    """
    keys = [f"key_{k}" for k in range(count)]
    items = keys if is_set else [f"{key}: {k}" for k, key in enumerate(keys)]
    return _row("pack", " ".join(keys), f"{{{', '.join(items)}}}", result="pack")
