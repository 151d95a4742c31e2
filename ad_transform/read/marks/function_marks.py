"""Marks of functions for their callers, such as `# ad: external`; they ask for no
derivative.

    # ad: external(shape=[2, 5])    it is not looked into; `shape` is that of its result
    # ad: rule(f, jac)              it gives a derivative of `f`: jac, jvp or vjp
    # ad: passive                   no derivative goes through it

`passive` stands above statements, too.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Diagnostic
from ad_transform.read.marks.loop_marks import items_of, mark_blocks
from ad_transform.read.marks.marks import Item, suggestion
from ad_transform.read.syntax.names import Bound, Names
from ad_transform.read.syntax.source import Source

PASSIVE = "passive"
DERIVATIVES = ("jac", "jvp", "vjp")


@dataclass(frozen=True, slots=True)
class About:
    """The facts that the marks of a file tell of its functions, by name.

    `shapes` are those of the results of `external` functions, None for one without
    `shape`; `rules` are the functions that give derivatives, by function and kind.
    """

    shapes: Mapping[str, Sequence[int] | None] = field(default_factory=dict)
    rules: Mapping[tuple[str, str], str] = field(default_factory=dict)
    passive: frozenset[str] = frozenset()

    def is_outside(self, name: str) -> bool:
        """Whether the body of a function is not read."""
        return name in self.shapes or any(name == of for of, _ in self.rules)

    @classmethod
    def of(cls, marked: Sequence[tuple[str, Item]]) -> About:
        """The facts in items above functions; faulty parts of items are left out."""
        items = [(name, item) for name, item in marked if item.kind in ABOUT]
        shapes = {
            name: _sizes(item.typed.get("shape"))
            for name, item in items
            if item.kind == "external"
        }
        rules = {
            (item.names[0][0], item.names[1][0]): name
            for name, item in items
            if item.kind == "rule" and len(item.names) == 2
        }
        passive = frozenset(name for name, item in items if item.kind == PASSIVE)
        return cls(shapes, rules, passive)


def _sizes(value: object) -> tuple[int, ...] | None:
    if not isinstance(value, tuple) or not all(type(n) is int and n > 0 for n in value):
        return None
    return value


# --- checks -------------------------------------------------------------------------


def check_about(item: Item, names: Names) -> Iterator[Diagnostic]:
    """The faults of one item above a function."""
    yield from ABOUT[item.kind](item, names)


def _external(item: Item, names: Names) -> Iterator[Diagnostic]:
    example = "write `# ad: external` or `# ad: external(shape=[2, 5])`"
    for name, span in item.names:
        message = f"'external' takes no names, and {name!r} is one"
        yield Diagnostic("AD020", message, span, example)
    for name, value, span in item.options:
        if name != "shape":
            message = f"unknown option {name!r} of 'external'"
            yield Diagnostic("AD020", message, span, suggestion(name, ("shape",)))
        elif _sizes(value) is None:
            message = "'shape' is no list of sizes in brackets"
            yield Diagnostic("AD020", message, span, example)


def _rule(item: Item, names: Names) -> Iterator[Diagnostic]:
    example = "write `# ad: rule(f, jac)`, `rule(f, jvp)` or `rule(f, vjp)`"
    if len(item.names) != 2 or item.options:
        message = "'rule' takes a function and the kind of its derivative"
        yield Diagnostic("AD020", message, item.span, example)
        return
    (function, where), (kind, place) = item.names
    found = names.at_runtime(function)
    if len(found) != 1 or found[0].bound is not Bound.FUNCTION:
        message = f"{function!r} is no function of this file"
        known = [n for n, b in names.bindings.items() if b[0].bound is Bound.FUNCTION]
        yield Diagnostic("AD020", message, where, suggestion(function, known))
    if kind not in DERIVATIVES:
        message = f"there is no rule of the kind {kind!r}"
        yield Diagnostic("AD020", message, place, suggestion(kind, DERIVATIVES))


def _passive(item: Item, names: Names) -> Iterator[Diagnostic]:
    if item.names or item.options:
        message = "'passive' takes nothing"
        yield Diagnostic("AD020", message, item.span, "write `# ad: passive`")


ABOUT: Mapping[str, Callable[[Item, Names], Iterator[Diagnostic]]] = {
    "external": _external,
    "rule": _rule,
    PASSIVE: _passive,
}
"""These marks, and the check of each."""


# --- statements ---------------------------------------------------------------------


def passive_lines(source: Source) -> frozenset[int]:
    """The first lines of statements below a `passive`."""
    if PASSIVE not in source.text:
        return frozenset()
    lines = {
        node.lineno
        for node in source.nodes
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Return)
    }
    return frozenset(
        line
        for line, block in mark_blocks(source).items()
        if line in lines and _is_passive(items_of(block)[0])
    )


def _is_passive(items: Sequence[Item]) -> bool:
    bare = all(not item.names and not item.options for item in items)
    return bool(items) and bare and all(item.kind == PASSIVE for item in items)
