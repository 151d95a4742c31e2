"""Derived functions that compute constants of the module by themselves.

In Python a module does that when it is imported; other languages have no such time.
"""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.dataclass import replace
from ad_transform.derive.kinds.kinds import Derived
from ad_transform.ir.blocks.blocks import renewed
from ad_transform.ir.count import count
from ad_transform.ir.nodes import Block, Function, Operand, Passing, Statement


def computing(made: Derived, programs: Mapping[str, Function]) -> Derived:
    """The derived function with statements for the constants that it reads and that
    have `programs`, each of which stands behind those that it reads. Linear.
    """
    function = made.function
    held = [p for p in function.parameters if p.passing is Passing.MODULE]
    known = [p for p in held if p.name in programs]
    if not known:
        return made
    needed = {p.name for p in known}
    for name in reversed([*programs]):
        if name in needed:
            needed.update(p.name for p in programs[name].parameters)
    body: list[Statement] = []
    values: dict[str, Operand] = {}
    for name, program in programs.items():
        if name in needed:
            block = renewed(program.block, [values[p.name] for p in program.parameters])
            body += block.body
            (values[name],) = block.results
    env: dict[Operand, Operand] = {p.vars[0]: values[p.name] for p in known}
    body += (statement.over(env) for statement in function.body)
    results = tuple(env.get(r, r) for r in function.results)
    params = tuple(var for var in function.block.params if var not in env)
    function = replace(
        function,
        parameters=tuple(p for p in function.parameters if p not in known),
        block=Block(params, tuple(body), results),
    )
    return replace(made, function=function, counts=count(function))
