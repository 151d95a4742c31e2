"""A marked function as a raw program, with everything it calls.

One `Program` has the state that the functions of a file share: compiled code,
constants.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

import libcst as cst

from ad_transform.around import Around
from ad_transform.dataclass import dataclass, replace
from ad_transform.diagnostics import Diagnostic, Refusal, Span
from ad_transform.ir.nodes import Bundle, Function
from ad_transform.ir.types import Kind
from ad_transform.later import later
from ad_transform.read.calls.tallies import Enough
from ad_transform.read.code import Body, Code, Define, Solving
from ad_transform.read.compiling.statements import Statements
from ad_transform.read.constants.constant_values import drafts_in
from ad_transform.read.constants.constants import Constants, with_defaults
from ad_transform.read.containers.sequences import Unkept
from ad_transform.read.flattening.flatten import Flattener
from ad_transform.read.flattening.outputs import Outputs
from ad_transform.read.kept.alike import merged
from ad_transform.read.kept.bundles import called_by, calls_in_equations
from ad_transform.read.kept.keepers import keeper_of
from ad_transform.read.kept.kept import Keeper
from ad_transform.read.machine.fitted import Fitted, Refit
from ad_transform.read.marks.annotations import Annotation
from ad_transform.read.marks.attach import (
    about_functions,
    foreign_decorators,
    name_span,
    residual_of,
)
from ad_transform.read.marks.mark_comments import first_line
from ad_transform.read.objects.members import Members
from ad_transform.read.objects.objects import DECORATORS
from ad_transform.read.parameters.parameters import Pair, Parameters, typed
from ad_transform.read.parameters.signature import written
from ad_transform.read.project.as_python_has_it import placed
from ad_transform.read.project.class_statements import class_at
from ad_transform.read.project.elsewhere import Elsewhere
from ad_transform.read.project.helpers import helper_of
from ad_transform.read.project.module import Module
from ad_transform.read.project.patches import patches
from ad_transform.read.project.shared import Shared
from ad_transform.read.raw import raw
from ad_transform.read.reading import IN_ESTIMATES, OF_DERIVATIVES, RECURSIVE, Constant
from ad_transform.read.report import Report
from ad_transform.read.syntax.concrete import Concrete, Twin, concrete
from ad_transform.read.syntax.names import Bound, Names
from ad_transform.read.syntax.source import Source
from ad_transform.read.values.callables import Closure
from ad_transform.read.values.classes import Class, Field, Style
from ad_transform.read.values.values import Special, Value

with later():
    from ad_transform.read.calls.outside import external
    from ad_transform.read.constants.definitions import definition_text
    from ad_transform.read.constants.folding import Folder
    from ad_transform.read.objects import enumerations
    from ad_transform.read.texts import printed

_MORE: dict[str, Callable[[Keeper], frozenset[Code]]] = {
    "auto": Keeper.more,
    RECURSIVE: Keeper.recursive,
    IN_ESTIMATES["auto"]: Keeper.more,
    IN_ESTIMATES["never"]: Keeper.recursive,
    OF_DERIVATIVES["auto"]: Keeper.more,
    OF_DERIVATIVES["never"]: Keeper.recursive,
}
"""Functions to be kept besides, found after a program was flattened, by option."""


@dataclass(frozen=True, slots=True, eq=False)
class _Compiled:
    """A function of the file: its LibCST form, and the code that defines it."""

    form: Concrete
    node: cst.FunctionDef
    body: Body


class Program:
    """Compiles and flattens the functions of a module."""

    def __init__(
        self,
        source: Source,
        names: Names,
        shared: Shared,
        elsewhere: Elsewhere,
        path: str,
    ) -> None:
        self.module = Module(source, names, shared, elsewhere, path)
        self.module.definitions = self
        self.constants = Constants(self.module)
        self.members = Members(self.module, self.constants)
        self.compiled: dict[str, _Compiled | None] = {}
        self.closures: dict[str, Value] = {}
        self.faults: dict[str, tuple[Diagnostic, ...]] = {}
        self.left: Span | None = None
        self.unfit: tuple[str, ...] = ()  # functions that were to be kept and are not
        self.about = about_functions(source, names)
        self.parameters = Parameters(self.module)

    # --- compiling ------------------------------------------------------------------

    def compile_reachable(self, name: str) -> None:
        """Compile a function and all functions that it names, to find their faults."""
        queue = [name]
        seen = {name}
        while queue:
            current = queue.pop()
            if current not in self.compiled:
                self.compiled[current] = None  # while it is compiled
                with self.module.shared.apart() as report:
                    self.compiled[current] = self._compile(current)
                self.faults[current] = report.sorted()
            self.module.report.extend(self.faults.get(current, ()))
            if self.compiled[current] is not None:
                named = self.module.named(self._tree(current), Bound.FUNCTION)
                fresh = [
                    name
                    for name, binding in named
                    if name not in seen and not self.about.is_outside(name)
                    if not helper_of(name, binding.node)
                ]
                seen.update(fresh)
                queue += fresh

    def _tree(self, name: str) -> ast.stmt:
        """The statement of a function, or of a method: `"State.energy"`."""
        first, _, method = name.partition(".")
        made = class_at(self.module, first) if method else None
        method, _, setter = method.partition(".")
        of = made.setter if made and setter else made.owner if made else None
        found = of(method) if of else None
        return found[1] if found else self.module.names.at_runtime(first)[0].node

    def _key(self, node: ast.FunctionDef) -> str:
        """The name of a marked function among the compiled ones: `"State.energy"` for a
        method.
        """
        for outer in self.module.source.tree.body if node.col_offset else ():
            if isinstance(outer, ast.ClassDef) and node in outer.body:
                return f"{outer.name}.{node.name}"
        return node.name

    def _compile(self, name: str) -> _Compiled | None:
        node, source = self._tree(name), self.module.source
        report = self.module.report
        inside = "." in name
        if not isinstance(node, ast.FunctionDef) or bool(node.col_offset) is not inside:
            message = f"{name!r} is no plain function of the module"
            help_ = "write a plain `def` at the left margin"
            report.add("AD101", message, source.span(node), help_)
            return None
        known = DECORATORS | {f"{node.name}.setter"} if inside else frozenset()
        report.extend(foreign_decorators(node, source, self.module.names, known))
        self.constants.provide(node)
        last = node.end_lineno or node.lineno
        end = len(source.lines[last - 1]) + 1
        try:
            first = Span(first_line(node), 1, last, end, source.path)
            bare = source.span(node)  # a method begins at its `def`
            extent = bare._replace(end_column=end) if inside else first
            form = concrete(source, extent, node)
        except Refusal as refusal:
            report.extend(refusal.diagnostics)
            return None
        definition = form.body[0]
        assert isinstance(definition, cst.FunctionDef)
        compiler = Statements(self.module, form)
        compiler.owner = name.partition(".")[0] if inside else ""
        body = compiler.definition(definition, node)
        body = self._said(node, self._solving(node, compiler, body))
        body = _owned(body, class_at(self.module, name.partition(".")[0]), inside)
        return _Compiled(form, definition, body)

    def _solving(self, node: ast.FunctionDef, compiler: Statements, body: Body) -> Body:
        """The code of a definition, with the equation that the function may solve."""
        found = residual_of(node, self.module.source, self.module.names)
        define = body[-1]
        if found is None or not isinstance(define, Define):
            return body
        name, span = found
        solving = Solving(name, compiler.called(name, span), span)
        code = replace(define.code, solving=solving)
        return (*body[:-1], replace(define, code=code))

    def _said(self, node: ast.FunctionDef, body: Body) -> Body:
        """The code of a definition, marked as `passive` if the function is."""
        define = body[-1]
        if node.name not in self.about.passive or not isinstance(define, Define):
            return body
        return (*body[:-1], replace(define, code=replace(define.code, passive=True)))

    def define(self, name: str) -> Value:
        """A function of the file with its defaults, which are constants."""
        if name not in self.closures and self.about.is_outside(name):
            self._define_outside(name)
        elif name not in self.closures:
            self.compile_reachable(name)
            self.closures[name] = Special.REFUSED  # in its own defaults
            found = self.compiled[name]
            with self.module.shared.apart() as report:
                value = self._defined(name, found) if found else Special.REFUSED
            self.faults[name] = (*self.faults.get(name, ()), *report.sorted())
            self.closures[name] = value
        self.module.report.extend(self.faults[name])
        return self.closures[name]

    def _define_outside(self, name: str) -> None:
        """Define an external function, whose body is not read."""
        node = self._tree(name)
        self.closures[name] = Special.REFUSED
        with self.module.shared.apart() as report:
            if isinstance(node, ast.FunctionDef):
                self.closures[name] = external(self.module, node, self.about)
        self.faults[name] = report.sorted()

    def _defined(self, name: str, found: _Compiled) -> Value:
        """A function with its defaults evaluated, each with a number or a name."""
        folder = Folder(self.module)
        value = folder.run(found.body)
        if not isinstance(value, Closure):
            return value
        tree = self._tree(name)
        assert isinstance(tree, ast.FunctionDef)
        value = with_defaults(folder, value, tree)
        twins = {w.arg.arg: w.default for w in written(found.node.params, tree.args)}
        held = {
            key: self._held(name, key, default, found.form, twins[key])
            for key, default in value.defaults.items()
        }
        return Closure(value.code, value.around, held)

    def _held(
        self, function: str, name: str, value: Value, form: Concrete, twin: Twin | None
    ) -> Value:
        """A default; if its number is unknown here, it becomes a constant."""
        unknown = self.module.shared.unknown
        if twin is None or all(draft in unknown for draft in drafts_in(value)):
            return value
        own = self.module.beside(f"_{function}_{name}", function)
        text = definition_text(self.module, form, twin[0], value)
        if not text:
            message = f"the default of {name!r} cannot be copied to the output"
            span = self.module.source.span(twin[1])
            self.module.report.add("AD122", message, span, "give it a name: `K = ...`")
            return Special.REFUSED
        self.module.shared.constants[own] = Constant(own, text)
        return self.module.hold(own, value)

    def copy(self, name: str) -> bool:
        """Give the output a copy of a function; False if this is impossible."""
        if name in self.module.own:
            return True
        tree = self._tree(name)
        if not isinstance(tree, ast.FunctionDef):
            return False
        closure = self.define(name)
        given = self.module.shared.given.get(getattr(closure, "code", None), {})
        with self.module.shared.apart() as report:
            program = self.flatten(tree, {n: typed(t) for n, t in given.items()})
        if program is None or report.has_error:
            return False
        called = self.module.called(name)
        copy = replace(program, name=called)
        self.module.define(name, Constant(called, "", (), copy))
        return True

    def member(self, owner: Class, name: str) -> Value:
        """A constant or a function of a class."""
        found = owner.owner(name)
        assert found is not None
        if isinstance(found[1], ast.FunctionDef | ast.AsyncFunctionDef):
            return self.define(f"{owner.name}.{name}")
        if owner.style is Style.CASES and name in enumerations.names_of(owner):
            made = enumerations.member(owner, name)
            if owner.mixed:
                self.module.shared.mixed.add(made)
            else:
                self.module.shared.members[made] = owner, name
            return made
        return self.members.constant(owner, name, found[1])

    def value(self, owner: Class, name: str) -> Value:
        """The value of a member of an Enum."""
        found = owner.owner(name)
        assert found is not None
        return self.members.constant(owner, name, found[1])

    def setter(self, owner: Class, name: str) -> Value:
        """The function of a class that assigns a property."""
        return self.define(f"{owner.name}.{name}.setter")

    def default(self, owner: Class, field: Field) -> Value:
        """The default of a field of a class."""
        return self.members.default(owner, field)

    def factory(self, owner: Class, field: Field) -> Value:
        """The function that makes the default of a field for each object."""
        return self.members.factory(owner, field)

    def provide(self, name: str) -> None:
        """Evaluate a constant that another file names."""
        self.constants.provide_named(name)

    # --- flattening -----------------------------------------------------------------

    def function(
        self,
        node: ast.FunctionDef,
        inline: str = "always",
        outputs: Outputs = Outputs(),  # noqa: B008  frozen
    ) -> Bundle | None:
        """The raw program of a marked function and the functions that it calls; None
        after a report. `inline` is the option of that name, or a way of `reading`.

        Codes: AD004, AD101 to AD122. Linear in the operations after inlining.
        """
        keeper = keeper_of(inline)
        while True:
            program = None
            with self.module.shared.apart() as report, suppress(Enough):
                program = self.flatten(node, None, keeper, outputs)
            more = _MORE[inline](keeper) if inline in _MORE else frozenset()
            other = keeper.instead() if program is None and not more else None
            if not more and other is None:
                break
            keeper = other or keeper.afresh(more)
        self.unfit = tuple(keeper.unfit)
        found, last = report.sorted(), self.module.shared.called
        self.module.report.extend(placed(found, *last) if last else found)
        self._compile_waiting()
        if program is None:
            return None
        if calls_in_equations(program, keeper.functions()):
            message = f"{node.name!r} calls a function that is not looked into where "
            message += "an equation is solved, which is not supported yet"
            help_ = "compute what it gives before the equation"
            span = name_span(node, self.module.source)
            self.module.report.add("AD113", message, span, help_)
            return None
        if all(result.type.kind is not Kind.FLOAT for result in program.results):
            span = self.left or name_span(node, self.module.source)
            if not report.has_error:  # another error may be the reason
                message = "the result holds no float"
                help_ = "return at least one float"
                self.module.report.add("AD105", message, span, help_)
            return None
        called = called_by(program, keeper.functions(), self.module.shared.outside)
        bundle = merged(called)
        return bundle if self._are_reached(bundle, node) else None

    def _are_reached(self, bundle: Bundle, node: ast.FunctionDef) -> bool:
        """Whether no parameter hides an external function."""
        outside = {f.outside.called for f in bundle.functions if f.outside}
        own = [f for f in bundle.functions if not f.outside]
        hidden = sorted(outside.intersection(p.name for f in own for p in f.parameters))
        for name in hidden:
            message = f"a parameter {name!r} hides the function {name!r}"
            span = name_span(node, self.module.source)
            self.module.report.add("AD025", message, span, "rename the parameter")
        return not hidden

    def _compile_waiting(self) -> None:
        """Compile the functions of other files that are named, to find their faults."""
        waiting = self.module.shared.waiting
        while waiting:
            function = waiting.pop()
            function.module.definitions.compile_reachable(function.name)

    def flatten(
        self,
        node: ast.FunctionDef,
        passed: Mapping[str, Annotation] | None = None,
        keeper: Keeper | None = None,
        outputs: Outputs = Outputs(),  # noqa: B008  frozen
    ) -> Function | None:
        """A function as a raw program, whatever it returns; None after a report."""
        key = self._key(node)
        self.compile_reachable(key)
        compiled = self.compiled[key]
        if compiled is None:
            return None
        definition, form = compiled.node, compiled.form
        method = "." in key
        owner = class_at(self.module, key.partition(".")[0]) if method else None
        fitted = Fitted()
        keeper = keeper or Keeper(frozenset())
        shared = self.module.shared
        lost = shared.lost.sorted()
        while True:
            given = (node, definition, form, passed or {})
            signature = self.parameters.of(*given, fitted.sites, owner)
            is_whole = signature is not None
            made, refused = None, False
            with shared.apart() as report:
                keeper.begin()
                try:
                    pairs = self.parameters.found if signature is None else signature
                    made = self._flattened(node, pairs, fitted, keeper, outputs)
                    refused = report.has_error or not is_whole
                except Refit as refit:
                    fitted.find(refit)
                except Unkept:
                    fitted.clear()
                    continue
            if fitted.is_right(refused=refused):
                found = report.sorted()
                hidden = frozenset() if is_whole else _OF_VALUES
                self.module.report.extend(d for d in found if d.code not in hidden)
                return made if is_whole else None
            shared.lost = Report()  # a misread run gives no reasons
            shared.lost.extend(lost)

    def _flattened(
        self,
        node: ast.FunctionDef,
        signature: Sequence[Pair],
        fitted: Fitted,
        keeper: Keeper,
        outputs: Outputs,
    ) -> Function | None:
        """A function as a raw program."""
        flat = Flattener(self.module, keeper, fitted)
        flat.outputs = outputs
        flat.printer = printed.kept if outputs.prints else printed.dropped
        closure = self.define(self._key(node))
        if not isinstance(closure, Closure):
            return None
        span = name_span(node, self.module.source)
        made = raw(flat, closure, signature, span)
        self.left = flat.left
        return made


_OF_VALUES = frozenset({"AD004", "AD101", "AD105", "AD107", "AD124"})
"""Codes of errors that may come from values that are unknown: refused parameters."""


def _owned(body: Body, owner: Class | None, inside: bool) -> Body:
    """The code of a method, with the class that it belongs to."""
    define = body[-1]
    if not inside or not isinstance(define, Define):
        return body
    return (*body[:-1], replace(define, code=replace(define.code, owner=owner)))


def started(source: Source, names: Names, report: Report, around: Around) -> Program:
    """The program of the file that is transformed; other files join it."""
    shared = Shared(report, source)

    def make(source: Source, names: Names, path: str) -> Module:
        report.extend(patches(source, names))
        return Program(source, names, shared, elsewhere, path).module

    elsewhere = Elsewhere(around, make)
    program = Program(source, names, shared, elsewhere, around.own)
    elsewhere.modules[around.own] = program.module
    return program
