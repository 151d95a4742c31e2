"""Carries of a loop that are the same number in every trip are one.

    for k in range(n):
        largest = max(largest, v)
        largest_2 = max(largest_2, v)

Both begin alike; where they are alike, a trip leaves them alike. So the second is the
first. Estimates of the errors of several results have such carries.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.blocks import shape
from ad_transform.ir.blocks.carried import Loop
from ad_transform.ir.blocks.inner import each_loop, with_body
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Operand,
    Scan,
    Statement,
    Substitution,
    While,
)


def without_equal_carries(function: Function) -> Function:
    """The function in which trips, and statements behind the loop, read one of them.

    Equal operations in a trip are still there, for `merged`. Linear, but for loops with
    carries that may be equal: their bodies are read until it is known which are.
    """
    return each_loop(function, _with_one_each)


def _with_one_each(loop: Loop, env: Substitution) -> Loop:
    """The loop whose trips read the first of equal carries; `env` gets its values."""
    pairs = _equal(loop)
    if not pairs:
        return loop
    body = _reading(loop.body, pairs, loop.first_carry)
    for k, one in pairs.items():
        env[loop.outs[k]] = loop.outs[one]
    if isinstance(loop, While):
        return replace(loop, body=body, test=_reading(loop.test, pairs, 0))
    return replace(loop, body=body)


def _reading(block: Block, pairs: Mapping[int, int], first: int) -> Block:
    params = block.params
    env: Substitution = {
        params[first + k]: params[first + one] for k, one in pairs.items()
    }
    return with_body(block, [s.over(env) for s in block.body], env)


def _equal(loop: Loop) -> Mapping[int, int]:
    """The carries that equal an earlier one, each with the first such carry."""
    makers: dict[Operand, Statement] = {
        out: s for s in loop.body.body for out in s.outs
    }
    kinds: list[Hashable] = []
    for k, start in enumerate(loop.carries):
        result = loop.body.results[k]
        maker = makers.get(result)
        alike = maker.label if maker else (result in loop.body.params)
        alone = k if result.type.dims or start.type.dims else None
        kinds.append((start, result.type, alike, alone))
    classes = _classes(kinds)
    while len(set(classes)) < len(classes):
        numbers = _numbers(loop, classes)
        ends = (numbers.get(end, end) for end in loop.handed_on)
        pairs = zip(classes, ends, strict=True)
        finer = _classes(tuple(pairs))
        if finer == classes:
            return {k: one for k, one in enumerate(classes) if one != k}
        classes = finer
    return {}


def _classes(keys: Sequence[Hashable]) -> list[int]:
    """For each key the first place that has it."""
    first: dict[Hashable, int] = {}
    return [first.setdefault(key, k) for k, key in enumerate(keys)]


def _numbers(loop: Loop, classes: Sequence[int]) -> Mapping[Operand, object]:
    """Keys of a trip's values, equal for equal values if those of classes are."""
    known: dict[Hashable, int] = {}
    numbers: dict[Operand, object] = {}
    for param, one in zip(loop.carry_params, classes, strict=True):
        numbers[param] = ("carry", one)
    for statement in loop.body.body:
        key: Hashable = id(statement)
        if isinstance(statement, Apply | Branch | Scan | While):
            inputs = tuple([numbers.get(i, i) for i in statement.inputs])
            blocks = tuple([shape(block) for block in statement.blocks])
            key = (statement.label, inputs, blocks)
        number = known.setdefault(key, len(known))
        places: Sequence[object] = range(len(statement.outs))
        if isinstance(statement, Branch):
            places = _given(statement, numbers)
        pairs = zip(statement.outs, places, strict=True)
        numbers.update((out, (number, place)) for out, place in pairs)
    return numbers


def _given(branch: Branch, numbers: Mapping[Operand, object]) -> list[object]:
    """Keys of the results of a branch: equal where these are equal in both arms."""
    found: list[list[object]] = []
    for arm in branch.blocks:
        pairs = zip(arm.params, branch.args, strict=True)
        known: dict[Operand, object] = {
            param: numbers.get(given, given) for param, given in pairs
        }
        found.append([known.get(result, result) for result in arm.results])
    return list(zip(*found, strict=True))
