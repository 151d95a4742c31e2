"""Arrays of numbers that a function writes out become constants of the output.

`K = np.array([[1.0, 2.0], [3.0, 4.0]])` is made once, where the output is imported, not
at each call. Where somebody else might see the array, or change it, there is a copy.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import replace
from typing import TypeAlias, TypeGuard

from ad_transform.dataclass import dataclass
from ad_transform.derive.constants.module_arrays import ModuleArray, ModuleArrays
from ad_transform.derive.kinds.kinds import Derived
from ad_transform.elementals import TABLE
from ad_transform.elementals.whole import BY_ELEMENT
from ad_transform.ir.count import count
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Parameter,
    Scan,
    Statement,
    Var,
    While,
    walk,
)

_MORE = (
    "dot mat_vec vec_mat mat_mat outer own copied pick pick_both length width depth "
    "count sum_all sum_rows sum_columns to_list to_rows layers_of joined interpolated "
    "all_interpolated place_behind place_before places_behind places_before "
    "zeros_like full_like"
)

_READ = BY_ELEMENT.union(_MORE.split(" "))
"""Operations that read an array, whose results share no memory with it."""

_SEEN = frozenset({"turned", "row", "column", "no_row", "no_column", "spread"})
"""Operations whose results share memory with an array, and are read in their turn."""


Shape: TypeAlias = tuple[int, ...]
Numbers: TypeAlias = tuple[Literal, ...]


def with_constants(made: Derived, arrays: ModuleArrays) -> Derived:
    """The derived function and its callees, with constants for known arrays."""
    found: dict[ModuleArray, None] = dict.fromkeys(made.arrays)
    own, *before = (
        _reading(f, arrays, made.source, found) for f in (made.function, *made.before)
    )
    if own is made.function and before == [*made.before]:
        return made
    counts = made.counts if own is made.function else count(own)
    return replace(
        made, function=own, before=tuple(before), counts=counts, arrays=tuple(found)
    )


def _reading(
    function: Function,
    arrays: ModuleArrays,
    source: str,
    found: dict[ModuleArray, None],
) -> Function:
    """A function that reads arrays of the output, entered in `found`. Linear."""
    known = _known(function.body)
    if not known:
        return function
    uses = _Uses.of(function, known.keys())
    own: dict[ModuleArray, Parameter] = {}
    env: dict[Operand, Operand] = {}
    copies: dict[Operand, Statement] = {}
    for value, (shape, numbers) in known.items():
        if not uses.is_read(value):
            continue
        array = arrays.of(shape, numbers, source, value.hint or "array")
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


@dataclass(slots=True)
class _Uses:
    """The readers of the values of a function, without arrays that are `known`."""

    readers: defaultdict[Operand, list[Statement]]
    results: frozenset[Operand]  # of all blocks

    @classmethod
    def of(cls, function: Function, known: Set[Operand]) -> _Uses:
        readers: defaultdict[Operand, list[Statement]] = defaultdict(list)
        results = set(function.results)
        for statement in walk(function.body):
            results.update(r for block in statement.blocks for r in block.results)
            if known.isdisjoint(statement.outs):
                for value in statement.inputs:
                    readers[value].append(statement)
        return cls(readers, frozenset(results))

    def is_read(self, value: Operand) -> bool:
        """Whether any statement or block reads a value."""
        return value in self.results or bool(self.readers[value])

    def is_only_read(self, value: Operand) -> bool:
        """Whether nothing changes an array or hands it out."""
        waiting: list[Operand] = [value]
        while waiting:
            value = waiting.pop()
            if value in self.results:
                return False
            for reader in self.readers[value]:
                shown = _shown(reader, value)
                if shown is None:
                    return False
                waiting += shown
        return True


def _shown(reader: Statement, value: Operand) -> list[Operand] | None:
    """The values that are, for a reader of an array, that array; None if the reader may
    change it.
    """
    if isinstance(reader, Branch):
        pairs = [zip(reader.args, b.params, strict=True) for b in reader.blocks]
        return [param for arm in pairs for arg, param in arm if arg is value]
    if isinstance(reader, Scan | While):
        return _shown_in(reader, value)
    if not isinstance(reader, Apply):
        return None
    if reader.op.name in _SEEN:
        return [reader.out]
    return [] if reader.op.name in _READ or _is_stored(reader, value) else None


def _shown_in(loop: Scan | While, value: Operand) -> list[Operand] | None:
    """The parameters of a loop's blocks that stand for an array which it reads."""
    if value in loop.carries:
        return None
    start = loop.first_read
    return [
        block.params[start + k]
        for block in loop.blocks
        for k, read in enumerate(loop.reads)
        if read is value
    ]


def _is_stored(statement: Apply, value: Operand) -> bool:
    """Whether a statement stores the numbers of an array in another one."""
    return statement.op.consumes and statement.args[0] is not value
