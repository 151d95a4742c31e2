"""From statements that bind names and places to postfix code: assignments in all their
forms, `del`, `import`.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

import libcst as cst

from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container
from ad_transform.read.array_functions.exchanges import exchanges
from ad_transform.read.code import (
    DELETE,
    Attribute,
    Bind,
    Body,
    Call,
    Change,
    ChangeField,
    ChangeItem,
    Drop,
    Exchange,
    Fetch,
    FetchField,
    Forget,
    Haze,
    Instruction,
    Pack,
    Push,
    Still,
    Store,
    StoreField,
    Target,
)
from ad_transform.read.compiling.expressions import BINARY, CALLED, Expressions
from ad_transform.read.project.module import in_library
from ad_transform.read.syntax.fence import CHANGES
from ad_transform.read.syntax.notes import Notes
from ad_transform.read.syntax.scopes import imported, modules_in, shown
from ad_transform.read.values.callables import Dotted

_IN_PLACE = {
    "BitAnd": "operator.iand", "BitOr": "operator.ior", "BitXor": "operator.ixor",
}  # fmt: skip
_SIGNS = {
    "BitAnd": "&", "BitOr": "|", "BitXor": "^", "RightShift": ">>", "LeftShift": "<<",
}  # fmt: skip


def assigned(
    compiler: Expressions, node: cst.Assign, tree: ast.Assign, notes: Notes
) -> Body:
    """`a = b = value`; a swap of two elements that may be rows is an exchange."""
    forms = [one.target for one in node.targets]
    targets = tuple(map(compiler.target, tree.targets, forms))
    plain = (*valued(compiler, node.value, tree, tree.value), Bind(targets, notes))
    if not exchanges(tree):
        return plain
    own = tuple(target.place for target in targets[0].items)
    return (Exchange(own, plain, compiler.span(tree), notes),)


def valued(
    compiler: Expressions, node: cst.BaseExpression, statement: ast.stmt, tree: ast.expr
) -> Body:
    """The value of a statement; if it is `passive`, no derivative goes through it."""
    return (*compiler.compile(node, tree), *_still(compiler, statement))


def _still(compiler: Expressions, statement: ast.stmt) -> Body:
    if statement.lineno not in compiler.module.passive_lines:
        return ()
    return (Still(compiler.span(statement)),)


def annotated(
    compiler: Expressions, node: cst.AnnAssign, tree: ast.AnnAssign, notes: Notes
) -> Body:
    """`a: float = value`; no code for an annotation without a value."""
    if node.value is None or tree.value is None:
        return ()
    target = compiler.target(tree.target, node.target)
    return (*valued(compiler, node.value, tree, tree.value), Bind((target,), notes))


def augmented(
    compiler: Expressions, node: cst.AugAssign, tree: ast.AugAssign, notes: Notes
) -> Body:
    """`a += value`, of a name, an element or an attribute, which is read once."""
    operator = type(node.operator).__name__.removesuffix("Assign")
    if operator in CHANGES:
        compiler.refuse(CHANGES[operator], tree)
        return (Haze(),)
    form = compiler.concrete.whole(node.target)
    span = compiler.span(tree)
    if operator in CALLED:
        return _called_on(compiler, node, tree, operator, notes)
    if isinstance(form, cst.Subscript) and isinstance(tree.target, ast.Subscript):
        return (
            *compiler.code(compiler.place(form, tree.target)),
            Fetch(span),
            *compiler.compile(node.value, tree.value),
            ChangeItem(TABLE[BINARY[operator]], span),
            *_still(compiler, tree),
            Store(span, notes),
        )
    if isinstance(form, cst.Attribute) and isinstance(tree.target, ast.Attribute):
        name = compiler.attribute_name(tree.target.attr)
        return (
            *compiler.compile(form.value, tree.target.value),
            FetchField(name, span),
            *compiler.compile(node.value, tree.value),
            ChangeField(TABLE[BINARY[operator]], name, span),
            *_still(compiler, tree),
            StoreField(name, span, notes),
        )
    target = compiler.target(tree.target)
    if not isinstance(node.target, cst.Name):
        return (Haze(),)
    if target.field:  # a name that a function inside binds
        return (
            *target.place,
            FetchField(target.field, span),
            *compiler.compile(node.value, tree.value),
            ChangeField(TABLE[BINARY[operator]], target.field, span),
            *_still(compiler, tree),
            StoreField(target.field, span, notes),
        )
    return (
        *compiler.name(node.target, tree.target),
        *compiler.compile(node.value, tree.value),
        Change(TABLE[BINARY[operator]], target.name, span),
        *_still(compiler, tree),
        Bind((target,), notes),
    )


def _called_on(
    compiler: Expressions,
    node: cst.AugAssign,
    tree: ast.AugAssign,
    operator: str,
    notes: Notes,
) -> Body:
    """`n >>= 1`, `n &= m`, of a name."""
    if not isinstance(node.target, cst.Name):
        sign = _SIGNS[operator]
        message = f"`{sign}=` of an element or an attribute is not supported"
        help_ = f"write `x[i] = x[i] {sign} n`"
        return compiler.complain("AD101", message, tree, help_)
    return (
        Push(Dotted(_IN_PLACE.get(operator, CALLED[operator]))),
        *compiler.name(node.target, tree.target),
        *compiler.compile(node.value, tree.value),
        Call(("", ""), compiler.span(tree)),
        *_still(compiler, tree),
        Bind((compiler.target(tree.target),), notes),
    )


def deleted(
    compiler: Expressions, node: cst.Del, tree: ast.Delete, notes: Notes
) -> Body:
    """`del name`; `del x[k]` is a method, and `del x[i:j]` is `x[i:j] = []`."""
    held = compiler.concrete.whole(node.target)
    forms = (
        [element.value for element in held.elements]
        if isinstance(held, cst.Tuple | cst.List)
        else [node.target]
    )
    done: list[Instruction] = []
    for form, target in zip(forms, _targets(tree), strict=True):
        own = compiler.concrete.whole(form)
        if isinstance(target, ast.Name):
            done.append(Forget(target.id))
        elif isinstance(own, cst.Subscript) and isinstance(target, ast.Subscript):
            done += _removed(compiler, own, target, notes)
        else:
            message = f"`del {shown(target)}` is not supported"
            compiler.complain("AD101", message, tree, "leave it out")
            return (Haze(),)
    return tuple(done)


def _removed(
    compiler: Expressions, form: cst.Subscript, tree: ast.Subscript, notes: Notes
) -> Body:
    """The code of `del x[k]`."""
    span = compiler.span(tree)
    if isinstance(tree.slice, ast.Slice):
        empty = Pack(Container.LIST, (), span)
        return (*compiler.code(compiler.place(form, tree)), empty, Store(span, notes))
    value, *index = compiler.place(form, tree)
    take = (*compiler.code((value,)), Attribute(DELETE, span))
    return (*take, *compiler.code(tuple(index)), Call(("",), span), Drop())


def _targets(tree: ast.Delete) -> Sequence[ast.expr]:
    """The targets of a `del` statement."""
    first = tree.targets[0]
    return first.elts if isinstance(first, ast.Tuple | ast.List) else tree.targets


def brought(
    compiler: Expressions,
    node: cst.CSTNode,
    tree: ast.Import | ast.ImportFrom,
    notes: Notes,
) -> Body:
    """`import` inside a function."""
    done: list[Instruction] = []
    for name, qualified in imported(tree):
        span = compiler.span(tree)
        found = compiler.module.brought(qualified, modules_in(tree, name), span)
        value = in_library(qualified) if found is None else found
        done += (Push(value), Bind((Target(span, name),)))
    return tuple(done)
