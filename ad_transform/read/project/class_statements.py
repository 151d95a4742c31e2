"""Classes as their files define them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ad_transform.dataclass import replace
from ad_transform.later import later
from ad_transform.read.project.elsewhere import Home
from ad_transform.read.syntax.names import Bound, Names
from ad_transform.read.syntax.scopes import dotted, modules_in
from ad_transform.read.values.classes import Class, Field, Style, bound, merged

with later():
    from ad_transform.read.objects import enumerations
    from ad_transform.read.objects.assigned_fields import assigned_fields, is_direct
    from ad_transform.read.objects.class_fields import (
        declared,
        generic,
        listed,
        of_bases,
    )

if TYPE_CHECKING:
    from ad_transform.read.project.module import Module


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
    """The flaw of a class that the file changes after its definition, or by its
    objects: an assignment of `self.G` hides the constant `G` of the class.
    """
    body = made.node.body if made.node is not None else ()
    members = {name for statement in body for name in bound(statement)}
    members -= {*made.names, *(n for n in members if made.setter(n) is not None)}
    for node in module.source.nodes:
        match node:
            case ast.Attribute(value=value, attr=attr, ctx=ast.Store() | ast.Del()):
                if module.assigning.get(node, made.node) is not made.node:
                    continue
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
    cases = _enumeration(module, node)
    if cases is not None:
        return cases
    style, bases, flaw = _bases(module, node)
    options: dict[str, bool] | None = None
    for decorator in node.decorator_list:
        callee = decorator.func if isinstance(decorator, ast.Call) else decorator
        qualified = module.names.qualify(dotted(callee))
        if qualified == _DATACLASS:
            style, options = Style.OBJECT, dict(_options(decorator))
        elif qualified not in _DECORATORS:
            flaw = flaw or f"is decorated with {dotted(callee) or 'something'!r}"
    if any(k.arg != "total" or style is not Style.DICT for k in node.keywords):
        flaw = flaw or "has keywords behind its bases"
    elif node.keywords or any(_may_miss(module, s) for s in node.body):
        flaw = flaw or "has keys that may be missing"
    made = Class(
        node.name,
        module,
        style,
        node=node,
        bases=bases,
        flaw=flaw or _special(node, style),
        barred=_barred(node) or next((b.barred for b in bases if b.barred), ""),
    )
    if options is not None or style in (Style.TUPLE, Style.DICT):
        made = _with_declared(made, options or {})
    elif bases:
        fields, given = (tuple(found.values()) for found in of_bases(made))
        given = given if made.initialiser is None else ()
        is_frozen = any(base.frozen for base in bases)
        made = replace(made, fields=fields, given=given, frozen=is_frozen)
    return _with_assigned(made)


def _with_declared(made: Class, options: Mapping[str, bool]) -> Class:
    """A class with the fields that it declares."""
    found = declared(made, options.get("kw_only", False))
    generated = made.style is not Style.OBJECT or options.get("init", True)
    is_equated = made.style is Style.OBJECT and options.get("eq", True)
    equated = tuple(field.name for field in found.fields if not field.apart)
    return replace(
        made,
        fields=found.fields,
        equated=equated if is_equated else None,
        in_order=options.get("order", False),
        given=found.given,
        barred=made.barred or found.fault,
        frozen=made.style is Style.TUPLE or options.get("frozen", False),
        generated=generated and made.initialiser is None,
    )


def _with_assigned(made: Class) -> Class:
    """A class with the fields that its methods assign: its objects are values."""
    if made.style in (Style.TUPLE, Style.DICT):
        return made
    more = tuple(assigned_fields(made))
    style = made.style
    if more or made.initialiser is not None:
        style = Style.OBJECT
    whole = replace(made, style=style, fields=(*made.fields, *more))
    return replace(whole, own=_own(whole))


def _own(made: Class) -> str:
    """The part of making an object that its field values do not tell; or nothing."""
    home = made.initialised
    if home is None:
        return "is given its fields by methods" if made.fields else ""
    if not home.generated:
        return (
            "" if is_direct(home) and home is made else "makes its fields in `__init__`"
        )
    if made.owner("__post_init__") is not None:
        return "defines `__post_init__`"
    if [field.name for field in home.given] != list(made.names):
        return "has fields that `__init__` does not take"
    return ""


def has_objects(node: ast.ClassDef, names: Names) -> bool:
    """Whether the statement of a class shows by itself that its objects are values."""
    decorators = (d.func if isinstance(d, ast.Call) else d for d in node.decorator_list)
    if any(names.qualify(dotted(one)) == _DATACLASS for one in decorators):
        return True
    if any("__init__" in bound(statement) for statement in node.body):
        return True
    return any(names.qualify(dotted(base)) not in _PLAIN_BASES for base in node.bases)


def _may_miss(module: Module, statement: ast.stmt) -> bool:
    """Whether a statement annotates a key that a TypedDict may be without."""
    if not isinstance(statement, ast.AnnAssign):
        return False
    return generic(module, statement.annotation) == "NotRequired"


def _enumeration(module: Module, node: ast.ClassDef) -> Class | None:
    """A class of members, `class Mode(Enum)`; None for any other."""
    bases = [module.names.qualify(dotted(base)) for base in node.bases]
    if not bases or bases[-1] not in enumerations.KINDS:
        return None
    mixed = enumerations.KINDS[bases[-1]] or bases[0]
    made = Class(node.name, module, Style.CASES, node=node)
    if mixed != bases[-1]:
        made = replace(made, mixed=mixed)
    others = {module.names.qualify(dotted(d)) for d in node.decorator_list}
    if not set(bases[:-1]) <= enumerations.MIXED or len(bases) > 2:
        return replace(made, flaw="is an Enum with other bases")
    if node.keywords or others - {"enum.unique"}:
        return replace(made, flaw="is an Enum with decorators or keywords")
    return replace(made, flaw=enumerations.flaw(made))


def _bases(module: Module, node: ast.ClassDef) -> tuple[Style, tuple[Class, ...], str]:
    style, bases = Style.SPACE, list[Class]()
    for tree in node.bases:
        inner = tree.value if isinstance(tree, ast.Subscript) else tree
        qualified = module.names.qualify(dotted(inner))
        called = (
            _called(module, node.name, tree) if isinstance(tree, ast.Call) else None
        )
        if called is not None and not called.flaw and style is Style.SPACE:
            bases, style = [*bases, called], Style.TUPLE
        elif qualified in _NAMED or qualified in _TYPED:
            style = Style.TUPLE if qualified in _NAMED else Style.DICT
        elif qualified not in _PLAIN_BASES:
            found = class_of(module, dotted(inner)) if dotted(inner) else None
            if found is None or found.flaw:
                return style, (), f"has the base {dotted(inner) or 'class'!r}"
            bases.append(found)
            if (
                style not in (Style.SPACE, found.style)
                and found.style is not Style.SPACE
            ):
                return style, (), "has bases of several kinds"
            style = found.style if style is Style.SPACE else style
    if (
        sum(base.style is Style.TUPLE for base in bases) > 1
        or merged(tuple(bases)) is None
    ):
        return style, (), "has bases that do not go together"
    return style, tuple(bases), ""


def _options(decorator: ast.expr) -> Iterator[tuple[str, bool]]:
    for keyword in getattr(decorator, "keywords", ()):
        if keyword.arg and isinstance(keyword.value, ast.Constant):
            yield keyword.arg, bool(keyword.value.value)


_HARMLESS = frozenset({"__init__", "__new__", "__post_init__", "__slots__", "__doc__"})
_HARMLESS |= {"__repr__", "__str__", "__hash__", "__format__", "__module__"}
ARITHMETIC = frozenset(
    f"__{side}{name}__"
    for name in ("add", "sub", "mul", "truediv", "mod", "floordiv", "pow")
    for side in ("", "r")
)
ARITHMETIC |= {"__neg__", "__pos__", "__abs__", "__matmul__"}
"""Operators that objects of any class may have."""

_READING = frozenset({"__getattribute__", "__getattr__", "__setattr__", "__class__"})


def _special(node: ast.ClassDef, style: Style) -> str:
    """The flaw of a method that gives operators or attributes another meaning."""
    for statement in node.body:
        for name in bound(statement):
            special = name.startswith("__") and name.endswith("__")
            if name in _READING or (
                special and style is Style.TUPLE and name not in _HARMLESS | ARITHMETIC
            ):
                return f"defines `{name}`"
    return ""


def _barred(node: ast.ClassDef) -> str:
    """The reason why no object of a class can be made here; or nothing."""
    own = [name for statement in node.body for name in bound(statement)]
    if "__new__" in own:
        return "defines `__new__`"
    inits = [s for s in node.body if "__init__" in bound(s)]
    if any(not isinstance(s, ast.FunctionDef) for s in inits) or len(inits) > 1:
        return "defines `__init__` by no plain `def`"
    return ""


# --- classes by call ------------------------------------------------------------------


def _called(module: Module, name: str, call: ast.Call) -> Class | None:
    """`P = namedtuple("P", "x y")`, `P = NamedTuple("P", [("x", float)])`."""
    qualified = module.names.qualify(dotted(call.func))
    made = Class(name, module, Style.TUPLE, frozen=True)
    if qualified not in (*_NAMED, "collections.namedtuple"):
        return None
    if call.keywords or len(call.args) != 2:
        return replace(made, flaw="is made with keywords")
    fields = list(listed(call.args[1]))
    if not fields or any(not field.isidentifier() for field, _ in fields):
        return replace(made, flaw="has fields that are no literals")
    found = tuple(Field(field, said, module) for field, said in fields)
    return replace(made, fields=found, given=found, generated=True)
