"""Arrays of numbers that a function writes out become constants of the output.

`K = np.array([[1.0, 2.0], [3.0, 4.0]])` is made once, where the output is imported, not
at each call. Where somebody else might see the array, or change it, there is a copy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias, TypeGuard

from ad_transform.dataclass import replace
from ad_transform.derive.constants.module_arrays import ModuleArray, ModuleArrays
from ad_transform.derive.constants.reads import Uses
from ad_transform.derive.kinds.kinds import Derived
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.live import live
from ad_transform.ir.called import callees_of
from ad_transform.ir.count import count
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Parameter,
    Statement,
    Var,
)

Shape: TypeAlias = tuple[int, ...]
Numbers: TypeAlias = tuple[Literal, ...]
Find: TypeAlias = Callable[[Shape, Numbers, str], ModuleArray | None]
"""The array of the output with these lengths and numbers, called after a word."""


def with_constants(made: Derived, arrays: ModuleArrays) -> Derived:
    """The derived function and those before it, with constants for known arrays. What
    others call has a parameter for each of its arguments here: it reads these constants
    in the end, see `with_constants_of_called`.
    """
    found: dict[ModuleArray, None] = dict.fromkeys(made.arrays)
    functions = made.function, *made.before
    called = _called(made)
    changed: list[Function] = []
    for function in functions:
        is_called = function.name in called
        word = _word(function) if is_called else made.source
        reading = _reading(function, partial(arrays.of, words=(word,)), found)
        changed.append(function if is_called else reading)
    own, *before = changed
    if own is made.function and before == [*made.before] and (*found,) == made.arrays:
        return made
    counts = made.counts if own is made.function else count(own)
    return replace(
        made, function=own, before=tuple(before), counts=counts, arrays=tuple(found)
    )


def with_constants_of_called(made: Derived) -> Derived:
    """The derived function with constants of the output for known arrays of functions
    that others call: calls do not hand these on.
    """
    called = _called(made) if made.arrays else frozenset[str]()
    if not called:
        return made
    there = {_key(array.shape, array.numbers): array for array in made.arrays}

    def find(shape: Shape, numbers: Numbers, _: str) -> ModuleArray | None:
        return there.get(_key(shape, numbers))

    before = tuple(
        _reading(f, find, {}) if f.name in called and f.outside is None else f
        for f in made.before
    )
    return made if before == made.before else replace(made, before=before)


def _called(made: Derived) -> frozenset[str]:
    """The names of the functions that others call."""
    functions = made.function, *made.before
    return frozenset(name for f in functions for name in callees_of(f))


def _word(function: Function) -> str:
    """The word for a kept function: `_layer_back` is about `layer`."""
    name = function.name.strip("_")
    return name.rpartition("_")[0] or name


def _key(shape: Shape, numbers: Numbers) -> object:
    return shape, tuple(repr(number.value) for number in numbers)


def _reading(
    function: Function, find: Find, found: dict[ModuleArray, None]
) -> Function:
    """A function that reads arrays of the output, entered in `found`. Linear."""
    known = _known(function.body)
    if not known:
        return function
    uses = Uses.of(function, known.keys())
    own: dict[ModuleArray, Parameter] = {}
    env: dict[Operand, Operand] = {}
    copies: dict[Operand, Statement] = {}
    for value, (shape, numbers) in known.items():
        if not uses.is_read(value):
            continue
        array = find(shape, numbers, value.hint or "array")
        if array is None:
            continue
        (shown,) = own.setdefault(array, array.parameter(value.hint)).vars
        if uses.is_only_read(value):
            env[value] = shown
        else:
            copies[value] = Apply(value, TABLE["copied"], (shown,))
    body: list[Statement] = []
    for statement in function.body:
        if not isinstance(statement, Apply) or statement.out not in known:
            body.append(statement.over(env))
        elif statement.out in copies:
            body.append(copies[statement.out])
        elif statement.out not in env:
            body.append(statement)
    if own:
        body = [*live(tuple(body), function.results)]
    found |= dict.fromkeys(own)
    parameters = (*function.parameters, *own.values())
    params = tuple(var for p in parameters for var in p.vars)
    block = Block(params, tuple(body), function.results)
    return replace(function, parameters=parameters, block=block)


def _known(body: Sequence[Statement]) -> dict[Var, tuple[Shape, Numbers]]:
    """The arrays whose numbers are known, with their lengths and numbers."""
    found: dict[Var, tuple[Shape, Numbers]] = {}
    for statement in body:
        if not isinstance(statement, Apply):
            continue
        if statement.op.name == "vector":
            numbers = tuple(arg for arg in statement.args if _is_known(arg))
            if 1 < len(numbers) == len(statement.args):
                found[statement.out] = (len(numbers),), numbers
        elif statement.op.name == "laid_out":
            sizes = tuple(n for n in statement.out.type.shape if isinstance(n, int))
            line = statement.args[0]
            if len(sizes) == 2 and isinstance(line, Var) and line in found:
                found[statement.out] = sizes, found[line][1]
    return found


def _is_known(arg: Operand) -> TypeGuard[Literal]:
    return isinstance(arg, Literal) and (
        isinstance(arg.value, float) and math.isfinite(arg.value)
    )
