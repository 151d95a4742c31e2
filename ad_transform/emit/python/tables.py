"""Lists of numbers that a function reads by an index are constants of the output.

`OCV = [3.0, 3.4, 3.6]` is made once, where the output is imported, under the name that
it has in the source. A list that a function changes or hands on is made in it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from ad_transform.dataclass import replace
from ad_transform.derive.constants.reads import Uses
from ad_transform.derive.kinds.kinds import Derived
from ad_transform.ir.blocks.live import live
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Parameter,
    Passing,
    Var,
)
from ad_transform.ir.types import Items


def with_tables(made: Derived) -> Derived:
    """The derived function and its callees, which read tables by their names. Each has
    parameters for these, which calls give nothing.
    """
    tables = made.tables
    own, *before = (_reading(f, tables) for f in (made.function, *made.before))
    if own is made.function and before == [*made.before]:
        return made
    return replace(made, function=own, before=tuple(before))


def _reading(function: Function, tables: Mapping[str, Items]) -> Function:
    """A function that reads tables by their names. Linear."""
    packs = {
        s.out: s.args
        for s in function.body
        if isinstance(s, Apply) and s.op.name == "pack"
    }
    taken = {p.name for p in function.parameters}
    named = defaultdict[str, list[str]](list)  # `_K` is called K in functions
    for name in tables:
        if name not in taken:
            named[name.lstrip("_")].append(name)
    found: dict[Var, str] = {}
    for out in packs:
        for name in named.get(out.hint, ()):
            if _is(out, packs, tables[name]):
                found.setdefault(out, name)
    if not found:
        return function
    uses = Uses.of(function, packs.keys())
    own: dict[str, Parameter] = {}
    env: dict[Operand, Operand] = {}
    for out in filter(uses.is_only_read, found):
        read = (Var(out.type, out.hint),)
        made = Parameter(found[out], read, LEAF, None, Passing.MODULE)
        (env[out],) = own.setdefault(found[out], made).vars
    if not own:
        return function
    body = tuple(s.over(env) for s in function.body if env.keys().isdisjoint(s.outs))
    parameters = (*function.parameters, *own.values())
    params = tuple(var for p in parameters for var in p.vars)
    block = Block(params, live(body, function.results), function.results)
    return replace(function, parameters=parameters, block=block)


def _is(out: Var, packs: Mapping[Var, tuple[Operand, ...]], items: Items) -> bool:
    """Whether a list holds these items."""
    return repr(_items(out, packs)) == repr(items)  # 0.0 is not -0.0, and 1 is not True


def _items(out: Operand, packs: Mapping[Var, tuple[Operand, ...]]) -> Items | None:
    """The items of a list of literals, or of such lists; None for other values."""
    if isinstance(out, Literal):
        return out.value
    if out not in packs:
        return None
    items = [_items(arg, packs) for arg in packs[out]]
    return None if None in items else tuple(i for i in items if i is not None)
