"""References of a function: modules, functions, helpers that the file holds.

Functions of `math` that a name of the user hides are reached as `math.sin`, builtins by
an alias.
"""

from __future__ import annotations

import ast

from ad_transform.emit.schedule.scope import Scope

_MODULES = {"math": "math", "numpy": "np"}


def names_in(text: str) -> list[str]:
    """The names that an expression reads."""
    tree = ast.parse(text.strip(), mode="eval")
    return [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]


_AROUND = frozenset(
    {
        "any",
        "bool",
        "float",
        "int",
        "isinstance",
        "len",
        "list",
        "map",
        "range",
        "str",
        "tuple",
        "zip",
    }
)
"""The builtins that check and make arguments, make results, and name types."""


class References:
    """The references of one function.

    imports  the meanings of names in use: "math.sin" of "sin"
    helpers  the helpers that are called, in order
    """

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.imports: dict[str, str] = {}
        self.helpers: dict[str, None] = {}
        self._texts: dict[str, str] = {}

    def reference(self, qualified: str) -> str:
        """The reference to "math.sin", "builtins.abs", "helpers._digamma"."""
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
            scope = self.scope
            if not any(
                name in names for names in (scope.fixed, scope.local, scope.outer)
            ):
                return name
            return self._imported(self._alias(name), qualified)
        if module in _MODULES and (module == "numpy" or self.scope.hides(name)):
            return f"{self._module(module)}.{name}"
        return self._imported(name, qualified)

    def _module(self, module: str) -> str:
        for name in (_MODULES[module], module):
            if not self.scope.hides(name):
                return self._imported(name, module)
        return self._imported(self._alias(module), module)

    def _alias(self, name: str) -> str:
        alias = f"_{name}"
        while self.scope.hides(alias):
            alias = f"_{alias}"
        return alias

    def _imported(self, name: str, qualified: str) -> str:
        self.imports[name] = qualified
        return name

    def taken(self) -> set[str]:
        """The names of all references, around the body, too: it comes first."""
        used = {text.partition(".")[0] for text in self._texts.values()}
        return used.union(self.helpers, _AROUND)
