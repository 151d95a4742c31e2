"""Module constants: bound once, to an expression of literals, constants, functions
of `math` and `numpy`, and functions of the file (contract, rule 13).

A name for a function (`sin = math.sin`, `square = lambda x: x * x`) is one, too.

They are folded by the rules of IEEE arithmetic alone (`+ - * /`, square roots, integer
powers), so that every machine finds the same value. Any other definition is copied as
text: its number is unknown here. Nothing of the file runs.
"""

from __future__ import annotations

import ast
import sys
from functools import cache
from typing import TypeAlias

import libcst as cst

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Refusal, Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.compiling.expressions import Expressions
from ad_transform.read.constants.constant_values import (
    ITEMS,
    changing,
    depth_of,
    drafts_in,
    holds_refused,
    is_fixed,
    is_of_numbers,
    is_small,
    is_table,
    plain_keys,
)
from ad_transform.read.machine.arguments import Unfit
from ad_transform.read.project.class_statements import class_at
from ad_transform.read.project.module import Module
from ad_transform.read.reading import Constant
from ad_transform.read.syntax.concrete import Concrete, Twin, concrete
from ad_transform.read.syntax.names import Binding, Bound
from ad_transform.read.syntax.notes import notes_of
from ad_transform.read.values.callables import Closure, Dotted, FileFunction
from ad_transform.read.values.storage import Array, Distinct
from ad_transform.read.values.structured import STRUCTURED, Dict, Group
from ad_transform.read.values.values import Draft, Special, Value
from ad_transform.read.values.written import items_of

with later():
    from ad_transform.read.constants import known_lists
    from ad_transform.read.constants.array_definitions import Path, array_text
    from ad_transform.read.constants.definitions import definition_text
    from ad_transform.read.constants.folding import Folder
    from ad_transform.read.known.grids import holds_array, is_array
    from ad_transform.read.project import default_values
    from ad_transform.read.project.read_only import (
        is_only_read,
        is_only_read_as_attribute,
    )
    from ad_transform.read.wholes.wholes import whole_of

Definition: TypeAlias = "tuple[Concrete, cst.BaseExpression, Path]"

_COPYABLE = "write it as a number, or compute it inside the function"


def _is_too_large(number: object) -> bool:
    """Whether a whole number is too large for a float."""
    return isinstance(number, int) and abs(number) > int(sys.float_info.max)


class Constants:
    """Evaluates the constants that reachable code needs, in file order."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.notes: dict[int, tuple[str, ...]] = {}  # by line
        self.underway: set[str] = set()

    def provide(self, node: ast.stmt) -> None:
        """Evaluate every constant that a piece of the file may name.

        The faults of a constant (AD122, at its definition) wait in `module.faults`
        until it is used, for the name may be that of a parameter.
        """
        self._provide_all({}, [(node, False)])

    def provide_named(self, name: str) -> None:
        """Evaluate a constant that another file names."""
        binding, *others = self.module.names.at_runtime(name)
        if binding.bound is not Bound.VALUE or others or name in self.module.values:
            return
        self._provide_all({name: binding}, [(binding.node, True)])

    def _provide_all(
        self, needed: dict[str, Binding], queue: list[tuple[ast.stmt, bool]]
    ) -> None:
        """Evaluate needed constants, and all that statements of the queue may name."""
        functions: set[str] = set()
        while queue:
            current, called = queue.pop()
            for name, binding in self.module.named(current, Bound.VALUE):
                if name not in needed and name not in self.module.values:
                    needed[name] = binding
                    queue.append((binding.node, True))
            if not called:
                continue
            for name, binding in self.module.named(current, Bound.FUNCTION):
                if name not in functions:  # it may need constants
                    functions.add(name)
                    queue.append((binding.node, True))
        for name in sorted(needed, key=self.module.place):
            if name not in self.module.values and name not in self.underway:
                self._provide(name, needed[name])

    def _provide(self, name: str, binding: Binding) -> None:
        self.underway.add(name)
        with self.module.shared.apart() as report:
            value = self._evaluate(name, binding)
        self.underway.discard(name)
        self.module.values[name] = value
        self.module.faults[name] = report.sorted()

    def _evaluate(self, name: str, binding: Binding) -> Value:
        report, source = self.module.report, self.module.source
        if binding.conditional:
            return Special.REFUSED  # reported where it is used
        made = class_at(self.module, name)
        if made is not None:
            return made
        line = source.lines[binding.span.line - 1]
        if line[: binding.span.column - 1].isspace():
            message = f"{name!r} is defined inside a block"
            report.add("AD122", message, binding.span, "define it at the left margin")
            return Special.REFUSED
        try:
            form = concrete(source, binding.span, binding.node)
        except Refusal as refusal:
            report.extend(refusal.diagnostics)
            return Special.REFUSED
        twin, path = defining(form, binding.node, name)
        if twin is None:
            message = f"{name!r} is not defined by a plain assignment"
            report.add("AD122", message, binding.span, f"write `{name} = ...`")
            return Special.REFUSED
        span = source.span(twin[1])
        whole = evaluated(self.module, form, twin)
        value = _item_at(whole, path)
        if value is None:
            message = f"{name!r} is not defined by a plain assignment"
            report.add("AD122", message, binding.span, f"write `{name} = ...`")
            return Special.REFUSED
        if isinstance(value, Closure):
            return self._function(name, value, span)
        if isinstance(value, FileFunction | Dotted):
            return value  # `sin = math.sin`
        if isinstance(value, Group) and not is_small(value):
            message = f"{name!r} holds more than {ITEMS} values, or nests too deeply"
            report.add("AD004", message, binding.span, "split it")
            return Special.REFUSED
        if isinstance(value, Group) and holds_refused(value):
            return Special.REFUSED
        if isinstance(value, Distinct):
            return self._set(name, value, binding.span)
        is_structured = isinstance(value, STRUCTURED)
        if is_array(value) or (is_structured and not is_fixed(value)):
            value = self._table(name, value, binding.span, span)
            if value is Special.REFUSED or is_table(value):
                self._remember(name, value, (form, twin[0], path), binding)
                return value
        if not isinstance(value, Literal | Draft | Group | Dict):
            return self._unfit(name, value, span)
        if isinstance(value, Literal) and type(value.value) not in (int, float):
            return value
        if isinstance(value, Literal) and _is_too_large(value.value):
            message = f"{name!r} is too large for a float"
            report.add("AD122", message, span, "write it as a smaller number")
            return Special.REFUSED
        called = self.module.called(name)
        held = self.module.hold(called, value)
        text, of_numpy = self._text(form, twin[0], value, path)
        if not text and isinstance(value, Group) and held is value:
            self._remember(name, value, (form, twin[0], path), binding)
            return value  # its items are numbers
        if not text:
            return self._uncopied(name, span)
        notes = self._notes(binding)
        constant = Constant(called, text, notes, of_numpy=of_numpy)
        self.module.define(name, constant)
        self._remember(name, held, (form, twin[0], path), binding)
        return held

    def _notes(self, binding: Binding) -> tuple[str, ...]:
        """The comments at a definition, one and the same tuple for all of its names."""
        place = binding.span.line
        if place not in self.notes:
            self.notes[place] = _comments(self.module, binding)
        return self.notes[place]

    def _remember(
        self, name: str, value: Value, made: Definition, binding: Binding
    ) -> None:
        """Let outputs define a list of known items that is read by an index."""
        items = items_of(value) if isinstance(value, Group) else None
        known_lists.remember_parts(self.module, name, value, name)
        if not isinstance(value, Group) or items is None:
            return
        form, node, path = made

        @cache
        def define() -> str:
            text = ""
            if not holds_array(value):
                text = definition_text(self.module, form, node, value, path)
            return known_lists.defined(
                self.module, name, value, text, self._notes(binding)
            )

        part = known_lists.part_of(self.module, name, name)
        self.module.shared.lists.enter(value, define, part)

    def _text(
        self, form: Concrete, node: cst.BaseExpression, value: Value, path: Path
    ) -> tuple[str, bool]:
        """A definition in the spelling of the output, and whether numpy computes it;
        empty if it cannot be copied.
        """
        text = ""
        if not holds_array(value):
            text = definition_text(self.module, form, node, value, path)
        if text or isinstance(value, Dict):
            return text, False
        return array_text(self.module, form, node, value, path), True

    def _table(self, name: str, value: Value, place: Span, span: Span) -> Value:
        """A list, dict or object, if no statement may change it."""
        changed, depth = changing(value), depth_of(value)
        plain = plain_keys(value)
        given = name, self.module.source.tree, depth, is_array(value), plain
        if changed is not None:
            message = f"{name!r} may change: it holds an object of {changed.name!r}"
            help_ = f"write `@dataclass(frozen=True)` above the class {changed.name!r}"
            if changed.initialiser is not None:
                help_ += ", with fields in place of its `__init__`"
        elif not depth or (
            is_only_read(*given) and self._is_read_elsewhere(name, value)
        ):
            is_known = is_table(value) or is_of_numbers(value)
            return value if is_known else self._computed(name, span)
        else:
            message = f"{name!r} may change: it is no tuple of numbers"
            help_ = (
                "write a tuple, or only read it: `T[k]`, `k in T`, `len(T)`, in loops"
            )
        self.module.report.add("AD122", message, place, help_)
        return Special.REFUSED

    def _set(self, name: str, value: Distinct, place: Span) -> Value:
        """A set of known numbers or texts, if no statement may change it."""
        own = self.module
        if isinstance(value.inner, Group) and is_table(value.inner):
            trees = (m.source.tree for m in own.elsewhere.modules.values())
            others = (tree for tree in trees if tree is not own.source.tree)
            if is_only_read(name, own.source.tree, 1) and all(
                is_only_read_as_attribute(name, tree, 1) for tree in others
            ):
                return value
        message = f"{name!r} may change, or holds more than numbers and texts"
        help_ = "write them out, and only ask: `k in S`, `len(S)`, `sorted(S)`"
        own.report.add("AD122", message, place, help_)
        return Special.REFUSED

    def _is_read_elsewhere(self, name: str, value: Value) -> bool:
        """Whether all other files that are read leave a value unchanged."""
        own = self.module
        others = [m for m in own.elsewhere.modules.values() if m is not own]
        given = depth_of(value), is_array(value), None, plain_keys(value)
        trees = [other.source.tree for other in others]
        return all(is_only_read_as_attribute(name, tree, *given) for tree in trees)

    def _computed(self, name: str, span: Span) -> Value:
        message = f"{name!r} holds numbers that are computed when the file is imported"
        help_ = "write them out, or give each a name of its own"
        self.module.report.add("AD122", message, span, help_)
        return Special.REFUSED

    def _function(self, name: str, value: Closure, span: Span) -> Value:
        """`square = lambda x: x * x`, if its defaults have numbers or names."""
        drafts = (d for v in value.defaults.values() for d in drafts_in(v))
        if all(draft in self.module.shared.unknown for draft in drafts):
            return value
        message = f"a default of {name!r} is computed when the file is imported"
        help_ = "give the default a name: `K = ...`, `lambda x, k=K: ...`"
        self.module.report.add("AD122", message, span, help_)
        return Special.REFUSED

    def _uncopied(self, name: str, span: Span) -> Value:
        message = f"the definition of {name!r} cannot be copied to the output"
        help_ = (
            "write it with numbers, constants, operators, functions of `math`, and "
            "functions of the file that take and return numbers; split what is long"
        )
        self.module.report.add("AD122", message, span, help_)
        return Special.REFUSED

    def _unfit(self, name: str, value: Value, span: Span) -> Value:
        if value is not Special.REFUSED:
            message = f"{name!r} is no constant"
            self.module.report.add("AD122", message, span, _COPYABLE)
        return Special.REFUSED


def evaluated(module: Module, form: Concrete, twin: Twin) -> Value:
    """The value of a constant expression; REFUSED after a report."""
    folder = Folder(module)
    value = folder.run(Expressions(module, form).compile(*twin))
    if isinstance(value, Closure) and isinstance(twin[1], ast.Lambda):
        return with_defaults(folder, value, twin[1])
    return as_constant(folder, value)


def with_defaults(
    folder: Folder, function: Closure, tree: ast.FunctionDef | ast.Lambda
) -> Closure:
    """A function of the file whose defaults are constants, with marks at those that it
    may change.
    """
    defaults = {k: as_constant(folder, v) for k, v in function.defaults.items()}
    changing, memos = default_values.changed(tree, folder.module.source.tree, defaults)
    code = function.code
    formals = tuple(
        replace(f, changes=f.name in changing, memo=f.name in memos)
        for f in code.formals
    )
    return Closure(replace(code, formals=formals), function.around, defaults)


def as_constant(folder: Folder, value: Value) -> Value:
    """A value in the form of a constant: an array of numpy becomes a whole one."""
    if not isinstance(value, Array) or value.cell.container is not Container.ARRAY:
        return value
    try:
        return whole_of(folder, value, value.cell.span)  # `np.zeros(3)`
    except Unfit:
        return value


# --- definitions --------------------------------------------------------------------


def _item_at(value: Value, path: Path) -> Value | None:
    """The item of a value at a path; None if the numbers of items differ."""
    for at, of in path:
        if value is Special.REFUSED:
            return value
        if not isinstance(value, Group) or len(value.items) != of:
            return None
        value = value.items[at]
    return value


def defining(form: Concrete, tree: ast.stmt, name: str) -> tuple[Twin | None, Path]:
    """The expression that a statement binds a name to, and the path of its item."""
    line = form.body[0]
    assert isinstance(line, cst.SimpleStatementLine)
    node = line.body[0]
    if isinstance(node, cst.AnnAssign) and isinstance(tree, ast.AnnAssign):
        named = isinstance(tree.target, ast.Name)
        fit = node.value is not None and tree.value is not None and named
        return ((node.value, tree.value) if fit else None), ()  # type: ignore[return-value]
    if not isinstance(node, cst.Assign) or not isinstance(tree, ast.Assign):
        return None, ()
    for target in tree.targets:
        found = _matched(target, (form.whole(node.value), tree.value), name)
        if found is not None:
            return found
    return None, ()


def _matched(target: ast.expr, value: Twin, name: str) -> tuple[Twin, Path] | None:
    """The part of a value at the place of a name in the target; None if the name is not
    there.
    """
    if isinstance(target, ast.Name):
        return (value, ()) if target.id == name else None
    node, tree = value
    if not isinstance(target, _GROUPS):
        return None
    if not isinstance(tree, _GROUPS) or not isinstance(node, cst.Tuple | cst.List):
        path = _path(target, name)
        return None if path is None else (value, path)
    same = len(target.elts) == len(tree.elts)
    if not same or any(isinstance(e, ast.Starred) for e in (*target.elts, *tree.elts)):
        return None
    for inner, element, item in zip(target.elts, node.elements, tree.elts, strict=True):
        found = _matched(inner, (element.value, item), name)
        if found is not None:
            return found
    return None


def _path(target: ast.expr, name: str) -> Path | None:
    """The path of a name in a target without a star; None if it is not there."""
    if isinstance(target, ast.Name):
        return () if target.id == name else None
    if not isinstance(target, _GROUPS):
        return None
    if any(isinstance(item, ast.Starred) for item in target.elts):
        return None
    for at, item in enumerate(target.elts):
        inner = _path(item, name)
        if inner is not None:
            return ((at, len(target.elts)), *inner)
    return None


_GROUPS = (ast.Tuple, ast.List)


def _comments(module: Module, binding: Binding) -> tuple[str, ...]:
    """The comments directly above and behind the definition of a constant."""
    lines, span = module.source.lines, binding.span
    above: list[str] = []
    number = span.line - 1
    if lines[number - 1].startswith("#"):
        floor = _end_of_previous(module, span.line)
        while number > floor and lines[number - 1].startswith("#"):
            above.append(lines[number - 1])
            number -= 1
    behind = lines[span.end_line - 1][span.end_column - 1 :].strip()
    return notes_of(reversed(above), behind if behind.startswith("#") else "")


def _end_of_previous(module: Module, line: int) -> int:
    """The last line of the statement above a line; a `#` up to there may be in a
    string.
    """
    ends = (s.end_lineno or 0 for s in module.source.tree.body if s.lineno < line)
    return max((end for end in ends if end < line), default=0)
