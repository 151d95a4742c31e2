"""Lists, arrays and dicts at the top of a file that its statements only read.

Such a table is a constant. Names that stand for it are followed through the file: `u =
T`, a parameter that it is given to, the rows of a loop over it. It is no constant if a
use may change it, or loses track of it: `return T`, an item of a list.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import field
from typing import Any

from ad_transform.dataclass import dataclass
from ad_transform.elementals import Alias, recognise
from ad_transform.read.project.readers import (
    METHODS,
    NUMBERS,
    OF_ITEMS,
    PAIRS,
    PARTS,
    READERS,
    REDUCTIONS,
    SHOWING,
    VIEWS,
    WRITERS,
    names_in,
    readers_in,
)

NONE: frozenset[str] = frozenset()


def is_only_read(
    name: str,
    tree: ast.Module,
    depth: int,
    is_array: bool = False,
    plain: frozenset[str] = NONE,
) -> bool:
    """Whether no statement of a file may change the table that a name stands for.
    Linear in the file for every name that stands for it.

    `depth` is the number of indices behind which nothing can change; one key that is
    `plain` is enough. A copy of an array has copies of all its elements, a copy of a
    list has not.
    """
    return _following(name, tree, is_array, depth, plain).follows(name, tree, depth)


def is_only_read_in(
    name: str,
    scope: ast.AST,
    tree: ast.Module,
    depth: int,
    is_array: bool = False,
    plain: frozenset[str] = NONE,
) -> bool:
    """The same of a name in one scope of the file: a parameter of a function."""
    return _following(name, tree, is_array, depth, plain).follows(name, scope, depth)


def is_only_read_as_attribute(
    name: str,
    tree: ast.Module,
    depth: int,
    is_array: bool = False,
    body: ast.ClassDef | None = None,
    plain: frozenset[str] = NONE,
) -> bool:
    """The same for an attribute of that name, `self.x` or `module.x`, and for a name
    that is imported, or bound in the `body` of a class.
    """
    uses = [
        n for n in ast.walk(tree) if isinstance(n, ast.Attribute) and n.attr == name
    ]
    imports = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
    aliases = {
        alias.asname or name
        for node in imports
        for alias in node.names
        if alias.name in (name, "*")
    }
    if not uses and not aliases and body is None:
        return True
    found = _following(name, tree, is_array, depth, plain)
    if any(not isinstance(use.ctx, ast.Load) for use in uses):
        return False
    scopes: list[tuple[str, ast.AST]] = [(alias, tree) for alias in sorted(aliases)]
    scopes += [(name, body)] if body is not None else []
    return all(found.follows(one, scope, depth) for one, scope in scopes) and all(
        found.reads(use, depth) for use in uses
    )


def _following(
    name: str, tree: ast.Module, is_array: bool, depth: int, plain: frozenset[str]
) -> _Following:
    is_list = depth == 1 and not is_array
    parents = {
        child: parent
        for parent in ast.walk(tree)
        for child in ast.iter_child_nodes(parent)
    }
    array = name if is_array else ""
    slices = any("slice" in _called(node) for node in parents)
    libraries, readers = names_in(tree), readers_in(tree)
    given = libraries, readers, array, slices, is_list, plain
    return _Following(tree, parents, *given)


def _called(node: ast.AST) -> tuple[str, str]:
    return getattr(node, "id", ""), getattr(node, "attr", "")


def _makes_a_list(statement: ast.AST) -> bool:
    """`x = []`, `x: list[int] = [k for k in y]`, `x = list(y)`."""
    value = getattr(statement, "value", None)
    is_bound = isinstance(statement, ast.Assign | ast.AnnAssign)
    if isinstance(value, ast.Call):
        return is_bound and _called(value.func)[0] in ("list", "sorted")
    return is_bound and isinstance(value, ast.List | ast.ListComp)


def _is_stored(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def _is_out(function: str, place: int | str) -> bool:
    """Whether an argument of a function of numpy is the array to write to, `out`."""
    row = recognise(f"numpy.{function}")
    is_fixed = isinstance(row, Alias) or (row is not None and not row.variadic)
    if row is None or not is_fixed or isinstance(place, str):
        return False
    return place >= len(row.parameters)


def _is_index(node: ast.expr, by_name: bool) -> bool:
    """Whether an index takes an axis away: it is no slice, `None` or `...`. A name is
    one if `by_name`.
    """
    if isinstance(node, ast.Constant):
        return type(node.value) in (int, str)
    return by_name and not isinstance(node, ast.Slice | ast.Starred)


@dataclass(frozen=True, slots=True)
class _Following:
    """A file, and the names in it that are known to stand for a table."""

    tree: ast.Module
    parents: dict[ast.AST, ast.AST]
    libraries: dict[str, str]
    readers: dict[str, frozenset[str]]
    array: str
    has_slices: bool  # names may stand for slices: `s = slice(1, None)`
    is_list: bool  # of numbers: a slice of it is a copy
    plain: frozenset[str]  # keys under which only numbers and texts stand
    known: set[tuple[str, ast.AST, int]] = field(default_factory=set)

    def follows(self, name: str, scope: ast.AST, depth: int) -> bool:
        """Whether all uses of a name in a scope only read."""
        if depth <= 0 or (name, scope, depth) in self.known:
            return True
        self.known.add((name, scope, depth))
        return all(self._agrees(node, name, depth) for node in ast.walk(scope))

    def _agrees(self, node: ast.AST, name: str, depth: int) -> bool:
        if isinstance(node, ast.Global | ast.Nonlocal):
            return name not in node.names
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            return node.target.id != name
        is_use = isinstance(node, ast.Name) and node.id == name
        if is_use and isinstance(node.ctx, ast.Load):  # type: ignore[attr-defined]
            return self.reads(node, depth)
        return True

    def reads(self, use: ast.AST, depth: int) -> bool:
        """Whether a use of a table with this depth changes nothing."""
        if depth <= 0:
            return True
        parent = self.parents[use]
        made = _RULES.get(type(parent))
        return made is not None and made(self, parent, use, depth)

    def _item(self, parent: ast.Subscript, use: ast.AST, depth: int) -> bool:
        if parent.value is not use:
            return True
        items = [parent.slice]
        if isinstance(parent.slice, ast.Tuple):
            items = parent.slice.elts
        is_read = isinstance(parent.ctx, ast.Load)
        if getattr(parent.slice, "value", None) in self.plain:
            return is_read
        if self.is_list and isinstance(parent.slice, ast.Slice):
            return is_read
        lost = sum(_is_index(node, not self.has_slices) for node in items)
        return is_read and self.reads(parent, depth - lost)

    def _operand(self, parent: ast.AST, use: ast.AST, depth: int) -> bool:
        """Sums and multiples of lists share their rows; other results are new."""
        op = getattr(parent, "op", None)
        is_new = isinstance(parent, ast.BinOp) and not isinstance(op, _SHARING)
        return is_new or depth == 1 or self.reads(parent, depth)

    def _hashed(self, parent: ast.AST, use: ast.AST, depth: int) -> bool:
        """`{k: v for k in T}`, `{k for k in T}`: what is a key cannot change."""
        return getattr(parent, "value", None) is not use

    def _entry(self, parent: ast.Dict, use: ast.AST, depth: int) -> bool:
        """`{**T}`, and `{k: v}` in a loop over T: what is a key cannot change."""
        if use in parent.keys:
            return True
        pairs = zip(parent.keys, parent.values, strict=True)
        is_spread = any(key is None and value is use for key, value in pairs)
        return is_spread and depth == 1

    def _compared(self, parent: ast.AST, use: ast.AST, depth: int) -> bool:
        return True

    def _asked(self, parent: ast.AST, use: ast.AST, depth: int) -> bool:
        """Whether the use is a test of truth, or a text that shows the table."""
        return getattr(parent, "test", use) is use

    def _either(self, parent: ast.BoolOp, use: ast.AST, depth: int) -> bool:
        return self.reads(parent, depth)

    def _chosen(self, parent: ast.IfExp, use: ast.AST, depth: int) -> bool:
        return parent.test is use or self.reads(parent, depth)

    def _attribute(self, parent: ast.Attribute, use: ast.AST, depth: int) -> bool:
        call = self.parents[parent]
        if parent.attr in NUMBERS:
            return True
        if parent.attr == "T":
            return self.reads(parent, depth)
        if not isinstance(call, ast.Call) or call.func is not parent:
            is_field = isinstance(parent.ctx, ast.Load) and parent.attr not in PARTS
            left = 0 if parent.attr in self.plain else depth - 1
            return is_field and self.reads(parent, left)
        if depth > 1 and parent.attr in _ENTRIES and not self._own(parent.attr, 0):
            return self.reads(call, depth + _ENTRIES[parent.attr])
        if parent.attr in METHODS:
            is_copy = isinstance(use, ast.Name) and use.id == self.array
            return depth == 1 or parent.attr in REDUCTIONS or is_copy
        if parent.attr in VIEWS:
            return self.reads(call, depth)
        return self._own(parent.attr, depth)

    def _own(self, name: str, depth: int) -> bool:
        """Whether all methods of that name in classes of the file only read."""
        found = [
            statement
            for node in self.tree.body
            if isinstance(node, ast.ClassDef)
            for statement in node.body
            if isinstance(statement, ast.FunctionDef) and statement.name == name
        ]
        firsts = [[*one.args.posonlyargs, *one.args.args][:1] for one in found]
        return bool(found) and all(
            len(first) == 1 and self.follows(first[0].arg, one, depth)
            for first, one in zip(firsts, found, strict=True)
        )

    def _placed(self, parent: ast.Call, use: ast.AST, depth: int) -> bool:
        if parent.func is use:
            return False
        return self._argument(parent, parent.args.index(use), depth)  # type: ignore[arg-type]

    def _named(self, parent: ast.keyword, use: ast.AST, depth: int) -> bool:
        call = self.parents[parent]
        if parent.arg is None:  # `f(**T)` takes the entries out
            return isinstance(call, ast.Call) and depth == 1
        is_one = isinstance(call, ast.Call) and parent.arg != "out"
        return is_one and self._argument(call, parent.arg, depth)  # type: ignore[arg-type]

    def _default(self, parent: ast.arguments, use: ast.AST, depth: int) -> bool:
        """`def g(v, t=T)`: whether the parameter with this default is only read."""
        behind = [*parent.posonlyargs, *parent.args][::-1]
        formals = [*behind[: len(parent.defaults)], *parent.kwonlyargs]
        defaults = [*parent.defaults[::-1], *parent.kw_defaults]
        name = formals[defaults.index(use)].arg  # type: ignore[arg-type]
        return self.follows(name, self.parents[parent], depth)

    def _argument(self, call: ast.Call, place: int | str, depth: int) -> bool:
        """Whether a call with a table as an argument changes nothing."""
        name = self._of_library(call.func)
        if name and isinstance(self.parents[call], ast.Expr):
            return name in SHOWING or name.startswith("assert_")  # not `np.exp(T, T)`
        if name and _is_out(name, place):
            return False  # it is written: `y = np.exp(x, T)`
        if name:
            is_view = name in VIEWS
            deeper = depth + (name == "ix_")  # a tuple of views
            return name not in WRITERS and (not is_view or self.reads(call, deeper))
        if self._is_reader(call.func):
            return depth == 1 or "deepcopy" in _called(call.func)  # or it has the rows
        if not isinstance(call.func, ast.Name):
            return False
        name = call.func.id
        if name in PAIRS and depth > 1:
            return self._paired(call, place, depth)
        if name in READERS:
            return depth == 1 or name == "len" or self.reads(call, depth)
        if name in OF_ITEMS and not self._is_bound(name):
            return depth == 1
        return self._given(name, place, depth)

    def _is_bound(self, name: str) -> bool:
        """Whether the file has a function or a variable of that name."""
        return any(
            name == getattr(node, "name", None)
            or (isinstance(node, ast.Name) and node.id == name and _is_stored(node))
            or (isinstance(node, ast.arg) and node.arg == name)
            for node in self.parents
        )

    def _paired(self, call: ast.Call, place: int | str, depth: int) -> bool:
        """`for i, row in enumerate(T)`, `for k, row in zip(u, T)`: one target gets the
        items of the table.
        """
        loop = self.parents[call]
        targets = getattr(getattr(loop, "target", None), "elts", [])
        is_zip = getattr(call.func, "id", "") == "zip"
        length = len(call.args) if is_zip else 2
        is_plain = not any(isinstance(n, ast.Starred) for n in (*call.args, *targets))
        if isinstance(place, str) or len(targets) != length or not is_plain:
            return self.reads(call, depth + 1)
        return self._bound(loop, targets[place if is_zip else 1], depth - 1)

    def _of_library(self, function: ast.AST) -> str:
        """The name of a function in numpy or math; "" for any other function."""
        if isinstance(function, ast.Name):
            return self.libraries.get(function.id, "")
        root = function
        while isinstance(root, ast.Attribute):
            root = root.value
        is_module = isinstance(root, ast.Name) and self.libraries.get(root.id) == ""
        return function.attr if is_module and function is not root else ""  # type: ignore[attr-defined]

    def _is_reader(self, function: ast.AST) -> bool:
        """Whether a callee is a function of Python's library that only reads."""
        match function:
            case ast.Name(id=name):
                return self.readers.get(name) == frozenset()
            case ast.Attribute(value=ast.Name(id="dict"), attr="fromkeys"):
                return True
            case ast.Attribute(value=ast.Name(id=own), attr=name):
                is_known = name in self.readers.get(own, ())
                return is_known or (name == "extend" and self._is_list(own))
        return False

    def _is_list(self, name: str) -> bool:
        """Whether a name is bound to new lists alone, `found = []`."""
        bound = [
            self.parents[node]
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Name)
            and node.id == name
            and isinstance(node.ctx, ast.Store)
        ]
        given = any(isinstance(n, ast.arg) and n.arg == name for n in self.parents)
        return bool(bound) and not given and all(map(_makes_a_list, bound))

    def _given(self, name: str, place: int | str, depth: int) -> bool:
        """Whether the parameter of a function of the file is only read."""
        found = [
            node
            for node in self.parents
            if isinstance(node, ast.FunctionDef) and node.name == name
        ]
        if len(found) != 1 or isinstance(self.parents[found[0]], ast.ClassDef):
            return False
        taken = found[0].args
        names = [one.arg for one in (*taken.posonlyargs, *taken.args)]
        if isinstance(place, int):
            return place < len(names) and self.follows(names[place], found[0], depth)
        is_there = place in names or place in [one.arg for one in taken.kwonlyargs]
        return is_there and self.follows(place, found[0], depth)

    def _assigned(self, parent: ast.Assign, use: ast.AST, depth: int) -> bool:
        return all(self._bound(parent, target, depth) for target in parent.targets)

    def _listed(self, parent: ast.AST, use: ast.AST, depth: int) -> bool:
        """`np.concatenate([T, u])`."""
        call = self.parents[parent]
        if not isinstance(call, ast.Call) or parent not in call.args:
            return False
        name = self._of_library(call.func)
        return bool(name) and name not in WRITERS and name not in VIEWS

    def _in_turn(self, parent: ast.Tuple, use: ast.AST, depth: int) -> bool:
        """`u, v = T, 1.0`, and `A[i, T]`."""
        if self._listed(parent, use, depth):
            return True
        made, place = self.parents[parent], parent.elts.index(use)  # type: ignore[arg-type]
        if isinstance(made, ast.Subscript):
            return made.slice is parent
        if not isinstance(made, ast.Assign):
            return False
        rows = [one.elts for one in made.targets if isinstance(one, ast.Tuple)]
        fit = len(rows) == len(made.targets) and all(
            len(row) == len(parent.elts) for row in rows
        )
        return fit and all(self._bound(made, row[place], depth) for row in rows)

    def _added(self, parent: ast.AugAssign, use: ast.AST, depth: int) -> bool:
        return depth == 1

    def _looped(
        self, parent: ast.For | ast.comprehension, use: ast.AST, depth: int
    ) -> bool:
        is_over = parent.iter is use
        return is_over and self._bound(parent, parent.target, depth - 1)

    def _bound(self, statement: ast.AST, target: ast.expr, depth: int) -> bool:
        """Whether the targets that a statement binds to a table, or its items, are only
        read.
        """
        if depth <= 0:
            return True
        if isinstance(target, ast.Tuple | ast.List):
            items = target.elts
            return all(self._bound(statement, one, depth - 1) for one in items)
        scope = statement
        while not isinstance(scope, _SCOPES):
            scope = self.parents[scope]
        is_name = isinstance(target, ast.Name) and not isinstance(scope, ast.ClassDef)
        return is_name and self.follows(target.id, scope, depth)  # type: ignore[attr-defined]


_ENTRIES = {"items": 1, "values": 0, "get": -1}
"""Methods of dicts that give their items, and the change of depth."""

_SHARING = (ast.Add, ast.Mult, ast.BitOr)

_SCOPES = (
    ast.Module,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.Lambda,
    ast.ClassDef,
)

_Rule = Callable[[_Following, Any, ast.AST, int], bool]

# fmt: off
_RULES: dict[type[ast.AST], _Rule] = {
    ast.Subscript:     _Following._item,
    ast.BinOp:         _Following._operand,
    ast.UnaryOp:       _Following._operand,
    ast.Starred:       _Following._operand,
    ast.Dict:          _Following._entry,
    ast.DictComp:      _Following._hashed,
    ast.SetComp:       _Following._hashed,
    ast.Set:           _Following._hashed,
    ast.Compare:       _Following._compared,
    ast.IfExp:         _Following._chosen,
    ast.BoolOp:        _Following._either,
    ast.If:            _Following._asked,
    ast.While:         _Following._asked,
    ast.Assert:        _Following._asked,
    ast.FormattedValue: _Following._asked,
    ast.Attribute:     _Following._attribute,
    ast.Call:          _Following._placed,
    ast.List:          _Following._listed,
    ast.Tuple:         _Following._in_turn,
    ast.keyword:       _Following._named,
    ast.arguments:     _Following._default,
    ast.Assign:        _Following._assigned,
    ast.AugAssign:     _Following._added,
    ast.For:           _Following._looped,
    ast.comprehension: _Following._looped,
}
# fmt: on
