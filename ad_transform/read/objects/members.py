"""Constants of classes and defaults of fields: evaluated when something needs them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from functools import partial

import libcst as cst

from ad_transform.diagnostics import Diagnostic, Refusal
from ad_transform.ir.nodes import Literal
from ad_transform.later import later
from ad_transform.read.compiling.expressions import Expressions
from ad_transform.read.constants.constant_values import (
    changing,
    depth_of,
    drafts_in,
    is_fixed,
    is_of_numbers,
    is_table,
)
from ad_transform.read.constants.constants import Constants, as_constant, defining
from ad_transform.read.project.module import Module
from ad_transform.read.reading import Constant
from ad_transform.read.syntax.concrete import Concrete, Twin, concrete
from ad_transform.read.syntax.scopes import names_read
from ad_transform.read.values.classes import Class, Field
from ad_transform.read.values.structured import STRUCTURED
from ad_transform.read.values.values import Draft, Special, Value

with later():
    from ad_transform.read.constants import known_lists
    from ad_transform.read.constants.array_definitions import array_text
    from ad_transform.read.constants.definitions import definition_text
    from ad_transform.read.constants.folding import Folder
    from ad_transform.read.constants.spelling import value_text
    from ad_transform.read.known.grids import is_array
    from ad_transform.read.project.read_only import is_only_read_as_attribute
    from ad_transform.read.values.described import describe

_WAY_OUT = "write a number, or a constant of the file: `K = ...`"


class Members:
    """The members of the classes of a module that have values."""

    def __init__(self, module: Module, constants: Constants) -> None:
        self.module = module
        self.constants = constants
        self.values: dict[tuple[Class, str], Value] = {}
        self.faults: dict[tuple[Class, str], tuple[Diagnostic, ...]] = {}

    def constant(self, owner: Class, name: str, statement: ast.stmt) -> Value:
        """`Air.GAMMA`, which the output calls `Air_GAMMA`; AD122 for a value that is no
        constant.
        """
        evaluated = partial(self._evaluated, owner, name, statement)
        return self._said((owner, name), evaluated)

    def _said(self, key: tuple[Class, str], make: Callable[[], Value]) -> Value:
        """A value that is made once; the errors in it are reported each time."""
        if key not in self.values:
            self.values[key] = Special.REFUSED  # in its own definition
            with self.module.shared.apart() as report:
                self.values[key] = make()
            self.faults[key] = report.sorted()
        self.module.report.extend(self.faults.get(key, ()))
        return self.values[key]

    def default(self, owner: Class, field: Field) -> Value:
        """The default of a field; a number as it is, anything else by a name."""
        assert field.default is not None
        value = self.constant(owner, field.name, field.default)
        return Literal(value.value) if isinstance(value, Literal) else value

    def factory(self, owner: Class, field: Field) -> Value:
        """The function of `field(default_factory=...)`, which is called for each
        object.
        """
        assert field.default is not None
        made = partial(self._factory, field.name, field.default)
        return self._said((owner, f"{field.name}()"), made)

    def _factory(self, name: str, statement: ast.stmt) -> Value:
        self.constants.provide(statement)
        source = self.module.source
        try:
            form = concrete(source, source.span(statement), statement)
        except Refusal as refusal:
            self.module.report.extend(refusal.diagnostics)
            return Special.REFUSED
        twin, _ = defining(form, statement, name)
        assert twin is not None
        made = _inside_field(form, twin, "default_factory")
        return Folder(self.module).run(Expressions(self.module, form).compile(*made))

    def _evaluated(self, owner: Class, name: str, statement: ast.stmt) -> Value:
        if not isinstance(statement, ast.Assign | ast.AnnAssign):
            what = "no plain assignment"
            return self._refuse(f"{owner.name}.{name}", what, statement)
        self.constants.provide(statement)
        source = self.module.source
        span = source.span(statement)
        try:
            form = concrete(source, span, statement)
        except Refusal as refusal:
            self.module.report.extend(refusal.diagnostics)
            return Special.REFUSED
        twin, path = defining(form, statement, name)
        if twin is None or path:
            return self._refuse(
                f"{owner.name}.{name}", "no plain assignment", statement
            )
        twin = _inside_field(form, twin)
        own = dict(self._beside(owner, name, statement))
        expressions, folder = Expressions(self.module, form), Folder(self.module)
        if own:
            expressions.scopes.append(Counter(own.keys()))
            folder.frame.names.update(own)
        value = folder.run(expressions.compile(*twin))
        if isinstance(value, Literal) and type(value.value) not in (int, float):
            return value
        if value is Special.REFUSED or value is Special.NONE:
            return value
        value = as_constant(folder, value)
        if is_array(value) or (isinstance(value, STRUCTURED) and not is_fixed(value)):
            text = "" if own else array_text(self.module, form, twin[0], value)
            return self._table(owner, name, value, text, statement)
        if not is_fixed(value):
            return self._refuse(f"{owner.name}.{name}", describe(value), statement)
        text = "" if own else definition_text(self.module, form, twin[0], value)
        if not text and isinstance(value, Literal):
            text = value_text(value.value)
        unknown = self.module.shared.unknown
        if not text and any(d not in unknown for d in drafts_in(value)):
            return self._refuse(f"{owner.name}.{name}", "computed", statement)
        return self._held(owner, name, value, text)

    def _table(
        self, owner: Class, name: str, value: Value, text: str, statement: ast.stmt
    ) -> Value:
        """A list, dict or array, which nothing may change."""
        given, called = (depth_of(value), is_array(value)), f"{owner.name}.{name}"
        modules = self.module.elsewhere.modules.values()
        is_read = changing(value) is None and all(
            is_only_read_as_attribute(
                name,
                module.source.tree,
                *given,
                owner.node if module is self.module else None,
            )
            for module in modules
        )
        if not is_read and given[0]:
            message = f"{called!r} may change: it is {describe(value)}"
            span = self.module.source.span(statement)
            help_ = "write a tuple, or only read it: `self.T[k]`, in loops, in sums"
            self.module.report.add("AD122", message, span, help_)
            return Special.REFUSED
        if is_table(value):
            named = f"{owner.name}_{name}"
            known_lists.remember(self.module, named, value, owner.name)
            return value
        if not text or not is_of_numbers(value):
            return self._refuse(called, "computed when the file is imported", statement)
        named = self.module.beside(f"{owner.name}_{name}", owner.name)
        self.module.shared.constants[named] = Constant(named, text, of_numpy=True)
        return self.module.hold(named, value)

    def _held(self, owner: Class, name: str, value: Value, text: str) -> Value:
        """The value under the name that the output gives it."""
        named = f"{owner.name}_{name}"
        if not text or not isinstance(value, Literal | Draft):
            known_lists.remember(self.module, named, value, owner.name)
            return value
        called = self.module.beside(named, owner.name)
        self.module.shared.constants[called] = Constant(called, text)
        return self.module.hold(called, value)

    def _beside(
        self, owner: Class, name: str, statement: ast.stmt
    ) -> list[tuple[str, Value]]:
        """The constants of the class further up that a definition reads."""
        found: list[tuple[str, Value]] = []
        for other in names_read(statement):
            at = owner.owner(other)
            if at is None or other == name or at[0] is not owner:
                continue
            if at[1].lineno < statement.lineno:
                found.append((other, self.constant(owner, other, at[1])))
        return found

    def _refuse(self, name: str, what: str, statement: ast.stmt) -> Value:
        message = f"{name!r} is no constant: it is {what}"
        span = self.module.source.span(statement)
        self.module.report.add("AD122", message, span, _WAY_OUT)
        return Special.REFUSED


def _inside_field(form: Concrete, twin: Twin, option: str = "default") -> Twin:
    """The default in `field(default=...)`; anything else as it is."""
    node, tree = form.whole(twin[0]), twin[1]
    if not isinstance(node, cst.Call) or not isinstance(tree, ast.Call):
        return twin
    said = {keyword.arg: keyword.value for keyword in tree.keywords}
    for argument in node.args:
        if argument.keyword is not None and argument.keyword.value == option:
            return argument.value, said[option]
    return twin
