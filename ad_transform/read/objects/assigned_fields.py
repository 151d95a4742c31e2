"""Fields that the methods of a class assign: `self.x = ...` makes one.

Those of `__init__` come first, in the order of the text. The type of a field stands in
an annotation of the class or of the assignment, or is that of a parameter of `__init__`
or of a literal; any other field is computed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ad_transform.read.syntax.scopes import dotted, parameters_of
from ad_transform.read.values.classes import Class, Field, bound, owner_in, private

SETTER = "builtins.object.__setattr__"
"""The function that assigns a field of a frozen object."""


def assigned_fields(made: Class) -> Iterator[Field]:
    """The fields that methods assign, and nothing else declares."""
    known = set(made.names)
    for method in methods_of(made):
        for name, found in _assigned(made, method):
            if name in known or _is_method(made, name):
                continue
            known.add(name)
            statement = _at_top(made, name)
            value = getattr(statement, "value", None)
            said = getattr(statement, "annotation", None) or found
            said = said or (_literal(value) if value is not None else None)
            yield Field(
                name,
                said,
                made.module,
                statement if value is not None else None,
                computed=said is None,
                extra=made.generated,
            )


def methods_of(made: Class) -> list[ast.FunctionDef]:
    """The methods of an object that a class defines itself, `__init__` first."""
    body = made.node.body if made.node is not None else ()
    found = [s for s in body if isinstance(s, ast.FunctionDef) and receiver(made, s)]
    return sorted(found, key=lambda method: method.name != "__init__")


def receiver(made: Class, method: ast.FunctionDef) -> str:
    """The name of the object in a method; "" where the method is given none."""
    said = {made.module.names.qualify(dotted(d)) for d in method.decorator_list}
    if said & {"builtins.staticmethod", "builtins.classmethod"}:
        return ""
    first = [*method.args.posonlyargs, *method.args.args][:1]
    return first[0].arg if first else ""


def assigned_by_methods(tree: ast.Module) -> Iterator[tuple[ast.AST, ast.ClassDef]]:
    """The attributes of their object that methods of the classes of a file assign."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    for node in classes:
        for method in node.body:
            if not isinstance(method, ast.FunctionDef):
                continue
            first = [*method.args.posonlyargs, *method.args.args][:1]
            for inner in ast.walk(method) if first else ():
                match inner:
                    case ast.Attribute(value=ast.Name(id=name), ctx=ast.Store()) if (
                        name == first[0].arg
                    ):
                        yield inner, node


def is_direct(made: Class) -> bool:
    """Whether the `__init__` of a class only puts each parameter into the field of the
    same name: then its fields make an object.
    """
    init = made.initialiser
    if init is None or init.args.vararg or init.args.kwarg:
        return False
    own, *rest = [one.arg for one in parameters_of(init.args)]
    wanted = {f"{own}.{name}": name for name in rest}
    for statement in _without_text(init.body):
        target = _target(statement)
        value = getattr(statement, "value", None)
        name = wanted.pop(dotted(target), "") if target is not None else ""
        if not name or not isinstance(value, ast.Name) or value.id != name:
            return False
    return not wanted and set(rest) == set(made.names)


def _without_text(body: list[ast.stmt]) -> list[ast.stmt]:
    match body:
        case [ast.Expr(value=ast.Constant()), *rest]:
            return rest
    return body


def _target(statement: ast.stmt) -> ast.expr | None:
    """The only target of an assignment; None of any other statement."""
    match statement:
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
            return target
    return None


def _assigned(
    made: Class, method: ast.FunctionDef
) -> Iterator[tuple[str, ast.expr | None]]:
    """The attributes of its object that a method assigns, each with its annotation if
    there is one; in the order of the text.
    """
    own = receiver(made, method)
    told = dict(_told(method, own))
    found: list[tuple[int, int, str, ast.expr | None]] = []
    for node in ast.walk(method):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attr, ctx=ast.Store()) if (
                name == own
            ):
                place = node.end_lineno or 0, node.end_col_offset or 0
                found.append((*place, attr, told.get(node)))
            case ast.Call(
                func=func,
                args=[ast.Name(id=name), ast.Constant(value=str(attr)), _],
            ) if name == own and made.module.names.qualify(dotted(func)) == SETTER:
                found.append((node.lineno, node.col_offset, attr, None))
    for _, _, attr, said in sorted(found, key=lambda one: one[:2]):
        yield private(made.name, attr), said


def _told(
    method: ast.FunctionDef, own: str
) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """The targets of assignments with their annotations, or those of assigned
    parameters.
    """
    takes = dict(_parameters(method)) if method.name == "__init__" else {}
    takes.pop(own, None)
    for node in ast.walk(method):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            takes.pop(node.id, None)  # it is something else by then
    for node in ast.walk(method):
        match node:
            case ast.AnnAssign(target=target, annotation=annotation):
                yield target, annotation
            case ast.Assign(targets=targets, value=value):
                for one in targets:
                    yield from _paired(one, value, takes)


def _paired(
    target: ast.expr, value: ast.expr, takes: Mapping[str, ast.expr | None]
) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    match target, value:
        case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(
            values
        ):
            for one, other in zip(targets, values, strict=True):
                yield from _paired(one, other, takes)
        case _, ast.Name(id=name) if name in takes:
            yield target, takes[name]
        case _:
            yield target, _literal(value)


def _parameters(method: ast.FunctionDef) -> Iterator[tuple[str, ast.expr | None]]:
    """The parameters with their annotations; one without has the type of its default,
    or is a float.
    """
    arguments = method.args
    placed = [*arguments.posonlyargs, *arguments.args]
    count = len(placed) - len(arguments.defaults)
    defaults = [None] * count + list(arguments.defaults)
    pairs: list[tuple[ast.arg, ast.expr | None]]
    pairs = [*zip(placed, defaults, strict=True)]
    pairs += zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    for one, default in pairs:
        said = _literal(default) if default is not None else None
        yield one.arg, one.annotation or said or _named("float", one)


def _literal(value: ast.expr) -> ast.expr | None:
    """The type of a literal, as an annotation."""
    match value:
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            return _literal(operand)
        case ast.Constant(value=bool() | int() | float() | str() as found):
            return _named(type(found).__name__, value)
    return None


def _named(word: str, at: ast.expr | ast.arg) -> ast.expr:
    return ast.copy_location(ast.Name(word, ast.Load()), at)


def _is_method(made: Class, name: str) -> bool:
    """Whether a name is bound to a function: a property with a setter."""
    body = made.node.body if made.node is not None else ()
    if any(name in bound(s) and isinstance(s, ast.FunctionDef) for s in body):
        return True
    found = owner_in(made.line[1:], name)
    return found is not None and isinstance(found[1], ast.FunctionDef)


def _at_top(made: Class, name: str) -> ast.Assign | ast.AnnAssign | None:
    """The statement of the class that annotates an attribute, or gives it a value."""
    found = made.owner(name)
    statement = found[1] if found is not None else None
    return statement if isinstance(statement, ast.Assign | ast.AnnAssign) else None
