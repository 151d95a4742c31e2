"""The other modules of the project: read from their files, never imported.

A name is followed from import to import to the file that binds it. Each file is read
once; its module resolves its own names, so inlined code keeps its meaning.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ad_transform.around import Around
from ad_transform.dataclass import dataclass, replace
from ad_transform.diagnostics import Diagnostic, Refusal, Span
from ad_transform.read.project.as_python_has_it import (
    text_of,
)
from ad_transform.read.project.libraries import is_library
from ad_transform.read.project.whereabouts import INIT, Found, Whereabouts
from ad_transform.read.syntax.in_python import is_path_in_python, path_of
from ad_transform.read.syntax.names import Bound, Names, names_of
from ad_transform.read.syntax.scopes import modules_in
from ad_transform.read.syntax.source import Source, load

if TYPE_CHECKING:
    from ad_transform.read.project.module import Module


@dataclass(frozen=True, slots=True)
class Home:
    """The module that binds a name, and the rest of the dotted name from there on.

    Without a name it is the module itself.
    """

    module: Module
    dotted: str = ""


class Nowhere:
    """The diagnostics of a name that leads to no file of the project.

    A diagnostic without a span gets that of the use of the name.
    """

    def __init__(self, *diagnostics: Diagnostic) -> None:
        self.diagnostics = diagnostics

    @classmethod
    def of(cls, code: str, message: str, help_: str) -> Nowhere:
        """One diagnostic, to be placed where the name is used."""
        return cls(Diagnostic(code, message, None, help_))

    def at(self, span: Span) -> Iterator[Diagnostic]:
        """The diagnostics for a name that is used at a span."""
        for item in self.diagnostics:
            yield item if item.span else replace(item, span=span)


Make = Callable[[Source, Names, str], "Module"]


class Elsewhere:
    """Finds and reads modules; `make` makes the module of a file at a path."""

    def __init__(self, around: Around, make: Make) -> None:
        self.around = around
        self.make = make
        self.whereabouts = Whereabouts(around, self._binds)
        self.modules: dict[str, Module] = {}
        self.faults: dict[str, tuple[Diagnostic, ...]] = {}
        self._known: dict[tuple[Module, str], Home | Nowhere | None] = {}

    def alias(self, module: Module, name: str) -> str:
        """The name in the source for a name of another file that it imports; or
        nothing.
        """
        own = self.modules[self.around.own]
        for alias, (binding, *_) in own.names.bindings.items():
            if binding.qualified.rpartition(".")[2] == name:
                home = self.home(own, alias)
                if home == Home(module, name):
                    return alias
        return ""

    def read_files(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The paths and lines of the other files."""
        for path, module in self.modules.items():
            if path != self.around.own:
                yield module.source.path, module.source.lines

    def home(self, module: Module, dotted: str) -> Home | Nowhere | None:
        """The home of a dotted name of a module, if another file of the project binds
        it; else None.
        """
        key = module, dotted
        if key not in self._known:
            self._known[key] = Nowhere.of("AD121", f"{dotted!r} {_CIRCLE}", _MOVE)
            self._known[key] = self._followed(module, dotted)
        return self._known[key]

    def _followed(self, module: Module, dotted: str) -> Home | Nowhere | None:
        first, _, rest = dotted.partition(".")
        found = module.names.at_runtime(first)
        if len(found) != 1 or found[0].bound is not Bound.IMPORT:
            return None
        (binding,) = found
        if binding.conditional or module.names.star_behind(first):
            return None
        assert isinstance(binding.node, ast.Import | ast.ImportFrom)
        qualified = binding.qualified + (f".{rest}" if rest else "")
        return self.reached(module, qualified, modules_in(binding.node, first))

    def reached(
        self, module: Module, qualified: str, modules: int
    ) -> Home | Nowhere | None:
        """The home of a qualified name; its first parts, `modules` of them, are
        modules.
        """
        top = qualified.partition(".")[0]
        if top and is_library(top):
            hidden = self._hidden(top, module)
            return (
                Nowhere.of("AD108", _either(top, hidden), _RENAME) if hidden else None
            )
        found = self.whereabouts.find(qualified, module.path, modules)
        if len(found) > 1:
            paths = " or ".join(repr(one.path) for one in found)
            message = f"{qualified!r} may be in {paths}"
            return Nowhere.of("AD108", message, _RENAME)
        if not found:
            return self._outside(qualified, module)
        return self._there(*found)

    def _hidden(self, top: str, module: Module) -> str:
        """The file of the project that bears the name of a library; none where the text
        of `in_python` imports it.
        """
        if is_path_in_python(module.path):
            return ""
        return self.whereabouts.hidden(top, module.path)

    def _there(self, found: Found) -> Home | Nowhere | None:
        there = self.module(found.path)
        if there is None:
            return Nowhere(*self.faults[found.path])
        return self.inside(there, found.rest)

    def inside(self, there: Module, parts: tuple[str, ...]) -> Home | Nowhere | None:
        """The home of the parts of a name inside a module."""
        if not parts:
            return Home(there)
        first, dotted = parts[0], ".".join(parts)
        if first not in there.names.bindings and there.path.endswith(INIT):
            below = self.whereabouts.inside(there.path, parts)
            if below is not None:
                return self._there(below)
        further = self.home(there, dotted)
        return Home(there, dotted) if further is None else further

    def _outside(self, qualified: str, module: Module) -> Nowhere:
        shown = qualified.lstrip(".")
        if not self.around.own:
            message = f"{shown!r} lives in another module, and the source has no place"
            return Nowhere.of("AD121", message, "name it: --stdin-filename model.py")
        if self.whereabouts.is_compiled(qualified, module.path):
            message = f"{shown!r} is compiled: there is no source to read"
            return Nowhere.of("AD121", message, _WRITE)
        top = qualified.partition(".")[0]
        if top and self.whereabouts.find(top, module.path, 1):
            message = f"no file of the project has {shown!r}"
            return Nowhere.of("AD121", message, _FIND)
        return Nowhere.of("AD121", f"{shown!r} lives outside the project", _WRITE)

    # --- files ----------------------------------------------------------------------

    def module(self, path: str) -> Module | None:
        """The module of a file; None if it cannot be read, with the reasons in
        `faults`.
        """
        if path not in self.modules and path not in self.faults:
            content = self.around.content(path)
            assert content is not None
            folder = posixpath.dirname(self.around.own) or "."
            seen = posixpath.relpath(path, folder)
            try:
                source = load(content, seen)
                self.modules[path] = self.make(source, names_of(source), path)
            except Refusal as refusal:
                self.faults[path] = tuple(_at(d, seen) for d in refusal.diagnostics)
        return self.modules.get(path)

    def library(self, name: str) -> Module:
        """The module of a file of `in_python`."""
        path = path_of(name)
        if path not in self.modules:
            source = load(text_of(name), path)
            self.modules[path] = self.make(source, names_of(source), path)
        return self.modules[path]

    def _binds(self, path: str, name: str) -> bool:
        module = self.module(path)
        return module is not None and name in module.names.bindings


def _at(diagnostic: Diagnostic, path: str) -> Diagnostic:
    span = diagnostic.span or Span(1, 1, 1, 2)
    return replace(diagnostic, span=span._replace(path=path))


def _either(top: str, path: str) -> str:
    return f"{top!r} may be the library or the file {path!r} of the project"


_CIRCLE = "is imported in a circle"
_MOVE = "define it in one of the files, and import it from there"
_RENAME = "rename the file, or import it from its package"
_FIND = "see how it is spelled, and whether its file is there"
_WRITE = "copy it into a file of the project, or pass its value as a parameter"
