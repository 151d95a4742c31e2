"""Dicts whose keys only a run knows, as two lists in the order of the entries."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ad_transform.read.in_python.lists import (
    is_stored,
    items,
    last_stored,
    place_in,
    stored,
)


class Entries:  # noqa: PLW1641  # as a dict, it has no hash
    def __init__(self, key: list[Any], value: list[Any]) -> None:
        self.key = key
        self.value = value

    def place(self, wanted: Any) -> int:
        return place_in(self.key, wanted)

    def __len__(self) -> int:
        return len(self.key)

    def __iter__(self) -> list[Any]:
        return self.key

    def __contains__(self, wanted: Any) -> bool:
        """By the test that all others ask, too, so that it is one."""
        return not self.place(wanted) < 0

    def __getitem__(self, wanted: Any) -> Any:
        if is_stored(self.key, self.value, wanted):
            return last_stored(self.key, self.value, wanted)
        at = self.place(wanted)
        if at < 0:
            raise KeyError(wanted)
        return self.value[at]

    def __setitem__(self, wanted: Any, value: Any) -> None:
        at = self.place(wanted)
        if at < 0:
            self.key.append(wanted)
            self.value.append(value)
        else:
            self.value[at] = value
        stored(self.key, self.value, wanted, value)

    def enter(self, wanted: Any, value: Any) -> None:
        """Store a value under a key that is not there."""
        self.key.append(wanted)
        self.value.append(value)
        stored(self.key, self.value, wanted, value)

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, dict) or len(other) != len(self.key):
            return False
        for wanted, value in self.items():
            if wanted not in other or other[wanted] != value:
                return False
        return True

    def update(self, other: Any) -> None:
        if isinstance(other, dict):
            for wanted in other:
                self[wanted] = other[wanted]
        else:
            self.put(other)

    def put(self, pairs: Iterable[tuple[Any, Any]]) -> None:
        for wanted, value in pairs:
            self[wanted] = value

    def copy(self) -> "Entries":
        return Entries(self.key.copy(), self.value.copy())

    def get(self, wanted: Any, default: Any = None) -> Any:
        at = self.place(wanted)
        return default if at < 0 else self.value[at]

    def setdefault(self, wanted: Any, default: Any) -> Any:
        at = self.place(wanted)
        if at < 0:
            self.key.append(wanted)
            self.value.append(default)
        return self.value[at]

    def pop(self, wanted: Any, *default: Any) -> Any:
        at = self.place(wanted)
        if at < 0:
            if len(default) > 0:
                return default[0]
            raise KeyError(wanted)
        self.key.pop(at)
        return self.value.pop(at)

    def popitem(self, last: bool = True) -> tuple[Any, Any]:
        if len(self.key) == 0:
            raise KeyError("popitem(): dictionary is empty")
        if last:
            return self.key.pop(), self.value.pop()
        return self.key.pop(0), self.value.pop(0)

    def move_to_end(self, wanted: Any, last: bool = True) -> None:
        at = self.place(wanted)
        if at < 0:
            raise KeyError(wanted)
        key, value = self.key.pop(at), self.value.pop(at)
        if last:
            self.key.append(key)
            self.value.append(value)
        else:
            self.key.insert(0, key)
            self.value.insert(0, value)

    def __delitem__(self, wanted: Any) -> None:
        self.pop(wanted)

    def fill(self, keys: Iterable[Any], value: Any) -> None:
        for wanted in keys:
            self[wanted] = value

    def clear(self) -> None:
        self.key.clear()
        self.value.clear()

    def keys(self) -> list[Any]:
        return self.key

    def values(self) -> list[Any]:
        return self.value

    def items(self) -> Iterator[tuple[Any, Any]]:
        return items(self.key, self.value)


class Defaults(Entries):
    def __init__(
        self, key: list[Any], value: list[Any], make: Callable[[], Any]
    ) -> None:
        self.key = key
        self.value = value
        self.make = make

    def __getitem__(self, wanted: Any) -> Any:
        if is_stored(self.key, self.value, wanted):
            return last_stored(self.key, self.value, wanted)
        at = self.place(wanted)
        if at < 0:
            value = self.make()
            self.key.append(wanted)
            self.value.append(value)
        return self.value[at]

    def copy(self) -> "Defaults":
        return Defaults(self.key.copy(), self.value.copy(), self.make)


class Counts(Entries):  # noqa: PLW1641
    def __getitem__(self, wanted: Any) -> Any:
        if is_stored(self.key, self.value, wanted):
            return last_stored(self.key, self.value, wanted)
        at = self.place(wanted)
        return 0 if at < 0 else self.value[at]

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Counts):
            return Entries.__eq__(self, other)
        mine = all(other[wanted] == self[wanted] for wanted in self.key)
        return mine and all(other[wanted] == self[wanted] for wanted in other.key)

    def update(self, other: Any) -> None:
        if isinstance(other, dict):
            for wanted in other:
                self[wanted] = self[wanted] + other[wanted]
        else:
            self.count(other)

    def count(self, items: Iterable[Any]) -> None:
        for wanted in items:
            self[wanted] = self[wanted] + 1

    def copy(self) -> "Counts":
        return Counts(self.key.copy(), self.value.copy())

    def __delitem__(self, wanted: Any) -> None:
        at = self.place(wanted)
        if not at < 0:
            self.key.pop(at)
            self.value.pop(at)

    def subtract(self, other: Any) -> None:
        if isinstance(other, dict):
            for wanted in other:
                self[wanted] = self[wanted] - other[wanted]
        else:
            for wanted in other:
                self[wanted] = self[wanted] - 1

    def total(self) -> Any:
        return sum(self.value)

    def elements(self) -> Iterator[Any]:
        for wanted, value in items(self.key, self.value):
            for _ in range(value):
                yield wanted

    def most_common(self, most: int | None = None) -> list[tuple[Any, Any]]:
        pairs = list(items(self.key, self.value))
        ranked = sorted(pairs, key=lambda pair: pair[1], reverse=True)
        return ranked if most is None else ranked[: max(most, 0)]

    def __add__(self, other: Any) -> "Counts":
        found = self.copy()
        found.clear()
        for wanted in self.key:
            value = self[wanted] + other[wanted]
            if value > 0:
                found[wanted] = value
        for wanted in other:
            if wanted not in self and other[wanted] > 0:
                found[wanted] = other[wanted]
        return found

    def __iadd__(self, other: Any) -> "Counts":
        return self.become(self + other)

    def __isub__(self, other: Any) -> "Counts":
        return self.become(self - other)

    def become(self, found: "Counts") -> "Counts":
        self.clear()
        for wanted, value in found.items():
            self.key.append(wanted)
            self.value.append(value)
        return self

    def __sub__(self, other: Any) -> "Counts":
        found = self.copy()
        found.clear()
        for wanted in self.key:
            value = self[wanted] - other[wanted]
            if value > 0:
                found[wanted] = value
        for wanted in other:
            if wanted not in self and other[wanted] < 0:
                found[wanted] = 0 - other[wanted]
        return found

    def either(self, other: Any) -> "Counts":
        found = self.copy()
        found.clear()
        for wanted in self.key:
            value = max(self[wanted], other[wanted])
            if value > 0:
                found[wanted] = value
        for wanted in other:
            if wanted not in self and other[wanted] > 0:
                found[wanted] = other[wanted]
        return found

    def both(self, other: Any) -> "Counts":
        found = self.copy()
        found.clear()
        for wanted in self.key:
            value = min(self[wanted], other[wanted])
            if value > 0:
                found[wanted] = value
        return found

    def rise_to(self, other: Any) -> "Counts":
        for wanted in other:
            self[wanted] = max(self[wanted], other[wanted])
        return self.keep_positive()

    def sink_to(self, other: Any) -> "Counts":
        for place in range(len(self.key)):
            self.value[place] = min(self.value[place], other[self.key[place]])
        return self.keep_positive()

    def keep_positive(self) -> "Counts":
        for place in range(len(self.key) - 1, -1, -1):
            if not self.value[place] > 0:
                self.key.pop(place)
                self.value.pop(place)
        return self


def nought() -> float:
    return 0.0


def zero() -> int:
    return 0


def empty() -> list[Any]:
    return []
