"""The meaning of a chain of names in a function, before anything runs."""

from __future__ import annotations

import ast
from collections.abc import Container

from ad_transform.dataclass import dataclass
from ad_transform.read.project.module import Module
from ad_transform.read.syntax.scopes import dotted


@dataclass(frozen=True, slots=True)
class Reach:
    """The module, and the local names of the functions around, innermost last."""

    module: Module
    scopes: tuple[Container[str], ...]

    def is_local(self, name: str) -> bool:
        """Whether a function around binds a name."""
        return any(name in scope for scope in self.scopes)

    def library(self, tree: ast.expr) -> str:
        """The qualified name of a chain of names; empty if it is none of a library."""
        name = dotted(tree)
        first = name.partition(".")[0]
        if not first or self.is_local(first):
            return ""
        if self.module.is_builtin(first):
            return f"builtins.{name}"
        if not self.module.is_import(first):
            return ""
        return self.module.meaning(name)
