"""The user's own names for the items of a parameter: `beta, gamma = rates` in a
function, or `beta = rates[0]`, in place of `rates_0` and `rates_1`.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping

from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Value


def name_items(node: ast.FunctionDef, values: Mapping[str, Value]) -> None:
    """Name the items of parameters known one by one after the names that the function
    binds to them, once each.
    """
    groups = {name: v for name, v in values.items() if isinstance(v, Group)}
    if not groups:
        return
    bound = Counter(
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    )
    bound.update(arg.arg for arg in ast.walk(node) if isinstance(arg, ast.arg))
    named: set[tuple[str, int]] = set()
    for name, of, k in _names(node, groups):
        item = groups[of].items[k]
        if isinstance(item, Draft) and bound[name] == 1 and (of, k) not in named:
            item.hint = name
            named.add((of, k))


def _names(
    node: ast.FunctionDef, groups: Mapping[str, Group]
) -> Iterator[tuple[str, str, int]]:
    """Names, and the parameters and places of the items that they are bound to."""
    for statement in node.body:
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            continue
        match statement.targets[0], statement.value:
            case (ast.Tuple(elts=targets) | ast.List(elts=targets), ast.Name(id=of)):
                if of not in groups or len(groups[of].items) != len(targets):
                    continue
                for k, target in enumerate(targets):
                    if isinstance(target, ast.Name):
                        yield target.id, of, k
            case (
                ast.Name(id=name),
                ast.Subscript(value=ast.Name(id=of), slice=ast.Constant(value=int(k))),
            ):
                if of in groups and 0 <= k < len(groups[of].items):
                    yield name, of, k
