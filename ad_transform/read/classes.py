"""Classes whose objects are values: dataclasses, NamedTuples, TypedDicts; and classes
that only hold constants. They are read from the tree, never made.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from ad_transform.ir.nodes import Passing
from ad_transform.read.elsewhere import Home
from ad_transform.read.names import Bound, Names
from ad_transform.read.scopes import dotted, modules_in

if TYPE_CHECKING:
    from ad_transform.read.module import Module


class Style(Enum):
    """What the objects of a class are."""

    OBJECT = "a dataclass"
    TUPLE = "a NamedTuple"
    DICT = "a TypedDict"
    SPACE = "a class without fields"


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """A field as it is annotated in the module `home`.

    `default` is the statement that gives it one.
    """

    name: str
    annotation: ast.expr | None
    home: Module
    default: ast.stmt | None = None
    passing: Passing = Passing.ANY


@dataclass(frozen=True, slots=True, eq=False)
class Class:
    """A class of a file. `flaw` says why nothing is known of its objects, `barred` why
    none can be made here; `frozen` that none of them changes.
    """

    name: str
    module: Module
    style: Style
    fields: tuple[Field, ...] = ()
    node: ast.ClassDef | None = None
    base: Class | None = None
    flaw: str = ""
    barred: str = ""
    frozen: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its fields."""
        return tuple(field.name for field in self.fields)

    def owner(self, name: str) -> tuple[Class, ast.stmt] | None:
        """The class that binds a name which is no field, and its statement."""
        if self.node is not None:
            found = [s for s in self.node.body if name in _bound(s)]
            if len(found) == 1:
                return self, found[0]
            if found:
                return None
        return self.base.owner(name) if self.base else None


def class_at(module: Module, name: str) -> Class | None:
    """The class that a file binds to a name; None where it binds none."""
    if name not in module.classes:
        module.classes[name] = Class(name, module, Style.SPACE, flaw="is its own base")
        module.classes[name] = _read(module, name)
    return module.classes[name]


def class_of(module: Module, name: str) -> Class | None:
    """The class that a dotted name stands for in an annotation or among the bases."""
    home = module.elsewhere.home(module, name)
    found = module.names.bindings.get(name.partition(".")[0], ())
    if home is None and len(found) == 1 and found[0].typing:
        node = found[0].node
        if isinstance(node, ast.Import | ast.ImportFrom):
            rest = name.partition(".")[2]
            qualified = found[0].qualified + (f".{rest}" if rest else "")
            modules = modules_in(node, name.partition(".")[0])
            home = module.elsewhere.reached(module, qualified, modules)
    if isinstance(home, Home):
        return class_at(home.module, home.dotted) if home.dotted else None
    return None if home is not None else class_at(module, name)


def _read(module: Module, name: str) -> Class | None:
    found = module.names.at_runtime(name)
    if len(found) != 1 or found[0].conditional or module.names.star_behind(name):
        return None
    node = found[0].node
    if found[0].bound is Bound.CLASS and isinstance(node, ast.ClassDef):
        made = _defined(module, node)
        changed = "" if made.flaw else _changed(module, made)
        return replace(made, flaw=made.flaw or changed)
    value = getattr(node, "value", None)
    if found[0].bound is Bound.VALUE and isinstance(value, ast.Call):
        return _called(module, name, value)
    return None


def _changed(module: Module, made: Class) -> str:
    """What the file does to the class besides defining it, or to its objects: one that
    sets `self.G` hides the constant `G` of the class.
    """
    body = made.node.body if made.node is not None else ()
    members = {name for statement in body for name in _bound(statement)}
    members -= set(made.names)
    for node in module.source.nodes:
        match node:
            case ast.Attribute(value=value, attr=attr, ctx=ast.Store() | ast.Del()):
                if attr in members or dotted(value) == made.name:
                    return f"has the attribute {attr!r}, which the file sets"
            case ast.Call(
                func=ast.Name(id="setattr" | "delattr")
                | ast.Attribute(attr="__setattr__" | "__delattr__"),
                args=[first, name, *_],
            ):
                is_text = isinstance(name, ast.Constant)
                may_be = not is_text or getattr(name, "value", "") in members
                if may_be or dotted(first) == made.name:
                    return "has attributes that the file may set"
    return ""


# --- classes by statement -------------------------------------------------------------


_PLAIN_BASES = frozenset(
    {"builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol"}
)
_NAMED = frozenset({"typing.NamedTuple", "typing_extensions.NamedTuple"})
_TYPED = frozenset({"typing.TypedDict", "typing_extensions.TypedDict"})
_DECORATORS = frozenset({"typing.final", "typing_extensions.final"})
_DATACLASS = "dataclasses.dataclass"


def _defined(module: Module, node: ast.ClassDef) -> Class:
    made = Class(node.name, module, Style.SPACE, node=node)
    style, base, flaw = _bases(module, node)
    options: dict[str, bool] = {}
    for decorator in node.decorator_list:
        call = isinstance(decorator, ast.Call)
        callee = decorator.func if isinstance(decorator, ast.Call) else decorator
        qualified = module.names.qualify(dotted(callee))
        if qualified == _DATACLASS:
            style = Style.OBJECT
            options = dict(_options(decorator)) if call else {}
        elif qualified not in _DECORATORS:
            flaw = flaw or f"is decorated with {dotted(callee) or 'something'!r}"
    if any(k.arg != "total" or style is not Style.DICT for k in node.keywords):
        flaw = flaw or "has keywords behind its bases"
    elif node.keywords or any(_may_miss(module, s) for s in node.body):
        flaw = flaw or "has keys that may be missing"
    fields, barred = _fields(made, style, base, options.get("kw_only", False))
    if not options.get("init", True):
        barred = "is made without `__init__`"
    flaw = flaw or _special(node, style)
    barred = barred or _making(node) or (base.barred if base else "")
    return replace(
        made,
        style=style,
        fields=fields,
        base=base,
        flaw=flaw,
        barred=barred,
        frozen=style is Style.TUPLE or options.get("frozen", False),
    )


def has_objects(node: ast.ClassDef, names: Names) -> bool:
    """Whether a class says itself that its objects are values."""
    decorators = (d.func if isinstance(d, ast.Call) else d for d in node.decorator_list)
    if any(names.qualify(dotted(one)) == _DATACLASS for one in decorators):
        return True
    return any(names.qualify(dotted(base)) in _NAMED for base in node.bases)


def _may_miss(module: Module, statement: ast.stmt) -> bool:
    """Whether a statement annotates a key that a TypedDict may be without."""
    if not isinstance(statement, ast.AnnAssign):
        return False
    return _generic(module, statement.annotation) == "NotRequired"


def _bases(module: Module, node: ast.ClassDef) -> tuple[Style, Class | None, str]:
    style, base = Style.SPACE, None
    for tree in node.bases:
        inner = tree.value if isinstance(tree, ast.Subscript) else tree
        qualified = module.names.qualify(dotted(inner))
        called = (
            _called(module, node.name, tree) if isinstance(tree, ast.Call) else None
        )
        if called is not None and not called.flaw and base is None:
            base, style = called, Style.TUPLE
        elif qualified in _NAMED or qualified in _TYPED:
            style = Style.TUPLE if qualified in _NAMED else Style.DICT
        elif qualified not in _PLAIN_BASES:
            found = class_of(module, dotted(inner)) if dotted(inner) else None
            if found is None or found.flaw or base is not None:
                return style, None, f"has the base {dotted(inner) or 'class'!r}"
            base, style = found, found.style
    return style, base, ""


def _options(decorator: ast.expr) -> Iterator[tuple[str, bool]]:
    for keyword in getattr(decorator, "keywords", ()):
        if keyword.arg and isinstance(keyword.value, ast.Constant):
            yield keyword.arg, bool(keyword.value.value)


def _fields(
    made: Class, style: Style, base: Class | None, keywords: bool
) -> tuple[tuple[Field, ...], str]:
    """The fields, those of the base first; why no object can be made."""
    fields = {field.name: field for field in (base.fields if base else ())}
    barred, passing = "", Passing.KEYWORD_ONLY if keywords else Passing.ANY
    inherits = base is not None and style is Style.TUPLE
    if style is Style.SPACE or inherits or made.node is None:
        return tuple(fields.values()), barred
    for statement in made.node.body:
        if not isinstance(statement, ast.AnnAssign):
            continue
        if not isinstance(statement.target, ast.Name):
            continue
        said = _generic(made.module, statement.annotation)
        if said == "ClassVar":
            continue
        if said == "KW_ONLY":
            passing = Passing.KEYWORD_ONLY
            continue
        if said == "InitVar":
            barred = "has an `InitVar`"
            continue
        has_default, own, fault = _default(made.module, statement.value, passing)
        barred = barred or fault
        name = statement.target.id
        default = statement if has_default else None
        fields[name] = Field(name, statement.annotation, made.module, default, own)
    return tuple(fields.values()), barred


def _generic(module: Module, annotation: ast.expr) -> str:
    """The last part of what an annotation is called: "ClassVar" for `ClassVar[int]`."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return annotation.value.partition("[")[0].rpartition(".")[2].strip()
    inner = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return module.names.qualify(dotted(inner)).rpartition(".")[2]


def _default(
    module: Module, value: ast.expr | None, passing: Passing
) -> tuple[bool, Passing, str]:
    """Whether a field has a default, how it is passed, and why it cannot be."""
    is_call = isinstance(value, ast.Call)
    callee = dotted(value.func) if isinstance(value, ast.Call) else ""
    if not is_call or module.names.qualify(callee) != "dataclasses.field":
        return value is not None, passing, ""
    assert isinstance(value, ast.Call)
    said = {keyword.arg: keyword.value for keyword in value.keywords}
    for option in ("init", "kw_only"):
        if option in said and not isinstance(said[option], ast.Constant):
            return False, passing, f"has a field whose `{option}` is no literal"
    if "init" in said and not getattr(said["init"], "value", True):
        return False, passing, "has a field that `__init__` does not take"
    if "kw_only" in said:
        only = getattr(said["kw_only"], "value", False)
        passing = Passing.KEYWORD_ONLY if only else Passing.ANY
    return "default" in said, passing, ""


_HARMLESS = frozenset({"__init__", "__new__", "__post_init__", "__slots__", "__doc__"})
_HARMLESS |= {"__repr__", "__str__", "__hash__", "__format__", "__module__"}
_READING = frozenset({"__getattribute__", "__getattr__", "__setattr__", "__class__"})


def _special(node: ast.ClassDef, style: Style) -> str:
    """A method that gives operators or attributes another meaning."""
    for statement in node.body:
        for name in _bound(statement):
            special = name.startswith("__") and name.endswith("__")
            if name in _READING or (
                special and style is Style.TUPLE and name not in _HARMLESS
            ):
                return f"defines `{name}`"
    return ""


def _making(node: ast.ClassDef) -> str:
    """What runs when an object is made."""
    own = [name for s in node.body for name in _bound(s)]
    for name in ("__init__", "__new__", "__post_init__"):
        if name in own:
            return f"defines `{name}`"
    return ""


def _bound(statement: ast.stmt) -> tuple[str, ...]:
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


# --- classes by call ------------------------------------------------------------------


def _called(module: Module, name: str, call: ast.Call) -> Class | None:
    """`P = namedtuple("P", "x y")`, `P = NamedTuple("P", [("x", float)])`."""
    qualified = module.names.qualify(dotted(call.func))
    made = Class(name, module, Style.TUPLE, frozen=True)
    if qualified not in (*_NAMED, "collections.namedtuple"):
        return None
    if call.keywords or len(call.args) != 2:
        return replace(made, flaw="is made with keywords")
    fields = list(_listed(call.args[1]))
    if not fields or any(not field.isidentifier() for field, _ in fields):
        return replace(made, flaw="has fields that are no literals")
    listed = tuple(Field(field, said, module) for field, said in fields)
    return replace(made, fields=listed)


def _listed(node: ast.expr) -> Iterator[tuple[str, ast.expr | None]]:
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
