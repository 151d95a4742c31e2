"""Values in classes that are joined bit by bit: a forest of them (Tarjan 1975)."""

from __future__ import annotations

from typing import Generic, TypeVar

from ad_transform.ir.nodes import Operand

V = TypeVar("V", bound=Operand)


class Classes(Generic[V]):
    """Values in classes; each is alone in its own at first."""

    def __init__(self) -> None:
        self._parent: dict[V, V] = {}

    def find(self, value: V) -> V:
        """One of the class of a value, the same for each in it."""
        while (parent := self._parent.get(value, value)) is not value:
            self._parent[value] = self._parent.get(parent, parent)
            value = parent
        return value

    def join(self, one: V, other: V) -> bool:
        """Let two values be in one class; whether they were in two."""
        first, second = self.find(one), self.find(other)
        self._parent[second] = first
        return first is not second
