"""A program with the functions that it calls, as a bundle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ad_transform.ir.called import callees_of
from ad_transform.ir.nodes import Bundle, Call, Function, Solve, walk

if TYPE_CHECKING:
    pass


def calls_in_equations(main: Function, functions: Sequence[Function]) -> bool:
    """Whether a function is called where an equation is solved. Only one that is not
    looked into can be: any other is written out there.
    """
    return any(
        isinstance(inner, Call)
        for function in (main, *functions)
        for statement in walk(function.body)
        if isinstance(statement, Solve)
        for block in statement.blocks
        for inner in walk(block.body)
    )


def called_by(
    main: Function, functions: Sequence[Function], outside: Mapping[str, Function]
) -> Bundle:
    """A function with all that are called, each behind the ones that it calls. The
    derivatives of one that is not looked into count as called.
    """
    known = {function.name: function for function in functions} | {**outside}
    found: dict[str, None] = {}
    begun: set[str] = set()

    def follow(function: Function) -> None:
        named = callees_of(function)
        if function.outside is not None:
            named = [name for _, name in function.outside.ways]
        for name in named:
            if name not in begun:
                begun.add(name)
                follow(known[name])
                found[name] = None

    follow(main)
    return Bundle(main, tuple(known[name] for name in found))
