"""From `assert` and `raise` to postfix code: the test, the exception, the message."""

from __future__ import annotations

import ast

import libcst as cst

from ad_transform.ir.nodes import Maker
from ad_transform.read.code import Assert, Body, Fail, FailAgain
from ad_transform.read.compiling.expressions import Expressions
from ad_transform.read.compiling.messages import ERRORS
from ad_transform.read.compiling.raised import exception_of
from ad_transform.read.compiling.said import shown_values
from ad_transform.read.syntax.concrete import Twin
from ad_transform.read.syntax.notes import Notes
from ad_transform.read.syntax.scopes import dotted, shown


def asserted(
    compiler: Expressions, node: cst.Assert, tree: ast.Assert, notes: Notes
) -> Body:
    """`assert test, message`."""
    test = compiler.compile(node.test, tree.test)
    said = (node.msg, tree.msg) if node.msg and tree.msg else None
    message = shown_values(compiler, said)
    return (*test, Assert(*message, compiler.span(tree), notes))


def failed(
    compiler: Expressions, node: cst.Raise, tree: ast.Raise, notes: Notes
) -> Body:
    """`raise ValueError("...")`, with a builtin exception or a class of the project."""
    form, twin = node.exc, tree.exc
    is_same = isinstance(twin, ast.Name) and twin.id in compiler.handled[-1:]
    if compiler.handled and (twin is None or is_same):
        return (FailAgain(compiler.span(tree), notes),)
    said: Twin | None = None
    if isinstance(form, cst.Call) and isinstance(twin, ast.Call):
        if len(twin.args) == 1 and not twin.keywords and not form.args[0].star:
            said = form.args[0].value, twin.args[0]
        elif form.args:
            message = "an exception with several arguments is not supported"
            help_ = 'give it one message: `raise ValueError("...")`'
            return _refused(compiler, message, tree, help_)
        form, twin = form.func, twin.func
    name = twin.id if isinstance(twin, ast.Name) else ""
    error: str | Maker | None = _own_error(compiler, twin)
    if form is not None and name in ERRORS and compiler.is_builtin(form, name):
        error = name
    if error is None:
        message = f"`raise {shown(twin)}`" if twin is not None else "`raise` alone"
        help_ = (
            'raise a builtin exception, `raise ValueError("...")`, or one of a '
            "class made of it, without an `__init__` of its own"
        )
        return _refused(compiler, f"{message} is not supported", tree, help_)
    return (Fail(error, *shown_values(compiler, said), compiler.span(tree), notes),)


def _refused(compiler: Expressions, message: str, tree: ast.Raise, help_: str) -> Body:
    """Report a `raise`, and the errors in what it says and is raised from."""
    said = [*tree.exc.args] if isinstance(tree.exc, ast.Call) else []
    for part in (*said, tree.cause):
        if part is not None:
            compiler.strangers(part)
    return compiler.complain("AD101", message, tree, help_)


def _own_error(compiler: Expressions, tree: ast.expr | None) -> Maker | None:
    """The class of the project that an exception belongs to; None without one."""
    name = dotted(tree) if tree is not None else ""
    if any(name.partition(".")[0] in scope for scope in compiler.scopes):
        return None
    return exception_of(compiler.module, name)
