"""The module around the marked functions: what its names are worth.

Constants are evaluated, functions compiled, when something reachable first needs them.
Nothing here runs the file.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from ad_transform.diagnostics import Diagnostic, Span
from ad_transform.elementals import CONSTANTS, recognise
from ad_transform.ir.nodes import Literal, Origin
from ad_transform.ir.types import Type
from ad_transform.read.code import Code
from ad_transform.read.forms import FORMS
from ad_transform.read.marks import suggestion
from ad_transform.read.names import Binding, Bound, Names, Star
from ad_transform.read.physics import PREFIX, defined
from ad_transform.read.reading import Constant
from ad_transform.read.report import Report
from ad_transform.read.scopes import names_read
from ad_transform.read.source import Source
from ad_transform.read.spelling import value_text
from ad_transform.read.values import (
    Dotted,
    Draft,
    FileFunction,
    Group,
    Special,
    Value,
)


def in_library(qualified: str) -> Value:
    """What a qualified name stands for: a constant, or something to call."""
    if qualified == f"{PREFIX}pi":
        qualified = "math.pi"
    number = defined(qualified)
    if number is not None:
        return Literal(number)
    if qualified not in CONSTANTS:
        return Dotted(qualified)
    name, value = CONSTANTS[qualified]
    return Literal(value, name, Origin.LIBRARY if name else Origin.NUMBER)


def is_known(qualified: str) -> bool:
    """Whether a qualified name is a function that has a meaning here."""
    return recognise(qualified) is not None or qualified in FORMS


def is_library(qualified: str) -> bool:
    """Whether a name belongs to Python or a known package, not to the project."""
    top = qualified.partition(".")[0]
    return top in sys.stdlib_module_names or top in _THIRD_PARTY


_THIRD_PARTY = frozenset(
    [
        "ad_transform",
        "autograd",
        "casadi",
        "jax",
        "mpmath",
        "numba",
        "numpy",
        "pandas",
        "scipy",
        "sympy",
        "tensorflow",
        "torch",
    ]
)


@dataclass(frozen=True, slots=True)
class Unknown:
    """A constant whose number is unknown before the output is imported.

    `name` is how a program reads it: "K", or "T.0" for the first item of T.
    """

    name: str
    near: float | int | None


class Module:
    """Resolves the names of module level.

    `values`, what is wrong with them (`faults`), `constants` and the `unknown` ones are
    filled by `ad_transform.read.constants`, in file order; `near` are numbers near the
    values that constants pass through, `given` the types of what they pass to functions
    of the file. `copy` gives the output a copy of a function.
    """

    def __init__(self, source: Source, names: Names, report: Report) -> None:
        self.source = source
        self.names = names
        self.report = report
        self.values: dict[str, Value] = {}
        self.faults: dict[str, tuple[Diagnostic, ...]] = {}
        self.constants: dict[str, Constant] = {}
        self.unknown: dict[Draft, Unknown] = {}
        self.near: dict[Draft, float | int] = {}
        self.given: dict[Code | None, dict[str, set[Type]]] = {}
        self.copy: Callable[[str], bool] = lambda name: False
        self._place = {name: at for at, name in enumerate(names.bindings)}
        self._read: dict[ast.stmt, tuple[str, ...]] = {}

    def named(self, node: ast.stmt, bound: Bound) -> Iterator[tuple[str, Binding]]:
        """The names of module level in a statement that are bound once, and so."""
        if node not in self._read:
            self._read[node] = tuple(names_read(node))
        for name in self._read[node]:
            found = self.names.at_runtime(name)
            if len(found) == 1 and found[0].bound is bound:
                yield name, found[0]

    def constants_in_order(self) -> dict[str, Constant]:
        """The constants in file order, each behind those that it refers to."""
        found = self.constants
        return {name: found[name] for name in sorted(found, key=self.place)}

    def place(self, name: str) -> int:
        """The place of a name in the order in which the module binds its names."""
        return self._place[name]

    def beside(self, name: str, neighbour: str) -> str:
        """A name like `name` that the file does not have, with a neighbour's place."""
        while name in self._place:
            name = f"_{name}"
        self._place[name] = self._place[neighbour]
        return name

    @property
    def has_math(self) -> bool:
        """Whether `math` may stand for the module of that name in the output."""
        found = self.names.at_runtime("math")
        return all(binding.qualified for binding in found)

    def meaning(self, dotted: str) -> str:
        """The qualified name of a dotted name of the module, empty if it has none."""
        first = dotted.partition(".")[0]
        if self.names.star_behind(first):
            return ""
        return self.names.qualify(dotted)

    @contextmanager
    def apart(self) -> Iterator[Report]:
        """What is reported inside goes into a report of its own."""
        report, self.report = self.report, Report()
        try:
            yield self.report
        finally:
            self.report = report

    def hold(self, name: str, value: Value) -> Value:
        """The value of a constant under its name; of a tuple, what has no number."""
        if isinstance(value, Literal):
            return Literal(value.value, name, Origin.MODULE)
        if isinstance(value, Group):
            held = tuple(
                item if isinstance(item, Literal) else self.hold(f"{name}.{k}", item)
                for k, item in enumerate(value.items)
            )
            same = all(a is b for a, b in zip(held, value.items, strict=True))
            return value if same else Group(value.container, held)
        if not isinstance(value, Draft) or ("." in name and value in self.unknown):
            return value
        hint = "" if "." in name else name
        held_draft = Draft(value.type, value.span, hint, 0)
        self.unknown[held_draft] = Unknown(name, self.near.get(value))
        if value in self.near:
            self.near[held_draft] = self.near[value]
        return held_draft

    def is_import(self, name: str) -> bool:
        """Whether a name stands for one import whenever the file runs."""
        found = self.names.at_runtime(name)
        return len(found) == 1 and bool(found[0].qualified) and not found[0].conditional

    def is_builtin(self, name: str) -> bool:
        """Whether module level leaves a name to the builtins."""
        return name not in self.names.bindings and hasattr(builtins, name)

    def resolve(self, name: str, span: Span) -> Value:
        """The value of a name; refused with AD103, AD108 or AD122 where it has none."""
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
        """What a qualified name stands for; a constant of scipy becomes the file's own.

        It is called `name` if that is `neighbour`, an import, or free.
        """
        value = in_library(qualified)
        if defined(qualified) is None or not isinstance(value, Literal):
            return value
        text = value_text(value.value)
        if name != neighbour and name in self.names.bindings:
            return value
        known = self.constants.setdefault(name, Constant(name, text))
        if known.text != text:
            return value
        self._place.setdefault(name, self._place[neighbour])
        return Literal(value.value, name, Origin.MODULE)

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
        message = f"{name!r} may come from `from {star.module} import *`"
        help_ = f"import it by name: `from {star.module} import {name}`"
        if name in self.names.bindings:
            help_ = "import what you need by name, or move the import to the top"
        return self._refuse("AD103", message, span, help_)

    def _ambiguous(self, name: str, found: tuple[Binding, ...], span: Span) -> Value:
        lines = ", ".join(str(b.span.line) for b in found)
        message = f"{name!r} is bound more than once (lines {lines})"
        if len(found) == 1:
            message = f"{name!r} is bound under a condition (line {lines})"
        help_ = "bind it once, at the left margin of the module"
        return self._refuse("AD108", message, span, help_)

    def _bound(self, name: str, binding: Binding, span: Span) -> Value:
        match binding.bound:
            case Bound.IMPORT:
                return self.library(binding.qualified, name, name)
            case Bound.FUNCTION:
                return FileFunction(name)
            case Bound.VALUE:
                self.report.extend(self.faults.get(name, ()))
                if name in self.values:
                    return self.values[name]
                message = f"{name!r} is not bound yet where it is used"
                return self._refuse("AD122", message, span, "define it further up")
        what = "a class" if binding.bound is Bound.CLASS else "no constant"
        message = f"{name!r} is {what}"
        help_ = "use numbers, functions of this file, and functions of `math`"
        return self._refuse("AD103", message, span, help_)


def _near(name: str, known: Mapping[str, object]) -> str:
    """A suggestion only where one is close."""
    text = suggestion(name, known)
    return text if text.startswith("did") else "bind it, or take it as a parameter"
