"""The names around a function: what is taken, and what it refers to.

The user's names win. Parameters keep theirs always; functions of `math` that a name of
the user hides are reached as `math.sin`.
"""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterable, Iterator, Mapping

from ad_transform.ir.nodes import Call, Function, Literal, Operand, Origin
from ad_transform.ir.nodes import walk as statements

_MODULES = {"math": "math", "numpy": "np"}


def names_in(text: str) -> list[str]:
    """The names that an expression reads."""
    tree = ast.parse(text.strip(), mode="eval")
    return [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]


class Scope:
    """The names around one function: what is taken, and what it refers to."""

    def __init__(
        self,
        function: Function,
        reserved: Iterable[str],
        formulas: Mapping[str, str] | None = None,
    ) -> None:
        constants = list(_constants(function))
        self.formulas = formulas or {}
        self.fixed = {p.name.partition(".")[0] for p in function.parameters}
        self.fixed.update(keyword.kwlist)
        self.fixed.update(
            s.callee for s in statements(function.body) if isinstance(s, Call)
        )
        self.local = {c.name for c in constants if c.origin is Origin.LOCAL}
        self.outer = {*reserved, function.name}
        self.outer.update(c.name for c in constants if c.origin is Origin.MODULE)
        self._own = function.name
        self.wishes = self.local.union(
            out.hint
            for statement in statements(function.body)
            for out in statement.outs
            if out.named
        )
        self.joined = {
            out.hint
            for statement in statements(function.body)
            for out in statement.outs
            if statement.blocks
        }
        self.imports: dict[str, str] = {}
        self.helpers: dict[str, None] = {}
        self.constants: dict[str, None] = {}
        self.literals: dict[str, Literal] = {}
        self._texts: dict[str, str] = {}

    def reference(self, qualified: str) -> str:
        """How the function calls "math.sin", "builtins.abs", "helpers._digamma"."""
        text = self._texts.get(qualified)
        if text is None:
            text = self._texts[qualified] = self._find(qualified)
        return text

    def _find(self, qualified: str) -> str:
        module, _, name = qualified.rpartition(".")
        if module == "helpers":
            self.helpers[name] = None
            return name
        if module == "builtins":
            if not any(name in names for names in (self.fixed, self.local, self.outer)):
                return name
            return self._imported(self._alias(name), qualified)
        if module in _MODULES and (module == "numpy" or self._hidden(name)):
            return f"{self._module(module)}.{name}"
        return self._imported(name, qualified)

    def _module(self, module: str) -> str:
        for name in (_MODULES[module], module):
            if not self._hidden(name):
                return self._imported(name, module)
        return self._imported(self._alias(module), module)

    def _alias(self, name: str) -> str:
        alias = f"_{name}"
        while self._hidden(alias):
            alias = f"_{alias}"
        return alias

    def _hidden(self, name: str) -> bool:
        return name in self.fixed or name in self.wishes or name in self.outer

    def _imported(self, name: str, qualified: str) -> str:
        self.imports[name] = qualified
        return name

    def claim(self, wish: str) -> str:
        """A free name for a value of a structured parameter; no local may take it."""
        name, k = wish, 1
        while name in self.fixed or name in self.wishes:
            k += 1
            name = f"{wish}_{k}"
        self.fixed.add(name)
        return name

    def constant(self, literal: Literal) -> str | None:
        """The name of a literal that has one and can keep it, else None.

        The user's constants are recorded: those of the module in `constants`, those of
        the function in `literals`. A name that arms or trips bind anew is none of them.
        """
        name = literal.name
        if literal.origin is Origin.LIBRARY:
            return self.reference(name)
        if literal.origin is Origin.FORMULA:
            name = self.formulas.get(name, "")
            self.constants.update(dict.fromkeys([name] if name else []))
            return name or None
        if not name or name in self.fixed:
            return None
        if literal.origin is Origin.MODULE:
            if name in self.literals:
                return None
            self.constants[name] = None
            return name
        if name in self.constants or name in self.joined:
            return None
        return name if self.literals.setdefault(name, literal) == literal else None

    def taken(self) -> set[str]:
        """What no local of ours may be called."""
        used = {text.partition(".")[0] for text in self._texts.values()}
        return used.union(
            self.fixed, {self._own}, self.helpers, self.constants, self.literals
        )


def _constants(function: Function) -> Iterator[Literal]:
    """The literals that have a name, as often as they occur."""
    yield from _named(function.results)
    for statement in statements(function.body):
        yield from _named(statement.inputs)
        for block in statement.blocks:
            yield from _named(block.results)


def _named(operands: Iterable[Operand]) -> list[Literal]:
    return [o for o in operands if type(o) is Literal and o.name]
