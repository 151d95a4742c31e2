"""Signatures: parameters, annotations, and the unpacking of structured parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf

from ad_transform.emit.python import layout
from ad_transform.emit.python.arrays import Arrays, holds_whole, is_array
from ad_transform.emit.python.layout import INDENT, bracketed
from ad_transform.emit.width import width
from ad_transform.ir.nodes import (
    OPTIONAL,
    Container,
    Function,
    Nest,
    Operand,
    Parameter,
    Passing,
    Var,
)
from ad_transform.ir.types import Type

Reference = Callable[[str], str]

LONGEST_EXACT = 72
"""Result annotations wider than this say `tuple[float, ...]`."""


def list_of(type_: Type) -> str:
    """The annotation of a value: `float`, `list[list[float]]` for two dims."""
    depth = len(type_.dims)
    kind = f"NDArray[np.{type_.kind.value}64]" if type_.shape else type_.kind.value
    return "list[" * depth + kind + "]" * depth


def list_of_items(types: Sequence[Type]) -> str:
    """The annotation of a list whose items are these, as a tuple if there are several.

    `list[float]`, `list[tuple[float, ...]]`, `list[tuple[float, int, int]]`.
    """
    kinds = [list_of(each) for each in types]
    if len(kinds) == 1:
        return f"list[{kinds[0]}]"
    if len(set(kinds)) == 1:
        return f"list[tuple[{kinds[0]}, ...]]"
    return f"list[tuple[{', '.join(kinds)}]]"


def annotation(
    nest: Nest, kinds: Iterator[str], reference: Reference, most: float
) -> str:
    """The type of a nest with leaves of the given kinds.

    More than `most` equal items are written as `tuple[float, ...]`.
    """
    if nest.container is None:
        return next(kinds)
    if nest.container is Container.ARRAY:
        texts = [next(kinds) for _ in range(nest.leaves())]
        whole = bool(texts) and texts[0].startswith("list[") and "int" in texts[0]
        number = reference("numpy.int64" if whole else "numpy.float64")
        return f"{reference('numpy.typing.NDArray')}[{number}]"
    items = [annotation(item, kinds, reference, most) for item in nest.items]
    if len(items) > most and "float" in items and _NUMBERS.issuperset(items):
        items = ["float"] * len(items)  # int and bool are floats to a type checker
    different = list(dict.fromkeys(items))
    is_tuple = nest.container is Container.TUPLE and holds_whole(nest)
    if is_tuple and items[0].startswith("list["):
        return items[0].replace("list", "tuple").replace("]", ", ...]")
    if nest.container is Container.LIST:
        if items[0:1] == different and items[0].startswith("list["):
            return items[0]  # a list of any length
        return f"list[{' | '.join(different) or 'float'}]"
    if not items:
        return "tuple[()]"
    if len(different) == 1 and len(items) > most:
        return f"tuple[{items[0]}, ...]"
    return f"tuple[{', '.join(items)}]"


_NUMBERS = frozenset({"float", "int", "bool"})


def readable_annotation(
    nest: Nest, values: Sequence[Operand], reference: Reference, limit: int
) -> str:
    """The exact type of a nest if that is short enough."""
    kinds = [list_of(value.type) for value in values]
    room = min(LONGEST_EXACT, limit - len(") -> :"))
    texts = [annotation(nest, iter(kinds), reference, most) for most in (inf, 3, 1)]
    return next((text for text in texts if width(text) <= room), texts[-1])


_OF_VECTORS = {
    Container.ARRAY: "numpy.typing.ArrayLike",
    Container.LIST: "collections.abc.Sequence",
}
"""What a parameter that is a vector may be."""


def _parameter(parameter: Parameter, reference: Reference, limit: int) -> str:
    vector = _OF_VECTORS.get(parameter.nest.container or Container.TUPLE)
    if parameter.nest.is_leaf:
        kind = parameter.annotation or list_of(parameter.vars[0].type)
        if kind.startswith(OPTIONAL):
            kind = f"{kind.removeprefix(OPTIONAL)} | None"
    elif any(map(is_array, parameter.vars)):
        kind = _taken(parameter.nest, iter(parameter.vars), reference)
    elif vector:
        kind = reference(vector)
        if parameter.nest.container is Container.LIST:
            depth = len(_sizes(parameter.nest))
            kind = f"{kind}[" * depth + "float" + "]" * depth
    else:
        kind = readable_annotation(parameter.nest, parameter.vars, reference, limit)
    default = "" if parameter.default is None else f" = {parameter.default}"
    return f"{parameter.name}: {kind}{default}"


def _taken(nest: Nest, leaves: Iterator[Var], reference: Reference) -> str:
    """The type of a parameter that is an array, or a tuple of arrays and numbers."""
    if nest.is_leaf:
        return list_of(next(leaves).type)
    if nest.container is Container.TUPLE:
        items = [_taken(item, leaves, reference) for item in nest.items]
        return f"tuple[{', '.join(items)}]"
    type_ = next(leaves).type
    if nest.container is Container.ARRAY:
        return reference(_OF_VECTORS[Container.ARRAY])
    sequence = reference(_OF_VECTORS[Container.LIST])
    depth = len(type_.dims)
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


def unpacking(
    parameter: Parameter,
    names: Mapping[Var, str],
    reference: Reference,
    limit: int,
    arrays: Arrays,
) -> list[str]:
    """The lines that give names to the values of a structured parameter.

    Values without a name are not used and called `_`. A vector has its shape checked
    before (contract, rule 11); of a tuple none of whose values is used no line is made.
    """
    if parameter.nest.is_leaf:
        return []
    if any(map(is_array, parameter.vars)):
        return arrays.lines(parameter, names)
    value, check = _opened(parameter, reference, limit)
    if not any(var in names for var in parameter.vars):
        return check
    texts = iter(parameter.vars)
    items = [_target(item, texts, names) for item in parameter.nest.items]
    margin = " " * INDENT
    bare = f"({items[0]},)" if len(items) == 1 else ", ".join(items)
    line = f"{margin}{bare} = {value}"
    if width(line) <= limit:
        return [*check, line]
    inner = " " * 2 * INDENT
    exploded = (f"{inner}{item}," for item in items)
    return [*check, f"{margin}(", *exploded, f"{margin}) = {value}"]


def _opened(
    parameter: Parameter, reference: Reference, limit: int
) -> tuple[str, list[str]]:
    """What is unpacked, and the lines that check it."""
    name, sizes = parameter.name, _sizes(parameter.nest)
    wanted = f"({', '.join(map(str, sizes))}{',' if len(sizes) == 1 else ''})"
    number = reference("builtins.float")
    match parameter.nest.container:
        case Container.ARRAY:
            shape = f"{reference('numpy.shape')}({name})"
            value = f"{reference('numpy.asarray')}({name}, dtype={number}).tolist()"
            test, shown = f"{shape} != {wanted}", f"{{{shape}}}"
        case Container.LIST:
            length = f"{reference('builtins.len')}({name})"
            value = f"{reference('builtins.map')}({number}, {name})"
            test, shown = f"{length} != {sizes[0]}", f"({{{length}}},)"
            if len(sizes) > 1:
                value = (
                    f"({reference('builtins.map')}({number}, row) for row in {name})"
                )
                lengths = f"[{reference('builtins.len')}(row) for row in {name}]"
                test = f"{lengths} != {[sizes[1]] * sizes[0]}"
                shown = f"rows of {{{lengths}}}"
        case _:
            return name, []
    error = reference("builtins.ValueError")
    raised = f'{error}(f"{name} has shape {shown}, not {wanted}")'
    return value, [
        *_statement("if ", test, ":", INDENT, limit),
        *_statement("raise ", raised, "", 2 * INDENT, limit),
    ]


def _sizes(nest: Nest) -> tuple[int, ...]:
    """The shape of an array whose elements have names."""
    if nest.is_leaf:
        return ()
    return (len(nest.items), *(_sizes(nest.items[0]) if nest.items else ()))


def _statement(head: str, text: str, tail: str, indent: int, limit: int) -> list[str]:
    line = f"{' ' * indent}{head}{text}{tail}"
    if width(line) <= limit:
        return [line]
    return layout.statement(head, text, tail, indent, limit)


def _target(nest: Nest, leaves: Iterator[Var], names: Mapping[Var, str]) -> str:
    if nest.is_leaf:
        return names.get(next(leaves), "_")
    before = [_target(item, leaves, names) for item in nest.items]
    if set(before) == {"_"}:
        return "_"
    return f"({', '.join(before)}{',' if len(before) == 1 else ''})"
