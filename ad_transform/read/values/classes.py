"""Classes whose objects are values: ordinary ones, dataclasses, NamedTuples and
TypedDicts; and classes that only hold constants. They are read, never made.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING, TypeGuard

from ad_transform.dataclass import dataclass
from ad_transform.ir.nodes import Passing
from ad_transform.read.values.values import Entity

if TYPE_CHECKING:
    from ad_transform.read.project.module import Module


class Style(Enum):
    """The kinds of objects that a class has."""

    OBJECT = "a dataclass"
    TUPLE = "a NamedTuple"
    DICT = "a TypedDict"
    SPACE = "a class without fields"
    CASES = "an Enum"


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """A field of a class, as it is annotated in the module `home`.

    `default` is the statement that gives its default, or, with `anew`, makes one for
    each object. The value of a `computed` field is known to methods only. An `extra`
    field is assigned without being declared in the dataclass. `==` does not compare a
    field that is `apart`.
    """

    name: str
    annotation: ast.expr | None
    home: Module
    default: ast.stmt | None = None
    passing: Passing = Passing.ANY
    anew: bool = False
    computed: bool = False
    extra: bool = False
    apart: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Class(Entity):
    """A class of a file.

    `flaw` is the reason why nothing is known of its objects, `barred` the reason why
    none can be made here. `own` names the part of making an object that is not in the
    values of its fields. Objects of a `frozen` class never change. A `generated`
    `__init__` takes the fields `given`. A generated `__eq__` compares the fields
    `equated`; with `in_order` these also order the objects. `mixed` is the type that
    members of an Enum are at the same time. `entries` are the keys of dicts that are
    objects.
    """

    name: str
    module: Module
    style: Style
    fields: tuple[Field, ...] = ()
    node: ast.ClassDef | None = None
    bases: tuple[Class, ...] = ()
    flaw: str = ""
    barred: str = ""
    own: str = ""
    frozen: bool = False
    given: tuple[Field, ...] = ()
    generated: bool = False
    mixed: str = ""
    equated: tuple[str, ...] | None = None
    in_order: bool = False
    entries: tuple[object, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its fields."""
        return tuple(field.name for field in self.fields)

    @property
    def placed(self) -> tuple[str, ...]:
        """The fields that a pattern `case C(x, y)` reads by position."""
        if self.owner("__match_args__") is not None:
            return ()
        if self.style is Style.TUPLE:
            return self.names
        apart = Passing.KEYWORD_ONLY
        return tuple(field.name for field in self.given if field.passing is not apart)

    @property
    def line(self) -> tuple[Class, ...]:
        """The class and its base classes, in the order in which Python looks up
        attributes.
        """
        return (self, *(merged(self.bases) or ()))

    def owner(self, name: str) -> tuple[Class, ast.stmt] | None:
        """The class that binds a name which is no field, and its statement."""
        return owner_in(self.line, name)

    def setter(self, name: str) -> tuple[Class, ast.FunctionDef] | None:
        """The class that defines the setter of a property, and the function."""
        found = self.owner(name)
        if found is None or found[0].node is None:
            return None
        inner = [s for s in found[0].node.body if is_setter(s, name)]
        return (found[0], inner[0]) if len(inner) == 1 else None

    @property
    def compared(self) -> tuple[str, ...] | None:
        """The fields that `==` compares; None where no class generates that."""
        for one in self.line:
            if one.node is not None and owner_in((one,), "__eq__") is not None:
                return None
            if one.equated is not None:
                return one.equated
        return None

    @property
    def initialised(self) -> Class | None:
        """The class whose `__init__` makes an object; None without one."""
        return initialised_in(self.line)

    @property
    def initialiser(self) -> ast.FunctionDef | None:
        """The `__init__` that the class itself defines."""
        found = self.owner("__init__")
        if found is None or found[0] is not self:
            return None
        return found[1] if isinstance(found[1], ast.FunctionDef) else None


def merged(bases: tuple[Class, ...]) -> tuple[Class, ...] | None:
    """The base classes of a class, direct and indirect, in Python's order (C3: Barrett
    et al. 1996); None if there is no such order.
    """
    rows = [list(base.line) for base in bases] + [list(bases)]
    found: list[Class] = []
    while rows := [row for row in rows if row]:
        behind = [one for row in rows for one in row[1:]]
        first = next((row[0] for row in rows if row[0] not in behind), None)
        if first is None:
            return None
        found.append(first)
        rows = [row[1:] if row[0] is first else row for row in rows]
    return tuple(found)


def owner_in(line: Iterable[Class], name: str) -> tuple[Class, ast.stmt] | None:
    """The first of some classes that binds a name, and its statement."""
    for of in line:
        body = of.node.body if of.node is not None else ()
        found = _of_property([s for s in body if name in bound(s)], name)
        if found:
            return (of, found[0]) if len(found) == 1 else None
    return None


def initialised_in(line: Iterable[Class]) -> Class | None:
    """The first of some classes that has an `__init__`, its own or a generated one."""
    found = (c for c in line if c.generated or c.initialiser is not None)
    return next(found, None)


def bound(statement: ast.stmt) -> tuple[str, ...]:
    """The names that a statement of a class body binds."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return (name,)
        case ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
            return (name,)
        case ast.Pass() | ast.Expr():
            return ()
    nodes = ast.walk(statement)
    return tuple(
        node.id
        for node in nodes
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    )


def private(owner: str, name: str) -> str:
    """The name of an attribute after Python's mangling: `self.__x` becomes `_C__x`."""
    is_private = name.startswith("__") and not name.endswith("__")
    return f"_{owner.lstrip('_')}{name}" if owner and is_private else name


def _of_property(found: list[ast.stmt], name: str) -> list[ast.stmt]:
    """The statements that bind a name, without setters of a property of that name."""
    if len(found) < 2:
        return found
    return [s for s in found if not is_setter(s, name)]


def is_setter(statement: ast.stmt, name: str) -> TypeGuard[ast.FunctionDef]:
    """Whether a statement defines the setter of the property `name`."""
    if not isinstance(statement, ast.FunctionDef) or statement.name != name:
        return False
    match statement.decorator_list:
        case [ast.Attribute(value=ast.Name(id=of), attr="setter")]:
            return of == name
    return False
