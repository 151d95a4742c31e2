"""Dicts inside dicts, lists and tuples: their holders once such a dict has changed."""

from __future__ import annotations

from dataclasses import field, replace

from ad_transform.dataclass import dataclass
from ad_transform.ir.nodes import Container
from ad_transform.read.iterables import once
from ad_transform.read.values.series import Once
from ad_transform.read.values.structured import Dict, Group
from ad_transform.read.values.values import Value


@dataclass(slots=True, eq=False)
class Swap:
    """A dict that something stands in the place of, wherever it is held.

    What was one value before is one value again: names of a list find each other.
    """

    old: Dict
    by: Value
    made: dict[int, tuple[Value, Value]] = field(default_factory=dict)

    def within(self, value: Value) -> Value:
        """A value with the other one in the place of the dict; itself without it."""
        known = self.made.get(id(value))
        if known is not None:
            return known[1]
        found = self._swapped(value)
        self.made[id(value)] = value, found
        return found

    def _swapped(self, value: Value) -> Value:
        if isinstance(value, Dict):
            if value.is_open:
                return value  # it may be this dict or another one
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
        """Some values with the other one; None where none of them holds the dict."""
        found = tuple(map(self.within, items))
        same = all(a is b for a, b in zip(items, found, strict=True))
        return None if same else found
