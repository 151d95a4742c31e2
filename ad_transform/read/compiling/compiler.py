"""State that the compilers of expressions and of statements share.

No recursion over operands: an expression is expanded from a list of steps that are
still to be done. Only bodies of their own (lambdas, the lazy part of `and`) are
compiled inside one another, and their nesting is limited.
"""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import libcst as cst

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Passing
from ad_transform.later import later
from ad_transform.read.code import (
    Body,
    Code,
    Define,
    Formal,
    Instruction,
    Load,
    Push,
    Target,
)
from ad_transform.read.compiling.exits import bound_in
from ad_transform.read.compiling.reach import Reach
from ad_transform.read.parameters.signature import written
from ad_transform.read.project.module import Module
from ad_transform.read.syntax.concrete import Concrete, Twin
from ad_transform.read.syntax.fence import Refused
from ad_transform.read.syntax.scopes import (
    Scope,
    bound_inside,
    kept_by_comprehensions,
    kept_in,
    locals_of,
    parameters_of,
)
from ad_transform.read.syntax.source import DEEP, Place
from ad_transform.read.values.classes import private
from ad_transform.read.values.frames import CELLS
from ad_transform.read.values.values import Special

with later():
    from ad_transform.read.compiling import shared_names
    from ad_transform.read.library.library_calls import may_mean, unknown

_ANEW = "make the object anew: `p = replace(p, x=...)`, of `dataclasses`"
_PLAIN_NAMES = "bind a plain name, and write the element in a statement of its own"

Step = Twin | Instruction
Steps = Sequence[Step]

NESTING = 50
"""The most bodies inside bodies; the flattener recurses as deep."""

_LOOPS = {"builtins.range", "builtins.zip", "builtins.enumerate", "builtins.print"}


class Compiler(ABC):
    """Compiles code of the module; subclasses expand the expressions.

    `scopes` are the local names of the functions around, innermost last.
    """

    def __init__(self, module: Module, concrete: Concrete) -> None:
        self.module = module
        self.source = module.source
        self.concrete = concrete
        self.scopes: list[Counter[str]] = []
        self.owner = ""  # the class of a method
        self.nesting = 0
        self.gives = False  # whether the function is a generator
        # by the index of the scope: names that functions inside it bind
        self.cells: dict[int, tuple[str, ...]] = {}
        self.functions: list[Scope] = []  # the functions around, outermost first
        self.lazy = 0
        self.handled: list[str] = []  # the names that handlers around give
        self.level = -1  # the value of `lazy` in the present comprehension
        # by the index of the scope: names that only comprehensions bind
        self.gathered: dict[int, frozenset[str]] = {}
        self.tests: set[ast.expr] = set()  # whose truth alone counts

    def attribute_name(self, name: str) -> str:
        """The name of an attribute, after Python's mangling of private ones."""
        return private(self.owner, name)

    def test(self, node: cst.BaseExpression, tree: ast.expr) -> Body:
        """The code of an expression whose truth alone counts."""
        self.tests.add(tree)
        return self.compile(node, tree)

    def later(self, node: cst.BaseExpression, tree: ast.expr) -> Body:
        """The code of a test that may run any number of times."""
        self.tests.add(tree)
        return self.lazily((node, tree))

    def compile(self, node: cst.BaseExpression, tree: ast.expr) -> Body:
        """The code of an expression, which leaves one value on the stack."""
        return self.code(((node, tree),))

    def code(self, steps: Steps) -> Body:
        """The code of expressions and instructions, in their order."""
        done: list[Instruction] = []
        todo: list[Step] = [*reversed(steps)]
        while todo:
            step = todo.pop()
            if isinstance(step, tuple):
                todo += reversed(self.expand(*step))
            else:
                done.append(step)
        return tuple(done)

    def inner(self, make: Callable[[], Body], tree: Place) -> Body:
        """The code of a body inside this one; refused if nested too deeply."""
        if self.nesting >= NESTING:
            return self.refuse(Refused("AD004", DEEP.message, DEEP.help), tree)
        self.nesting += 1
        try:
            return make()
        finally:
            self.nesting -= 1

    def refuse(self, row: Refused, tree: Place) -> Body:
        """Report a row of the fence; the code leaves a refused value."""
        self.module.report.add(row.code, row.message, self.source.span(tree), row.help)
        return (Push(Special.REFUSED),)

    def complain(self, code: str, message: str, tree: Place, help_: str) -> Body:
        """Report a construct that stands in no table."""
        return self.refuse(Refused(code, message, help_), tree)

    def is_builtin(self, node: cst.BaseExpression, name: str) -> bool:
        """Whether a callee is a builtin, not something else of that name."""
        if not isinstance(node, cst.Name) or node.value != name:
            return False
        if any(name in scope for scope in self.scopes):
            return False
        return self.module.is_builtin(name)

    def function_code(
        self, name: str, body: Callable[[], Body], scope: Scope, form: cst.Parameters
    ) -> Body:
        """Code that leaves a function or lambda on the stack.

        Defaults are evaluated outside.
        """
        formals: list[Formal] = []
        names: list[str] = []
        values: list[Instruction] = []
        for one in written(form, scope.args):
            span = self.source.span(one.arg)
            formals.append(Formal(one.arg.arg, one.passing, span))
            if one.default is not None:
                names.append(one.arg.arg)
                values += self.compile(*one.default)
        for sign, star in (("*", scope.args.vararg), ("**", scope.args.kwarg)):
            if star is not None:
                only, span = Passing.KEYWORD_ONLY, self.source.span(star)
                formals.append(Formal(star.arg, only, span, sign))
        shared = self._begun(scope)
        lazy, self.lazy = self.lazy, 0
        level, self.level = self.level, -1
        gives, self.gives = self.gives, False
        inside = (*shared, *self.inner(body, scope))
        code = Code(name, tuple(formals), inside, self.span(scope), gives=self.gives)
        self.lazy, self.level, self.gives = lazy, level, gives
        if shared:
            self._check_cells(inside[len(shared) :], scope)
            del self.cells[len(self.scopes) - 1]
        self.gathered.pop(len(self.scopes) - 1, None)
        self.scopes.pop()
        self.functions.pop()
        return (*values, Define(code, tuple(names)))

    def _begun(self, scope: Scope) -> Body:
        """Enter a function; the code makes the object of names that functions inside
        bind.
        """
        walrus = self.source.has_walrus
        own = locals_of(scope, walrus)
        self.scopes.append(own)
        self.functions.append(scope)
        if walrus:
            counts = kept_by_comprehensions(scope)
            alone = frozenset(name for name, n in counts.items() if own[name] == n)
            self.gathered[len(self.scopes) - 1] = alone
        if not self.source.has_nonlocal:
            return ()
        for one in shared_names.declared(scope):
            for name in one.names:
                own.pop(name, None)
                if not any(name in around for around in self.scopes[:-1]):
                    message = f"no function around binds {name!r}"
                    self.complain("AD101", message, one, "leave out `nonlocal`")
        names = shared_names.bound_inside(scope, own, walrus)
        if not names:
            return ()
        self.cells[len(self.scopes) - 1] = names
        given = Counter(a.arg for a in parameters_of(scope.args))
        return shared_names.beginning(self.module, names, given, self.span(scope))

    def _check_cells(self, body: Body, scope: Scope) -> None:
        """Refuse names that functions inside bind too, if a form other than `=` binds
        them.
        """
        names = self.cells[len(self.scopes) - 1]
        for name in dict.fromkeys(bound_in(body)):
            if name in names:
                message = f"{name!r} is bound here and by a function inside"
                help_ = "bind it with `=`, and no `match`, `del` or walrus"
                self.complain("AD101", message, scope, help_)

    def cell(self, name: str, span: Span) -> Body | None:
        """Code that leaves the object with a name as a field; None for others."""
        if not self.cells:
            return None
        for up, scope in enumerate(reversed(self.scopes)):
            if name in scope:
                at = len(self.scopes) - 1 - up
                is_field = name in self.cells.get(at, ())
                return (Load(CELLS, up, span),) if is_field else None
        return None

    def own_names(self, tree: ast.expr) -> Iterator[str]:
        """The names that a part of a comprehension binds by a walrus and that nothing
        else in the function binds: they have values inside it only.
        """
        if not self.source.has_walrus:
            return
        for name in kept_in(tree):
            found = (at for at, scope in enumerate(self.scopes) if name in scope)
            inner = max(found, default=-1)
            is_cell = name in self.cells.get(inner, ())
            if name in self.gathered.get(inner, ()) and not is_cell:
                yield name

    def span(self, tree: Place) -> Span:
        """The extent of a node of the tree."""
        return self.source.span(tree)

    @abstractmethod
    def expand(self, node: cst.BaseExpression, tree: ast.expr) -> Steps:
        """An expression as steps: its operands in turn, then their instructions."""

    @abstractmethod
    def place(self, node: cst.Subscript, tree: ast.Subscript) -> Steps:
        """The group and the index of a subscript, as steps."""

    def inside(self, node: cst.BaseExpression, tree: ast.expr) -> Body:
        """The code of an expression in a body of its own."""
        return self.inner(partial(self.compile, node, tree), tree)

    def lazily(self, twin: Twin) -> Body:
        """The code of an expression that may not run, or may run again."""
        self.lazy += 1
        try:
            return self.inner(lambda: self.compile(*twin), twin[1])
        finally:
            self.lazy -= 1

    def target(self, tree: ast.expr, node: cst.BaseExpression | None = None) -> Target:
        """The target of an assignment, a loop or a clause.

        Elements can only be bound if the form of the target is given as well.
        """
        span = self.span(tree)
        node = None if node is None else self.concrete.whole(node)
        if isinstance(tree, ast.Subscript) and isinstance(node, cst.Subscript):
            return Target(span, place=self.code(self.place(node, tree)))
        if isinstance(tree, ast.Attribute) and isinstance(node, cst.Attribute):
            place = self.compile(node.value, tree.value)
            return Target(span, place=place, field=self.attribute_name(tree.attr))
        if isinstance(tree, ast.Name):
            cell = self.cell(tree.id, span)
            if cell is not None:
                return Target(span, place=cell, field=tree.id)
            times = self.scopes[-1][tree.id] if self.scopes else 1
            return Target(span, tree.id, times=times)
        if isinstance(tree, ast.Tuple | ast.List):
            stars = [isinstance(e, ast.Starred) for e in tree.elts]
            inner = [e.value if isinstance(e, ast.Starred) else e for e in tree.elts]
            star = stars.index(True) if True in stars else -1
            forms: Sequence[cst.BaseExpression | None] = [None] * len(inner)
            if isinstance(node, cst.Tuple | cst.List):
                forms = [e.value for e in node.elements]
            items = tuple(map(self.target, inner, forms))
            return Target(span, "", items, star)
        what, help_ = "an element", _PLAIN_NAMES
        if isinstance(tree, ast.Attribute):
            what, help_ = "an attribute", _ANEW
        message = f"assigning to {what} is not supported yet"
        self.complain("AD101", message, tree, help_)
        return Target(span, "")

    def strangers(self, tree: ast.AST) -> None:
        """Report unknown names and functions of libraries in a part that never runs."""
        reach = self.reach
        raised = {node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise)}
        for inner in ast.walk(tree):
            if not isinstance(inner, ast.Call) or inner in raised:
                continue
            callee = reach.library(inner.func)
            if callee and not may_mean(callee) and callee not in _LOOPS:
                code, message, help_ = unknown(callee)
                self.complain(code, message, inner, help_)
        inside = bound_inside(tree)
        for inner in ast.walk(tree):
            if not isinstance(inner, ast.Name) or inner.id in inside:
                continue
            if not (reach.is_local(inner.id) or inner.id in self.module.names.bindings):
                self.module.resolve(inner.id, self.span(inner))

    @property
    def reach(self) -> Reach:
        """The meaning of names at this place."""
        return Reach(self.module, tuple(self.scopes))
