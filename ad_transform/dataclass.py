"""Dataclasses with slots whose methods are written when they are first called.

`dataclasses` compiles up to six methods for each class, a third of a millisecond. That
was a third of what importing this program took, and most classes are never compared or
printed, or have no object at all in a run. Here a class gets its slots at once, and
each of its methods with the first call.

A frozen object is filled through its slots, in two thirds of the time that
`object.__setattr__` takes.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field, FrozenInstanceError, field, fields
from typing import Any, Literal, TypeVar, cast, dataclass_transform

__all__ = ["dataclass", "field"]

T = TypeVar("T")


@dataclass_transform(field_specifiers=(field,))
def dataclass(
    *, slots: Literal[True], frozen: bool = False, eq: bool = True
) -> Callable[[type[T]], type[T]]:
    """The decorator of the standard library, for classes with slots.

    There is no `InitVar` and no `__init__` in the class; one with an `__eq__` has its
    `__hash__`, and fields that are no parameters have no default.
    """
    assert slots

    def decorated(plain: type[T]) -> type[T]:
        made = _with_slots(plain)
        fill = _fill_frozen if frozen else _fill
        _write_later(made, "__init__", lambda: fill(made))
        made.__repr__ = _repr
        if frozen:
            made.__setattr__ = made.__delattr__ = _refuse
        if eq and "__eq__" not in vars(plain):
            _write_later(made, "__eq__", lambda: _compare(made))
            made.__hash__ = None
            if frozen:
                _write_later(made, "__hash__", lambda: _hash(made))
        return cast("type[T]", made)

    return decorated


def _with_slots(plain: type) -> Any:
    """The class with slots for its fields, in the place of their defaults."""
    names = inspect.get_annotations(plain)
    left_out = {*names, "__dict__", "__weakref__"}
    own = {name: x for name, x in vars(plain).items() if name not in left_out}
    held = {name for base in plain.__mro__ for name in getattr(base, "__slots__", ())}
    own["__slots__"] = tuple(name for name in names if name not in held)
    own["__qualname__"] = plain.__qualname__
    own["__getstate__"], own["__setstate__"] = _state, _set_state
    own.update({name: _Described(plain, name) for name in _DESCRIBED})
    return type(plain)(plain.__name__, plain.__bases__, own)


class _Described:
    """What the standard library says of a class, which it reads when it is asked."""

    __slots__ = ("name", "plain")

    def __init__(self, plain: type, name: str) -> None:
        self.plain, self.name = plain, name

    def __get__(self, _: object, made: type) -> Any:
        if "__dataclass_fields__" not in vars(self.plain):
            dataclasses.dataclass(init=False, repr=False, eq=False)(self.plain)
        return vars(self.plain)[self.name]


_DESCRIBED = ("__dataclass_fields__", "__dataclass_params__", "__match_args__")


def _write_later(made: type, name: str, write: Callable[[], Any]) -> None:
    """Give a class a method that writes itself when it is called."""

    def first(self: Any, *args: Any, **keywords: Any) -> Any:
        method = write()
        setattr(made, name, method)
        return method(self, *args, **keywords)

    setattr(made, name, first)


def _fill(made: type) -> Any:
    """The `__init__` of objects that may change."""
    return _filled(made, "self.{0} = {1}", {})


def _fill_frozen(made: type) -> Any:
    """The `__init__` of frozen objects."""
    slots = {f"SLOT_{each.name}": _slot(made, each) for each in _fields(made)}
    return _filled(made, "SLOT_{0}(self, {1})", slots)


def _slot(made: type, each: Field[Any]) -> Any:
    return getattr(made, each.name).__set__


def _filled(made: type, line: str, outer: dict[str, Any]) -> Any:
    """An `__init__` with a line for each parameter; what it reads is in capitals."""
    heads, lines = ["self"], []
    for each in _fields(made):
        head = value = each.name
        if each.default is not MISSING:
            outer[f"DEFAULT_{each.name}"] = each.default
            head += f"=DEFAULT_{each.name}"
        elif each.default_factory is not MISSING:
            outer[f"MAKE_{each.name}"] = each.default_factory
            head += "=MISSING"
            value = f"MAKE_{each.name}() if {each.name} is MISSING else {each.name}"
        if each.init:
            heads.append(head)
            lines.append(line.format(each.name, value))
    if hasattr(made, "__post_init__"):
        lines.append("self.__post_init__()")
    return _written(f"__init__({', '.join(heads)})", lines or ["pass"], outer)


def _compare(made: type) -> Any:
    """The `__eq__` of objects that are equal when their classes and fields are."""
    lines = (
        "if other.__class__ is not self.__class__:",
        "    return NotImplemented",
        f"return {_compared(made, 'self')} == {_compared(made, 'other')}",
    )
    return _written("__eq__(self, other)", lines, {})


def _hash(made: type) -> Any:
    return _written("__hash__(self)", [f"return hash({_compared(made, 'self')})"], {})


def _compared(made: type, name: str) -> str:
    """The tuple of what counts when two objects are compared."""
    parts = (f"{name}.{each.name}, " for each in _fields(made) if each.compare)
    return f"({''.join(parts)})"


def _written(head: str, lines: Iterable[str], outer: dict[str, Any]) -> Any:
    """A function of such lines, which reads the names of `outer`."""
    names = {"MISSING": MISSING, **outer}
    exec(f"def {head}:\n" + "".join(f"    {line}\n" for line in lines), names)
    return names[head.partition("(")[0]]


def _repr(self: Any) -> str:
    parts = (f"{x.name}={getattr(self, x.name)!r}" for x in fields(self) if x.repr)
    return f"{type(self).__qualname__}({', '.join(parts)})"


def _refuse(self: Any, name: str, *_: object) -> None:
    raise FrozenInstanceError(f"cannot change field {name!r}")


def _state(self: Any) -> list[object]:
    """What a copy of an object is made of; a frozen one is not set field by field."""
    return [getattr(self, each.name) for each in fields(self)]


def _set_state(self: Any, state: list[object]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)


def _fields(made: Any) -> tuple[Field[Any], ...]:
    return fields(made)
