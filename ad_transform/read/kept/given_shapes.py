"""Shapes of arguments for which kept functions are flattened."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container
from ad_transform.ir.types import Type
from ad_transform.read.code import Code
from ad_transform.read.values.classes import Class
from ad_transform.read.values.storage import Deque, Lists, Rows
from ad_transform.read.values.structured import Key

Shape = Any
"""A type, a group of shapes, or one of the following."""


@dataclass(frozen=True, slots=True)
class Known:
    """A text or a truth value, which is no parameter."""

    type: Type
    value: object


@dataclass(frozen=True, slots=True)
class Held:
    """An array; the names among the dims of one that is passed are its function's. One
    that is returned may be one of those that were given, at the places in `lent`.
    """

    container: Container
    type: Type
    span: Span = field(compare=False)
    lent: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Sited:
    """A list or an array that is known item by item, and made at a site."""

    container: Container
    site: Span | None = field(compare=False)


@dataclass(frozen=True, slots=True)
class Laid:
    """A list of rows, or of lists of any length, that is passed list by list."""

    like: Rows | Lists = field(compare=False)
    layout: object


@dataclass(frozen=True, slots=True)
class Referring:
    """A set or a deque, which is passed as the list that it refers to."""

    to: type[Deque]


@dataclass(frozen=True, slots=True)
class Keyed:
    """A dict of known keys, which the function only reads."""

    keys: tuple[Key, ...]
    identity: object = field(compare=False)


@dataclass(frozen=True, slots=True)
class Lent:
    """A whole array that is returned, and may be one of those that were given."""

    type: Type
    lent: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Same:
    """The array that is given at a place, which has been changed and is returned."""

    place: int


@dataclass(frozen=True, slots=True)
class Given:
    """The kind of an object that is returned, and may be one that was given."""

    of: Class


@dataclass(frozen=True, slots=True)
class Catching:
    """A function inside another one: its code, and the names of the values that it
    reads.
    """

    code: Code
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Applied:
    """A function with arguments by position, and some by their names."""

    positional: int
    keywords: tuple[str, ...]
