"""Definitions of constant lists of numbers, for outputs that read them by an index.

`OCV = [3.0, 3.4, 3.6]` stands in the output as it does in the source. An array, or a
list that something computes, is written out as a list of its numbers.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial

from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import Items
from ad_transform.read.constants.spelling import value_text
from ad_transform.read.containers import keys
from ad_transform.read.project.module import Module
from ad_transform.read.reading import Constant
from ad_transform.read.values.structured import Dict, Group, Object
from ad_transform.read.values.values import Value
from ad_transform.read.values.written import items_of


def remember_parts(module: Module, name: str, value: Value, place: str) -> None:
    """Let outputs define the lists in a constant: entries of dicts, `_RATES_hot`, and
    the columns of tables of tuples or objects, `_ROWS_0`, `_LINKS_length`.

    `place` is the name in the file that they stand beside in the output.
    """
    for word, part in _parts(value):
        remember(module, f"{name}_{word}", part, place)


def remember(module: Module, name: str, value: Value, place: str) -> None:
    """Let outputs define a list, or the lists in a value, under a private name."""
    items = items_of(value) if isinstance(value, Group) else None
    if isinstance(value, Group) and items is not None:
        make = cache(partial(_written, module, name, place, items))
        part = part_of(module, name, place)
        module.shared.lists.enter(value, make, part)
    elif not isinstance(value, Literal):
        remember_parts(module, name, value, place)


def part_of(module: Module, name: str, place: str) -> Callable[[Items, str], str]:
    """A function that defines slices of a list, and gives their names in the output."""

    def define(items: Items, word: str) -> str:
        return _written(module, f"{name}_{word}" if word else name, place, items)

    return define


def _parts(value: Value) -> Iterator[tuple[str, Value]]:
    """The parts of a constant that are read as lists, with words for them."""
    if isinstance(value, Dict):
        for key, item in zip(value.keys, value.items, strict=True):
            word = str(keys.plain(key))
            if f"_{word}".isidentifier():
                yield word, item
    elif isinstance(value, Group):
        words = _words_of_rows(value)
        rows = (row.items for row in value.items if isinstance(row, Group | Object))
        for word, column in zip(words, zip(*rows, strict=True), strict=False):
            yield word, Group(Container.TUPLE, column)


def _words_of_rows(table: Group) -> Sequence[str]:
    """Words for the columns of a table; none if it has none."""
    kinds = {(type(row), getattr(row, "of", None)) for row in table.items}
    first = table.items[0] if table.items else None
    if len(kinds) > 1 or not isinstance(first, Group | Object):
        return ()
    rows = [row for row in table.items if isinstance(row, Group | Object)]
    if len({len(row.items) for row in rows}) > 1:
        return ()
    if first.of is not None:
        return first.of.names
    return [str(k) for k in range(len(first.items))]


def _written(module: Module, name: str, place: str, items: Items) -> str:
    """The name of a list in the output, where it is written out."""
    called = module.beside(f"_{name.lstrip('_')}", place)
    module.shared.constants[called] = Constant(called, _text(items))
    module.shared.written[called] = items
    return called


def defined(
    module: Module, name: str, group: Group, text: str, notes: tuple[str, ...]
) -> str:
    """The name of a list in the output, which has its definition then.

    `text` is the definition in the source; empty if that cannot be copied.
    """
    items = items_of(group)
    assert items is not None
    if group.container is Container.ARRAY:
        return _written(module, name, name, items)
    called = module.called(name)
    if called not in module.shared.constants:
        said = text if _says(text, items) else _text(items)
        module.define(name, Constant(called, said, notes))
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
