"""Definitions of constant lists of numbers, for outputs that read them by an index.

`OCV = [3.0, 3.4, 3.6]` stands in the output as it does in the source. An array, or a
list that something computes, is written out as a list of its numbers.
"""

from __future__ import annotations

import ast

from ad_transform.ir.nodes import Container
from ad_transform.ir.types import Items
from ad_transform.read.constants.spelling import value_text
from ad_transform.read.project.module import Module
from ad_transform.read.reading import Constant
from ad_transform.read.values.structured import Group
from ad_transform.read.values.written import items_of


def defined(
    module: Module, name: str, group: Group, text: str, notes: tuple[str, ...]
) -> str:
    """The name of a list in the output, which has its definition then.

    `text` is the definition in the source; empty if that cannot be copied.
    """
    items = items_of(group)
    assert items is not None
    called = module.called(name)
    if group.container is Container.ARRAY:
        called = module.beside(f"_{name.lstrip('_')}", name)
    if group.container is Container.ARRAY or not _says(text, items):
        text = _text(items)
    known = module.shared.constants.get(called)
    if known is None:
        module.define(name, Constant(called, text, notes))
    module.shared.written[called] = items
    return called


def _says(text: str, items: Items) -> bool:
    """Whether a text is the list of these items, written out."""
    try:
        return bool(text) and repr(_listed(ast.literal_eval(text))) == repr(items)
    except (SyntaxError, ValueError):
        return False


def _listed(value: object) -> object:
    """A value with tuples in the place of its lists."""
    return tuple(map(_listed, value)) if isinstance(value, list | tuple) else value


def _text(items: Items) -> str:
    if isinstance(items, tuple):
        return f"[{', '.join(map(_text, items))}]"
    return value_text(items)
