"""Defaults that are one object for all calls, which some of these may change."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import pairwise

from ad_transform.read.constants.constant_values import changing, depth_of, plain_keys
from ad_transform.read.known.grids import is_array
from ad_transform.read.project.read_only import is_only_read_in
from ad_transform.read.values.storage import Distinct
from ad_transform.read.values.values import Value

Defined = ast.FunctionDef | ast.Lambda


def changed(
    function: Defined, file: ast.Module, defaults: Mapping[str, Value]
) -> tuple[frozenset[str], frozenset[str]]:
    """The parameters with defaults that the function may change: the next call finds
    the change. Those that are memos stand apart, for they change no result, unless a
    call changes what they keep.
    """
    may = {n for n, v in defaults.items() if _may_change(n, v, function, file)}
    memos = frozenset(name for name in may if _is_memo(name, function))
    return frozenset(may) - memos, memos


def _may_change(name: str, value: Value, function: Defined, file: ast.Module) -> bool:
    if changing(value) is not None:
        return True
    depth = 1 if isinstance(value, Distinct) else depth_of(value)
    given = depth, is_array(value), plain_keys(value)
    return depth > 0 and not is_only_read_in(name, function, file, *given)


def _is_memo(name: str, function: Defined) -> bool:
    """Whether a dict only keeps results of the function, by all its other arguments:
    `if n in memo: return memo[n]`, `memo[n] = v`, `return v`, or `if n not in memo:
    memo[n] = ...`, `return memo[n]`.
    """
    takes = function.args
    formals = [*takes.posonlyargs, *takes.args, *takes.kwonlyargs]
    others = {formal.arg for formal in formals if formal.arg != name}
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    if any(n.id in others and not isinstance(n.ctx, ast.Load) for n in names):
        return False  # a key is not what the function was given
    uses = sum(n.id == name for n in names)
    found = sum(_uses_of_memo(name, getattr(function, "name", ""), others, function))
    return found == uses and not (takes.vararg or takes.kwarg)


def _uses_of_memo(
    name: str, called: str, others: set[str], function: Defined
) -> Iterator[int]:
    """The numbers of uses of a memo as such, by statement."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == called:
            yield sum(getattr(given, "id", "") == name for given in node.args)
        for block in (getattr(node, "body", ()), getattr(node, "orelse", ())):
            if isinstance(block, list):
                for one, after in pairwise([*block, None]):
                    yield _uses_in(name, others, one, after)


def _uses_in(name: str, others: set[str], one: ast.stmt, after: ast.stmt | None) -> int:
    match one:
        case ast.If(
            test=ast.Compare(left=key, ops=[ast.In()], comparators=[ast.Name(id=memo)]),
            body=[ast.Return(value=given)],
        ):
            is_one = memo == name and _is_entry(given, name, others)
            return 2 if is_one and _names(key) == others else 0
        case ast.If(
            test=ast.Compare(
                left=key, ops=[ast.NotIn()], comparators=[ast.Name(id=memo)]
            ),
            body=[*_, ast.Assign(targets=[target])],
            orelse=[],
        ) if isinstance(after, ast.Return):
            kept = _is_entry(target, name, others) and _is_entry(
                after.value, name, others
            )
            return 3 if kept and memo == name and _names(key) == others else 0
        case ast.Assign(targets=[target], value=value) if isinstance(after, ast.Return):
            if not _is_entry(target, name, others):
                return 0
            if _is_entry(after.value, name, others):
                return 2
            return int(
                isinstance(value, ast.Name) and _names(after.value) == {value.id}
            )
    return 0


def _is_entry(node: ast.expr | None, name: str, others: set[str]) -> bool:
    """`memo[n]`, by all other parameters."""
    match node:
        case ast.Subscript(value=ast.Name(id=memo), slice=key):
            return memo == name and _names(key) == others
    return False


def _names(key: ast.expr | None) -> set[str]:
    """The names in a key; none if it holds anything else."""
    items = key.elts if isinstance(key, ast.Tuple) else [key]
    names = {one.id for one in items if isinstance(one, ast.Name)}
    return names if len(names) == len(items) else set()
