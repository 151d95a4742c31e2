"""Values that can be called, and the modules that they stand in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass
from ad_transform.ir.nodes import Function, node
from ad_transform.read.values.classes import Class, initialised_in
from ad_transform.read.values.structured import Object
from ad_transform.read.values.values import Entity, Number, Value

if TYPE_CHECKING:
    from ad_transform.read.code import Code
    from ad_transform.read.project.module import Module
    from ad_transform.read.values.frames import Frame


@dataclass(frozen=True, slots=True)
class Dotted(Entity):
    """A module or something in it, by its qualified name: "math", "math.sin"."""

    name: str


@node
class FileModule(Entity):
    """A module of the project that is read from its file."""

    module: Module


@dataclass(frozen=True, slots=True)
class FileFunction(Entity):
    """A function at the top of a module, compiled when it is first called."""

    name: str
    module: Module


@node
class External(Entity):
    """A function of the file whose body is not read; `closure` is its signature."""

    closure: Closure
    function: Function


@node
class Closure(Entity):
    """A function of the file, a nested one or a lambda; its defaults are evaluated."""

    code: Code
    around: Frame | None
    defaults: dict[str, Value]


@node
class Partial(Entity):
    """A function with some of its arguments given: `functools.partial`."""

    function: Value
    positional: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...]


@node
class Chosen(Entity):
    """The function `one` where the test holds, else the `other`."""

    test: Number
    one: Value
    other: Value


@node
class Method(Entity):
    """`of.name`, to be called."""

    of: Value
    name: str


@node
class Super(Entity):
    """`super()`: the attributes of the classes `above`, for an object or a class."""

    above: tuple[Class, ...]
    value: Object | Class

    @property
    def initialised(self) -> Class | None:
        """The class whose `__init__` runs; None without one."""
        return initialised_in(self.above)
