"""Dataclasses with slots whose methods are made when there is a first object.

`dataclasses` compiles up to six methods for each class, a third of a millisecond. That
was a third of what importing this program took, and most runs have objects of less than
half of its classes. Here a class gets its slots at once, and the rest from the standard
library as soon as an object is made of it.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from dataclasses import field, fields
from typing import Any, TypeVar, cast, dataclass_transform

__all__ = ["dataclass", "field"]

T = TypeVar("T")

_waiting: dict[type, Callable[[], None]] = {}
"""By class without methods, what makes them."""


@dataclass_transform(field_specifiers=(field,))
def dataclass(**options: bool) -> Callable[[type[T]], type[T]]:
    """The decorator of the standard library, with `slots=True` among its options.

    The class must not be asked for its fields before there is an object of it; it has
    no `InitVar` and no `__init__` of its own.
    """
    assert options.pop("slots")

    def decorated(plain: type[T]) -> type[T]:
        made: Any = _with_slots(plain)

        def begin(self: T, *args: Any, **keywords: Any) -> None:
            _complete(made)
            made.__init__(self, *args, **keywords)

        made.__init__ = begin
        _waiting[made] = lambda: _finish(made, dataclasses.dataclass(**options)(plain))
        return cast("type[T]", made)

    return decorated


def _with_slots(plain: type) -> type:
    """The class with slots for its fields, in the place of their defaults."""
    names = inspect.get_annotations(plain)
    left_out = {*names, "__dict__", "__weakref__"}
    own = {name: x for name, x in vars(plain).items() if name not in left_out}
    held = {name for base in plain.__mro__ for name in getattr(base, "__slots__", ())}
    own["__slots__"] = tuple(name for name in names if name not in held)
    own["__qualname__"] = plain.__qualname__
    own["__getstate__"], own["__setstate__"] = _state, _set_state
    return type(plain)(plain.__name__, plain.__bases__, own)


def _complete(made: type) -> None:
    """Give a class its methods, after those that it is derived from."""
    for each in reversed(made.__mro__):
        finish = _waiting.pop(each, None)
        if finish is not None:
            finish()


def _finish(made: type, whole: type) -> None:
    """Hand on what the standard library has made."""
    for name in _MADE:
        if name in whole.__dict__:
            setattr(made, name, whole.__dict__[name])


_MADE = (
    "__init__",
    "__repr__",
    "__eq__",
    "__hash__",
    "__lt__",
    "__le__",
    "__gt__",
    "__ge__",
    "__setattr__",
    "__delattr__",
    "__match_args__",
    "__dataclass_fields__",
    "__dataclass_params__",
)


def _state(self: Any) -> list[object]:
    """What a copy of an object is made of; a frozen one is not set field by field."""
    return [getattr(self, each.name) for each in fields(self)]


def _set_state(self: Any, state: list[object]) -> None:
    _complete(type(self))
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)
