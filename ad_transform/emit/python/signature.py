"""Signatures: parameters, annotations, and the unpacking of structured parameters."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from math import inf

from ad_transform.dataclass import replace
from ad_transform.emit.python import layout
from ad_transform.emit.python.arrays import holds_whole, is_array, sizes
from ad_transform.emit.python.dicts.keyed import Keyed
from ad_transform.emit.python.layout import INDENT, bracketed
from ad_transform.emit.schedule.lines import Item, Tuples
from ad_transform.emit.width import width
from ad_transform.ir.nodes import (
    LEAF,
    OPTIONAL,
    Container,
    Function,
    Nest,
    Operand,
    Parameter,
    Passing,
    Var,
)
from ad_transform.ir.types import Kind, Type

Reference = Callable[[str], str]

LONGEST_EXACT = 72
"""Result annotations wider than this say `tuple[float, ...]`."""


def list_of(type_: Type) -> str:
    """The annotation of a value: `float`, `list[list[float]]` for two dims.

    An array that is being filled, whose dims are its shape, is an array.
    """
    if isinstance(type_, Keyed):
        return type_.annotation
    depth = 0 if type_.dims == type_.shape else len(type_.dims)
    kind = _WORDS.get(type_.kind, type_.kind.value)
    if type_.shape:
        kind = f"NDArray[np.{_OF_NUMPY.get(type_.kind, f'{kind}64')}]"
    return "list[" * depth + kind + "]" * depth


ANYTHING = "Any"

_WORDS = {Kind.RECORD: ANYTHING}
"""Kinds whose annotation is no builtin."""

_OF_NUMPY = {Kind.BOOL: "bool_"}
"""Kinds whose arrays are not of a type of 64 bits."""


WIDEST = 60
"""Columns of the widest annotation of a tuple item by item."""


def list_of_items(types: Sequence[Item]) -> str:
    """The annotation of a list whose items are these, as a tuple if there are several.

    `list[float]`, `list[tuple[float, ...]]`, `list[tuple[float, int, int]]`; where that
    is too long to be read, `list[tuple[Any, ...]]`.
    """
    kinds = [
        list_of(each) if isinstance(each, Type) else _list_of_tuples(each)
        for each in types
    ]
    if len(kinds) == 1:
        return f"list[{kinds[0]}]"
    if len(set(kinds)) == 1:
        return f"list[tuple[{kinds[0]}, ...]]"
    text = f"list[tuple[{', '.join(kinds)}]]"
    return text if len(text) <= WIDEST else f"list[tuple[{ANYTHING}, ...]]"


def _list_of_tuples(item: Tuples) -> str:
    deeper = item.depth - 1
    return "list[" * deeper + list_of_items(item.types) + "]" * deeper


def _is_of_whole_numbers(text: str) -> bool:
    """Whether a part of an array is one of whole numbers, by its type."""
    return text.startswith(("list[", "NDArray[")) and "int" in text


def annotation(
    nest: Nest, kinds: Iterator[str], reference: Reference, most: float
) -> str:
    """The type of a nest with leaves of the given kinds.

    More than `most` equal items are written as `tuple[float, ...]`.
    """
    if nest.container is None:
        return next(kinds)
    if nest.container is Container.NOTHING:
        return "None"
    if nest.maker is not None:
        list(islice(kinds, nest.leaves()))
        return reference(nest.maker.qualified)
    if nest.container is Container.TUPLE and nest.is_packed:
        list(islice(kinds, nest.leaves()))
        return "tuple[float, ...]"
    if nest.container is Container.ARRAY:
        texts = [next(kinds) for _ in range(nest.leaves())]
        whole = bool(texts) and all(map(_is_of_whole_numbers, texts))
        number = reference("numpy.int64" if whole else "numpy.float64")
        return f"{reference('numpy.typing.NDArray')}[{number}]"
    items = [annotation(item, kinds, reference, most) for item in nest.items]
    if len(items) > most and "float" in items and _NUMBERS.issuperset(items):
        items = ["float"] * len(items)  # int and bool are floats to a type checker
    different = list(dict.fromkeys(items))
    if nest.container is Container.DICT:
        return f"dict[{_keys(nest, reference)}, {' | '.join(different)}]"
    is_tuple = nest.container is Container.TUPLE and holds_whole(nest)
    if is_tuple and items[0].startswith("list["):
        return items[0].replace("list", "tuple").replace("]", ", ...]")
    if nest.container is Container.LIST:
        if holds_whole(nest) and items[0].startswith("list["):
            return items[0]  # a list of any length
        return f"list[{' | '.join(different) or 'float'}]"
    if not items:
        return "tuple[()]"
    if len(different) == 1 and len(items) > most:
        return f"tuple[{items[0]}, ...]"
    return f"tuple[{', '.join(items)}]"


def _keys(nest: Nest, reference: Reference) -> str:
    """The type of the keys of a dict."""
    kinds = dict.fromkeys(type(literal_eval(name)).__name__ for name in nest.names)
    return " | ".join(reference(f"builtins.{kind}") for kind in kinds)


_NUMBERS = frozenset({"float", "int", "bool"})


def readable_annotation(
    nest: Nest, values: Sequence[Operand], reference: Reference, limit: int
) -> str:
    """The exact type of a nest if that is short enough."""
    kinds = [list_of(value.type) for value in values]
    if any(value.type.kind is Kind.RECORD for value in values):
        reference("typing.Any")
    room = min(LONGEST_EXACT, limit - len(") -> :"))
    texts = [annotation(nest, iter(kinds), reference, most) for most in (inf, 3, 1)]
    return next((text for text in texts if width(text) <= room), texts[-1])


_OF_VECTORS = {
    Container.ARRAY: "numpy.typing.ArrayLike",
    Container.LIST: "collections.abc.Sequence",
}
"""The annotation of a parameter that is a vector."""


def _parameter(parameter: Parameter, reference: Reference, limit: int) -> str:
    kind = _kind(parameter, reference, limit)
    return f"{parameter.name}: {kind}{_default(parameter, reference)}"


def _kind(parameter: Parameter, reference: Reference, limit: int) -> str:
    """The annotation of a parameter."""
    if parameter.nest.is_optional:
        own = replace(parameter, vars=parameter.vars[1:], nest=parameter.nest.items[1])
        return f"{_kind(own, reference, limit)} | None"
    vector = _OF_VECTORS.get(parameter.nest.container or Container.TUPLE)
    if parameter.nest.is_leaf and parameter.nest.names:
        kind = reference("typing.Any")
    elif parameter.nest.is_leaf:
        kind = parameter.annotation or list_of(parameter.vars[0].type)
        if kind.startswith(OPTIONAL):
            kind = f"{kind.removeprefix(OPTIONAL)} | None"
    elif parameter.nest.names:
        kind = _named(parameter.nest, reference)
    elif any(map(_holds_object, parameter.nest.items)):
        kind = f"{reference('collections.abc.Sequence')}[{reference('typing.Any')}]"
    elif any(map(is_array, parameter.vars)):
        kind = _taken(parameter.nest, iter(parameter.vars), reference)
    elif vector:
        kind = reference(vector)
        if parameter.nest.container is Container.LIST:
            depth = len(sizes(parameter.nest))
            kind = f"{kind}[" * depth + "float" + "]" * depth
    else:
        kind = readable_annotation(parameter.nest, parameter.vars, reference, limit)
    return kind


def _holds_object(nest: Nest) -> bool:
    return bool(nest.names) or any(map(_holds_object, nest.items))


def _default(parameter: Parameter, reference: Reference) -> str:
    """` = 1.0`; the classes of objects by the names that the output has for them."""
    if parameter.default is None:
        return ""
    text = parameter.default
    for maker in parameter.makers:
        name = reference(maker.qualified)
        text = re.sub(rf"(?<![.\w]){re.escape(maker.name)}(?=[(.])", name, text)
    return f" = {text}"


def _named(nest: Nest, reference: Reference) -> str:
    """The type of a parameter that is an object or a dict."""
    anything = reference("typing.Any")
    if nest.container is Container.OBJECT:
        return anything
    mapping = reference("collections.abc.Mapping")
    return f"{mapping}[{_keys(nest, reference)}, {anything}]"


def _taken(nest: Nest, leaves: Iterator[Var], reference: Reference) -> str:
    """The type of a parameter that is an array, or a tuple of arrays and numbers."""
    if nest == LEAF:
        return list_of(next(leaves).type)
    if nest.container is Container.NOTHING:
        return "None"
    if nest.names:
        list(islice(leaves, nest.leaves()))
        return _named(nest, reference)
    if nest.container is Container.TUPLE:
        items = [_taken(item, leaves, reference) for item in nest.items]
        return f"tuple[{', '.join(items)}]"
    first, *_ = islice(leaves, nest.leaves())
    type_ = first.type
    if nest.container is Container.ARRAY:
        return reference(_OF_VECTORS[Container.ARRAY])
    sequence = reference(_OF_VECTORS[Container.LIST])
    depth = 1 if nest.is_packed else len(type_.dims)
    return f"{sequence}[" * depth + type_.kind.value + "]" * depth


def passed(function: Function) -> tuple[Parameter, ...]:
    """The parameters that a call passes; constants of the module are none."""
    return tuple(p for p in function.parameters if p.passing is not Passing.MODULE)


def parameter_list(function: Function, reference: Reference, limit: int) -> list[str]:
    """The parameters with the marks `/` and `*` where they belong."""
    items: list[str] = []
    before = Passing.POSITIONAL_ONLY
    for parameter in passed(function):
        passing = parameter.passing
        if before is Passing.POSITIONAL_ONLY and passing is not before and items:
            items.append("/")
        if passing is Passing.KEYWORD_ONLY and before is not passing:
            items.append("*")
        items.append(_parameter(parameter, reference, limit))
        before = passing
    if items and before is Passing.POSITIONAL_ONLY:
        items.append("/")
    return items


def signature(function: Function, reference: Reference, limit: int) -> list[str]:
    """`def name(...) -> ...:`, one parameter a line if it is too long."""
    items = parameter_list(function, reference, limit)
    result = readable_annotation(function.nest, function.results, reference, limit)
    line = f"def {function.name}({', '.join(items)}) -> {result}:"
    if width(line) <= limit or not items:
        return [line]
    inner = " " * INDENT
    if width(f") -> {result}:") > limit and result.startswith("tuple["):
        return _broken_result(function, items, result, limit)
    together = inner + ", ".join(items)
    fits = width(together) <= limit and len(items) > 1
    body = [together] if fits else _exploded(items, limit)
    return [f"def {function.name}(", *body, f") -> {result}:"]


def _broken_result(
    function: Function, items: list[str], result: str, limit: int
) -> list[str]:
    """A signature with one item of the result's type a line."""
    types = layout.items(result.removeprefix("tuple[")[:-1])
    lines = [*_exploded(types, limit), "]:"]
    head = f"def {function.name}({', '.join(items)}) -> tuple["
    if width(head) <= limit:
        return [head, *lines]
    return [f"def {function.name}(", *_exploded(items, limit), ") -> tuple[", *lines]


def _exploded(items: list[str], limit: int) -> list[str]:
    return [
        line for item in items for line in bracketed(item, " " * INDENT, ",", limit)
    ]
