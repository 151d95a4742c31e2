"""From the statements of a function to postfix code."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import libcst as cst

from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Maker
from ad_transform.later import later
from ad_transform.read import exchanges
from ad_transform.read.code import (
    Assert,
    Attribute,
    Bind,
    Body,
    Call,
    Change,
    ChangeField,
    ChangeItem,
    Drop,
    Exchange,
    Fail,
    Fetch,
    FetchField,
    Forget,
    Haze,
    Instruction,
    Leave,
    Pack,
    Push,
    Skip,
    Still,
    Store,
    StoreField,
    Target,
)
from ad_transform.read.concrete import Concrete, Twin
from ad_transform.read.control import COMPOUND
from ad_transform.read.exits import in_order
from ad_transform.read.expressions import BINARY, CALLED, Expressions
from ad_transform.read.fence import (
    CHANGES,
    STATEMENTS,
    UNKNOWN_STATEMENT,
    instead_of_try,
)
from ad_transform.read.messages import ERRORS, Unreadable, parts_of
from ad_transform.read.module import Module, in_library
from ad_transform.read.notes import Notes, comments_of
from ad_transform.read.passed import is_logger, is_setting, says_only
from ad_transform.read.raised import exception_of
from ad_transform.read.scopes import dotted, imported, modules_in, shown
from ad_transform.read.trying import attempted
from ad_transform.read.values import Dotted, Special

with later():
    from ad_transform.read.printed import compiled

_IN_PLACE = {
    "BitAnd": "operator.iand", "BitOr": "operator.ior", "BitXor": "operator.ixor",
}  # fmt: skip
_SIGNS = {
    "BitAnd": "&", "BitOr": "|", "BitXor": "^", "RightShift": ">>", "LeftShift": "<<",
}  # fmt: skip


class Statements(Expressions):
    """Compiles functions of a statement of the module.

    `loggers` are the local names that stand for loggers.
    """

    def __init__(self, module: Module, concrete: Concrete) -> None:
        super().__init__(module, concrete)
        self.loggers: set[str] = set()

    def definition(self, node: cst.FunctionDef, tree: ast.FunctionDef) -> Body:
        """Code that leaves the function on the stack."""

        def body() -> Body:
            return self.suite(node.body, tree.body)

        return self.function_code(tree.name, body, tree, node.params)

    def suite(self, suite: cst.BaseSuite, trees: Sequence[ast.stmt]) -> Body:
        """The code of a block."""
        parts: list[Body] = []
        queue = iter(trees)
        for node in suite.body:
            if isinstance(node, cst.SimpleStatementLine):
                notes = comments_of(node)
                parts += (self._small(small, next(queue), notes) for small in node.body)
            elif isinstance(node, cst.BaseSmallStatement):  # `def f(x): return x`
                parts.append(self._small(node, next(queue), ()))
            else:
                parts.append(self._compound(node, next(queue)))
        return in_order(parts)

    def statement(self, node: cst.CSTNode, tree: ast.stmt) -> Body:
        """The code of one statement, small or not."""
        if isinstance(node, cst.BaseSmallStatement):
            return self._small(node, tree, ())
        return self._compound(node, tree)

    def _small(
        self, node: cst.BaseSmallStatement, tree: ast.stmt, notes: tuple[str, ...]
    ) -> Body:
        handler = _SMALL.get(type(node).__name__)
        if handler is not None:
            return handler(self, node, tree, notes)
        self.refuse(STATEMENTS.get(type(node).__name__, UNKNOWN_STATEMENT), tree)
        return (Haze(),)

    def _compound(self, node: cst.CSTNode, tree: ast.stmt) -> Body:
        """A nested function, or a refusal; what is wrong inside is worth saying too."""
        if isinstance(node, cst.FunctionDef) and isinstance(tree, ast.FunctionDef):
            return self._nested(node, tree)
        if isinstance(node, cst.With) and is_setting(tree, self.reach):
            assert isinstance(tree, ast.With)
            for item in tree.items:
                said = f"with {shown(item.context_expr)}"
                self._pass_over(
                    said, item.context_expr, "its body is read all the same"
                )
            return self.suite(node.body, tree.body)
        handler = COMPOUND.get(type(node))
        if handler is not None:
            return handler(self, node, tree)
        if isinstance(node, cst.Try) and isinstance(tree, ast.Try):
            made = attempted(self, node, tree)
            if made is not None:
                return made
        is_async = isinstance(tree, ast.AsyncFunctionDef)
        name = "AsyncFunctionDef" if is_async else type(node).__name__
        row = STATEMENTS.get(name, UNKNOWN_STATEMENT)
        span = self.span(tree)
        end = len(self.source.lines[span.line - 1].rstrip()) + 1
        head = span._replace(end_line=span.line, end_column=end)
        help_ = instead_of_try(tree) if isinstance(tree, ast.Try) else row.help
        self.module.report.add(row.code, row.message, head, help_)
        self._read_on(node, tree)
        return (Haze(),)

    def _read_on(self, node: cst.CSTNode, tree: ast.stmt) -> None:
        """Report what is wrong inside a statement that is refused."""
        for suite, trees in _suites_in(node, tree):
            self.inner(partial(self.suite, suite, trees), tree)
            for inner in trees:
                self.strangers(inner)
        test = getattr(tree, "test", None) or getattr(tree, "iter", None)
        if test is not None:
            self.strangers(test)

    def _pass_over(
        self, said: str, tree: ast.expr, help_: str = "it computes nothing"
    ) -> None:
        message = f"`{said}` is passed over"
        span = self.span(tree)
        self.module.report.add("AD112", message, span, help_)

    def _nested(self, node: cst.FunctionDef, tree: ast.FunctionDef) -> Body:
        if tree.decorator_list:
            message = "a decorator inside a function is not supported"
            self.complain("AD101", message, tree, "write a plain `def`")
            return (Haze(),)
        target = Target(self.span(tree), tree.name)
        return (*self.definition(node, tree), Bind((target,)))

    # --- small statements -----------------------------------------------------------

    def assign(self, node: cst.Assign, tree: ast.Assign, notes: Notes) -> Body:
        if is_logger(tree.value, self.reach):
            names = [t.id for t in tree.targets if isinstance(t, ast.Name)]
            self.loggers.update(names)
            self._pass_over("logging.getLogger", tree.value)
            return ()
        forms = [one.target for one in node.targets]
        targets = tuple(map(self.target, tree.targets, forms))
        plain = (*self._value(node.value, tree, tree.value), Bind(targets, notes))
        if not exchanges.exchanges(tree):
            return plain
        own = tuple(target.place for target in targets[0].items)
        return (Exchange(own, plain, self.span(tree)),)

    def _value(
        self, node: cst.BaseExpression, statement: ast.stmt, tree: ast.expr
    ) -> Body:
        """The value of a statement, through which a derivative may go or not."""
        return (*self.compile(node, tree), *self._still(statement))

    def _still(self, statement: ast.stmt) -> Body:
        if statement.lineno not in self.module.passive_lines:
            return ()
        return (Still(self.span(statement)),)

    def annotated(self, node: cst.AnnAssign, tree: ast.AnnAssign, notes: Notes) -> Body:
        if node.value is None or tree.value is None:
            return ()
        target = self.target(tree.target, node.target)
        return (*self._value(node.value, tree, tree.value), Bind((target,), notes))

    def augmented(self, node: cst.AugAssign, tree: ast.AugAssign, notes: Notes) -> Body:
        operator = type(node.operator).__name__.removesuffix("Assign")
        if operator in CHANGES:
            self.refuse(CHANGES[operator], tree)
            return (Haze(),)
        form = self.concrete.whole(node.target)
        span = self.span(tree)
        if operator in CALLED:
            return self._called_on(node, tree, operator, notes)
        if isinstance(form, cst.Subscript) and isinstance(tree.target, ast.Subscript):
            return (
                *self.code(self.place(form, tree.target)),
                Fetch(span),
                *self.compile(node.value, tree.value),
                ChangeItem(TABLE[BINARY[operator]], span),
                *self._still(tree),
                Store(span, notes),
            )
        if isinstance(form, cst.Attribute) and isinstance(tree.target, ast.Attribute):
            name = self.attribute_name(tree.target.attr)
            return (
                *self.compile(form.value, tree.target.value),
                FetchField(name, span),
                *self.compile(node.value, tree.value),
                ChangeField(TABLE[BINARY[operator]], name, span),
                *self._still(tree),
                StoreField(name, span, notes),
            )
        target = self.target(tree.target)
        if not isinstance(node.target, cst.Name):
            return (Haze(),)
        return (
            *self.name(node.target, tree.target),
            *self.compile(node.value, tree.value),
            Change(TABLE[BINARY[operator]], target.name, span),
            *self._still(tree),
            Bind((target,), notes),
        )

    def _called_on(
        self, node: cst.AugAssign, tree: ast.AugAssign, operator: str, notes: Notes
    ) -> Body:
        """`n >>= 1`, `n &= m`, of a name."""
        if not isinstance(node.target, cst.Name):
            sign = _SIGNS[operator]
            message = f"`{sign}=` of an element or an attribute is not supported"
            help_ = f"write `x[i] = x[i] {sign} n`"
            return self.complain("AD101", message, tree, help_)
        return (
            Push(Dotted(_IN_PLACE.get(operator, CALLED[operator]))),
            *self.name(node.target, tree.target),
            *self.compile(node.value, tree.value),
            Call(("", ""), self.span(tree)),
            *self._still(tree),
            Bind((self.target(tree.target),), notes),
        )

    def leave(self, node: cst.Return, tree: ast.Return, notes: Notes) -> Body:
        value: Body = (Push(Special.NONE),)
        if node.value is not None and tree.value is not None:
            value = self._value(node.value, tree, tree.value)
        return (*value, Leave(self.span(tree), notes))

    def expression(self, node: cst.Expr, tree: ast.Expr, notes: Notes) -> Body:
        value = self.concrete.whole(node.value)
        if isinstance(value, cst.SimpleString | cst.ConcatenatedString | cst.Ellipsis):
            return ()
        if isinstance(value, cst.Call) and self.is_builtin(value.func, "print"):
            call = tree.value
            assert isinstance(call, ast.Call)
            return (*self._silent(call), *compiled(self, value, call, notes))
        said = says_only(tree.value, self.reach, frozenset(self.loggers))
        if said:
            self._pass_over(said, tree.value)
            return self._silent(tree.value)
        return (*self.compile(value, tree.value), Drop())

    def _silent(self, tree: ast.expr) -> Body:
        for inner in ast.walk(tree):
            if isinstance(inner, ast.NamedExpr):
                help_ = "bind the name in a statement of its own"
                message = (
                    "a walrus in a statement that only says something is not supported"
                )
                self.complain("AD102", message, inner, help_)
                return (Haze(),)
        return ()

    def check(self, node: cst.Assert, tree: ast.Assert, notes: Notes) -> Body:
        test = self.compile(node.test, tree.test)
        said = (node.msg, tree.msg) if node.msg and tree.msg else None
        message = self._message(said)
        return (*test, Assert(*message, self.span(tree), notes))

    def fail(self, node: cst.Raise, tree: ast.Raise, notes: Notes) -> Body:
        """`raise ValueError("...")`, of builtin exceptions and classes of them."""
        form, twin = node.exc, tree.exc
        said: Twin | None = None
        if isinstance(form, cst.Call) and isinstance(twin, ast.Call):
            if len(twin.args) == 1 and not twin.keywords and not form.args[0].star:
                said = form.args[0].value, twin.args[0]
            elif form.args:
                message = "an exception with several arguments is not supported"
                help_ = 'give it one message: `raise ValueError("...")`'
                return self.complain("AD101", message, tree, help_)
            form, twin = form.func, twin.func
        name = twin.id if isinstance(twin, ast.Name) else ""
        error: str | Maker | None = self._own_error(twin)
        if form is not None and name in ERRORS and self.is_builtin(form, name):
            error = name
        if error is None:
            message = f"`raise {shown(twin)}`" if twin is not None else "`raise` alone"
            help_ = (
                'raise a builtin exception, `raise ValueError("...")`, or one of a '
                "class made of it, without an `__init__` of its own"
            )
            return self.complain("AD101", f"{message} is not supported", tree, help_)
        return (Fail(error, *self._message(said), self.span(tree), notes),)

    def _own_error(self, tree: ast.expr | None) -> Maker | None:
        """The class of the project that an exception is of."""
        name = dotted(tree) if tree is not None else ""
        if any(name.partition(".")[0] in scope for scope in self.scopes):
            return None
        return exception_of(self.module, name)

    def _message(
        self, said: Twin | None
    ) -> tuple[Body, tuple[str | None, ...], tuple[str, ...]]:
        """The code of the values of a message, its texts, and how values are shown."""
        if said is None:
            return (), (), ()
        try:
            parts = list(parts_of(self.concrete, self.is_builtin, said))
        except Unreadable as found:
            self.complain("AD102", found.message, found.tree, found.help)
            return (), (), ()
        values = [part for part in parts if not isinstance(part, str)]
        code = tuple(i for twin, _ in values for i in self.compile(*twin))
        texts = tuple(part if isinstance(part, str) else None for part in parts)
        formats = tuple(how for _, how in values)
        if texts == (None,) and formats == ("",) and values[0][0][1] is not said[1]:
            formats = ("!s",)  # a text, and not the number that it shows
        return code, texts, formats

    def skip(
        self,
        node: cst.Break | cst.Continue,
        tree: ast.Break | ast.Continue,
        notes: Notes,
    ) -> Body:
        return (Skip(isinstance(tree, ast.Break), self.span(tree)),)

    def forget(self, node: cst.Del, tree: ast.Delete, notes: Notes) -> Body:
        """`del name`; `del x[k]` is `x.pop(k)`, and `del x[i:j]` is `x[i:j] = []`."""
        held = self.concrete.whole(node.target)
        forms = (
            [element.value for element in held.elements]
            if isinstance(held, cst.Tuple | cst.List)
            else [node.target]
        )
        done: list[Instruction] = []
        for form, target in zip(forms, _deleted(tree), strict=True):
            own = self.concrete.whole(form)
            if isinstance(target, ast.Name):
                done.append(Forget(target.id))
            elif isinstance(own, cst.Subscript) and isinstance(target, ast.Subscript):
                done += self._removed(own, target, notes)
            else:
                message = f"`del {shown(target)}` is not supported"
                self.complain("AD101", message, tree, "leave it out")
                return (Haze(),)
        return tuple(done)

    def _removed(self, form: cst.Subscript, tree: ast.Subscript, notes: Notes) -> Body:
        """What `del x[k]` does."""
        span = self.span(tree)
        if isinstance(tree.slice, ast.Slice):
            empty = Pack(Container.LIST, (), span)
            return (*self.code(self.place(form, tree)), empty, Store(span, notes))
        value, *index = self.place(form, tree)
        pop = (*self.code((value,)), Attribute("pop", span))
        return (*pop, *self.code(tuple(index)), Call(("",), span), Drop())

    def nothing(self, node: cst.Pass, tree: ast.Pass, notes: Notes) -> Body:
        return ()

    def bring(
        self, node: cst.CSTNode, tree: ast.Import | ast.ImportFrom, notes: Notes
    ) -> Body:
        done: list[Instruction] = []
        for name, qualified in imported(tree):
            span = self.span(tree)
            found = self.module.brought(qualified, modules_in(tree, name), span)
            value = in_library(qualified) if found is None else found
            done += (Push(value), Bind((Target(span, name),)))
        return tuple(done)


_SMALL: dict[str, Callable[[Statements, Any, Any, Notes], Body]] = {
    "Assign": Statements.assign,
    "AnnAssign": Statements.annotated,
    "AugAssign": Statements.augmented,
    "Return": Statements.leave,
    "Expr": Statements.expression,
    "Assert": Statements.check,
    "Raise": Statements.fail,
    "Break": Statements.skip,
    "Continue": Statements.skip,
    "Pass": Statements.nothing,
    "Del": Statements.forget,
    "Import": Statements.bring,
    "ImportFrom": Statements.bring,
}


def _deleted(tree: ast.Delete) -> Sequence[ast.expr]:
    """What a `del` statement takes away."""
    first = tree.targets[0]
    return first.elts if isinstance(first, ast.Tuple | ast.List) else tree.targets


# --- parts of nodes -----------------------------------------------------------------


def _suites_in(
    node: cst.CSTNode, tree: ast.AST
) -> Iterator[tuple[cst.BaseSuite, Sequence[ast.stmt]]]:
    """The blocks of a refused statement in both forms, `elif` and `except` too."""
    pairs: list[tuple[Any, Any]] = [(node, tree)]
    while pairs:
        form, twin = pairs.pop()
        if isinstance(form, cst.BaseSuite):
            yield form, twin
        if not isinstance(form, _WITH_BLOCKS):
            continue
        pairs.append((form.body, twin.body))
        for field in ("orelse", "finalbody"):
            below = getattr(form, field, None)
            if isinstance(below, cst.If):  # `elif`
                pairs.append((below, twin.orelse[0]))
            elif below is not None:
                pairs.append((below.body, getattr(twin, field)))
        if isinstance(form, cst.Try | cst.TryStar):
            pairs += zip(form.handlers, twin.handlers, strict=True)


_WITH_BLOCKS = (
    cst.If,
    cst.For,
    cst.While,
    cst.With,
    cst.Try,
    cst.TryStar,
    cst.ExceptHandler,
    cst.ExceptStarHandler,
)
