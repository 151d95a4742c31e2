"""Definitions of arrays as text: `GRID = np.exp(-np.arange(5.0)).tolist()`.

Functions of numpy keep their names here, for they are given arrays. An array of the
file is read as `np.array(GRID)`, for the output holds lists.
"""

from __future__ import annotations

from typing import TypeAlias

import libcst as cst

from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import INT, Kind
from ad_transform.read.constants.definitions import MOST, spelled
from ad_transform.read.constants.laying_out import Rename, lay_out
from ad_transform.read.constants.spelling import value_text
from ad_transform.read.known.grids import holds_array, is_array
from ad_transform.read.project.elsewhere import Home
from ad_transform.read.project.module import Module
from ad_transform.read.reading import Constant
from ad_transform.read.syntax.concrete import Concrete
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Value

Path: TypeAlias = tuple[tuple[int, int], ...]
"""Index and number of items at each level, from the outside in."""


def array_text(
    module: Module,
    form: Concrete,
    node: cst.BaseExpression,
    value: Value,
    path: Path = (),
) -> str:
    """A definition that functions of numpy compute from arrays: the text of lists or of
    a number.

    With a `path` it is an item of the expression. The text is empty if the definition
    cannot be copied: it calls functions of the file, or is too long.
    """
    rename = Rename(lambda name: _named(module, name), form.pieces, has_methods=True)
    node = form.whole(node)
    if not isinstance(node, cst.Tuple):
        node = node.with_changes(lpar=(), rpar=())
    try:
        text = lay_out(node, rename)
    except KeyError:
        return ""
    is_plain = isinstance(node, cst.Name | cst.Call | cst.Subscript | cst.Attribute)
    atom = text if is_plain or isinstance(node, cst.Tuple) else f"({text})"
    atom += "".join(f"[{at}]" for at, _ in path)
    whole = atom if path else text
    if isinstance(value, Group) and not is_array(value):
        text = f"tuple(array.tolist() for array in {whole})"
    elif isinstance(value, Group):
        text = f"{atom}.tolist()"
    elif isinstance(value, Draft) and not value.type.shape:
        text = f"{'int' if value.type == INT else 'float'}({whole})"
    else:
        text = whole
    return text if len(text) <= MOST else ""


def _named(module: Module, name: str) -> str:
    """The text for a dotted name in a definition of an array; KeyError without one."""
    home = module.elsewhere.home(module, name)
    if isinstance(home, Home) and home.dotted:
        if home.module.is_source:
            raise KeyError(name)  # its definition stands behind those of other files
        return _named(home.module, home.dotted)
    first, dot, rest = name.partition(".")
    value = module.values.get(first)
    if isinstance(value, Group):
        if holds_array(value) and not is_array(value):
            raise KeyError(name)  # the output holds lists in it
        own = _own(module, first, value)
        if is_array(value):
            own = f"{module.shared.numpy}.array({own})"
        return own + dot + rest
    if isinstance(value, Draft) and first in module.own:
        return module.own[first] + dot + rest  # an array, or a number
    qualified = module.meaning(name)
    if qualified.startswith("numpy."):
        return f"{module.shared.numpy}.{qualified.removeprefix('numpy.')}"
    if not qualified and first not in module.values:
        raise KeyError(name)  # a function of the file: its copy is one of numbers
    return spelled(module, name)


def _own(module: Module, name: str, value: Group) -> str:
    """The name in the output of a list, tuple or array, which is put there."""
    if name not in module.own:
        called = module.called(name)
        module.define(name, Constant(called, _numbers(value, name)))
    return module.own[name]


def _numbers(value: Value, name: str) -> str:
    """Known numbers as text, in lists or tuples; KeyError for other values."""
    if (
        isinstance(value, Literal)
        and not value.name
        and value.type.kind in (Kind.FLOAT, Kind.INT)
    ):
        return value_text(value.value)
    if not isinstance(value, Group):
        raise KeyError(name)
    text = ", ".join(_numbers(item, name) for item in value.items)
    if value.container is not Container.TUPLE:
        return f"[{text}]"
    return f"({text}{',' * (len(value.items) == 1)})"
