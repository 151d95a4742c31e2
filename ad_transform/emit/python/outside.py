"""Functions that are not looked into, as Python has them: imported from their file.

One that takes or gives arrays is called through a function that is printed for it, by
numbers: the rest of the output has these alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ad_transform.dataclass import replace
from ad_transform.emit.python.layout import INDENT, statement
from ad_transform.emit.python.signature import signature
from ad_transform.emit.target import Printed
from ad_transform.ir.nodes import (
    Container,
    Function,
    Nest,
    Outside,
    Parameter,
    Var,
    one_or_tuple,
)

Names = Mapping[Var, str]


def print_outside(
    function: Function, outside: Outside, reserved: frozenset[str], limit: int
) -> Printed:
    """The import of a function, and a function that calls it by numbers, if needed."""
    imports = {outside.called: f"{outside.path}.{outside.name}"}
    if function.name == outside.called:
        return Printed("", tuple(imports.items()), (), ())
    np = "np"
    while np in reserved or np in (p.name for p in function.parameters):
        np = f"_{np}"
    text = "\n".join(_lines(function, outside, np, reserved, limit)) + "\n"
    if re.search(rf"\b{np}\.", text):
        imports |= {np: "numpy"}
    return Printed(text, tuple(sorted(imports.items())), (), ())


def _lines(
    function: Function, outside: Outside, np: str, reserved: frozenset[str], limit: int
) -> Iterator[str]:
    taken = {*reserved, outside.called, np}
    names = {
        var: _unlike(p.name if p.nest.is_leaf else f"{p.name}_{k}", taken)
        for p in function.parameters
        for k, var in enumerate(p.vars, 1)
    }
    yield from _head(function, names, limit)
    many = "numbers" if len(function.results) > 1 else "number"
    yield f'    """The {many} that `{outside.name}` gives."""'
    values = {
        k: _unlike("value" if nest == function.nest else f"value_{k}", taken)
        for k, nest in enumerate(_ends(function.nest), 1)
    }
    given = (
        _gathered(p.nest, iter([names[v] for v in p.vars]), np)
        for p in function.parameters
    )
    call = f"{outside.called}({', '.join(given)})"
    target = _pattern(function.nest, iter(values.values()))
    yield from statement(f"{target} = ", call, "", INDENT, limit)
    for name, nest in zip(values.values(), _ends(function.nest), strict=True):
        if not nest.is_leaf:
            yield from _checked(name, nest, outside, np, limit)
    yield from _returned(function, values, limit)


def _unlike(wish: str, taken: set[str]) -> str:
    name = wish
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _head(function: Function, names: Names, limit: int) -> list[str]:
    """The signature by numbers."""
    parameters = tuple(
        Parameter(names[var], (var,), annotation=p.annotation)
        for p in function.parameters
        for var in p.vars
    )
    nest = one_or_tuple(len(function.results))
    flat = replace(function, parameters=parameters, nest=nest)
    return signature(flat, lambda qualified: qualified, limit)


def _ends(nest: Nest) -> Iterator[Nest]:
    """The numbers and arrays in tuples, in order."""
    if nest.container is Container.TUPLE:
        for item in nest.items:
            yield from _ends(item)
    else:
        yield nest


def _pattern(nest: Nest, names: Iterator[str]) -> str:
    if nest.container is not Container.TUPLE:
        return next(names)
    items = [_pattern(item, names) for item in nest.items]
    inner = [f"({text})" if "," in text else text for text in items]
    return ", ".join(inner) + "," * (len(inner) == 1)


def _gathered(nest: Nest, names: Iterator[str], np: str) -> str:
    """An argument, made of numbers."""
    text = _nested(nest, names)
    return f"{np}.array({text})" if nest.container is Container.ARRAY else text


def _nested(nest: Nest, names: Iterator[str]) -> str:
    if nest.is_leaf:
        return next(names)
    inner = ", ".join(_nested(item, names) for item in nest.items)
    if nest.container is Container.TUPLE:
        return f"({inner}{',' * (len(nest.items) == 1)})"
    return f"[{inner}]"


def _checked(
    name: str, nest: Nest, outside: Outside, np: str, limit: int
) -> Iterator[str]:
    """Lines that check the shape of an array that the function gives."""
    margin, shape = " " * INDENT, _shape(nest)
    yield f"{margin}{name} = {np}.asarray({name}, dtype=float)"
    yield f"{margin}if {name}.shape != {shape}:"
    said = f'f"{outside.name} gives shape {{{name}.shape}}, not {shape}"'
    yield from statement("raise ", f"ValueError({said})", "", 2 * INDENT, limit)


def _shape(nest: Nest) -> tuple[int, ...]:
    return () if nest.is_leaf else (len(nest.items), *_shape(nest.items[0]))


def _returned(
    function: Function, values: Mapping[int, str], limit: int
) -> Sequence[str]:
    ends = list(zip(values.values(), _ends(function.nest), strict=True))
    if len(function.results) == 1:
        name, nest = ends[0]
        text = name if nest.is_leaf else f"float({name}.item())"
        return [f"{' ' * INDENT}return {text}"]
    if len(ends) == 1:
        return [f"{' ' * INDENT}return tuple({ends[0][0]}.ravel().tolist())"]
    texts = [n if nest.is_leaf else f"*{n}.ravel().tolist()" for n, nest in ends]
    return statement("return ", f"({', '.join(texts)})", "", INDENT, limit)
