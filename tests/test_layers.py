"""The order of the layers: each module imports only what stands before it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "ad_transform"
LAYERS = [
    "dataclass",
    "later",
    "diagnostics",
    "around",
    "options",
    "ir",
    "elementals",
    "graph",
    "eliminate",
    "derive",
    "emit",
    "picture",
    "read",
    "run",
    "cli",
    "__main__",
]
# Packages that only some of us may import; whom nobody may is in none.
FOREIGN = {"libcst": {"read"}, "click": {"cli"}, "numpy": set(), "black": set()}
MODULES = sorted(ROOT.rglob("*.py"))


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """All statements in one, which stand in its lists; expressions hold none."""
    for field in vars(node).values():
        if isinstance(field, list):
            for part in field:
                if isinstance(part, ast.stmt | ast.excepthandler | ast.match_case):
                    yield part
                    yield from statements(part)


@cache
def imported(path: Path) -> list[str]:
    """The dotted names of what a module imports, wherever in it."""
    package = path.relative_to(ROOT.parent).parent.parts
    found: list[str] = []
    for node in statements(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            origin = ".".join((*above, *filter(None, [node.module])))
            found += (f"{origin}.{alias.name}" for alias in node.names)
    return found


def layer(parts: tuple[str, ...]) -> str:
    return parts[0].removesuffix(".py")


def may_import(here: str, name: str) -> bool:
    """Whether modules of a layer may import what has a dotted name."""
    top, *rest = name.split(".")
    if top != "ad_transform":
        return here in FOREIGN.get(top, {here})
    if here == "__init__":  # the marks import nothing
        return False
    return LAYERS.index(layer(tuple(rest))) <= LAYERS.index(here)


def test_imports_go_down():
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in MODULES
        for name in imported(path)
        if not may_import(layer(path.relative_to(ROOT).parts), name)
    ]
    assert len(MODULES) > 300 and not wrong


PARTS = ("looping", "operators", "rebuildable", "statements", "values")
NODES = {f"ad_transform.ir.{name}" for name in PARTS}


def test_what_nodes_hands_on_is_imported_from_there():
    """One way to a name: its parts are for `ir.nodes`, and for each other."""
    parts = {*NODES, "ad_transform.ir.nodes"}
    wrong = [
        f"{name} imports {found}"
        for path in MODULES
        for name in [".".join(path.relative_to(ROOT.parent).with_suffix("").parts)]
        for found in imported(path)
        if name not in parts and found.rpartition(".")[0] in NODES
    ]
    assert not wrong


def bound(path: Path) -> set[str]:
    """The names under which a module has what it imports."""
    made = statements(ast.parse(path.read_text(encoding="utf-8")))
    imports = (node for node in made if isinstance(node, ast.ImportFrom))
    return {alias.asname or alias.name for node in imports for alias in node.names}


def test_names_are_imported_from_where_they_are_made():
    """Only packages, and `ir.nodes`, hand on what others make."""
    here = {
        ".".join(path.relative_to(ROOT.parent).with_suffix("").parts): path
        for path in MODULES
    }
    taken = {name: bound(path) for name, path in here.items()}
    del taken["ad_transform.ir.nodes"]
    wrong = [
        f"{path.relative_to(ROOT)} imports {found}"
        for path in MODULES
        for found in imported(path)
        for module, _, name in [found.rpartition(".")]
        if name in taken.get(module, ()) and found not in here
    ]
    assert len(taken) > 300 and not wrong


def test_objects_are_copied_in_one_way():
    wrong = [path for path in MODULES if "dataclasses.replace" in imported(path)]
    assert not wrong, "ad_transform.dataclass has the one for our classes"


@cache
def printer() -> dict[str, set[str]]:
    """The modules that print, with what each imports."""
    return {
        ".".join(path.relative_to(ROOT.parent).with_suffix("").parts): {*imported(path)}
        for path in (ROOT / "emit").rglob("*.py")
    }


@pytest.mark.parametrize("part", ["schedule", "wholes"])
def test_what_targets_share_knows_none_of_them(part):
    """What gets a statement and a name, and which loops whole arrays become."""
    inside = [n for n in printer() if n.startswith(f"ad_transform.emit.{part}.")]
    assert inside
    for name in inside:
        emitting = (n for n in printer()[name] if n.startswith("ad_transform.emit."))
        assert {n.split(".")[2] for n in emitting} <= {part, "schedule", "width"}, name


def test_no_modules_of_the_printer_import_each_other():
    """Each one stands before those that import it, for the type checker, too."""
    waiting = {
        name: {n for n in printer() if any(f"{f}.".startswith(f"{n}.") for f in found)}
        for name, found in printer().items()
    }
    while ready := {name for name, before in waiting.items() if not before}:
        waiting = {n: b - ready for n, b in waiting.items() if n not in ready}
    assert not waiting


def test_every_module_has_a_layer():
    assert {layer(p.relative_to(ROOT).parts) for p in MODULES} - {"__init__"} <= {
        *LAYERS
    }
