"""Classes that the output imports, for results and for defaults that are objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ad_transform.ir.nodes import Container, Literal, Maker
from ad_transform.later import later
from ad_transform.read.project.whereabouts import packages_around
from ad_transform.read.values.classes import Class
from ad_transform.read.values.structured import Group, Object
from ad_transform.read.values.values import Special, Value

with later():
    from ad_transform.read.constants.spelling import value_text


def maker_of(of: Class) -> Maker:
    """The file and the packages from which the output imports a class."""
    module = of.module
    packages = packages_around(module.elsewhere.whereabouts, module.path)
    return Maker(of.name, module.source.path, packages)


def class_of_object(value: Value) -> Class | None:
    """The class of an object; None for any other value."""
    of = value.of if isinstance(value, Object | Group) else None
    return of if isinstance(of, Class) else None


Members = Mapping[Literal, tuple[Class, str]]
"""Members of Enums by their texts."""


def text_of_object(value: Value, members: Members) -> str | None:
    """An object or a member as an expression that makes it; None where a part is no
    constant.
    """
    of = class_of_object(value)
    if isinstance(value, Literal) and value in members:
        cases, own = members[value]
        return f"{cases.name}.{own}"
    if isinstance(value, Literal):
        return value_text(value.value)
    if value is Special.NONE:
        return "None"
    if not isinstance(value, Object | Group):
        return None
    texts = [text_of_object(item, members) for item in value.items]
    known = [text for text in texts if text is not None]
    if len(known) < len(texts):
        return None
    if isinstance(value, Object) or of is not None:
        assert of is not None
        pairs = zip(of.names, known, strict=True)
        return f"{of.name}({', '.join(f'{name}={text}' for name, text in pairs)})"
    if value.container is not Container.TUPLE:  # a list would be shared by all calls
        return None
    return f"({', '.join(known)}{',' if len(known) == 1 else ''})"


def makers_of(value: Value, members: Members) -> Iterator[Maker]:
    """The classes of an object and of those that it holds."""
    of = class_of_object(value)
    if isinstance(value, Literal) and value in members:
        of = members[value][0]
    if of is not None:
        yield maker_of(of)
    if isinstance(value, Object | Group):
        for item in value.items:
            yield from makers_of(item, members)
