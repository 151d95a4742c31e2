"""Dicts inside dicts, lists and tuples: their holders once such a dict has changed."""

from __future__ import annotations

from dataclasses import field

from ad_transform.dataclass import dataclass, replace
from ad_transform.ir.nodes import Container
from ad_transform.read.iterables import once
from ad_transform.read.values.series import Once
from ad_transform.read.values.structured import Dict, Group
from ad_transform.read.values.values import Value


@dataclass(slots=True, eq=False)
class Swap:
    """A new value to take the place of a dict in all its holders.

    Values that were one before are one afterwards: names of a list find each other.
    """

    old: Dict
    by: Value
    made: dict[int, tuple[Value, Value]] = field(default_factory=dict)

    def within(self, value: Value) -> Value:
        """A value with the dict replaced in it; the same value without the dict."""
        known = self.made.get(id(value))
        if known is not None:
            return known[1]
        found = self._swapped(value)
        self.made[id(value)] = value, found
        return found

    def _swapped(self, value: Value) -> Value:
        if isinstance(value, Dict):
            if value.is_open:
                return value  # perhaps another dict
            if value.identity is self.old.identity:
                return self.by
            items = self._items(value.items)
            return value if items is None else replace(value, items=items)
        if isinstance(value, Group) and value.of is None:
            items = None
            if value.container is not Container.ARRAY:
                items = self._items(value.items)
            return value if items is None else replace(value, items=items)
        if isinstance(value, Once) and once.is_made(value):
            held = self._items(value.held)
            return value if held is None else once.of(value, held)
        return value

    def _items(self, items: tuple[Value, ...]) -> tuple[Value, ...] | None:
        """Values with the dict replaced in them; None if none of them holds it."""
        found = tuple(map(self.within, items))
        same = all(a is b for a, b in zip(items, found, strict=True))
        return None if same else found
