"""From `assert` and `raise` to postfix code: the test, the exception, the message."""

from __future__ import annotations

import ast

import libcst as cst

from ad_transform.ir.nodes import Maker
from ad_transform.read.code import Assert, Body, Fail
from ad_transform.read.concrete import Twin
from ad_transform.read.expressions import Expressions
from ad_transform.read.messages import ERRORS, Unreadable, parts_of
from ad_transform.read.notes import Notes
from ad_transform.read.raised import exception_of
from ad_transform.read.scopes import dotted, shown


def asserted(
    compiler: Expressions, node: cst.Assert, tree: ast.Assert, notes: Notes
) -> Body:
    """`assert test, message`."""
    test = compiler.compile(node.test, tree.test)
    said = (node.msg, tree.msg) if node.msg and tree.msg else None
    message = _message(compiler, said)
    return (*test, Assert(*message, compiler.span(tree), notes))


def failed(
    compiler: Expressions, node: cst.Raise, tree: ast.Raise, notes: Notes
) -> Body:
    """`raise ValueError("...")`, of builtin exceptions and classes of them."""
    form, twin = node.exc, tree.exc
    said: Twin | None = None
    if isinstance(form, cst.Call) and isinstance(twin, ast.Call):
        if len(twin.args) == 1 and not twin.keywords and not form.args[0].star:
            said = form.args[0].value, twin.args[0]
        elif form.args:
            message = "an exception with several arguments is not supported"
            help_ = 'give it one message: `raise ValueError("...")`'
            return compiler.complain("AD101", message, tree, help_)
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
        return compiler.complain("AD101", f"{message} is not supported", tree, help_)
    return (Fail(error, *_message(compiler, said), compiler.span(tree), notes),)


def _own_error(compiler: Expressions, tree: ast.expr | None) -> Maker | None:
    """The class of the project that an exception is of."""
    name = dotted(tree) if tree is not None else ""
    if any(name.partition(".")[0] in scope for scope in compiler.scopes):
        return None
    return exception_of(compiler.module, name)


def _message(
    compiler: Expressions, said: Twin | None
) -> tuple[Body, tuple[str | None, ...], tuple[str, ...]]:
    """The code of the values of a message, its texts, and how values are shown."""
    if said is None:
        return (), (), ()
    try:
        parts = list(parts_of(compiler.concrete, compiler.is_builtin, said))
    except Unreadable as found:
        compiler.complain("AD102", found.message, found.tree, found.help)
        return (), (), ()
    values = [part for part in parts if not isinstance(part, str)]
    code = tuple(i for twin, _ in values for i in compiler.compile(*twin))
    texts = tuple(part if isinstance(part, str) else None for part in parts)
    formats = tuple(how for _, how in values)
    if texts == (None,) and formats == ("",) and values[0][0][1] is not said[1]:
        formats = ("!s",)  # a text, and not the number that it shows
    return code, texts, formats
