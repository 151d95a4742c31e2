"""Fields that a class declares: annotated in its body, or listed in a call."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ad_transform.dataclass import replace
from ad_transform.ir.nodes import Passing
from ad_transform.read.syntax.scopes import dotted
from ad_transform.read.values.classes import Class, Field, Style

if TYPE_CHECKING:
    from ad_transform.read.project.module import Module


class Declared(NamedTuple):
    """The fields of a class, those of its base first; the fields that `__init__` takes;
    and why no object can be made.
    """

    fields: tuple[Field, ...]
    given: tuple[Field, ...]
    fault: str = ""


def declared(made: Class, keywords: bool) -> Declared:
    """The fields that a class declares; all by name where `keywords` are asked for."""
    fields, given = of_bases(made)
    fault, passing = "", Passing.KEYWORD_ONLY if keywords else Passing.ANY
    if (made.bases and made.style is Style.TUPLE) or made.node is None:
        return Declared(tuple(fields.values()), tuple(given.values()))
    for statement in made.node.body:
        if not isinstance(statement, ast.AnnAssign):
            continue
        if not isinstance(statement.target, ast.Name):
            continue
        said = generic(made.module, statement.annotation)
        if said == "ClassVar":
            continue
        if said == "KW_ONLY":
            passing = Passing.KEYWORD_ONLY
            continue
        found = _field(made, statement, statement.target.id, passing)
        fault = fault or found.fault
        name = found.field.name
        if said != "InitVar":
            fields[name] = found.field
        if found.is_taken:
            given[name] = found.field
        else:
            given.pop(name, None)
    return Declared(tuple(fields.values()), tuple(given.values()), fault)


def of_bases(made: Class) -> tuple[dict[str, Field], dict[str, Field]]:
    """The fields of the bases of a class, and those that `__init__` takes; a base
    nearer to the class counts.
    """
    fields: dict[str, Field] = {}
    given: dict[str, Field] = {}
    for base in reversed(made.line[1:]):
        taken = {field.name: field for field in base.given}
        for field in base.fields:
            fields[field.name] = field
            if field.name not in taken:
                given.pop(field.name, None)
        given |= taken
    return fields, given


def generic(module: Module, annotation: ast.expr) -> str:
    """The last part of the name of an annotation: "ClassVar" for `ClassVar[int]`."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return annotation.value.partition("[")[0].rpartition(".")[2].strip()
    inner = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return module.names.qualify(dotted(inner)).rpartition(".")[2]


class _Found(NamedTuple):
    """A field, whether `__init__` takes it, and why that is not known."""

    field: Field
    is_taken: bool = True
    fault: str = ""


def _field(
    made: Class, statement: ast.AnnAssign, name: str, passing: Passing
) -> _Found:
    module, value = made.module, statement.value
    plain = Field(name, statement.annotation, module, None, passing)
    callee = dotted(value.func) if isinstance(value, ast.Call) else ""
    if not callee or module.names.qualify(callee) != "dataclasses.field":
        return _Found(replace(plain, default=statement if value is not None else None))
    assert isinstance(value, ast.Call)
    said = {keyword.arg: keyword.value for keyword in value.keywords}
    for option in ("init", "kw_only", "compare"):
        if option in said and not isinstance(said[option], ast.Constant):
            fault = f"has a field whose `{option}` is no literal"
            return _Found(plain, fault=fault)
    if "kw_only" in said:
        only = getattr(said["kw_only"], "value", False)
        passing = Passing.KEYWORD_ONLY if only else Passing.ANY
    has_default = "default" in said or "default_factory" in said
    own = Field(
        name,
        statement.annotation,
        module,
        statement if has_default else None,
        passing,
        "default_factory" in said,
        apart="compare" in said and not getattr(said["compare"], "value", True),
    )
    return _Found(own, "init" not in said or bool(getattr(said["init"], "value", 1)))


def listed(node: ast.expr) -> Iterator[tuple[str, ast.expr | None]]:
    """The fields that stand in a text or a list, with their annotations."""
    match node:
        case ast.Constant(value=str(text)):
            yield from ((field, None) for field in text.replace(",", " ").split())
        case ast.List(elts=items) | ast.Tuple(elts=items):
            for item in items:
                match item:
                    case ast.Constant(value=str(field)):
                        yield field, None
                    case ast.Tuple(elts=[ast.Constant(value=str(field)), said]):
                        yield field, said
                    case _:
                        yield "", None
