"""Functions, classes and modules that are imported with their first use.

Most programs need a small part of this one: who writes a gradient of ten lines has no
loops, no arrays, no calls. Importing what they do not need would take a fifth of the
time that such a run takes. What is imported within `later` from modules that are not
loaded yet are stand-ins, which load them when they are called, or asked for something.

Only what is called, or modules of which something is asked, are imported so: a constant
would be a stand-in for good.
"""

from __future__ import annotations

import builtins
import gc
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

__all__ = ["at_rest", "later", "load_all", "parts_later"]


@contextmanager
def later() -> Iterator[None]:
    """A context in which names that are imported are loaded when first used.

    Names with dots are imported at once: they bind the package, too.
    """
    plainly = builtins.__import__

    def noted(
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> Any:
        if level or ("." in name and not fromlist):
            return plainly(name, globals, locals, fromlist or (), level)
        if fromlist:
            return _Origin(name)
        return sys.modules.get(name) or _Later(name, "")

    builtins.__import__ = noted
    try:
        yield
    finally:
        builtins.__import__ = plainly


@contextmanager
def at_rest() -> Iterator[None]:
    """A context without searches for cyclic garbage: imports leave none."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@contextmanager
def parts_later(package: str, *parts: str) -> Iterator[None]:
    """A context in which a package that is imported takes names from some of its parts
    only when it is asked for them. One that is there already stays as it is.
    """
    plainly, waiting = builtins.__import__, not sys.modules.get(package)

    def noted(
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> Any:
        by_itself = waiting and globals is not None and globals["__name__"] == package
        if by_itself and fromlist and name.startswith(prefixes):
            return _Origin(name)
        return plainly(name, globals, locals, fromlist or (), level)

    prefixes = tuple(f"{package}.{part}." for part in parts)
    prefixes += tuple(p[:-1] for p in prefixes)
    builtins.__import__ = noted
    try:
        yield
    finally:
        builtins.__import__ = plainly
        if waiting and package in sys.modules:
            _ask_later(sys.modules[package], parts)


def _ask_later(package: Any, parts: tuple[str, ...]) -> None:
    """Let a package load its stand-ins, each when it is asked for."""
    held, name = vars(package), package.__name__
    found = {key: one for key, one in held.items() if type(one) is _Later}

    def asked(key: str) -> Any:
        if key in found:
            held[key] = found[key].found()
        elif key in parts:
            held[key] = import_module(f"{name}.{key}")
        else:
            raise AttributeError(f"module {name!r} has no attribute {key!r}")
        return held[key]

    for key in found:
        del held[key]
    package.__getattr__ = asked


_waiting: list[_Later] = []


def load_all(*packages: str) -> None:
    """Load all stand-ins in some packages, and those that wait there then."""
    while ready := [one for one in _waiting if one.is_in(packages)]:
        _waiting[:] = [one for one in _waiting if not one.is_in(packages)]
        for one in ready:
            one.found()


class _Origin:
    """A module, or a package, that names are imported from."""

    __slots__ = ("_dotted",)

    def __init__(self, dotted: str) -> None:
        self._dotted = dotted

    def __getattr__(self, name: str) -> Any:
        """The object that is there by now, or its stand-in."""
        module = sys.modules.get(f"{self._dotted}.{name}")
        if module is None and self._dotted in sys.modules:
            module = vars(sys.modules[self._dotted]).get(name)
        return _Later(self._dotted, name) if module is None else module


class _Later:
    """The stand-in of a function, a class or a module in a package, or of a module."""

    __slots__ = ("_dotted", "_found", "_name")

    def __init__(self, dotted: str, name: str) -> None:
        self._dotted, self._name = dotted, name
        self._found: Any = None
        _waiting.append(self)

    def is_in(self, packages: tuple[str, ...]) -> bool:
        """Whether it stands for an object in one of some packages."""
        return any(f"{self._dotted}.".startswith(f"{p}.") for p in packages)

    def found(self) -> Any:
        """The object that it stands for, loaded."""
        if self._found is None:
            module = import_module(self._dotted)
            if self._name and not hasattr(module, self._name):
                import_module(f"{self._dotted}.{self._name}")
            self._found = getattr(module, self._name) if self._name else module
        return self._found

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self.found()(*args, **keywords)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.found(), name)
