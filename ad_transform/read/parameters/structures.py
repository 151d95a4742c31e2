"""Parameters that are known part by part: objects, tuples, dicts with literal keys.

An annotation gives such a parameter a value over its parts: the fields of a class, the
items of `tuple[float, float]`, the keys of a TypedDict.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import LEAF, NOTHING, Container, Literal, Nest
from ad_transform.later import later
from ad_transform.read.marks.annotations import Annotation, read_annotation
from ad_transform.read.project.class_statements import class_of
from ad_transform.read.project.module import Module
from ad_transform.read.syntax.names import Bound
from ad_transform.read.syntax.scopes import dotted, parsed, shown
from ad_transform.read.values.classes import Class, Field, Style
from ad_transform.read.values.regrouping import Kind, regroup
from ad_transform.read.values.structured import Dict, Group, Object, Structured, Unread
from ad_transform.read.values.values import Draft, Member, Value

with later():
    from ad_transform.read.containers import keys
    from ad_transform.read.objects import (
        enumerations,
        given_members,
    )

_DEEPEST = 20
"""Levels of structures inside structures, and of aliases of annotations."""

Part = tuple[str, ast.expr | None, Module]
"""A part: its name, its annotation, and the module in which to read that."""

COMPUTED = ast.Constant(None)
"""In place of the annotation of a field that only methods know."""


@dataclass(frozen=True, slots=True, eq=False)
class Structure:
    """The kind of a structured parameter, and its parts in order."""

    kind: Kind
    parts: tuple[Part, ...]


class Unfit(Exception):
    """An annotation of an object that cannot be taken apart, with a way out."""

    def __init__(self, message: str, help_: str) -> None:
        super().__init__(message)
        self.help = help_


def structure_of(node: ast.expr | None, module: Module) -> Structure | None:
    """The structure that an annotation describes; None if it has no known parts.

    Raises Unfit for objects of classes that are no plain ones.
    """
    for _ in range(_DEEPEST):
        match node:
            case ast.Constant(value=str(text)):
                node = parsed(text)
            case ast.Subscript(value=value, slice=index):
                name = module.names.qualify(dotted(value))
                inner = index.elts if isinstance(index, ast.Tuple) else [index]
                if name in _TUPLES:
                    return _tuple(inner, module)
                if name not in _WRAPPERS or not inner:
                    return _of_class(value, module)  # Generic[...]
                node = inner[0]
            case ast.Name() | ast.Attribute():
                bound = module.names.bindings.get(dotted(node), ())
                found = _of_class(node, module)
                if found is not None or len(bound) != 1:
                    return found
                if bound[0].bound is not Bound.VALUE:
                    return None
                node = getattr(bound[0].node, "value", None)
            case _:
                return None
    return None


_TUPLES = frozenset({"builtins.tuple", "typing.Tuple"})
_WRAPPERS = frozenset(
    f"{module}.{name}"
    for module in ("typing", "typing_extensions")
    for name in ("Annotated", "Final", "Required", "NotRequired", "ReadOnly")
)


def _tuple(items: Sequence[ast.expr], module: Module) -> Structure | None:
    """`tuple[float, float]`; None for a tuple of any length."""
    if any(isinstance(i, ast.Constant) and i.value is ... for i in items):
        return None
    parts = tuple((str(k), item, module) for k, item in enumerate(items, 1))
    return Structure(Container.TUPLE, parts)


def items_of_list(node: ast.expr | None, module: Module) -> ast.expr | None:
    """The annotation of the items of a list, if they are known part by part:
    `list[Point]`.
    """
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        node = parsed(node.value)
    if not isinstance(node, ast.Subscript):
        return None
    if module.names.qualify(dotted(node.value)) not in _LISTS:
        return None
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    of_any_length = len(items) == 1 or (
        len(items) == 2 and isinstance(items[1], ast.Constant) and items[1].value is ...
    )
    is_known = of_any_length and structure_of(items[0], module) is not None
    return items[0] if is_known else None


def unpacked_tuple(
    node: ast.FunctionDef, arg: ast.arg, module: Module
) -> Structure | None:
    """`tuple[float, ...]` with the number of items that a statement of the function
    unpacks, `a, b, c = p`; None for any other parameter.
    """
    annotation = arg.annotation
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        annotation = parsed(annotation.value)
    match annotation:
        case ast.Subscript(
            value=value,
            slice=ast.Tuple(elts=[item, ast.Constant(value=end)]),
        ) if end is ... and module.names.qualify(dotted(value)) in _TUPLES:
            count = _taken(node, arg.arg)
            parts = ((str(k), item, module) for k in range(1, count + 1))
            return Structure(Container.TUPLE, tuple(parts)) if count else None
    return None


def _taken(node: ast.FunctionDef, name: str) -> int:
    """The number of targets of the first such statement, at the level of the function
    and before any other use of the name; else 0.
    """
    for statement in node.body:
        match statement:
            case ast.Assign(
                targets=[ast.Tuple(elts=targets)], value=ast.Name(id=source)
            ) if source == name:
                is_whole = not any(isinstance(t, ast.Starred) for t in targets)
                return len(targets) if is_whole else 0
        if any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(statement)):
            return 0
    return 0


_LISTS = frozenset(
    {"builtins.list", "builtins.tuple"}
    | {f"typing.{name}" for name in ("List", "Sequence", "Tuple")}
    | {"collections.abc.Sequence"}
)


def _of_class(node: ast.expr, module: Module) -> Structure | None:
    name = dotted(node)
    made = class_of(module, name) if name else None
    return None if made is None else structure_of_class(made)


def structure_of_class(made: Class) -> Structure:
    """The structure of the objects of a class; raises Unfit."""
    if made.flaw:
        raise Unfit(f"is an object of {made.name!r}, which {made.flaw}", _PLAIN)
    if made.style is Style.CASES:
        return Structure(made, ())
    if made.style is Style.SPACE:
        raise Unfit(f"is an object of {made.name!r}, which has no fields", _PLAIN)
    parts = tuple(map(_part, made.fields))
    kind: Kind = made
    if made.style is Style.DICT:
        kind = tuple(map(Literal, made.names))
    return Structure(kind, parts)


def _part(field: Field) -> Part:
    said = COMPUTED if field.computed else field.annotation
    return field.name, said, field.home


_PLAIN = "write a dataclass or a NamedTuple with annotated fields"


# --- values ---------------------------------------------------------------------------

Leaf = Callable[[str, Annotation, Span, Module], "Value | None"]
"""The value of a number or array, from its name; None if it is none."""


def value_of(
    structure: Structure,
    name: str,
    leaf: Leaf,
    stated: Mapping[str, Annotation],
    place: str = "",
    depth: int = 0,
) -> Structured | Draft:
    """The value of a parameter over its parts, `p_mu` for the field `mu` of `p`.

    Shapes stated for places in tuples, "p[0]", replace their annotations. A part that
    is no number and no structure is unread. Raises Unfit for structures that nest
    without end.
    """
    place = place or name
    if isinstance(structure.kind, Class) and structure.kind.style is Style.CASES:
        return given_members.given(structure.kind, name, 0, None)
    if depth > _DEEPEST:
        raise Unfit("holds objects without end", _PLAIN)
    items: list[Value] = []
    for k, (part, annotation, module) in enumerate(structure.parts):
        own, here = f"{name}_{part}", f"{place}[{k}]"
        if annotation is COMPUTED and here not in stated:
            items.append(Unread("?", True))
            continue
        inner = structure_of(annotation, module)
        if inner is not None:
            items.append(value_of(inner, own, leaf, stated, here, depth + 1))
            continue
        said = stated.get(here) or read_annotation(annotation, module.names)
        span = module.source.span(annotation) if annotation else Span(0, 0, 0, 0)
        made = leaf(own, said, span, module) if said.type is not None else None
        items.append(made or Unread(shown(annotation) if annotation else "?"))
    made_of = regroup(structure.kind, tuple(items))
    assert isinstance(made_of, Group | Object | Dict)
    return made_of


def nest_of(value: Value) -> Nest:
    """The shape of a parameter with this value; unread fields are left out."""
    match value:
        case Unread():
            return NOTHING
        case Member(cases=Class(mixed="") as of):
            return Nest(names=(enumerations.text_of(of),))
        case Draft(type=type_):
            whole = type_.lengths
            return Nest(Container.ARRAY, (LEAF,)) if whole else LEAF
        case Dict(keys=own, items=items):
            names = tuple(repr(keys.plain(key)) for key in own)
            return Nest(Container.DICT, tuple(map(nest_of, items)), names)
        case Object(of=of, items=items) | Group(of=Class() as of, items=items):
            pairs = zip(of.fields, items, strict=True)
            shown = {f.name: nest_of(item) for f, item in pairs if not f.extra}
            return Nest(Container.OBJECT, tuple(shown.values()), tuple(shown))
        case Group(container=container, items=items):
            return Nest(container, tuple(map(nest_of, items)))
    return LEAF


def leaves_of(value: Value) -> Iterator[Draft]:
    """The numbers and arrays in a value."""
    if isinstance(value, Draft):
        yield value
    elif isinstance(value, Group | Object | Dict):
        for item in value.items:
            yield from leaves_of(item)
