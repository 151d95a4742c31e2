"""The module around the marked functions, and the values of its names.

Constants are evaluated, functions compiled, when something reachable first needs them.
Nothing here runs the file.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Protocol

from ad_transform.diagnostics import Diagnostic, Span
from ad_transform.elementals import CONSTANTS, TABLE
from ad_transform.ir.nodes import Literal, Origin
from ad_transform.ir.typing import result_type
from ad_transform.later import later
from ad_transform.read.marks.function_marks import passive_lines
from ad_transform.read.marks.loop_marks import loop_marks
from ad_transform.read.marks.marks import suggestion
from ad_transform.read.parameters.stated_shapes import stated_in
from ad_transform.read.project.class_statements import class_at
from ad_transform.read.project.elsewhere import Elsewhere, Home, Nowhere
from ad_transform.read.project.helpers import helper_of
from ad_transform.read.project.physics import PREFIX, defined
from ad_transform.read.project.shared import Shared, Unknown
from ad_transform.read.reading import Constant
from ad_transform.read.report import Report
from ad_transform.read.syntax.names import Binding, Bound, Names, Star
from ad_transform.read.syntax.scopes import names_read
from ad_transform.read.syntax.source import Source
from ad_transform.read.values.callables import Dotted, FileFunction, FileModule
from ad_transform.read.values.classes import Class, Field
from ad_transform.read.values.structured import Dict, Group, Key
from ad_transform.read.values.values import Draft, Special, Value

with later():
    from ad_transform.read.constants.spelling import value_text
    from ad_transform.read.containers import keys
    from ad_transform.read.objects.assigned_fields import assigned_by_methods
    from ad_transform.read.values.described import describe


def in_library(qualified: str) -> Value:
    """The value of a qualified name: a constant, or something to call."""
    if qualified == f"{PREFIX}pi":
        qualified = "math.pi"
    if qualified == "numpy.newaxis":
        return Special.NONE
    number = defined(qualified)
    if number is not None:
        return Literal(number)
    if qualified not in CONSTANTS:
        return Dotted(qualified)
    name, value = CONSTANTS[qualified]
    return Literal(value, name, Origin.LIBRARY if name else Origin.NUMBER)


class Definitions(Protocol):
    """Services of a module that need the compiler of its functions."""

    def define(self, name: str) -> Value: ...

    def compile_reachable(self, name: str) -> None: ...

    def provide(self, name: str) -> None: ...

    def copy(self, name: str) -> bool: ...

    def member(self, owner: Class, name: str) -> Value: ...

    def value(self, owner: Class, name: str) -> Value: ...

    def setter(self, owner: Class, name: str) -> Value: ...

    def default(self, owner: Class, field: Field) -> Value: ...

    def factory(self, owner: Class, field: Field) -> Value: ...


def _key_text(key: Key) -> str:
    """The name of the place of a key in a constant."""
    return value_text(key.value) if isinstance(key, Literal) else repr(keys.plain(key))


class Module:
    """Resolves the names of module level.

    `values`, and their diagnostics (`faults`), are filled by
    `read.constants.constants`, in file order. `path` leads to the file from the root of
    the project. `shared` is the state of all modules of a reading; `definitions` are
    the services that need the compiler of functions.
    """

    definitions: Definitions

    def __init__(
        self,
        source: Source,
        names: Names,
        shared: Shared,
        elsewhere: Elsewhere,
        path: str,
    ) -> None:
        self.source = source
        self.names = names
        self.shared = shared
        self.elsewhere = elsewhere
        self.path = path
        self.values: dict[str, Value] = {}
        self.classes: dict[str, Class | None] = {}
        self.faults: dict[str, tuple[Diagnostic, ...]] = {}
        self.own: dict[str, str] = {}  # definitions: their names in the output
        self._called: dict[str, str] = {}
        self.loop_marks = loop_marks(source)  # by the line of the loop
        self.passive_lines = passive_lines(source)
        self.stated = stated_in(source, names)
        self._place = {name: at for at, name in enumerate(names.bindings)}
        self._read: dict[ast.stmt, tuple[str, ...]] = {}

    @cached_property
    def assigning(self) -> Mapping[ast.AST, ast.ClassDef]:
        """The attributes that methods assign to their own object, with the class of
        each.
        """
        return dict(assigned_by_methods(self.source.tree))

    def named(self, node: ast.stmt, bound: Bound) -> Iterator[tuple[str, Binding]]:
        """The names of module level that a statement reads and that are bound once, as
        `bound` tells.
        """
        if node not in self._read:
            self._read[node] = tuple(names_read(node))
        for name in self._read[node]:
            found = self.names.at_runtime(name)
            if len(found) == 1 and found[0].bound is bound:
                yield name, found[0]

    def constants_in_order(self) -> dict[str, Constant]:
        """The constants of the output, each behind those that it uses: those of other
        files first, then those of this one in file order.
        """
        found, foreign = self.shared.constants, self.shared.foreign
        others = {name: found[name] for name in found if name in foreign}
        own = sorted((name for name in found if name not in others), key=self.place)
        return {**others, **{name: found[name] for name in own}}

    def place(self, name: str) -> int:
        """The place of a name in the order in which the module binds its names."""
        return self._place[name]

    def beside(self, name: str, neighbour: str) -> str:
        """A name like `name` that is free in the file; it gets the place of a
        neighbour.
        """
        if not self.is_source:
            return self.shared.fresh(name)
        while name in self._place:
            name = f"_{name}"
        self._place[name] = self._place[neighbour]
        return name

    @property
    def report(self) -> Report:
        """The report that diagnostics go to at present."""
        return self.shared.report

    @property
    def has_math(self) -> bool:
        """Whether the output may call the module `math` by this name."""
        found = self.names.at_runtime("math")
        return all(binding.qualified for binding in found)

    def meaning(self, dotted: str) -> str:
        """The qualified name of a dotted name of the module, empty if it has none."""
        home = self.elsewhere.home(self, dotted)
        if isinstance(home, Home):
            return home.module.meaning(home.dotted) if home.dotted else ""
        if home is not None:
            return ""
        first = dotted.partition(".")[0]
        if self.names.star_behind(first):
            return ""
        return self.names.qualify(dotted)

    def hold(self, name: str, value: Value) -> Value:
        """The value of a constant that the output calls `name`.

        The items of a tuple or a dict that have no number are such constants: `name.0`.
        """
        if isinstance(value, Literal):
            return Literal(value.value, name, Origin.MODULE)
        if isinstance(value, Group):
            names = [f"{name}.{k}" for k in range(len(value.items))]
            held = tuple(map(self._held_item, names, value.items))
            same = all(a is b for a, b in zip(held, value.items, strict=True))
            if same:
                return value
            group = Group(value.container, held)
            self._hold_table(name, group)
            return group
        if isinstance(value, Dict):
            names = [f"{name}.{_key_text(key)}" for key in value.keys]
            items = tuple(map(self._held_item, names, value.items))
            return Dict(value.keys, items, value.identity)
        unknown, near = self.shared.unknown, self.shared.near
        if not isinstance(value, Draft) or ("." in name and value in unknown):
            return value
        hint = "" if "." in name else name
        held_draft = Draft(value.type, value.span, hint, 0)
        unknown[held_draft] = Unknown(name, near.get(value), value)
        if value in near:
            near[held_draft] = near[value]
        return held_draft

    def _held_item(self, name: str, value: Value) -> Value:
        return value if isinstance(value, Literal) else self.hold(name, value)

    def _hold_table(self, name: str, group: Group) -> None:
        """Let programs also read a tuple of numbers as an array, at any index."""
        items = [item for item in group.items if isinstance(item, Draft)]
        types = {item.type for item in items}
        if len(items) < len(group.items) or len(types) > 1 or items[0].type.dims:
            return
        op = TABLE["pack"]
        made = Draft(result_type(op, items))  # type: ignore[arg-type]
        self.shared.made[made] = op, items
        table = Draft(made.type, None, name.replace(".", "_"), 0)
        self.shared.unknown[table] = Unknown(name, None, made)
        self.shared.tables[group] = table

    def is_import(self, name: str) -> bool:
        """Whether a name stands for one and the same import whenever the file runs."""
        found = self.names.at_runtime(name)
        return len(found) == 1 and bool(found[0].qualified) and not found[0].conditional

    def is_builtin(self, name: str) -> bool:
        """Whether a name belongs to the builtins, as module level does not bind it."""
        return name not in self.names.bindings and hasattr(builtins, name)

    def resolve(self, name: str, span: Span) -> Value:
        """The value of a name; without one it is refused with AD103, AD108 or AD122."""
        if name not in self.names.bindings:
            return self._unbound(name, span)
        star = self.names.star_behind(name)
        if star is not None:
            return self._starred(name, star, span)
        found = self.names.at_runtime(name)
        if not found:
            message = f"{name!r} is imported for type checkers only"
            return self._refuse("AD103", message, span, "import it for run time too")
        if len(found) > 1 or found[0].conditional:
            return self._ambiguous(name, found, span)
        return self._bound(name, found[0], span)

    def library(self, qualified: str, name: str, neighbour: str) -> Value:
        """The value of a qualified name; a constant of scipy becomes the file's own.

        The constant is called `name` if that is the import `neighbour`, or free.
        """
        value = in_library(qualified)
        if defined(qualified) is None or not isinstance(value, Literal):
            return value
        text = value_text(value.value)
        if name != neighbour and name in self.names.bindings:
            return value
        called = self.called(name)
        known = self.shared.constants.setdefault(called, Constant(called, text))
        if known.text != text:
            return value
        self._place.setdefault(name, self._place[neighbour])
        return Literal(value.value, called, Origin.MODULE)

    # --- other files ----------------------------------------------------------------

    @property
    def is_source(self) -> bool:
        """Whether it is the file that is transformed."""
        return not self.source.path

    def reached(self, dotted: str, span: Span) -> Value | None:
        """The value of a dotted name that another file binds; None if no file does.

        Names that cannot be found or read are refused with AD108 or AD121.
        """
        return self._value(self.elsewhere.home(self, dotted), span)

    def brought(self, qualified: str, modules: int, span: Span) -> Value | None:
        """The value that an import inside a function brings from another file."""
        return self._value(self.elsewhere.reached(self, qualified, modules), span)

    def inside(self, name: str, span: Span) -> Value:
        """The value of a name of the module, for a reader outside."""
        found = self._value(self.elsewhere.inside(self, (name,)), span)
        assert found is not None
        return found

    def _value(self, home: Home | Nowhere | None, span: Span) -> Value | None:
        if home is None:
            return None
        if isinstance(home, Nowhere):
            self.report.extend(home.at(span))
            return Special.REFUSED
        return (
            home.module.member(home.dotted, span)
            if home.dotted
            else FileModule(home.module)
        )

    def member(self, dotted: str, span: Span) -> Value:
        """The value of a dotted name that this file binds, for use in another."""
        first, _, rest = dotted.partition(".")
        if first not in self.names.bindings:
            return self._missing(first, span)
        self.definitions.provide(first)
        value = self.resolve(first, span)
        if isinstance(value, FileFunction):
            self.shared.waiting.append(value)
        if not rest or value is Special.REFUSED:
            return value
        if isinstance(value, Dotted):
            return self.library(f"{value.name}.{rest}", rest.rpartition(".")[2], first)
        if isinstance(value, Class) and value.owner(rest) and not value.flaw:
            return self.definitions.member(value, rest)
        message = f"the attribute {rest!r} of {describe(value)} is not supported"
        return self._refuse("AD102", message, span, "give it a name in that file")

    def _missing(self, name: str, span: Span) -> Value:
        star = self.names.star_behind(name)
        if star is not None:
            return self._starred(name, star, span)
        if "__getattr__" in self.names.bindings:
            message = f"{self.path!r} makes {name!r} when it is asked for it"
            return self._refuse(
                "AD121", message, span, "define it by name in that file"
            )
        message = f"{self.path!r} has no {name!r}"
        help_ = suggestion(name, self.names.bindings)
        if not help_.startswith("did"):
            help_ = "define it in that file, or import it from another"
        return self._refuse("AD103", message, span, help_)

    def called(self, name: str) -> str:
        """The name in the output of a constant or function of the module."""
        if self.is_source:
            return name
        if name not in self._called:
            alias = self.elsewhere.alias(self, name)
            shared = self.shared
            self._called[name] = shared.give(alias) if alias else shared.fresh(name)
        return self._called[name]

    def text_at(self, span: Span, most: int) -> str:
        """The text at a place, cut after one line and `most` characters."""
        if span.path != self.source.path:
            return repr(span.path)
        is_one_line = span.line == span.end_line
        end = span.end_column - 1 if is_one_line else None
        text = self.source.lines[span.line - 1][span.column - 1 : end]
        is_all = is_one_line and len(text) <= most
        return text if is_all else f"{text[: most - 3].rstrip()}..."

    def define(self, name: str, constant: Constant) -> None:
        """Put the definition of a constant or function of the module in the output."""
        self.own[name] = constant.name
        self.shared.constants[constant.name] = constant

    def _where(self) -> str:
        return "" if self.is_source else f" in {self.path!r}"

    def _refuse(self, code: str, message: str, span: Span, help_: str) -> Value:
        self.report.add(code, message, span, help_)
        return Special.REFUSED

    def _unbound(self, name: str, span: Span) -> Value:
        star = self.names.star_behind(name)
        if star is not None:
            return self._starred(name, star, span)
        if hasattr(builtins, name):
            return in_library(f"builtins.{name}")
        message = f"the name {name!r} is not known"
        return self._refuse("AD103", message, span, _near(name, self.names.bindings))

    def _starred(self, name: str, star: Star, span: Span) -> Value:
        message = f"{name!r} may come from `from {star.module} import *`{self._where()}"
        help_ = f"import it by name: `from {star.module} import {name}`"
        if hasattr(builtins, name):
            help_ = "write the names that are meant in place of the star"
        if name in self.names.bindings:
            help_ = "import what you need by name, or move the import to the top"
        return self._refuse("AD103", message, span, help_)

    def _ambiguous(self, name: str, found: tuple[Binding, ...], span: Span) -> Value:
        lines = ", ".join(str(b.span.line) for b in found)
        where = self._where()
        message = f"{name!r} is bound more than once{where} (lines {lines})"
        if len(found) == 1:
            message = f"{name!r} is bound under a condition{where} (line {lines})"
        help_ = "bind it once, at the left margin of the module"
        return self._refuse("AD108", message, span, help_)

    def _bound(self, name: str, binding: Binding, span: Span) -> Value:
        match binding.bound:
            case Bound.IMPORT:
                found = self.reached(name, span)
                if found is not None:
                    return found
                return self.library(binding.qualified, name, name)
            case Bound.FUNCTION:
                helper = helper_of(name, binding.node)
                return Dotted(helper) if helper else FileFunction(name, self)
            case Bound.VALUE:
                self.report.extend(self.faults.get(name, ()))
                if name in self.values:
                    return self.values[name]
                message = f"{name!r} is not bound yet where it is used"
                return self._refuse("AD122", message, span, "define it further up")
            case Bound.CLASS:
                made = class_at(self, name)
                if made is not None:
                    return made
        message = f"{name!r} is no constant"
        help_ = "use numbers, functions of this file, and functions of `math`"
        return self._refuse("AD103", message, span, help_)


def _near(name: str, known: Mapping[str, object]) -> str:
    """A suggestion of a close name, or of another way out if there is none."""
    text = suggestion(name, known)
    return text if text.startswith("did") else "bind it, or take it as a parameter"
