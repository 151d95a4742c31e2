"""Values of constants of unknown number alone are computed where the output is
imported.

`K = np.log(2)` is no literal, for its number depends on the library; but 2.0 * K is a
constant of the output like 2.0 * R.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.blocks import needed
from ad_transform.ir.blocks.live import live
from ad_transform.ir.constants import Constant, literal_of, number_of
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Origin,
    Parameter,
    Passing,
    Statement,
    Substitution,
)

_OPERATIONS: dict[str, Callable[..., float]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "neg": operator.neg,
}


def hoisted(function: Function) -> Function:
    """The function with formulas for values that constants of the module alone decide.

    Values that sacred results need stay as they are. Linear.
    """
    numbers = _held(function)
    if not numbers:
        return function
    sacred = needed(function.body, function.results[: function.primal])
    env: Substitution = {}
    body: list[Statement] = []
    for statement in function.body:
        number = None
        if isinstance(statement, Apply) and statement.out not in sacred:
            number = _number(statement, numbers)
        if number is None:
            body.append(statement.over(env))
        else:
            numbers[statement.outs[0]] = number
            env[statement.outs[0]] = literal_of(number)
    results = tuple(env.get(r, r) for r in function.results)
    block = Block(function.block.params, live(tuple(body), results), results)
    return replace(function, block=block) if env else function


def _held(function: Function) -> dict[Operand, Constant]:
    """The named floats of unknown number, each as a constant with a number near it."""
    found: dict[Operand, Constant] = {}
    for parameter in function.parameters:
        if _is_named_float(parameter):
            near = Literal(float(parameter.default or 1), parameter.name, Origin.MODULE)
            number = number_of(near)
            if isinstance(number, Constant):
                found[parameter.vars[0]] = number
    return found


def _is_named_float(parameter: Parameter) -> bool:
    """Whether it is a module constant itself; an item of a tuple is called `T.0`."""
    held = parameter.passing is Passing.MODULE and parameter.nest.is_leaf
    return held and parameter.vars[0].type.is_real and parameter.name.isidentifier()


def _number(statement: Apply, numbers: dict[Operand, Constant]) -> Constant | None:
    """The formula of a statement over numbers; None if it has none."""
    compute = _OPERATIONS.get(statement.op.name)
    if compute is None or numbers.keys().isdisjoint(statement.args):
        return None
    args: list[float] = []
    for arg in statement.args:
        if isinstance(arg, Literal) and not isinstance(arg.value, str):
            args.append(number_of(arg))
        elif arg in numbers:
            args.append(numbers[arg])
        else:
            return None
    try:
        number = compute(*args)
    except ArithmeticError:
        return None
    return number if isinstance(number, Constant) else None
